"""The conformance suite: cases that a player can read, checked as they say (tests/conformance/README.md)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from blocks import ADDED, HEAD, Block, compose, records_of
from prose import read_cases
from tironian import EDITION_NAMES, Diagnostic, Edition, SideCards, State, check, load_edition, parse
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS, GROUPS, SIDE_LETTERS
from tironian.replay.diagnostics.registry import ILLEGAL, LEGAL, POSSIBLE
from tironian.replay.editions.edition import OPTION_FIELDS, rule_fields
from tironian.replay.engine.headers import read_headers
from tironian.replay.engine.run import run_record
from tironian.tools.cli.rulebook import POINTS, SECTIONS

HOME = Path(__file__).parent
HIDDEN = "hidden-cards.md"
"""Logs of which not every card is known: cases of all sections."""
HEADING = re.compile(r"([A-P]\d+[a-c]?(?:, [A-P]\d+[a-c]?)*) · (\S.*)")
ASSERTION = re.compile(r";\s*((?:(?:error|warning|note|ruled)\[[A-Z]\d{3}\]\s*)+)$")


@dataclass
class Case:
    """A heading with its prose and its records."""

    edition: str
    path: Path
    ids: tuple[str, ...]
    title: str
    line: int
    prose: list[str]
    blocks: list[Block]

    def __str__(self) -> str:
        return f"{self.edition}/{','.join(self.ids)} {self.title}"


def cases_in(path: Path) -> Iterator[Case]:
    for case in read_cases(path):
        heading = HEADING.fullmatch(case.title)
        assert heading, f"{path}:{case.line}: not the heading of a case: {case.title}"
        ids = tuple(heading[1].split(", "))
        yield Case(path.parent.name, path, ids, heading[2], case.line, case.prose, records_of(case))


CASES = [case for path in sorted(HOME.glob("*/*.md")) for case in cases_in(path)]


def asserted(block: Block) -> Counter[tuple[int, str]]:
    """The diagnostics that the block's comments ask for: (its line or HEAD, ``error[R204]``) → how many."""
    found: Counter[tuple[int, str]] = Counter()
    host = HEAD
    for at, line in enumerate(block.lines):
        if not line.lstrip().startswith(";") and not line.startswith("["):
            host = at
        said = ASSERTION.search(line)
        if said:
            found.update((host, word) for word in said[1].split())
    return found


def told(diagnostics: tuple[Diagnostic, ...], places: list[int]) -> Counter[tuple[int, str]]:
    """The diagnostics of the check, as :func:`asserted` gives those of the block."""
    return Counter((places[each.span.line], f"{each.severity}[{each.code}]") for each in diagnostics)


# --------------------------------------------------------------------------------------------------- claims of state


def cards(counts: list[int]) -> str:
    return "".join(letter * count for letter, count in zip(CARD_LETTERS, counts, strict=True))


def column(codes: list[int]) -> str:
    return "".join(CARD_LETTERS[code] for code in codes)


def bag(state: State) -> str:
    groups = "".join(GROUP_LETTERS[group] * state.bag[group] for group in state.edition.groups)
    return groups + "o" * state.blanks + "r" * state.edition.resets


def turn(state: State) -> str:
    return f"{state.number}{SIDE_LETTERS[state.active]}"


OF_GAME: dict[str, Callable[[State], str]] = {"bag": bag, "turn": turn, "ended": lambda state: state.ended or "no"}
OF_GROUP: dict[str, Callable[[State, int], str]] = {"left": lambda state, group: str(state.left[group])}
OF_SIDE: dict[str, Callable[[SideCards], str]] = {
    "hand": lambda side: cards(side.hand),
    "discards": lambda side: column(sorted(side.discards)),
    "kept": lambda side: str(side.kept),
    "influence_pile": lambda side: str(side.influence_pile),
    "action_pile": lambda side: str(side.action_pile),
}
OF_COLUMN: dict[str, Callable[[SideCards, int], str]] = {
    "up": lambda side, group: column(side.up[group]),
    "hidden": lambda side, group: column(side.hidden[group]),
    "won": lambda side, group: str(side.won[group]),
}
MULTISETS = {"hand", "discards", "up", "hidden", "bag"}


def state_after(lines: list[str]) -> State:
    """The state after the turns in those lines."""
    record = parse("\n".join(lines))[0].record
    run = run_record(record, read_headers(record))
    assert run.state is not None
    assert not run.stopped, "the replay stopped before this"
    return run.state


def claim_fault(state: State, claim: str) -> str:
    """What is wrong with ``hand R 1 2 3 v``; empty where it holds."""
    key, *rest = claim.split()
    if key in OF_GAME:
        found = OF_GAME[key](state)
    elif key in OF_GROUP:
        found = OF_GROUP[key](state, GROUPS[rest.pop(0)])
    elif key in OF_SIDE:
        found = OF_SIDE[key](state.sides[SIDE_LETTERS.index(rest.pop(0))])
    elif key in OF_COLUMN:
        side = state.sides[SIDE_LETTERS.index(rest.pop(0))]
        found = OF_COLUMN[key](side, GROUPS[rest.pop(0)])
    else:
        return f"there is no {key} to ask for"
    wanted = "".join(rest)
    same = sorted(wanted) == sorted(found) if key in MULTISETS else wanted == found
    return "" if same else f"{claim}: it is {found or 'nothing'}"


# -------------------------------------------------------------------------------------------------------- the tests


def block_faults(case: Case, block: Block) -> Iterator[str]:
    lines, places = compose(block, case.edition)
    games = parse("\n".join(lines))
    assert len(games) == 1, f"{len(games)} games in one block"
    diagnostics = check(games[0]).diagnostics
    wanted, found = asserted(block), told(diagnostics, places)
    words = {(places[each.span.line], f"{each.severity}[{each.code}]"): each.message for each in diagnostics}

    def where(place: int) -> str:
        name = {HEAD: "the headers", ADDED: "an added line"}.get(place)
        return f"{case.path}:{block.line + max(place, 0)}: {name or block.lines[place].strip()}"

    for (place, name), count in (found - wanted).items():
        yield f"{where(place)}\n    not asserted, {count}×: {name} {words[place, name]}"
    for (place, name), count in (wanted - found).items():
        yield f"{where(place)}\n    did not come, {count}×: {name}"
    for at, (line, place) in enumerate(zip(lines, places, strict=True)):
        if place >= 0 and line.lstrip().startswith(";?"):
            fault = claim_fault(state_after(lines[:at]), line.partition(";?")[2])
            if fault:
                yield f"{where(place)}\n    {fault}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    assert case.blocks, "a case without a record"
    assert case.prose, "a case without a word on what it shows"
    faults = [fault for block in case.blocks for fault in block_faults(case, block)]
    assert not faults, "\n".join(faults)


def test_cases_are_where_they_belong() -> None:
    assert {path.parent.name for path in HOME.glob("*/*.md")} == set(EDITION_NAMES)
    for case in CASES:
        unknown = [point for point in case.ids if point not in POINTS]
        assert not unknown, f"{case}: no such points: {unknown}"
        if case.path.name != HIDDEN:
            assert case.path.name[0] == case.ids[0][0], f"{case} stands in {case.path.name}"
            assert case.path.name[0] in SECTIONS


def test_beside_every_lie_stands_an_honest_log() -> None:
    for case in (case for case in CASES if case.path.name == HIDDEN):
        games = [parse("\n".join(compose(block, case.edition)[0]))[0] for block in case.blocks]
        verdicts = {check(game).verdict for game in games}
        assert ILLEGAL in verdicts, f"{case}: nothing is wrong"
        assert verdicts & {LEGAL, POSSIBLE}, f"{case}: nothing is right"


def differing() -> Iterator[tuple[str, frozenset[str]]]:
    """A point, and rule sets that treat it alike and unlike the others: one of them has to have a case of it."""
    editions: list[Edition] = [load_edition(name) for name in EDITION_NAMES]
    for name in rule_fields():
        alike: dict[str, set[str]] = {}
        points: dict[str, set[str]] = {}
        for edition in editions:
            value = str(getattr(edition, name))
            alike.setdefault(value, set()).add(edition.name)
            for point in edition.citation(name).points:
                points.setdefault(point, set()).add(edition.name)
        if len(alike) > 1:
            for point, stated in points.items():
                yield from ((point, frozenset(same & stated)) for same in alike.values() if same & stated)


def test_every_point_has_a_case() -> None:
    shown = {(point, case.edition) for case in CASES for point in case.ids}
    missing = [point for point in POINTS if not any((point, name) in shown for name in EDITION_NAMES)]
    assert not missing, f"no case shows {' '.join(missing)}"
    silent = sorted(
        {f"{point} in {' or '.join(sorted(names))}" for point, names in differing()
         if not any((point, name) in shown for name in names)}
    )  # fmt: skip
    assert not silent, "rule sets differ, but no case shows " + ", ".join(silent)


def test_every_option_has_a_case() -> None:
    shown = {choice for case in CASES for block in case.blocks for choice in block.options.items()}
    options = {
        (name, value)
        for edition in map(load_edition, EDITION_NAMES)
        for name, values in edition.options.items()
        for value in values
        if value != str(getattr(edition, OPTION_FIELDS.get(name, name)))
    }
    missing = sorted(f"{name}={value}" for name, value in options - shown)
    assert not missing, f"no case shows {', '.join(missing)}"
