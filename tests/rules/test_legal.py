"""What may be done next: lists checked by hand, where random games come too seldom."""

from __future__ import annotations

import pytest
from tironian import ImpossibleMoveError, State, apply, legal_moves, load_edition, parse, start, violations
from tironian import tokens as t


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
    return {type(move.token).__name__ if move.token else "end" for move in legal_moves(state)}


TABLE = "0R 1P 2P 3P 4P {}h(125wxx) g(QQQAAAKKK)\n0E 5P h(xxxsss) g(QQAACCC)"
FULL, FREE = TABLE.format("5P "), TABLE.format("")


@pytest.mark.parametrize(
    ("table", "turn", "kinds"),
    [
        (FULL, "", {"Assassinate", "Wrath", "Discard", "end"}), (FULL, "x5P", {"Discard", "end"}),
        (FULL, "wP", {"Place"}), (FREE, "", {"Assassinate", "Wrath", "Place"}),
        (FREE, "5P", {"Assassinate", "Wrath", "Vote", "NoVote"}),
        (FREE, "(5)P", {"Assassinate", "Wrath", "Vote", "NoVote"}), (FREE, "x5P 5P", {"Vote", "NoVote"}),
    ],
)  # fmt: skip
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


def position(rules: str, rome: str, egypt: str, starter: int = 0) -> State:
    """The state of a position."""
    lines = parse(f'[Rules "{rules}"]\n\n0R {rome}\n0E {egypt}\n*')[0].record.turns
    return start(load_edition(rules), starter, lines[0].tokens, lines[1].tokens, position=True)


@pytest.mark.parametrize(("hand", "exchanges"), [("11234", 24), ("11112222333", 100), ("111122223333xxssvv", 3375)])
def test_any_part_of_a_hand_may_be_exchanged(hand: str, exchanges: int):
    """However large it is: for each card none of its copies, or one, or more."""
    state = position("1997", "h(12345)", f"h({hand})", starter=1)
    found = [move.token for move in legal_moves(state)]
    discards = {token for token in found if isinstance(token, t.Discard)}
    assert len(discards) == exchanges
    assert max(len(token.cards) for token in discards) == len(hand)
    asked = [move.token for move in legal_moves(state, [(3,), ()]) if isinstance(move.token, t.Discard)]
    assert asked == [t.Discard((3,)), t.Discard()]


@pytest.mark.parametrize("token", [t.Assassinate(card, 0, False) for card in (0, 3, 4)], ids=lambda token: token.card)
def test_a_card_that_is_not_there_can_not_be_hit(token: t.Assassinate):
    state = position("2024", "h(12345x)", "1A 2A h(12345v)")
    assert [fault.code for fault in violations(state, token)] == ["R306"]
    with pytest.raises(ImpossibleMoveError):
        apply(state, token)


def test_a_veto_that_was_announced_comes_next():
    state = position("2024", "h(12345x)", "1A h(12345v)")
    apply(state, t.Assassinate(1, 0, False), vetoed=True)
    for token in (t.Place(1, 0, True), t.NoVote(False), None):
        assert "R319" in [fault.code for fault in violations(state, token)]
    assert violations(state, t.Veto(3)) == []


def test_more_cards_than_can_lie_anywhere_are_all_told():
    state = position("2024", "(5)A h(12345c)", "h(12345v)")
    (fault,) = violations(state, t.Castle(0, 1, (1,) * 12, (2,) * 13))
    assert (fault.code, fault.facts["laid"]) == ("R311", (2,) * 13 + (1,) * 12)


def test_a_token_is_given_as_its_word_as_well():
    record = parse('[Rules "2024"]\n\n0R h(5v)\n0E h(4x)\n7R 5A\n*')[0].record
    state = start(load_edition("2024"), 0, *[turn.tokens for turn in record.turns[:2]], position=True)
    by_token, by_word = state.copy(), state.copy()
    apply(by_token, record.turns[2].tokens[0])
    apply(by_word, " 5A")
    assert by_word == by_token
    assert violations(state, "(1)A") == violations(state, t.Place(1, 2, True))
    for ask in (apply, violations):
        with pytest.raises(ValueError, match="can't be read"):
            ask(by_word, "5G")
    assert by_word == by_token
