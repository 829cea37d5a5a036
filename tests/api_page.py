"""The reference in ``docs/api.md``, made from the docstrings of the public names.

``python tests/api_page.py`` writes it anew.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any

import tironian

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
START = "\n## Reference\n"
SECTIONS = {
    "Reading and writing": "read parse parse_turn parse_token write write_all token_text turn_text to_json from_json",
    "Checking": "check report infer_rules Inference Verdict Outcome Diagnostic Label Source Span",
    "Replaying": "replay_game Replay Step State SideCards score Score",
    "Playing": "start legal_moves Move apply violations Fault",
    "Analysing": "timeline Timeline Entry Event Annotation votes VoteTree odds Sight Outlook GroupOutlook"
    " what_if Decision Possibility words page picture speaking",
    "Judging play": "analyse Report SideReport Judged Compared Reason LuckLedger Point",
    "Repairing": "find_repairs Repair",
    "Other records of a game": "record_of simulate view Redaction merge MergeResult",
    "Tournaments": "event pair",
    "Records": "Game Record Turn Comment Alternative Ruling Result BadLine",
    "Cards, tokens and editions": "Card Group Side cards tokens Edition load_edition",
    "Errors": "DifferentGames ImpossibleMoveError InvalidJsonError MissingCardsError ViewNotAvailable NoTimeline",
}
VALUES = {
    "EDITION_NAMES": "the names of the editions, as the header `Rules` has them",
    "VIEWS": "the points of view; `arbiter` sees everything",
    "__version__": "the version of the installed package",
}
INTERNAL = {"clear_turn", "counts_at", "card_at", "due_votes"}
"""Methods of public classes that are meant for the engine."""
ANNOTATION = re.compile(r"(: |-> )'([^']*)'")
HOME = re.compile(r"\b(?:t|collections\.abc|tironian[\w.]*)\.(?=[A-Z])")
"""The modules before a class of which a reader of the page need not know."""
ROLE = re.compile(r":\w+:`\.?([\w.]+)`")


def reference() -> str:
    """Return the reference as Markdown, without its heading."""
    parts = [f"### {title}\n\n" + "\n".join(map(entry, names.split())) for title, names in SECTIONS.items()]
    values = "\n".join(
        f"- `{name}`: {told}" + ("" if name == "__version__" else f": {listed(getattr(tironian, name))}")
        for name, told in VALUES.items()
    )
    return "\n".join([*parts, f"### Values\n\n{values}\n"])


def listed(names: tuple[str, ...]) -> str:
    """Return names as a list in Markdown."""
    return ", ".join(f"`{name}`" for name in names)


def entry(name: str) -> str:
    """Return one public name: its signature, its docstring, and its members."""
    value = getattr(tironian, name)
    parts = [f"#### `{name}{signature(value)}`", described(inspect.getdoc(value) or "")]
    if isinstance(value, type) and not issubclass(value, Exception):
        parts += filter(None, ["\n".join(members(value))])
    return "\n\n".join(parts) + "\n"


def signature(value: Any) -> str:
    """Return the signature of a function, nothing of anything else."""
    if isinstance(value, type | ModuleType):
        return ""
    told = HOME.sub("", ANNOTATION.sub(r"\1\2", str(inspect.signature(value))))
    return re.sub(r"^\((self|cls)(, )?", "(", told).replace("i64", "int")


def members(cls: type) -> Iterator[str]:
    """Yield a line for each method and property that a class, or one of ours above it, defines and describes."""
    defined: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        defined |= vars(base) if base.__module__.startswith("tironian") else {}
    for name, member in defined.items():
        function = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        told = inspect.getdoc(function) if inspect.isroutine(function) else None
        if told and not name.startswith("_") and name not in INTERNAL:
            plain = isinstance(member, property | cached_property)
            shown = name if plain else f"{name}{signature(function)}"
            first, *_ = re.split(r"\n\s*\n", told)
            text = f"- `{shown}`: {described(' '.join(first.split()))}"
            yield fill(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def described(text: str) -> str:
    """Return a docstring as Markdown: its examples become blocks of code."""
    parts = []
    for part in re.split(r"\n\s*\n", text):
        code = part.startswith(">>>")
        parts.append(f"```pycon\n{part}\n```" if code else ROLE.sub(r"`\1`", part).replace("``", "`"))
    return "\n\n".join(parts)


def page() -> str:
    """Return the whole page: what is written by hand, and the reference behind it."""
    text = PAGE.read_text(encoding="utf-8")
    head, heading, rest = text.partition(START)
    introduction = rest.partition("\n### ")[0].rstrip("\n")
    return head + heading + introduction + "\n\n" + reference()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
