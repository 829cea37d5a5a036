"""Events: from who was to play whom to who won, with all that has to be mended in between."""
