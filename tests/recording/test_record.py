"""Recording at the table, without screen and disk: what is typed becomes the record that was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from tironian import Record, write
from tironian.notation.cards import EGYPT, ROME
from tironian.replay.recording.clocks import Clocks
from tironian.replay.recording.commands import Commands, Unheeded, obey, word_help
from tironian.replay.recording.menu import help_texts
from tironian.replay.recording.questions import asked, blank
from tironian.replay.recording.recorder import Recorder
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of


def typed(recorder: Recorder, record: Record) -> int:
    """Type a record in; insist on what is refused.

    Return the number of keys that its words take, with one after each; commands, after a ``/``, don't count.
    """
    keys = 0
    for label, entry in entries(record):
        if entry.startswith("/"):
            obey(recorder, entry)
        elif is_due(recorder, label, entry):
            if not recorder.enter(entry):
                assert recorder.insist(), (label, entry, recorder.refusal)
            keys += len(entry) + 1
    return keys


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_that_is_typed_comes_out_as_its_record(path: Path):
    record = record_of(path)
    recorder = recorder_of(record)
    keys = typed(recorder, record)
    assert recorder.draft.text == write(record) == path.read_text(encoding="utf-8")
    assert not recorder.draft.errors
    letters = sum(len(line) + 1 for line in write(record).splitlines() if line and not line.startswith("["))
    assert keys <= 1.3 * letters, "typing takes about as many keys as the record has letters"


# ------------------------------------------------------------------------------------- slips, rulings, clocks, the end

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def recorder_before(path: Path, label: str) -> Recorder:
    """A recorder of an example game where a turn begins."""
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for each, entry in entries(record):
        if each == label:
            break
        if is_due(recorder, each, entry):
            assert recorder.enter(entry), recorder.refusal
    return recorder


def last_lines(recorder: Recorder, count: int) -> list[str]:
    return recorder.draft.text.splitlines()[-1 - count : -1]


def test_a_veto_takes_back_what_the_action_would_have_shown():
    recorder = recorder_before(TIE_BREAK, "5R")
    assert recorder.enter("3C (1)P sQ")
    assert last_lines(recorder, 1) == ["5R 3C (1)P sQ(41)"]
    assert recorder.enter("v+4 =r")
    assert last_lines(recorder, 1) == ["5R 3C (1)P sQ v+4 =r"]


def test_what_has_been_filled_in_may_be_typed_and_is_judged_where_it_differs():
    recorder = Recorder(MemoryStorage(blank("2024", {"View": "arbiter"}, "2026.05.31")))
    assert recorder.enter("(2)P (4)Q (1)A (3)K")
    assert last_lines(recorder, 1) == ["0R (2)P (4)Q (1)A (3)K (5)C"]
    assert recorder.enter("(5)C")
    assert last_lines(recorder, 1) == ["0R (2)P (4)Q (1)A (3)K (5)C"]
    assert recorder.undo()
    assert recorder.enter("(3)K")
    assert not recorder.enter("(4)C")
    assert recorder.refusal is not None
    assert [each.code for each in recorder.refusal.objections] == ["R104"]
    assert recorder.insist()
    assert last_lines(recorder, 2)[0] == "0R (2)P (4)Q (1)A (3)K (4)C"


def test_a_vote_needs_no_more_than_its_group():
    recorder = recorder_before(TIE_BREAK, "6R")
    assert recorder.enter("1K (4)Q *Q =P")
    assert last_lines(recorder, 1) == ["6R 1K (4)Q *Q44421:441>R =P21:552>E"]
    assert recorder.undo()
    assert not recorder.enter("=P21:552>R")
    assert recorder.enter("=P21:552 +32")


def test_a_card_placed_first_is_not_taken_for_one_of_the_set_up():
    recorder = Recorder(MemoryStorage(blank("1997", {"View": "table"}, "2026.05.31")))
    assert recorder.enter("(i)S")
    assert last_lines(recorder, 1) == ["1E (i)S"]


def test_what_is_turned_up_is_asked_for_where_the_record_does_not_know_it():
    recorder = Recorder(MemoryStorage(blank("1997", {"View": "table"}, "2026.05.31")))
    assert recorder.enter("(i)S +i")
    assert not recorder.enter("=S")
    assert recorder.refusal is not None
    assert "are missing" in recorder.refusal.objections[0].message
    assert recorder.enter("=S4:32")
    assert last_lines(recorder, 1) == ["1E (i)S +i =S4:32>E"]


def test_the_card_drawn_for_a_veto_may_come_later():
    recorder = recorder_before(TIE_BREAK, "5R")
    assert recorder.enter("3C (1)P sQ v")
    assert recorder.draft.cursor.pending
    assert recorder.enter("v+4 =r")
    assert last_lines(recorder, 1) == ["5R 3C (1)P sQ v+4 =r"]


def test_a_turn_written_anew_is_filled_in_as_any():
    recorder = recorder_before(TIE_BREAK, "5E")
    before = recorder.draft.text
    assert obey(recorder, "/edit 3R 4Q (1)K =Q +12") == ["everything fits"]
    assert recorder.draft.text == before


def test_turns_that_were_written_under_a_wrong_number_move_up():
    recorder = recorder_before(TIE_BREAK, "4E")
    obey(recorder, "/drop 3E")
    obey(recorder, "/edit 3R 3E 4Q (1)K =Q544:5p>E +12")
    assert recorder.draft.errors
    assert obey(recorder, "/insert 3E (p)Q 3A =o +45") == ["everything fits"]
    assert recorder.draft.text == recorder_before(TIE_BREAK, "4E").draft.text


def test_who_gave_up_is_said():
    recorder = recorder_before(TIE_BREAK, "5E")
    obey(recorder, "/end resigned Caesar")
    assert "resigned" in asked(recorder.draft)
    assert recorder.draft.text.splitlines()[-1] == "*>E"
    assert recorder.draft.record.header("Termination") == "resigned"
    obey(recorder, "/sign Caesar, Cleopatra")
    assert "signed by" in asked(recorder.draft)
    obey(recorder, "/note well played")
    assert "changed after it was signed" in asked(recorder.draft)


def test_an_irregularity_is_held_by_a_ruling_until_the_arbiter_decides():
    recorder = recorder_before(TIE_BREAK, "5E")
    assert recorder.enter("5P")
    assert not recorder.enter("4Q")
    with pytest.raises(Unheeded):
        obey(recorder, "/sign Caesar")
    assert not recorder.enter("4Q")
    assert recorder.insist()
    assert last_lines(recorder, 2) == ["5E 5P 4Q", "   % E stands R210: it happened; the arbiter still has to rule"]
    assert obey(recorder, "/rule 5E penalty 2 seen by all") == ["everything fits"]
    assert last_lines(recorder, 2)[1] == "   % E penalty 2 R210: seen by all"


def test_a_turn_that_is_taken_back_is_played_anew():
    recorder = recorder_before(TIE_BREAK, "5E")
    assert recorder.enter("5P")
    assert not recorder.enter("4Q")
    assert recorder.insist()
    obey(recorder, "/rule 5E back one of them goes up")
    assert recorder.draft.cursor.label == "5E"
    assert recorder.enter("5P (5)K =r")
    assert last_lines(recorder, 1) == ["5E 5P (5)K =r"]


def test_what_no_longer_fits_after_a_correction_is_shown_and_kept():
    recorder = recorder_before(TIE_BREAK, "7E")
    before = recorder.draft.text
    told = obey(recorder, "/edit 3R 4Q (1)K =Q544:5p>E +13")
    assert told
    assert "everything fits" not in told
    after = recorder.draft.text
    changed = [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert changed == [("3R 4Q (1)K =Q544:5p>E +12", "3R 4Q (1)K =Q544:5p>E +13")]
    assert recorder.undo()
    assert recorder.draft.text == before


def test_a_forgotten_turn_is_put_where_it_belongs():
    recorder = recorder_before(TIE_BREAK, "5E")
    line = obey(recorder, "/edit 3R")[0]
    obey(recorder, "/drop 3R")
    with pytest.raises(Unheeded, match="there is no turn 3R"):
        obey(recorder, "/edit 3R")
    assert obey(recorder, f"/insert {line}") == ["everything fits"]
    assert recorder.draft.text == recorder_before(TIE_BREAK, "5E").draft.text


def test_where_the_cards_cant_be_followed_everything_is_written_down():
    recorder = recorder_before(TIE_BREAK, "5E")
    assert not recorder.enter("5S")
    assert recorder.insist()
    assert recorder.enter("(5)K =r +12")
    assert recorder.enter("")
    assert recorder.enter("4Q (1)K")
    assert [line for line in last_lines(recorder, 3) if not line.startswith(" ")] == ["5E 5S (5)K =r +12", "5R 4Q (1)K"]


def test_turns_switch_the_clocks_and_leave_their_marks():
    recorder = recorder_before(TIE_BREAK, "5E")
    obey(recorder, "/header TimeControl 60+10")
    time = 0.0
    recorder.clocks = Clocks(60, 10, lambda: time)
    obey(recorder, "/clock start")
    time = 20.5
    assert recorder.enter("5P (5)K =r +12")
    assert last_lines(recorder, 1) == ["5E 5P (5)K =r +12 @0:00:49"]
    time = 100.0
    assert recorder.enter("3C (1)P =r +41")
    assert last_lines(recorder, 1) == ["5R 3C (1)P =r +41 {the flag has fallen} @0:00:00"]
    assert recorder.clocks.turn == EGYPT
    assert recorder.undo()
    assert recorder.clocks.turn == ROME


def test_who_signs_puts_a_checksum_of_the_text_into_the_headers():
    record = bare(record_of(TIE_BREAK))
    recorder = recorder_of(record)
    typed(recorder, record)
    assert "Cleopatra wins by the tie-break" in "\n".join(obey(recorder, "/sheet"))
    assert "say who" in obey(recorder, "/sign")[-1]
    obey(recorder, "/sign Caesar, Cleopatra")
    assert recorder.draft.record.header("Signed") == "Caesar, Cleopatra"
    assert recorder.draft.record.header("Termination") == "normal"
    assert not recorder.draft.verdict.diagnostics
    obey(recorder, "/header Site Rome")
    assert [each.code for each in recorder.draft.verdict.diagnostics] == ["H209"]


def test_a_new_record_has_headers_and_nothing_else():
    text = blank("1997", {"View": "table", "Caesar": "Ada", "Starts": "Caesar", "TimeControl": ""}, "2026.05.31")
    recorder = Recorder(MemoryStorage(text))
    assert recorder.draft.record.header("Date") == "2026.05.31"
    assert recorder.draft.record.header("View") == "table"
    # What a spectator sees of the set-up says itself.
    assert last_lines(recorder, 2) == ["0R (i)S (i)P (i)Q (i)C (i)A m(?)", "0E (i)S (i)P (i)Q (i)C (i)A m(?)"]
    assert recorder.draft.cursor.label == "1R"


def test_the_first_card_placed_leaves_the_set_up_that_was_filled_in():
    (path,) = [each for each in COMPLETE if each.stem == "seen-from-the-table"]
    recorder = recorder_of(record_of(path))
    obey(recorder, "/note Written down by a spectator.")
    set_up = recorder.draft.record.turns
    assert recorder.enter("2A")
    assert recorder.draft.record.turns[:-1] == set_up
    assert recorder.draft.record.turns[-1].label == "1E"


def test_the_help_names_every_command():
    commands = [name.removeprefix("do_") for name in vars(Commands) if name.startswith("do_")]
    assert [usage.split()[0] for usage in help_texts()["commands"]] == [f"/{command}" for command in commands]


def test_the_notation_in_short_names_the_actions():
    assert "x assassination, s scout" in word_help()["sA cAQ y"]
