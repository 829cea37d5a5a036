"""What was filled in and is typed all the same; remarks in their place; ends of games; the words of rulings."""

from __future__ import annotations

import pytest
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.recorder import Recorder
from typed_records import MemoryStorage

SET_UP = "0R (1)P (2)Q (3)A (4)K (5)C m(A,K)\n0E (1)P (2)Q (3)A (4)K (5)C m(P,Q)\n"


def recorder_at(lines: str = "", rules: str = "2024", view: str = "arbiter", headers: str = "") -> Recorder:
    return Recorder(MemoryStorage(f'[Rules "{rules}"]\n[View "{view}"]\n[Result "*"]\n{headers}\n{lines}'))


def position(lines: str, headers: str = "") -> Recorder:
    return recorder_at(lines, headers=f'[Setup "position"]\n{headers}')


def turns(recorder: Recorder) -> list[str]:
    return [line for line in recorder.draft.text.splitlines() if line[:1].isdigit()]


@pytest.mark.parametrize("rules", ["2024", "1997", "fr", "taylor"])
@pytest.mark.parametrize("entry", ["line", "words"])
def test_her_cards_do_not_go_to_his_line(rules: str, entry: str):
    recorder = recorder_at(rules=rules, view="cleopatra")
    groups, missions = ("PQAKC", "m(A,K)") if rules == "2024" else ("SPQCA", "m(S)")
    words = [f"({card}){group}" for card, group in enumerate(groups, 1)] + [missions]
    his = "m(?,?)" if rules == "2024" else "m(?)"
    for typed in [" ".join(words)] if entry == "line" else words:
        assert recorder.enter(typed), recorder.refusal
    rome, egypt = [line for line in recorder.draft.text.splitlines() if line.startswith("0")]
    assert rome.startswith("0R " + " ".join(f"(i){group}" for group in groups))
    assert his in rome
    assert egypt.startswith("0E " + " ".join(words[:5]))
    assert missions in egypt


def test_a_card_that_was_drawn_is_not_lost_when_those_filled_in_are_typed():
    recorder = position(
        "0R d(1111111222222233333334444444ppxxcwvvs) h(5555xs) m(A)\n0E h(12345v) m(K)\n", '[Starts "Caesar"]\n'
    )
    assert recorder.enter("9R 5A (5)A sA =o +s"), recorder.refusal
    line = turns(recorder)[-1]
    assert line == "9R 5A (5)A sA =o +s55"
    assert recorder.enter("+5"), recorder.refusal
    assert recorder.enter("+5"), recorder.refusal
    assert turns(recorder)[-1] == line


@pytest.mark.parametrize("slip", ["+3", "+i", "(3)P", "=o", "m(A)"])
def test_a_slip_behind_a_set_up_that_was_filled_in_ends_nothing(slip: str):
    recorder = recorder_at(view="caesar")
    assert recorder.enter("(3)P (1)Q (2)A (4)K (5)C")
    assert recorder.enter("m(A,K)")
    before = recorder.draft.text
    if not recorder.enter(slip):
        assert recorder.draft.text == before


def test_where_both_are_out_nobody_has_to_draw():
    recorder = position(
        "0R h(xx) m(A) g(PPPP) d(1111111222222233333334444444555555pp5)\n"
        "0E h(4) m(K) d(111111122222223333333444444555555pp5)\n"
    )
    assert recorder.enter("9E (4)A =o")
    assert recorder.enter(""), recorder.refusal
    assert recorder.draft.is_over
    assert not recorder.draft.errors
    assert recorder.draft.record.result is not None


def test_a_remark_behind_a_label_goes_to_that_turn():
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    assert recorder.enter("1R {he hesitated} 3P (2)P =o +23"), recorder.refusal
    first, second = turns(recorder)[-2:]
    assert first == "1E 5P (1)A +23"
    assert second.startswith("1R ")
    assert "{he hesitated}" in second


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("stands 2 cards lay open", "% E stands: 2 cards lay open"),
        ("stands 2nd time today", "% E stands: 2nd time today"),
        ("penalty 1st offence", "% E penalty: 1st offence"),
        ("penalty 2 one card too many", "% E penalty 2: one card too many"),
        ("penalty 2", "% E penalty 2"),
        ("penalty 2, late", "% E penalty 2: late"),
        ("back 3 cards had been seen", "% E back: 3 cards had been seen"),
    ],
)
def test_only_a_penalty_takes_points(said: str, written: str):
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    obey(recorder, f"/rule 1E {said}")
    assert [line.strip() for line in recorder.draft.text.splitlines() if "%" in line] == [written]


def test_a_penalty_has_a_limit():
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    with pytest.raises(Unheeded, match="99"):
        obey(recorder, "/rule 1E penalty 120")
    assert "%" not in recorder.draft.text


def test_a_draw_that_was_forgotten_is_told_when_the_next_turn_begins():
    recorder = recorder_at(f"{SET_UP}1E 5A (1)P =r\n")
    assert not recorder.enter("(3)P")
    assert recorder.refusal
    assert (
        recorder.refusal.objections[0].message == "Cleopatra still has to draw two cards: write + and the cards drawn"
    )
    assert recorder.enter("+23 (3)P"), recorder.refusal
    assert turns(recorder)[-1] == "1R (3)P"
