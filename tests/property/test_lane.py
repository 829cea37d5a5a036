"""With and without the express lane: the same findings and the same last state, for legal and for damaged games."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from scale import scaled
from tironian.notation import parse, write
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS
from tironian.notation.record import Turn
from tironian.notation.writer import turn_text
from tironian.replay import course as courses
from tironian.replay import load_edition
from tironian.replay.edition import EDITION_NAMES, Edition
from tironian.replay.headers import read_headers
from tironian.replay.mechanics import apply
from tironian.replay.player import next_move, style
from tironian.replay.setup import start
from tironian.replay.simulator import merged, simulate
from tironian.replay.state import State

CHUNKS = 8
READINGS = {
    "2024": ("", "one_out=skip_turn", "special_repeat=yes", "full_check=at_placement", "empty_side=tie"),
    "1997": ("", "full_check=at_placement", "orgy_variant=A"),
    "fr": ("", "orgy_variant=B"),
    "taylor": ("", "taylor_scoring=literal", "full_check=at_placement"),
}
"""Readings that touch what the lane does."""

chunks = pytest.mark.parametrize("chunk", range(CHUNKS))
rule_sets = pytest.mark.parametrize("name", EDITION_NAMES)


def facts(state: State | None) -> object:
    """Everything that a state holds, in a form that can be compared."""
    if state is None:
        return None
    slots = [slot for slot in State.__slots__ if slot not in ("edition", "sides")]
    sides = [[getattr(side, slot) for slot in type(side).__slots__] for side in state.sides]
    return [[getattr(state, slot) for slot in slots], sides]


def damaged(text: str, rng: random.Random) -> str:
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


def misplayed(text: str, rng: random.Random) -> str:
    """The text with a letter put in, taken out or changed in the word of an action card, a veto or an exchange."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if word[0] in "xswcyv-" and "]" not in word]
    if places:
        word = words[place := rng.choice(places)]
        start = rng.randint(1, len(word))
        letter = rng.choice(("", *CARD_LETTERS, *GROUP_LETTERS, *"()[]+#", " v", " v+1"))
        words[place] = word[:start] + letter + word[start + rng.randrange(2) :]
    return " ".join(words)


def forgetful(text: str, rng: random.Random) -> str:
    """The text without one of its special votes, if it has any."""
    words = text.split(" ")
    votes = [place for place, word in enumerate(words) if word[:1] == "*"]
    if votes:
        place = rng.choice(votes)
        words[place : place + 1] = ["\n" + word for word in words[place].split("\n")[1:]]
    return " ".join(words).replace(" \n", "\n")


def assert_alike(text: str, monkeypatch: pytest.MonkeyPatch) -> list[courses.Finding]:
    """Play a text both ways and compare. Comes back with what was found."""
    record = parse(text)[0].record
    frame = read_headers(record)
    quick = courses.run(record, frame)
    with monkeypatch.context() as patch:
        patch.setattr(courses, "ticket", lambda _edition: None)
        slow = courses.run(record, frame)
    assert quick.findings == slow.findings, text
    assert facts(quick.state) == facts(slow.state), text
    return quick.findings


@rule_sets
@chunks
def test_the_express_lane_changes_nothing(name: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"{name} {chunk}")
    count = scaled(40, 2000) // CHUNKS
    for seed in range(chunk * count, (chunk + 1) * count):
        text = write(simulate(load_edition(name), seed))
        for trial in (text, *(make(text, rng) for make in (damaged, misplayed) for _ in range(3))):
            assert_alike(trial, monkeypatch)


def late_line(edition: Edition, side: int, full: bool, rng: random.Random) -> str:
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


def endgame(name: str, rng: random.Random) -> tuple[str, Counter[str]]:
    """A game from a late position, played for a few turns; and how often it came to what makes endgames special."""
    options, starter, full = rng.choice(READINGS[name]), rng.randrange(2), rng.random() < 0.7
    edition = load_edition(name, tuple(tuple(options.split("=")) for _ in range(bool(options))))  # type: ignore[misc]
    head = [f'[Rules "{name}"]', '[Setup "position"]', f'[Starts "{("Caesar", "Cleopatra")[starter]}"]']
    head += [f'[Rulings "{options}"]'] if options else []
    lines = [*head, "", *(late_line(edition, side, full, rng) for side in (0, 1))]
    opening = parse("\n".join([*lines, "*"]))[0].record.turns
    state = start(edition, starter, opening[0].tokens, opening[1].tokens, position=True)
    styles, seen = (style(rng), style(rng)), Counter[str]()
    while not state.ended and len(lines) < 18:
        number, side, tokens = state.number, state.active, []
        seen["lone"] += state.lone
        while True:
            token, vetoed = next_move(state, rng, styles)
            apply(state, token, vetoed)
            if token is None:
                break
            tokens.append(token)
        lines.append(turn_text(Turn(number, side, merged(tokens))))
        seen["special"] += "*" in lines[-1]
    return "\n".join([*lines, "*"]) + "\n", seen


@rule_sets
@chunks
def test_the_express_lane_changes_nothing_late_in_a_game(
    name: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Special votes, players alone, full groups and empty piles, which whole games seldom come to."""
    rng = random.Random(f"late {name} {chunk}")
    seen, found = Counter[str](), Counter[str]()
    for _ in range(scaled(240, 8000) // CHUNKS):
        text, special = endgame(name, rng)
        seen += special
        for trial in (text, forgetful(text, rng), *(damaged(text, rng) for _ in range(3))):
            found.update(finding.fault.code for finding in assert_alike(trial, monkeypatch))
    assert seen["lone"]
    assert seen["special"]
    assert found["R402"]


PLAYED = (
    ("fr", "", "cA(554432)Q() (1)P", "R312"),
    ("fr", "null_actions=forbidden", "cS()C() (1)P", "R308"),
    ("fr", "null_actions=forbidden", "sS() (1)P", "R308"),
    ("fr", "null_actions=forbidden", "wS (1)P", "R308"),
    ("fr", "null_actions=forbidden", "wS v (1)P", "R308"),
    ("fr", "", "y1 (1)P", "R506"),
    ("1997", "", "y1 (1)P", ""),
    ("2024", "", "wP v (1)P", "R506"),
    ("2024", "", "wP v+3 (1)P", ""),
    ("1997", "", "y v (1)P", ""),
    ("1997", "", "sP(5) -1", "R605"),
    ("1997", "", "sP(5) wP (1)P", "R301"),
    ("1997", "", "x5P sP() (1)P", "R306"),
    ("1997", "", "sP(5) (1)P +4 =S- =S-", "R411"),
    ("1997", "", "sP(5) (1)P +4 =A-", "R410"),
    ("1997", "", "sP(5) (1)P +4 =S- =P54:1>R", ""),
)
"""Edition, reading, a turn from :data:`TABLE`, and a fault that it has."""
TABLE = """
0R (5)P 4P (3)A h(123v5)
0E (5)A 4A 3A 2A 5Q 4Q h(1xscwy) g(SSSSS) b(SPQCA)
"""


@pytest.mark.parametrize(("name", "reading", "turn", "code"), PLAYED)
def test_action_cards_and_vote_cards_one_by_one(
    name: str, reading: str, turn: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a letter more or less seldom comes to: cards castled to one group, nothing drawn, nothing there."""
    table = (
        TABLE
        if name == "1997"
        else TABLE.replace(" g(SSSSS) b(SPQCA)", "").replace("wy", "w" if name == "2024" else "wy")
    )
    text = f'[Rules "{name}"]\n[Rulings "{reading}"]\n[Setup "position"]\n{table}1E {turn}\n1R (2)P\n*\n'
    codes = found_in(text, monkeypatch)
    assert code in codes if code else not codes & {fault for *_, fault in PLAYED}


COLUMNS = ("", "2", "3", "32", "p", "pp", "2p", "3p", "32p", "3pp")


@pytest.mark.parametrize("reading", ["empty_side=wins", "empty_side=tie", "empty_side=loses"])
@rule_sets
def test_every_vote_has_one_winner_with_and_without_the_lane(
    name: str, reading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outcome of a vote is worked out in two places; they differ neither in the winner nor in the cards."""
    head = f'[Rules "{name}"]\n[Rulings "{reading}"]\n[Setup "position"]\n\n'
    turn = "=P{} +11" if name == "2024" else "+1 =P{}"
    for rome, egypt in product(COLUMNS, COLUMNS):
        table = "".join(
            f"0{side} {' '.join(f'{card}P' for card in cards)} h(11145)\n"
            for side, cards in (("R", rome), ("E", egypt))
        )
        right = [
            result
            for result in (">R", ">E", ">-")
            if not found_in(f"{head}{table}1E (1)A {turn.format(f'{rome}:{egypt}{result}')}\n*\n", monkeypatch)
        ]
        assert len(right) == 1, (rome, egypt, right)
        plain = "p" not in rome + egypt
        if plain:
            sums = [sum(map(int, column)) for column in (rome, egypt)]
            assert right == [">-" if sums[0] == sums[1] else ">R" if sums[0] > sums[1] else ">E"], (rome, egypt)


def found_in(text: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The codes of what both ways find."""
    return {finding.fault.code for finding in assert_alike(text, monkeypatch)}
