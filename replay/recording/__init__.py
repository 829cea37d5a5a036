"""A game that is being recorded, on disk: its record, and the trail of everything that was done to it."""
