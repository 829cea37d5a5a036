"""The statuses of turn lines. They have a file of their own so that tables can use them without loading the
timeline.
"""

from __future__ import annotations

from typing import Final

from ...notation.language import Messages

SET_UP: Final = "set-up"
PLAYED: Final = "played"
TAKEN_BACK: Final = "taken back"
NOT_FOLLOWED: Final = "not followed"
"""The status of a turn line; the last one if the replay had to stop at it or before it."""
_SAID: Final[Messages] = {"statuses": ("set-up", "played", "taken back", "not followed")}
"""People read them in their language."""
