"""What a point of view can know: the table, a token or a whole record."""
