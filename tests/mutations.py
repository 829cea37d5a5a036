"""Change the rules in one place after the other, and see whether the quick tests notice.

    python tests/mutations.py [PACKAGE...] [--tests FILE...] [--sample N] [--seed S] [--jobs N] [--within S]
                              [--least 0.95]

Operators, comparisons, conditions and constants of a package are changed one at a time, and the tests run until the
first one fails. A change that none of them notices has survived; it is told with its place. No file is touched.

Tests are collected once, and each change has a process of its own, forked from there, in which the function that holds
it gets other code. Where that would be too late (a constant of a module, a function that was called while tests were
collected) the process is forked before anything is imported, and the module is compiled from the changed text. Tests
that have failed before run first, then short ones. A change that all tests let pass costs as much as all of them, so
``--within`` gives up earlier: what is not noticed by then is told as a survivor, and the share is a lower bound.

No maintained tool fits: cosmic-ray changes files in place and starts an interpreter for each change, and mutmut takes a
module's name from its path, which is another one here, since the folders are mounted.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from time import process_time
from types import CodeType, FunctionType
from typing import Any, Final

os.environ["TIRONIAN_PURE"] = "1"
sys.path.insert(0, str(Path(__file__).parent))

import hypothesis  # noqa: F401  # loaded once, before any fork, like all that knows nothing of the rules
import lark  # noqa: F401
import pytest
from changes import Change, changes
from forks import Answer, Pool

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("replay/rules", "replay/engine/play.py")
QUICK: Final = (
    "tests/conformance/test_conformance.py", "tests/rules/test_legal.py", "tests/engine/test_outcome.py",
    "tests/knowledge/test_unknown_cards.py", "tests/checking/test_many_faults.py",
    "tests/property/test_agreement.py", "tests/property/test_rulings.py", "tests/test_examples.py",
    "tests/engine/test_stopped.py", "tests/property/test_games.py", "tests/simulation/test_playout.py",
    "tests/rules/test_state.py", "tests/simulation/test_simulate.py", "tests/property/test_follow.py",
    "tests/property/test_views.py", "tests/diagnostics/test_completeness.py", "tests/test_goldens.py",
    "tests/property/test_left_out.py", "tests/property/test_mirrored.py",
    "tests/property/test_vote_outcome.py",
)  # fmt: skip
"""Suites that know the rules, the likeliest to notice first."""
OPTIONS: Final = (
    "-q", "-q", "-s", "-x", "--disable-warnings", "-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:xdist", "-o",
    "addopts=",
)  # fmt: skip
PATIENCE: Final = 5
"""A change that makes the tests take so many times as long is noticed: somebody's loop has no end."""


def module_of(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("tironian", *parts[parts[0] == "library" : -1 if parts[-1] == "__init__" else None]))


def files_of(packages: list[str]) -> list[Path]:
    """The modules of the packages, or the files that are named."""
    found = [[path] if path.is_file() else sorted(path.rglob("*.py")) for path in (ROOT / name for name in packages)]
    return [path for paths in found for path in paths]


# ------------------------------------------------------------------------------------------------ a function's code


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all within it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


def function_of(module: Any, name: str) -> FunctionType | None:
    """The function or method that is called so in a module, without what is wrapped around it."""
    found = module
    for part in name.split("."):
        found = vars(found).get(part)
    found = getattr(found, "fget", None) or getattr(found, "__wrapped__", None) or getattr(found, "__func__", found)
    return found if isinstance(found, FunctionType) else None


def put_in(change: Change) -> None:
    """Give the function that holds a change its new code, in this process."""
    whole = compile(change.changed(), str(change.path), "exec", dont_inherit=True)
    function = function_of(sys.modules[module_of(change.path)], change.function)
    assert function is not None
    function.__code__ = next(code for code in codes(whole) if code.co_qualname == change.function)


def load_changed(change: Change) -> None:
    """Have the module that holds a change compiled from its new text when it is imported, in this process."""
    name, read = module_of(change.path), SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if fullname != name:
            return read(self, fullname)
        return compile(change.changed(), str(change.path), "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


# --------------------------------------------------------------------------------------------------- the tests


class Order:
    """Which tests run first: those that noticed most, then the short ones.

    A file that noticed something is no reason to run all of it: where its tests take long, no other's turn would come.
    """

    def __init__(self) -> None:
        self.failed: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}

    def noticed(self, test: str) -> None:
        self.failed[test] += 1

    def __call__(self, items: list[pytest.Item]) -> list[pytest.Item]:
        return sorted(items, key=lambda item: self._rank(item.nodeid))

    def _rank(self, test: str) -> tuple[float, ...]:
        return -self.failed[test], self.seconds.get(test, 0.0)


def file_of(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


def run_until_one_fails(session: pytest.Session, items: list[pytest.Item], within: float = 0.0) -> str:
    """Return the first test that fails, run in this order, or nothing; give up after ``within`` seconds, if not 0."""
    began = process_time()
    for place, item in enumerate(items):
        if within and process_time() - began > within:
            break
        following = items[place + 1] if place + 1 < len(items) else None
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return ""


def times_of(session: pytest.Session) -> dict[str, float]:
    """The processor time of each test; nothing behind the first that fails."""
    found: dict[str, float] = {}
    for item in session.items:
        began = process_time()
        failed = run_until_one_fails(session, [item])
        found[item.nodeid] = process_time() - began
        if failed:
            break
    return found


def told_by_file(times: dict[str, float]) -> list[str]:
    """How long the tests of each file take."""
    files: Counter[str] = Counter()
    for test, seconds in times.items():
        files[file_of(test)] += seconds  # type: ignore[assignment]
    return [f"{seconds:6.1f} s  {name}" for name, seconds in files.most_common()]


class Collected:
    """A plugin for the process that collects all tests once: it runs ``work`` in place of them."""

    def __init__(self, watched: set[str], work: Callable[[pytest.Session, set[tuple[str, str]]], None]) -> None:
        self.work = work
        self.called: set[tuple[str, str]] = set()
        """File and name of each function that was called before the first test."""
        self.watched = watched

    def note(self, frame: Any, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename in self.watched:
            self.called.add((code.co_filename, code.co_qualname))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.setprofile(None)
        if session.testsfailed:
            raise SystemExit("some tests can't be collected")
        self.work(session, self.called)
        return True


class Fresh:
    """A plugin for a process that imports all anew: it sorts the tests and notes which one fails."""

    def __init__(self, order: Order, within: float) -> None:
        self.order, self.failed = order, "while tests were collected"
        self.within = within

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = self.order(items)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        run_until_one_fails(session, session.items, self.within)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid


# ------------------------------------------------------------------------------------------------------- the work


class Trial:
    """All changes, and what came of them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.arguments = [*OPTIONS, "--rootdir", str(ROOT), *(str(ROOT / test) for test in options.tests)]
        self.jobs: int = options.jobs
        self.within: float = options.within
        self.order = Order()
        self.answers: dict[Change, Answer] = {}
        self.limit = 0.0
        paths = files_of(options.packages)
        found = [change for path in paths for change in changes(path)]
        print(f"{len(found):,} places in {len(paths)} files", flush=True)
        if options.sample:
            found = random.Random(options.seed).sample(found, min(options.sample, len(found)))
        self.found = found

    def run(self) -> None:
        """Try every change; those that a collected process can't try come last, each with a process from the start."""
        late = Pool(1).one(self._collect_and_try)
        if not isinstance(late, tuple):
            raise SystemExit(str(late))
        self.answers, self.order, self.limit, rest = late
        self._try(rest, self._fresh)

    def _try(self, found: list[Change], work: Callable[[Change], str]) -> None:
        pool = Pool(self.jobs, self.limit)
        for change, answer in pool.each(found, work):
            self.answers[change] = answer
            if answer.told:
                self.order.noticed(answer.told)
            fate = f"noticed by {answer.told}" if answer.told else "SURVIVED"
            print(f"{change.place(ROOT)}  {change.told}  {fate}  {answer.seconds:.1f} s", flush=True)

    def _collect_and_try(self) -> object:
        """Collect tests, see them pass, try each change that can be put into a function that no one has called."""
        watched = {str(change.path) for change in self.found}
        kept: list[object] = ["no test was collected"]

        def work(session: pytest.Session, called: set[tuple[str, str]]) -> None:
            times = Pool(1).one(lambda: times_of(session))
            if not isinstance(times, dict) or len(times) < len(session.items):
                kept[0] = f"without any change there fails {list(times)[-1] if isinstance(times, dict) else times}"
                return
            self.order.seconds, seconds = times, sum(times.values())
            print(f"\n{len(times):,} tests take {seconds:.1f} s of processor time:", *told_by_file(times), sep="\n  ")
            self.limit = PATIENCE * (self.within + max(times.values()) if self.within else seconds) + 10

            def is_early(change: Change) -> bool:
                held = change.function and function_of(sys.modules[module_of(change.path)], change.function)
                return not held or (str(change.path), change.function) in called

            self._try(
                [change for change in self.found if not is_early(change)],
                lambda change: put_in(change) or run_until_one_fails(session, self.order(session.items), self.within),
            )
            rest = [change for change in self.found if is_early(change)]
            kept[0] = self.answers, self.order, self.limit, rest

        plugin = Collected(watched, work)
        sys.setprofile(plugin.note)
        pytest.main(self.arguments, plugins=[plugin])
        return kept[0]

    def _fresh(self, change: Change) -> str:
        load_changed(change)
        plugin = Fresh(self.order, self.within)
        return plugin.failed if pytest.main(self.arguments, plugins=[plugin]) else ""

    def report(self) -> float:
        """Tell the survivors; comes back with the share of changes that were noticed."""
        survivors = [change for change in self.found if not self.answers[change].told]
        seconds = sum(answer.seconds for answer in self.answers.values())
        print()
        for change in survivors:
            print(f"survived: {change.place(ROOT)}  {change.told}  in: {change.line()}")
        noticed = 1 - len(survivors) / max(1, len(self.found))
        each = seconds / max(1, len(self.found))
        print(f"{noticed:.1%} of {len(self.found):,} changes noticed; {each:.2f} s of processor time each")
        return noticed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), metavar="PACKAGE", help="folders or files")
    parser.add_argument("--tests", nargs="+", default=QUICK, metavar="FILE")
    parser.add_argument("--sample", type=int, metavar="N", help="try only so many, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--within", type=float, default=0.0, metavar="S", help="give a change up after so many seconds")
    parser.add_argument("--least", type=float, default=0.0, help="end with 1 if a smaller share is noticed")
    options = parser.parse_args()
    trial = Trial(options)
    trial.run()
    raise SystemExit(trial.report() < options.least)


if __name__ == "__main__":
    main()
