"""The likeliest repairs of a broken game for its page: where they are shown, and where their links lead."""

from __future__ import annotations

from functools import reduce
from typing import Final

from ...notation.basics import GROUP_LETTERS
from ...notation.language import Messages, labelled, phrase
from ...notation.records import token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import LEGAL, capital
from ...replay.story.api import NOT_FOLLOWED, SET_UP, Entry, Timeline
from ...replay.words.api import instead
from ..repair.api import HEADERS, LikelyRepairs, WordedChange
from .page_steps import START, names

_SAID: Final[Messages] = {
    "illegal": "This record contains an error",
    "unreadable": "Parts of this record can't be read",
}
"""Verdict → what to say about the record."""
_OUTCOMES: Final[Messages] = {
    (True, 1): "With this, the whole record is legal.",
    (True, 2): "With either of these, the whole record is legal.",
    (True, 3): "With any of these, the whole record is legal.",
    (False, 1): "With this, nothing contradicts the rules.",
    (False, 2): "With either of these, nothing contradicts the rules.",
    (False, 3): "With any of these, nothing contradicts the rules.",
}
"""Whether the record is legal with them, and how many repairs there are, 3 for more → what is said."""
_RIVALS: Final[Messages] = {
    "some": "The first {tied} of {found} repairs are equally likely: nothing in the record decides between them.",
    "both": "Both are equally likely: nothing in the record decides between them.",
    "all": "All {found} repairs are equally likely: nothing in the record decides between them.",
}


class RepairBlock:
    """The repairs of a game for the template: each with its changes in words and their addresses.

    ``place`` is the place of the entry where they are shown: HEADERS before all entries, the number of entries after
    them. ``entry`` is the entry whose steps show them next to the table, with its address; HEADERS stands for the
    start. ``stop`` is a line that says why the turns after the fault could not be followed; it is empty if they could.
    ``suspect`` is the card on the table that is framed, ``likely`` a sentence with the likeliest repair.
    """

    def __init__(self, repairs: LikelyRepairs, timeline: Timeline) -> None:
        entries, place = timeline.entries, min(repairs.turn, len(timeline.entries))
        entry = min(place, len(entries) - 1)
        is_played = entry >= 0 and entries[entry].status != SET_UP
        self.place = place
        self.entry, self.address = (entry, names(timeline)[entry]) if is_played else (HEADERS, START)
        self.said, self.where = phrase(_SAID[repairs.verdict]), _where(place, timeline)
        self.stop, self.suspect = _stop(repairs, timeline), _suspect(repairs, timeline)
        self.message, self.code = capital(repairs.fault.message), repairs.fault.code
        at = entries[place] if 0 <= place < len(entries) else None
        self.likely = _likely(repairs, timeline, at)
        summaries = {repair.summary for repair in repairs.repairs}
        self.repairs = [
            (
                [
                    (capital(words), note, _address(change, timeline))
                    for change in repair.changes
                    for words, note in [_worded(change, timeline, at)]
                ],
                repair.summary if len(summaries) > 1 else "",
            )
            for repair in repairs.repairs
        ]
        self.outcome = _outcome(repairs, summaries)
        self.rivals, self.found = _rivals(repairs), repairs.found


def _where(place: int, timeline: Timeline) -> str:
    """Return where the fault is, in words."""
    if place == HEADERS:
        return phrase("before the first turn")
    if place == len(timeline.entries):
        return phrase("in the result")
    return phrase("in {turn}", turn=timeline.entries[place].label)


def _stop(repairs: LikelyRepairs, timeline: Timeline) -> str:
    """Return the fault that stopped the replay and its likeliest repair; empty if this fault didn't stop it."""
    place = repairs.turn
    if not 0 <= place < len(timeline.entries):
        return ""
    entry = timeline.entries[place]
    if entry.label != timeline.stopped and entry.status != NOT_FOLLOWED:
        return ""
    fault = phrase("Error {where}: {fault}.", where=_where(place, timeline), fault=repairs.fault.message)
    return f"{fault} {_likely(repairs, timeline, entry)}".strip()


def _likely(repairs: LikelyRepairs, timeline: Timeline, fault: Entry | None) -> str:
    """Return the likeliest repair as a sentence, empty if none was found."""
    if not repairs.repairs:
        return ""
    changes = ["{} ({})".format(*_worded(each, timeline, fault)) for each in repairs.repairs[0].changes]
    said = reduce(lambda one, other: phrase("{one} and {other}", one=one, other=other), changes)
    if repairs.equally_likely_count:
        return phrase("Perhaps {changes}.", changes=said)
    return phrase("Probably {changes}.", changes=said)


def _worded(change: WordedChange, timeline: Timeline, fault: Entry | None) -> tuple[str, str]:
    """Return a change as a sentence that says who does what, and the notation; or, if no short sentence can say it, the
    notation, and why. They name the turn if it is not the turn of the ``fault``.
    """
    entry = timeline.entries[change.turn] if any(change.tokens) else None
    said = instead(*change.tokens, entry.player, timeline.edition) if entry else ""
    where = "" if fault and fault.label == change.label else change.label
    if said:
        return (phrase("in {turn} {sentence}", turn=where, sentence=said) if where else said), change.what
    return (labelled(where, change.what) if where else change.what), change.why


def _outcome(repairs: LikelyRepairs, summaries: set[str]) -> str:
    """Return what the record is with any of its repairs, and how the game then stands if all of them agree."""
    is_legal = all(repair.verdict == LEGAL for repair in repairs.repairs)
    said = phrase(_OUTCOMES[is_legal, min(len(repairs.repairs) or 3, 3)])
    return f"{said} {summaries.pop()}." if len(summaries) == 1 else said


def _suspect(repairs: LikelyRepairs, timeline: Timeline) -> str:
    """Return the card on the table that the likeliest repair is about: its place, its word, and the step that lays it;
    empty if there is none.
    """
    for change in repairs.repairs[0].changes if repairs.repairs else ():
        address, old = _address(change, timeline), [*change.tokens[0]]
        if len(old) == len(change.tokens[1]) == 1 and isinstance(token := old[0], t.Place) and "." in address:
            word = token_text(token).removesuffix(group := GROUP_LETTERS[token.group])
            return f"{group}.{timeline.entries[change.turn].side} {word} {address}"
    return ""


def _address(change: WordedChange, timeline: Timeline) -> str:
    """Return where the link of a change leads: to the token, to the turn if it was not played, or to the headers."""
    if change.turn == HEADERS:
        return "about"
    place = min(change.turn, len(timeline.entries) - 1)
    if place < 0:
        return START
    name, events = names(timeline)[place], timeline.entries[place].events
    is_played = change.turn == place and any(event.at == change.at for event in events)
    return f"{name}.{change.at + 1}" if is_played else name


def _rivals(repairs: LikelyRepairs) -> str:
    """Return a sentence that says how many repairs are equally likely; empty if there are no repairs."""
    found, tied = repairs.found, repairs.equally_likely_count + 1
    if not found:
        return ""
    if found == 1:
        return phrase("No other repair was found.")
    if tied == 1:
        return phrase("The first is the likeliest of {found} repairs that were found.", found=found)
    said = "some" if tied < found else "both" if found == 2 else "all"
    return phrase(_RIVALS[said], tied=tied, found=found)
