"""Recording at the table: the record under the pen, what may come next, and a storage on which nothing is lost.

Nothing here knows a screen or the command line.
"""
