"""Shared by several commands: finding files, opening them, writing safely, and showing progress."""

from __future__ import annotations

import gc
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import wraps
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, TextIO, TypeAlias

import click
from click.core import ParameterSource

from ...notation.basics import install, visible
from ...notation.language import ENGLISH, Messages, figure, phrase, plural, speak
from ..storage.api import CannotRun, InputFile, files, is_address

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from ...notation.records import Diagnostic, Game
    from ..archive.api import Batch, Runner
    from ..report.api import GameReport, Reporter
    from ..storage.sources import InputFiles

INTERRUPTED: Final = 130
"""The exit code that shells report when Ctrl-C ends a program: 128 plus the number of SIGINT."""
STDIN: Final = "-"
SUFFIX: Final = ".tiro"
NO_TEXT: Final = "N101"
"""The code of a file with nothing to read: a fault of the file, not of a record."""
METER_DELAY: Final = 1.0
"""The seconds before anything is shown."""
MAX_LISTED: Final = 10
"""The most files whose names are told though they were not read."""
STEP: Final = 0.1
"""The seconds between two updates: reporting every item would take longer than processing many of them."""
BINARY: Final[Messages] = {"png": "a png", "pdf": "a pdf", "parquet": "parquet"}
"""The formats that are not text, each with its name."""
Command: TypeAlias = Callable[..., Any]
Texts: TypeAlias = tuple[str, ...]
"""What is given for an argument or an option that may be repeated."""


class CliError(click.ClickException):
    """A fault in the call or its files: one sentence on standard error, and exit code 2."""

    exit_code = 2

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(visible, lines)))

    @classmethod
    def of(cls, place: str | Path | None, error: Exception) -> CliError:
        """Return the error for a file that could not be read or written, or for an exception about a game."""
        head = "" if place is None else f"{place}: "
        if isinstance(error, FileNotFoundError):
            return cls(f"{head}{phrase('there is no such file or folder')}")
        if isinstance(error, FileExistsError):
            return cls(f"{head}{phrase('a file of this name already exists; name another')}")
        if isinstance(error, OSError) and error.strerror:
            return cls(f"{head}{error.strerror[:1].lower()}{error.strerror[1:]}")
        return cls(f"{head}{error}")

    @classmethod
    def unread(cls, problem: Diagnostic) -> CliError:
        """Return the error for a game that would be lost, since it can't be read."""
        return cls(f"{problem.source.name}: {problem.message}; {problem.help}")


def say(*lines: str, err: bool = True) -> None:
    """Write lines for people, by default to standard error. Control characters in untrusted text are made visible."""
    for line in lines:
        click.echo(visible(line), err=err)


def make_streams_safe() -> None:
    """Let standard output and standard error write even what they can't encode, such as undecoded bytes."""
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream, errors="backslashreplace")


def _reconfigure(stream: IO[str], **settings: str) -> None:
    # Test runners and notebooks replace the streams, perhaps with some that can't do this.
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(**settings)  # type: ignore[arg-type]


def discard_output() -> None:
    """Send unwritten output to the null device, or Python would complain about it on exit."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                void = os.open(os.devnull, os.O_WRONLY)
                os.dup2(void, stream.fileno())
                os.close(void)


def name_of(path: str) -> str:
    """Return a path's name for messages."""
    return "<stdin>" if path == STDIN else path


def expand(paths: Iterable[str]) -> list[str]:
    """Return the files that paths name: for a folder, the ``*.tiro`` files in it, at any depth, sorted.

    ``-`` stays as it is; a file named twice is returned once. Raise CliError if a path does not exist, or no file is
    found.
    """
    from ..storage.sources import LINK, SYSTEM_FILE, files_at

    files_found: dict[str, None] = {}
    paths = list(paths)
    for path in paths:
        for file in [InputFile(path)] if path == STDIN or is_address(path) else files_at(path, (SUFFIX,)):
            if file.problem == LINK:
                why = phrase("a link out of {folder} is not followed; to include the file, name it", folder=path)
                say(f"{file.path}: {why}")
            elif file.problem and file.problem != SYSTEM_FILE:
                raise CliError(f"{file.path}: {file.problem}")
            elif not file.problem:
                files_found[file.path] = None
    if not files_found:
        raise CliError(phrase("there is no {suffix} file in {paths}", suffix=SUFFIX, paths=", ".join(paths)))
    return list(files_found)


def sources(paths: Iterable[str]) -> InputFiles:
    """Return the texts and archives that paths name. Raise CliError if a path does not exist, or nothing is found."""
    from ..storage.sources import InputFiles, exists

    paths = list(paths)
    _refuse_closed_input(paths)
    for path in paths:
        if not exists(path):
            raise CliError(f"{path}: {phrase('there is no such file or folder')}")
    inputs = InputFiles(paths)
    if next(iter(inputs), None) is None:
        why = phrase("there is no {suffix} file in {paths}", suffix=SUFFIX, paths=", ".join(paths))
        raise CliError(why, *skipped_file_lines(inputs.passed_over))
    return inputs


def skipped_file_lines(files: Sequence[InputFile]) -> list[str]:
    """Return lines about files that were passed over, with the reasons."""
    lines = [phrase("not read: {file}: {why}", file=file.path, why=file.problem) for file in files[:MAX_LISTED]]
    if (left := len(files) - MAX_LISTED) > 0:
        lines.append(plural("not read: {count} more", "not read: {count} more", left, count=figure(left, ",")))
    return lines


@contextmanager
def as_cli_errors(place: str | Path | None, kind: type[Exception] = OSError) -> Iterator[None]:
    """Turn exceptions of some kind into CliError, by default those about files."""
    try:
        yield
    except kind as error:
        raise CliError.of(place, error) from None


def _refuse_closed_input(paths: Iterable[str]) -> None:
    """Raise CliError if standard input is among the paths but the shell has closed it."""
    if STDIN in paths and sys.stdin is None:
        raise CliError(phrase("standard input is closed"))


@contextmanager
def open_input(path: str) -> Iterator[io.BufferedReader]:
    """Open a file, an address or, for ``-``, standard input for reading bytes.

    Raise CliError if that fails, or if reading fails within the ``with``.
    """
    from ..storage.sources import Damaged, open_stored

    _refuse_closed_input([path])
    with as_cli_errors(phrase("standard input") if path == STDIN else path, Damaged), open_stored(path) as stream:
        yield stream


def games_in(path: str, *, to_change: bool = False) -> Iterator[Game]:
    """Yield the games of a file, or of standard input for ``-``. Raise CliError if it can't be read.

    A page gives the record in it, unless the file is ``to_change``: no record may replace a page.
    """
    from ...notation.records import read_bytes
    from ..storage.sources import record_in_page

    with open_input(path) as stream:
        text, name = (stream, name_of(path)) if to_change else record_in_page(stream, name_of(path))
        yield from read_bytes(text, name)


def refuse_unread(game: Game) -> None:
    """Raise CliError if a game's file is not text, or the game is too large: it would be lost."""
    from ...notation.records import TOO_LARGE

    for problem in game.problems:
        if problem.code in (NO_TEXT, TOO_LARGE):
            raise CliError.unread(problem)


def read_input(path: str) -> bytes:
    """Return all bytes of a file, or of standard input for ``-``."""
    with open_input(path) as stream:
        return stream.read()


paths_argument: Final = click.argument("paths", nargs=-1, required=True, metavar="PATH...")


def output_options(command: Command) -> Command:
    """Give a command the options ``-o FILE`` and ``--force``, which are its parameter ``output``."""

    @wraps(command)
    def with_output(*given: Any, output: str | None, force: bool, **more: Any) -> None:
        command(*given, output=Output(output, force), **more)

    force = click.option("-f", "--force", is_flag=True, help="Overwrite FILE if it exists.")
    output = click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
    return output(force(with_output))


def format_option(help_text: str, *forms: str) -> Callable[[Command], Command]:
    """Return an option ``--format`` (parameter ``form``, by default the first format), with an option ``--bom`` for
    csv.
    """
    named: dict[str, Any] = {"type": click.Choice(forms), "default": forms[0], "show_default": True, "help": help_text}
    form = click.option("--format", "form", callback=_spoken, **named)
    if "csv" not in forms:
        return form
    # Not passed as a parameter: the function that opens the output looks it up.
    bom = click.option(
        "--bom",
        is_flag=True,
        expose_value=False,
        callback=lambda context, _option, given: context.meta.update({_BOM: given}),
        help="Begin CSV with a byte order mark, so that Excel recognizes UTF-8.",
    )
    return lambda command: form(bom(command))


_BOM: Final = "tironian.bom"
LANGUAGE: Final = "tironian.language"
"""Under which a context keeps whether a language was asked for by ``--lang``."""
MACHINES: Final = {"json", "csv", "sarif", "junit", "github", "parquet", "trf", "tiro"}
"""The formats that programs read: in English, unless ``--lang`` is given; a record always is."""


def _spoken(ctx: click.Context, _option: click.Parameter, form: str) -> str:
    """Speak English if programs read the format."""
    if form == "tiro" or (form in MACHINES and LANGUAGE not in ctx.meta):
        speak(ENGLISH)
    return form


def _encoding() -> str:
    """Return the encoding of a command's output. Raise UsageError if a byte order mark is requested for a format other
    than CSV.
    """
    context = click.get_current_context(silent=True)
    if context is None or not context.meta.get(_BOM):
        return "utf-8"
    if context.params.get("form") != "csv":
        raise click.UsageError(phrase("--bom needs --format csv"))
    return "utf-8-sig"


def pairs(texts: Iterable[str], option: str, fault: str) -> dict[str, str]:
    """Return the pairs that an option gives as NAME=VALUE, the last VALUE for each NAME. Raise BadParameter for any
    other text, with the ``fault`` that it has.
    """
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"“{text}” {fault}", param_hint=option)
        values[name.strip()] = value.strip()
    return values


class FileText(click.types.StringParamType):
    """A text that shells should treat as the name of a file."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Have the shell complete it with the names of files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def completing(names: Callable[[], Mapping[str, str]]) -> Callable[..., list[CompletionItem]]:
    """Return a function that offers names with their meanings to a shell that completes a word; after a comma, it
    offers the next name.
    """

    def offered(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, comma, last = begun.rpartition(",")
        fits = [(name, told) for name, told in names().items() if name.casefold().startswith(last.casefold())]
        return [CompletionItem(before + comma + name, help=told) for name, told in fits]

    return offered


def or_empty(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """Return an option's value, or an empty text if it is not given; this is a callback for options."""
    return given or ""


def rules_option(command: Command, which: str = "a record that does not name a known one") -> Command:
    """Give a command the option ``--rules NAME`` (parameter ``rules``), the rule set of ``which`` games."""
    from ...replay.rules.api import EDITION_NAMES

    kind, help_text = click.Choice(EDITION_NAMES), f"The rule set of {which}."
    return click.option("--rules", type=kind, callback=or_empty, help=help_text)(command)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_option(command: Command) -> Command:
    """Give a command the option ``-j N`` (parameter ``jobs``)."""
    kind, help_text = click.IntRange(min=1), "Processes that share the work."
    return click.option("-j", "--jobs", type=kind, default=cores, show_default="all cores", help=help_text)(command)


def runner_options(command: Command) -> Command:
    """Give a command the options ``-j N`` (parameter ``jobs``) and ``--cluster ADDRESS`` (parameter ``cluster``)."""
    help_text = "Use this Dask cluster; its workers must see every PATH under the same name."
    return jobs_option(click.option("--cluster", metavar="ADDRESS", help=help_text)(command))


def runner(jobs: int, cluster: str | None, size: int, paths: Iterable[str], *, slow: bool = False) -> Runner:
    """Return a runner: local processes, each taking about ``size`` bytes at a time, or a cluster.

    For ``slow`` work, no process gets more of a text than that, so that all have work. ``archive.batch.local_runner``
    has texts cut by ``chunks.split`` there and gives the chunks to ``processes.pool``.
    """
    if cluster is not None:
        if STDIN in paths:
            raise click.UsageError(phrase("a cluster can't read standard input; name a file that it can see"))
        from ..archive.export import TASK_SIZE, cluster_runner

        return cluster_runner(cluster, size if slow else TASK_SIZE)
    from ..archive.api import CHUNK_SIZE, local_runner

    gc.freeze()  # loaded objects stay, so the collector need not search them, nor make processes copy them
    return local_runner(jobs, size, size if slow else CHUNK_SIZE)


def require_packages(*packages: str, what: str = "") -> None:
    """Raise CliError if one of some optional packages is missing."""
    for package in packages:
        if find_spec(package) is None:
            raise CliError(f"{what or phrase('this needs')} {package}: {install(*packages)}")


def need_numpy(*more: str) -> None:
    """Raise CliError if numpy or one of ``more`` is missing. Make numpy use one thread, unless the environment says
    otherwise.

    A net's matrices are small: several threads would wait for each other, each keeping a core busy.
    """
    require_packages("numpy", *more)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def refuse_both(why: str = "", **options: object) -> None:
    """Raise UsageError if all of some options are given, naming them with dashes instead of underscores."""
    if all(options.values()):
        names = phrase(" and ").join([f"--{name.replace('_', '-')}" for name in options])
        raise click.UsageError(phrase("{options} can't be used together", options=names) + why)


def options_given(options: dict[str, str]) -> list[str]:
    """Return which of some options (given by parameter name) are on the command line."""
    source_of = click.get_current_context().get_parameter_source
    return [option for name, option in options.items() if source_of(name) is ParameterSource.COMMANDLINE]


def refuse_terminal(stream: TextIO, form: str) -> None:
    """Raise UsageError if a format that is not text would go to a terminal."""
    if form in BINARY and stream.isatty():
        what = phrase(BINARY[form])
        raise click.UsageError(phrase("{format} can't be shown on a terminal; name a file with -o", format=what))


class Output(NamedTuple):
    """Where a command writes: a file, or standard output for None and ``-``. ``force`` says that a file may exist."""

    path: str | None = None
    force: bool = False

    @contextmanager
    def open(self, errors: str = "backslashreplace", inputs: Iterable[str] = ()) -> Iterator[TextIO]:
        """Open it in UTF-8.

        A file appears once everything is written, and not at all if writing raises. Raise CliError as in ``refuse``.
        ``errors`` says how lone surrogates are handled.
        """
        if self.path is None or self.path == STDIN:
            out = standard_output()
            _reconfigure(out, encoding=_encoding(), errors=errors, newline="\n")
            yield out
            out.flush()
            return
        self.refuse(inputs)
        encoding = _encoding()
        with (
            replacing(self.path) as stream,
            os.fdopen(os.dup(stream.fileno()), "w", encoding=encoding, errors=errors, newline="\n") as text,
        ):
            yield text

    def refuse(self, inputs: Iterable[str] = ()) -> None:
        """Raise CliError if the file may not be written: it exists, without ``force``, or is one of ``inputs``, which
        should never be overwritten.
        """
        path = self.path or ""
        refuse_address(path)
        if os.path.isdir(path):
            raise CliError(f"{path}: {phrase('this is a folder; name a file in it')}")
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise CliError(f"{path}: {phrase('its folder does not exist; create it first')}")
        if any(_is_same(path, other) for other in inputs):
            why = phrase("this file is being read and must not be overwritten; name another with -o")
            raise CliError(f"{path}: {why}")
        if os.path.isfile(path) and not self.force:
            raise CliError(f"{path}: {phrase('this file already exists; --force overwrites it')}")


def refuse_address(path: str, why: str = "") -> None:
    """Raise CliError if a path is an address, and say why none is written to, unless it is that only tables are."""
    if is_address(path):
        why = why or phrase("only tables are written to an address; name a local file, and copy it afterwards")
        raise CliError(f"{path}: {why}")


def standard_output() -> TextIO:
    """Return standard output. Raise CliError if the shell has closed it."""
    if sys.stdout is None:
        raise CliError(phrase("standard output is closed"))
    return sys.stdout


def _is_same(path: str, other: str) -> bool:
    """Return whether two paths name the same file, even through links; ``-`` is the source of standard input."""
    try:
        return os.path.isfile(path) and os.path.samefile(path, sys.stdin.fileno() if other == STDIN else other)
    except (OSError, ValueError, AttributeError):
        return False


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Do the same as :func:`tironian.tools.storage.files.replacing`, but raise CliError if it fails."""
    with as_cli_errors(path), files.replacing(path) as stream:
        yield stream


class Problems:
    """Reports on standard error, game by game, what can't be read; nothing if all is well."""

    def __init__(self) -> None:
        self._reporter: Reporter | None = None
        self._unreadable = False
        self._no_text = False

    def add(self, game: Game) -> None:
        """Report a game's problems, if it has any."""
        if not game.problems:
            return
        self._unreadable = self._unreadable or not game.readable
        self._no_text = self._no_text or game.problems[0].code == NO_TEXT
        from ...replay.diagnostics.api import NOTHING, READABLE, UNREADABLE
        from ..report.api import GameReport

        turns, name = game.record.turns, game.source.name
        tokens = sum(len(turn.tokens) for turn in turns)
        verdict = NOTHING if game.missing else READABLE if game.readable else UNREADABLE
        self._tell(GameReport(name, game.number, "", "", tokens, len(turns), verdict, "", tuple(game.problems)))

    @contextmanager
    def isolate_errors(self, game: Game) -> Iterator[None]:
        """Report a failure of the program itself on a game, so that the other games are not lost."""
        try:
            yield
        except (click.ClickException, OSError, CannotRun):
            raise
        except Exception as error:  # noqa: BLE001
            from ..report.api import failed_report

            self._unreadable = self._no_text = True
            self._tell(failed_report(error, game))

    def _tell(self, report: GameReport) -> None:
        if self._reporter is None:
            from ..report.api import reporter

            self._reporter = reporter("text", sys.stderr)
            self._reporter.begin()
        self._reporter.game(report)

    def finish(self) -> None:
        """If something can't be read, write the totals and exit: with code 1, or 2 if a file is not text or the program
        failed on a game.
        """
        if self._reporter is not None and self._unreadable:
            self._reporter.end()
            raise SystemExit(2 if self._no_text else 1)


class Meter(AbstractContextManager["Meter"]):
    """Shows progress on a terminal once the work takes long; to be used in a ``with``."""

    def __init__(self, what: str, total: float | None = None) -> None:
        """Count items called ``what``; ``total`` is the amount of work, if known, used to estimate the time left."""
        self._what, self._total = what, total
        self._watched = _stderr_is_terminal()
        self._bar: Any = None
        self._began = self._shown = time.monotonic()

    def show(self, count: int, done: float) -> None:
        """Show that ``count`` items and ``done`` of the total are done."""
        now = time.monotonic()
        if not self._watched or now - self._shown < STEP or now - self._began < METER_DELAY:
            return
        self._shown = now
        gone = now - self._began
        rate = figure(count / gone, f",.{0 if count >= gone else 2}f")
        things = f"{figure(count, ',')} {self._what}"
        said = phrase("{things}, {rate} a second, {time}", things=things, rate=rate, time=_time(gone))
        if self._total and done:
            said += f", {phrase('{time} left', time=_time(gone * (self._total - done) / done))}"
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = [BarColumn(bar_width=24), TextColumn("{task.description}", markup=False)]
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(said, total=self._total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, description=said)

    def __exit__(self, *_error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove the meter so that something else can be written there; it returns by itself."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _stderr_is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()


def reported(batch: Batch, files: InputFiles) -> Iterator[tuple[list[GameReport], Meter]]:
    """Yield the reports of a batch, chunk by chunk, with the meter that shows the progress."""
    total = sum(file.size for file in files) if _stderr_is_terminal() else None
    with Meter(phrase("games"), total) as shown, closing(batch.reports()) as pieces:
        for games in pieces:
            yield games, shown
            shown.show(batch.games, batch.bytes)


def _time(seconds: float) -> str:
    """Return ``1:02:33``, or ``2:33``."""
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
