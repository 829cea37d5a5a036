"""What is drawn on a terminal: the table, and the full screens."""
