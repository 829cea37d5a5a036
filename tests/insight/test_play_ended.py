"""``tiro play`` ended at any moment: nothing that was shown can be played again differently."""

from __future__ import annotations

import os
import re
import subprocess
from itertools import cycle, islice, zip_longest
from pathlib import Path

import pytest
from click.testing import CliRunner
from duels import PLAYERS, decisions, duel_of
from moments import tiro_where
from scale import scaled
from tironian import write
from tironian.tools.cli import play as command
from tironian.tools.cli.command_line import main
from tironian.tools.insight.duel import Duel
from tironian.tools.insight.duel_lines import news_lines, nothing_back

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes"),
]
RULES, SEED, COUNT = "fr", 38, 57
"""A game with a vote, a castling and a spy of the person, and actions of the other side that may be vetoed."""
GAME = ("--rules", RULES, "--as", PLAYERS[SEED % 2], "--seed", str(SEED), "--level", "1", "--plain")
MOMENTS = 40
MARKS = ("Your spy sees", "How do you lay out", "Do you veto", "vote at", "draws", "Which pile")
"""What the person could not know, or what is not a word of the record yet."""
NEWS = re.compile(r"^\d+[RE] +\S.*  .+")
AS_STARTED = "from tironian.tools.cli.__main__ import main\n"
"""From a shell: with what the program does when a signal ends it."""


class Whole:
    """The game that nobody ended: what is typed, asked, kept and told, move by move."""

    def __init__(self) -> None:
        self.typed, self.asked, self.kept = list[list[str]](), list[str](), list[str]()
        duel = duel_of(RULES, SEED, 1)
        for place in decisions(duel, COUNT):
            self.typed.append([duel.offers()[place].text] * (1 + duel.closes_placing(place)))
            self._note(duel)
        self._note(duel)
        self.story = news_lines(duel.story)

    def _note(self, duel: Duel) -> None:
        duel.news()
        self.asked.append(duel.asked())
        self.kept.append(write(duel.record()))

    def typed_from(self, made: int = 0) -> str:
        return "\n".join([word for words in self.typed[made:] for word in words])


def moments(said: list[str]) -> list[int]:
    """The calls of ``say`` before which the game is ended: after what matters most, and evenly in between."""
    begun = next(at for at, text in enumerate(said) if news_of(text))
    after = [[at + 2 for at, text in enumerate(said) if mark in text][:4] for mark in MARKS]
    assert all(after)
    evenly = range(begun + 2, len(said), 3)
    return [*islice(dict.fromkeys([at for each in zip_longest(*after) for at in each if at] + [*evenly]), MOMENTS)]


def run(arranged: str, file: Path, typed: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*tiro_where(f"{AS_STARTED}{arranged}"), "play", str(file), *args],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        start_new_session=True,
        check=False,
    )


def news_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if NEWS.match(line)]


def events(news: list[str]) -> list[tuple[str, str]]:
    """What happened, each with its turn: the words, and the cards that were drawn one by one."""
    words = [line.split()[:2] for line in news]
    return [(turn, each) for turn, word in words for each in (word[1:] if word[0] == "+" else [word])]


def test_what_was_shown_before_the_program_was_ended_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole, said, say = Whole(), list[str](), command.say
    monkeypatch.setattr(command, "say", lambda *lines, **how: (said.append("\n".join(lines)), say(*lines, **how)))
    done = CliRunner().invoke(main, ["play", str(tmp_path / "whole.tiro"), *GAME], input=whole.typed_from())
    assert (news_of(done.stdout), (tmp_path / "whole.tiro").read_text("utf-8")) == (whole.story, whole.kept[-1])
    monkeypatch.undo()
    ends = [*zip(moments(said), cycle(["SIGKILL", "SIGTERM", "SIGHUP"]), strict=False)]
    assert len(ends) == MOMENTS
    for moment, name in ends[:: scaled(13, 1)]:
        file = tmp_path / f"{moment}.tiro"
        arranged = f"import signal\nat_call({moment}, 'tironian.tools.cli.play:say', signal.{name})"
        ended = run(arranged, file, whole.typed_from(), *GAME)
        assert ended.returncode in (-9, 128 + 1, 128 + 15), ended.stderr
        shown, asked = news_of(ended.stdout), [line for line in ended.stdout.splitlines() if "?" in line]
        asked = [text for line in asked for text in {*whole.asked} if text and line.startswith(text)]
        assert (shown, asked) == (whole.story[: len(shown)], whole.asked[: len(asked)])
        # All that was answered is in the file: the same is asked again, and nothing can be taken back.
        made = whole.kept.index(file.read_text("utf-8"))
        assert made >= len(asked) - 1
        again = run("", file, f"undo\n{whole.typed_from(made)}")
        assert (again.returncode, file.read_text("utf-8")) == (0, whole.kept[-1]), again.stderr
        first, back, _ = again.stdout.partition(nothing_back())
        assert back
        assert whole.asked[made] in first
        # It tells the last two turns, at least up to what was shown, and goes on from there.
        # Cards drawn one by one are told together afterwards.
        told, all_, before = events(news_of(again.stdout)), events(whole.story), events(shown)
        assert sorted(told) == sorted(all_[-len(told) :])
        assert len(all_) - len(told) <= len(before) <= len(all_) - len(told) + len(events(news_of(first)))
