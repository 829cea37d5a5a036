"""The commands typed after a ``/``: corrections, comments, rulings, the end. They are the same with and without a full
screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ...notation.basics import ACTION_CARDS, CARD_LETTERS, EGYPT, PLAYER_NAMES, ROME, SIDE_LETTERS, SIDE_NAMES, TIE
from ...notation.language import CARDS, phrase
from ...notation.records import (
    ASIDE,
    CARD_HEADERS,
    ERROR,
    HEADER_CASE,
    HEADER_ORDER,
    Comment,
    Record,
    Result,
    Ruling,
    Turn,
    parse,
    signed,
    turn_text,
)
from ...replay.diagnostics.api import join
from ...replay.engine.api import DECISIVE, TERMINATIONS, winner_text
from ..repair.api import exchanged
from .answers import already_recorded_message, nothing_proposed, numbered, proposals, refusal_lines, take
from .clocks import parse_control
from .cursor import Phase
from .draft import Draft
from .editing import (
    UnreadableEntry,
    inserted,
    items_of,
    place_of,
    rewritten,
    ruled_side,
    undecided,
    with_header,
    with_result,
    with_ruling,
    with_turn,
    without_rulings,
)
from .menu import help_texts, sections, sentence
from .objections import fault_line
from .questions import ended
from .recorder import Recorder
from .score_sheet import score_in_parts, score_sheet


class Rejected(Exception):
    """Raised if a command was not carried out; the arguments are lines that say why, and what can be done."""


_UNFINISHED: Final = ("abandoned", "unterminated")
"""The words of Termination that decide nothing."""


def result_of_ending(draft: Draft, how: str, said: str) -> Result | None:
    """Return the result of a game that was broken off, given who gave it up or won, or a typed result."""
    words = re.fullmatch(r"(won by |lost by |by |)(.*)", said, re.IGNORECASE)
    assert words is not None
    verb, name = words[1].lower(), words[2].casefold()
    side = _side_of(draft.record, name)
    if side is not None and (verb.endswith(" by ") or how in DECISIVE):
        return Result(winner=side if verb == "won by " else 1 - side)
    if side is not None and how in _UNFINISHED:
        return Result(notes=(Comment(f"{PLAYER_NAMES[side]}: {how}", 0),))  # that decides nothing
    if name in ("draw", "a draw"):
        return Result(winner=TIE)
    with suppress(UnreadableEntry):
        match items_of(draft, said):
            case [Result() as result]:
                return result
    if not said and how in ("normal", *_UNFINISHED):
        return None
    if how in DECISIVE:
        raise Rejected(phrase("which side? /end {how} by Caesar, or by Cleopatra; the other side has won", how=how))
    raise Rejected(sentence("who_has_won", how=how))


def side_named(record: Record, name: str) -> int:
    """Return the side with this name. Raise Rejected if there is none."""
    side = _side_of(record, name.casefold())
    if side is None:
        raise Rejected(phrase("{name} is not one of the players: write R or E, as in /rule 7E R stands", name=name))
    return side


def _side_of(record: Record, name: str) -> int | None:
    for side in (ROME, EGYPT):
        names = (PLAYER_NAMES[side], SIDE_NAMES[side], SIDE_LETTERS[side], record.header(PLAYER_NAMES[side]))
        if name in [known.casefold() for known in names if known.strip("? ")]:
            return side
    return None


UNNEEDED: Final = "C911"
"""A ruling on something that is not there, or no longer there."""
_RULING: Final = re.compile(
    r"(\d+\s*[RE])\s+(?:(.+?)\s+)??(?:(penalty)\b\s*(?:(\d+)(?!\w))?|(stands|back|none)\b)\s*(.*)", re.IGNORECASE
)
"""The text after /rule: the label, perhaps who is at fault, the decision, perhaps penalty points, and the arbiter's
words.
"""
_ORDER: Final = re.compile(r"""((?:\{[^}]*\}|"[^"]*"|[^{";|%])*?)(?:^|\s)(/.*)""", re.DOTALL)
"""Words followed by a command; a ``/`` in a comment, an alternative or a ruling does not begin one."""


class Quit(Exception):
    """Raised when the person wants to leave."""


class Commands:
    """The commands after a ``/``: each is a method that takes the rest of the line.

    Each returns what to say. ``help.toml`` says what it does.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def do_undo(self, rest: str) -> list[str]:
        if rest in ("", "turn"):
            done = self.recorder.undo_turn() if rest else self.recorder.undo()
            return [] if done else [phrase("there is nothing to undo")]
        if not re.fullmatch(r"\d+[RE]", label := rest.upper()):
            raise Rejected(sentence("how_to_undo"))
        labels = [turn.label for turn in self.recorder.draft.record.turns[self._there(label) :]]
        if not self.recorder.undo_turn(label):
            raise Rejected(sentence("no_further", turn=label))
        return [phrase("taken back: {turns}; /redo reverses that", turns=join(labels))]

    def do_redo(self, _rest: str) -> list[str]:
        return [] if self.recorder.redo() else [phrase("there is nothing to redo")]

    def do_insist(self, _rest: str) -> list[str]:
        if self.recorder.refusal is None:
            return [phrase("nothing was refused")]
        if self.recorder.insist():
            labels = undecided(self.recorder.draft.record)
            return [sentence("recorded", turns=", ".join(labels))] if labels else []
        return refusal_lines(self.recorder)

    def do_repair(self, rest: str) -> list[str]:
        found = proposals(self.recorder)
        if not rest:
            return numbered(found) if found else [nothing_proposed(self.recorder)]
        if not found:
            raise Rejected(nothing_proposed(self.recorder))
        if not rest.isdecimal() or not 0 < int(rest) <= len(found):
            raise Rejected(sentence("how_to_repair", number=len(found)))
        chosen = found[int(rest) - 1]
        if not take(self.recorder, chosen):
            return refusal_lines(self.recorder)
        return [] if chosen.record is None else [phrase("{done}; /undo takes it back", done=chosen.words)]

    def do_edit(self, rest: str) -> list[str]:
        """Replace a turn with another line; without one, return the present line."""
        label, _, text = rest.partition(" ")
        record, place = self.recorder.draft.record, self._place(label)
        if place is None:
            raise Rejected(sentence("no_turn", turn=label or "…"))
        if not text.strip():
            line = turn_text(record.turns[place])
            return [
                line,
                phrase("rewrite the whole line: /edit {line}", line=line),
                phrase("or remove it: /drop {turn}", turn=label),
            ]
        if not re.match(r"\d+\s*[RE]\b", text.strip()):
            text = f"{label} {text}"
        return self._corrected(rewritten(record, place, _turns(text)), label)

    def do_insert(self, rest: str) -> list[str]:
        if not rest:
            raise Rejected(phrase("write the whole turn: 6R (3)A 5Q …"))
        draft, turns = self.recorder.draft, _turns(rest)
        return self._corrected(inserted(draft.record, turns, draft.frame.starter), turns[0].label)

    def do_drop(self, rest: str) -> list[str]:
        return self._corrected(rewritten(self.recorder.draft.record, self._there(rest), ()), rest)

    def do_exchange(self, rest: str) -> list[str]:
        if rest not in ("", "set-up"):
            raise Rejected(sentence("how_to_exchange"))
        return self._corrected(exchanged(self.recorder.draft.record, lines=bool(rest)), "")

    def do_rule(self, rest: str) -> list[str]:
        """Record what the arbiter decided about a turn, replacing a pending ruling; or remove a ruling.

        Who is at fault may be named: the side or the player.
        """
        ruling = _RULING.fullmatch(rest)
        if ruling is None:
            raise Rejected(sentence("how_to_rule"))
        label, name, penalty, points, other, text = ruling.groups()
        if points and len(points) > 2:
            raise Rejected(phrase("a penalty is at most 99 points"))
        label, verb = label.replace(" ", "").upper(), (penalty or other).lower()
        record, place = self.recorder.draft.record, self._there(label)
        side = side_named(record, name) if name else None
        if verb == "none":
            return self._remove_rulings(label, side)
        turn = record.turns[place]
        side = ruled_side(turn) if side is None else side
        decision = Ruling(side, verb, (), int(points or 0), text.lstrip(" :,.;-"))
        return self._corrected(with_turn(record, place, with_ruling(turn, decision, replace_pending=True)), label)

    def _remove_rulings(self, label: str, side: int | None) -> list[str]:
        """Remove the rulings on a side, or on any side; if several turns have this label, from the last turn with a
        ruling.
        """
        record = self.recorder.draft.record
        for at, turn in reversed([*enumerate(record.turns)]):
            if turn.label == label and (bare := without_rulings(turn, side)) != turn:
                return self._corrected(with_turn(record, at, bare), label)
        raise Rejected(phrase("there is no such ruling on {turn}", turn=label))

    def do_note(self, rest: str) -> list[str]:
        if not rest:
            raise Rejected(phrase("write /note and your comment"))
        record = self.recorder.draft.record
        label, _, text = rest.partition(" ")
        place = self._place(label) if text else None
        if place is None:
            label, text = "", rest
        note, result = Comment(text.strip()), record.result
        if not record.turns:
            changed = replace(record, preface=(*record.preface, note))
        elif place is None and result is not None and result.points is not None:
            changed = replace(record, result=replace(result, after=(*result.after, note)))
        else:
            place = -1 if place is None else place
            turn = record.turns[place]
            changed = with_turn(record, place, replace(turn, after=(*turn.after, note)))
        self.recorder.keep(changed, "comment", label)
        return []

    def do_header(self, rest: str) -> list[str]:
        """Set a header (or remove it if no value is given), and return what is wrong with it; without a name, list the
        headers.
        """
        name, _, value = rest.partition(" ")
        if not name:
            return [sentence("headers", headers=join(HEADER_ORDER))]
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
            raise Rejected(phrase("write /header, a name and a value: /header Site Cologne"))
        name, value = HEADER_CASE.get(name.lower(), name), value.strip().strip('"')
        if self.recorder.draft.by_form:
            if name in ("Mode", "Termination"):
                raise Rejected(sentence("lasts"))
            if name in CARD_HEADERS and any(turn.tokens for turn in self.recorder.draft.record.turns):
                raise Rejected(sentence("decides", name=name))
        if not value and not self.recorder.draft.record.header(name):
            raise Rejected(phrase("there is no header {name} to be removed; /header alone lists the names", name=name))
        self.recorder.keep(with_header(self.recorder.draft.record, name, value), "header")
        said = {"name": name, "value": value}
        if not value:
            done = phrase("{name} is removed", **said)
        elif name in HEADER_ORDER:
            done = phrase("{name} is now “{value}”", **said)
        else:
            done = phrase("{name} is now “{value}”; {name} is not a known header; /header alone lists them", **said)
        faults = [
            fault_line(fault)
            for fault in self.recorder.draft.verdict.diagnostics
            if fault.code[0] == "H" and (fault.severity == ERROR or name in fault.message)
        ]
        return [done, *faults]

    def do_end(self, rest: str) -> list[str]:
        how = next((name for name in TERMINATIONS if rest.lower().startswith(name)), None)
        if how is None:
            raise Rejected(sentence("how_to_end", ways=", ".join(TERMINATIONS)))
        before = self.recorder.draft
        result = result_of_ending(before, how, rest[len(how) :].strip())
        record = with_header(before.record, "Termination", how)
        self.recorder.keep(with_result(record, result) if result else record, "ended")
        outcome = self.recorder.draft.verdict.outcome
        ending = ended(how) if outcome.winner is None else winner_text(outcome)
        said = phrase("the game has ended: {ending}; /undo reverses that", ending=ending)
        return [said, *_judged(self.recorder, before)]

    def do_legal(self, rest: str) -> list[str]:
        choices = self.recorder.choices(rest)
        if not choices and rest:
            return [phrase("no line of the list begins with {text}", text=rest)]
        if not choices:
            return [phrase("everything is accepted as typed: nothing is judged")]
        more = next((choice.text for choice in choices if not choice.whole), "")
        lines: list[str] = []
        for head, rows in sections(choices):
            if head:
                lines.append(head)
            lines += _aligned([(row.words, row.label) for row in rows])
        if more:
            lines.append(phrase("how a word continues: /legal {word}", word=more))
        return lines

    def do_clock(self, rest: str) -> list[str]:
        if self.recorder.clocks is None:
            raise Rejected(phrase("there are no clocks: set them with /header TimeControl 1800+10, in seconds"))
        how, _, time = rest.partition(" ")
        side = self.recorder.draft.cursor.side
        match how:
            case "start" | "":
                self.recorder.clocks.start(side)
            case "pause":
                self.recorder.clocks.pause()
            case "set":
                seconds = parse_control(time)
                if seconds is None:
                    raise Rejected(phrase("write /clock set 0:12:30: the time left to the player whose turn it is"))
                self.recorder.clocks.set(side, seconds[0])
            case _:
                raise Rejected(phrase("write /clock start, pause, or set 0:12:30"))
        self.recorder.note_clocks()
        return []

    def do_sheet(self, _rest: str) -> list[str]:
        if self.recorder.draft.by_form:
            raise Rejected(phrase("in tournament mode nothing is counted before the game is over: /end normal"))
        return score_sheet(self.recorder.draft, width=self.recorder.width)

    def do_sign(self, rest: str) -> list[str]:
        """Add headers saying that both players agree, with a checksum; without names, return what would be signed.

        A game that ended by the rules is marked as having ended normally.
        """
        by = [name.strip() for name in rest.split(",") if name.strip()]
        if not by:
            is_over = self.recorder.draft.cursor.phase is Phase.OVER
            agreed = phrase("if both agree: /sign Caesar, Cleopatra")
            return [*self.do_sheet(""), "", agreed if is_over else sentence("too_soon")]
        record = self._decided()
        players = {name.casefold() for player in PLAYER_NAMES for name in (player, record.header(player))}
        strangers = [name for name in by if name.casefold() not in players]
        before = record.header("Signed")
        self.recorder.keep(signed(record, by), "signed")
        lines = [sentence("stranger", name=name) for name in strangers]
        if before:
            lines.append(phrase("replacing the signatures of {names}", names=before))
        checksum = self.recorder.draft.record.header("Checksum")
        return [*lines, phrase("signed by {names}: {checksum}", names=join(by), checksum=checksum)]

    def _decided(self) -> Record:
        """Return the record of a finished game, with a normal end unless it names another. Raise Rejected if something
        must still be done before it can be signed.
        """
        draft, record = self.recorder.draft, self.recorder.draft.record
        if not record.header("Termination"):
            if not draft.is_over:
                raise Rejected(phrase("the game is not over"), f"  {phrase('use /end if it was broken off')}")
            if record.points is None:
                raise Rejected(phrase("the result is missing"), f"  {phrase('write it, Rome first: 17-13')}")
            record = with_header(record, "Termination", "normal")
        if draft.frame.termination in DECISIVE and draft.verdict.outcome.winner is None:
            how = phrase("for example, /end {how} by Caesar", how=draft.frame.termination)
            raise Rejected(phrase("the winner is missing"), f"  {how}")
        if labels := undecided(record):
            turns = ", ".join(labels)
            raise Rejected(phrase("the arbiter still has to rule on {turns}", turns=turns), "  /rule 7E stands …")
        return record

    def do_help(self, _rest: str) -> list[str]:
        rows = {command: phrase(said) for command, said in help_texts()["commands"].items()} | {"": ""} | word_help()
        return [
            phrase("Type a word of the notation and Enter to record it; Enter alone ends the turn."),
            *_aligned(rows.items()),
        ]

    def do_quit(self, _rest: str) -> list[str]:
        raise Quit

    def _place(self, label: str) -> int | None:
        return place_of(self.recorder.draft.record, label.strip().upper())

    def _there(self, label: str) -> int:
        if (place := self._place(label)) is None:
            raise Rejected(phrase("there is no turn {turn}", turn=label))
        return place

    def _corrected(self, record: Record, label: str) -> list[str]:
        """Keep a correction at a turn; return what no longer fits."""
        self.recorder.correct(record, label)
        return _misfits(self.recorder) or [phrase("everything fits")] * (not self.recorder.draft.by_form)


def _misfits(recorder: Recorder) -> list[str]:
    """Return what does not fit in a record."""
    faults = [each for each in recorder.draft.verdict.diagnostics if each.severity == ERROR or each.code == UNNEEDED]
    return [*map(fault_line, faults), *[f"  {phrase('/repair lists what would make it fit')}"] * recorder.is_broken]


def _judged(recorder: Recorder, before: Draft) -> list[str]:
    """Return how a game ended and what does not fit in it, unless that was already said ``before``."""
    is_new = before.by_form and not recorder.draft.by_form
    return [*_misfits(recorder), *score_in_parts(recorder.draft)] if is_new else []


def word_help() -> dict[str, str]:
    """Return the notation in short: words, and what they mean."""
    actions = ", ".join([f"{CARD_LETTERS[card]} {CARDS[card].name}" for card in ACTION_CARDS])
    return {word: phrase(meaning, actions=actions) for word, meaning in help_texts()["words"].items()}


def _turns(text: str) -> Sequence[Turn]:
    """Return the turns in a text. Raise Rejected if it can't be read, or contains anything else."""
    game, *more = parse(text.strip() + "\n")
    if problem := next((each for each in game.problems if each.severity == ERROR or each.code == ASIDE), None):
        raise Rejected(problem.message, *([f"  {problem.help}"] if problem.help else []))
    if more or not game.record.turns:
        raise Rejected(phrase("that is not a turn"), f"  {phrase('write 7E (3)A 5Q …')}")
    return game.record.turns


def _aligned(rows: Iterable[tuple[str, str]]) -> list[str]:
    rows = [*rows]
    width = max(len(left) for left, _ in rows)
    return [f"{left:<{width}}  {right}".rstrip() for left, right in rows]


def run_command(recorder: Recorder, line: str) -> list[str]:
    """Carry out a line that begins with ``/``; return what to say about it.

    Raise Quit if that was the command, Rejected if nothing was done, NotKept if the result could not be saved.
    """
    typed, _, rest = " ".join(line.splitlines()).strip()[1:].partition(" ")
    name = typed.lower()
    commands = {method[3:]: method for method in vars(Commands) if method.startswith("do_")}
    meant = [name] if name in commands else [command for command in commands if name and command.startswith(name)]
    if len(meant) != 1:
        raise Rejected(phrase("there is no command /{name}; /help lists them", name=typed))
    run: Callable[[str], list[str]] = getattr(Commands(recorder), commands[meant[0]])
    return run(rest.strip())


def split_command(line: str) -> tuple[str, str]:
    """Return the words of a line, and the command after them; without a command, the line and an empty text."""
    found = _ORDER.fullmatch(line)
    return (found[1].strip(), found[2]) if found else (line, "")


def enter(recorder: Recorder, line: str) -> list[str]:
    """Enter words, and carry out the command after them whether or not the words are accepted; return what to say.

    Refused words are not entered again. Raise the same exceptions as :func:`obey`.
    """
    words, order = split_command(line)
    if order:
        stands = not words or (recorder.refusal is not None and words == recorder.left)
        return [*([] if stands else enter(recorder, words)), *run_command(recorder, order)]
    before, typed = recorder.draft, line.strip()
    recorder.enter(line)
    is_new = (recorder.draft.text, recorder.draft.closed) != (before.text, before.closed)
    if judged := _judged(recorder, before):
        return judged
    if is_new and recorder.draft.is_over and not before.is_over:
        return [*refusal_lines(recorder), *score_in_parts(recorder.draft)]
    # Every typed word gets an answer.
    if refused := refusal_lines(recorder):
        return refused
    return [already_recorded_message(before, typed)] if typed and not is_new else []
