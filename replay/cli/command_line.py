"""The command line: ``tiro``. A command's module is imported when the command is called, and not before."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, Final

import click

from .common import make_streams_safe, say
from .early_end import exit_code_of, translated_errors

COMMANDS: Final = {
    "Record": {"record": "Record a game at the table, while it is played."},
    "Judge": {
        "check": "Replay games through the rules and report every problem.",
        "repair": "Say what a broken record most probably should have said.",
        "explain": "Say what a diagnostic code or a rule point means.",
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
        "analyse": "Say how well a game was played, and who was lucky.",
        "step": "Step through a game in the terminal, full screen.",
    },
    "Archive": {
        "export": "Write games as tables: games, turns, events and votes.",
        "query": "Query those tables in SQL, or with a ready-made query.",
    },
    "Play": {
        "play": "Play a game against the program, which plays at five levels.",
        "drill": "Play your own mistakes again, each when it is due.",
    },
    "Make": {"simulate": "Play complete random games from a seed."},
}
"""The commands as ``tiro --help`` shows them: section → name → what it does. Its module has the command's name."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only to run it."""

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """Run the command; ends the program, unless ``standalone_mode`` is off."""
        call = partial(super().main, *args, standalone_mode=False, **more)
        if not standalone_mode:
            return call()
        raise SystemExit(exit_code_of(call))

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Parse the arguments; ``--help`` and ``--version`` write and end here."""
        with translated_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out."""
        with translated_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, section by section."""
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name, None where there is none.

        What follows a form feed in its docstring ends its help: the examples, which come after the options.
        """
        if cmd_name not in self.list_commands(ctx):
            return None
        command = getattr(import_module(f".{cmd_name}", __package__), cmd_name)
        command.epilog = (command.help or "").partition("\f")[2]  # no help with -OO
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; fail with the nearest name where there is none."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), names, n=1)
            ctx.fail(f"there is no command “{args[0]}”{f'; did you mean {near[0]}?' if near else ''}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of ``--help`` without importing any command."""
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(list(section.items()))


def tell_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Say which version this is, and whether its rules are compiled."""
    if wanted and not ctx.resilient_parsing:
        from ...notation.build import build_in_use
        from ..report import program_version

        say(f"tiro {program_version()} ({build_in_use()})", err=False)
        ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Each command has an example under --help. Exit codes: 0 no problems, 1 problems in records, "
    "2 problems with the call or the files; 130 after Ctrl-C, 141 if the output was closed early.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=tell_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Read, check and explain records of Caesar & Cleopatra."""
    make_streams_safe()
