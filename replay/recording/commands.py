"""What is typed behind a ``/``: corrections, comments, rulings, the end. The same with a full screen and without."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME, SIDE_NAMES, TIE
from ...notation.diagnostic import ERROR
from ...notation.record import Comment, Record, Result
from ..engine.headers import TERMINATIONS
from ..engine.result import DECISIVE, winner_text
from .acceptance import undecided
from .choosing import Chooser
from .clocks import parse_control
from .cursor import Kind
from .entry import Unreadable, items_of
from .recorder import Recorder, Refusal, Unheeded
from .score_sheet import score_sheet

Lines = list[str]
UNNEEDED: Final = "C911"
"""A ruling on something that is not there, or not any more."""


class Quit(Exception):
    """The recorder wants to leave."""


class Command(NamedTuple):
    """One command: how it is called, what it does, and a sentence on it."""

    usage: str
    run: Callable[[Recorder, str], Lines]
    help: str


def obey(recorder: Recorder, line: str) -> Lines:
    """Carry out a line that begins with ``/``; what is to be said about it.

    Quit where that was the command, Unheeded where nothing was done, NotKept where it could not be kept.
    """
    name, _, rest = " ".join(line.splitlines()).strip()[1:].partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        near = [each for each in COMMANDS if name and each.startswith(name.lower())]
        if len(near) != 1:
            raise Unheeded(f"there is no command /{name}; /help lists them")
        command = COMMANDS[near[0]]
    return command.run(recorder, rest.strip())


def enter(recorder: Recorder, line: str) -> Lines:
    """Carry out a command, or enter words; what is to be said about it. Raises what :func:`obey` raises."""
    if line.startswith("/"):
        return obey(recorder, line)
    recorder.enter(line)
    return refusal_lines(recorder.refusal)


def refusal_lines(refusal: Refusal | None) -> Lines:
    """Why an entry was not accepted, and what can be done; nothing where none was refused."""
    objections, found = refusal.objections if refusal else (), Lines()
    for each in objections:
        found.append(f"{each.message}{f' [{each.code}]' if each.code else ''}")
        rule = f"  rule {each.rule}" + f": {each.cite}" * bool(each.cite)
        found += [rule] * bool(each.rule) + [f"  {each.help}"] * bool(each.help)
    codes = [each.code for each in objections if each.code]
    if codes and not any(code.startswith("N") for code in codes):
        found.append("  if it really happened: /insist records it, for the arbiter to rule on")
    return found


def _undo(recorder: Recorder, rest: str) -> Lines:
    done = recorder.undo_turn() if rest == "turn" else recorder.undo()
    return [] if done else ["there is nothing to undo"]


def _redo(recorder: Recorder, _rest: str) -> Lines:
    return [] if recorder.redo() else ["there is nothing to redo"]


def _insist(recorder: Recorder, _rest: str) -> Lines:
    if recorder.refusal is None:
        return ["nothing was refused"]
    if recorder.insist():
        labels = undecided(recorder.draft.record)
        return [f"recorded; the arbiter still has to rule on {', '.join(labels)}: /rule"] if labels else []
    return refusal_lines(recorder.refusal)


def _edit(recorder: Recorder, rest: str) -> Lines:
    label, _, text = rest.partition(" ")
    line = recorder.line(label)
    if line is None:
        raise Unheeded(f"there is no turn {label or '…'}: write /edit 7E and the whole line as it should be")
    if not text.strip():
        return [line, f"rewrite the whole line: /edit {line}", f"or remove it: /drop {label}"]
    if not re.match(r"\d+\s*[RE]\b", text.strip()):
        text = f"{label} {text}"
    recorder.rewrite(label, text)
    return _unfit(recorder)


def _drop(recorder: Recorder, rest: str) -> Lines:
    recorder.rewrite(rest, "")
    return _unfit(recorder)


def _insert(recorder: Recorder, rest: str) -> Lines:
    recorder.insert(rest)
    return _unfit(recorder)


def _unfit(recorder: Recorder) -> Lines:
    """What does not fit any more after a correction."""
    told = [each for each in recorder.draft.verdict.diagnostics if each.severity == ERROR or each.code == UNNEEDED]
    return [f"{each.turn}{': ' * bool(each.turn)}{each.message} [{each.code}]" for each in told] or ["everything fits"]


def _note(recorder: Recorder, rest: str) -> Lines:
    if not rest:
        raise Unheeded("write /note and your comment")
    label, _, text = rest.partition(" ")
    if text and recorder.line(label) is not None:
        recorder.remark(text.strip(), label)
    else:
        recorder.remark(rest)
    return []


def _rule(recorder: Recorder, rest: str) -> Lines:
    found = re.fullmatch(r"(\d+\s*[RE])\s+(stands|back|penalty)\b\s*(.*)", rest, re.IGNORECASE)
    if found is None:
        raise Unheeded(
            "write /rule 7E stands, back or penalty 2, and the arbiter's words: /rule 7E stands seen too late"
        )
    label, decision, text = found[1].replace(" ", "").upper(), found[2].lower(), found[3]
    points = re.match(r"(\d+)(?!\w)", text) if decision == "penalty" else None
    if points:
        text = text[points.end() :]
        if len(points[0]) > 2:
            raise Unheeded("a penalty is at most 99 points")
    recorder.rule(label, decision, int(points[0]) if points else 0, text.lstrip(" :,.;-"))
    return _unfit(recorder)


def _header(recorder: Recorder, rest: str) -> Lines:
    name, _, value = rest.partition(" ")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise Unheeded("write /header and a name and a value: /header Site Cologne")
    recorder.header(name, value.strip().strip('"'))
    return [f"{each.message} [{each.code}]" for each in recorder.draft.errors if each.code[0] == "H"]


def _end(recorder: Recorder, rest: str) -> Lines:
    how = next((each for each in TERMINATIONS if rest.lower().startswith(each)), None)
    if how is None:
        raise Unheeded(
            f"write /end and how: {', '.join(TERMINATIONS)}; and who: /end resigned by Caesar, /end agreed draw"
        )
    recorder.finish(how, _ended(recorder, how, rest[len(how) :].strip()))
    came = recorder.draft.verdict.outcome
    told = how if came.winner is None else winner_text(came)
    return [f"the game ended: {told}; /undo reverses that"]


def _ended(recorder: Recorder, how: str, said: str) -> Result | None:
    """Return the result of a game that was broken off: who gave it up or has won, or what was written of it."""
    words = re.fullmatch(r"(won by |lost by |by |)(.*)", said, re.IGNORECASE)
    assert words is not None
    verb, name = words[1].lower(), words[2].casefold()
    side = next((side for side in (ROME, EGYPT) if name in _names(recorder.draft.record, side)), None)
    if side is not None and (verb == "won by " or verb == "lost by " or how in DECISIVE):
        return Result(winner=side if verb == "won by " else 1 - side)
    if side is not None and how in ("abandoned", "unterminated"):
        return Result(notes=(Comment(f"{PLAYER_NAMES[side]}: {how}", 0),))  # that decides nothing
    if name in ("draw", "a draw"):
        return Result(winner=TIE)
    try:
        found = [each for each in items_of(recorder.draft, said) if isinstance(each, Result)]
    except Unreadable:
        found = []
    if found or (not said and how in ("normal", "abandoned", "unterminated")):
        return found[0] if found else None
    if how in DECISIVE:
        raise Unheeded(f"which side? /end {how} by Caesar, or by Cleopatra; the other side has won")
    raise Unheeded(f"who has won? /end {how} won by Caesar, won by Cleopatra, or draw; or a result, Rome first: 17-9")


def _names(record: Record, side: int) -> set[str]:
    """What a side may be called."""
    names = (PLAYER_NAMES[side], SIDE_NAMES[side], record.header(PLAYER_NAMES[side]))
    return {name.casefold() for name in names if name.strip("? ")}


def _clock(recorder: Recorder, rest: str) -> Lines:
    if recorder.clocks is None:
        raise Unheeded("there are no clocks: set them with /header TimeControl 1800+10, in seconds")
    how, _, time = rest.partition(" ")
    side = recorder.draft.spot.side
    match how:
        case "start" | "":
            recorder.clocks.start(side)
        case "pause":
            recorder.clocks.pause()
        case "set":
            seconds = parse_control(time)
            if seconds is None:
                raise Unheeded("write /clock set 0:12:30: the time left to the player whose turn it is")
            recorder.clocks.set(side, seconds[0])
        case _:
            raise Unheeded("write /clock start, pause, or set 0:12:30")
    return []


def _sheet(recorder: Recorder, _rest: str) -> Lines:
    return score_sheet(recorder.draft.record, width=recorder.width)


def _sign(recorder: Recorder, rest: str) -> Lines:
    by = [each.strip() for each in rest.split(",") if each.strip()]
    if not by:
        if recorder.draft.spot.kind is not Kind.OVER:
            how = "it can be signed when the game is over; use /end if it was broken off"
        else:
            how = "if they agree, say who: /sign Caesar, Cleopatra"
        return [*_sheet(recorder, ""), "", how]
    record = recorder.draft.record
    players = {name.casefold() for each in PLAYER_NAMES for name in (each, record.header(each))}
    before = record.header("Signed")
    recorder.sign(by)
    told = [f"{each} is neither of the players; /undo removes the signature" for each in by]
    told = [line for line, each in zip(told, by, strict=True) if each.casefold() not in players]
    told += [f"replacing the signatures of {before}"] * bool(before)
    return [*told, f"signed by {' and '.join(by)}: {recorder.draft.record.header('Checksum')}"]


def _legal(recorder: Recorder, rest: str) -> Lines:
    found = Chooser(recorder).choices(rest)
    if not found:
        return [
            f"nothing that may come next begins with {rest}"
            if rest
            else "everything typed is accepted: nothing is judged"
        ]
    texts = [(each.text or "Enter") + "…" * (not each.whole) for each in found]
    width = max(map(len, texts))
    lines = [f"{text:<{width}}  {each.words}" for text, each in zip(texts, found, strict=True)]
    more = next((each.text for each in found if not each.whole), "")
    return [*lines, *[f"how a word continues: /legal {more}"] * bool(more)]


def _quit(_recorder: Recorder, _rest: str) -> Lines:
    raise Quit


WORDS: Final = (
    ("5Q", "a 5 face up at the Quaestors; (5)Q face down. p is the philosopher, i an unknown card"),
    ("A C K P Q S", "Aediles, Censors, Consuls, Praetors, Quaestors, Senators"),
    ("x4P x(2)P#1", "assassination of a face-up card; of the first face-down card, which was a 2"),
    ("sA cAQ wA y", "scout, castling, wrath of the gods, spy; v+3 after one: it was vetoed, and a 3 drawn"),
    (
        "=A =o =r",
        "the bust or vote card: a vote at the Aediles; no vote; no vote, and all go back. *A is a special vote",
    ),
    ("+34 -34 -", "cards drawn; discarded to exchange; nothing placed"),
    ("mR1", "Caesar keeps the first of his missions"),
)
"""The notation in short, as a recorder needs it."""


def _help(_recorder: Recorder, _rest: str) -> Lines:
    width = max(len(command.usage) for command in COMMANDS.values())
    return [
        "Type a word of the notation and Enter to record it; Enter alone ends the turn.",
        *[f"{command.usage:<{width}}  {command.help}" for command in COMMANDS.values()],
        "",
        *[f"{words:<{width}}  {what}" for words, what in WORDS],
    ]


COMMANDS: Final[dict[str, Command]] = {
    "undo": Command("/undo [turn]", _undo, "undo the last entry, or the whole turn; as often as you like"),
    "redo": Command("/redo", _redo, "redo what was undone"),
    "insist": Command("/insist", _insist, "it happened: record what was refused, for the arbiter to rule on"),
    "edit": Command("/edit 7E …", _edit, "rewrite a turn; what follows is replayed, and nothing is dropped"),
    "insert": Command("/insert 6R …", _insert, "add a forgotten turn"),
    "drop": Command("/drop 7E", _drop, "remove a turn"),
    "rule": Command("/rule 7E stands …", _rule, "what the arbiter decides: stands, back, penalty 2"),
    "note": Command(
        "/note …", _note, "a comment below the last turn, or /note 7E below that turn; {…} is a comment within a turn"
    ),
    "header": Command("/header Site …", _header, "set a header"),
    "end": Command("/end resigned by …", _end, "the game was broken off: how, and by whom, or who won, or draw"),
    "legal": Command("/legal …", _legal, "what may come next, in words; /legal +: only what begins with +"),
    "clock": Command("/clock start", _clock, "start, pause or set (0:12:30) the clock; the turns switch it"),
    "sheet": Command("/sheet", _sheet, "the score, group by group, for both players to check"),
    "sign": Command("/sign Caesar, …", _sign, "both agree: the names and a checksum of the text go into the headers"),
    "help": Command("/help", _help, "this list"),
    "quit": Command("/quit", _quit, "leave; everything is kept, and recording continues here next time"),
}
"""Name → command, in the order of the help."""
