"""What a record with hidden cards leaves open: which cards can have been where, and whether any cards explain the
record.
"""
