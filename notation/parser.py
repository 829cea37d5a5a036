"""Lark, and nothing but Lark, turns the text of a line into values. Its trees never leave this module."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from lark import Lark, Transformer, v_args
from lark import Token as Leaf
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ..grammar import grammar_text, table_text
from . import tokens as t
from .cards import CARDS, GROUPS, SIDE_LETTERS, high_to_low
from .game import LONGEST_WORD
from .pieces import pieces
from .record import Alternative, Comment, Result, Ruling, Turn, sort_words
from .unreadable import MOST_EXPECTED, Unreadable

Header: TypeAlias = tuple[str, str]
Line: TypeAlias = Header | Turn | Alternative | Ruling | Comment | Result


def parse_line(text: str) -> Line:
    """One line of a record, without its line end. Unreadable where it doesn't fit the grammar."""
    return _parse(text, "line")


def parse_item(text: str) -> t.Token | str | Comment:
    """One word of a turn: a token, a mark (clock or glyph, as text) or a comment. Unreadable otherwise."""
    return _parse(text, "item")


def parse_file(text: str) -> list[Line]:
    """A whole file in one go, as the grammar defines it: slow, and the measure of every quicker way."""
    return _parse(text, "file")


_LONG: Final = re.compile(rf'[^\s"{{;]{{{LONGEST_WORD + 1}}}')
_TURN: Final = re.compile(r"[|\s]*[0-9]")


def _too_long(text: str, start: str) -> Unreadable | None:
    """Return where a word goes on that no game can need, without reading it; None where there is none."""
    if len(text) <= LONGEST_WORD or not _LONG.search(text) or not (start == "item" or _TURN.match(text)):
        return None
    for begin, end, word in pieces(text, 0):
        if end - begin > LONGEST_WORD and word[0] not in "{;" and '"' not in word:
            return Unreadable(begin + LONGEST_WORD, word[LONGEST_WORD], tuple)
    return None


def _parse(text: str, start: str) -> Any:
    if error := _too_long(text, start):
        raise error
    try:
        return _value_parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise _unreadable(error, text) from None


def _unreadable(error: UnexpectedInput, text: str) -> Unreadable:
    column = error.pos_in_stream if isinstance(error.pos_in_stream, int) else len(text)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        column = len(text)
    error.__traceback__ = None  # it is kept for as long as somebody may ask what was expected, and frames are large
    return Unreadable(column, text[column : column + 1], lambda: _expected(error))


def _expected(error: UnexpectedInput) -> tuple[str, ...]:
    """What could have stood there, in the order of the table: the likeliest first."""
    names: set[str] = set()
    if isinstance(error, UnexpectedToken):
        # Lark finds out by trying each; where so many come into question that none will be told, that is wasted.
        names = set(error.expected if len(error.expected) > 2 * MOST_EXPECTED else error.accepts)
    elif isinstance(error, UnexpectedCharacters):
        names = set(error.allowed or ())
    return tuple(dict.fromkeys(word for name, word in TERMINAL_WORDS.items() if word and name in names))


TERMINAL_WORDS = {
    "LABEL": "a turn's number and side (12E)",
    "POINTS_PAIR": "a result (17-13)",
    "OPEN_BRACKET": "[…]",
    "LINE_COMMENT": "a comment",
    "BRACE_COMMENT": "a comment",
    "$END": "a space",
    "CLOSE": ")",
    "CLOSE_BRACKET": "]",
    "GROUP": "a group's letter (A C K P Q S)",
    "VALUE": "an influence card (1–5 p)",
    "INFLUENCE": "an influence card (1–5 p i)",
    "CARD": "a card's digit or letter (1–5 p i x s w c y v a)",
    "SIDE": "a side (R E)",
    "COLON": ":",
    "WON_BY": ">",
    "WINNER": "the winner (R E -)",
    "OPEN": "(",
    "POSITION": "a place in the column (1–9)",
    "KEPT": "1, 2 or ?",
    "BLANK": "o or r",
    "SIGN": "+ or -",
    "NUMBER": "a number",
    "POINTS": "a number of points",
    "ASSASSINATION": "x (assassination)",
    "SCOUT": "s (scout)",
    "WRATH": "w (wrath)",
    "CASTLING": "c (castling)",
    "SPY": "y (spy)",
    "VETO": "v (veto)",
    "MISSION": "m (mission)",
    "EACH": "“each”",
    "ACTION_PILE": "a( (action pile)",
    "HAND": "h( (hand)",
    "GAINED": "g( (patricians gained)",
    "SPENT": "d( (discards)",
    "BAG": "b( (bag)",
    "UNKNOWN": "?",
    "HASH": "#",
    "PLUS": "+",
    "MINUS": "-",
    "EQUALS": "=",
    "STAR": "*",
    "COMMA": ",",
    "BAR": "|",
    "PERCENT": "%",
    "CLOCK": "a clock (@1:02:33)",
    "GLYPH": "a glyph (! ? $4)",
    "NAME": "a header's name",
    "STRING": "a text in quotes",
    "DECISION": "stands, back or penalty",
    "CODE": "a code (R203)",
    "RULING_TEXT": "a colon and the arbiter's words",
    "_SPACE": "",
    "_NEWLINE": "",
}
"""Terminal → what a person calls it, the likeliest first; nothing for white space."""


def unquote(text: str) -> str:
    """What stands between the quotes, with ``\\"`` and ``\\\\`` resolved; any other backslash is itself."""
    body = text[1:-1]
    if "\\" not in body:
        return body
    out, rest = [], iter(body)
    for sign in rest:
        following = next(rest) if sign == "\\" else sign
        out.append(following if sign != "\\" or following in '"\\' else sign + following)
    return "".join(out)


def _cards(leaves: Sequence[Leaf]) -> t.Cards:
    return tuple([CARDS[leaf] for leaf in leaves])


def _groups(leaves: Sequence[Leaf]) -> tuple[int, ...]:
    return tuple([GROUPS[leaf] for leaf in leaves])


def _side(rest: Sequence[Any], terminal: str) -> int | None:
    leaves = [leaf for leaf in rest if isinstance(leaf, Leaf) and leaf.type == terminal]
    return SIDE_LETTERS.index(leaves[0]) if leaves else None


def _comment(leaf: Leaf) -> Comment:
    brace = leaf.type == "BRACE_COMMENT"
    return Comment(leaf[1:-1].strip(), 0) if brace else Comment(leaf[1:].strip())


@v_args(inline=True)
class _Values(Transformer[Any, Any]):
    """Trees to values, from the leaves upwards. One method for each rule of the grammar."""

    # lines

    def file(self, *lines: Line) -> list[Line]:
        return list(lines)

    def line(self, value: Line) -> Line:
        return value

    def header(self, _open: Leaf, name: Leaf, value: Leaf, _close: Leaf) -> Header:
        return (str(name), unquote(value))

    def turn(self, label: Leaf, *items: t.Token | str | Comment) -> Turn:
        return Turn(int(label[:-1].strip()), SIDE_LETTERS.index(label[-1]), *sort_words(items))

    def alternative(self, _bar: Leaf, turn: Turn) -> Alternative:
        return Alternative(turn)

    def ruling(self, _percent: Leaf, side: Leaf, decision: Leaf, *rest: Leaf) -> Ruling:
        codes = tuple(str(leaf) for leaf in rest if leaf.type == "CODE")
        points = next((int(leaf) for leaf in rest if leaf.type == "POINTS"), 0)
        text = next((leaf[1:].strip() for leaf in rest if leaf.type == "RULING_TEXT"), "")
        return Ruling(SIDE_LETTERS.index(side), str(decision), codes, points, text)

    def remark(self, comment: Comment) -> Comment:
        return Comment(comment.text)

    def result(self, score: Leaf, *rest: Any) -> Result:
        points = None if score.type == "STAR" else score.split("-")
        winner = _side(rest, "WINNER")
        return Result(
            (int(points[0]), int(points[1])) if points else None,
            winner,
            tuple(item for item in rest if isinstance(item, tuple)),
            tuple(item for item in rest if isinstance(item, Comment)),
        )

    def verdict(self, _m: Leaf, side: Leaf, *signs: Leaf) -> tuple[int, tuple[bool, ...]]:
        return SIDE_LETTERS.index(side), tuple(sign == "+" for sign in signs)

    # words

    def item(self, value: t.Token | str | Comment) -> t.Token | str | Comment:
        return value

    def glued(self, value: Comment) -> Comment:
        return value

    def word(self, token: t.Token) -> t.Token:
        return token

    def mark(self, leaf: Leaf) -> str:
        return str(leaf)

    def comment(self, leaf: Leaf) -> Comment:
        return _comment(leaf)

    def place_up(self, card: Leaf, group: Leaf) -> t.Place:
        return t.Place(CARDS[card], GROUPS[group], hidden=False)

    def place_down(self, _open: Leaf, card: Leaf, _close: Leaf, group: Leaf) -> t.Place:
        return t.Place(CARDS[card], GROUPS[group], hidden=True)

    def assassinate_up(self, _x: Leaf, card: Leaf, group: Leaf) -> t.Assassinate:
        return t.Assassinate(CARDS[card], GROUPS[group], hidden=False)

    def assassinate_down(
        self, _x: Leaf, _open: Leaf, card: Leaf, _close: Leaf, group: Leaf, position: int | None = None
    ) -> t.Assassinate:
        return t.Assassinate(CARDS[card], GROUPS[group], True, position)

    def assassinate_announced(self, _x: Leaf, group: Leaf, position: int | None = None) -> t.Assassinate:
        return t.Assassinate(None, GROUPS[group], True, position)

    def position(self, _hash: Leaf, value: Leaf) -> int:
        return int(value)

    def scout(self, _s: Leaf, group: Leaf, seen: t.Cards | None = None) -> t.Scout:
        return t.Scout(GROUPS[group], None if seen is None else high_to_low(seen))

    def wrath(self, _w: Leaf, group: Leaf) -> t.Wrath:
        return t.Wrath(GROUPS[group])

    def castle(self, _c: Leaf, first: Leaf, cards_first: t.Cards, second: Leaf, cards_second: t.Cards) -> t.Castle:
        return t.Castle(GROUPS[first], GROUPS[second], cards_first, cards_second)

    def castle_announced(self, _c: Leaf, first: Leaf, second: Leaf) -> t.Castle:
        return t.Castle(GROUPS[first], GROUPS[second])

    def column(self, *leaves: Leaf) -> t.Cards:
        return _cards(leaves[1:-1])

    seen_hand = column

    def spy(self, _y: Leaf, *rest: Any) -> t.Spy:
        hand = next((item for item in rest if isinstance(item, tuple)), None)
        cards = _cards([leaf for leaf in rest if isinstance(leaf, Leaf) and leaf.type == "CARD"])
        return t.Spy(cards[0] if cards else None, cards[1] if len(cards) > 1 else None, hand)

    def veto(self, _v: Leaf, _plus: Leaf | None = None, card: Leaf | None = None) -> t.Veto:
        return t.Veto(None if card is None else CARDS[card])

    def discard(self, _minus: Leaf, *cards: Leaf) -> t.Discard:
        return t.Discard(_cards(cards))

    def shown(self, *cards: Leaf) -> t.Cards:
        return high_to_low(_cards(cards))

    def ballot(self, group: Leaf, *rest: Any) -> tuple[Any, ...]:
        columns = [item for item in rest if not isinstance(item, Leaf)]
        return (GROUPS[group], *(columns or (None, None)), _side(rest, "WINNER"))

    def vote(self, _equals: Leaf, ballot: tuple[Any, ...]) -> t.Vote:
        return t.Vote(*ballot)

    def special_vote(self, _star: Leaf, ballot: tuple[Any, ...]) -> t.SpecialVote:
        return t.SpecialVote(*ballot)

    def no_vote(self, _equals: Leaf, blank: Leaf) -> t.NoVote:
        return t.NoVote(blank == "r")

    def put_away(self, _equals: Leaf, group: Leaf, _minus: Leaf) -> t.PutAway:
        return t.PutAway(GROUPS[group])

    def choose_mission(self, _m: Leaf, side: Leaf, kept: Leaf) -> t.ChooseMission:
        return t.ChooseMission(SIDE_LETTERS.index(side), None if kept == "?" else int(kept))

    def draw(self, _plus: Leaf, *cards: Leaf) -> t.Draw:
        return t.Draw(_cards(cards))

    # words of the set-up

    def missions(self, _m: Leaf, _open: Leaf, *rest: Any) -> t.Missions:
        return t.Missions(tuple(item for item in rest if isinstance(item, t.Mission)))

    def mission_majority(self, group: Leaf) -> t.Mission:
        return t.Mission("majority", group=GROUPS[group])

    def mission_all(self, group: Leaf, _star: Leaf) -> t.Mission:
        return t.Mission("all", group=GROUPS[group])

    def mission_each(self, _each: Leaf) -> t.Mission:
        return t.Mission("each")

    def mission_majorities(self, count: Leaf, _more: Leaf) -> t.Mission:
        return t.Mission("majorities", count=int(count))

    def mission_patricians(self, count: Leaf) -> t.Mission:
        return t.Mission("patricians", count=int(count))

    def mission_text(self, text: Leaf) -> t.Mission:
        return t.Mission("text", text=unquote(text))

    def mission_unknown(self, _unknown: Leaf) -> t.Mission:
        return t.Mission("unknown")

    def action_order(self, *leaves: Leaf) -> t.ActionOrder:
        return t.ActionOrder(_cards(leaves[2:-1]))

    def hand(self, *leaves: Leaf) -> t.Hand:
        return t.Hand(_cards(leaves[2:-1]))

    def spent(self, *leaves: Leaf) -> t.Spent:
        return t.Spent(_cards(leaves[2:-1]))

    def gained(self, *leaves: Leaf) -> t.Gained:
        return t.Gained(_groups(leaves[2:-1]))

    def bag(self, *leaves: Leaf) -> t.Bag:
        inside = leaves[2:-1]
        groups = tuple(GROUPS[leaf] for leaf in inside if leaf.type == "GROUP")
        return t.Bag(groups, inside.count("o"), inside.count("r"))  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------ its making


@cache
def _value_parser() -> Lark:
    """Makes values while it parses; nobody needs its trees, or where in the text something stood."""
    table = json.loads(table_text(), object_hook=_numbered)
    if table["made_of"] == _made_of():
        return Lark._load_from_dict(table["data"], table["memo"], transformer=_Values())
    return _from_grammar(transformer=_Values())


def _from_grammar(**more: Any) -> Lark:
    return Lark(grammar_text(), parser="lalr", start=["file", "line", "item"], maybe_placeholders=False, **more)


def _made_of() -> list[str]:
    """What a table depends on. One of another Lark or another grammar is left alone, and the grammar read."""
    return [lark_version, grammar_text()]


def new_table() -> str:
    """What Lark makes of the grammar, to be kept as ``tiro.json``: it takes as long as judging dozens of games."""
    data, memo = _from_grammar().memo_serialize([TerminalDef, Rule])
    return json.dumps({"made_of": _made_of(), "data": data, "memo": memo}, separators=(",", ":")) + "\n"


def _numbered(table: dict[str, Any]) -> dict[Any, Any]:
    """Make keys numbers again: to JSON all of them are strings."""
    return {int(key): value for key, value in table.items()} if next(iter(table), "").isdigit() else table
