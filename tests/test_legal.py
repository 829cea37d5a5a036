"""What may be done next: lists checked by hand, where random games come too seldom."""

from __future__ import annotations

import pytest
from tironian.notation import parse
from tironian.replay import load_edition
from tironian.replay.engine.play import apply
from tironian.replay.rules.mechanics.setup import start
from tironian.replay.rules.moves.legal import actions


def offered(rules: str, table: str, *turns: str) -> set[str]:
    """The kinds of what is offered behind some turns, of which the last goes on. A full side ends a game late (N6)."""
    lines = (f"{number}{side} {turn}" for number, (side, turn) in enumerate(zip("RR", turns, strict=False), 7))
    record = parse("\n".join([f'[Rules "{rules}"]', "", table, *lines, "*"]))[0].record
    rome, egypt, *played = record.turns
    edition = load_edition(rules, (("full_check", "at_placement"),))
    state = start(edition, 0, rome.tokens, egypt.tokens, position=True)
    for turn in played:
        for token in turn.tokens:
            apply(state, token)
        if turn is not played[-1]:
            apply(state, None)
    return {type(move.token).__name__ if move.token else "end" for move in actions(state)}


TABLE = "0R 1P 2P 3P 4P {}h(125wxx) g(QQQAAAKKK)\n0E 5P h(xxxsss) g(QQAACCC)"
FULL, FREE = TABLE.format("5P "), TABLE.format("")


@pytest.mark.parametrize(
    ("table", "turn", "kinds"),
    [
        (FULL, "", {"Assassinate", "Wrath", "Discard", "end"}),
        (FULL, "x5P", {"Discard", "end"}),
        (FULL, "wP", {"Place"}),
        (FREE, "", {"Assassinate", "Wrath", "Place"}),
        (FREE, "5P", {"Assassinate", "Wrath", "Vote", "NoVote"}),
        (FREE, "(5)P", {"Assassinate", "Wrath", "Vote", "NoVote"}),
        (FREE, "x5P 5P", {"Vote", "NoVote"}),
    ],
)
def test_a_full_side_ends_the_game_where_a_card_should_be_placed(table: str, turn: str, kinds: set[str]):
    """And not where the card that made it full has been placed in this turn."""
    assert offered("2024", table, turn) == kinds


ALONE = (
    "0R 1P 2P 3P 4P h(1145x) g(SSSQQQCCC)\n0E d(11111112222222333333344444445555555pp) h(xxsyc) g(SSQQAAA)",
    "(5)P +1 =o",
)


def test_who_is_alone_with_a_full_side_goes_on_where_he_passes():
    assert "end" in offered("1997", *ALONE, "")
    assert offered("1997", *ALONE, "-1") == {"Draw"}
