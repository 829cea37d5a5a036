"""How hypothesis looks for examples: the same ones in every run, new ones in the full run (TIRO_FULL=1).

Who changes a thing should hear of that thing only; what else there is to find, ``make full`` finds.
No example fails for want of time, neither when it is made nor when it is tried.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from scale import FULL

UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **UNTIMED)
settings.register_profile("new", print_blob=True, **UNTIMED)
settings.load_profile("new" if FULL else "same")
