"""What becomes of turn lines. These words stand alone so that tables can have them without loading the timeline."""

from __future__ import annotations

from typing import Final

SET_UP: Final = "set-up"
PLAYED: Final = "played"
TAKEN_BACK: Final = "taken back"
NOT_FOLLOWED: Final = "not followed"
"""What became of a turn line; the last one where the replay had to stop at it or before it."""
