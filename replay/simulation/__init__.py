"""Random games: players with some sense, and complete records from a seed."""
