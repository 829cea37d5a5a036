"""Whoever asks for a point of view gets the same bytes for two games that differ only in what it can't know.

Which commands and formats are tried follows from the command line: whatever takes ``--as`` is here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
import tironian
from click.testing import CliRunner
from commands import NAMES, choices, in_all_formats
from scale import FULL, crossed, scaled
from test_redact import EDITIONS, otherwise, told_apart, unlike_games
from tironian import Comment, Edition, Record, parse, simulate, timeline, what_if, write
from tironian.replay.engine.headers import PLAYERS
from tironian.tools.cli.command_line import main
from tironian.tools.desk.worker import DeskSession
from tironian.tools.event.plan import plan_text

answer = DeskSession().answer

VIEWS: Final = ("caesar", "cleopatra", "table")
GAME, KEPT = "game.tiro", "game.insight.json"
NO_OUTPUT: Final = {
    "play": "its --as is a seat, and the program plays with the cards of the other one",
    "record": "its --as is written into the record of a new game",
    "step": "it is a screen on which another point of view can be chosen",
}
"""Commands whose ``--as`` is no point of view of what they write → why."""
QUICK: Final = {"analyse": ("--level", "quick", "--keep"), "drill": ("--level", "quick", "--list", "--state", "state")}
"""Options that a command needs here."""
MORE: Final = {
    "show": (("--odds",),), "timeline": (("--full",), ("--only", "veto", "--format", "md")),
    "votes": (("--folder", "votes"), ("--folder", "pictures", "--format", "svg")), "view": (),
    "analyse": (("--top", "9"), ("--only", "?,??,?!"), ("--page", "x.html", "--format", "html")), "drill": ((),),
}  # fmt: skip
"""What else is tried of each command besides its formats: further options."""
DRAWN: Final = ("svg", "png", "pdf")


def test_every_command_with_a_point_of_view_is_tried():
    assert {name for name in NAMES if choices(name, "--as")} == MORE.keys() | NO_OUTPUT.keys()


def commands(record: Record, view: str, rng: Random) -> list[tuple[str, ...]]:
    """Whatever shows a game to one point of view; half of it in an ordinary run, and the other half to the next."""
    return [*all_commands(record, view, rng)][VIEWS.index(view) % 2 if not FULL else 0 :: scaled(4, 1)]


def all_commands(record: Record, view: str, rng: Random) -> Iterator[tuple[str, ...]]:
    at = rng.choice(record.turns[2:]).label
    for name in MORE:
        needed = QUICK.get(name, ())
        if view not in choices(name, "--as"):
            continue
        for words in in_all_formats(name, GAME, *needed):
            more = ("--vote", "1") if name == "votes" and words[-1] in DRAWN else ()
            yield (*words, *more, *(("--at", at) if name == "show" else ()))
        yield from ((name, GAME, *needed, *more) for more in MORE[name])


def written(folder: Path, words: tuple[str, ...], but: str) -> list[bytes]:
    """What a command writes: its output, what it says, and all files but the record and one other."""
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code in (0, 1, 2), (words, done.output)
    assert not done.exception or isinstance(done.exception, SystemExit), (words, done.exception)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in (GAME, but)]
    named = [part for path in files for part in (str(path.relative_to(folder)).encode(), path.read_bytes())]
    return [str(done.exit_code).encode(), done.stdout_bytes, done.stderr_bytes, *named]


def by_the_library(text: str, view: str) -> list[object]:
    """What the library and the desk show of a game to one point of view."""
    (game,) = parse(text)
    told = timeline(game, view)
    shown: list[object] = [repr(told), told._repr_html_(), tironian.page(game, view), tironian.picture(game, view)]
    shown += [[option.written for option in each.options] for each in what_if(game, view)]
    shown += [tironian.analyse(game, PLAYERS.index(view), "quick")] if view in PLAYERS else []
    return [*shown, answer(json.dumps({"ask": "look", "text": text, "view": view}))]


class Pair:
    """Two games in two folders, which are to be shown alike."""

    def __init__(self, home: Path, one: Record, two: Record, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folders, self.texts, self.patch = (home / "one", home / "two"), (write(one), write(two)), monkeypatch
        for folder, text in zip(self.folders, self.texts, strict=True):
            folder.mkdir(parents=True)
            (folder / GAME).write_text(text, encoding="utf-8")

    def run(self, *words: str, but: str = "") -> list[list[bytes]]:
        found = []
        for folder in self.folders:
            self.patch.chdir(folder)
            found.append(written(folder, words, but))
        return found

    def is_alike(self, *words: str, but: str = "") -> None:
        one, two = self.run(*words, but=but)
        assert one == two, words


@pytest.mark.parametrize(("edition", "view"), crossed(EDITIONS, VIEWS), ids=told_apart)
def test_games_that_differ_in_hidden_cards_look_alike(
    edition: Edition, view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    rng = Random(f"{told_apart(edition)} {view}")
    for number, (record, one, two) in enumerate(unlike_games(edition, view, rng, scaled(1, 7))):
        pair = Pair(tmp_path / str(number), one, two, monkeypatch)
        for words in commands(record, view, rng):
            pair.is_alike(*words, "--as", view)
        if FULL or edition is EDITIONS[0]:
            one_told, two_told = (by_the_library(text, view) for text in pair.texts)
            assert one_told == two_told


@pytest.mark.parametrize(("edition", "view"), crossed(EDITIONS, VIEWS) if FULL else [(EDITIONS[0], "caesar")])
def test_what_was_kept_of_a_whole_game_tells_a_point_of_view_nothing_more(
    edition: Edition, view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    rng = Random(f"kept {told_apart(edition)} {view}")
    for number, (_, one, two) in enumerate(unlike_games(edition, view, rng, scaled(1, 3))):
        pair = Pair(tmp_path / str(number), one, two, monkeypatch)
        whole = pair.run("analyse", GAME, "--level", "quick", "--keep")
        assert whole[0] != whole[1]
        for name, more in (("timeline", ()), ("votes", ("--vote", "1")), ("analyse", QUICK["analyse"][:2])):
            for words in in_all_formats(name, GAME, *more):
                pair.is_alike(*words, "--as", view, but=KEPT)


@pytest.mark.parametrize("view", PLAYERS)
def test_the_log_of_the_other_player_tells_nothing_more(view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Of such a log there is no record and no judgement for that player, but a table."""
    other = PLAYERS[1 - PLAYERS.index(view)]
    rng = Random(f"log {view}")
    for number, (record, *pair) in enumerate(unlike_games(EDITIONS[PLAYERS.index(view)], view, rng, scaled(1, 25))):
        logs = [tironian.view(each, other, keep_remarks=True).record for each in pair]
        logged = Pair(tmp_path / str(number), *logs, monkeypatch)
        for words in commands(record, view, rng):
            logged.is_alike(*words, "--as", view)


def test_pages_of_an_event_whose_cards_are_secret_look_alike(tmp_path: Path):
    """And so do the checksums from which the program knows which of them to make again."""
    rng = Random("event")
    pairs = ((one, otherwise(one, (0, 1), rng)) for one in (simulate(EDITIONS[0], seed) for seed in range(99)))
    for number, (one, two) in zip(range(scaled(1, 30)), (pair for pair in pairs if pair[0] != pair[1]), strict=False):
        sites = []
        for name, record, words in (("one", one, "he has the 5"), ("two", two, "she has a veto")):
            folder, site = tmp_path / f"{number}{name}" / "open", tmp_path / f"{number}{name}" / "site"
            folder.mkdir(parents=True)
            people = {"Caesar": "Livia", "Cleopatra": "Marcus", "Round": "1", "Event": "Open"}
            headers = tuple({**dict(record.headers), **people}.items())
            text = write(Record(headers, (Comment(words),), record.turns, record.result))
            (folder / GAME).write_text(text, encoding="utf-8")
            pairing = {"round": 1, "table": 1, "caesar": "Livia", "cleopatra": "Marcus"}
            plan = {"format": "tironian-event", "version": 1, "name": "Open", "rules": "2024", "rounds": 1}
            plan |= {"players": [{"name": "Livia"}, {"name": "Marcus"}], "pairings": [pairing]}
            plan |= {"secret-until": "9999.12.31"}
            (folder / "event.toml").write_text(plan_text(plan), encoding="utf-8")
            done = CliRunner().invoke(main, ["event", str(folder), "--site", str(site), "-j", "1"])
            assert "1 game page made" in done.output, done.output
            made = re.compile(r"\d{4}-\d\d-\d\dT[\d:+]+")
            files = [path for path in sorted(site.rglob("*")) if path.is_file()]
            sites.append({path.relative_to(site): made.sub("", path.read_text(encoding="utf-8")) for path in files})
        assert sites[0] == sites[1]
