"""How many instructions ``tiro check`` takes, counted by callgrind: the same number however busy a machine is.

It depends on the Python and the compilers, so that ``instructions.json`` has figures for those with which somebody
has counted. ``make instructions`` counts on the compiled build and keeps what it finds.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

import tironian

KEPT = Path(__file__).with_suffix(".json")
GAMES = 160
"""Simulated games, the rule sets in turn."""


def machinery() -> str:
    """Return what the figures depend on apart from the code: this Python, how it was built, and the C compiler."""
    options = re.findall(r"--(?:enable|with)-[\w-]+", sysconfig.get_config_var("CONFIG_ARGS") or "")
    python = f"{platform.python_implementation()} {sys.version_info.major}.{sys.version_info.minor}"
    compiler = subprocess.run([os.environ.get("CC", "cc"), "-dumpversion"], capture_output=True, text=True, check=True)
    return ", ".join(
        [
            python,
            re.split(r"\.", platform.python_compiler())[0],
            *options,
            f"cc {compiler.stdout.split('.')[0].strip()}",
        ]
    )


def counted() -> dict[str, int]:
    """Return the instructions of a check of one game, which is mostly start-up, and those of each further event."""
    records = [
        tironian.simulate(tironian.load_edition(tironian.EDITION_NAMES[seed % 4]), seed) for seed in range(GAMES)
    ]
    events = sum(len(turn.tokens) for record in records[1:] for turn in record.turns)
    with TemporaryDirectory() as folder:
        one, all_of_them = Path(folder, "one.tiro"), Path(folder, "all.tiro")
        one.write_text(tironian.write(records[0]), encoding="utf-8")
        all_of_them.write_text(tironian.write_all(records), encoding="utf-8")
        alone = instructions_of(one)
        return {"one game": alone, "each event": (instructions_of(all_of_them) - alone) // events}


def instructions_of(path: Path) -> int:
    """Return the instructions of a check of a file, without what site-packages run at the start of a Python."""
    paths = [Path(str(tironian.__file__)).parents[1], sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    env |= {"PYTHONPYCACHEPREFIX": str(path.parent), "PYTHONDONTWRITEBYTECODE": ""}
    check = [sys.executable, "-S", "-m", "tironian", "check", "-q", "-j", "1", str(path)]
    subprocess.run(check, check=True, env=env)  # all bytecode is there afterwards
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run([*tool, *check], check=True, env=env, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    assert found, run.stderr
    return int(found[1])


def main() -> None:
    """Count, and say how far the figures are from those that are kept; with ``--keep``, keep them."""
    figures = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    kept, now = figures.get(machinery(), {}), counted()
    for what, number in now.items():
        print(f"{what}: {number:,} instructions", f"({number / kept[what] - 1:+.1%})" if what in kept else "(new)")
    if "--keep" in sys.argv:
        figures[machinery()] = now
        KEPT.write_text(f"{json.dumps(figures, indent=2, sort_keys=True)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
