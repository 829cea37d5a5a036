"""Random games: players with some sense, complete records from a seed, and fast playouts."""
