"""Draw the pictures of the README and of docs/the-game.md: ``make pictures``."""

from __future__ import annotations

from pathlib import Path

from tironian.replay.cli.command_line import main

HERE = Path(__file__).parent
GAME = str(HERE.parents[1] / "examples" / "2024" / "annotated.tiro")
PICTURES = {
    "table": ("show", GAME, "--at", "5R", "--format", "svg"),
    "game": ("timeline", GAME, "--format", "svg"),
    "vote": ("votes", GAME, "--vote", "7", "--format", "svg"),
}
"""Name → the command that draws it."""


def draw(folder: Path = HERE) -> None:
    """Write all pictures to a folder."""
    for name, command in PICTURES.items():
        main([*command, "-o", str(folder / f"{name}.svg"), "--force"], standalone_mode=False)


if __name__ == "__main__":
    draw()
