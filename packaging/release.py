"""Make the published files, twice, inspect them and try them: ``make release``.

The published files are left in dist/: the source distribution and the wheel that holds only Python files. Both are made
a second time from the contents of the source distribution, in another folder without git, and must be the same. A
compiled wheel is made for each Python that pyproject.toml names and this machine has; it is tried and thrown away:
cibuildwheel makes the published ones on machines of each kind (.github/workflows/release.yml).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
EXAMPLES = [str(ROOT / "examples" / edition) for edition in ("2024", "1997")]


def run(*command: str | Path, **env: str) -> str:
    """Return the output of a command; if it fails, end with the last part of its output."""
    done = subprocess.run(command, env=os.environ | env, capture_output=True, text=True, cwd="/")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout.strip()


def build(what: str, source: Path, to: Path, python: str = sys.executable, **env: str) -> Path:
    """Make a wheel or an sdist; return it."""
    known = {*to.glob("*")}
    run(python, "-m", "build", f"--{what}", "--outdir", to, source, **env)
    (made,) = {*to.glob("*")} - known
    return made


def attempt(python: str, wheel: Path, folder: Path, build: str) -> None:
    """Install a wheel into a new environment, as on a machine without a compiler, and check games with it."""
    run(python, "-m", "venv", folder)
    began = perf_counter()
    quiet = ("--quiet", "--disable-pip-version-check", "--only-binary=:all:")
    run(folder / "bin" / "python", "-m", "pip", "install", *quiet, "-c", ROOT / "constraints.txt", wheel)
    took = perf_counter() - began
    tiro = folder / "bin" / "tiro"
    for pure, told in ("0", build), ("1", "pure"):
        version = run(tiro, "--version", TIRONIAN_PURE=pure)
        if not version.endswith(f" ({told})"):
            sys.exit(f"{wheel.name}: {version}")
        run(tiro, "check", *EXAMPLES, TIRONIAN_PURE=pure)
    print(f"{run(python, '--version'):<14}  {build:<8}  installed in {took:4.1f} s", flush=True)


def pythons() -> list[str]:
    """Return the commands of the installed Pythons."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    versions = [each.rpartition(" :: ")[2] for each in classifiers if ":: Python :: 3." in each]
    names = [f"python{version}" for version in versions if shutil.which(f"python{version}")]
    return [name for name in names if subprocess.run([name, "-c", ""], capture_output=True).returncode == 0]


def main() -> None:
    """Make everything and try it."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(ROOT / "tironian.egg-info", ignore_errors=True)  # setuptools packs what an earlier list names
    with TemporaryDirectory() as made:
        work = Path(made)
        source = build("sdist", ROOT, DIST)
        with tarfile.open(source) as archive:
            archive.extractall(work, filter="data")
        unpacked = work / source.name.removesuffix(".tar.gz")
        pure = build("wheel", ROOT, DIST, TIRONIAN_PURE="1")
        for what, first in ("sdist", source), ("wheel", pure):
            if build(what, unpacked, work / what, TIRONIAN_PURE="1").read_bytes() != first.read_bytes():
                sys.exit(f"{first.name} differs when it is made again")
            print(f"{first.name}: {first.stat().st_size:,} bytes, the same twice", flush=True)
        wheels = [pure]
        for number, python in enumerate(pythons()):
            attempt(python, pure, work / f"pure-{number}", "pure")
            env, to = work / f"builder-{number}", work / f"wheels-{number}"
            run(python, "-m", "venv", env)
            run(env / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build")
            began = perf_counter()
            wheels.append(build("wheel", unpacked, to, str(env / "bin" / "python"), TIRONIAN_PURE="0"))
            print(f"{wheels[-1].name}: compiled in {perf_counter() - began:.0f} s", flush=True)
            attempt(python, wheels[-1], work / f"compiled-{number}", "compiled")
        print(run(sys.executable, "-m", "twine", "check", "--strict", source, *wheels))
        print(run(sys.executable, "-m", "check_wheel_contents", "--config", ROOT / "pyproject.toml", *wheels))


if __name__ == "__main__":
    main()
