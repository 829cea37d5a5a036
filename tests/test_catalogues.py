"""The catalogues of the languages: complete, without fields lost or added, and compiled as they are written."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from copy import deepcopy
from functools import cache
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from tironian.notation.language import (
    CARDS,
    ENGLISH,
    GROUPS,
    PSEUDO,
    Language,
    chosen,
    figure,
    language,
    languages,
    of_environment,
    ordinal,
    phrase,
    plural,
    sense,
    speaking,
)

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("catalogues", ROOT / "languages" / "catalogues.py")
assert SPEC is not None
assert SPEC.loader is not None
CATALOGUES: ModuleType = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CATALOGUES)
CODES = sorted(path.parent.name for path in (ROOT / "languages").glob("*/forms.toml"))
BEGUN = "missing: "
"""The fault that a language may have which has only begun."""


@cache
def wanted() -> Catalog:
    return CATALOGUES.template()


def of(code: str) -> Language:
    found = language(code)
    assert found is not None
    return found


@pytest.mark.parametrize("code", CODES)
def test_a_catalogue_has_each_message_once_with_its_fields(code: str) -> None:
    """Nothing is missing, left over, fuzzy, or without a plural form: else run ``make messages``, and translate."""
    found = [*CATALOGUES.faults(code, CATALOGUES.read(code), wanted())]
    if code not in languages():
        found = [fault for fault in found if BEGUN not in fault]
    assert not found, "\n".join(found)


@pytest.mark.process
@pytest.mark.parametrize("code", CODES)
def test_what_is_compiled_is_what_is_written(code: str, tmp_path: Path) -> None:
    """An installation from source compiles nothing."""
    place = CATALOGUES.place(code)
    assert place.with_suffix(".mo").read_bytes() == CATALOGUES.compiled(CATALOGUES.read(code)), "make messages"
    if shutil.which("msgfmt"):
        command = ["msgfmt", "--check-format", "--check-header", "-o", str(tmp_path / "x.mo"), str(place)]
        assert subprocess.run(command, capture_output=True, text=True).returncode == 0


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_a_name_for_each_thing(code: str) -> None:
    """And each form that its sentences ask for."""
    forms = of(code).forms
    for kind, names in ENGLISH.forms.items():
        for form, each in forms.get(kind, {}).items():
            assert kind == "number" or len(each) == len(names["bare" if "bare" in names else "name"]), f"{kind}.{form}"
    known = {form for table in (forms, ENGLISH.forms) for kind in ENGLISH.forms for form in table.get(kind, {})}
    for each in CATALOGUES.read(code):
        said, english = (texts if isinstance(texts, tuple) else (texts,) for texts in (each.string, each.id))
        assert forms_in(said) <= known | forms_in(english), each.id


def forms_in(texts: tuple[str, ...]) -> set[str]:
    """The forms of names, and other attributes, that sentences ask for."""
    fields = [name for text in texts for _, name, _, _ in Formatter().parse(text or "")]
    return {name.partition(".")[2] for name in fields if name and "." in name}


def changed(catalog: Catalog, message: str, **to: Any) -> Catalog:
    """Return a catalogue with one message changed."""
    other = deepcopy(catalog)
    for name, value in to.items():
        setattr(other[message], name, value)
    return other


def test_each_fault_of_a_catalogue_is_found() -> None:
    """Also a sentence of the source that has changed since it was translated."""
    wished, faults = Catalog(), CATALOGUES.faults
    for text in ("places {card.a}", ("{count} game", "{count} games")):
        wished.add(text)
    good = Catalog(locale="de")
    good.add("places {card.a}", "legt {card.acc} an")
    good.add(("{count} game", "{count} games"), ("ein Spiel", "{count} Spiele"))
    assert not [*faults("de", good, wished)]
    for text, fault in (
        ("legt an", "other fields"),
        ("legt {card} {group} an", "other fields"),
        ("legt {card an", "expected"),
        ("", "missing"),
    ):
        assert fault in "".join(faults("de", changed(good, "places {card.a}", string=text), wished))
    assert "fuzzy" in "".join(faults("de", changed(good, "places {card.a}", flags={"fuzzy"}), wished))
    assert "plural" in "".join(faults("de", changed(good, "{count} game", string=("{count} Spiele",)), wished))
    wished.add("places {card.a} face down")
    wished.delete("places {card.a}")
    assert "".join(faults("de", good, wished)).count("places {card.a}") == 2, "one is left over, one is missing"


def test_a_wish_is_a_code_or_a_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for wish in ("de", "de-AT", "de_CH.UTF-8", "DE", "de@euro", "de_DE@euro", "de.ISO-8859-1@x"):
        assert chosen([wish]) is of("de")
    for wish in ("", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "xx", "../de", "d" * 999, "..", "de/../fr", "\0"):
        assert chosen([wish]) is ENGLISH
    assert chosen(["xx", "fr-CA", "de"]) is of("fr")
    names = ("LANG", "LC_MESSAGES", "LC_ALL", "TIRO_LANG")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    assert of_environment() is ENGLISH
    for name, value in zip(names, ("de_DE.UTF-8", "fr_FR.UTF-8", "C", "de"), strict=True):
        monkeypatch.setenv(name, value)
        assert of_environment() is chosen([value])


def test_names_numbers_and_plurals_are_those_of_the_language() -> None:
    said = "places {card.a} face down at {group.the}"
    with speaking(of("de")):
        assert phrase(said, card=CARDS[0], group=GROUPS[2]) != said
        assert (ordinal(3), ordinal(31), figure(1234.5, ",.2f")) == ("dritte", "31.", "1.234,50")
    with speaking(of("fr")):
        assert (ordinal(31), figure(1234.5, ",.2f")) == ("31e", "1\u202f234,50")
    with speaking(of(PSEUDO)):
        assert phrase("<b>a {card.bare}</b> &amp; b", card=CARDS[1]) == "<b>áá 1</b> &amp; ƀ"
        assert (plural("{count} a", "{count} as", 2), sense("x", "a")) == ("2 ááś", "áá")
    assert figure(1234.5, ",.2f") == "1,234.50"


def test_no_style_sheet_says_anything():
    """What a style sheet adds to a page is no message: it is taken from an attribute, or a sign."""
    sheets = [*ROOT.glob("desk/*.css"), *ROOT.glob("tools/**/*.css")]
    said = {path.name: re.findall(r'content:[^;]*"[^"\n]*[a-z]{2}[^"\n]*"', path.read_text("utf-8")) for path in sheets}
    assert {name: found for name, found in said.items() if found} == {}
    assert len(said) > 5
