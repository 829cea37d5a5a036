"""Reports of a check, one renderer a file."""
