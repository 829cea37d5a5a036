"""The rules on plain integers: the state of a game, what is forbidden, what happens, and what may come next."""
