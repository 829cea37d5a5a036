"""Compile the modules that pyproject.toml lists, where a C compiler is; elsewhere the same files run as they are.

TIRONIAN_PURE=1 compiles nothing. TIRONIAN_PURE=0 wants compiled modules: what fails then is an error. With neither,
a failure costs speed and nothing else. An editable install is never compiled: a library would hide what is edited.

TIRONIAN_OPT is the C compiler's level of optimisation, 3 unless it says otherwise. Each module becomes a file in C, and
as many of them are compiled at a time as there are cores. TIRONIAN_OPT=whole makes one file of all modules, at level 3:
wheels are made so, since that takes the compiler three times as long and saves a check one instruction in sixty.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from gzip import GzipFile
from itertools import chain
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.errors import CCompilerError, PlatformError

PURE = os.environ.get("TIRONIAN_PURE")
LEVEL = os.environ.get("TIRONIAN_OPT", "3")
EPOCH = int(os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800"))
"""The time of all files that are packed, the first that a zip can say: the same files are packed to the same bytes."""
WHOLE = "whole"
TOOLS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]
MOUNTS: dict[str, str] = TOOLS["setuptools"]["package-dir"]
MOUNTED = Path("build/mounted")
OPTIONS = ["--config-file=", f"--cache-dir={os.devnull}", "--namespace-packages", "--explicit-package-bases"]
OPTIONS += ["--ignore-missing-imports", "--follow-imports=silent"]  # of other modules mypy has no say
OPTIONS += ["--always-true=COMPILED"]
TOLD = r'(?:PyDoc_STR\("(?P<signature>(?:[^"\\]|\\.)*)"\)|NULL)'
"""What mypyc writes where a docstring may stand."""
UNEXPORTED = ["-fvisibility=hidden", "-fno-semantic-interposition"]
"""With these, functions of the library call each other directly: no other can be put in their place."""
PLAIN = {*map(chr, range(32, 127))} - {*'"\\?'}
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

    def build_extensions(self) -> None:
        """Compile the sources of each extension side by side."""
        compile_these = self.compiler.compile

        def compile_all(sources: list[str], **how: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return [*chain.from_iterable(pool.map(lambda source: compile_these([source], **how), sources))]

        self.compiler.compile = compile_all
        super().build_extensions()


class SameAgain(sdist):
    """The source distribution, which says nothing of the machine on which it was made."""

    def make_archive(self, base_name: str, format: str, *_where: Any, base_dir: str, **_owner: Any) -> str:
        """Pack a folder; ``format`` is the one that is published, gztar. Return the file."""

        def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
            info.mtime, info.mode = EPOCH, 0o755 if info.mode & 0o100 else 0o644
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            return info

        made = f"{base_name}.tar.gz"
        with GzipFile(made, "wb", mtime=EPOCH) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(base_dir, filter=plain)
        return made


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
    for package, folder in MOUNTS.items():
        shutil.copytree(folder, MOUNTED.joinpath(*package.split(".")), ignore=shutil.ignore_patterns("__pycache__"))
    return sorted({str(path) for each in TOOLS["tironian"]["compiled"] for path in MOUNTED.glob(f"tironian/{each}")})


def documented(path: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield what a module defines: its dotted name in parts, how it is called where that can be said, its docstring."""

    def inside(scope: ast.Module | ast.ClassDef, parts: list[str]) -> Iterator[tuple[list[str], str, str]]:
        for node in scope.body:
            if isinstance(node, ast.ClassDef):
                yield [*parts, node.name], "", ast.get_docstring(node) or ""
                yield from inside(node, [*parts, node.name])
            elif isinstance(node, ast.FunctionDef):
                called = ast.unparse(node.args) if all(map(is_plain, node.args.defaults)) else ""
                yield [*parts, node.name], called, ast.get_docstring(node) or ""

    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
    yield from inside(tree, [*Path(path).relative_to(MOUNTED).with_suffix("").parts])


def is_plain(default: ast.expr) -> bool:
    """Whether Python can read a default again out of a signature that is text."""
    return all(isinstance(node, ast.Constant | ast.Tuple | ast.Load) for node in ast.walk(default))


def tell(modules: list[str]) -> None:
    """Write the docstrings of modules into the C that mypyc made of them: it leaves them out, and help() needs them.

    There things are called by the end of their dotted names, with three underscores for each dot.
    """
    known = {
        "___".join(parts[start:]): (called, doc)
        for parts, called, doc in chain.from_iterable(map(documented, modules))
        for start in range(len(parts))
    }

    def function(match: re.Match[str]) -> str:
        called, doc = known.get(match["name"], ("", ""))
        signature = match["signature"] or ""
        if called and signature.endswith(r", /)\n--\n\n"):  # of functions mypyc says less than it knows
            signature = quoted(f"{match['name'].rpartition('___')[2]}({called})\n--\n\n")
        return f'{match["head"]}PyDoc_STR("{signature}{quoted(doc)}")'

    def thing(match: re.Match[str]) -> str:
        _, doc = known.get("___".join(filter(None, match.group("name", "attribute"))), ("", ""))
        return f'{match["head"]}PyDoc_STR("{match["signature"] or ""}{quoted(doc)}")'

    for file in Path("build").glob("__native*.c"):
        text = file.read_text(encoding="utf-8")
        text = re.sub(rf"(?P<head>CPyPy_(?P<name>\w+),\s*METH_[A-Z_ |]+, ){TOLD}", function, text)
        text = re.sub(
            rf"(?P<head>CPyType_(?P<name>\w+)_template_ = {{[^}}]*?\.tp_doc = )(?P<attribute>){TOLD}", thing, text
        )
        text = re.sub(rf"(?P<head>\(getter\)(?P<name>\w+?)_get_(?P<attribute>\w+),\s*NULL, ){TOLD}", thing, text)
        file.write_text(text, encoding="utf-8")


def quoted(text: str) -> str:
    """Return a text as it stands between the quotes of a string in C."""
    return "".join([chr(byte) if chr(byte) in PLAIN else f"\\{byte:03o}" for byte in text.encode()])


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
        modules = mount()
        how = {"opt_level": "3" if LEVEL == WHOLE else LEVEL, "multi_file": LEVEL != WHOLE}
        found = mypycify([*OPTIONS, *modules], **how, debug_level="0", group_name=LIBRARY)
        tell(modules)
    except (ImportError, SystemExit):  # no mypy for this Python, or one that refuses the source
        if PURE == "0":
            raise
        return []
    for each in found:
        each.optional = PURE != "0"
        if sysconfig.get_config_var("CC"):  # a compiler that knows these
            each.extra_compile_args = [*each.extra_compile_args, *UNEXPORTED]
    return found


def packages() -> list[str]:
    """Each folder with files, in those that are mounted, is a package."""
    return sorted(
        {
            ".".join([package, *path.parent.relative_to(folder).parts])
            for package, folder in MOUNTS.items()
            for path in Path(folder).rglob("*")
            if path.is_file() and path.parent.name != "__pycache__"
        }
    )


def description() -> str:
    """The README for an index page, where a relative link leads nowhere: one to the address that pyproject.toml names
    for the files of the project, as long as there is none the bare words.
    """
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = project.get("urls", {}).get("Files", "")
    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"!?\[([^\]]*)\]\((?!\w+:|#)([^)]*)\)", rf"[\1]({files}/\2)" if files else r"\1", text)


setup(
    packages=packages(),
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=extensions(),
    cmdclass={"build_ext": AllOrNone, "sdist": SameAgain},
)
