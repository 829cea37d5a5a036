"""Edits of a record: what a repair changes, in words, and as a comment that keeps the old line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import reduce
from itertools import chain
from typing import Final

from ...notation.basics import PLAYER_NAMES, dataclass, visible
from ...notation.extra import without_asides
from ...notation.language import PLAYERS, phrase, plural
from ...notation.records import (
    SEPARATE_GAMES_HELP,
    BadLine,
    Comment,
    Game,
    Record,
    Replacement,
    Result,
    Source,
    Turn,
    as_game,
    canonical_headers,
    header_text,
    parse,
    result_text,
    score_text,
    token_text,
    turn_text,
    write,
)
from ...notation.records import tokens as t
from ...replay.checking.api import Verdict, check
from ...replay.engine.api import header_spans
from .slips import Slip


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a record: the turns from ``begin`` to ``end`` (places in ``record.turns``) become ``turns``.

    ``at`` is the place of the first token that differs in its turn. An edit of the headers or the result changes no
    turn; ``headers``, ``preface`` and ``result`` are None if they stay. ``cost`` says how rare the undone slip is, as a
    negative logarithm.
    """

    slip: Slip
    cost: float
    begin: int
    end: int
    turns: tuple[Turn, ...] = ()
    at: int = 0
    headers: tuple[tuple[str, str], ...] | None = None
    preface: tuple[Comment | BadLine, ...] | None = None
    result: Result | None = None
    mended: Game | None = None
    """The game before its text was changed in transit; ``lines`` are the lines that differ."""
    lines: tuple[Replacement, ...] = ()

    def apply(self, record: Record) -> Record:
        """Return the record with this change."""
        if self.mended is not None:
            return self.mended.record
        return Record(
            record.headers if self.headers is None else self.headers,
            record.preface if self.preface is None else self.preface,
            (*record.turns[: self.begin], *self.turns, *record.turns[self.end :]),
            record.result if self.result is None else self.result,
        )

    def old_turns(self, record: Record) -> tuple[Turn, ...]:
        """Return the turns of the record that the edit replaces."""
        return tuple(record.turns[self.begin : self.end])


def all_words(edits: Iterable[Edit], record: Record) -> Iterator[str]:
    """Yield a record's edits in words, each for the record as it is at that point: ``9E: 3Q should be 5Q (a wrong
    card)``.
    """
    for edit in edits:
        label, change = change_of(edit, record)
        said = f"{change} ({phrase(edit.slip.title)})"
        yield f"{label}: {said}" if label else said
        record = edit.apply(record)


def change_of(edit: Edit, before: Record) -> tuple[str, str]:
    """Return the label of the turn whose words an edit changes, and the correction; no label if the text names it."""
    if edit.mended is not None:
        return "", _change_of_lines(edit.lines, edit.mended.source.first)
    if edit.headers is not None or edit.result is not None:
        return "", _change_of_frame(edit, before)
    old, new = edit.old_turns(before), edit.turns
    if edit.slip is Slip.TURN_OMITTED:
        turn, words = before.turns[edit.begin].label, turn_text(new[0])
        return "", phrase("before {turn} a turn is missing: {words}", turn=turn, words=words)
    if edit.slip is Slip.TURN_DOUBLED:
        first, *more = [turn.label for turn in old[len(new) :]]
        if more:
            return "", phrase("lines {turn} to {last} are written twice", turn=first, last=more[-1])
        return "", phrase("line {turn} is written twice, or should not be there", turn=first)
    if edit.slip is Slip.TURN_ORDER:
        return "", phrase("lines {turn} and {other} should be swapped", turn=old[0].label, other=old[1].label)
    if edit.slip is Slip.LABEL:
        labels = {"turn": old[0].label, "other": new[0].label}
        return "", phrase("turn {turn} should be {other}: {words}", **labels, words=turn_text(new[0]))
    if len(old) != len(new):
        return "", phrase("a line after {turn} should be {words}", turn=old[0].label, words=turn_text(new[-1]))
    return old[0].label, _other_words(old[0].tokens, new[0].tokens, edit)


def _change_of_lines(lines: Sequence[Replacement], number: int) -> str:
    """Return the correction of lines of a text, given the number of the first one."""
    if not lines:
        return phrase("a line end is missing before the next game")
    (begin, end, text), more = lines[0], len(lines) - 1
    shown = phrase(" and ").join(map(visible, text.splitlines())).rstrip()
    many, numbers = end - begin, {"line": begin + number, "last": end + number - 1, "text": shown}
    if begin == end:
        said = phrase("before line {line} a line is missing: {text}", line=begin + number, text=visible(text.rstrip()))
    elif shown:
        said = plural("line {line} should be {text}", "lines {line} to {last} should be {text}", many, **numbers)
    else:
        said = plural("line {line} should not be there", "lines {line} to {last} should not be there", many, **numbers)
    again = plural(", and {count} more in the same way", ", and {count} more in the same way", more)
    return said + again if more else said


def aside_edit(game: Game) -> Edit:
    """Return the edit that puts right whatever can't be read in a game and moves no card."""
    record = without_asides(game.record)
    mended = as_game(replace(record, result=counted_result(record, check(record))))
    # Of a line with the next game's first header, this game's source has only the beginning.
    is_glued = any(problem.help == SEPARATE_GAMES_HELP for problem in game.problems)
    lines = () if is_glued else tuple(_differences(game.source, mended.source))
    return Edit(Slip.ASIDE, Slip.ASIDE.cost, 0, 0, mended=mended, lines=lines)


def counted_result(record: Record, verdict: Verdict) -> Result | None:
    """Return the result of a record, with the points as counted if the game is over and it has none."""
    line, counted = record.result or Result(), verdict.score
    is_known = counted is not None and not counted.is_open and verdict.outcome.ending is not None
    if counted and is_known and line.points is None and line.winner in (None, verdict.outcome.winner):
        return replace(line, points=counted.points, winner=None)
    return record.result


def _differences(old: Source, new: Source) -> Iterator[Replacement]:
    """Yield the lines that differ between two texts by more than white space."""
    one, two = ([" ".join(line.split()) for line in source.lines] for source in (old, new))
    for kind, begin, end, first, last in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind != "equal" and any(one[begin:end] + two[first:last]):
            yield Replacement(begin, end, "".join(new.lines[first:last]))


def _change_of_frame(edit: Edit, before: Record) -> str:
    """Return the correction of headers and result, or which sides should change because of them."""
    was, now = dict(before.headers), dict(edit.headers or ())
    if edit.slip is Slip.STARTER and edit.turns:
        anew = sum(one.tokens != two.tokens for one, two in zip(edit.old_turns(before), edit.turns, strict=True))
        began = PLAYERS[PLAYER_NAMES.index(now["Starts"])]
        said = phrase("{player.name} began: every turn should be the other side's", player=began)
        again = plural("the votes of {count} turns are recounted", "the votes of {count} turns are recounted", anew)
        return f"{said}; {again}" if anew else said
    if edit.slip is Slip.SETUP:
        return phrase("lines {turn} and {other} should be swapped", turn="0R", other="0E")
    if edit.result is None:
        changed = [header_text(name, value) for name, value in now.items() if was.get(name) != value]
        return phrase("the headers should say {headers}", headers=" ".join(changed))
    line, score = before.result, score_text(edit.result)
    if line is None:
        return phrase("the result is missing: {score}", score=score)
    return phrase("the result should be {score}, not {other}", score=score, other=score_text(line))


def _other_words(old: tuple[t.Token, ...], new: tuple[t.Token, ...], edit: Edit) -> str:
    """Return in words what differs between the tokens of a turn."""
    was, now = ([visible(token_text(token)) for token in tokens] for tokens in (old, new))
    at = edit.at
    if len(new) > len(old):
        count = len(new) - len(old)
        words = " ".join(now[at : at + count])
        left = {"words": words, "word": was[at - 1] if at else ""}
        if not at:
            return plural("{words} is missing at the beginning", "{words} are missing at the beginning", count, **left)
        return plural("{words} is missing after {word}", "{words} are missing after {word}", count, **left)
    if len(new) < len(old):
        return phrase("{word} should not be there", word=was[at])
    if edit.slip is Slip.ORDER:
        return phrase("{word} should come before {other}", word=was[at + 1], other=was[at])
    others = [(one, other) for one, other in zip(was, now, strict=True) if one != other]
    return phrase(" and ").join([phrase("{word} should be {other}", word=one, other=other) for one, other in others])


def round_trips(text: str, record: Record) -> bool:
    """Return whether a text is read as a record, and as nothing else."""
    wanted = replace(record, headers=tuple(canonical_headers(record.headers)))
    return [game.record for game in parse(text)] == [wanted]


def replacements(edits: Sequence[Edit], game: Game) -> tuple[Replacement, ...]:
    """Return the lines of a game's source that edits replace.

    If they would not be read back as the edited record (they change the sides of all turns, or have no place in it),
    the whole record is replaced.
    """
    record = reduce(lambda before, edit: edit.apply(before), edits, game.record)
    lines = [f"{game.source.text(at)}\n" for at in range(len(game.source.lines))]
    written = [place for place, line in enumerate(lines, 1) if line.strip()]
    few = _line_replacements(edits, game)
    for begin, end, text in sorted(few, reverse=True):
        lines[begin:end] = [text]
    if round_trips("".join(lines), record):
        return few
    return tuple([Replacement(0, end, write(record)) for end in written[-1:]])


def _line_replacements(edits: Sequence[Edit], game: Game) -> tuple[Replacement, ...]:
    """Return the lines that edits replace, each for itself; nothing if an edit has no place in the text."""
    replaced: list[Replacement] = []
    record = game.record
    for edit in edits:
        if edit.mended is not None:
            replaced = [*edit.lines]
        elif edit.headers is not None or edit.result is not None:
            replaced += _frame_replacements(edit, record, game.source)
        elif (lines := _turn_replacement(edit, record)) is not None:
            replaced.append(lines)
        else:
            return ()
        record = edit.apply(record)
    # A line that two edits change is replaced once, with the result of the later one.
    last = {(begin, end, 0 if begin < end else number): text for number, (begin, end, text) in enumerate(replaced)}
    return tuple([Replacement(begin, end, text) for (begin, end, _), text in last.items()])


def _turn_replacement(edit: Edit, record: Record) -> Replacement | None:
    """Return what an edit of turns replaces; None if the turns have no place in the text."""
    old, following = edit.old_turns(record), record.turns[edit.end : edit.end + 1]
    lines = [turn.line for turn in old or following]
    if min(lines, default=-1) < 0:
        return None
    end = lines[-1] + 1 if old else lines[0]
    return Replacement(lines[0], end, "".join([f"{turn_text(turn)}\n" for turn in edit.turns]))


def _frame_replacements(edit: Edit, record: Record, source: Source) -> Iterator[Replacement]:
    """Yield what an edit of headers and result replaces; a header or result that is missing gets a line."""
    headers, spans = record.headers, header_spans(source, record.headers)
    for place, (name, value) in enumerate(edit.headers or ()):
        if place >= len(headers) or headers[place] != (name, value):
            line = spans[place].line if place < len(headers) else spans[-1].line + 1 if spans else 0
            yield Replacement(line, line + (place < len(headers)), f"{header_text(name, value)}\n")
    kept = record.preface if edit.preface is None else edit.preface
    for bad in record.preface:
        if isinstance(bad, BadLine) and bad not in kept:
            yield Replacement(bad.line, bad.line + 1, "")
    if edit.result is not None:
        line = len(source.lines) if record.result is None else record.result.line
        yield Replacement(line, line + (record.result is not None), f"{result_text(edit.result)}\n")


_COMMENT_PREFIX: Final = "repaired"


def with_note(turn: Turn, why: str, old: Iterable[Turn]) -> Turn:
    """Return a turn with a comment after it that says why it was changed, and what was there before."""
    was = "; ".join([turn_text(line) for line in old]) or "nothing"
    return replace(turn, after=(*turn.after, Comment(f"{_COMMENT_PREFIX}, {why}: {was}".replace("}", ")"))))


def with_old_lines(edits: Iterable[Edit], record: Record, old: Sequence[Turn] = ()) -> Record:
    """Return the record with its edits, and a comment after each changed turn that keeps the old text.

    A comment that could not be read back is left out. ``old`` are the old turns, if they are not the record's. A turn
    after the last of them is new and gets no comment; if there are more of them than in the record, they were filled in
    after its last word. For a text that was changed in transit, only the lines are named.
    """
    edits = [*edits]
    if edits and (mended := edits[0].mended) is not None:
        why = Comment(f"{_COMMENT_PREFIX}, {edits.pop(0).slip.title}")
        record = replace(mended.record, preface=(*mended.record.preface, why))
    count = len(record.turns)
    whole = _unchanged((old or record.turns)[:count])
    whole += [(None, [])] * (count - len(whole))
    for edit in edits:
        if len(edit.turns) > 2:  # all of them
            whole[edit.begin :] = _unchanged(edit.turns)
            record = edit.apply(record)
            record = replace(record, preface=(*record.preface, Comment(f"{_COMMENT_PREFIX}, {edit.slip.title}")))
            continue
        was, why = _changed(whole[edit.begin : edit.end], edit.slip)
        whole[edit.begin : edit.end] = [*_unchanged(edit.turns[:-1]), (was, why)] if edit.turns else []
        record = edit.apply(record)
    turns = [
        with_note(turn, ", ".join(why), was) if why and was is not None else turn
        for turn, (was, why) in zip(record.turns, whole, strict=True)
    ]
    kept = replace(record, turns=tuple(turns))
    return kept if round_trips(write(kept), kept) else record


Before = tuple[list[Turn] | None, list[str]]
"""What stood in place of a turn, None for a new one, and why it was changed."""


def _unchanged(turns: Sequence[Turn]) -> list[Before]:
    return [([turn], []) for turn in turns]


def _changed(turns: Sequence[Before], slip: Slip) -> Before:
    """Return the old text and the reason for a turn that replaces others."""
    known = [was for was, _ in turns if was is not None]
    why = dict.fromkeys([*chain(*[titles for _, titles in turns]), slip.title])
    return [*chain(*known)] if len(known) == len(turns) else None, [*why]
