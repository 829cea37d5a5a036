"""Compile the modules that pyproject.toml lists, where a C compiler is; elsewhere the same files run as they are.

TIRONIAN_PURE=1 compiles nothing. TIRONIAN_PURE=0 wants compiled modules: what fails then is an error. With neither,
a failure costs speed and nothing else. An editable install is never compiled: a library would hide what is edited.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, PlatformError

PURE = os.environ.get("TIRONIAN_PURE")
TOOLS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]
MOUNTED = Path("build/mounted")
OPTIONS = ["--config-file=", f"--cache-dir={os.devnull}", "--namespace-packages", "--explicit-package-bases"]
OPTIONS += ["--ignore-missing-imports", "--follow-imports=silent"]  # of other modules mypy has no say
OPTIONS += ["--always-true=COMPILED"]
LIBRARY = "tironian"
"""All modules are one library, so that they call each other directly. It lies beside the folder of that name: from one
that lay in it, mypyc would tell packages a wrong place."""


class AllOrNone(build_ext):
    """The extensions of one library are of no use without each other."""

    def run(self) -> None:
        """Build them; where one is missing afterwards, remove the others."""
        super().run()
        made = [Path(self.get_ext_fullpath(each.name)) for each in self.extensions]
        if not all(path.exists() for path in made):
            for path in made:
                path.unlink(missing_ok=True)


def compiler_works() -> bool:
    """Whether something can be compiled against the headers of this Python."""
    from distutils.ccompiler import new_compiler  # setuptools brings its own and has to be imported before
    from distutils.sysconfig import customize_compiler

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\n", encoding="utf-8")
        try:
            compiler = new_compiler()
            customize_compiler(compiler)
            compiler.compile([str(source)], output_dir=folder, include_dirs=[sysconfig.get_path("include")])
        except (CCompilerError, PlatformError):
            return False
    return True


def mount() -> list[str]:
    """Copy the packages to where they are mounted, since mypyc names modules by their paths; return what to compile."""
    for package, folder in TOOLS["setuptools"]["package-dir"].items():
        shutil.copytree(folder, MOUNTED.joinpath(*package.split(".")), ignore=shutil.ignore_patterns("__pycache__"))
    return sorted({str(path) for each in TOOLS["tironian"]["compiled"] for path in MOUNTED.glob(f"tironian/{each}")})


def extensions() -> list[Extension]:
    """The modules as extensions; none where they are not wanted or can't be made."""
    if "bdist_wheel" not in sys.argv:
        return []
    shutil.rmtree("build", ignore_errors=True)  # setuptools would pack what an earlier build left there
    if PURE == "1" or (PURE != "0" and not compiler_works()):
        return []
    try:
        from mypyc.build import mypycify

        os.environ["MYPYPATH"] = str(MOUNTED)
        found = mypycify([*OPTIONS, *mount()], opt_level="3", debug_level="0", group_name=LIBRARY)
    except (ImportError, SystemExit):  # no mypy for this Python, or one that refuses the source
        if PURE == "0":
            raise
        return []
    for each in found:
        each.optional = PURE != "0"
    return found


def description() -> str:
    """The README for an index page, where a relative link leads nowhere: one to the address that pyproject.toml names
    for the files of the project, as long as there is none the bare words.
    """
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = project.get("urls", {}).get("Files", "")
    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"!?\[([^\]]*)\]\((?!\w+:|#)([^)]*)\)", rf"[\1]({files}/\2)" if files else r"\1", text)


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=extensions(),
    cmdclass={"build_ext": AllOrNone},
)
