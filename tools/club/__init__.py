"""The server of a club: what the devices at the tables send, and the records that are made of it."""
