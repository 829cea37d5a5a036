"""Events: from the pairings to the standings, with everything that needs correcting in between."""
