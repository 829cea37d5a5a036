"""The notation: text ⇄ record. It knows nothing of the rules of play."""

from . import build as build  # first, since it decides which of the other modules are used
