"""Events: from the pairings to the standings, with everything that has to be put right in between."""
