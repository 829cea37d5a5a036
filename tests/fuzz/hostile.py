"""Hostile records, each from its seed: set-ups, positions and games with too much of everything, in any order.

They begin as what is right, and the irregularities in them are often ruled to stand, so that the replay goes on.
"""

from __future__ import annotations

from random import Random
from typing import Final

from repetition import LINES, WORDS, played
from tironian import EDITION_NAMES

COUNTS: Final = (0, 1, 2, 3, 5, 6, 8, 11, 14, 15, 16, 17, 31, 33, 100, 300)
NUMBERS: Final = ("0", "1", "2", "3", "6", "9", "15", "16", "17", "99", "255", "256", "9999", "10000", f"{10**30}")
INFLUENCE: Final = "12345pi"
ACTIONS: Final = "xswcvya"
GROUPS: Final = "SPQAKC"
VIEWS: Final = ("arbiter", "caesar", "cleopatra", "table")
RULINGS: Final = ("stands", "stands", "stands", "stands: so", "penalty 1", "penalty 3: so", "back", "stands R102 R204")


def record(seed: int) -> str:
    """A hostile set-up or position where the seed is even, a hostile game where it is odd."""
    rng = Random(f"hostile {seed}")
    name = rng.choice(EDITION_NAMES)
    view = rng.choice((*VIEWS[:1] * 4, *VIEWS))
    lines = played(name, rng.randrange(40), view)
    blank = lines.index("")
    headers, body = [*lines[:blank]], [*lines[blank + 1 :]]
    if seed % 2:
        body = game(rng, body)
    elif rng.random() < 0.5:
        body = position(rng, body)
        headers += ['[Setup "position"]', f'[Starts "{rng.choice(("Caesar", "Cleopatra", "Nobody"))}"]']
    else:
        body = set_up(rng, body)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        odd_header(rng, headers)
    return "\n".join([*headers, "", *body, ""])


def odd_header(rng: Random, headers: list[str]) -> None:
    """Put a header of another kind at any place, or let one be missing."""
    name = rng.choice(("Rules", "View", "Starts", "Result", "Rulings", "Termination", "Setup", "Date", "Caesar", "Odd"))
    option = rng.choice(("full_check=immediate", "orgy_variant=A", "orgy_variant=B", "special_repeat=yes", "x=y"))
    value = rng.choice(
        (*EDITION_NAMES, *VIEWS, "position", "unterminated", "adjudicated", "given up", "?", "", f"{number(rng)}-3")
        if name != "Rulings"
        else (option, f"{option} exhaust_check=immediate", f"{option} full_check=at_placement one_out=skip_turn")
    )
    if rng.random() < 0.3:
        headers.remove(rng.choice(headers))
    else:
        headers[:] = [line for line in headers if not line.startswith(f"[{name} ") or rng.random() < 0.2]
        headers.insert(rng.randrange(len(headers) + 1), f'[{name} "{value}"]')


# ------------------------------------------------------------------------------------------------------ words


def number(rng: Random) -> str:
    return rng.choice(NUMBERS)


def cards(rng: Random, letters: str, count: int | None = None) -> str:
    """So many cards, or as many as it happens: one kind over and over, or any."""
    size = rng.choice(COUNTS) if count is None else count
    return rng.choice(letters) * size if rng.random() < 0.4 else "".join(rng.choices(letters, k=size))


def placed(rng: Random) -> str:
    """Cards at one group, a few or far too many."""
    group, hidden = rng.choice(GROUPS), rng.random() < 0.6
    words = [f"({card}){group}" if hidden else f"{card}{group}" for card in cards(rng, INFLUENCE)[:40]]
    return " ".join(words)


def set_up_word(rng: Random) -> str:
    kind = rng.randrange(9)
    if kind < 3:
        return placed(rng)
    if kind == 3:
        return f"+{cards(rng, INFLUENCE + ACTIONS * 2) or 'v'}"
    if kind == 4:
        goals = ("?", "P", "P*", "each", "all", '"in words"', number(rng), f"{number(rng)}>", f"{number(rng)}>,S")
        return f"m({','.join(rng.choices(goals, k=rng.choice((1, 2, 2, 3, 9))))})"
    if kind == 5:
        return f"{rng.choice('hd')}({cards(rng, INFLUENCE + ACTIONS)})"
    if kind == 6:
        return f"g({cards(rng, GROUPS)})"
    if kind == 7:
        blanks = "o" * rng.choice((0, 1, 2, 3, 40)) + "r" * rng.choice((0, 1, 2))
        return f"b({cards(rng, GROUPS, rng.choice((0, 1, 3, 5, 9)))}{blanks})"
    return f"a({cards(rng, ACTIONS)})"


def turn_word(rng: Random) -> str:
    """A word of a turn, of any rule set, with numbers and counts of any size."""
    kind, group = rng.randrange(14), rng.choice(GROUPS)
    few = rng.choice((0, 1, 2, 3, 5, 8, 15, 16, 30))
    if kind == 0:
        return f"+{cards(rng, INFLUENCE + ACTIONS, rng.choice((1, 2, 6, 7, 15, 16, 100, 10_000))) or 'v'}"
    if kind == 1:
        return f"-{cards(rng, INFLUENCE + ACTIONS, few)}"
    if kind == 2:
        halves = f"{cards(rng, '5432p1i', few)}:{cards(rng, '5432p1i', few)}"
        return f"{rng.choice('=*')}{group}{halves}{rng.choice(('', '>R', '>E', '>-'))}"
    if kind == 3:
        return f"x({rng.choice(INFLUENCE)}){group}#{number(rng)}"
    if kind == 4:
        return f"c{group}{rng.choice(GROUPS)}({cards(rng, INFLUENCE, few)})({cards(rng, INFLUENCE, few)})"
    if kind == 5:
        return f"c{group}({cards(rng, INFLUENCE, few)}){rng.choice(GROUPS)}({cards(rng, INFLUENCE, few)})"
    if kind == 6:
        return f"s{group}({cards(rng, INFLUENCE, few)})"
    if kind == 7:
        return f"y[{cards(rng, INFLUENCE + ACTIONS, few)}]{rng.choice(INFLUENCE + ACTIONS)}+{rng.choice(INFLUENCE)}"
    if kind == 8:
        return placed(rng) or "-"
    return rng.choice(WORDS).replace("{number}", number(rng))


# ------------------------------------------------------------------------------------------------------ lines


def ruled(rng: Random, share: float = 0.6) -> list[str]:
    """A ruling on the line before, or none."""
    return [f"   % {rng.choice('RE')} {rng.choice(RULINGS)}"] if rng.random() < share else []


def spoilt(rng: Random, line: str, word: str) -> str:
    """A line with a word more, or one that is doubled, gone, or out of its place."""
    words = line.split(" ")
    place = rng.randrange(1, len(words) + 1)
    match rng.randrange(5):
        case 0:
            words[place:place] = words[1:][: rng.choice((1, 2, 9))]
        case 1:
            del words[place : place + rng.choice((1, 1, 3))]
        case 2:
            rest = words[1:]
            rng.shuffle(rest)
            words[1:] = rest
        case _:
            words[place : place + rng.choice((0, 0, 1))] = [word]
    return " ".join(words)


def set_up(rng: Random, body: list[str]) -> list[str]:
    """A game whose set-up lines are spoilt; its turns follow."""
    made = []
    for line in body[:2]:
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            line = spoilt(rng, line, set_up_word(rng))
        made += [line, *ruled(rng, 0.4)]
    return made + with_slips(rng, body[2 : rng.choice((2, 4, 12, len(body)))])


def position(rng: Random, body: list[str]) -> list[str]:
    """A position, spoilt, and turns from a game."""
    made = []
    for side in "RE":
        columns = " ".join(f"{rng.choice('12345p')}{rng.choice(GROUPS[1:5])}" for _ in range(rng.randrange(6)))
        hand = cards(rng, "1234xv", rng.randrange(7))
        line = f"0{side} {columns} h({hand}) {rng.choice(('', 'm(P)', 'b(PQAor)', 'g(QQA)', 'd(11x)'))}".strip()
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            line = spoilt(rng, line, set_up_word(rng))
        made += [" ".join(line.split()), *ruled(rng, 0.4)]
    first = rng.randrange(2, len(body))
    return made + with_slips(rng, body[first : first + rng.choice((0, 1, 4, 20))])


def with_slips(rng: Random, turns: list[str]) -> list[str]:
    """Turns, of which some are spoilt."""
    made = []
    for turn in turns:
        if rng.random() < 0.15 and turn[:1].isdigit():
            made += [spoilt(rng, turn, turn_word(rng)), *ruled(rng)]
        else:
            made.append(turn)
    return made


def game(rng: Random, body: list[str]) -> list[str]:
    """A game with spoilt turns and lines that are doubled, gone, exchanged, shuffled, or of another kind."""
    made = body[:2] + with_slips(rng, body[2 : rng.choice((8, 30, len(body), len(body)))])
    for _ in range(rng.choice((0, 0, 1, 1, 3))):
        place = rng.randrange(len(made))
        match rng.randrange(6):
            case 0:
                made.insert(place, made[place])
            case 1:
                del made[place]
                made = made or ["*"]
            case 2:
                other = rng.randrange(len(made))
                made[place], made[other] = made[other], made[place]
            case 3:
                part = made[place : place + 6]
                rng.shuffle(part)
                made[place : place + 6] = part
            case 4:
                label = made[place].split(" ")[0]
                made.insert(place + 1, rng.choice(LINES).replace("{label}", label).replace("{number}", number(rng)))
            case _:
                made.insert(place, f"{number(rng)}{rng.choice('RE')} {turn_word(rng)} {turn_word(rng)}")
    return made
