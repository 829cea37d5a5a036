"""Lark, and nothing but Lark, turns the text of a line into values. Its trees never leave this module."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, partial, partialmethod
from typing import Any, Final

from lark import Lark, Transformer, v_args
from lark import Token as Leaf
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ..grammar import advice, grammar_text, table_text
from . import tokens as t
from .cards import CARDS, GROUPS, SIDE_LETTERS, high_to_low
from .record import Alternative, Comment, LineContent, Result, Ruling, Turn, sort_words
from .source import MAX_WORD_LENGTH
from .word_cache import MAX_EXPECTED, Misfit, fragments
from .writer import unquoted

_TURN: Final = re.compile(r"[|\s]*[0-9]")


def _parse(text: str, start: str) -> Any:
    """Return what a text says according to a start rule of the grammar; a Misfit if it does not fit."""
    if len(text) > MAX_WORD_LENGTH and (start == "item" or _TURN.match(text)):
        # A word longer than any game can need is not read.
        for begin, end, word in fragments(text, 0):
            if end - begin > MAX_WORD_LENGTH and word[0] not in "{;" and '"' not in word:
                return Misfit(begin + MAX_WORD_LENGTH, word[MAX_WORD_LENGTH], tuple)
    try:
        return _value_parser().parse(text, start=start)
    except UnexpectedInput as error:
        column = error.pos_in_stream if isinstance(error.pos_in_stream, int) else len(text)
        if isinstance(error, UnexpectedToken) and error.token.type == "$END":
            column = len(text)
        error.__traceback__ = None  # it is kept as long as the expected words may be needed, and frames are large
        return Misfit(column, text[column : column + 1], partial(_expected, error))


parse_line: Final[Callable[[str], LineContent | Misfit]] = partial(_parse, start="line")
"""Reads one line of a record, without its line end. A Misfit if it doesn't fit the grammar."""
parse_item: Final[Callable[[str], t.Token | str | Comment | Misfit]] = partial(_parse, start="item")
"""Reads one word of a turn: a token, a mark (clock or glyph, as text) or a comment. A Misfit otherwise."""
parse_file: Final[Callable[[str], list[LineContent] | Misfit]] = partial(_parse, start="file")
"""Reads a whole file at once, as the grammar defines it: slow, but the reference for every faster way."""


def _expected(error: UnexpectedInput) -> tuple[str, ...]:
    """Return the terminals that could have stood there, in the order of the table: the likeliest first."""
    names: set[str] = set()
    if isinstance(error, UnexpectedToken):
        # Lark determines them by trying each; if there are too many to list, that is wasted time.
        names = set(error.expected if len(error.expected) > 2 * MAX_EXPECTED else error.accepts)
    elif isinstance(error, UnexpectedCharacters):
        names = set(error.allowed or ())
    return tuple(name for name, word in advice()["terminals"].items() if word and name in names)


def _listed(kind: Callable[[tuple[Any, ...]], Any]) -> Any:
    """Return a transformer method that makes a token of all cards, groups or missions that it names."""
    return staticmethod(lambda *named: kind(named))


@v_args(inline=True)
class _Values(Transformer[Any, Any]):
    """Trees to values, from the leaves upwards: the value of each terminal, and what each rule makes from them.

    Signs that the grammar spells out, such as ``"("``, are not passed on.
    """

    LABEL = staticmethod(lambda leaf: (int(leaf[:-1].strip()), SIDE_LETTERS.index(leaf[-1])))
    VALUE = INFLUENCE = CARD = CARDS.__getitem__
    GROUP = GROUPS.__getitem__
    SIDE = WINNER = SIDE_LETTERS.index
    POSITION = NUMBER = int
    KEPT = {"1": 1, "2": 2, "?": None}.__getitem__
    SIGN = "+".__eq__
    POINTS_PAIR = staticmethod(lambda leaf: tuple(map(int, leaf.split("-"))))
    STAR = staticmethod(lambda leaf: None)
    NAME = DECISION = CLOCK = GLYPH = str
    STRING = staticmethod(lambda leaf: unquoted(leaf[1:-1]))
    BRACE_COMMENT = staticmethod(lambda leaf: Comment(leaf[1:-1].strip(), 0))
    LINE_COMMENT = staticmethod(lambda leaf: Comment(leaf[1:].strip()))

    def line(self, value: Any) -> Any:
        return value

    item = glued = word = mark = comment = position = line

    def every(self, *values: Any) -> tuple[Any, ...]:
        return values

    header = column = seen_hand = every

    # lines

    file = _listed(list)

    def turn(self, label: tuple[int, int], *items: t.Token | str | Comment) -> Turn:
        return Turn(*label, *sort_words(items))

    alternative = Alternative

    def ruling(self, side: int, decision: str, *rest: Leaf) -> Ruling:
        codes = tuple(str(leaf) for leaf in rest if leaf.type == "CODE")
        points = next((int(leaf) for leaf in rest if leaf.type == "POINTS"), 0)
        text = next((leaf[1:].strip() for leaf in rest if leaf.type == "RULING_TEXT"), "")
        return Ruling(side, decision, codes, points, text)

    remark = staticmethod(lambda comment: Comment(comment.text))

    def result(self, points: tuple[int, int] | None, *rest: Any) -> Result:
        winner = next((item for item in rest if isinstance(item, int)), None)
        verdicts = tuple(item for item in rest if isinstance(item, tuple))
        return Result(points, winner, verdicts, tuple(item for item in rest if isinstance(item, Comment)))

    verdict = staticmethod(lambda side, *mets: (side, mets))

    # words

    place_up = staticmethod(partial(t.Place, hidden=False))
    place_down = staticmethod(partial(t.Place, hidden=True))
    assassinate_up = staticmethod(partial(t.Assassinate, hidden=False))

    def assassinate_down(self, card: int, group: int, position: int | None = None) -> t.Assassinate:
        return t.Assassinate(card, group, True, position)

    assassinate_announced = partialmethod(assassinate_down, None)

    def scout(self, group: int, seen: t.Cards | None = None) -> t.Scout:
        return t.Scout(group, None if seen is None else high_to_low(seen))

    wrath = t.Wrath

    def castle(self, first: int, cards_first: t.Cards, second: int, cards_second: t.Cards) -> t.Castle:
        return t.Castle(first, second, cards_first, cards_second)

    castle_announced = t.Castle

    def spy(self, *rest: Any) -> t.Spy:
        cards = [card for card in rest if isinstance(card, int)]
        return t.Spy(*cards, hand=next((hand for hand in rest if isinstance(hand, tuple)), None))

    veto = t.Veto
    draw, discard = _listed(t.Draw), _listed(t.Discard)
    shown = _listed(high_to_low)

    def ballot(self, group: int, *rest: Any) -> tuple[Any, ...]:
        columns = [column for column in rest if isinstance(column, tuple)]
        return (group, *(columns or (None, None)), *rest[len(columns) :])

    vote = staticmethod(lambda ballot: t.Vote(*ballot))
    special_vote = staticmethod(lambda ballot: t.SpecialVote(*ballot))
    no_vote = staticmethod(lambda blank: t.NoVote(blank == "r"))
    put_away = t.PutAway
    choose_mission = t.ChooseMission

    # words of the set-up

    missions, action_order = _listed(t.Missions), _listed(t.ActionOrder)
    hand, spent, gained = _listed(t.Hand), _listed(t.Spent), _listed(t.Gained)
    mission_majority = staticmethod(partial(t.Mission, "majority"))
    mission_all = staticmethod(partial(t.Mission, "all"))
    mission_each = staticmethod(partial(t.Mission, "each"))
    mission_majorities = staticmethod(partial(t.Mission, "majorities", None))
    mission_patricians = staticmethod(partial(t.Mission, "patricians", None))
    mission_text = staticmethod(partial(t.Mission, "text", None, None))
    mission_unknown = staticmethod(partial(t.Mission, "unknown"))

    def bag(self, *inside: Any) -> t.Bag:
        return t.Bag(tuple(item for item in inside if isinstance(item, int)), inside.count("o"), inside.count("r"))


@cache
def _value_parser() -> Lark:
    """Return the parser that makes values while it parses; trees and places are not needed."""
    table = json.loads(table_text(), object_hook=_numbered)
    if table["made_of"] == _table_key():
        return Lark._load_from_dict(table["data"], table["memo"], transformer=_Values())
    return _from_grammar(transformer=_Values())


def _from_grammar(**more: Any) -> Lark:
    return Lark(grammar_text(), parser="lalr", start=["file", "line", "item"], maybe_placeholders=False, **more)


def _table_key() -> list[str]:
    """Return what a table depends on. A table made with another Lark or another grammar is not used."""
    return [lark_version, grammar_text()]


def new_table() -> str:
    """Return Lark's parse table of the grammar, for ``tiro.json``: building it takes as long as judging dozens of games
    would.
    """
    data, memo = _from_grammar().memo_serialize([TerminalDef, Rule])
    return json.dumps({"made_of": _table_key(), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def _numbered(table: dict[str, Any]) -> dict[Any, Any]:
    """Turn keys back into numbers: in JSON all keys are strings."""
    return {int(key): value for key, value in table.items()} if next(iter(table), "").isdigit() else table
