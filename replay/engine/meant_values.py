"""What the value of a header was probably meant to be."""

from __future__ import annotations

import re
from typing import Final

from ..editions.edition import EDITION_NAMES
from .headers import FORMS, WORDS, is_of_form

_SIDES: Final = {"r": "caesar", "rome": "caesar", "e": "cleopatra", "egypt": "cleopatra"}


def intended_values(name: str, value: str) -> list[str]:
    """Return the values that a header was probably meant to have; several if nothing decides between them, none if
    the value is right or can't be told.
    """
    from ...notation.manglings import notation_sign_for  # late, as below: few headers are wrong

    text = "".join(map(notation_sign_for, value)).strip()
    if name == "Rulings":
        return [text] * (text != value)
    if name == "Rules" or name in WORDS:
        known = {word.lower(): word for word in WORDS.get(name, EDITION_NAMES)}
        given = value if name == "Rules" else value.strip().lower()
        return [] if given in known else _words(text.lower(), known)
    if name not in FORMS or is_of_form(name, value):
        return []
    tries = [text]
    if name == "Result":
        tries.append(re.sub("[:/]", "-", "".join(text.upper().split())))
    elif name.endswith("Date"):
        tries += _days(text)
    return [each for each in dict.fromkeys(tries) if is_of_form(name, each)]


def _words(text: str, known: dict[str, str]) -> list[str]:
    """Return the known word that a text contains, or else is similar to."""
    from difflib import get_close_matches

    text = _SIDES.get(text, text)
    found = [word for word in known if re.search(rf"\b{word}\b", text)] or get_close_matches(text, known, 1)
    return [known[word] for word in found]


def _days(text: str) -> list[str]:
    """Return the days that a text may name, as year, month and day."""
    text = re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", text)
    first, second, third, *_ = (*re.split(r"[^\d?]+", text), "??", "??")
    orders = [(first, second, third)]
    if len(third) == 4:  # the day before the month; only with dots that is certain
        orders = [(third, second, first), *([] if "." in text else [(third, first, second)])]
    return [".".join([part.rjust(2, "?" if "?" in part else "0") for part in order]) for order in orders]
