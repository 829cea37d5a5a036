"""The organiser of an event in a browser: the same actions as ``tiro event``, and nobody acts on what has changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from archives import tiro
from imports import ROOT
from tironian.tools.club.organiser import ACCEPT, REFUSE, UNDO, Entry, Organiser, StaleError, entries_of
from tironian.tools.storage.api import CannotRun

RESULT = "caesar"


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event in which something of several kinds is to do."""
    return Path(copytree(ROOT / "examples/event", tmp_path / "open"))


def entries(organiser: Organiser) -> list[Entry]:
    return [*entries_of(organiser.state())]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def deeds(organiser: Organiser) -> Iterator[tuple[str, Entry, str]]:
    """What an organiser does until nothing is left: every third thing stays as it is."""
    number = 0
    while found := entries(organiser):
        one, number = found[0], number + 1
        value = "" if one.one.proposes else next(iter(one.values), "")
        yield (ACCEPT if one.one.proposes or value else REFUSE) if number % 3 else REFUSE, one, value


def test_everything_that_is_done_here_is_done_alike_by_the_command(event: Path, tmp_path: Path):
    other = Path(copytree(event, tmp_path / "other"))
    organiser = Organiser(str(event))
    kinds = set[str]()
    for what, one, value in deeds(organiser):
        value = value if what == ACCEPT else ""
        organiser.act(what, one.one.key, one.seen, value)
        option = f"--{what}"
        assert tiro("event", other, option, one.one.key + f"={value}" * bool(value)).exit_code == 0
        assert files(event) == files(other)
        kinds.add(one.one.kind)
    assert len(kinds) > 3
    assert tiro("event", event).exit_code == 0, "nothing is left"
    while done := [*enumerate(organiser_changes(event))]:
        number, key = done[-1]
        organiser.act(UNDO, str(number), key)
        assert tiro("event", other, "--undo").exit_code == 0
    assert files(event) == files(other)
    assert {name: text for name, text in files(event).items() if "originals" not in name} == files(
        ROOT / "examples/event"
    )


def organiser_changes(folder: Path) -> list[str]:
    from tironian.tools.event.changes import standing_changes

    return [one.key for one in standing_changes(str(folder))]


def test_nobody_acts_on_what_has_changed(event: Path):
    organiser = Organiser(str(event))
    one = next(each for each in entries(organiser) if each.one.proposes and each.one.places)
    place = event / one.one.edits[0].file
    place.write_text(place.read_text(encoding="utf-8").replace("Date", "Dale"), encoding="utf-8")
    before = files(event)
    for key, seen in ((one.one.key, one.seen), ("00000000", one.seen), (one.one.key, "")):
        with pytest.raises(StaleError):
            organiser.act(ACCEPT, key, seen)
    assert {name: text for name, text in files(event).items() if "originals" not in name} == before


def test_what_is_done_about_one_thing_does_not_age_another(event: Path):
    organiser = Organiser(str(event))
    first, *_, last = [each for each in entries(organiser) if each.one.proposes]
    organiser.act(ACCEPT, first.one.key, first.seen)
    organiser.act(ACCEPT, last.one.key, last.seen)


def test_of_two_organisers_who_do_the_same_at_once_one_does_it(event: Path):
    organisers = [Organiser(str(event)) for _ in range(2)]
    one = next(each for each in entries(organisers[0]) if each.one.proposes)
    done, together = list[str](), threading.Barrier(2)

    def act(organiser: Organiser) -> None:
        together.wait()
        try:
            done.append(organiser.act(ACCEPT, one.one.key, one.seen))
        except (StaleError, CannotRun):
            done.append("")

    threads = [threading.Thread(target=act, args=(organiser,)) for organiser in organisers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(bool, done)) == [False, True]
    assert organiser_changes(event) == [one.one.key]


def test_an_earlier_change_is_undone_unless_a_later_one_needs_it(event: Path):
    organiser = Organiser(str(event))
    found = entries(organiser)
    own = next(each for each in found if each.one.kind == "illegal")
    other = next(each for each in found if each.one.name == "result" and not each.one.proposes)  # in event.toml
    organiser.act(ACCEPT, own.one.key, own.seen)
    organiser.act(ACCEPT, other.one.key, other.seen, RESULT)
    keys = organiser_changes(event)
    assert len(keys) == 2
    with pytest.raises(StaleError):
        organiser.act(UNDO, "0", keys[1])
    before = files(event)
    organiser.act(UNDO, "0", keys[0])
    assert organiser_changes(event) == keys[1:]
    assert files(event) != before
    assert [one.one.key for one in entries(organiser)].count(keys[0]) == 1


def test_a_change_that_a_later_one_builds_on_stays(event: Path):
    organiser = Organiser(str(event))
    missing = [each for each in entries(organiser) if each.one.name == "result"]
    organiser.act(ACCEPT, missing[0].one.key, missing[0].seen, RESULT)
    text = next(each for each in entries(organiser) if any(edit.file == "event.toml" for edit in each.one.edits))
    organiser.act(ACCEPT, text.one.key, text.seen, "" if text.one.proposes else RESULT)
    with pytest.raises(CannotRun, match="changed the same file"):
        organiser.act(UNDO, "0", organiser_changes(event)[0])


def test_the_differences_are_those_that_are_made(event: Path):
    organiser = Organiser(str(event))
    one = next(each for each in entries(organiser) if each.one.kind == "illegal")
    removed = [line[1:] for line in one.lines if line.startswith("-")]
    added = [line[1:] for line in one.lines if line.startswith("+")]
    place = event / one.one.edits[0].file
    before = place.read_text(encoding="utf-8")
    organiser.act(ACCEPT, one.one.key, one.seen)
    after = place.read_text(encoding="utf-8")
    assert all(line in before and line not in after.splitlines() for line in removed)
    assert all(line in after for line in added)
    assert removed
    assert added
