"""What the scanner takes says what Lark says, and what Lark reads as nothing but tokens the scanner takes.

Some 3,000 lines in every run, a million with TIRO_FULL=1.
"""

from __future__ import annotations

import random

import pytest
from scale import scaled
from tironian import EDITION_NAMES, Turn, load_edition, parse, simulate, write
from tironian.notation.codes import OTHER, decode, encode, encoded
from tironian.notation.packed import Packed
from tironian.notation.parser import parse_line
from tironian.notation.scanner import PADDING, Scanner

LETTERS = '0123456789REAQCKPSxyvwcsmaihprod+-=*:>()[],#|@!?$;{}"\t\xe4'


def corpus() -> list[list[str]]:
    """The words of turns, of every rule set."""
    texts = [write(simulate(load_edition(name), seed)) for name in EDITION_NAMES for seed in range(40)]
    return [line.split() for text in texts for line in text.splitlines() if line[:1].isdigit()]


def changed(words: list[str], others: list[str], rng: random.Random) -> str:
    """A line of these words, or of some that are not quite right."""
    words = words.copy()
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        place = rng.randrange(len(words))
        word = words[place]
        at = rng.randrange(len(word) + 1)
        letters = "".join(rng.choice(LETTERS) for _ in range(rng.choice((0, 1, 1, 2, 9))))
        words[place] = rng.choice((word[:at] + letters + word[at + rng.choice((0, 1, 2)) :], rng.choice(others)))
    return rng.choice((" ", " ", " ", "  ")).join(words)


def test_the_scanner_says_what_lark_says() -> None:
    rng, lines, scanner, taken, refused = random.Random(5), corpus(), Scanner(), 0, 0
    others = [word for line in lines for word in line[1:]]
    for _ in range(scaled(3_000, 1_000_000)):
        text = changed(rng.choice(lines), others, rng)
        data, packed, value = f"{text}\n".encode(), Packed(), parse_line(text.strip())
        end = scanner.scan(data + PADDING, 0, len(data), packed, 0, 10)
        assert end in (0, len(data))
        is_turn = isinstance(value, Turn) and not (value.marks or value.notes)
        if end:
            assert is_turn, text
            assert (packed.number(0), packed.side(0)) == (value.number, value.side), text
            codes = packed.turn_codes(0)
            assert codes == encoded(value.tokens), text
            found = [packed.others[2 * at] for at in range(len(value.tokens)) if codes[2 * at] == OTHER]
            assert found == [token for token in value.tokens if encode(token)[0] == OTHER], text
        elif is_turn and text.isascii() and "\t" not in text and '"' not in text:
            # What codes don't tell whole, a hand in any order, is read as it is.
            told = all(encode(token)[0] == OTHER or decode(*encode(token)) == token for token in value.tokens)
            assert not told or text != " ".join(text.split()), text
        taken, refused = taken + bool(end), refused + (not end)
    assert min(taken, refused) > scaled(3_000, 1_000_000) // 10


def made(rng: random.Random) -> str:
    """A word that hardly comes again; some are none, or longer than any."""

    def some(letters: str, most: int = 6) -> str:
        return "".join(rng.choices(letters, k=rng.randrange(1, most)))

    group, cards, column = rng.choice("ACKPQS"), some("12345pxswcyv"), some("12345p")
    odd = some("+-=*():>19RE\xe4"), f"+{some('12345', 9) * 40}", f"={group}{column}:{cards}", f"a({cards}"
    good = f"+{cards}", f"-{cards}", f"a({cards * 3})", f"c{group}({column})A()", f"s{group}({column})", f"h({cards})"
    return rng.choice(odd if rng.random() < 0.02 else (*good, *[f"{rng.choice('=*')}{group}{column}:{column}>R"] * 3))


@pytest.mark.parametrize(("most", "lines", "checked"), [(40, 600, 1), (1 << 15, 12_000, 20)])
def test_the_scanner_forgets_before_it_remembers_too_much(most: int, lines: int, checked: int) -> None:
    rng, scanner, full, taken = random.Random(most), Scanner(most), 0, 0
    for number in range(lines):
        text = " ".join([f"{rng.randrange(10_000)}{rng.choice('RE')}", *[made(rng) for _ in range(5)]])
        data, packed, before = f"{text}\n".encode(), Packed(), len(scanner)
        end = scanner.scan(data + PADDING, 0, len(data), packed, 0, 1)
        full += len(scanner) < before
        assert len(scanner) <= most
        assert sum(map(len, scanner.met)) + len(scanner.others) <= 2 * most
        if number % checked == 0:
            value = parse_line(text)
            assert bool(end) == isinstance(value, Turn), text
            if isinstance(value, Turn):
                assert (packed.number(0), packed.side(0), packed.turn_codes(0)) == (
                    value.number, value.side, encoded(value.tokens)
                ), text  # fmt: skip
                odd = {2 * at: token for at, token in enumerate(value.tokens) if encode(token)[0] == OTHER}
                assert packed.others == odd, text
        assert end or (len(packed), packed.others) == (0, {}), text
        taken += bool(end)
    assert full
    assert lines // 2 < taken < lines


def test_lines_that_the_scanner_takes_are_cut_out_of_its_bytes() -> None:
    text = write(simulate(load_edition("2024"), 3))
    (game,) = parse(text)
    assert [game.source.text(line) for line in range(text.count("\n"))] == text.splitlines()
    assert "".join(game.source.lines) == text
    assert [game.source.text(line) for line in range(text.count("\n"))] == text.splitlines()
    assert game.source.text(-1) == game.source.text(10_000) == ""
