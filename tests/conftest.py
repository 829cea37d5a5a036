"""How hypothesis looks for examples: the same ones in every run, new ones in the full run (TIRO_FULL=1).

Who changes a thing should hear of that thing only; what else there is to find, ``make full`` finds.
"""

from __future__ import annotations

from hypothesis import settings
from scale import FULL

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", print_blob=True, deadline=None)
settings.load_profile("new" if FULL else "same")
