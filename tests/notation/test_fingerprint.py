"""The number of a game's moves: whatever differs in two games, their numbers differ, compiled or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from archives import game
from tironian import Record, parse
from tironian.notation.fingerprint import moves_of
from tironian.notation.movetext import Movetext
from tironian.notation.packed import Packed, mixed
from tironian.notation.tokens import ActionOrder

GAMES = 12


@cache
def record(seed: int) -> Record:
    return parse(game(seed))[0].record


def changed(packed: Packed, rng: Random) -> Iterator[Packed]:
    """Yield the turns with one bit of a code turned over, two tokens exchanged, one left out or said twice, one moved
    over the end of its turn, a second code at another token, a turn left out, another number or side."""
    make, (codes, begins, labels, lines, others) = packed.__reduce__()

    def made(**other: list[int]) -> Packed:
        parts = {"codes": codes, "begins": begins, "labels": labels, "lines": lines, "others": others} | other
        return make(*[part.copy() for part in parts.values()])

    for at, code in enumerate(codes):
        for bit in rng.sample(range(62), 3):
            yield made(codes=[*codes[:at], code ^ 1 << bit, *codes[at + 1 :]])
    for at in range(2, len(codes), 2):
        one, two = codes[at - 2 : at], codes[at : at + 2]
        if one != two:
            yield made(codes=[*codes[: at - 2], *two, *one, *codes[at + 2 :]])
        if two[1]:
            yield made(codes=[*codes[:at], two[1], two[0], *codes[at + 2 :]])
        if one[1] and not two[1]:
            yield made(codes=[*codes[: at - 1], 0, one[1], two[0], *codes[at + 2 :]])
    for place, begin in enumerate(begins[1:], 1):
        if begin - begins[place - 1] > 2:
            yield made(begins=[*begins[:place], begin - 2, *begins[place + 1 :]])
        yield made(begins=[*begins[:place], *begins[place + 1 :]], labels=[*labels[:place], *labels[place + 1 :]])
        for bit in 1, 2, 3:
            yield made(labels=[*labels[:place], labels[place] ^ 1 << bit, *labels[place + 1 :]])
    for end in range(2, len(codes) - begins[-1], 2):
        yield made(codes=codes[:-end])
        yield made(codes=[*codes, *codes[-end:]])


@cache
def numbers() -> list[int]:
    rng = Random(1)
    games = [Movetext.of(record(seed).turns).packed for seed in range(GAMES)]
    return [one.moves() for packed in games for one in (packed, *changed(packed, rng))]


def test_no_two_games_have_the_same_number():
    assert len(numbers()) > 10_000
    assert len({*numbers()}) == len(numbers())
    assert all(0 < number < 1 << 62 for number in numbers())


def test_numbers_are_as_far_apart_as_those_of_dice():
    """Any 24 bits of them are the same as often as those of numbers drawn by chance."""
    count = len(numbers())
    expected = count * (count - 1) / 2 / (1 << 24)
    for lowest in range(0, 39, 2):
        part = [number >> lowest & (1 << 24) - 1 for number in numbers()]
        same = count - len({*part})
        assert abs(same - expected) < 5 * expected**0.5


def test_two_words_never_lead_from_one_number_to_the_same():
    words = [0, *(1 << bit for bit in range(62)), *(3 << bit for bit in range(61))]
    for number in (0, 1, (1 << 62) - 1, *numbers()[:50]):
        assert len({mixed(number, word) for word in words}) == len(words)
        assert len({mixed(word, number) for word in words}) == len(words)


def test_words_without_a_code_count():
    (found,) = parse(game(2))  # of rules with piles that are ordered
    set_up = found.record.turns[0]
    piles = [token for token in set_up.tokens if isinstance(token, ActionOrder)]
    assert len(piles) == 1

    def with_pile(cards: tuple[int, ...]) -> int:
        tokens = tuple(ActionOrder(cards) if token is piles[0] else token for token in set_up.tokens)
        turns = (replace(set_up, tokens=tokens), *found.record.turns[1:])
        return moves_of(replace(found, record=replace(found.record, turns=turns)))

    cards = piles[0].cards
    assert with_pile(cards) == moves_of(found)
    others = [(), cards[:-1], cards[1:], (*cards, 0), (*cards, cards[-1]), cards[::-1], (cards[0] ^ 1, *cards[1:])]
    assert len({with_pile(each) for each in [cards, *others]}) == 1 + len(others)


def test_numbers_are_the_same_compiled_or_not():
    lines = ["0R (2)P (3)Q (4)A (5)K (1)C m(each,K) +v", '0E (3)P (2)Q (1)A (4)K (5)C a(xv) m("ü")', "1E (1)P 3P +25"]
    (found,) = parse("\n".join(['[Rules "2024"]', *lines, "1R y[12]x -", "*", ""]))
    assert moves_of(found) == 3949660320253398334
