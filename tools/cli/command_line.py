"""The command line: ``tiro``. A command's module is imported only when the command is called.

It ends with a sentence if it can't continue, and silently if nobody reads its output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click

from ...notation.basics import build_in_use, program_version, readable
from ...notation.language import ENGLISH, language, languages, of_environment, phrase, speak, speaking, spoken
from ..storage.api import CannotRun
from .common import INTERRUPTED, LANGUAGE, CliError, FileText, discard_output, make_streams_safe, say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS: Final = {
    "Record": {
        "record": "Record a game at the table, while it is being played.",
        "club": "Run an event in the browser.",
        "desk": "Record games by taps, in a browser.",
    },
    "Judge": {
        "check": "Replay games through the rules and report every problem.",
        "repair": "Suggest what a broken record should have said.",
        "explain": "Explain a diagnostic code or a rule point.",
        "rules": "Show the rules of an edition, or how two editions differ.",
    },
    "Read and write": {
        "fmt": "Bring records into canonical form.",
        "convert": "Convert records from text to JSON and back, without loss.",
        "view": "Write records as a player or a spectator would have written them.",
        "merge": "Join the logs of several people into one record.",
        "schema": "Print a JSON Schema.",
    },
    "Look": {
        "show": "Draw the table at a moment of the game.",
        "timeline": "Show a game turn by turn, with annotations.",
        "votes": "Draw the decision tree of each vote.",
        "analyse": "Judge how well a game was played, and who was lucky.",
        "step": "Step through a game in the terminal.",
    },
    "Archive": {
        "event": "Show what is missing from a tournament, and the standings.",
        "export": "Export an archive as tables: games, turns, events and votes.",
        "query": "Query those tables in SQL, or with a ready-made query.",
    },
    "Play": {
        "play": "Play a game against the program, which plays at five levels.",
        "drill": "Practise your own mistakes, each when it is due.",
    },
    "Make": {"simulate": "Play complete random games from a seed."},
}
"""The commands as ``tiro --help`` shows them: section → name → what it does."""
COMMAND_MODULES: Final = {
    "explain": "rules",
    "query": "export",
    **dict.fromkeys(("fmt", "merge", "schema"), "convert"),
    **dict.fromkeys(("show", "timeline", "votes", "step", "view"), "look"),
}
"""Command → its module, where the two names differ."""
SIGPIPE_EXIT_CODE: Final = 141
"""The exit code that shells report when a closed pipe ends a program: 128 plus the number of SIGPIPE. It must not be 1,
which would say that records have problems: the output was cut off before that was known.
"""
_NO_THREAD: Final = "can't start new thread"
"""What Python says when there is no memory for a thread."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only to run it."""

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """Run the command; ends the program, unless ``standalone_mode`` is off."""
        call = partial(super().main, *args, standalone_mode=False, **more)
        with speaking(of_environment() if spoken() is ENGLISH else spoken()):
            if not standalone_mode:
                return call()
            raise SystemExit(exit_code_of(call))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; ``help`` and a command's name mean that command's ``--help``."""
        return super().parse_args(ctx, [*args[1:2], "--help"] if args[:1] == ["help"] else args)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Parse the arguments; ``--help`` and ``--version`` write and end here."""
        with translated_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with translated_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, section by section."""
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name, None if there is none.

        The examples, which follow a form feed in its docstring, come at the end of its help, after the options.
        """
        if cmd_name not in self.list_commands(ctx):
            return None
        command = getattr(import_module(f".{COMMAND_MODULES.get(cmd_name, cmd_name)}", __package__), cmd_name)
        command.epilog = (command.help or "").partition("\f")[2]  # no help with -OO
        for parameter in command.params:
            if parameter.type is click.STRING:
                parameter.type = FileText()
        if all(parameter.name != "lang" for parameter in command.params):
            command.params.append(language_option(hidden=True))
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names of commands or options with this beginning, without importing any command."""
        from click.shell_completion import CompletionItem

        known = [each for section in COMMANDS.values() for each in section.items() if each[0].startswith(incomplete)]
        return [CompletionItem(name, help=told) for name, told in known] or super().shell_complete(ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; if there is none, fail and name the most similar one."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), names, n=1)
            if near:
                ctx.fail(phrase("there is no command “{name}”; did you mean {other}?", name=args[0], other=near[0]))
            ctx.fail(phrase("there is no command “{name}”", name=args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of ``--help`` without importing any command."""
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(list(section.items()))


def show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Show the version, and whether the rules are compiled."""
    if wanted and not ctx.resilient_parsing:
        say(f"tiro {program_version()} ({build_in_use()})", err=False)
        ctx.exit()


def speak_named(ctx: click.Context, _option: click.Parameter, code: str | None) -> None:
    """Speak the language of a code; fail if there is no catalogue for it."""
    if code is None:
        return
    if (found := language(code)) is None:
        why = phrase("there is no language “{code}”; there are {names}", code=code, names=", ".join(languages()))
        raise click.BadParameter(why, ctx)
    ctx.meta[LANGUAGE] = code
    speak(found)


def language_option(*, hidden: bool = False) -> click.Option:
    """Return the option ``--lang``, which the group has, and each command, hidden."""
    told = "The language of what is shown: en, de or fr; by default TIRO_LANG, or that of the system."
    called = ["--lang"]
    more: dict[str, Any] = {"callback": speak_named, "expose_value": False, "is_eager": True, "metavar": "CODE"}
    return click.Option(called, **more, hidden=hidden, help=told)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Each command has an example under --help. Exit codes: 0 no problems, 1 problems in records, "
    "2 problems with the command line or the files; 130 after Ctrl-C, 128 plus the number of any other signal, "
    "141 if the output was closed early.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Read, check and explain records of Caesar & Cleopatra."""
    make_streams_safe()


main.params.insert(0, language_option())


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise CliError for CannotRun. On a closed pipe, for which click and rich would exit with 1, end with UNHEARD."""
    try:
        yield
    except CannotRun as error:
        raise CliError(*error.lines) from None
    except (BrokenPipeError, SystemExit) as error:
        if not any(isinstance(cause, BrokenPipeError) for cause in (error, error.__context__)):
            raise
        discard_output()
        raise click.exceptions.Exit(SIGPIPE_EXIT_CODE) from None


def exit_code_of(call: Callable[[], object]) -> int:
    """Run a command and return its exit code; report whatever ends it early, never with a traceback."""
    try:
        code = _code(call)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return SIGPIPE_EXIT_CODE
    except OSError as error:
        # Files report their own errors (open_input, replacing); an error without a name is about standard output.
        discard_output()
        trouble = CliError.of(error.filename or phrase("standard output"), error)
    except Exception as error:
        if isinstance(error, MemoryError) or _NO_THREAD in str(error):
            why = phrase("there is not enough memory to continue; do less at once, or give the program more")
            trouble = CliError(why)
        else:
            from ..report.api import INTERNAL_ERROR, TRACEBACK, exception_text

            if os.environ.get(TRACEBACK):
                raise
            what = phrase("this is a bug in tiro: {error}", error=exception_text(error))
            more = phrase("{variable}=1 shows the traceback", variable=TRACEBACK)
            remedy = phrase("please report it (`tiro explain {code}` says how)", code=INTERNAL_ERROR) + f"; {more}"
            trouble = CliError(f"{INTERNAL_ERROR}: {what}", remedy)
    # The work in progress is freed only here, after the exception that held it.
    with suppress(OSError, MemoryError):
        _show(trouble)
    return trouble.exit_code


def _code(call: Callable[[], object]) -> int:
    """Return the exit code of a call; an error of click is shown first."""
    try:
        code = call()
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except SystemExit as end:
        code = end.code
    return code if isinstance(code, int) else 0


def _show(error: click.ClickException) -> None:
    """Write what click says of an error, in the language that is spoken."""
    message = readable(error.format_message().replace("\n\t", "\n  "))  # this makes click list the choices
    if isinstance(error, click.UsageError) and error.ctx is not None:
        say(*error.ctx.get_usage().splitlines())
        say(phrase("Try '{command} --help' for help.", command=error.ctx.command_path), "")
    say(*phrase("Error: {message}", message=message).split("\n"))
