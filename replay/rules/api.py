"""Rule sets, the state of a game, and its score."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from ..editions.choices import Choice
from ..editions.edition import (
    BUSTS, EDITION_NAMES, OPTION_FIELDS, STEP_NAMES, Device, Edition, check_option, load_edition, missions_of,
)
from .fault import Fault
from .mechanics.setup import start
from .scoring import DRAWN, Score, SideScore, counting_missions, decide, fulfilled, progress, score
from .state import SideCards, State
