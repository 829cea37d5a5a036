"""Words of the notation as taps on a table: a card, a group, a bust, a button.

What can be tapped next follows from the words that the recorder offers, each spelled as taps; or, if words are accepted
by their form, from how each is written. Nothing here knows a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations_with_replacement, compress, repeat, takewhile
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

from ...notation.basics import (
    ASSASSINATION,
    CARD_LETTERS,
    CASTLING,
    EGYPT,
    GROUP_LETTERS,
    INFLUENCE_CARDS,
    MAY_BE,
    ROME,
    SCOUT,
    SIDE_LETTERS,
    SOME_INFLUENCE,
    SPY,
    VETO,
    WRATH,
    high_to_low,
    letters,
)
from ...notation.records import Audience, FieldType, Role, token_text, written_fields
from ...notation.records import tokens as t
from ...replay.engine.api import HeaderInfo
from ...replay.knowledge.api import SEES
from ...replay.rules.api import State, missions_of
from ...replay.rules.game.legal import Move, draws
from ..recorder.api import PILE, Cursor, Recorder

Key: TypeAlias = tuple[str, ...]
"""A tap as a value: ``("card", "R", "5", "up")``, ``("group", "P")``, ``("bust", "o")``, ``("choice", "end")``."""
Taps: TypeAlias = tuple[Key, ...]
"""Taps that may come in any order, sorted."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "card": ("of", "card", "face"),
    "group": ("group",),
    "bust": ("bust",),
    "choice": ("choice",),
    "number": ("n",),
    "text": ("text",),
    "undo": (),
    "redo": (),
    "left": (),
    "back": (),
    "offline": (),
    "online": (),
}
"""Each kind of tap → what a tap of that kind says."""
END: Final = ("choice", "end")
"""The turn ends here."""
MEANT: Final = "as "
"""Precedes a word, as the key of a choice: the taps mean this word, although they could mean or begin another."""
EXCHANGE: Final = ("choice", "exchange")
AWAY: Final = ("choice", "away")
DRAW: Final = ("choice", "draw")
"""Precedes drawn cards, if words are accepted by their form."""
DONE: Final = ("choice", "done")
"""The word that the taps form is whole, if words are accepted by their form and no other button can say so."""
AGAIN: Final = ("choice", "again")
"""The side that comes next does not play, if words are accepted by their form and no other button can say so."""
KEEP: Final = ("choice", "keep")
"""Precedes the mission that is kept, if words are accepted by their form."""
ORDER: Final = ("choice", "ordered")
"""Precedes the cards of an action pile, from the top."""
_MANY: Final = 40
"""The most cards that a word names, if words are accepted by their form."""
MAX_LENGTH: Final = 2_000
"""How many characters a tap may have in all; a typed text is the longest."""


def key_of(tap: Any) -> Key | None:
    """Return a tap in JSON as a value; None if this version does not know it."""
    if not isinstance(tap, dict) or not isinstance(kind := tap.get("tap"), str) or kind not in FIELDS:
        return None
    key = [kind]
    for name in FIELDS[kind]:
        value = tap.get(name)
        if name == "n":
            value = str(value) if type(value) is int and 0 <= value < MAX_LENGTH else None
        if not isinstance(value, str):
            return None
        key.append(value)
    return tuple(key) if sum(map(len, key)) <= MAX_LENGTH else None


def tap_of(key: Key) -> dict[str, Any]:
    """Return a tap as JSON."""
    kind, *values = key
    fields = zip(FIELDS[kind], values, strict=True)
    return {"tap": kind} | {name: int(value) if name == "n" else value for name, value in fields}


class Spelling(NamedTuple):
    """A word that can be tapped: part by part, each in one of several ``ways``. ``text`` makes the word from the chosen
    ways.

    ``move`` is what the recorder offers, None for a vote whose cards are tapped: they are ``more`` parts, which take as
    long to find as a word takes to judge, so only a vote that has been begun is asked for them.
    """

    ways: tuple[frozenset[Taps], ...]
    text: Callable[[Sequence[Taps]], str]
    move: Move | None = None
    more: Callable[[], Sequence[frozenset[Taps]]] = tuple

    def parts(self) -> Iterator[frozenset[Taps]]:
        """Yield the ways of each part."""
        yield from self.ways
        yield from self.more()


class FormPart(NamedTuple):
    """A part of a form: from ``least`` to ``most`` taps out of ``keys``, and how to write them. A Counter of keys says
    how many times each can be tapped.
    """

    keys: Collection[Key]
    write: Callable[[Taps], str]
    least: int = 1
    most: int = 1


class Form(NamedTuple):
    """A word by its form: its parts, in the order in which they are tapped, and how they are joined as written."""

    parts: tuple[FormPart, ...]
    join: Callable[[Sequence[str]], str] = "".join
    move: None = None

    def text(self, chosen: Sequence[Taps]) -> str:
        """Return the word made of what was tapped for each part."""
        taps = chain(chosen, repeat(()))
        return self.join([part.write(tapped) for part, tapped in zip(self.parts, taps, strict=False)])


TapWord: TypeAlias = Spelling | Form


class Progress(NamedTuple):
    """How far taps have come in a word: the parts tapped, what can be tapped next, in the order in which it is offered,
    and whether it is complete. ``sure`` says that what is left can only be tapped in one way.
    """

    chosen: tuple[Taps, ...]
    next: tuple[Key, ...]
    complete: bool
    sure: bool = False


def followed(word: TapWord, taps: Sequence[Key]) -> Progress | None:
    """Return how far taps reach into a word; None if they lead elsewhere."""
    chosen: list[Taps] = []
    if isinstance(word, Form):
        more: dict[Key, None] = {}
        for part in word.parts:
            run = tuple(takewhile(part.keys.__contains__, taps[: part.most]))
            chosen.append(run)
            taps, keys = taps[len(run) :], part.keys
            if isinstance(keys, Counter):
                if Counter(run) - keys:
                    return None
                keys = keys - Counter(run)
            if not taps and len(run) < part.most:
                more |= dict.fromkeys(keys)
            if len(run) < part.least:
                return None if taps else Progress(tuple(chosen), tuple(more), False)
        return None if taps else Progress(tuple(chosen), tuple(more), True)
    left, parts = [*taps], word.parts()
    for ways in parts:
        fitting = [way for way in ways if len(way) <= len(left) and way == tuple(sorted(left[: len(way)]))]
        if not fitting:
            begun = Counter(left)
            open_ways = [Counter(way) - begun for way in ways if not begun - Counter(way)]
            if not open_ways:
                return None
            sure = len(open_ways) == 1 and bool(taps) and all(len(ways) == 1 for ways in parts)
            return Progress(tuple(chosen), tuple(sorted({key for way in open_ways for key in way})), False, sure)
        chosen.append(max(fitting, key=len))
        del left[: len(chosen[-1])]
    return None if left else Progress(tuple(chosen), (), True)


def card(side: int, number: int, hidden: bool = False) -> Key:
    """Return the tap on a card of a side."""
    return ("card", SIDE_LETTERS[side], CARD_LETTERS[number], "down" if hidden else "up")


def cards(side: int, numbers: Iterable[int], hidden: bool = False) -> Taps:
    """Return the taps on several cards of a side, in any order."""
    return tuple(sorted(card(side, number, hidden) for number in numbers))


def group(number: int) -> Key:
    """Return the tap on a group."""
    return ("group", GROUP_LETTERS[number])


def spelled(token: t.Token | None, side: int) -> tuple[Taps, ...]:
    """Return a word of a side's turn as taps. For a vote, these do not include cards: unknown ones are asked for
    later.
    """
    return tuple(part for part in _parts(token, side) if part)


def _parts(token: t.Token | None, side: int) -> Iterator[Taps]:
    match token:
        case None:
            yield (END,)
        case t.Place():
            yield (card(side, token.card, token.hidden),)
            yield (group(token.group),)
        case t.Assassinate() | t.Scout() | t.Wrath() | t.Castle() | t.Spy():
            yield (card(side, t.CARD_OF[type(token)]),)
            yield from _fields(token, side)
        case t.Veto():
            yield (card(1 - side, VETO),)
            yield from _fields(token, side)
        case t.Discard():
            yield (EXCHANGE,)
            yield from _fields(token, side)
        case t.SpecialVote():
            yield (group(token.group),)
        case t.Vote() | t.PutAway():
            yield (("bust", GROUP_LETTERS[token.group]),)
            yield (AWAY,) if isinstance(token, t.PutAway) else ()
        case t.NoVote():
            yield (("bust", "r" if token.reset else "o"),)
        case t.Draw():
            yield from ((card(side, number),) for number in token.cards)
        case t.Missions():
            yield from ((("choice", token_text(t.Missions((mission,)))),) for mission in token.missions)
        case t.ChooseMission() | t.ActionOrder() | t.Hand() | t.Gained() | t.Spent() | t.Bag() | t.Unread():
            yield (("choice", token_text(token)),)
        case _:
            assert_never(token)


def _fields(token: t.Token, side: int) -> Iterator[Taps]:
    """Yield what a word says, in the order in which it is written; but a single card whose role is CAME comes last."""
    owner = side if t.KINDS[type(token)].about is Audience.MOVER else 1 - side
    kinds = [(name, part) for name, part in written_fields(type(token)) if getattr(token, name) is not None]
    kinds.sort(key=lambda field: field[1].field_type is FieldType.CARD and field[1].role is Role.CHANCE)
    for name, part in kinds:
        value = getattr(token, name)
        match part.field_type:
            case FieldType.GROUP:
                yield (group(value),)
                yield (card(owner, SOME_INFLUENCE, True),) if getattr(token, "hidden", False) else ()
            case FieldType.CARD:
                yield (card(owner, value),)
            case FieldType.VALUE:
                yield (("number", str(value)),)
            case _:
                yield cards(owner, value)


def words(recorder: Recorder) -> list[TapWord]:
    """Return all words that can be tapped now."""
    draft, found = recorder.draft, list[TapWord]()
    cursor, state = draft.cursor, draft.state
    votes: dict[tuple[type, int], t.AnyVote] = {}
    said = spelled(cursor.announced, cursor.side) if cursor.pending and cursor.announced else ()
    for text, move in draft.menu.words.items():
        token = move.token
        if token == PILE:
            continue
        if isinstance(token, t.AnyVote) and state is not None:
            votes.setdefault((type(token), token.group), token)
            continue
        taps = spelled(token, cursor.side)
        if said and isinstance(token, t.Action):
            taps = taps[len(said) :]
        if taps:
            found.append(spelling(taps, text, move))
    if PILE in cursor.tokens and draft.frame.edition is not None:
        found.append(_pile(cursor.side, draft.frame.edition.actions))
    found += [_vote(recorder, state, token, cursor.side) for token in votes.values() if state is not None]
    return found + [spelling(((("choice", text),),), text) for text in (*draft.menu.endings, *_unseen_draws(cursor))]


def _unseen_draws(cursor: Cursor) -> Iterator[str]:
    """Yield as words the draws of several unseen cards that all come from one pile: one tap for all of them."""
    for draw in draws(cursor.state) if cursor.state is not None and cursor.to_draw > 1 else ():
        if len({*draw.cards}) == 1 and t.Draw(draw.cards[:1]) in cursor.tokens:
            yield token_text(draw)


def _pile(side: int, counts: Mapping[int, int]) -> Form:
    """Return the order of an action pile, from the top: all action cards."""
    keys = Counter({card(side, number): count for number, count in counts.items()})
    pile = FormPart(keys, _written, keys.total(), keys.total())
    return Form((FormPart((ORDER,), lambda _: "a("), pile), lambda parts: f"{''.join(parts)})")


def spelling(parts: Iterable[Taps], text: str, move: Move | None = None) -> Spelling:
    """Return a word each of whose parts can be tapped in one way only."""
    return Spelling(tuple(frozenset({part}) for part in parts), lambda _: text, move)


def _vote(recorder: Recorder, state: State, vote: t.AnyVote, side: int) -> Spelling:
    """Return a vote: the bust or the group, then for each side the cards that the recorder could not see."""
    ways = tuple(frozenset({part}) for part in spelled(vote, side))
    columns = [(*cards_of.up[vote.group], *cards_of.hidden[vote.group]) for cards_of in state.sides]
    known = [[number for number in column if number != SOME_INFLUENCE] for column in columns]
    asked = [len(column) > len(seen) for column, seen in zip(columns, known, strict=True)]

    @cache
    def unknown() -> list[frozenset[Taps]]:
        explained, found = recorder.columns(vote.group), []
        for owner in compress((ROME, EGYPT), asked):
            column, seen = columns[owner], known[owner]
            rest = [*(Counter(whole) - Counter(seen) for whole in explained[owner])] if explained else []
            some = rest or _any_cards(state.sides[owner].unseen, len(column) - len(seen))
            found.append(frozenset(cards(owner, each.elements()) for each in some))
        return found

    def text(chosen: Sequence[Taps]) -> str:
        tapped, shown = [*chosen[len(ways) :]], []
        for seen, is_asked in zip(known, asked, strict=True):
            more = [CARD_LETTERS.index(key[2]) for key in tapped.pop(0)] if is_asked else []
            shown.append(high_to_low((*seen, *more)))
        return token_text(type(vote)(vote.group, *shown))

    return Spelling(ways, text, more=unknown)


def _any_cards(unseen: Sequence[int], count: int) -> list[Counter[int]]:
    """Return what this many unknown cards together can be, as far as they can be counted."""
    kinds = [number for number in INFLUENCE_CARDS if unseen[number] > 0]
    found = map(Counter, combinations_with_replacement(kinds, count))
    return [each for each in found if all(unseen[number] >= times for number, times in each.items())]


# --------------------------------------------------------------------------------------------------- by form alone


def _written(taps: Taps) -> str:
    """Return the taps in the notation, one after another."""
    signs = [key[2] if key[0] == "card" else key[1] for key in taps]
    return "".join([f"({sign})" if key[-1] == "down" else sign for key, sign in zip(taps, signs, strict=True)])


def _ranked(taps: Taps) -> str:
    return letters(high_to_low([CARD_LETTERS.index(key[2]) for key in taps]))


def _columns(taps: Taps) -> str:
    """Return the cards of a vote, Rome's first."""
    sides = [tuple([key for key in taps if key[1] == side]) for side in SIDE_LETTERS[: EGYPT + 1]]
    return ":".join(map(_ranked, sides)) if taps else ""


def _spied(taps: Taps) -> str:
    """Return the hand that a spy saw, and the card that was taken, which was tapped last."""
    return f"[{_written(taps[:-1])}]{_written(taps[-1:])}" if len(taps) > 1 else _written(taps)


def _missions(taps: Taps) -> str:
    return f"m({','.join([key[1][2:-1] for key in taps])})"


def _assassinated(parts: Sequence[str]) -> str:
    name, place, hidden, position, found = parts
    card = f"({found})" if found and (hidden or position) else found
    return f"{name}{card}{place}{position}"


def _castled(parts: Sequence[str]) -> str:
    name, first, lie_first, second, lie_second = parts
    is_done = lie_first or lie_second
    return f"{name}{first}({lie_first}){second}({lie_second})" if is_done else f"{name}{first}{second}"


def forms(header_info: HeaderInfo, cursor: Cursor) -> list[TapWord]:
    """Return all words by their form: they depend on the cards, groups and busts in the game, and on how each word is
    written.

    Where the cards are, and what is legal, plays no part.
    """
    edition, own, other, sees = header_info.edition, cursor.side, 1 - cursor.side, SEES[header_info.view]
    if edition is None:
        return []
    kinds = (*INFLUENCE_CARDS, *edition.actions)
    up = [cards(side, INFLUENCE_CARDS) for side in (ROME, EGYPT)]
    hands = [cards(side, kinds if sees[side] else MAY_BE) for side in (ROME, EGYPT)]
    down = cards(own, INFLUENCE_CARDS if sees[own] else (SOME_INFLUENCE,), True)
    laid = FormPart((*up[own], *cards(own, () if sees[own] else (SOME_INFLUENCE,))), _written, 0, _MANY)
    groups = [*map(group, edition.groups)]
    votes = [("bust", key[1]) for key in groups]
    blanks = [("bust", sign) for sign, count in (("o", edition.blanks), ("r", edition.resets)) if count]
    positions = [("number", str(number)) for number in range(1, t.LAST_POSITION + 1)]
    where, shown = FormPart(groups, _written), FormPart((*up[ROME], *up[EGYPT]), _columns, 0, _MANY)

    def only(key: Key, sign: str = "", least: int = 1) -> FormPart:
        return FormPart((key,), lambda taps: sign if taps else "", least)

    def after(sign: str, part: FormPart, close: str = "") -> FormPart:
        return part._replace(write=lambda taps: f"{sign}{part.write(taps)}{close}" if taps or part.least else "")

    def played(action: int) -> FormPart:
        return FormPart(cards(own, (action,) if action in edition.actions else ()), _written)

    replaced = after("+", FormPart(hands[other], _written, 0))
    hit = FormPart((card(other, SOME_INFLUENCE, True),), _written, 0)
    position, found = after("#", FormPart(positions, _written, 0)), FormPart(up[other], _written, 0)
    all_words: list[TapWord] = [
        Form((FormPart((*up[own], *down), _written), where)),
        Form((played(ASSASSINATION), where, hit, position, found), _assassinated),
        Form((played(SCOUT), where, after("(", FormPart(up[other], _ranked, 0, _MANY), ")"))),
        Form((played(WRATH), where)),
        Form((played(CASTLING), where, laid, where, laid), _castled),
        Form((played(SPY),)),
        Form((played(SPY), FormPart(cards(other, (*kinds, *MAY_BE)), _spied, 1, _MANY), only(DRAW, "", 0), replaced)),
        Form((FormPart(cards(other, (VETO,)), _written), only(DRAW, "", 0), replaced)),
        Form((only(EXCHANGE, "-"), FormPart(cards(own, kinds), _ranked, 0, _MANY))),
        Form((only(DRAW, "+"), FormPart(hands[own], _written, 1, _MANY))),
        Form((after("*", where), shown)),
        Form((after("=", FormPart(votes, _written)), shown)),
        Form((after("=", FormPart(votes, _written)), only(AWAY, "-"))),
        Form((after("=", FormPart(blanks, _written)),)),
    ]
    if not cursor.number:
        dealt = dict.fromkeys(token_text(t.Missions((mission,))) for mission in missions_of(edition))
        all_words.append(Form((FormPart([("choice", text) for text in dealt], _missions, 1, edition.missions_dealt),)))
        if edition.ordered_actions and sees[own]:
            all_words.append(_pile(own, edition.actions))
    elif edition.missions_dealt > 1:
        kept = [token_text(t.ChooseMission(side, which)) for side in (ROME, EGYPT) for which in (1, 2, None)]
        all_words.append(Form((only(KEEP), FormPart([("choice", text) for text in kept], _written))))
    if not cursor.fresh:
        all_words.append(Form((only(END),)))
    elif cursor.number:
        all_words.append(Form((FormPart((("choice", played_again(header_info, cursor)),), _written),)))
    return all_words


def played_again(header_info: HeaderInfo, cursor: Cursor) -> str:
    """Return the label of the turn that begins if the side that comes next does not play."""
    return f"{cursor.number + (cursor.side != header_info.starter)}{SIDE_LETTERS[1 - cursor.side]}"


def is_announced(word: TapWord, others: Iterable[TapWord]) -> bool:
    """Return whether a word names an action while the other words also say what it turned up: it is entered at once,
    and the cards are asked for afterwards. After a castling, where the cards lie is part of the action.
    """
    token = word.move and word.move.token
    if not isinstance(token, t.Action) or isinstance(token, t.Castle) or token != t.chosen(token):
        return False
    outcomes = [other.move.token for other in others if other.move]
    return all(isinstance(each, t.Action) and t.chosen(each) == t.chosen(token) for each in outcomes)
