"""What is to do in an event, for people who don't read records: in plain words, with the players' names, and with what
becomes of games and points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.language import PLAYERS, Messages, clauses, labelled, phrase, remembered
from ...notation.language import SIDES as NAMES
from ...notation.records import Result, parse, score_text
from ...replay.checking.api import check
from ...replay.diagnostics.api import CODES, join
from ..archive.api import ChunkChecker
from ..report.api import GameReport, failed_report
from .facts import RESULT, ROUND, Decided, Fact, ToDo
from .plan import EVENT_FILE, EventPlan, Pairing, read_plan
from .records import SIDES, Meeting, Sheet, matched
from .standings import figure, gained, points_words
from .todo import EventState, decided_of, joined_of, of_meeting, seated_twice
from .words import VERDICTS, said

_TITLES: Final[Messages] = {
    "unread": "A file that can’t be read",
    "missing": "How did it end? There is no record",
    "not joined": "{count} sheets of one game",
    "result": "Who won?",
    "unfinished": "How did it end? The record stops before the end",
    "stranger": "Who is “{name}”?",
    "strangers": "Who is “{name}”?",
    "nobody": "A player without a name in the record",
    "paired twice": "Impossible: {name} has two games in round {round}",
    "twice": "Impossible: two games at once",
    "unpaired": "A game that is not on the list",
    "other round": "Which round was it?",
    "no round": "Which round was it?",
    "sides": "The sides were swapped",
    "rules": "Played by other rules?",
    "copy": "The same game is there twice",
    "H207": "Which result is right: {one} or {other}?",
}
"""Titles for kinds of problems, for a code, or else for kinds of things to do."""
_ENOUGH: Final = ("no record", "not joined", "stranger", "strangers", "nobody", "not over", "same moves", "same result")
"""Problems of which the title says enough."""
_PROPOSALS: Final[Messages] = {
    "joined": "join the sheets to one record",
    "leave out": "leave out the copy",
    "leave out pairings": "take off the list what was not played: {titles}",
    "use the record": "count what the record says",
    "by rules": "count it by the rules of the event",
    "repair": "correct a slip in the record",
    "another": "correct a slip in the record (another correction is as likely)",
    "others": "correct a slip in the record ({count} other corrections are as likely)",
    "Round": "it was round {value}",
    "Caesar": "it is {value}",
    "Cleopatra": "it is {value}",
}
_MOST: Final = 20
"""The most games of a record that was sent in of which it is told what they would change."""
_NOTATION: Final = re.compile(r"[\[(=|]|\d[A-Z]")
Seat: TypeAlias = tuple[int, frozenset[str]]
Outcome: TypeAlias = tuple[Decided | None, Decided | None]
"""A game as it counts now, and as it would count; None where it is not paired."""


class PlainToDo(NamedTuple):
    """Something to do in plain words: a title, more about it, what is proposed or else to be done, and what comes of it
    if that is accepted (empty if nothing is proposed), and if it is left as it is.
    """

    title: str
    more: str
    proposal: str
    accepted: str
    left: str


def plain(state: EventState, one: ToDo, points: Mapping[str, Fraction]) -> PlainToDo:
    """Return something to do in plain words; ``points`` are those that the players have now."""
    problem = one.problem if isinstance(one.problem, Fact) else Fact(one.kind, {})
    if one.kind == ROUND:
        number = one.facts[0]
        order = said(one.order) or phrase("you can change these lines first")
        title, then = phrase("Pair round {round}", round=number), phrase("round {round} can begin", round=number)
        return PlainToDo(title, "", order, then, phrase("you pair it under “Players”"))
    facts: dict[str, Any] = {name: said(value) for name, value in problem.facts.items()}
    facts |= {"round": one.pairing and one.pairing.round}
    title = CODES[facts["code"]].title if "code" in facts else _TITLES.get(problem.kind) or _TITLES[one.kind]
    more = "" if problem.kind in _ENOUGH else said(one.problem)
    if facts.get("code") == "H207":
        record = parse(one.edits[0].was)[0].record
        both = record.header("Result"), score_text(record.result or Result())
        facts |= {name: each.replace("-", "–") for name, each in zip(("one", "other"), both, strict=True)}
        title, more = _TITLES["H207"], phrase("the record gives both")
    elif "code" in facts:
        more = "" if _NOTATION.search(facts["message"]) else _named(facts["message"], one.pairing)
        if facts.get("turn") and one.pairing:
            player, number = one.pairing.names["R" not in facts["turn"]], re.findall("[0-9]+", facts["turn"])[0]
            turn = phrase("turn {number} of {player}", number=number, player=player)
            more = labelled(turn, more) if more else turn
    elif problem.kind == "paired twice":
        more = clauses(dict.fromkeys(told for all_ in clashes(state, one.pairing).values() for told in all_))
    outcomes = [*_outcomes(state, one)] if one.proposes else []
    now = [was for was, _ in outcomes] or [each for each in state.decided if one.pairing and _is(each, one.pairing)]
    if one.kind == "twice":
        left = phrase("these games stay on the list")
    elif now:
        yes, no = phrase("the game still counts"), phrase("the game still does not count")
        left = yes if any(map(_came, now)) else no
    else:
        left = phrase("nothing changes")
    accepted = _accepted(state, outcomes, points) if one.proposes else ""
    return PlainToDo(phrase(title, **facts), more, _proposal(one), accepted, left)


def added(state: EventState, file: str, text: str, points: Mapping[str, Fraction]) -> list[str]:
    """Return for each game of a record that was sent in what becomes of the event if it is added as ``file``."""
    told = list[str]()
    for sheet in _read_sheets(file, text, state.plan.rules):
        alone = matched(state.plan, [sheet])
        seats = [_seat(each.pairing) for each in alone.meetings if each.sheets]
        if not seats:
            players = " – ".join(sheet.header(side) or "?" for side in SIDES)
            what = phrase("no game of the event. If you add it, you are asked which one it is")
            told.append(labelled(players, what))
        for seat in seats:
            here = [each for each in state.games.meetings if _seat(each.pairing) == seat]
            there = [each for meeting in here for each in meeting.sheets]
            small = replace(state.plan, pairings=tuple([each for each in state.plan.pairings if _seat(each) == seat]))
            now = matched(small, [*there, sheet])
            after = [_decided(state, small, each) for each in now.meetings]
            before = [each for each in state.decided if _seat(each.pairing) == seat]
            outcomes = [*zip(before, after, strict=False)] or [(None, each) for each in after]
            what = phrase("a second sheet of this game") if there else phrase("the first record of this game")
            if now.copies:
                what = phrase("the same moves as {place}", place=now.copies[0][1].place)
            facts = {"title": now.meetings[0].pairing.title, "what": what}
            facts["verdict"] = phrase("only the result") if sheet.score else phrase(VERDICTS[sheet.report.verdict])
            facts["then"] = _accepted(state, outcomes, points)
            told.append(phrase("{title}: {verdict}, {what}. If you add it: {then}", **facts))
    return told or [phrase("there is no game in it")]


@remembered(256)
def _read_sheets(file: str, text: str, rules: str) -> tuple[Sheet, ...]:
    """Return the first games of a record from outside; nothing in it may cost the others."""
    found = list[Sheet]()
    for game in parse(text)[:_MOST]:
        try:
            report = _checked("".join(game.source.lines), rules)
        except Exception as error:  # noqa: BLE001
            report = failed_report(error, game)
        found.append(Sheet(file, replace(report, game=len(found) + 1)))
    return tuple([each for each in found if each.report.turns or each.report.headers])


def points_of(state: EventState) -> dict[str, Fraction]:
    """Return the points of all players who have any."""
    points: dict[str, Fraction] = {}
    for one in state.decided:
        for name, score in gained(state.plan, one) if one.winner is not None or one.pairing.kind != "game" else ():
            points[name] = points.get(name, Fraction()) + score.points
    return points


def clashes(state: EventState, about: Pairing | None = None) -> dict[Pairing, list[str]]:
    """Return the pairings of players who have several games in a round, each with who sits where; those that the
    organiser has left as they are don't count. With a pairing, only those of its round.
    """
    found: dict[Pairing, list[str]] = {}
    due = {each.pairing.round for each in state.to_do if each.kind == "twice" and each.pairing}
    for name, all_ in seated_twice(state.games.meetings):
        seats = [each.pairing for each in all_]
        if seats[0].round not in due or (about and seats[0].round != about.round):
            continue
        if all(each.table for each in seats):
            told = phrase("{name} is at tables {tables}", name=name, tables=join([str(each.table) for each in seats]))
        else:
            told = phrase("{name} is in {games}", name=name, games=join([" – ".join(each.names) for each in seats]))
        for seat in seats:
            found.setdefault(seat, []).append(told)
    return found


def _named(words: str, pairing: Pairing | None) -> str:
    """Return words in which the players' names stand for the sides."""
    for side, name in enumerate(pairing.names if pairing else ()):
        sides = f"{PLAYERS[side].name}|{NAMES[side].name}"
        words = re.sub(rf"\b(?:{sides})\b", name.replace("\\", r"\\"), words)
    return words


def _proposal(one: ToDo) -> str:
    """Return what is proposed, or else what somebody has to do."""
    if not one.proposes:
        if one.kind == "sheets":
            return phrase("ask the players, and enter the result at the table; the details say how to join sheets")
        return phrase("enter how it ended") if one.name == RESULT else said(one.order)
    kind, facts = (one.proposes.kind, one.proposes.facts) if isinstance(one.proposes, Fact) else (one.name, {})
    if kind in ("Round", "Caesar", "Cleopatra") and one.edits[0].text:
        facts = {"value": parse(one.edits[0].text)[0].record.header(kind)}
    return (
        phrase(_PROPOSALS[kind], **{name: said(value) for name, value in facts.items()})
        if kind in _PROPOSALS
        else said(one.proposes)
    )


def _outcomes(state: EventState, one: ToDo) -> Iterator[Outcome]:
    """Yield how the games that a proposal is about count, and how they would if it were accepted. It is what the event
    would say, found out from these games alone.
    """
    texts = {(edit.file, edit.game): edit.text for edit in one.edits}
    plan = _read(texts[EVENT_FILE, 0] or "") if (EVENT_FILE, 0) in texts else state.plan
    seats = {_seat(one.pairing)} if one.pairing else set[Seat]()
    seats |= {_seat(each.pairing) for each in state.games.meetings if not {*one.places}.isdisjoint(each.places)}
    if plan is not state.plan:
        seats |= {_seat(each) for each in {*map(_bare, state.plan.pairings)} ^ {*map(_bare, plan.pairings)}}
    here = [each for each in state.games.meetings if _seat(each.pairing) in seats]
    sheets = [each for meeting in here for each in meeting.sheets]
    sheets += [each for each in state.games.unpaired_games if each.place in one.places]
    new = [now for each in sheets for now in _edited(each, texts, plan.rules)]
    small = replace(plan, pairings=tuple([each for each in plan.pairings if _seat(each) in seats]))
    after = [_decided(state, small, each) for each in matched(small, new).meetings]
    for was in [each for each in state.decided if _seat(each.pairing) in seats]:
        now = next((each for each in after if _is(each, was.pairing)), None)
        after = [each for each in after if each is not now]
        yield was, now
    yield from ((None, each) for each in after)


def _seat(pairing: Pairing) -> Seat:
    return pairing.round, pairing.players


def _bare(pairing: Pairing) -> Pairing:
    return pairing._replace(place=-1)


def _is(one: Decided, pairing: Pairing) -> bool:
    return (*_seat(one.pairing), one.pairing.table, one.pairing.again) == (
        *_seat(pairing),
        pairing.table,
        pairing.again,
    )


def _edited(sheet: Sheet, texts: Mapping[tuple[str, int], str | None], rules: str) -> Iterator[Sheet]:
    """Yield a record as it would be; nothing if it is left out."""
    text = texts.get((sheet.file, sheet.report.game), sheet.report.text)
    if text is not None:
        report = sheet.report if text == sheet.report.text else _checked(text, rules)
        yield Sheet(sheet.file, replace(report, game=sheet.report.game))


@remembered(256)
def _checked(text: str, rules: str) -> GameReport:
    game = parse(text)[0]
    verdict = check(game, rules)
    return ChunkChecker(rules, texts=True, moves=True).report(game, verdict, verdict.diagnostics, rules)


_read = remembered(64)(read_plan)
_joined = remembered(64)(joined_of)


def _decided(state: EventState, plan: EventPlan, meeting: Meeting) -> Decided:
    if len(meeting.sheets) > 1:
        meeting.joined = state.joined.get(meeting.texts) or _joined(meeting.texts)
    return decided_of(plan, meeting, [*of_meeting(plan, meeting)])


def _came(one: Decided | None) -> tuple[object, ...]:
    return (one.winner, one.points, one.forfeit, one.pairing.names) if one and one.winner is not None else ()


def _accepted(state: EventState, outcomes: Iterable[Outcome], points: Mapping[str, Fraction]) -> str:
    """Return how games would count, and what becomes of the players' points."""
    changed = [(was, now) for was, now in outcomes if _came(was) != _came(now)]
    if not changed:
        return phrase("no result and no points change")
    gain: dict[str, Fraction] = {}
    for outcome in changed:
        for one, sign in zip(outcome, (-1, 1), strict=True):
            for name, score in gained(state.plan, one) if one and _came(one) else ():
                gain[name] = gain.get(name, Fraction()) + sign * score.points
    told = [
        _change(points.get(name, Fraction()), more, name)
        for name, more in sorted(gain.items(), key=lambda one: -one[1])
    ]
    return clauses([*[_ending(now) for _, now in changed if now], join(told)])


def _change(before: Fraction, more: Fraction, name: str) -> str:
    if not more:
        return phrase("{name} stays at {points}", name=name, points=figure(before))
    return phrase("{name} {before} → {points}", name=name, before=figure(before), points=points_words(before + more))


def _ending(one: Decided) -> str:
    """Return how a game ended, the winner's points first."""
    names, points = one.pairing.names, one.points
    if one.winner == 2 and points:
        return phrase("{names} draw {points}", names=join(names), points=f"{points[0]}–{points[1]}")
    if one.winner not in (0, 1):
        draw, missed = phrase("{names} draw", names=join(names)), phrase("neither came")
        return draw if one.winner == 2 else missed if one.winner == 3 else phrase("the game does not count")
    facts = {"winner": names[one.winner], "other": names[1 - one.winner]}
    if points:
        facts["score"] = f"{points[one.winner]}–{points[1 - one.winner]}"
        if points[0] == points[1]:
            return phrase("{winner} wins {score} by the tie-break against {other}", **facts)
        return phrase("{winner} wins {score} against {other}", **facts)
    if one.forfeit:
        return phrase("{winner} wins against {other}, who did not come", **facts)
    return phrase("{winner} wins against {other}", **facts)
