"""Texts to try the engine on: games spoilt in many ways, and late positions that whole games seldom come to."""

from __future__ import annotations

import random
from collections import Counter

from tironian.notation import parse
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS
from tironian.notation.record import Turn
from tironian.notation.writer import turn_text
from tironian.replay import load_edition
from tironian.replay.edition import Edition
from tironian.replay.player import next_move, style
from tironian.replay.rules.play import apply
from tironian.replay.rules.setup import start
from tironian.replay.simulator import merged

READINGS = {
    "2024": ("", "one_out=skip_turn", "special_repeat=yes", "full_check=at_placement", "empty_side=tie"),
    "1997": ("", "full_check=at_placement", "orgy_variant=A"),
    "fr": ("", "orgy_variant=B"),
    "taylor": ("", "taylor_scoring=literal", "full_check=at_placement"),
}
"""Readings that touch what happens late in a game."""


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
