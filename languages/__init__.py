"""The catalogues: for each language a folder with its messages and the forms of its names (docs/languages.md)."""
