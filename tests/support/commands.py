"""What the command line says about itself: its commands, and the choices of their options."""

from __future__ import annotations

import click
from tironian.tools.cli.command_line import COMMANDS, main

NAMES = [name for section in COMMANDS.values() for name in section]


def parameters(name: str) -> list[click.Parameter]:
    """What a command can be given."""
    command = main.get_command(click.Context(main), name)
    assert command is not None, name
    return command.params


def choices(name: str, option: str) -> tuple[str, ...]:
    """What an option of a command can be; nothing if the command has no such option."""
    types = [parameter.type for parameter in parameters(name) if option in parameter.opts]
    return tuple(str(choice) for kind in types if isinstance(kind, click.Choice) for choice in kind.choices)


def in_all_formats(name: str, *words: str) -> list[tuple[str, ...]]:
    """A command in each of its formats."""
    return [(name, *words, "--format", form) for form in choices(name, "--format")] or [(name, *words)]
