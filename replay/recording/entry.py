"""What somebody typed, as items of a record. Nothing is judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ...notation import tokens as t
from ...notation.cards import SIDE_LETTERS
from ...notation.diagnostic import ERROR, Diagnostic
from ...notation.reader import parse
from ...notation.record import Alternative, BadLine, Comment, Result, Ruling
from ...notation.writer import follower_line, result_text, token_text, turn_text
from .draft import Draft

LABEL: Final = re.compile(r"(\d{1,4})\s*([RE])(?=\s|$)(.*)", re.DOTALL)
RESULT: Final = re.compile(r"(\d{1,3}-\d{1,3}|\*)(>[RE-])?(\s|$)")
VERDICT: Final = re.compile(r"m([RE])([+-]{1,2})")


GLUED: Final = re.compile(r"(?<=[^\s!?])(?<!m[RE])(?=[!?]{1,2}(?:\s|$))")
"""Where a glyph begins right behind a word; the ``?`` of ``mE?`` is none."""


class NewTurn(NamedTuple):
    """A label that somebody typed: the next token begins this turn, whichever was due."""

    number: int
    side: int


Item: TypeAlias = "t.Token | str | Comment | Alternative | Ruling | BadLine | Result | NewTurn"
"""Something to be put into a record; a string is a mark, a clock or a glyph."""


class UnreadableEntry(ValueError):
    """What was typed is no notation: ``problems`` say why, ``items`` are what it is all the same."""

    def __init__(self, problems: list[Diagnostic], items: list[Item]) -> None:
        super().__init__(problems[0].message)
        self.problems = problems
        self.items = items


def items_of(draft: Draft, typed: str) -> list[Item]:
    """Return what a line holds, in its order. Raise UnreadableEntry where it is no notation.

    A word may be shortened to what tells it apart from all others that may come next: ``=A`` for the whole vote.
    """
    typed = " ".join(typed.splitlines()).strip()
    if not typed:
        return []
    if typed[0] in "|%":
        return _followers(draft, typed)
    if RESULT.match(typed):
        (game,) = parse(f"{typed}\n")
        if game.record.result is None:
            raise UnreadableEntry(game.problems, [BadLine(typed)])
        return [game.record.result]
    if verdict := VERDICT.fullmatch(typed):
        result = draft.record.result or Result()
        verdicts = {**dict(result.verdicts), SIDE_LETTERS.index(verdict[1]): tuple([met == "+" for met in verdict[2]])}
        return [replace(result, verdicts=tuple(sorted(verdicts.items())))]
    if label := LABEL.match(typed):
        new_turn = NewTurn(int(label[1]), SIDE_LETTERS.index(label[2]))
        try:
            return [new_turn, *(_words(text_of(new_turn), label[3]) if label[3].strip() else [])]
        except UnreadableEntry as error:
            raise UnreadableEntry(error.problems, [new_turn, *error.items]) from None
    if token := draft.menu.only(typed):
        return [token]
    return _words(draft.cursor.label, typed)


def _words(label: str, typed: str) -> list[Item]:
    """Return the words of a turn line, its comments among them. Raise UnreadableEntry as ``items_of`` does."""
    (game,) = parse(f"{label} {typed}\n")
    if game.problems and (apart := _with_glyphs_apart(typed)) != typed:
        (game,) = parse(f"{label} {apart}\n")
    if len(game.record.turns) != 1:
        raise UnreadableEntry(game.problems, [t.Unread(typed)])
    (turn,) = game.record.turns
    items: list[Item] = []
    for place in range(len(turn.tokens) + 1):
        items += [note for note in turn.notes if note.after == place]
        items += turn.tokens[place : place + 1]
    items += [*turn.marks, *[note for note in turn.notes if note.after is None]]
    if problems := [problem for problem in game.problems if problem.severity == ERROR]:
        raise UnreadableEntry(problems, [_kept_apart(item) for item in items])
    return items


def _with_glyphs_apart(typed: str) -> str:
    """Return what was typed with a space before each glyph that stands right behind a word, ``5P!``."""
    *parts, last = re.split(r"(\{[^}]*\}|;.*)", typed)
    return "".join([part if part[:1] in ("{", ";") else GLUED.sub(" ", part) for part in (*parts, last)])


def _kept_apart(item: Item) -> Item:
    """Return a word that can't be read; on a line of its own if it would make a comment of what comes after it."""
    return BadLine(item.text) if isinstance(item, t.Unread) and re.search("[{}]", item.text) else item


def _followers(draft: Draft, typed: str) -> list[Item]:
    """Return an alternative or a ruling, read below the last turn. Raise UnreadableEntry where it is neither."""
    head = turn_text(draft.record.turns[-1]) if draft.record.turns else ""
    (game,) = parse(f"{head}\n   {typed}\n")
    lines = [line for turn in game.record.turns for line in turn.after if isinstance(line, Alternative | Ruling)]
    problems = [problem for problem in game.problems if problem.span.line]
    if problems or not lines:
        raise UnreadableEntry(problems or game.problems, [BadLine(typed)])
    return [*lines]


def text_of(item: Item) -> str:
    """Return an item as it can be typed again."""
    match item:
        case str():
            return item
        case NewTurn(number, side):
            return f"{number}{SIDE_LETTERS[side]}"
        case Result():
            return result_text(item)
        case Comment() | Alternative() | Ruling() | BadLine():
            return follower_line(item)
        case _:
            return token_text(item)


def in_place(items: Sequence[Item]) -> list[Item]:
    """Return items in an order in which each finds its turn: remarks after a label follow the turn's first word."""
    placed: list[Item] = []
    held: list[Item] = []
    for item in items:
        if isinstance(item, str | Comment) and (held or (placed and isinstance(placed[-1], NewTurn))):
            held.append(item)
        else:
            placed += (*held, item) if isinstance(item, NewTurn) else (item, *held)
            held = []
    return placed + held
