"""How hypothesis looks for examples: the same ones in every run, new ones in the full run (TIRO_FULL=1).

Who changes a thing should hear of that thing only; what else there is to find, ``make full`` finds.
No example fails for want of time, neither when it is made nor when it is tried.

Programs that the tests start hear SIGINT and SIGHUP, also where whoever started the tests ignores them, as a shell does
with the first for what it runs in the background and nohup with the second: an ignored signal stays ignored in every
child.
"""

from __future__ import annotations

import signal
import sys
from importlib.util import find_spec
from pathlib import Path

if getattr(find_spec("tironian"), "origin", None) is None:  # .venv is older than this folder; make setup renews it
    sys.path.insert(0, str(Path(__file__).parents[1]))

from hypothesis import HealthCheck, settings
from scale import FULL

UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **UNTIMED)
settings.register_profile("new", print_blob=True, **UNTIMED)
settings.load_profile("new" if FULL else "same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
