"""A record through the rules: headers, set-up, turns, rulings and result, with every fault found on the way."""
