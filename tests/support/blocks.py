"""Records in fences of a Markdown text, as the cases have them, and the whole records that they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prose import Case

SET_UP = {
    "2024": ["0R (1)P (2)Q (3)A (4)K (5)C m(A,12) +v", "0E (3)P (1)Q (5)A (2)K (4)C m(P,each) +v"],
    "1997": ["0R (1)S (2)P (3)Q (4)C (5)A m(S)", "0E (3)S (4)P (5)Q (1)C (2)A m(Q)"],
}
"""For blocks without set-up lines; those of 1997 serve all old sets."""
HEADER_OF = {"starts": "Starts", "view": "View", "termination": "Termination"}
"""Words of a block's first line that are headers of their own; the others are options of the Rulings header."""
HEAD = -1
"""The place of everything that is said about headers."""
ADDED = -2
"""The place of a line that the harness has added."""


@dataclass
class Block:
    """A record as it stands in a case. ``line`` is the number of its first line in the file."""

    options: dict[str, str]
    lines: list[str]
    line: int


def options_of(words: list[str]) -> dict[str, str]:
    """The options of ``position starts=Caesar``."""
    pairs = [word.partition("=") for word in words]
    return {name: value for name, _, value in pairs}


def records_of(case: Case) -> list[Block]:
    """The records of a case, which has fences of no other kind: ````` ```tiro position starts=Caesar `````."""
    found = []
    for fence in case.fences:
        kind, *words = fence.info.split() or [""]
        assert kind == "tiro", f"{case.path}:{fence.line - 1}: not a record: {fence.info}"
        found.append(Block(options_of(words), fence.lines, fence.line))
    return found


def compose(block: Block, edition: str) -> tuple[list[str], list[int]]:
    """The lines of the whole record, and for each the block's line that it is, HEAD or ADDED."""
    body = [(at, line) for at, line in enumerate(block.lines) if not line.startswith("[")]
    known = [(at, line) for at, line in body if line.strip() and not line.lstrip().startswith(";")]
    ends = bool(known) and re.match(r"\d+-\d+|\*(?:>[RE-])?(?!\S)", known[-1][1]) is not None
    headers = {
        "Rules": edition, "Event": "Conformance", "Site": "?", "Date": "????.??.??", "Round": "?", "Caesar": "?",
        "Cleopatra": "?", "Result": known[-1][1].split()[0] if ends else "*",
    }  # fmt: skip
    options = dict(block.options)
    options.pop("bare", None)
    if "position" in options:
        headers["Setup"] = options.pop("position") or "position"
    for word, name in HEADER_OF.items():
        if word in options:
            headers[name] = options.pop(word).replace("_", " ")
    if options:
        headers["Rulings"] = " ".join(f"{name}={value}" for name, value in options.items())
    written = [line for line in block.lines if line.startswith("[")]
    given = {line[1:].split()[0] for line in written}
    lines = [f'[{name} "{value}"]' for name, value in headers.items() if name not in given] + written
    places = [HEAD] * len(lines)
    if "bare" not in block.options and not any(re.match(r"\s*0\s*[RE]\b", line) for _, line in known):
        lines += SET_UP.get(edition, SET_UP["1997"])
        places += [ADDED] * 2
    lines += [line for _, line in body]
    places += [at for at, _ in body]
    if not ends:
        lines.append("*")
        places.append(ADDED)
    return lines, places
