"""What happens to the cards. No law here: whatever is written is done, as long as the cards for it are there."""

from .hands import ImpossibleMoveError, MissingCardsError

__all__ = ["ImpossibleMoveError", "MissingCardsError"]
