"""Runs a record through the rules: headers, set-up, turns, rulings and result, with every fault at its place."""
