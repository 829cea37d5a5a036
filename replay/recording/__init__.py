"""A game written down while it is played. Nothing here knows a screen or the command line."""
