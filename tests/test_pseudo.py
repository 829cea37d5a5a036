"""What people read is in the catalogues: in a language that marks each letter, no letter of ours is unmarked.

Every command, in every format that people read, and everything that the desk is asked, is said in that language. What
was typed in by people, and what is no language (``EXEMPT``), is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from gettext import NullTranslations
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, Final

import many_commands
import pytest
from many_commands import OUT, cases, prepared, ran, tapped, told
from scale import scaled
from test_catalogues import CATALOGUES
from tironian.notation.language import PSEUDO, Language, language, speaking
from tironian.tools.cli.common import MACHINES
from tironian.tools.desk.worker import DeskSession

ROOT = Path(__file__).parents[1]
FILES, PARTS = scaled(30, 2), scaled(5, 1)
"""Of so many records one is used, and of so many cases one is run."""
LETTERS: Final = re.compile(r"(?<![\w\u0300-\u036f-])[A-Za-z]{3,}(?![\w-])")
"""A word without a mark."""
EXEMPT: Final = {
    "where rules are cited": r"\b(?:2024|1997|French club text|Taylor)\b[^\n]*\[(?:[A-Z]\d+ ?)+\]",
    "what is in backticks, such as a command": r"`[^`]*`",
    "options": r"(?<!\w)--?[a-z][\w-]*(=\S+)?",
    "headers of records": r'\[\w+ "[^"\n]*"?\]?|\[\w+\b',
    "commands of the recorder, with their words": r"(?<!\w)/[a-z]+\b(?: [\w:…*.>-]+)*?(?= {2}|$|[;,\n]| [^\x00-\x7f])",
    "paths, files and addresses": r"[\w./-]*\w\.(tiro|toml|json|html|svg|csv|sqlite|js|css|zip|md|py)\b|\w+://\S+",
    "what a schema says of its fields": r"(?<=ńóť ƀéĺóńǵ ĥéŕé: ).*",
    "names of headers": r"\b[A-Z]\w+(?= ĥéáđéŕ)",
    "words of rulings": r"\b[RE] (?:back|stands|penalty)\b",
    "what click says of a wrong call": r"Usage: .*|Try '.*|Error: Invalid value for '?--?[\w-]+'?|\[OPTIONS\]",
    "the head of a difference": r"^ *(---|\+\+\+) .*$",
    "codes and points of the rules": r"\b[A-Z]\d{1,3}\b",
    "names of programs and formats": (
        r"\b(?:tiro|Tironian|tironian|Lark|Python|JavaScript|JSON|SARIF|JUnit|CSV|SQL|html)\b"
    ),
    "castlings, and cards in a row": r"\bc[ACKPQS]{2}\b|\b([a-z])\1+\b",
    "the notation": r"(?<!\w)[\dREACKPQSa-z()*=:>+?,-]*[()*=:>+?][\dREACKPQSa-z()*=:>+?,-]*",
    "values of headers and options, quoted": r"“[^”]*”",
}
"""Why → what is no language. A page also has keys of the keyboard and names of headers."""
WRITERS: Final = ("fmt", "convert", "view", "merge", "simulate", "schema", "explain", "export", "query", "rules")
"""Commands that write records, data, pages of the documents or citations; what they say beside that is checked."""
NO_LANGUAGE: Final = {"text", "record", "journal", "html", "svg", "notation", "line", "headers"}
"""Fields of the desk's answers that hold records, or pages that are tested elsewhere."""
TAGS = re.compile(r"<(script|style|title)\b.*?</\1>|<!--.*?-->", re.S)
SAID = re.compile(r'\b(?:title|alt|aria-label|placeholder)="([^"]*)"')


def words_of(text: str) -> str:
    """Return what is read of a text; of a page or a picture without its tags, scripts and styles."""
    if text.lstrip().startswith("<"):
        text = re.sub(r"<dt><bdi>\w+</bdi></dt>|<kbd>[^<]*</kbd>", " ", text)  # headers of records, and keys
        text = TAGS.sub(" ", text)
        text = "\n".join([re.sub(r"<[^>]*>", " ", text), *SAID.findall(text)])
        return unescape(text)
    return text


def unmarked(text: str, typed: set[str]) -> set[str]:
    """Return the words without a mark, but for what people typed and what is no language."""
    for reason in EXEMPT.values():
        text = re.sub(reason, " ", text, flags=re.M)
    return {word for word in LETTERS.findall(text) if word not in typed}


def typed_words(folder: Path) -> set[str]:
    """Return the words that people typed: names in the headers of records and in plans, and those of files."""
    found = {word for path in folder.rglob("*") for word in re.findall(r"[A-Za-z]+", path.name)}
    for path in (*folder.rglob("*.tiro"), *folder.rglob("event.toml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found |= {word for value in re.findall(r'"([^"\n]*)"', text) for word in re.findall(r"\w+", value)}
    return found


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many records, without comments, which people wrote."""
    folder = prepared(tmp_path_factory.mktemp("pseudo"))
    for path in folder.rglob("*.tiro"):
        path.write_bytes(re.sub(rb"\{[^{}]*\}|;.*|(?<=back): .*", b"", path.read_bytes()))
    (folder / OUT).mkdir()
    return folder


def read_by_people(case: Any) -> Iterator[str]:
    """Yield what people read of a case: what a command writes, or the texts of the desk's answers."""
    if isinstance(case, tuple):
        words, typed = case
        _, out, errors, *written = ran(words, typed)
        if MACHINES & {*words}:
            return  # English, and so are the errors
        yield errors.decode(errors="replace")
        if words[0] not in WRITERS:
            yield out.decode(errors="replace")
            yield from (part.decode(errors="replace") for part in written[1::2] if part[:1] == b"<")
        return
    for each in tapped(case) if isinstance(case, dict) else told(case):
        yield from texts_of(json.loads(each))


def texts_of(value: Any) -> Iterator[str]:
    """Yield the texts in an answer: those with a space, and a page as what it shows."""
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            if name not in NO_LANGUAGE:
                yield from texts_of(each)
    elif isinstance(value, str) and " " in value:
        yield value


@pytest.mark.slow
def test_every_word_for_people_is_in_the_catalogues(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = typed_words(work)
    monkeypatch.chdir(work)
    monkeypatch.setenv("TIRO_LANG", PSEUDO)
    monkeypatch.setenv("COLUMNS", "100")
    files = sorted(str(path) for room in ("examples", "sheets") for path in Path(room).rglob("*.tiro"))
    plain: dict[str, str] = {}
    with speaking(marking()):
        monkeypatch.setattr(many_commands, "answer", DeskSession().answer)
        for case in islice(cases(files[::FILES]), 0, None, PARTS):
            for text in read_by_people(case):
                for word in unmarked(words_of(text), typed):
                    plain.setdefault(word, f"{word}: {line_of(word, text)!r} in {case}")
    assert not plain, f"{len(plain)} words\n" + "\n".join(plain.values())


class Known(NullTranslations):
    """Marks what is in the catalogues, and leaves everything else as it is."""

    def __init__(self, marks: NullTranslations):
        super().__init__()
        catalog = CATALOGUES.template()
        self.known = {(each.context, text) for each in catalog for text in [*each.id, each.id] if each.id}
        self.marks = marks

    def gettext(self, message: str) -> str:
        return self.marks.gettext(message) if (None, message) in self.known else message

    def pgettext(self, context: str, message: str) -> str:
        return self.marks.gettext(message) if (context, message) in self.known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.marks.ngettext(msgid1, msgid2, n) if (None, (msgid1, msgid2)) in self.known else msgid1


def marking() -> Language:
    """Return the language that marks what is in the catalogues."""
    pseudo = language(PSEUDO)
    assert pseudo is not None
    assert pseudo.catalogue is not None
    return Language(PSEUDO, pseudo.name, Known(pseudo.catalogue), pseudo.forms)


def line_of(word: str, text: str) -> str:
    """Return the line in which a word stands, in part."""
    at = re.search(rf"\b{word}\b", text)
    start = at.start() if at else 0
    return text[max(0, start - 60) : start + 60]
