"""A club's server: an event that is run in browsers, from its tables to its standings."""
