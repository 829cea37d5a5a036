"""Recording at the table: the record as it is being written, what may come next, and a storage that loses nothing.

Nothing here depends on a screen or the command line.
"""
