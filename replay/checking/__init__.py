"""A record's verdict: everything that is wrong with it, as diagnostics that a person can read."""
