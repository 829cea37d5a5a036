"""The pages of the site: those of docs/, with parts that come from the program, and files from elsewhere.

A page has ``<!-- commands -->`` where the part of that name is to stand.
"""

from __future__ import annotations

import inspect
import json
import posixpath
import re
import shutil
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import tironian
from tironian.grammar import grammar_text
from tironian.replay.diagnostics.registry import CODES
from tironian.schemas import load_schema, schema_names
from tironian.tools.cli.command_line import COMMANDS, main
from tironian.tools.cli.rulebook import POINTS
from tironian.tools.desk.site import PACKAGE, write_site

ROOT = Path(__file__).parents[2]
BROUGHT = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "desk/icon.svg": "pictures/icon.svg",
}
"""Files from outside this folder → what they are called on the site."""
GAME_PAGE = "game.html"
"""The page of an example, to be stepped through."""
INSTEAD = {**BROUGHT, "README.md": "index.md"}
LINK = re.compile(
    r"^ *```.*?^ *```$|^#.*?$|^\*\*[A-Z]\d+\*\*|`[^`\n]+`(?!\])|"  # stay: code, headings, points
    r"\[(?P<words>[^\]]+)\]\((?P<target>[^)\s#:]*)(?P<anchor>#[^)\s]*)?\)|\b(?P<named>[A-Z]\d{1,3})\b",
    re.M | re.S,
)
"""A link, or what may name a diagnostic or a rule point; or else something in which there is none of them."""
PART = re.compile(r"^<!-- (\w+) -->$", re.M)


def write_pages(folder: Path) -> None:
    """Write all pages, and what they show, to a folder, from which the site is built."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for source, name in BROUGHT.items():
        shutil.copyfile(ROOT / source, folder / name)
    if find_spec(PACKAGE):
        write_site(folder / "desk")
    (game,) = tironian.read(str(ROOT / "examples" / "2024" / "annotated.tiro"))
    (folder / GAME_PAGE).write_text(tironian.page(game), encoding="utf-8")
    (folder / "schemas").mkdir()
    for name in schema_names():
        (folder / "schemas" / f"{name}.md").write_text(schema(name), encoding="utf-8")
    here = {name: source for source, name in BROUGHT.items()}
    for path in folder.rglob("*.md"):
        name = path.relative_to(folder).as_posix()
        path.write_text(page(path.read_text(encoding="utf-8"), name, here.get(name, f"docs/{name}")), encoding="utf-8")


def page(text: str, name: str, source: str) -> str:
    """Return a page of the site with its parts filled in, and its links leading to what stands for them here."""
    if name.startswith("codes/"):
        title, _, rest = text.partition("\n")
        text = f"{title}\n\n[All diagnostics](../diagnostics.md)\n{rest}"
    text = LINK.sub(lambda found: led(found, source, name), text)
    if name == "rules.md":
        text = re.sub(r"^(\*\*([A-Z]\d+)\*\*)", lambda point: f"{point[1]}{{ #{point[2].lower()} }}", text, flags=re.M)
    return PART.sub(lambda found: PARTS[found[1]](), text)


def led(found: re.Match[str], here: str, name: str) -> str:
    """Return a link as it has to be on the site, its words alone where the site has not got what it leads to.

    The name of a diagnostic becomes a link, and so does that of a rule point on pages that speak of rules.
    """
    folder = posixpath.dirname(name) or "."
    if named := found["named"]:
        if named in CODES and not name.startswith(("index", f"codes/{named}")):
            return f"[{named}]({posixpath.relpath(f'codes/{named}.md', folder)})"
        is_point = named in POINTS and name.startswith(("codes/", "rules", "notation"))
        return f"[{named}]({posixpath.relpath('rules.md', folder)}#{named.lower()})" if is_point else named
    if not found["target"]:
        return found[0]
    place = posixpath.normpath(posixpath.join(posixpath.dirname(here), found["target"]))
    there = INSTEAD.get(place, place.removeprefix("docs/") if place.startswith("docs/") else None)
    words = found["words"]
    if there is None:
        return words
    if words.endswith(".md"):
        words = re.search(r"^# (.+)", (ROOT / place).read_text(encoding="utf-8"), re.M)[1]
    return f"[{words}]({posixpath.relpath(there, folder)}{found['anchor'] or ''})"


# ----------------------------------------------------------------------------------------------------------- parts


def begin() -> str:
    """Return two buttons: one leads to the desk where it lies beside the pages, else to what it is; one to a game."""
    there = "desk/index.html" if find_spec(PACKAGE) else "desk.md"
    return (
        f"[Try the desk]({there}){{ .md-button .md-button--primary }}\n"
        f"[Step through a game]({GAME_PAGE}){{ .md-button }}"
    )


def commands() -> str:
    """Return every command with its options and examples."""
    return "\n\n".join(f"## {section}\n\n" + "\n\n".join(map(command, names)) for section, names in COMMANDS.items())


def command(name: str) -> str:
    """Return one command."""
    with click.Context(main, info_name="tiro", **main.context_settings) as above:
        told = main.get_command(above, name)
        assert told is not None
        context = click.Context(told, info_name=name, parent=above)
        usage = " ".join(["tiro", name, *told.collect_usage_pieces(context)])
        options = [record for each in told.params if (record := each.get_help_record(context)) and record[1]]
    text = inspect.cleandoc((told.help or "").partition("\f")[0])
    rows = "\n".join(f"| `{option.replace('|', ' | ')}` | {' '.join(words.split())} |" for option, words in options)
    examples = inspect.cleandoc(told.epilog or "").replace("\b\n", "").removeprefix("Examples:\n")
    return "\n\n".join(
        [
            f"### tiro {name}",
            f"```text\n{usage}\n```",
            escaped(text),
            f"| option | meaning |\n|---|---|\n{rows}",
            *([f"```sh\n{inspect.cleandoc(chr(10) + examples)}\n```"] if examples else []),
        ]
    )


def escaped(text: str) -> str:
    """Return plain text as Markdown; what stands in backticks is code there, too."""
    return re.sub(r"(`[^`]*`)|([*_<\[|])", lambda found: found[1] or f"\\{found[2]}", text)


def diagnostics() -> str:
    """Return all codes under the headings of their table."""
    text = (ROOT / "replay" / "diagnostics" / "codes.toml").read_text(encoding="utf-8")
    parts = re.split(r"^# -{5,} (.+)\n", text, flags=re.M)
    return "\n\n".join(
        f"## {title}\n\n| code | problem | severity |\n|---|---|---|\n"
        + "\n".join(
            f"| [{name}](codes/{name}.md) | {entry['title']} | {entry.get('severity', 'error')} |"
            for name, entry in tomllib.loads(table).items()
        )
        for title, table in zip(parts[1::2], parts[2::2], strict=True)
    )


def grammar() -> str:
    """Return the grammar."""
    return f"```text\n{grammar_text().strip()}\n```"


def schemas() -> str:
    """Return a list of all schemas, each of which has a page."""
    rows = [(name, load_schema(name)) for name in schema_names()]
    told = "\n".join(f"| [{name}](schemas/{name}.md) | {escaped(read['description'])} |" for name, read in rows)
    return f"| schema | what it describes |\n|---|---|\n{told}"


def schema(name: str) -> str:
    """Return the page of a schema, with a table of the fields of each of its objects."""
    read = load_schema(name)
    parts = {"": read, **read.get("$defs", {})}
    tables = [table for key, part in parts.items() for table in fields(key, part)]
    about = f"`tiro schema {name}` · `{read['$id']}` · [all schemas](../schemas.md)"
    return "\n\n".join([f"# {read['title']}", escaped(read["description"]), about, *tables]) + "\n"


def fields(name: str, part: dict[str, Any]) -> Iterator[str]:
    """Yield a table of the fields of an object, with those of objects within them."""
    rows = list(rows_of(part))
    if rows:
        table = "\n".join(f"| `{field}` | {kind} | {escaped(about)} |" for field, kind, about in rows)
        head = f"## {name}\n\n{escaped(part.get('description', ''))}" if name else "## Fields"
        yield f"{head}\n\n| field | type | meaning |\n|---|---|---|\n{table}"


def rows_of(part: dict[str, Any], above: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield name, kind and description of the fields of an object."""
    for field, value in part.get("properties", {}).items():
        if isinstance(value, bool):
            continue
        yield f"{above}{field}", kind_of(value), value.get("description", "")
        yield from rows_of(value.get("items") or value, f"{above}{field}.")


def kind_of(value: dict[str, Any]) -> str:
    """Return what a value may be, in a word or two."""
    if value.get("items"):
        return f"list of {kind_of(value['items'])}"
    if ref := value.get("$ref"):
        return posixpath.basename(ref)
    if choices := value.get("enum", [value["const"]] if "const" in value else []):
        return ", ".join(f"`{json.dumps(each).strip(chr(34))}`" for each in choices)
    if several := value.get("anyOf", value.get("oneOf")):
        return " or ".join(map(kind_of, several))
    kind = value.get("type", "any")
    return kind if isinstance(kind, str) else " or ".join(kind)


PARTS = {part.__name__: part for part in (begin, commands, diagnostics, grammar, schemas)}

if __name__ == "__main__":
    write_pages(ROOT / "build" / "pages")
