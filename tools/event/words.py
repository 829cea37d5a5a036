"""What is to do in an event, and what does not count, in words."""

from __future__ import annotations

from typing import Any, Final

from ...notation.language import ENGLISH, Messages, clauses, figure, phrase, speaking
from .facts import PAIRING, Fact, ToDo, Told, at_table, digits, fact
from .plan import EVENT_FILE, Pairing
from .records import MOST_GAMES

SENTENCES: Final[Messages] = {
    # The kinds of things to do.
    "unread": "a file that can't be read",
    "missing": "a game is missing",
    "sheets": "sheets of one game",
    "illegal": "breaks the rules",
    "result": "the result",
    "unfinished": "not finished, and no reason given",
    "name": "an unknown name",
    "twice": "a player twice in a round",
    "unpaired": "a game that is not paired",
    "sides": "sides not as paired",
    "rules": "another rule set",
    "copy": "the same game twice",
    "round": "the next round",
    "edited": "edited by hand",
    "quoted": "“{text}”",
    # What is wrong.
    "too many": "there are more than {most} records in this folder; the rest was not read",
    "no record": "there is no record of this game",
    "paired twice": "{name} is paired more than once: {titles}",
    "stray": "{players} is not paired in round {round}",
    "stray again": "{players} is not paired for another game in round {round}",
    "stray, no round": "{players} is not paired and its Round header names no round",
    "stray again, no round": "{players} is not paired for another game and its Round header names no round",
    "busy": "{stray}; {names} played another game then",
    "other round": "its Round header says {round}, but they are paired in {title}",
    "no round": "its Round header says nothing, but they are paired in {title}",
    "same moves": "this has the same moves as the game in {place}",
    "same result": "this says only the result of the game in {place}",
    "stranger": "no player is called “{name}” ({header})",
    "strangers": "no player is called “{name}”, as {count} records have it",
    "nobody": "the {header} header names no player",
    "other sides": "{cleopatra} played Rome and {caesar} Egypt, the opposite of the pairing",
    "no winner": "{scores}: this does not say who won",
    "no points": "no points",
    "and": "{one} and {other}",
    "other result": "{file} says {result}, but the record says {record}",
    "not joined": "{count} sheets of this game are not joined; {differences}",
    "can't be joined": "these sheets could not be joined",
    "more": "and {count} more",
    "alike": "they say the same",
    "other rules": "the {header} header says {written}, but the event is played by {rules}",
    "no rules": "the {header} header says nothing, but the event is played by {rules}",
    "fault": "{message} ({code})",
    "fault in turn": "{turn}: {message} ({code})",
    "not over": "the game is not over, and nothing says why",
    "not recorded": "the game is over, but nobody can tell who won: cards or missions were not recorded",
    "can be paired": "all games so far count: round {round} can be paired",
    # What is proposed.
    "round as follows": "{games}",
    "add the record": "add it as {place}",
    "leave out": "leave out {place}",
    "leave out pairings": "leave out what was not played: {titles}",
    "pair": "pair them in round {round}, as they played",
    "change sides": "pair them as they played",
    "alias": "“{written}” is {player}",
    "use the record": "use the result of the record",
    "joined": "the joined record, which is {verdict}: {summary}",
    "by rules": "{header}, under which it is {verdict}",
    "as written": "count the result as it was written, {result}",
    "as counted": "the result as counted, {result}",
    "repair": "{repair}; then {verdict}: {summary}",
    "corrected": "the corrected record, which is {verdict}",
    "another": "{repair}; 1 other repair is equally likely",
    "others": "{repair}; {count} other repairs are equally likely",
    # What to do.
    "pair on request": "pair so many players with the option --pair of tiro event, which takes a while",
    "add": "add its record, or say in {file} how it ended",
    "add unread": "add its record, which may be {place}, or say in {file} how it ended",
    "correct pairings": "correct the pairings in {file}",
    "say the round": "correct its Round header, or add the pairing to {file}",
    "write the name": "write the name as it stands in {file}, or add it there",
    "say who": "say who it is, or add the player to {file}",
    "say who won": "say who won",
    "ask": "ask the players: under {rules} it would be {verdict}",
    "say why": 'say why, such as [Termination "agreed"], and who won, on the last line; or decide it in {file}',
    "write the result": "write the result on the last line, or decide it in {file}",
    # Why a game does not count.
    "open": "{kind}: {problem}",
    "no game": "there is no record",
    "other games": "the sheets are not of one game",
    "unsound": "its record is {verdict}",
    "other winners": "the sheets name different winners",
    "no result": "it has no result",
}
"""Facts and their sentences; in all of them, ``file`` is that of the event, and ``most`` how many records are read."""
VERDICTS: Final[Messages] = {
    "legal": "legal", "possible": "possible", "illegal": "illegal", "unreadable": "unreadable",
    "unchecked": "unchecked", "readable": "readable", "nothing": "nothing",
}  # fmt: skip


def said(told: Any) -> Any:
    """Return a fact in words; several of them with semicolons, and anything else as it is."""
    if isinstance(told, Fact):
        if told.kind == PAIRING:
            return Pairing(**told.facts).title
        fields = {name: said(value) for name, value in told.facts.items()}
        if (verdict := fields.get("verdict")) in VERDICTS:
            fields["verdict"] = phrase(VERDICTS[verdict])
        return phrase(SENTENCES[told.kind], file=EVENT_FILE, most=figure(MOST_GAMES, ","), **fields)
    return clauses(map(said, told)) if isinstance(told, tuple) else told


def title_of(one: ToDo) -> str:
    """Return in words what something to do is about."""
    return said(subject_of(one))


def subject_of(one: ToDo) -> Told:
    """Return what something to do is about: the name, the pairing, or else where its records are."""
    if one.alias:
        return fact("quoted", text=one.alias)
    return at_table(one.pairing) if one.pairing else ", ".join(one.places) or fact(one.kind)


def without_words(told: Told) -> Told:
    """Return what is proposed without what is said of a record, which is in one language."""
    facts = told.facts if isinstance(told, Fact) else {}
    if isinstance(facts.get("repair"), Fact):
        return without_words(facts["repair"])
    return fact("corrected", verdict=facts["verdict"]) if "summary" in facts else told


def keys_of(one: ToDo) -> tuple[str, str]:
    """Return the key of something to do, and the one that it had when keys were made from English sentences, as
    journals may name it.
    """
    with speaking(ENGLISH):
        return one.key, digits(one.kind, title_of(one), said(one.problem), *one.places, said(one.proposes))
