"""The rule sets, one file each."""
