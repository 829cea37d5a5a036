"""Bring the catalogues up to date: find the messages in the sources, add them to each language's ``.po`` and compile
it.

    python languages/catalogues.py           write each .po and .mo
    python languages/catalogues.py --check   change nothing; say what is missing, and end with 1 if anything is

A message is the text given to ``phrase``, ``sense`` or ``plural`` in Python and in templates, each text of a table that
is annotated with ``Messages`` or ``Nouns``, the titles and choices of editions, what is counted in simulated games, the
titles of queries, and the texts of the files in ``TABLES``.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ("notation", "replay", "tools", "library", "docs/pictures")
TABLES: Final = {
    "replay/diagnostics/codes.toml": {"title", "message", "here", "help", "words"},
    "tools/desk/words.toml": None,
    "tools/recorder/help.toml": None,
    "grammar/advice.toml": None,
}
"""File → the keys whose texts are messages, at any depth; None for all of them."""
SPEAKERS: Final = {"phrase": (0,), "plural": (0, 1), "sense": (1,)}
"""Function → which of its arguments are a message."""


class Message(NamedTuple):
    """A message: where it stands, its text or its two forms, and its context."""

    file: str
    id: str | tuple[str, str]
    context: str | None = None


def messages() -> Iterator[Message]:
    """Yield all messages of the sources; the same one may come several times."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _of_python(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "tools" / "render" / "templates").glob("*.j2")):
        tree = Environment().parse(path.read_text(encoding="utf-8"))
        for _, function, texts in extract_from_ast(tree, [*SPEAKERS]):
            given = [text for text in (texts if isinstance(texts, tuple) else (texts,)) if text is not None]
            if len(given) > max(SPEAKERS[function]):  # what is in a variable stands in a table
                yield _message(path.relative_to(ROOT).as_posix(), function, given)
    from tironian.replay.simulation.simulator import STATS

    yield from (Message("replay/simulation/simulator.py", name.replace("_", " ")) for name in STATS)
    for path in sorted((ROOT / "replay" / "editions").glob("rules_*.json")):
        title = json.loads(path.read_text(encoding="utf-8"))["title"]
        yield Message(path.relative_to(ROOT).as_posix(), title)
    for path in sorted((ROOT / "tools" / "archive" / "queries").glob("*.sql")):
        yield Message(path.relative_to(ROOT).as_posix(), path.read_text("utf-8").partition("\n")[0].removeprefix("-- "))
    for file, keys in TABLES.items():
        table = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
        yield from (
            Message(file, text) for text in _texts(table, keys) if re.search(r"[^\W\d_]", _without_fields(text))
        )


def _of_python(file: str, tree: ast.Module) -> Iterator[Message]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKERS:
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if len(texts) > max(SPEAKERS[node.func.id]):
                yield _message(file, node.func.id, texts)
        elif isinstance(node, ast.ClassDef) and [*map(ast.unparse, node.bases)] == ["Choice"]:
            for each in node.body:
                if isinstance(each, ast.Assign):
                    parts = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
                    first, *more = [part.value for part in parts if isinstance(part, ast.Constant)]
                    yield Message(file, first.partition(": ")[2] or first)
                    yield from (Message(file, text) for text in more if isinstance(text, str))
        elif isinstance(node, ast.AnnAssign):
            kind = ast.unparse(node.annotation)
            if "Messages" in kind:
                keys = {id(key) for each in ast.walk(node.value) if isinstance(each, ast.Dict) for key in each.keys}
                texts = [
                    each for each in ast.walk(node.value) if isinstance(each, ast.Constant) and id(each) not in keys
                ]
                yield from (Message(file, each.value) for each in texts if isinstance(each.value, str) and each.value)
            elif "Annotated" in kind and file == "replay/editions/edition.py":
                told = [each.value for each in ast.walk(node.annotation) if isinstance(each, ast.Constant)]
                yield from (Message(file, text) for text in [text for text in told if isinstance(text, str)][::2])
            elif "Nouns" in kind:
                for none, one, many in ast.literal_eval(node.value).values():
                    yield Message(file, none)
                    yield Message(file, (one, many))


def _message(file: str, function: str, texts: list[str]) -> Message:
    if function == "plural":
        return Message(file, (texts[0], texts[1]))
    return Message(file, texts[1], texts[0]) if function == "sense" else Message(file, texts[0])


def _texts(value: Any, keys: set[str] | None) -> Iterator[str]:
    """Yield the texts in a table, at the keys that are wanted."""
    if isinstance(value, str):
        if keys is None and value:
            yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, None if keys is not None and key in keys else keys)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, keys)


def _without_fields(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "", text)


def fields(text: str) -> set[str]:
    """Return the fields of a message by their roots: ``card`` for ``{card.a}``, and none for one without a name."""
    names = [re.split(r"[.\[!:]", name)[0] for _, name, _, _ in Formatter().parse(text) if name is not None]
    return {"" if name.isdecimal() else name for name in names}


def template() -> Catalog:
    """Return the catalogue of all messages, without translations."""
    catalog = Catalog(fuzzy=False)
    for each in sorted({*messages()}, key=lambda each: (each.file, str(each.id), str(each.context))):
        catalog.add(each.id, locations=[(each.file, 0)], context=each.context)
    return catalog


def catalogues() -> dict[str, Catalog]:
    """Return the catalogue of each language with a ``forms.toml``, by its code; an empty one where none is written."""
    codes = sorted(path.parent.name for path in (ROOT / "languages").glob("*/forms.toml"))
    return {code: read(code) for code in codes}


def read(code: str) -> Catalog:
    """Return the catalogue of a language as it is written, an empty one where none is."""
    return read_po(place(code).open("rb"), locale=code) if place(code).exists() else Catalog(locale=code, fuzzy=False)


def place(code: str) -> Path:
    """Return where the catalogue of a language stands."""
    return ROOT / "languages" / code / "LC_MESSAGES" / "tironian.po"


def faults(code: str, catalog: Catalog, wanted: Catalog) -> Iterator[str]:
    """Yield what is wrong with a catalogue: messages that are missing, left over or fuzzy, and fields that differ."""
    known = {(each.id, each.context): each for each in catalog if each.id}
    asked = {(each.id, each.context) for each in wanted if each.id}
    yield from (f"{code}: left over: {key[0]}" for key in known.keys() - asked)
    for key in sorted(asked, key=str):
        each = known.get(key)
        texts = (each.string if isinstance(each.string, tuple) else (each.string,)) if each else ()
        if each is None or not all(texts):
            yield f"{code}: missing: {key[0]}"
            continue
        if each.fuzzy:
            yield f"{code}: fuzzy: {key[0]}"
        ids = key[0] if isinstance(key[0], tuple) else (key[0],)
        if len(ids) > 1 and len(texts) != catalog.num_plurals:
            yield f"{code}: not {catalog.num_plurals} plural forms: {key[0]}"
        needed, allowed = set[str].intersection(*map(fields, ids)), set[str].union(*map(fields, ids))
        needed -= {"count", "number"} if len(ids) > 1 else set()
        for text in texts:
            try:
                given = fields(text)
            except ValueError as error:
                yield f"{code}: {error}: {text}"
                continue
            if not needed <= given <= allowed | ({"count", "number"} if len(ids) > 1 else set()):
                yield f"{code}: other fields: {key[0]} → {text}"


def compiled(catalog: Catalog) -> bytes:
    """Return a catalogue as it is read at run time, without what is not translated."""
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)  # else now
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def updated(catalog: Catalog, wanted: Catalog) -> bytes:
    """Return the text of a catalogue with exactly the messages that are wanted."""
    catalog.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    return written(catalog)


def written(catalog: Catalog) -> bytes:
    """Return the text of a catalogue, without dates, which would differ each time."""
    catalog.header_comment = "# What Tironian says, in one language: docs/languages.md says how to go on with it."
    catalog.project, catalog.version = "Tironian", "0"
    catalog.last_translator, catalog.language_team, catalog.msgid_bugs_address = (
        "the Tironian authors",
        "the Tironian authors",
        "none",
    )
    for each in catalog:
        each.flags.discard("python-brace-format")  # it would want the forms of names that English has
    stream = io.BytesIO()
    write_po(stream, catalog, width=120, include_lineno=False, sort_by_file=True)
    dated = re.compile(rb'^"(POT?-(Creation|Revision)-Date|Generated-By).*\n', re.MULTILINE)
    return dated.sub(b"", stream.getvalue())


def main() -> int:
    """Write the catalogues or check them; return the exit code."""
    wanted = template()
    if "--check" in sys.argv:
        found = [fault for code, catalog in catalogues().items() for fault in faults(code, catalog, wanted)]
        print("\n".join(found) or "all catalogues are complete")
        return bool(found)
    for code, catalog in catalogues().items():
        path = place(code)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(updated(catalog, wanted))
        path.with_suffix(".mo").write_bytes(compiled(read(code)))
        texts = [each.string if isinstance(each.string, tuple) else (each.string,) for each in catalog if each.id]
        missing = sum(not all(each) for each in texts)
        print(f"{code}: {len(catalog)} messages, {missing} to translate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
