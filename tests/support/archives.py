"""Archives to check: games made once, and a check of paths in this process or as a command."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from click.testing import CliRunner, Result
from tironian import EDITION_NAMES, load_edition, simulate, write
from tironian.tools.archive.batch import Batch, local_runner
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.archive.register import Register
from tironian.tools.cli.command_line import main
from tironian.tools.report.model import GameReport
from tironian.tools.storage.sources import InputFiles, TextStream

ROOT = Path(__file__).parents[2]
BROKEN = (ROOT / "examples" / "broken" / "sixth-card.tiro").read_text(encoding="utf-8")


@cache
def game(seed: int) -> str:
    """One simulated game, of the rule set that is its turn."""
    return write(simulate(load_edition(EDITION_NAMES[seed % len(EDITION_NAMES)]), seed))


def games(count: int, first: int = 0) -> str:
    """Some simulated games as a text."""
    return "\n".join(game(seed) for seed in range(first, first + count))


def text(data: bytes, name: str = "a.tiro") -> TextStream:
    return TextStream(name, io.BytesIO(data))


def checked(paths: Iterable[Path | str], jobs: int = 1, **how) -> list[GameReport]:
    """The reports of everything that paths name."""
    with Register() as register:
        batch = Batch(
            InputFiles(map(str, paths)), ChunkChecker(**({"moves": True} | how)), register, local_runner(jobs)
        )
        return [report for reports in batch.reports() for report in reports]


def verdicts(path: Path) -> list[str]:
    return [each.verdict for each in checked([path])]


Members = dict[str, str | bytes] | list[tuple[str, str]]
"""The names and texts of what an archive holds; a list where names come twice."""


def zipped(members: Members) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, content)
    return stream.getvalue()


def tarred(members: Members, mode: str = "w", **how) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode, **how) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            info, data = tarfile.TarInfo(name), content.encode() if isinstance(content, str) else content
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def tiro(*args: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
