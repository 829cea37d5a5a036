"""Objections to an entry, and the ruling that marks an entry made in spite of them."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation.basics import visible
from ...notation.extra import join_or
from ...notation.language import GROUPS, PLAYERS, number_word, phrase, plural
from ...notation.records import Diagnostic, Record, Ruling, Span, token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import CODES, fill, words
from ...replay.engine.api import violations
from ...replay.rules.api import Edition, Fault
from ...replay.rules.core import setup_violations
from ...replay.rules.game.legal import END_MOVE
from .cursor import Phase
from .draft import Draft
from .editing import UNDECIDED, Item, place_of, put, with_ruling, with_turn
from .menu import sentence
from .questions import ended


def objections(before: Draft, after: Draft) -> list[Diagnostic]:
    """Return the objections to the entry that was added to a record."""
    phase = before.cursor.phase
    if phase is Phase.BLIND:
        return []
    if phase is Phase.SET_UP:
        return _against_set_up(before, after)
    if (before.frame.is_broken_off or before.frame.tournament) and played(before) != played(after):
        help_ = phrase("type /undo, or /header Termination with no value, to go on")
        said = phrase("the game has been ended: {how}", how=ended(before.frame.termination or "normal"))
        return [_objection(before, said, help_)]
    if errors := after.new_errors(before):
        if missing := _missing_draw(before, after):
            return [_objection(before, missing, ""), *errors]
        return errors
    if after.cursor.phase is not Phase.BLIND:
        return []
    return [_lacks_cards(before, after.record.turns[-1].tokens[-1])]


def _lacks_cards(draft: Draft, token: t.Token) -> Diagnostic:
    """Return the objection to a word without the cards that it turned up or moved."""
    if not isinstance(token, t.AnyVote):
        help_ = phrase("write them after each group: cA(53)Q(1)")
        return _objection(draft, phrase("the cards that this moved are missing"), help_)
    begun = token_text(token)
    known = (text.split(">")[0] for text in draft.menu.words if text.startswith(begun) and ":" in text)
    example = min(known, key=lambda text: text.count("p"), default="=A433:52")
    help_ = sentence("add_cards", word=begun, example=example)
    group = GROUPS[token.group]
    return _objection(draft, phrase("the cards turned up in the vote at {group.the} are missing", group=group), help_)


def unfinished(draft: Draft, typed: str, found: Sequence[str]) -> Diagnostic:
    """Return the objection to a word that may go on as one of those ``found``."""
    said = phrase("“{word}” is not finished: it may become {words}", word=visible(typed), words=join_or(found))
    return _objection(draft, said, "")


def played(draft: Draft) -> list[tuple[str, tuple[t.Token, ...]]]:
    """Return the words of all turns, without remarks."""
    return [(turn.label, turn.tokens) for turn in draft.record.turns]


def _missing_draw(before: Draft, after: Draft) -> str:
    """Return the forgotten draw if the other side's turn was begun without it, else an empty text."""
    cursor, word = before.cursor, next(reversed(after.record.turns[-1].tokens), None)
    begins = isinstance(word, (t.Place, t.Discard, *t.ACTIONS)) and word not in cursor.tokens
    if not (begins and cursor.offers(t.Draw)):
        return ""
    return plural(
        "{player.name} still has to draw {number} card: write + and the cards drawn",
        "{player.name} still has to draw {number} cards: write + and the cards drawn",
        cursor.to_draw,
        player=PLAYERS[cursor.side],
        number=number_word(cursor.to_draw),
    )


def _objection(draft: Draft, message: str, help_: str, code: str = "") -> Diagnostic:
    """Return the objection to an entry, without its place in the text."""
    return Diagnostic(code, message, draft.game.source, Span(0, 0, 0), help=help_, turn=draft.cursor.label)


def _incomplete(draft: Draft) -> Diagnostic:
    return _objection(draft, phrase("the set-up is not complete"), phrase("continue with what the list shows"))


def fault_line(fault: Diagnostic) -> str:
    """Return a fault with its turn and its code."""
    place = f"{fault.turn}: " if fault.turn else ""
    return f"{place}{fault.message} [{fault.code}]"


def _against_set_up(before: Draft, after: Draft) -> list[Diagnostic]:
    """Return the faults of the last token: it would be unfair to report what an unfinished line lacks."""
    edition = before.frame.edition
    line = after.record.turns[-1] if after.record.turns else None
    if edition is None or line is None:
        return after.new_errors(before)
    if line.number:
        return [_incomplete(before)]
    faults = setup_violations(edition, before.cursor.side, line.tokens, position=False)
    last = [fault for at, fault in faults if at == len(line.tokens) - 1]
    return [_in_words(fault, after, edition) for fault in last if fault.code not in dict(before.frame.agreed)]


def _in_words(fault: Fault, draft: Draft, edition: Edition) -> Diagnostic:
    code, facts = CODES[fault.code], words(fault, draft.cursor.state, edition)
    return _objection(draft, fill(code.message, facts), fill(code.help, facts), fault.code)


def against_ending(draft: Draft) -> list[Diagnostic]:
    """Return the objection to ending the turn."""
    cursor, edition = draft.cursor, draft.frame.edition
    if cursor.phase is Phase.SET_UP and END_MOVE not in cursor.moves:
        return [_incomplete(draft)]
    if edition is None or cursor.state is None:
        return []
    agreed = dict(draft.frame.agreed)
    faults = [_in_words(fault, draft, edition) for fault in violations(cursor.state, None) if fault.code not in agreed]
    if cursor.pending and not faults:
        return [_objection(draft, phrase("the effect of the action is missing"), phrase("write it, or v for a veto"))]
    return faults


def ruled(record: Record, faults: Sequence[Diagnostic], vetoed: str = "") -> Record:
    """Return the record with a pending ruling after each turn that has faults.

    ``vetoed`` is the turn in which the other side is at fault, because it played the veto.
    """
    for label in dict.fromkeys(fault.turn for fault in faults):
        if (place := place_of(record, label)) is not None:
            turn = record.turns[place]
            codes = tuple([fault.code for fault in faults if fault.turn == label and fault.code])
            side = 1 - turn.side if label == vetoed else turn.side
            record = with_turn(record, place, with_ruling(turn, Ruling(side, "stands", codes, 0, UNDECIDED)))
    return record


def irregular(faults: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the faults that a ruling can let stand: faults in a turn, but not in its form."""
    return [fault for fault in faults if fault.code[:1] not in ("", "N") and fault.turn]


def insisted(before: Draft, item: Item) -> Record:
    """Return the record with an irregular entry, marked by a ruling that names every objection to it."""
    known: list[Diagnostic] = []
    record = put(before, item)
    vetoed = record.turns[-1].label if isinstance(item, t.Veto) else ""
    while True:
        faults = irregular(objections(before, Draft(record)))
        if all(fault in known for fault in faults):  # no fault is left, or none that a ruling can mark
            return record
        record, known = ruled(record, faults, vetoed), known + faults
