"""What the engine makes of many games, as one line a game, so that two versions of it can be held against each other.

    python tests/property/digests.py write FOLDER [--games 8000] [--seed 1] [--jobs 1]
    python tests/property/digests.py judge FOLDER [--jobs 1] > digests.txt
    python tests/property/digests.py compare BEFORE.txt AFTER.txt
    python tests/property/digests.py show FOLDER NAME...

``write`` makes the games and keeps their texts, so that both versions judge the same ones: so many honest games and so
many damaged ones (corpus.py). ``judge`` writes for each game its name, its verdict, the codes of what was told and how
often, a digest of all that was told and one of the state at the end; the last line is the digest of all lines.
``compare`` names the games that differ, and in what; ``show`` prints the whole of what a digest is made of, game by
game, for two versions to be compared line by line.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from tironian import Diagnostic, Game, Verdict, check, parse
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS

if TYPE_CHECKING:
    from tironian import SideCards, State

KINDS: Final = ("honest", "spoilt")
FACTS: Final = (
    "left", "bag", "out", "blanks", "blanks_out", "ended", "number", "active", "starter", "first_turn", "choosing",
    "lone", "final", "may_draw", "may_reveal", "stage", "up", "down", "action", "vetoed", "passive", "no_place",
    "discarded", "due", "revealed", "emptied", "orgy_removed", "penalties",
)  # fmt: skip
"""What is read of a state beside its sides."""
SIDE_FACTS: Final = ("won", "kept", "missions", "order", "influence_pile", "action_pile", "has_unknown_cards")
TOTAL: Final = "total"
T = TypeVar("T")
R = TypeVar("R")


class Text(NamedTuple):
    """A game as it is kept, and its name, which says how it was made."""

    name: str
    text: str


class Digest(NamedTuple):
    """A game's line."""

    name: str
    verdict: str
    codes: str
    told: str
    state: str


def plain(value: Any) -> Any:
    """The value in lists, integers and texts: a truth value is 0 or 1, whatever class the others are of."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    return [plain(each) for each in value]


# --------------------------------------------------------------------------------------------- what is held equal


def of_side(side: SideCards) -> dict[str, Any]:
    """A player's cards and patricians."""
    found: dict[str, Any] = {
        "hand": [int(side.hand[card]) for card in range(len(CARD_LETTERS))],
        "unseen": [int(side.unseen[card]) for card in range(len(CARD_LETTERS))],
        "up": [plain(side.up[group]) for group in range(len(GROUP_LETTERS))],
        "hidden": [plain(side.hidden[group]) for group in range(len(GROUP_LETTERS))],
        "discards": sorted(plain(side.discards)),
    }
    return found | {name: plain(getattr(side, name)) for name in SIDE_FACTS}


def of_state(state: State | None) -> Any:
    """A game between two tokens."""
    if state is None:
        return None
    return {name: plain(getattr(state, name)) for name in FACTS} | {"sides": [of_side(side) for side in state.sides]}


def of_diagnostic(found: Diagnostic) -> dict[str, Any]:
    """All that is told about one fault."""
    labels = [[plain(label.span), label.text, label.source and label.source.name] for label in found.labels]
    names = ("code", "message", "span", "severity", "here", "help", "rule", "cite", "turn", "game")
    return {name: plain(getattr(found, name)) for name in names} | {"labels": labels}


def of_verdict(found: Verdict) -> dict[str, Any]:
    """All that comes of a check, but for the edition and the state."""
    names = ("verdict", "summary", "events", "turns", "stopped", "outcome", "score")
    told = {name: plain(getattr(found, name)) for name in names}
    return told | {"diagnostics": [of_diagnostic(each) for each in found.diagnostics]}


def whole(game: Game) -> tuple[dict[str, Any], Any]:
    """What is told of a game, and its state at the end. An exception is told as well: another game may go on."""
    try:
        found = check(game)
        return of_verdict(found), of_state(found.state)
    except Exception as error:  # noqa: BLE001
        return {"verdict": f"{type(error).__name__}: {error}".replace("\n", " "), "diagnostics": []}, None


def digest(made: Text) -> Digest:
    """The line of a text; damage may have made several games of it."""
    games = [whole(game) for game in parse(made.text)]
    codes = Counter(each["code"] for told, _ in games for each in told["diagnostics"])
    listed = " ".join(f"{code}×{count}" if count > 1 else code for code, count in sorted(codes.items()))
    verdicts = " ".join(told["verdict"] + "/stopped" * (told.get("stopped") is not None) for told, _ in games)
    told, states = _hashed([told for told, _ in games]), _hashed([state for _, state in games])
    return Digest(made.name, verdicts, listed, told, states)


def _hashed(value: Any) -> str:
    return sha256(json.dumps(value, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


# ------------------------------------------------------------------------------------------------------- commands


def spread(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """The work done with every item, in order, by that many processes."""
    if jobs < 2:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, items, chunksize=20)


def make(folder: Path, games: int, seed: int, jobs: int = 1) -> None:
    """Write so many games of each kind into a folder, a line of JSON for each."""
    from corpus import honest, spoilt  # what judges them should need nothing of what makes them

    folder.mkdir(parents=True, exist_ok=True)
    for kind, maker in zip(KINDS, (honest, spoilt), strict=True):
        with open(folder / f"{kind}.jsonl", "w", encoding="utf-8") as file:
            for made in spread(partial(maker, seed=seed), range(games), jobs):
                print(json.dumps(made, ensure_ascii=False), file=file)


def texts(folder: Path) -> list[Text]:
    """The games of a folder."""
    paths = [folder / f"{kind}.jsonl" for kind in KINDS]
    return [Text(*json.loads(line)) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def judge(folder: Path, jobs: int = 1) -> Iterator[str]:
    """The line of each game of a folder, and the total."""
    total = sha256()
    for found in spread(digest, texts(folder), jobs):
        line = "\t".join(found)
        total.update(line.encode())
        yield line
    yield f"{TOTAL}\t{total.hexdigest()[:16]}"


def compare(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """The games that are not judged alike, with what differs: their verdict, the codes, else the words or the state."""
    old, new = _read(before), _read(after)
    for name in sorted(old.keys() ^ new.keys()):
        yield f"{name}: only {'before' if name in old else 'after'}"
    for name in old.keys() & new.keys():
        was, now = old[name], new[name]
        parts = zip(("verdict", "codes", "told", "state"), was[1:], now[1:], strict=True)
        differ = {part: (one, other) for part, one, other in parts if one != other}
        if differ:
            shown = [f"{part} {one or 'none'} → {other or 'none'}" for part, (one, other) in differ.items()]
            yield f"{name}: {'; '.join(shown)}"


def _read(lines: Iterable[str]) -> dict[str, Digest]:
    rows = (line.rstrip("\n").split("\t") for line in lines)
    return {row[0]: Digest(*row) for row in rows if row[0] != TOTAL}


def show(folder: Path, names: Iterable[str]) -> Iterator[str]:
    """The text of each game named, by the first word of its name or all of it, and everything that comes of it."""
    games = {key: made for made in texts(folder) for key in (made.name, made.name.split(" ")[0])}
    for name in names:
        yield from (f"# {games[name].name}", games[name].text)
        for told, state in map(whole, parse(games[name].text)):
            yield json.dumps({"told": told, "state": state}, ensure_ascii=False, indent=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, arguments in {"write": ["folder"], "judge": ["folder"], "compare": ["before", "after"]}.items():
        command = commands.add_parser(name)
        for argument in arguments:
            command.add_argument(argument, type=Path)
        if name != "compare":
            command.add_argument("--jobs", type=int, default=1)
        if name == "write":
            command.add_argument("--games", type=int, default=8000, help="of each kind")
            command.add_argument("--seed", type=int, default=1)
    command = commands.add_parser("show")
    command.add_argument("folder", type=Path)
    command.add_argument("names", nargs="+", help="h12 or s12, the beginning of a game's name")
    options = parser.parse_args()
    match options.command:
        case "write":
            make(options.folder, options.games, options.seed, options.jobs)
        case "judge":
            for line in judge(options.folder, options.jobs):
                print(line)
        case "show":
            print(*show(options.folder, options.names), sep="\n")
        case _:
            paths = (options.before, options.after)
            found = list(compare(*(path.read_text(encoding="utf-8").splitlines() for path in paths)))
            print(*found, f"{len(found):,} games differ", sep="\n")
            raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
