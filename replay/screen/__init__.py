"""What is drawn on a terminal: the table, and the full screen in which a game is walked through."""
