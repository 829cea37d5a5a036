"""The rules: engine, law, checker, reports and the command line."""
