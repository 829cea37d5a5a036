"""Recording at the table: a record being written, what may come next, and a storage that loses nothing.

Nothing here depends on a screen or the command line.
"""
