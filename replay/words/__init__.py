"""The only sentences about a game: facts in words."""
