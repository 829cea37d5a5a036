"""What somebody can know: the table, a token or a whole record from one point of view."""
