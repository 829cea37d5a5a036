"""The words of diagnostics: the registry of codes, names of cards and places, facts in words."""
