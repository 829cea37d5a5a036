"""What the rules forbid. No mechanics here: nothing is changed, and every violation is noted.

Each function judges one kind of token and notes a :class:`tironian.replay.rules.fault.Fault` for everything that is
wrong with playing it now; for a legal token it creates no object.
"""
