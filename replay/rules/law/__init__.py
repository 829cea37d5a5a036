"""What the rules forbid. No mechanics here: nothing is changed, every violation is named, none stops the look-out.

Each function looks at one kind of token and notes a :class:`Fault` for everything that is wrong with playing it now;
for a legal token it makes no object.
"""

from .base import Fault, Found

__all__ = ["Fault", "Found"]
