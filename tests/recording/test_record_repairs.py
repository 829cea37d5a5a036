"""What was probably meant by a refused entry, or by a record that breaks the rules: proposed, proven, and taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from scale import scaled
from tironian import EDITION_NAMES, Record, load_edition, simulate, token_text, turn_text, view, write
from tironian import tokens as t
from tironian.notation.cards import EGYPT, ROME
from tironian.replay.cli.command_line import main
from tironian.replay.recording.answers import MOST, MOST_WORDS, Proposal, proposals, proposed_words
from tironian.replay.recording.clocks import Clocks
from tironian.replay.recording.commands import Unheeded, enter, obey
from tironian.replay.recording.recorder import Recorder
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
    other = recorder.elsewhere()
    other.refusal = recorder.refusal
    return other


def all_prove_right(recorder: Recorder) -> list[Proposal]:
    """Each proposal leaves a record without errors, unless what was typed behind the refused word is refused too."""
    text, found = recorder.draft.text, proposals(recorder)
    for number, proposal in enumerate(found, 1):
        trial = copied(recorder)
        obey(trial, f"/repair {number}")
        assert trial.draft.text != text
        assert not trial.is_broken, proposal
    assert recorder.draft.text == text, "nothing is changed unasked"
    return found


@pytest.mark.parametrize("seed", range(0, scaled(12, 120), 4))
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


@pytest.mark.parametrize(
    ("label", "typed", "meant"),
    [
        ("5E", "5S", ["5P", "5Q", "5A"]),  # no such group
        ("5E", "2A", ["1A", "5A", "pA"]),  # no 2 in hand
        ("4E", "5P (2)Q cQ(41)K(23)", ["cQ(41)K(22)"]),  # more than lies there
        ("5E", "9A", ["1A", "4A", "5A"]),  # no such card
        ("5E", "(5P", ["5P", "(5)P"]),
        ("5E", "5K (5)p", ["(5)P"]),
    ],
)
def test_words_that_were_probably_meant(label: str, typed: str, meant: list[str]):
    recorder = recorder_before(label)
    assert not recorder.enter(typed)
    words = [proposal.words for proposal in proposed_words(recorder)]
    assert words[: len(meant)] == meant
    assert len(words) <= MOST_WORDS
    assert [proposal.words for proposal in all_prove_right(recorder)][: len(words)] == words


def test_cards_drawn_in_the_wrong_order_are_put_right_before_any_is_left_out():
    head = '[Rules "1997"]\n[Result "*"]\n0R (2)S (3)P (5)Q (1)C (4)A m(S)\n'
    hers = "0E (5)S (2)P (3)Q (1)C (4)A m(P) a(xyvsxyxwvcxcs)\n"
    recorder = Recorder(MemoryStorage(f"{head}{hers}1E 4P 2S\n"))
    assert not recorder.enter("+yx")
    found = all_prove_right(recorder)
    assert (found[0].words, found[0].why) == ("+xy", "the cards in another order")


def test_a_refusal_says_what_was_probably_meant():
    recorder = recorder_before("5E")
    lines = enter(recorder, "5S")
    assert lines[:2] == [
        "there are no Senators in these rules [R201]",
        "  did you mean 5P, 5Q or 5A? /repair 1, 2 or 3; an earlier slip: /repair",
    ]
    lines = enter(recorder, "9A")
    assert lines[1] == "  did you mean 1A, 4A or 5A? /repair 1, 2 or 3"


def test_a_word_is_taken_with_its_number_and_what_was_typed_behind_it_follows():
    recorder = recorder_before("5E")
    assert not recorder.enter("5S (5)K =r")
    before = recorder.draft.text
    assert obey(recorder, "/repair 2") == []
    assert "\n5E 5Q (5)K =r\n" in recorder.draft.text
    assert recorder.refusal is None
    for _ in range(3):
        recorder.undo()
    assert recorder.draft.text == before


def test_what_was_typed_behind_it_can_be_refused_in_its_turn():
    recorder = recorder_before("5E")
    assert not recorder.enter("5S 2K")
    assert obey(recorder, "/repair 1")[0] == "Cleopatra has no 2 in hand [R203]"
    assert "\n5E 5P\n" in recorder.draft.text
    assert recorder.left == "2K"


def test_words_before_one_that_cannot_be_read_are_recorded_with_it():
    recorder = recorder_before("5E")
    assert not recorder.enter("5K (5)p =r")
    assert "\n5E" not in recorder.draft.text
    assert obey(recorder, "/repair 1") == []
    assert "\n5E 5K (5)P =r\n" in recorder.draft.text


def test_a_set_up_gets_other_words_and_no_repairs():
    recorder = recorder_of(record_of(TIE_BREAK))
    assert recorder.enter("(2)P (4)Q")
    assert not recorder.enter("(2)A")
    found = all_prove_right(recorder)
    assert found
    assert not [proposal for proposal in found if proposal.record]


# ------------------------------------------------------------------------------------------------- earlier slips


def test_an_earlier_slip_is_found_and_taken_as_one_entry():
    recorder = recorder_before("13E", **{"6E_4Q": "2Q"})
    assert recorder.enter("x3A v+1 2K")
    assert not recorder.enter("(2)A")
    before, text = len(recorder.storage.done), recorder.draft.text
    lines = obey(recorder, "/repair")
    assert lines[3] == "4. 13E: 2K should be 3K (a wrong card)"
    assert "  1 and 2 are as likely as each other" in lines
    assert lines[-1] == "  nothing is changed yet: /repair 1 takes the first"
    (number,) = [line[0] for line in lines if "12E: 2P should be 4P (a wrong card)" in line]
    assert obey(recorder, f"/repair {number}") == ["12E: 2P should be 4P (a wrong card); /undo takes it back"]
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
    obey(recorder, f"/repair {found['5R: (1)A should be (1)P (a wrong group)']}")
    assert "   ; repaired, a wrong group: 5R 3C (1)A sQ v+4 =r +41p\n" in recorder.draft.text
    assert "\n6R 1K (4)Q *Q44421:441>R =P21:552>E\n" in recorder.draft.text


def test_a_turn_that_a_repair_has_ended_switches_the_clocks():
    recorder = recorder_before("7E", EXAMPLES / "1997" / "resigned.tiro")
    recorder.clocks = Clocks(600, 0, lambda: 0.0)
    recorder.clocks.start(EGYPT)
    assert recorder.enter("1S 3S +3p")
    assert not recorder.enter("=P1:31")
    found = {proposal.words: number for number, proposal in enumerate(proposals(recorder), 1)}
    obey(recorder, f"/repair {found['7E: 1S should be 1P (a wrong group)']}")
    assert recorder.draft.cursor.label == "7R"
    assert recorder.clocks.turn == ROME
    assert recorder.draft.record.turns[-1].marks == ("@0:10:00",)


# ---------------------------------------------------------------------------------- records that break the rules


def test_votes_that_a_correction_has_changed_are_counted_anew():
    recorder = recorder_before("9E")
    assert obey(recorder, "/edit 6E 2Q (1)A =C43:>R +4x")[-1] == "  /repair lists what would make it fit"
    broken = recorder.draft.text
    first = "counted anew: 6R *Q44421:421>R, 7E =Q4421:442>R, 8R =Q421:41>R"
    assert [proposal.words for proposal in all_prove_right(recorder)] == [
        first,
        "6E: 2Q should be 4Q (a wrong card)",
    ]
    assert obey(recorder, "/repair 1") == [f"{first}; /undo takes it back"]
    assert "   ; repaired, counted anew: 7E 4Q (4)P =Q4421:444>E +32\n" in recorder.draft.text
    assert recorder.undo()
    assert recorder.draft.text == broken


def test_a_record_that_is_taken_up_broken_says_so():
    recorder = recorder_before("9E")
    obey(recorder, "/edit 3R 5Q (1)K =Q +12")
    again = Recorder(MemoryStorage(recorder.draft.text))
    assert again.storage.messages == ["3R: Caesar has no 5 in hand [R203]; /repair lists what would make it fit"]
    assert obey(again, "/repair")[0] == "1. 3R: 5Q should be 4Q (a wrong card)"
    obey(again, "/repair 1")
    assert not again.draft.errors
    assert again.draft.state is not None


def test_what_is_sound_gets_no_proposals():
    recorder = recorder_before("9E")
    assert recorder.storage.messages == []
    assert obey(recorder, "/repair") == ["nothing was refused, and nothing is wrong"]
    with pytest.raises(Unheeded, match="nothing is wrong"):
        obey(recorder, "/repair 1")


@pytest.mark.parametrize("rest", ["0", "99", "two", "-1"])
def test_a_proposal_that_is_not_there_is_refused(rest: str):
    recorder = recorder_before("5E")
    recorder.enter("5S")
    before, refusal = recorder.draft.text, recorder.refusal
    with pytest.raises(Unheeded, match="/repair lists the proposals, and /repair 3 takes the last of them"):
        obey(recorder, f"/repair {rest}")
    assert (recorder.draft.text, recorder.refusal) == (before, refusal)


@pytest.mark.parametrize("point_of_view", ["arbiter", "caesar"])
@pytest.mark.parametrize("name", EDITION_NAMES)
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
                assert len(found) <= MOST + 1
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


def run(path: Path, *lines: str):
    text = "\n".join((*lines, ""))
    return CliRunner().invoke(main, ["record", "--plain", str(path)], input=text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "game.tiro"
    found.write_text(recorder_before("5E").draft.text, encoding="utf-8")
    return found


def test_a_line_of_a_pipe_can_be_repaired_as_it_can_be_insisted_upon(path: Path):
    told = run(path, "5S (5)K =r", "/repair", "/repair 2", "+12")
    assert told.exit_code == 0
    assert "  did you mean 5P, 5Q or 5A? /repair 1, 2 or 3; an earlier slip: /repair\n" in told.stdout
    assert "\n5E 5Q (5)K =r +12\n" in path.read_text(encoding="utf-8")


def test_a_pipe_ends_at_a_line_that_is_only_asked_about(path: Path):
    told = run(path, "5S", "/repair", "5P")
    assert told.exit_code == 1
    assert "line 1 of the input was not accepted, “5S”" in told.stderr
    assert "5E" not in path.read_text(encoding="utf-8")


def test_a_broken_record_says_so_in_the_plain_mode(path: Path):
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n3R 4Q (1)K", "\n3R 5Q (1)K"), encoding="utf-8")
    told = run(path, "/repair 1")
    assert "3R: Caesar has no 5 in hand [R203]; /repair lists what would make it fit" in told.stdout
    assert told.exit_code == 0
    assert "   ; repaired, a wrong card: 3R 5Q (1)K" in path.read_text(encoding="utf-8")


WRONG_STARTER = """[Rules "2024"]
[Result "*"]

0R (2)P (1)Q (4)A (3)K (5)C m(Q,3>) +v
0E (5)P (3)Q (1)A (4)K (2)C m(Q*,A*) +v
1E 5P (2)C +23
1R (4)Q =A4:1>R +4
2E (3)P =C5:22>R +2
2R 3Q (4)Q =K3:4>E +2s
3E (2)C 1Q =P2:553>E +11
3R (1)C sC(2) =Q4431:31>R +11
4E 2K =o +p
4R (5)Q 1A =r +3x
   % R stands: he thought for long
5E (p)Q 1C =o +53
"""


def test_the_wrong_starter_is_proposed_and_put_right():
    recorder = Recorder(MemoryStorage(WRONG_STARTER))
    assert not recorder.enter("5R x2P")
    words = len(proposed_words(recorder))
    proposal = all_prove_right(recorder)[words]
    assert proposal.words.startswith("Caesar began: every turn should be the other side's")
    obey(recorder, f"/repair {words + 1}")
    assert "\n2R (3)P =C52:2>R +2\n" in recorder.draft.text
    assert "\n5E x2P\n" in recorder.draft.text
    assert recorder.draft.text.count("repaired, a wrong starter") == 1


def test_sides_are_exchanged_and_exchanged_again():
    recorder = Recorder(MemoryStorage(WRONG_STARTER))
    before = recorder.draft.record
    assert obey(recorder, "/exchange") == ["4E: nothing in this turn needs a ruling [C911]"]  # as little as before
    assert recorder.draft.record.header("Starts") == "Caesar"
    assert "\n3E (1)C sC(2) =Q11:4433>E +11\n" in recorder.draft.text
    assert "\n   % E stands: he thought for long\n" in recorder.draft.text
    assert recorder.enter("5E x2P")
    obey(recorder, "/undo")
    obey(recorder, "/exchange")
    assert [turn.tokens for turn in recorder.draft.record.turns] == [turn.tokens for turn in before.turns]
    obey(recorder, "/exchange set-up")
    assert turn_text(recorder.draft.record.turns[0]).startswith("0E (2)P")
    with pytest.raises(Unheeded, match="write /exchange if the other player began"):
        obey(recorder, "/exchange 7E")


def test_a_players_log_keeps_the_votes_that_were_seen():
    record = view(simulate(load_edition("2024"), 0), "caesar").record
    recorder = Recorder(MemoryStorage(write(record)))
    obey(recorder, "/exchange")
    assert [turn.tokens for turn in recorder.draft.record.turns] == [turn.tokens for turn in record.turns]
