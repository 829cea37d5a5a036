"""Shells complete what is typed: commands and options, names that the program knows, and files for all else."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from terminals import terminal
from tironian.replay.diagnostics.registry import CODES
from tironian.tools.cli.command_line import COMMANDS, main

TIRO = Path(sys.executable).with_name("tiro")
EXAMPLE = Path(__file__).parents[2] / "examples" / "2024" / "annotated.tiro"


def offered(*words: str) -> dict[str, str]:
    """What completes the last of some words, with what it means, as click answers fish."""
    env = {"_TIRO_COMPLETE": "fish_complete", "COMP_WORDS": " ".join(["tiro", *words]), "COMP_CWORD": words[-1]}
    done = CliRunner().invoke(main, env=env, prog_name="tiro")
    assert done.exit_code == 0, done.output
    answers = [line.split(",", 1)[1].partition("\t") for line in done.output.splitlines() if line]
    return {name: told for name, _, told in answers}


def test_commands_are_offered_with_what_they_do():
    known = {name: told for section in COMMANDS.values() for name, told in section.items()}
    assert offered("") == known
    assert offered("s") == {name: told for name, told in known.items() if name.startswith("s")}


def test_options_are_offered():
    assert "--infer-rules" in offered("check", "--")
    assert offered("--v") == {"--version": "Show the version and exit."}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("explain", "R20"), [code for code in CODES if code.startswith("R20")]), (("explain", "r204"), ["R204"]),
        (("explain", "D4"), ["D4"]),
        (("check", "--select", "R204,h20"), [f"R204,{code}" for code in CODES if code.startswith("H20")]),
        (("check", "--ignore", "A"), [code for code in CODES if code.startswith("A")]),
        (("check", "--rules", "20"), ["2024"]), (("rules", ""), ["2024", "1997", "fr", "taylor"]),
        (("rules", "2024", "1"), ["1997"]), (("query", "resu"), ["results"]),
        (("query", "--name", "resu"), ["results"]), (("schema", "reco"), ["record"]), (("explain", "README"), []),
    ],
)  # fmt: skip
def test_names_are_offered(words: tuple[str, ...], names: list[str]):
    assert list(offered(*words)) == names


def test_names_are_offered_with_what_they_mean():
    assert offered("explain", "R204") == {"R204": CODES["R204"].title}
    assert offered("query", "results")["results"]


@pytest.mark.parametrize("words", [("check", "gam"), ("fmt", "--diff", "gam"), ("show", "gam"), ("view", "-o", "gam")])
def test_all_else_is_a_file(words: tuple[str, ...]):
    env = {"_TIRO_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["tiro", *words]), "COMP_CWORD": str(len(words))}
    assert CliRunner().invoke(main, env=env, prog_name="tiro").output == "file,gam\n"


SHELLS = {
    "bash": ("bash --norc --noprofile -i", 'eval "$(_TIRO_COMPLETE=bash_source tiro)"'),
    "zsh": ("zsh -f -i", 'autoload -Uz compinit; compinit -u -D; eval "$(_TIRO_COMPLETE=zsh_source tiro)"'),
    "fish": ("fish --no-config -i", "_TIRO_COMPLETE=fish_source tiro | source"),
}


@pytest.mark.process
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell: str, tmp_path: Path):
    command, begin = SHELLS[shell]
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    shutil.copy(EXAMPLE, tmp_path / "thursday.tiro")
    path = f"{TIRO.parent}:/usr/bin:/bin"
    with terminal(*command.split(), cwd=tmp_path, PATH=path, HOME=str(tmp_path), PS1="$ ") as there:
        there.press(f"{begin}; echo rea''dy\n")
        there.wait_for("ready\r\n")
        for typed, answer in [
            ("tiro explain M10", CODES["M101"].title),
            ("tiro query --show resul", "SELECT"),
            ("tiro check thur", "1 legal"),
        ]:
            there.press(f"{typed}\t\n")
            there.wait_for(answer)
