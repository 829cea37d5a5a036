"""The command ``tiro``: one file for each of its commands."""
