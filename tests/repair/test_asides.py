"""What moves no card, broken in every way at hand, one break a game: the verdict and the honest game must come back."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable

import pytest
from tironian import check, find_repairs, from_json, load_edition, parse, simulate, to_json, write

COUNT = int(os.environ.get("TIRO_ASIDES", 0)) or (20_000 if os.environ.get("TIRO_FULL") else 140)
RULES = ("2024", "1997", "fr", "taylor")
CLOCKS = [
    "@0:28:54,5", "@0:2:50", "@28.54", "@0:28:54h", "@1h05", "@12'30", "@--", "@", "@0.28.54", "@28m54s", "@0:28:54s",
    "@1:2", "@54", "@abc", "@(0:28:54)", "0:28:54,5",
]  # fmt: skip
RESULTS = (
    "{r}:{e}", "{r}–{e}", "{r} - {e}", "{r}/{e}", "Result: {r}-{e}", "{r}-{e} {w} wins", "Rome {r}, Egypt {e}",
    "({r}-{e})", "[{r}-{e}]", "**{r}-{e}**", "{r}_{e}",
    "Final score: {r}:{e}", "Egypt {e} - Rome {r}", "{r} to {e}", "{w} wins",
)  # fmt: skip
PROSE = (
    "Hello, this is our game:", "He missed the philosopher!", "--", "-- ", "Octavia", "[pgn]", "[/pgn]", "```", "-----",
    "=====", "<pre>", "From: Livia <livia@example.org>", "Page 3 of 7", "==> b.tiro <==", "--- a.tiro ---",
    "On 12 Mar 2026 at 10:15, Livia wrote:", "Best wishes,", "[url=http://example.org]",
    "He should have played 5Q here.",
    "Sent from my iPhone 12", "Subject: our game", "Date: Thu, 12 Mar 2026", "&nbsp;", "* * *",
)  # fmt: skip
ALTERNATIVES = ("| better is something else", "|", "| {better} {t}", "| 5Q (3)A", "| {t} zz", "| pass would be best")


def turns_of(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if re.match(r"[1-9]\d*[RE] ", line)]


def clock(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.choice(turns_of(lines))
    words = [*lines[at].split(" ")]
    words.insert(dice.choice((len(words), dice.randint(1, len(words)))), dice.choice(CLOCKS))
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


def result(lines: list[str], dice: random.Random) -> list[str]:
    rome, egypt = lines[-1].partition(">")[0].split("-")
    won = "Rome" if int(rome) > int(egypt) else "Egypt"
    said = dice.choice(RESULTS[: -1 if rome == egypt else None]).format(r=rome, e=egypt, w=won)
    return [*lines[:-1], said]


def place_of_result(lines: list[str], dice: random.Random) -> list[str]:
    *turns, last, score = lines
    ways = (
        [*turns, last, score, score], [*turns, score, last], [*turns, f"{last} {score}"], [*turns, score, last, score],
        [*turns, last, "*", score],
    )  # fmt: skip
    return dice.choice(ways)


def prose(lines: list[str], dice: random.Random) -> list[str]:
    first = turns_of(lines)[0]
    at = dice.choice((0, len(lines), dice.randint(first, len(lines))))
    return [*lines[:at], dice.choice(PROSE), *lines[at:]]


def alternative(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.choice(turns_of(lines))
    said = dice.choice(ALTERNATIVES).replace("{t}", " ".join(lines[at].split(" ")[:2]))
    return [*lines[: at + 1], f"   {said}", *lines[at + 1 :]]


def doubled(lines: list[str], dice: random.Random) -> list[str]:
    places, size = turns_of(lines), dice.choice((1, 1, 2, 3))
    if dice.random() < 0.1:  # a line of the set-up
        at = places[0] - dice.choice((1, 2))
        return [*lines[: at + 1], *lines[at:]]
    end = dice.choice((places[-1], dice.choice(places[size:]))) + 1
    return [*lines[:end], *lines[end - size : end], *lines[end:]]


def ends(lines: list[str], dice: random.Random) -> list[str]:
    """Put what programs leave at the ends and between the parts of a file; turns are not touched."""
    *turns, score = lines
    first = lines[0].removesuffix("]")
    rome, egypt = map(int, score.partition(">")[0].split("-"))
    ways = [
        [*lines, "\x1a"], [*lines, "\u200b"], [*turns, f"{score}\x1a"], [f"[pgn]{lines[0]}", *lines[1:], "[/pgn]"],
        [f"{lines[0]} {lines[1]}", *lines[2:]], ["\u2028".join(lines)], [f"{first}] and so on", *lines[1:]],
        ["\ufeff\ufeff" + lines[0], *lines[1:]],
        [*turns, "1-0" if rome > egypt else "0-1"] if rome != egypt else [*turns, "draw"],
    ]  # fmt: skip
    return dice.choice(ways)


KINDS: dict[str, Callable[[list[str], random.Random], list[str]]] = {
    each.__name__: each for each in (clock, result, place_of_result, prose, alternative, doubled, ends)
}


def bare(text: str) -> list[str]:
    """Return the lines of a record without comments, marks and alternatives, which a repair may add."""
    lines = [re.sub(r"\s*(\{[^}]*\}|;.*|\s@\S+)", "", line).rstrip() for line in text.splitlines()]
    lines = [re.sub(r"^(\d+-\d+)>[RE-]$", r"\1", line) for line in lines]
    return [line for line in lines if line and not line.lstrip().startswith("|")]


@pytest.mark.parametrize("kind", KINDS)
def test_what_moves_no_card_changes_no_verdict(kind: str):
    """The first repair gives the honest game back, and nothing that was written is lost on the way."""
    missed: Counter[str] = Counter()
    count = COUNT // len(KINDS)
    for seed in range(count):
        dice = random.Random(f"{kind} {seed}")
        honest = write(simulate(load_edition(RULES[seed % 4]), seed % 500))
        lines = honest.splitlines()
        broken = "\n".join(KINDS[kind](lines, dice)) + "\n"
        told = f"seed {seed}: {set(broken.splitlines()) - set(lines)}"
        (game,) = parse(broken)
        verdict, wanted = check(game), check(parse(honest)[0])
        assert verdict.verdict == wanted.verdict, (told, verdict.diagnostics)
        assert verdict.state is not None
        assert verdict.score == wanted.score, told
        again = write(game.record)
        assert parse(again)[0].record == game.record, told
        assert from_json(to_json(game.record)) == game.record, told
        words = set(re.findall(r"\w+", broken))
        assert words <= set(re.findall(r"\w+", again)), told
        for diagnostic in verdict.diagnostics:
            named = set(re.findall(r"\b\d+-\d+\b", diagnostic.help))
            assert named <= {lines[-1].partition(">")[0]}, (told, diagnostic.help)
        found = find_repairs(game, max_repairs=1)
        if verdict.diagnostics:
            missed[told] += not found or bare(write(found[0].record)) != bare(honest)
    print(kind, f"{1 - missed.total() / count:.1%}", [each for each, times in missed.items() if times][:20])
    assert missed.total() <= 0.05 * count, [each for each, times in missed.items() if times]


@pytest.mark.parametrize("where", ["before", "in"])
def test_nobody_is_accused_where_a_remark_may_have_been_a_move(where: str):
    """A move that is told in words, or hidden in what looks like a clock, leaves a gap: that is no illegal play."""
    for seed, rules in enumerate(RULES):
        lines = write(simulate(load_edition(rules), seed)).splitlines()
        for at in turns_of(lines)[2:-1:3]:
            told = ["Then a five was put on the Praetors", "no vote this time", "Cleopatra passes"][at % 3]
            label, *words = lines[at].split()
            change = [told] if where == "before" else [" ".join([label, f"@{words[0]}", *words[1:]])]
            (game,) = parse("\n".join([*lines[:at], *change, *lines[at + 1 :]]) + "\n")
            assert check(game).verdict != "illegal", (rules, change)


def test_a_second_game_without_headers_is_no_illegal_play():
    one, two = (write(simulate(load_edition("2024"), seed)) for seed in (1, 2))
    moves = two[two.index("0R") :]
    for between in ("", "\n", "; the second game\n"):
        assert [check(game).verdict for game in parse(one + between + moves)] == ["unreadable"], between


def test_two_files_without_a_line_end_between_are_two_games():
    one, two = (write(simulate(load_edition("2024"), seed)) for seed in (1, 2))
    for end in ("", "\ufeff", "\x1a", " ", "; signed"):
        first = one.rstrip("\n") + end
        games = parse(first + two)
        assert [check(game).verdict for game in games] == ["legal", "legal"], end
        assert games[1].record == parse(two)[0].record
        assert "line end" in games[0].problems[0].help
        assert find_repairs(games[0])[0].description == (
            "a line end is missing before the next game (it moves no card)",
        )
