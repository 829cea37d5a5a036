"""Write grammar/words.json: what Lark says to the lines and words that nearly every game has.

Reading a game by these alone, Lark need not be loaded. They are all that it was asked when the examples and some
simulated games were read, comments and texts apart. ``make table`` runs this.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tironian import EDITION_NAMES, Result, Turn, load_edition, parse, simulate, write
from tironian.notation import word_cache
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS, INFLUENCE_KINDS, SOME_INFLUENCE
from tironian.notation.parser import parse_item, parse_line
from tironian.notation.writer import HEADER_ORDER

ROOT = Path(__file__).parents[1]
GAMES = 300
"""Simulated games of each rule set."""
LONGEST = 40
"""Characters of a text that is kept."""


def texts() -> Iterator[str]:
    """Records in the notation."""
    for path in sorted((ROOT / "examples").rglob("*.tiro")):
        yield path.read_text(encoding="utf-8", errors="surrogateescape")
    for name in EDITION_NAMES:
        yield from (write(simulate(load_edition(name), seed)) for seed in range(GAMES))


def few_of_a_kind() -> Iterator[str]:
    """All words of kinds that have few: cards placed, assassinations, spies and vetoes."""
    influence, cards = CARD_LETTERS[:INFLUENCE_KINDS], CARD_LETTERS[:SOME_INFLUENCE]
    places = ["", *(f"#{place}" for place in range(1, 6))]
    for group in GROUP_LETTERS:
        for card in influence:
            yield from (f"{card}{group}", f"({card}){group}", f"x{card}{group}")
            yield from (f"x({card}){group}{place}" for place in places)
        yield from (f"x{group}{place}" for place in places)
    for card in cards:
        yield from (f"v+{card}", f"y{card}", *(f"y{card}+{drawn}" for drawn in cards))


def asked() -> tuple[set[str], set[str]]:
    """The lines and the words that Lark is asked for when the texts are read."""
    lines: set[str] = {f'[{name} ""]' for name in HEADER_ORDER}
    words: set[str] = set(few_of_a_kind())

    def line(text: str) -> Any:
        lines.add(text)
        return parse_line(text)

    def word(text: str) -> Any:
        words.add(text)
        return parse_item(text)

    replaced: Any = word_cache
    replaced._answers = lambda: {"lines": {}, "items": {}}
    replaced._lark = lambda: (line, word)
    for text in texts():
        parse(text)
    missions = {
        mission for each in words if each.startswith("m(") and '"' not in each for mission in each[2:-1].split(",")
    }
    return lines, words | {f"m({one},{other})" for one in missions for other in missions}


def is_kept(text: str, value: Any) -> bool:
    """Whether an answer is one that others are made from, and not one game's own."""
    if isinstance(value, tuple):
        return not value[1]
    if isinstance(value, Turn):
        return not (value.tokens or value.marks or value.notes)
    if isinstance(value, Result):
        return not value.notes
    return len(text) <= LONGEST and not isinstance(value, str | word_cache.Misfit | word_cache.Comment)


def main() -> None:
    lines, words = asked()
    kept = (
        {text: value for text in texts if is_kept(text, value := read(text))}
        for texts, read in ((lines, parse_line), (words, parse_item))
    )
    (ROOT / "grammar/words.json").write_text(word_cache.answers_as_text(*kept), encoding="utf-8")


if __name__ == "__main__":
    main()
