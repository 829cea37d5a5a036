"""What people read is in the catalogues: in a language that marks each letter, no letter of ours is unmarked.

Every command, in every format that people read, and everything that the desk is asked, is said in that language. What
was typed in by people, and what is no language (``EXEMPT``), is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from gettext import NullTranslations
from itertools import islice
from pathlib import Path
from typing import Any, Final

import many_commands
import pytest
from many_commands import OUT, cases, prepared, ran, tapped, told
from marks import line_of, typed_words, unmarked, words_of
from scale import scaled
from test_catalogues import CATALOGUES
from tironian.notation.language import PSEUDO, Language, language, speaking
from tironian.tools.cli.common import MACHINES
from tironian.tools.desk.worker import DeskSession

ROOT = Path(__file__).parents[1]
FILES, PARTS, TESTS = scaled(30, 2), scaled(5, 16), scaled(1, 16)
"""Of so many records one is used, and of so many cases a test runs one."""
WRITERS: Final = ("fmt", "convert", "view", "merge", "simulate", "schema", "explain", "export", "query", "rules")
"""Commands that write records, data, pages of the documents or citations; what they say beside that is checked."""
NO_LANGUAGE: Final = {"text", "record", "journal", "html", "svg", "notation", "line", "headers"}
"""Fields of the desk's answers that hold records, or pages that are tested elsewhere."""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many records, without comments, which people wrote."""
    folder = prepared(tmp_path_factory.mktemp("pseudo"))
    for path in folder.rglob("*.tiro"):
        path.write_bytes(re.sub(rb"\{[^{}]*\}|;.*|(?<=back): .*|(?<=stands R210): .*", b"", path.read_bytes()))
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
        if words[0] not in WRITERS and not out.startswith((b"\x89PNG", b"%PDF")):  # drawn as the SVG, which is read
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
@pytest.mark.parametrize("part", range(TESTS))
def test_every_word_for_people_is_in_the_catalogues(work: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    typed = typed_words(work)
    typed |= {word[:4] for word in typed if word[0].isupper()}  # as a chip has them
    monkeypatch.chdir(work)
    monkeypatch.setenv("TIRO_LANG", PSEUDO)
    monkeypatch.setenv("COLUMNS", "100")
    files = sorted(str(path) for room in ("examples", "sheets") for path in Path(room).rglob("*.tiro"))
    plain: dict[str, str] = {}
    with speaking(marking()):
        monkeypatch.setattr(many_commands, "answer", DeskSession().answer)
        for case in islice(cases(files[::FILES]), part, None, PARTS):
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
