"""The desk's pages, answered by the installed engine."""
