"""The places of words and headers in the text: what stands there is what was read."""

from __future__ import annotations

import pytest
from tironian import EDITION_NAMES, Turn, load_edition, parse, simulate, token_text, write
from tironian.replay.engine.findings import AT_END
from tironian.replay.engine.places import header_spans, token_span

LINES = (
    "1R   5Q (3)A", " 12 E x4P v+3 =A433:52>R +34 ; +3 is no token here", "1E {5Q} 5Q{near}4P @1:02 !? +i",
    '0R (1)P m("a \\"b\\" 5Q; {d}",A) (2)Q', "1R 5Q 4Z (3)A ( 4P +3", '1R "5Q 4P',
)  # fmt: skip


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("indent", ["", "  ", "\t"])
def test_each_word_of_a_line_has_its_place(line: str, indent: str):
    (game,) = parse(f'[Rules "2024"]\n{indent}{line}\n')
    (turn,) = game.record.turns
    spans = [token_span(game.source, turn, at) for at in range(len(turn.tokens))]
    assert [game.source.text(1)[span.start : span.end] for span in spans] == [*map(token_text, turn.tokens)]
    label = token_span(game.source, turn, None)
    assert game.source.text(1)[label.start : label.end].replace(" ", "") == turn.label
    assert token_span(game.source, turn, AT_END).start == spans[-1].end


def test_each_word_of_an_alternative_has_its_place():
    (game,) = parse('[Rules "2024"]\n1E -\n  | 1 E 5Q{c} 4P ! ; d\n')
    turn: Turn = game.record.turns[0].after[0].turn  # type: ignore[union-attr]
    assert [token_span(game.source, turn, at).start for at in (None, 0, 1)] == [4, 8, 14]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_each_word_of_a_game_has_its_place(name: str):
    (game,) = parse(write(simulate(load_edition(name), 7)))
    for turn in game.record.turns:
        spans = [token_span(game.source, turn, at) for at in range(len(turn.tokens))]
        text = game.source.text(turn.line)
        assert [text[span.start : span.end] for span in spans] == [*map(token_text, turn.tokens)]


def test_headers_of_one_name_have_places_of_their_own():
    (game,) = parse('[own "1"]\n [EVENT "E"]\n[Rules "2024"]\n[own "0"]\n[Event"F"]\n1E -\n')
    spans = header_spans(game.source, game.record.headers)
    found = [(name, span) for (name, _), span in zip(game.record.headers, spans, strict=True)]
    assert [(name, span.line) for name, span in found] == [
        ("Rules", 2), ("Event", 1), ("Event", 4), ("own", 0), ("own", 3),
    ]  # fmt: skip
    assert [game.source.text(span.line)[span.start : span.end] for _, span in found] == [
        '"2024"', '"E"', '"F"', '"1"', '"0"',
    ]  # fmt: skip
