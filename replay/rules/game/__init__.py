"""The game as decisions and chances: what is due, and how it is played."""
