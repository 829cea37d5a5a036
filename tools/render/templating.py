"""Templates, what pages and pictures contain besides them, and untrusted text made harmless before it is escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from ...notation.basics import PLAYER_NAMES, SIDE_NAMES, SIGNS, readable, visible
from ...notation.language import GROUPS, PLAYERS, SIDES, figure, phrase, spoken
from ...replay.diagnostics.api import capital, glyph

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, Template
    from jinja2.bccache import Bucket
    from markupsafe import Markup

COLOURS: Final = ("rome", "egypt", "nobody")
"""Side or TIE → the name of its colour on pages."""
ISOLATE: Final = "\u2068{}\u2069"
"""Keeps right-to-left text from reordering its surroundings where markup can't."""


_DIRECTIONS: Final = frozenset(ISOLATE.format("") + "\t")


@cache
def _environment() -> Environment:
    """Return the environment of the templates: everything is escaped, and undefined names raise."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from ...replay.words.api import annotation_words, event_words

    options: Any = dict.fromkeys(("autoescape", "trim_blocks", "lstrip_blocks", "keep_trailing_newline"), True)
    environment = Environment(
        loader=PackageLoader("tironian.tools.render", "templates"),
        undefined=StrictUndefined,
        optimized=False,  # what it works out beforehand is seldom filled in more than once
        finalize=_harmless,
        bytecode_cache=_compiled(hashlib.sha256(f"{options}".encode()).hexdigest()[:8]),
        **options,
    )
    environment.filters |= {"visible": visible, "capital": capital, "glyph": glyph, "phrase": phrase}
    environment.filters |= {"event": event_words, "annotation": annotation_words}
    environment.globals |= {"signs": SIGNS, "player_names": PLAYER_NAMES, "side_names": SIDE_NAMES, "colours": COLOURS}
    environment.globals |= {
        name: partial(_said, found)
        for name, found in (("phrase", "gettext"), ("plural", "ngettext"), ("sense", "pgettext"))
    }
    environment.globals |= {"figure": figure, "spoken": spoken, "GROUPS": GROUPS, "PLAYERS": PLAYERS, "SIDES": SIDES}
    return environment


def _said(found: str, /, *texts: Any, **fields: object) -> Markup:
    """Return a phrase for a template: fields that are markup stay so, and all else is escaped. ``found`` names the
    method of a catalogue that finds it.
    """
    from gettext import NullTranslations

    from markupsafe import escape

    sentence = getattr(spoken().catalogue or NullTranslations(), found)(*texts)
    return escape(sentence).format(
        **{name: _harmless(value) for name, value in ({"count": texts[-1]} | fields).items()}
    )


def _compiled(options: str) -> BytecodeCache:
    """Return what keeps compiled templates where Python keeps its own bytecode, and only if it does.

    ``options`` sets an environment apart from others, in letters and digits.
    """
    from jinja2 import BytecodeCache

    class Compiled(BytecodeCache):
        def get_cache_key(self, name: str, filename: str | None = None) -> str:
            """Return the path of the bytecode of a template, which Jinja asks for by the path of its text."""
            return cache_from_source(filename or name, optimization=options)

        def load_bytecode(self, bucket: Bucket) -> None:
            """Fill in the bytecode of a template if it is there."""
            with suppress(OSError):
                bucket.bytecode_from_string(SourceFileLoader("", bucket.key).get_data(bucket.key))

        def dump_bytecode(self, bucket: Bucket) -> None:
            """Write bytecode, whole or not at all; where that is not possible, the template is compiled again."""
            if not sys.dont_write_bytecode:
                SourceFileLoader("", bucket.key).set_data(bucket.key, bucket.bytecode_to_string())

    return Compiled()


def _harmless(value: object) -> object:
    """Return a value without control characters: the last barrier, whatever a template forgets."""
    if type(value) is not str or value.isprintable():
        return value
    return "".join([char if char in _DIRECTIONS else readable(char) for char in value])


@lru_cache(maxsize=1 << 12)
def escaped(words: str) -> str:
    """Return words escaped, for markup that is made without a template."""
    from markupsafe import escape

    return str(escape(_harmless(words)))


def template(name: str) -> Template:
    """Return a template by its file name, compiled once. Everything filled in is escaped."""
    return _environment().get_template(name)


def filled(text: str, **values: Any) -> Markup:
    """Return a template from elsewhere, filled in."""
    from markupsafe import Markup

    return Markup(_environment().from_string(text).render(values))


def unfilled(sentence: str) -> str:
    """Return a phrase whose fields a script fills in."""
    return phrase(sentence, **{name: f"{{{name}}}" for _, name, _, _ in Formatter().parse(sentence) if name})


def as_data(content: Any) -> Markup:
    """Return JSON for a script element, in which no untrusted text can end the element."""
    from markupsafe import Markup

    escapes = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}
    return Markup(json.dumps(content, separators=(",", ":"), ensure_ascii=True).translate(escapes))


@cache
def asset(name: str) -> str:
    """Return a script or style sheet unchanged, for a page to contain."""
    from importlib.resources import files

    return (files(__package__ or "") / "templates" / name).read_text(encoding="utf-8")


LOOK: Final = "look.css"
"""The style sheet with the values that the others name: type, spacing and colours."""
_NAMED: Final = re.compile(r"(--[\w-]+): ([^;]+);")
_VALUE: Final = re.compile(r"var\((--[\w-]+)\)")
_BOTH: Final = re.compile(r"light-dark\(([^,]+), ([^)]+)\)")
_RULE: Final = re.compile(r"^(.+) \{ (.+;) \}$", re.MULTILINE)


@cache
def colours() -> dict[str, str]:
    """Return the colours of the light look, by name."""
    return {name[2:]: _BOTH.sub(r"\1", value) for name, value in _NAMED.findall(asset(LOOK))}


@cache
def picture_style(*names: str) -> Markup:
    """Return style sheets for a picture, with values instead of variables, which some programs don't support.

    In the style sheets, each rule must be on its own line.
    """
    from markupsafe import Markup

    values = dict(_NAMED.findall(asset(LOOK)))
    style = _VALUE.sub(lambda named: values[named[1]], "".join(map(asset, names)))
    night = ""
    for selector, rules in _RULE.findall(style):
        changed = [f"{rule.strip()};" for rule in rules.split(";") if _BOTH.search(rule)]
        night += f"  {selector} {{ {' '.join(changed)} }}\n" if changed else ""
    day, night = _BOTH.sub(r"\1", style), _BOTH.sub(r"\2", night)
    return Markup(f"\n{day}@media screen and (prefers-color-scheme: dark) {{\n{night}}}\n")


@cache
def sealed(styles: tuple[str, ...], scripts: tuple[str, ...]) -> dict[str, Markup | str]:
    """Return what all pages share: style, script, and a policy that allows nothing else."""
    from markupsafe import Markup

    style, script = "\n" + "".join(map(asset, (LOOK, *styles))), "".join([f"\n{asset(name)}" for name in scripts])
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    policy = (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy}


def plain(text: str, limit: int = 0) -> str:
    """Return untrusted text for a place without markup for its direction, cut off after ``limit`` characters."""
    shown = visible(text)
    if limit and len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    if shown.isascii() or not any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in shown):
        return shown
    return ISOLATE.format(shown)
