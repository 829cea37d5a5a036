"""The table of words says as much as the grammar: a reader made from it alone reads what Lark reads, word for word.

Beyond the table it knows three things: in which words parts come together or not at all, which words must not be empty,
and how a mission is written.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from scale import scaled
from tironian import EDITION_NAMES, load_edition, simulate, turn_text
from tironian import tokens as t
from tironian.notation.cards import (
    CARD_LETTERS,
    GROUP_LETTERS,
    INFLUENCE_CARDS,
    SIDE_LETTERS,
    SOME_INFLUENCE,
    high_to_low,
)
from tironian.notation.parser import parse_item
from tironian.notation.tokens import KINDS, LETTERED, FieldType, Role, field_kinds, is_on_table
from tironian.notation.word_cache import Misfit

WORDS = scaled(4_000, 100_000)
TEXT = r'"(?:\\[^\n]|[^"\\\n])*"'
MISSION = rf"(?:[{GROUP_LETTERS}]\*?|each|[0-9]{{1,2}}>?|{TEXT}|\?)"
TOGETHER = ((t.Vote, "rome", "egypt"), (t.SpecialVote, "rome", "egypt"), (t.Castle, "cards_first", "cards_second"))
"""Fields that are written together or not at all."""
NEEDED = ((t.Spy, "draw", "card"),)
"""Fields that are not written without another one."""
NOT_EMPTY = {(t.Draw, "cards"), (t.Missions, "missions")}


def mission(text: str) -> t.Mission:
    if text[0] == '"':
        return t.Mission("text", text=re.sub(r'\\(["\\])', r"\1", text[1:-1]))
    if text[0].isdigit():
        kind = "majorities" if text[-1] == ">" else "patricians"
        return t.Mission(kind, count=int(text.removesuffix(">")))
    kinds = {"each": "each", "?": "unknown"}
    if text in kinds:
        return t.Mission(kinds[text])
    return t.Mission("all" if text[-1] == "*" else "majority", GROUP_LETTERS.index(text[0]))


def value_of(cls: type, name: str, hidden: bool) -> tuple[str, Callable[[str], Any]]:
    """A pattern for the value of a field, and what it says."""
    part = field_kinds(cls)[name]
    if part.field_type is FieldType.MISSIONS:
        return f"{MISSION}(?:,{MISSION})*", lambda text: tuple(map(mission, re.findall(MISSION, text)))
    if part.field_type is FieldType.VALUE:
        return f"[{part.least}-{part.highest}]", int
    letters = {FieldType.SIDE: SIDE_LETTERS[:2], FieldType.WINNER: SIDE_LETTERS}.get(part.field_type, GROUP_LETTERS)
    if part.field_type not in (FieldType.SIDE, FieldType.WINNER, FieldType.GROUP, FieldType.GROUPS):
        numbers = [
            number
            for number in range(len(CARD_LETTERS))
            if not is_on_table(cls, name) or number in (*INFLUENCE_CARDS, SOME_INFLUENCE)
        ]
        up = part.field_type is FieldType.CARD and is_on_table(cls, name) and not hidden
        letters = "".join([CARD_LETTERS[number] for number in numbers if not (up and number == SOME_INFLUENCE)])
    several = (
        "" if isinstance(LETTERED[part.field_type].read(letters[:1]), int) else "+" if (cls, name) in NOT_EMPTY else "*"
    )
    read = LETTERED[part.field_type].read
    shown = part.field_type is FieldType.CARDS and part.role is Role.CHANCE
    return f"[{re.escape(letters)}]{several}", (lambda text: high_to_low(read(text))) if shown else read


Reader = tuple[type, bool | None, re.Pattern[str], dict[str, Callable[[str], Any]]]


@cache
def readers() -> list[Reader]:
    """A pattern for each class, and for each way up that its card may lie."""
    kinds = [(cls, kind.form) for cls, kind in KINDS.items() if cls not in (t.Unread, t.Bag)]
    ways = {cls: (False, True) if "hidden" in field_kinds(cls) else (None,) for cls, _ in kinds}
    return [reader(cls, form, hidden) for cls, form in kinds for hidden in ways[cls]]


def reader(cls: type, form: str, hidden: bool | None) -> Reader:
    pattern, at, reads = "", 0, {}
    for field in re.finditer(r"\{(\w+):?([^}]*)\}", form):
        name, spec = field.groups()
        pattern += re.escape(form[at : field.start()])
        at = field.end()
        if "|" in spec:
            signs = spec.split("|")
            letters, read = "|".join(map(re.escape, signs)), lambda text, signs=signs: signs.index(text)
            reads[name] = (lambda text, read=read: read(text) or None) if "?" in signs else read
            pattern += f"(?P<{name}>{letters})"
            continue
        letters, reads[name] = value_of(cls, name, bool(hidden))
        before, _, after = (
            "(%)" if hidden and field_kinds(cls)[name].field_type is FieldType.CARD else spec or "%"
        ).partition("%")
        named = cls is t.Assassinate and name == "card" and not hidden  # what is not written lies face down
        optional = NoneType in get_args(get_type_hints(cls)[name]) and not named
        part = f"{re.escape(before)}(?P<{name}>{letters}){re.escape(after)}"
        pattern += f"(?:{part})?" if optional else part
    return cls, hidden, re.compile(pattern + re.escape(form[at:])), reads


def read(word: str) -> t.Token | None:
    """The token of a word, by the table alone; None if it is none."""
    if bag := re.fullmatch(rf"b\(([{GROUP_LETTERS}or]*)\)", word):
        groups = tuple([GROUP_LETTERS.index(sign) for sign in bag[1] if sign not in "or"])
        return t.Bag(groups, bag[1].count("o"), bag[1].count("r"))
    for cls, hidden, pattern, reads in readers():
        if not (found := pattern.fullmatch(word)):
            continue
        values: dict[str, Any] = {
            name: None if found[name] is None else read(found[name]) for name, read in reads.items()
        }
        if "rome" in values and ":" not in word:
            if values["rome"]:
                continue
            values["rome"] = None
        if any(kind is cls and (values[one] is None) != (values[two] is None) for kind, one, two in TOGETHER):
            continue
        if any(kind is cls and values[one] is not None and values[two] is None for kind, one, two in NEEDED):
            continue
        return cls(**values, **({} if hidden is None else {"hidden": hidden}))
    return None


def by_lark(word: str) -> t.Token | None:
    found = parse_item(word)
    return found if not isinstance(found, Misfit | t.Unread) and type(found) in KINDS else None  # pyright: ignore


def real_words() -> list[str]:
    texts = [path.read_text("utf-8", "surrogateescape") for path in Path("examples").rglob("*.tiro")]
    lines = [line for text in texts for line in text.split("\n") if re.match(r"\s*(?:\|\s*)?\d+[RE]\b", line)]
    for name in EDITION_NAMES:
        for seed in range(scaled(10, 100)):
            lines += [turn_text(turn) for turn in simulate(load_edition(name), seed=seed).turns]
    return sorted({word for line in lines for word in line.split()[1:]})


def mutated(words: list[str], rng: random.Random) -> str:
    letters = [*rng.choice(words)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(letters) + 1)
        sign = rng.choice('12345pxswcyviaACKPQSRE()[]#+-=*:>,?or"eachmhgdb')
        letters[at : at + rng.choice((0, 1))] = rng.choice(([sign], []))
    return "".join(letters)


def test_a_reader_made_from_the_table_reads_what_the_grammar_reads():
    rng, words = random.Random(1), real_words()
    some = rng.sample(words, min(len(words), WORDS // 4))
    wrong = [word for word in (*some, *[mutated(words, rng) for _ in range(WORDS)]) if read(word) != by_lark(word)]
    assert wrong == []
    assert all(map(read, [word for word in some if by_lark(word)]))
    assert sum(read(mutated(words, rng)) is not None for _ in range(100)) > 5  # and some that were changed are words
