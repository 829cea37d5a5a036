"""What can't be read has a way out: the likeliest thing that was meant, tried before it is offered."""

from __future__ import annotations

import pytest
from tironian import parse, write
from tironian.notation.reader import MAX_NAMED


def test_a_text_that_is_no_record_is_named_line_by_line_and_kept():
    """Nobody reads advice on hundreds of problems, nor a list of thousands; working them out would take for ever."""
    lines = [f"{number}R zq! (5 {number:x}" for number in range(1, 2000)]
    (game,) = parse('[Rules "2024"]\n\n' + "\n".join(lines) + "\n")
    assert len(game.problems) == MAX_NAMED
    assert {problem.span.line for problem in game.problems} == set(range(2, 868))
    assert "kept as it is" in game.problems[-1].help
    assert write(game.record).splitlines()[-1500:] == lines[-1500:]


LONG = "3" * 5_000


@pytest.mark.parametrize(
    "line", [f"1E {LONG}", f"1E 5Q d({LONG}) +3", f"0E m(A,{'12,' * 2_000}?)", f"1E 5Q\n| 1E +{LONG}"]
)
def test_a_word_that_no_game_can_need_is_told_without_being_read(line: str):
    (game,) = parse(f'[Rules "2024"]\n\n{line}\n')
    (found,) = game.problems
    assert found.code == ("N112" if "|" in line else "N105")
    assert "can't be read: at “" in found.message
    assert LONG[:100] not in found.message


@pytest.mark.parametrize("said", ["x" * 5_000, "勝" * 300])
@pytest.mark.parametrize(
    "line", ['0E m(A,"{}")', "1E 5Q {{{}}}", "1E 5Q;{}", "; {}", "1E -\n% E stands:{}", '[Event "{}"]']
)
def test_texts_may_be_long(line: str, said: str):
    (game,) = parse(f'[Rules "2024"]\n\n{line.format(said)}\n')
    assert game.problems == []
    assert said in write(game.record)
