"""Games of every kind to hold two versions of the engine against each other: honest ones and damaged ones.

Each is made from a seed and a number: whole games, late positions, games that go on from a position, games with
alternatives and rulings, broken-off ones, and what a player or a spectator would have written of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import tironian
from left_out_views import LEFT_OUT, VIEWS, broken_off, read
from tironian import (
    EDITION_NAMES,
    Alternative,
    Edition,
    Record,
    Turn,
    apply,
    check,
    load_edition,
    parse,
    simulate,
    start,
    turn_text,
    write,
)
from tironian import tokens as t
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS, PLAYER_NAMES
from tironian.notation.movetext import Movetext
from tironian.replay.engine.headers import read_headers
from tironian.replay.simulation.player import Styles, random_turn_codes, style
from tironian.replay.simulation.simulator import rulings

if TYPE_CHECKING:
    from tironian import SideCards, State

Rng = random.Random
READINGS: Final = {
    "2024": ("", "one_out=skip_turn", "special_repeat=yes", "full_check=at_placement", "empty_side=tie"),
    "1997": ("", "full_check=at_placement", "orgy_variant=A"),
    "fr": ("", "orgy_variant=B"),
    "taylor": ("", "taylor_scoring=literal", "full_check=at_placement"),
}
"""Readings that touch how the end of a game is played."""


class Made(NamedTuple):
    """A game and its name, which says how it was made."""

    name: str
    text: str


def honest(number: int, seed: int) -> Made:
    """One game in which nothing was changed after it was played; words may have been left out of it."""
    rng = Rng(f"honest {seed} {number}")
    how, record = _played(number, rng)
    if rng.random() < 0.35:
        how, record = _seen(how, record, rng)
    return Made(f"h{number} {how}", write(record))


def spoilt(number: int, seed: int) -> Made:
    """One game with words changed, and perhaps rulings behind what is wrong with it."""
    rng = Rng(f"spoilt {seed} {number}")
    how, record = _played(number, rng)
    early, late = rng.random() < 0.2, rng.random() < 0.2
    if early:
        how, record = _seen(how, record, rng)
    text = write(record)
    for change in rng.choices(list(CHANGES), CHANGES.values(), k=rng.choice((1, 1, 1, 2, 3))):
        text, how = change(text, rng), f"{how}, {change.__name__}"
    if rng.random() < 0.5:
        text, how = ruled(text, record, rng), f"{how}, ruled"
    games = parse(text)
    if late and not early and len(games) == 1:
        how, record = _seen(how, games[0].record, rng)
        text = write(record)
    return Made(f"s{number} {how}", text)


def _played(number: int, rng: Rng) -> tuple[str, Record]:
    """A game by one of the rule sets, or a part of one; and how it was made."""
    edition = any_reading(EDITION_NAMES[number % len(EDITION_NAMES)], rng)
    how = f"{edition.name} {rulings(edition)}".strip()
    if rng.random() < 0.15:
        how, record = f"{how}, late", read_text(late_game(edition, rng)[0])
    else:
        record = simulate(edition, rng.randrange(10**9))
        if rng.random() < 0.2:
            how, record = f"{how}, position", from_position(record, rng)
    if rng.random() < 0.15:
        how, record = f"{how}, alternatives", with_alternatives(record, rng)
    if rng.random() < 0.2 and len(record.turns) > 4:
        how, record = f"{how}, broken off", broken_off(record, rng.randrange(3, len(record.turns)))
    return how, record


def _seen(how: str, record: Record, rng: Rng) -> tuple[str, Record]:
    """The game as somebody saw it, often with some kinds of words left out."""
    view, share = rng.choice(VIEWS), rng.choice((0.1, 0.3, 0.6, 1.0))
    kinds = rng.sample(sorted(LEFT_OUT), rng.choice((0, 0, 1, 1, 2, 3, len(LEFT_OUT))))
    record = tironian.view(read(record), view, keep_remarks=True).record

    def change(token: t.Token) -> t.Token:
        for kind in kinds:
            token = LEFT_OUT[kind](token, rng, share)
        return token

    turns = tuple(replace(turn, tokens=tuple(map(change, turn.tokens))) for turn in record.turns)
    left = f" without {share:.0%} of {' '.join(kinds)}" if kinds else ""
    return f"{how}, {view}{left}", replace(record, turns=turns)


def any_reading(name: str, rng: Rng) -> Edition:
    """A rule set, often with some of its options set to one of their values."""
    edition = load_edition(name)
    if rng.random() < 0.4:
        return edition
    return edition.with_options(
        {option: rng.choice(values) for option, values in edition.options.items() if rng.random() < 0.3}
    )


def read_text(text: str) -> Record:
    """The record of a text with one game."""
    (game,) = parse(text)
    return game.record


# ------------------------------------------------------------------------------------------------ from a state


def before_turns(record: Record) -> Iterator[tuple[int, State]]:
    """The place of each turn in a legal record with all its cards, and the state before it, good until the next."""
    frame = read_headers(record)
    assert frame.edition is not None
    rome, egypt, *turns = record.turns
    number = turns[0].number if turns else 1
    state = start(frame.edition, frame.starter, rome.tokens, egypt.tokens, position=frame.position, number=number)
    for place, turn in enumerate(turns, 2):
        yield place, state
        for token, following in pairwise((*turn.tokens, None)):
            apply(state, token, isinstance(following, t.Veto))
        apply(state, None)


def from_position(record: Record, rng: Rng) -> Record:
    """The rest of a game, from the position that somewhere has been reached."""
    places = [place for place, state in before_turns(record) if place > 3 and not state.choosing]
    if not places:
        return record
    cut = rng.choice(places)
    state = next(state for place, state in before_turns(record) if place == cut)
    rome, egypt = (_table(side) for side in state.sides)
    groups = tuple(group for group in state.edition.groups if state.bag[group])
    bag = t.Bag(groups, int(state.blanks), rng.randrange(2) if state.edition.resets else 0)
    opening = (Turn(0, 0, (*rome, bag)), Turn(0, 1, egypt))
    headers = [header for header in record.headers if header[0] != "Starts"]
    headers += [("Setup", "position"), ("Starts", PLAYER_NAMES[state.active])]
    return replace(record, headers=tuple(headers), turns=(*opening, *record.turns[cut:]))


def _table(side: SideCards) -> tuple[t.Token, ...]:
    """What the set-up line of a position says about a side."""
    ways, held, gained = ((side.hidden, True), (side.up, False)), side.hand, side.won
    placed = [
        t.Place(card, group, hidden)
        for group in range(len(GROUP_LETTERS))
        for columns, hidden in ways
        for card in columns[group]
    ]
    hand = tuple(card for card in range(len(CARD_LETTERS)) for _ in range(held[card]))
    won = tuple(group for group in range(len(GROUP_LETTERS)) for _ in range(gained[group]))
    tokens: list[t.Token] = [*placed, t.Hand(hand), t.Gained(won), t.Spent(tuple(sorted(side.discards)))]
    if side.missions:
        kept = side.missions[side.kept - 1 : side.kept] if side.kept else side.missions
        tokens.append(t.Missions(tuple(kept)))
    if side.order is not None:
        tokens.append(t.ActionOrder(tuple(side.order)))
    return tuple(tokens)


def with_alternatives(record: Record, rng: Rng) -> Record:
    """The record with other turns that could have been played behind some of its own."""
    turns, styles = list(record.turns), (style(rng), style(rng))
    for place, state in before_turns(record):
        if rng.random() < 0.1:
            other, lines = state.copy(), list[Alternative]()
            while not other.ended and (not lines or rng.random() < 0.4):
                lines.append(Alternative(random_turn(other, rng, styles)))
            turns[place] = replace(turns[place], after=(*turns[place].after, *lines))
    return replace(record, turns=tuple(turns))


def random_turn(state: State, rng: Rng, styles: Styles) -> Turn:
    """The next turn of two random players, whose end the state has come to afterwards."""
    number, side = state.number, state.active
    turns = Movetext()
    turns.add(number, side, random_turn_codes(state, rng, styles))
    return turns[0]


# ---------------------------------------------------------------------------------------------- late in a game


def late_line(edition: Edition, side: int, full: bool, rng: Rng) -> str:
    """The line of one side in a position with few cards left in the pile, and full groups or empty ones."""
    cards = list("12345" * edition.influence_copies + "p" * edition.philosophers)
    actions = [CARD_LETTERS[card] for card, count in edition.actions.items() for _ in range(count)]
    rng.shuffle(cards)
    rng.shuffle(actions)
    placed = []
    for group in edition.groups:
        for _ in range(rng.choice((2, 3, 4, 4) if full else (0, 1, 4))):
            card = cards.pop()
            placed.append((f"({card})" if rng.random() < 0.5 else card) + GROUP_LETTERS[group])
    held = rng.randint(0, edition.hand_limit)
    hand = [cards.pop() for _ in range(min(held, len(cards)))]
    hand += [actions.pop() for _ in range(min(edition.hand_limit - held, len(actions)))]
    pile = rng.choice((0, 0, 3, 30))
    spent = cards[pile:] + actions[rng.randint(0, len(actions)) :]
    return f"0{'RE'[side]} {' '.join(placed)} h({''.join(hand)}) d({''.join(spent)})"


def late_game(edition: Edition, rng: Rng) -> tuple[str, Counter[str]]:
    """A game from a late position, played for a few turns; and how often it came to what makes endgames special."""
    starter, full = rng.randrange(2), rng.random() < 0.7
    head = [f'[Rules "{edition.name}"]', '[Setup "position"]', f'[Starts "{PLAYER_NAMES[starter]}"]']
    head += [f'[Rulings "{options}"]' for options in [rulings(edition)] if options]
    lines = [*head, "", *(late_line(edition, side, full, rng) for side in (0, 1))]
    opening = read_text("\n".join([*lines, "*"])).turns
    state = start(edition, starter, opening[0].tokens, opening[1].tokens, position=True)
    styles, seen = (style(rng), style(rng)), Counter[str]()
    while not state.ended and len(lines) < 18:
        seen["lone"] += state.lone
        lines.append(turn_text(random_turn(state, rng, styles)))
        seen["special"] += "*" in lines[-1]
    return "\n".join([*lines, "*"]) + "\n", seen


def endgame(name: str, rng: Rng) -> tuple[str, Counter[str]]:
    """A late game by one of the readings that touch how a game ends."""
    pairs = [tuple(pair.split("=")) for pair in rng.choice(READINGS[name]).split()]
    return late_game(load_edition(name, tuple(pairs)), rng)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------ damage


def damaged(text: str, rng: Rng) -> str:
    """The text with a word changed, dropped, doubled or moved: mostly readable, mostly illegal."""
    lines = text.splitlines()
    first = next(place for place, line in enumerate(lines) if line[:2] == "0E") + 1
    line = rng.randrange(first, len(lines))
    words = lines[line].split(" ")
    place = rng.randrange(len(words))
    others = [word for other in lines[first:] for word in other.split(" ")]
    change = rng.randrange(4)
    if change == 0:
        words[place] = rng.choice(others)
    elif change == 1:
        del words[place]
    elif change == 2:
        words.insert(place, rng.choice(others))
    else:
        other = rng.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    lines[line] = " ".join(words)
    return "\n".join(lines) + "\n"


def misplayed(text: str, rng: Rng) -> str:
    """The text with a letter put in, taken out or changed in the word of an action card, a veto or an exchange."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if word[:1] in tuple("xswcyv-") and "]" not in word]
    if places:
        word = words[place := rng.choice(places)]
        start = rng.randint(1, len(word))
        letter = rng.choice(("", *CARD_LETTERS, *GROUP_LETTERS, *"()[]+#", " v", " v+1"))
        words[place] = word[:start] + letter + word[start + rng.randrange(2) :]
    return " ".join(words)


def forgetful(text: str, rng: Rng) -> str:
    """The text without one of its special votes, if it has any."""
    words = text.split(" ")
    votes = [place for place, word in enumerate(words) if word[:1] == "*"]
    if votes:
        place = rng.choice(votes)
        words[place : place + 1] = ["\n" + word for word in words[place].split("\n")[1:]]
    return " ".join(words).replace(" \n", "\n")


def exchanged(text: str, rng: Rng) -> str:
    """The text with a word behind a label changed to another one of the game, dropped, doubled or moved."""
    lines = [line.split(" ") for line in text.splitlines()]
    turns = [words for words in lines if len(words) > 1 and words[0][:-1].isdigit()]
    words = rng.choice([words for words in turns if words[0][0] != "0"] or turns)
    other = rng.choice(turns[1:])[1:]
    place = rng.randrange(1, len(words))
    match rng.randrange(4):
        case 0:
            words[place] = rng.choice(other)
        case 1:
            del words[place]
        case 2:
            words.insert(place, rng.choice((*other, words[place])))
        case _:
            words.insert(rng.randrange(1, len(words)), words.pop(place))
    return "\n".join(map(" ".join, lines)) + "\n"


ALIKE: Final = ("p12345", GROUP_LETTERS, "xswcyv", "RE-")


def misread(text: str, rng: Rng) -> str:
    """The text with a letter of one turn changed to another that can stand there."""
    lines = text.splitlines()
    turns = [place for place, line in enumerate(lines) if line[:1].isdigit() and " " in line]
    line = rng.choice(turns)
    label, body = lines[line].split(" ", 1)
    places = [(at, alike) for at, letter in enumerate(body) for alike in ALIKE if letter in alike]
    if places:
        at, alike = rng.choice(places)
        lines[line] = f"{label} {body[:at]}{rng.choice(alike)}{body[at + 1 :]}"
    return "\n".join(lines) + "\n"


CHANGES: Final[dict[Callable[[str, Rng], str], int]] = {
    exchanged: 5, misread: 5, damaged: 2, misplayed: 2, forgetful: 1,
}  # fmt: skip
"""What may be done to a text, and how often it is; the first two leave it readable more often than not."""


def ruled(text: str, original: Record, rng: Rng) -> str:
    """The text with rulings behind some of the turns that are wrong; ``original`` knows what was played there."""
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        games = parse(text)
        wrong = [each for each in check(games[0]).diagnostics if each.severity == "error" and each.turn]
        if len(games) != 1 or not wrong:
            break
        first = wrong[0] if rng.random() < 0.8 else rng.choice(wrong)
        codes = [each.code for each in wrong if each.turn == first.turn]
        text = _put_behind(text, first.span.line, _ruling(first.turn, codes, original.turns, rng))
    return text


def _put_behind(text: str, line: int, more: Sequence[str]) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[: line + 1], *more, *lines[line + 1 :]]) + "\n"


def _ruling(label: str, codes: list[str], turns: Sequence[Turn], rng: Rng) -> list[str]:
    """A ruling about a turn, with the turn that was played instead where it was taken back."""
    side = label[-1] if rng.random() < 0.9 else rng.choice("RE")
    named = rng.choice(("", "", f" {codes[0]}", " " + " ".join(dict.fromkeys(codes)), " R203"))
    match rng.choice(("stands", "stands", "stands", "penalty", "back")):
        case "penalty":
            return [f"% {side} penalty {rng.randint(1, 4)}{named}: as agreed"]
        case "back":
            instead = [turn_text(turn) for turn in turns if turn.label == label]
            return [f"% {side} back{named}", *instead[:1]]
        case decision:
            points = f" {rng.randint(1, 3)}" if rng.random() < 0.1 else ""
            return [f"% {side} {decision}{points}{named}"]
