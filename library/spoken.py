"""The language of sentences and pages."""

from __future__ import annotations

from contextlib import AbstractContextManager

from .notation.language import language as language_of
from .notation.language import languages
from .notation.language import speaking as spoken_in


def speaking(language: str) -> AbstractContextManager[None]:
    """Return a context in which sentences, pages and pictures are in a language: its code, such as ``de``.

    It holds for this thread or task. Raise ValueError if there is no such language.

    >>> with tironian.speaking("de"):
    ...     tironian.words(tironian.timeline(record).entries[2].events[0])
    'legt eine 5 offen bei den Konsuln an'
    """
    found = language_of(language)
    if found is None:
        raise ValueError(f"language can't be {language!r}: give one of {', '.join(languages())}")
    return spoken_in(found)
