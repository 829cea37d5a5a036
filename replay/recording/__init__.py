"""Recording at the table: the record as it is written, what may come next, and a storage that loses nothing.

Nothing here knows a screen or the command line.
"""
