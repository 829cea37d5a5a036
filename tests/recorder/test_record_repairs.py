"""What was probably meant by a refused entry, or by a record that breaks the rules: proposed, proven, and taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from scale import crossed, scaled
from tironian import EDITION_NAMES, Record, load_edition, simulate, token_text, view, write
from tironian import tokens as t
from tironian.notation.cards import EGYPT, ROME
from tironian.tools.recorder.answers import MAX_PROPOSALS, Proposal, proposals
from tironian.tools.recorder.clocks import Clocks
from tironian.tools.recorder.commands import run_command
from tironian.tools.recorder.recorder import Recorder
from typed_records import EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def recorder_before(label: str, path: Path = TIE_BREAK, **slips: str) -> Recorder:
    """A recorder of an example game where a turn begins, with slips: the word ``w4Q`` as ``2Q``, for one."""
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for each, entry in entries(record):
        if each == label:
            break
        if is_due(recorder, each, entry):
            assert recorder.enter(slips.get(f"{each}_{entry}", group_only(entry))), recorder.refusal
    return recorder


def group_only(entry: str) -> str:
    """An entry as it is typed: the cards of a vote and of a scout are filled in."""
    if entry[:1] in ("=", "*") and ":" in entry:
        return entry[:2]
    return entry[:2] if entry[:1] == "s" else entry


def copied(recorder: Recorder) -> Recorder:
    other = recorder.scratch_copy()
    other.refusal = recorder.refusal
    return other


def all_prove_right(recorder: Recorder) -> list[Proposal]:
    """Each proposal leaves a record without errors, unless what was typed behind the refused word is refused too."""
    text, found = recorder.draft.text, proposals(recorder)
    for number, proposal in enumerate(found, 1):
        trial = copied(recorder)
        run_command(trial, f"/repair {number}")
        assert trial.draft.text != text
        assert not trial.is_broken, proposal
    assert recorder.draft.text == text, "nothing is changed unasked"
    return found


@pytest.mark.parametrize("seed", range(0, scaled(8, 120), 4))
def test_a_card_too_many_in_a_vote_was_left_out_when_it_was_laid(seed: int):
    """Cards that are turned up lie there: rather one was not written when it was placed than one is read too many."""
    record = simulate(load_edition(EDITION_NAMES[0]), seed)
    for place, turn in enumerate(record.turns[2:], 2):
        laid = [(at, token) for at, token in enumerate(turn.tokens) if isinstance(token, t.Place)]
        votes = [at for at, token in enumerate(turn.tokens) if isinstance(token, t.Vote)]
        hidden = [each for each in laid if each[1].hidden and votes and each[1].group == turn.tokens[votes[0]].group]
        if len(laid) != 2 or not hidden or any(isinstance(token, t.SpecialVote) for token in turn.tokens):
            continue
        at, token = hidden[0]
        short = replace(turn, tokens=(*turn.tokens[:at], *turn.tokens[at + 1 : votes[0]]))
        recorder = Recorder(MemoryStorage(write(replace(record, turns=(*record.turns[:place], short), result=None))))
        if not recorder.is_broken and not recorder.enter(token_text(turn.tokens[votes[0]])):
            first, *others = all_prove_right(recorder)
            assert f": {token_text(token)} is missing " in first.words, (first, others)
            return
    raise AssertionError("no such vote in this game")


# ------------------------------------------------------------------------------------------------- earlier slips


def test_an_earlier_slip_is_found_and_taken_as_one_entry():
    recorder = recorder_before("13E", **{"6E_4Q": "2Q"})
    assert recorder.enter("x3A v+1 2K")
    assert not recorder.enter("(2)A")
    before, text = len(recorder.storage.done), recorder.draft.text
    lines = run_command(recorder, "/repair")
    assert lines[3] == "4. 13E: 2K should be 3K (a wrong card)"
    assert "  1 and 2 are equally likely" in lines
    assert lines[-1] == "  nothing has been changed yet: /repair 1 takes the first"
    (number,) = [line[0] for line in lines if "12E: 2P should be 4P (a wrong card)" in line]
    assert run_command(recorder, f"/repair {number}") == ["12E: 2P should be 4P (a wrong card); /undo takes it back"]
    assert (
        "\n12E (5)A 4P =P5:422>E +32\n   ; repaired, a wrong card: 12E (5)A 2P =P5:222>E +32\n" in recorder.draft.text
    )
    assert "\n13E x3A v+1 2K (2)A\n" in recorder.draft.text
    assert not recorder.draft.errors
    assert len(recorder.storage.done) == before + 1
    assert recorder.undo()
    assert recorder.draft.text == text
    assert recorder.redo()
    assert "(2)A" in recorder.draft.text


def test_a_contradiction_in_a_vote_leads_to_the_card_placed_there():
    recorder = recorder_before("6R", **{"5R_(1)P": "(1)A"})
    assert recorder.enter("1K (4)Q *Q")
    assert not recorder.enter("=P21:552")
    assert recorder.refusal is not None
    assert [fault.code for fault in recorder.refusal.objections] == ["C901"]
    found = {proposal.words: number for number, proposal in enumerate(all_prove_right(recorder), 1)}
    run_command(recorder, f"/repair {found['5R: (1)A should be (1)P (a wrong group)']}")
    assert "   ; repaired, a wrong group: 5R 3C (1)A sQ v+4 =r +41p\n" in recorder.draft.text
    assert "\n6R 1K (4)Q *Q44421:441>R =P21:552>E\n" in recorder.draft.text


def test_a_turn_that_a_repair_has_ended_switches_the_clocks():
    recorder = recorder_before("7E", EXAMPLES / "1997" / "resigned.tiro")
    recorder.clocks = Clocks(600, 0, lambda: 0.0)
    recorder.clocks.start(EGYPT)
    assert recorder.enter("1S 3S +3p")
    assert not recorder.enter("=P1:31")
    found = {proposal.words: number for number, proposal in enumerate(proposals(recorder), 1)}
    run_command(recorder, f"/repair {found['7E: 1S should be 1P (a wrong group)']}")
    assert recorder.draft.cursor.label == "7R"
    assert recorder.clocks.turn == ROME
    assert recorder.draft.record.turns[-1].marks == ("@0:10:00",)


# ---------------------------------------------------------------------------------- records that break the rules


@pytest.mark.parametrize(("name", "point_of_view"), crossed(EDITION_NAMES, ["arbiter", "caesar"])[:: scaled(3, 1)])
def test_every_proposal_is_proven(name: str, point_of_view: str):
    """A card is recorded wrongly, and what somebody cannot play later is refused."""
    refused = 0
    for seed in range(2, 42):
        record = bare(view(simulate(load_edition(name), seed), point_of_view).record)
        label, entry, slip = slip_in(record, Random(seed))
        recorder = recorder_of(record)
        for each, typed in entries(record):
            if not is_due(recorder, each, typed):
                continue
            typed = slip if (each, typed) == (label, entry) else typed
            if not recorder.enter(group_only(typed) if point_of_view == "arbiter" else typed):
                found = all_prove_right(recorder)
                assert len(found) <= MAX_PROPOSALS + 1
                assert found == proposals(recorder)
                refused += 1
                break
        if refused == scaled(1, 40):
            break
    assert refused


def slip_in(record: Record, chance: Random) -> tuple[str, str, str]:
    """The label of a turn, a card placed in it, and another one written in its place."""
    placed = [
        (turn.label, token)
        for turn in record.turns
        for token in turn.tokens
        if turn.number and isinstance(token, t.Place) and token.card in range(1, 6)
    ]
    label, token = chance.choice(placed)
    other = replace(token, card=chance.choice([card for card in range(1, 6) if card != token.card]))
    return label, token_text(token), token_text(other)


# ------------------------------------------------------------------------------------------------ the plain mode


def test_a_players_log_keeps_the_votes_that_were_seen():
    record = view(simulate(load_edition("2024"), 0), "caesar").record
    recorder = Recorder(MemoryStorage(write(record)))
    run_command(recorder, "/exchange")
    assert [turn.tokens for turn in recorder.draft.record.turns] == [turn.tokens for turn in record.turns]
