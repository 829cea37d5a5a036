"""Settings of hypothesis and numpy, and signals.

Every run tries the same examples; the full run (TIRO_FULL=1) tries new ones. A change is thus only blamed for what it
caused, and ``make full`` looks for the rest. No example fails for taking long, to make or to try.

Programs started by tests receive SIGINT and SIGHUP even where the tests were started with these ignored, as a shell
does with SIGINT for jobs in the background and nohup with SIGHUP: a child would inherit that.
"""

from __future__ import annotations

import gc
import os
import signal

from hypothesis import HealthCheck, settings
from scale import FULL

gc.set_threshold(50_000)  # as the command does: collections took a twelfth of the time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as commands do before numpy is loaded
os.environ["TIRO_LANG"] = "en"  # whatever this machine speaks
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **UNTIMED)
settings.register_profile("new", print_blob=True, **UNTIMED)
settings.load_profile("new" if FULL else "same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_unconfigure() -> None:
    """Let Python free at its end what commands have frozen (``gc.freeze``): DuckDB would list all of it."""
    gc.unfreeze()
