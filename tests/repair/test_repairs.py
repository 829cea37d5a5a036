"""Repairs of games with slips in them: proven, found, and never offered for what is legal."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from scale import FULL, crossed, scaled
from schema_parts import closed_schema
from slip_models import broken_off, ruled, rules, slip, uniform_slip
from tironian import (
    EDITION_NAMES,
    Edition,
    Record,
    Repair,
    check,
    find_repairs,
    load_edition,
    parse,
    simulate,
    turn_text,
    view,
    write,
)
from tironian.notation.arrays import COMPILED
from tironian.notation.safe_text import visible_char
from tironian.replay.words.events import instead
from tironian.tools.cli.command_line import main
from tironian.tools.recorder.storage import RecordStorage
from tironian.tools.repair.edits import with_old_lines
from tironian.tools.repair.search import plain
from tironian.tools.repair.slips import Slip

HOME = Path(__file__).parents[2] / "examples"
BROKEN = sorted((HOME / "broken").glob("*.tiro"))
GAMES = scaled(4, 2000)
"""Games of each rule set that get a slip; of these about nine in ten become illegal."""
EDITIONS = EDITION_NAMES if FULL or COMPILED else EDITION_NAMES[1:2]
SOME_BROKEN = BROKEN if FULL else BROKEN[:: 2 if COMPILED else 6]
"""The pure build takes ten times as long, and runs the same program."""


def played(record: Record) -> object:
    """What a record says of a game, without what makes no difference."""
    turns = tuple((turn.number, turn.side, plain(turn.tokens)) for turn in record.turns)
    return record.header("Rules"), turns, record.result and record.result.points


def rank(original: Record, repairs: list[Repair]) -> int | None:
    """The place of the original among the repairs, from 0; None where it is not among them."""
    return next((place for place, repair in enumerate(repairs) if played(repair.record) == played(original)), None)


def is_proven(repair: Repair) -> bool:
    """Whether the text of a repaired record is read again as legal, or as possible."""
    return check(parse(write(repair.record))[0]).verdict in ("legal", "possible")


class Slipped(NamedTuple):
    """Games with slips: how many of each rule set, and which share of the originals has to be found."""

    games: int
    first: int
    three: int
    slips: int = 1
    of: Callable[[Record, Edition], Record] = lambda record, _: record
    """What is recorded of a game before the slips."""


def otherwise_ruled(record: Record, edition: Edition) -> Record:
    return ruled(record, Random(len(record.turns)), list(edition.actions), list(edition.groups))


SLIPPED = {
    "one slip of the table": Slipped(GAMES, scaled(50, 80), scaled(70, 95)),
    "two slips of the table": Slipped(scaled(1, 125), 0, scaled(0, 70), 2),
    "slips of words and characters": Slipped(scaled(2, 500), 0, scaled(0, 80), 0),
    # Less is to be expected: what the player never saw can't be told.
    "a player's log": Slipped(scaled(1, 500), 0, scaled(0, 60), of=lambda record, _: view(record, "caesar").record),
    "broken off in the middle of a turn": Slipped(
        scaled(4, 200), 0, scaled(50, 80), of=lambda record, _: broken_off(record, Random(len(record.turns)))
    ),
    "with a ruling": Slipped(scaled(4, 200), 0, scaled(50, 60), of=otherwise_ruled),
    # A slip that explains the record by the rules as written comes first: one slip is likelier than two.
    "one slip and another rule set": Slipped(scaled(4, 100), 0, scaled(50, 60)),
}


@pytest.mark.parametrize(("case", "name"), crossed(SLIPPED, EDITIONS))
def test_slips_are_found(name: str, case: str):
    """The original is found often enough; TIRO_FULL=1 counts how often, by kind of slip."""
    games, *least, slips, of = SLIPPED[case]
    edition = load_edition(name)
    broken_kinds, found = Counter[str](), (Counter[str](), Counter[str]())
    for seed in range(1, games + 1):
        rng, original = Random(seed), of(simulate(edition, seed), edition)
        broken, kinds = rules(original, rng) if case.endswith("rule set") else original, []
        for _ in range(slips):
            kind, broken = slip(broken, rng, list(edition.actions), list(edition.groups))
            kinds.append(kind)
        if not slips:
            broken = uniform_slip(original, rng)
        if check(broken).verdict not in ("illegal", "unreadable"):
            continue
        repairs = find_repairs(broken)
        assert all(map(is_proven, repairs)), write(broken)
        place, kind = rank(original, repairs), " + ".join(sorted(kinds)) or "uniform"
        broken_kinds[kind] += 1
        for counts, most in zip(found, (1, 3), strict=True):
            counts[kind] += place is not None and place < most
    total = broken_kinds.total()
    shares = [counts.total() / max(1, total) for counts in found]
    print(f"\n{name}, {case}: {total} broken, first {shares[0]:.3f}, three {shares[1]:.3f}")
    for kind, number in sorted(broken_kinds.items()):
        first, three = (counts[kind] / number for counts in found)
        print(f"  {kind:20} {number:5}  first {first:.2f}  three {three:.2f}")
    assert shares[0] >= least[0] / 100
    assert shares[1] >= least[1] / 100


@pytest.mark.parametrize("name", EDITIONS)
def test_no_legal_game_gets_a_suggestion(name: str):
    for seed in range(1, scaled(5, 200) + 1):
        game = simulate(load_edition(name), seed)
        assert find_repairs(game) == []
        assert find_repairs(view(game, "table").record) == []


def test_cards_in_no_order_of_their_own_are_taken_as_they_stand():
    """The discards of a position stand in any order."""
    text = '[Rules "2024"]\n[Setup "position"]\n\n0R (4)C h(2swxxv) d(451sxcs)\n0E (4)Q h(2scssw) d(1545)\n1E 9A\n'
    repairs = find_repairs(parse(text)[0])
    assert [repair.edits[0].slip for repair in repairs] == [Slip.SPELLING] * 3 + [Slip.EXTRA]
    assert all(map(is_proven, repairs))


def test_a_game_may_stop_in_mid_turn():
    """What is being recorded stops there, and that is no slip."""
    whole = (HOME / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
    begun = re.sub('Result ".*"', 'Result "*"', whole.partition("\n5E ")[0])
    repairs = find_repairs(parse(f"{begun}\n5E 2A\n*\n")[0])
    assert "5E 5A" in [turn_text(repair.record.turns[-1]) for repair in repairs]
    assert all(map(is_proven, repairs))


def test_a_line_that_two_slips_have_changed_is_kept_as_it_stood():
    """Each edit is made of the line that the one before it left."""
    text = '[Rules "2024"]\n[Setup "position"]\n\n0R (4)C h(2swxxv) d(451sxcs)\n0E (4)Q h(2scssw) d(1545)\n1E 9A 9K\n'
    record = parse(text)[0].record
    repair = next(repair for repair in find_repairs(record) if len(repair.edits) > 1)
    assert write(with_old_lines(repair.edits, record)).count(": 1E 9A 9K\n") == 1


GIVEN_UP = """[Rules "2024"]
[Result "1-2"]
[Setup "position"]
[Termination "resigned"]

0R g(PP) h(12345v)
0E g(Q) h(12345v)
6E (3)A 5Q =o +14
2-1
"""


def test_the_same_record_always_gets_the_same_repairs():
    game = parse((HOME / "broken" / "sixth-card.tiro").read_text(encoding="utf-8"))[0]
    one, other = find_repairs(game), find_repairs(game)
    assert [repair.edits for repair in one] == [repair.edits for repair in other]


@pytest.mark.parametrize("path", SOME_BROKEN, ids=lambda path: path.stem)
def test_broken_examples(path: Path, monkeypatch: pytest.MonkeyPatch):
    """What a person would repair stands among the first."""
    monkeypatch.chdir(HOME.parent)
    told = CliRunner().invoke(main, ["repair", str(path.relative_to(HOME.parent))]).stdout
    assert told == path.with_suffix(".repairs").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ the command


def tiro(*args: str | Path, stdin: str = ""):
    return CliRunner().invoke(main, ["repair", *map(str, args)], input=stdin.encode())


def test_several_games_are_written_without_a_trail(tmp_path: Path):
    out = tmp_path / "repaired.tiro"
    assert tiro(*BROKEN[:2], "-o", out).exit_code in (0, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["repaired.tiro"]
    assert tiro(BROKEN[0], "-o", os.devnull).exit_code in (0, 1)


@pytest.mark.parametrize("recorded", [True, False])
def test_what_was_there_before_is_not_lost(tmp_path: Path, recorded: bool):
    """A file that is overwritten keeps the trail that lies beside it, and what it held can be had again."""
    out = tmp_path / "game.tiro"
    if recorded:
        with RecordStorage(out) as storage:
            storage.keep("1R 1A\n", "entry")
    else:
        out.write_text("1R 1A\n", encoding="utf-8")
    assert tiro(HOME / "broken" / "single-card-face-up.tiro", "-o", out, "--force").exit_code == 0
    with RecordStorage(out) as storage:
        assert [entry.what for entry in storage.journal.entries] == ["entry"] * recorded + ["repaired"]
        assert storage.undo()
    assert out.read_text(encoding="utf-8") == "1R 1A\n"


def test_json_obeys_its_schema():
    schema = closed_schema("repairs")
    data = json.loads(tiro("--format", "json", HOME / "broken" / "sixth-card.tiro").stdout)
    Draft202012Validator(schema).validate(data)
    assert data["games"][0]["repairs"][0]["edits"][0]["slip"] == "group"
    assert schema["$defs"]["edit"]["properties"]["slip"]["enum"] == [slip.value for slip in Slip]


def test_json_hides_nothing():
    """What people wrote goes into it whole, and steers no terminal."""
    event = "\x1b[2J\x9b5i\u202e\u2028\x7fé"
    told = tiro("--format", "json", "-", stdin=f'[Event "{event}"]\n{GIVEN_UP}').stdout
    assert {char for char in told if visible_char(char) != char} == {"\n"}
    assert "é" in told
    assert f'[Event "{event}"]' in json.loads(told)["games"][0]["repairs"][0]["record"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3A", "2A", "Caesar places a 2 face up at the Aediles, not a 3"),
        ("4Q", "(4)Q", "Caesar places a 4 face down at the Quaestors, not face up"),
        ("3C", "3Q", "Caesar places a 3 face up at the Quaestors, not at the Censors"),
        ("+45", "+15", "Caesar draws a 1, not a 4"),
        ("+45", "+4", "Caesar does not draw a 5"),
        ("+4", "+4p", "Caesar also draws a philosopher"),
        ("+xy", "+yx", ""),
        ("=A3:2>R", "=S3:2>R", "the vote is held at the Senators, not at the Aediles"),
        ("=A3:2>E", "=A3:2>R", "Rome wins the vote at the Aediles"),
        ("=A3:2>R", "=A3:p>R", "Egypt shows a philosopher at the Aediles"),
        ("=A3:2>R", "=A4:5>E", "Rome shows 4 at the Aediles and Egypt shows 5 at the Aediles"),
        ("=A3:2>R", "=A3:2>-", ""),
        ("=A3:2>R", "=o", "no vote is held"),
        ("", "*A3:2>R", "a special vote is held at the Aediles"),
        ("", "mR1 mE2", "Caesar keeps the first of two missions and Cleopatra keeps the second of two missions"),
        ("2A sP", "sP 2A", "first Caesar plays a scout at the Praetors; then Caesar places a 2 face up at the Aediles"),
        ("wA", "", "“Caesar plays the wrath of the gods at the Aediles” should not be there"),
        ("5k", "5K", "Caesar places a 5 face up at the Consuls"),
        ("3A", "+3", ""),
    ],
)
def test_words_are_told_in_place_of_others(old: str, new: str, said: str):
    (game,) = parse(f'[Rules "2024"]\n\n1E {old}\n1R {new}\n*\n')
    first, second = (turn.tokens for turn in game.record.turns)
    assert instead(first, second, "Caesar", load_edition("2024")) == said
