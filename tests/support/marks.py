"""The language that marks each letter: what is read of a text, and the words in it that nobody has marked; and what is
cut off where words are longer.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final

LETTERS: Final = re.compile(r"(?<![\w\u0300-\u036f-])[A-Za-z]{3,}(?![\w-])")
"""A word without a mark."""
EXEMPT: Final = {
    "what click says of a wrong call": r"Usage: .*|'[a-z ]+(?= --)|Invalid value for \S+|\[OPTIONS\]",
    "where rules are cited": (
        r"^(?:[A-Z]\d+: )?(?:2024|1997|French club text|Taylor), .*$|"
        r"\b(?:2024|1997|French club text|Taylor)\b[^\n]*\[(?:[A-Z]\d+\w? ?)+\]"
    ),
    "what is in backticks, such as a command": r"`[^`]*`",
    "options": r"(?<!\w)--?[a-z][\w-]*(=\S+)?",
    "headers of records": r'\[\w+ "[^"\n]*"?\]?|\[Starts Cleopatra\\?\]|\[\w+\b',
    "commands of the recorder, with their words": r"(?<!\w)/[a-z]+\b(?: [\w:…*.>-]+)*?(?= {2}|$|[;,\n]| [^\x00-\x7f])",
    "paths, files and addresses": r"[\w./-]*\w\.(tiro|toml|json|html|svg|csv|sqlite|js|css|zip|md|py)\b|\w+://\S+",
    "what a schema says of its fields": r"(?<=ńóóť ƀééĺóóńǵ ĥééŕéé: ).*",
    "names of headers": r"\b[A-Z]\w+(?= ĥééááđééŕ| ííś “)",
    "names of levels and queries": r"(?<=ĺééṽééĺ )quick\b|(?<=ťĥééŕéé ááŕéé )actions, .*",
    "results as they are typed": r"\bcleopatra, draw, 20-7|\bforfeit (?:caesar|cleopatra|both)\b",
    "words of rulings": r"\b[RE] (?:back|stands|penalty)\b(?:(?: [A-Z]\d+)+: It was played that way$)?",
    "the head of a difference": r"^ *(---|\+\+\+) .*$",
    "codes and points of the rules": r"\b[A-Z]\d{1,3}\b",
    "names of programs and formats": (
        r"\b(?:tiro|Tironian|tironian|Lark|Python|JavaScript|JSON|SARIF|JUnit|CSV|SQL|html)\b"
    ),
    "actions, and cards in a row": r"\bc[ACKPQS]{2}\b|\bx[a-z][ACKPQS]\b|\b([a-z])\1+\b",
    "the notation": r"(?<!\w)[\dREACKPQSa-z()*=:>+?,-]*[()*=:>+?][\dREACKPQSa-z()*=:>+?,-]*",
    "values of headers and options, quoted": r"“[^”]*”",
}
"""Why → what is no language. A page also has keys of the keyboard and names of headers."""
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
"""Whether a page is wider than the window."""
CUT = """
[...document.querySelectorAll("button, summary, label, a, h1, h2, p, legend, code, input")].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  if (!each.checkVisibility() || each.closest(".sr, .skip, svg") || width <= 1) return false;
  const isCut = each.matches("button, summary, label, a") && each.scrollWidth > each.clientWidth + 1;
  return isCut || right > innerWidth + 1 || left < -1;
}).map((each) => each.outerHTML.slice(0, 200))
"""
"""What is cut off, or reaches out of the window."""
COVERED = """(() => {
const opened = document.querySelector("dialog[open]") ?? document;
return [...opened.querySelectorAll("button:enabled, summary, a[href], select")].map((each) => {
  const isSeen = each.checkVisibility({ visibilityProperty: true });
  if (!isSeen || each.closest(".sr, .skip, svg, [popover], #notice")) return "";
  each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, right, top, bottom, width } = each.getBoundingClientRect();
  if (width <= 1) return "";
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isFree = above && (each.contains(above) || above.contains(each) || above.closest("#notice, #letters"));
  return isFree ? "" : `${each.outerHTML.slice(0, 200)} below ${above?.outerHTML.slice(0, 100)}`;
}).filter(Boolean);
})()
"""
"""What can't be tapped, since something lies over it that can't be closed or scrolled past, or it is out of reach."""
TAGS = re.compile(r"<(script|style|title)\b.*?</\1>|<!--.*?-->", re.S)
SAID = re.compile(r'\b(?:title|alt|aria-label|placeholder)="([^"]*)"')


def words_of(text: str) -> str:
    """Return what is read of a text: of a page or picture without tags, scripts and styles, of a graph its labels."""
    if text.startswith(("digraph ", "---\ntitle: ")):
        text = "\n".join(["<br>", *re.findall(r">([^<>\n]+)<" if text[0] == "d" else r'"([^"\n]*)"', text)])
    if text.lstrip().startswith("<"):
        # Headers of records, keys, and comments of records.
        text = re.sub(r'<dt><bdi>\w+</bdi></dt>|<kbd>[^<]*</kbd>|<p class="note comment">.*?</p>', " ", text)
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


def line_of(word: str, text: str) -> str:
    """Return the line in which a word stands, in part."""
    at = re.search(rf"\b{word}\b", text)
    start = at.start() if at else 0
    return text[max(0, start - 60) : start + 60]
