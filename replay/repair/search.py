"""The search for repairs: edits at the place of a fault and before it, each proven by a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import combinations, combinations_with_replacement, count, islice
from math import log
from operator import itemgetter
from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME
from ...notation.codes import ANNOUNCED_ONLY, DRAW, decode
from ...notation.packed import Packed
from ...notation.record import BadLine, Movetext, Record, Result, Ruling, Turn
from ...notation.writer import score_text
from ..checking.check import LEGAL, POSSIBLE, Verdict, check
from ..editions.edition import EDITION_NAMES, OPTION_FIELDS, Edition
from ..engine.findings import Run
from ..engine.follow import follow, make_move
from ..engine.headers import Frame, read_headers
from ..engine.opening import openings, set_up
from ..engine.play import apply
from ..engine.result import points_text
from ..rules.moves.listing import list_moves
from ..rules.moves.move_list import MoveList
from ..rules.scoring import score
from ..rules.state import State
from .edits import Edit
from .missing_turn import MOST_TURNS, named, whole_turns
from .rewritings import Vocabulary
from .slips import Slip
from .spelling import meant_turns, meant_words

MOST_EDITS: Final = 3
MOST_MISSING_TURNS: Final = 40
"""Turns that may have been left out of which each is proven."""
MOST_NAMED: Final = 3
"""Ways to name the cards drawn in such a turn that are told one by one."""
MOST_MISSING: Final = 3
"""Cards that a draw may have been of that was left out."""
NEAR: Final = 4
"""How many turns before a fault are tried before those further back."""
BUDGET: Final = 120_000
"""How many candidates are replayed at most, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A record that a few slips would turn into the one that was written, proven legal, or possible for a player's log.

    ``cost`` says how seldom these slips are made: repairs with the same cost are as likely as each other.
    """

    edits: tuple[Edit, ...]
    record: Record
    verdict: Verdict
    cost: float


class Line:
    """A candidate: its record, how it came about, and how far it can be followed."""

    def __init__(self, record: Record, edits: tuple[Edit, ...], cost: float) -> None:
        self.record, self.edits, self.cost = record, edits, cost
        self.turns: Sequence[Turn] = record.turns
        self.packed = packed_of(self.turns)
        self.states: list[State] = []
        """The state before each turn, as far as the line can be followed."""
        self.rest = 0
        """How many tokens are left where it can't be followed any further; 0 where it can be to its end."""


def packed_of(turns: Sequence[Turn]) -> Packed:
    """Return turns as codes. Lines that follow a turn are left out, unless they are rulings."""
    packed = Packed()
    for turn in turns:
        packed.add(turn.number, turn.side, turn.codes, 0, any(isinstance(line, Ruling) for line in turn.after))
    return packed


class Search:
    """The search for repairs of one record."""

    def __init__(self, record: Record, frame: Frame, edition: Edition, budget: int) -> None:
        self.frame, self.edition, self.budget = frame, edition, budget
        self.vocabulary = Vocabulary(edition, frame.view)
        self.record = record
        self.repairs: dict[tuple[object, ...], Repair] = {}
        self.heap: list[tuple[float, int, Line, bool]] = []
        self.depth = MOST_EDITS
        self.order = count()
        self.moves = MoveList()

    def run(self) -> list[Repair]:
        """Return the repairs that were found, the likeliest first."""
        root = Line(self.record, (), 0.0)
        self.follow_from(root, None)
        self.other_rules()
        self.other_openings(root)
        if root.states and not root.rest:
            self.arrive(root, self.end)
        heappush(self.heap, (0.0, next(self.order), root, False))
        while self.heap and self.budget > 0:
            weight, _, line, whole = heappop(self.heap)
            best = min((repair.cost for repair in self.repairs.values()), default=None)
            if best is not None and line.edits and len(line.edits) >= self.depth:
                break
            if line.edits and not line.states:
                self.follow_from(line, None)
            last = len(line.states) - 1
            if whole:
                self.expand(line, range(last - NEAR, -1, -1))
            else:
                self.expand(line, range(last, max(-1, last - NEAR), -1))
                heappush(self.heap, (weight + (2.0 if line.edits else 0.0), next(self.order), line, True))
        return sorted(self.repairs.values(), key=lambda repair: repair.cost)

    def follow_from(self, line: Line, begun: State | None) -> None:
        """Follow a line from its set-up, keeping the state before each turn."""
        state = begun or self.begin(line.record)
        lead = len(openings(line.packed))
        line.states = []
        if state is None:
            line.rest = sum(len(turn.tokens) for turn in line.turns)
            return
        place = lead
        while place < len(line.turns):
            line.states.append(state.copy())
            one = packed_of(line.turns[place : place + 1])
            stop, at, _ = follow(state, one, 0)
            if not stop:
                line.rest = max(1, rest_of(line.turns, place) - at)
                return
            place += 1
        line.rest = 0
        self.end = state

    def begin(self, record: Record) -> State | None:
        """Return the state after the set-up; None where something is wrong with it."""
        run = Run(self.edition)
        turns = Movetext.of(record.turns)
        lines = openings(turns.packed)
        set_up(run, self.frame, record, turns, lines)
        return None if run.stopped or run.findings or run.state is None else run.state

    # ------------------------------------------------------------------------------------------------ expanding

    def expand(self, line: Line, places: range) -> None:
        """Try every edit of a line at some of the turns that can be followed."""
        lead = len(openings(line.packed))
        for place in places:
            state = line.states[place]
            self.try_missing_turn(line, lead + place, state)
            for edit in self.edits_at(line, lead + place, state):
                if self.budget <= 0:
                    return
                self.try_edit(line, edit, state, lead)

    def try_edit(self, line: Line, edit: Edit, before: State, lead: int) -> None:
        """Follow a line with an edit; keep it where it gets further than without."""
        self.budget -= 1
        state = before.copy()
        new = packed_of(edit.turns)
        stop, at, _ = follow(state, new, 0)
        if stop < len(edit.turns):
            rest = rest_of(edit.turns, stop) - at + rest_of(line.turns, edit.end)
        else:
            stop, at, _ = follow(state, line.packed, edit.end)
            rest = max(1, rest_of(line.turns, stop) - at) if stop < len(line.turns) else 0
        if rest and rest >= line.rest:
            return
        if not rest and not line.rest and not self.fits(line.record, state):
            return
        cost = line.cost + edit.cost
        child = Line(edit.apply(line.record), (*line.edits, edit), cost)
        child.rest = rest
        if not rest:
            self.arrive(child, state)
            return
        if len(child.edits) < MOST_EDITS:
            weight = cost + 6.0 * rest / max(1, line.rest)
            heappush(self.heap, (weight, next(self.order), child, False))

    def try_missing_turn(self, line: Line, place: int, state: State) -> None:
        """Try the turns that may have been left out before one that was not due."""
        turn = line.turns[place]
        if (turn.number, turn.side) == (state.number, state.active) or state.over or line.edits:
            return
        for with_action in (False, True):
            found: list[tuple[int, Turn]] = []
            tried = 0
            for tokens in islice(whole_turns(state, with_action), MOST_TURNS):
                tried += 1
                self.budget -= 1
                new = Turn(state.number, state.active, tokens)
                after = state.copy()
                if not follow(after, packed_of((new,)), 0)[0]:
                    continue
                stop, at, _ = follow(after, line.packed, place)
                rest = max(1, rest_of(line.turns, stop) - at) if stop < len(line.turns) else 0
                if not rest and not self.fits(line.record, after):
                    rest = 1
                if rest < line.rest:
                    found.append((rest, new))
            found.sort(key=itemgetter(0))
            cost = Slip.TURN_OMITTED.cost + log(max(1, tried)) / 2 + with_action
            for rest, new in found[:MOST_MISSING_TURNS]:
                edit = Edit(Slip.TURN_OMITTED, cost, place, place, (new,))
                child = Line(edit.apply(line.record), (*line.edits, edit), line.cost + cost)
                child.rest = rest
                if rest:
                    heappush(self.heap, (child.cost + 6.0 * rest / line.rest, next(self.order), child, False))
                else:
                    self.prove_named(child, place, state)
            if self.repairs:
                return

    def prove_named(self, line: Line, place: int, state: State) -> None:
        """Prove a line with a turn of which nobody knows the cards drawn; name them where few can be meant."""
        turn = line.turns[place]
        at = next((at for at, token in enumerate(turn.tokens) if isinstance(token, t.Draw)), None)
        ways: list[Line] = []
        if at is not None:
            before = state.copy()
            for token in turn.tokens[:at]:
                apply(before, token)
            for draw in named(turn.tokens[at], before):  # type: ignore[arg-type]
                self.budget -= 1
                new = replace(turn, tokens=(*turn.tokens[:at], draw, *turn.tokens[at + 1 :]))
                after = state.copy()
                if follow(after, packed_of((new,)), 0)[0] and follow(after, line.packed, place + 1)[0] == len(line.turns):
                    if self.fits(line.record, after):
                        edit = replace(line.edits[-1], turns=(new,))
                        way = Line(edit.apply(self.record), (*line.edits[:-1], edit), line.cost)
                        ways.append(way)
                        if len(ways) > MOST_NAMED:
                            break
        if not 0 < len(ways) <= MOST_NAMED:
            ways = [line]
        for way in ways:
            self.prove(way)

    def fits(self, record: Record, state: State) -> bool:
        """Return whether the points of a record are those of a state at its end, as far as missions are known."""
        line = record.result
        if line is None or line.points is None or not state.over:
            return True
        sides = score(state, line.verdicts, state.penalties).sides
        mission = self.edition.mission_points
        return all(
            points == side.points or points in side.possible_points(mission)
            for points, side in zip(line.points, sides, strict=True)
        )

    def arrive(self, line: Line, state: State) -> None:
        """Prove a line that can be followed to its end, if need be with another result."""
        if self.fits(line.record, state):
            self.prove(line)
            if line.edits:
                return
        record = line.record
        points = score(state, record.result.verdicts if record.result else (), state.penalties).points
        if not state.over or len(line.edits) == MOST_EDITS:
            return
        for winner in (None, ROME, EGYPT):
            new = Result(points) if record.result is None else replace(record.result, points=points, winner=winner)
            if new != record.result:
                cost = Slip.RESULT.cost
                headers = record.headers
                if record.header("Result").partition(">")[0] not in ("", "?", "*", points_text(points)):
                    cost += log(4)
                    headers = tuple(
                        (name, score_text(new) if name == "Result" else value) for name, value in record.headers
                    )
                end = len(record.turns)
                edit = Edit(Slip.RESULT, cost, end, end, headers=headers, result=new)
                if self.prove(Line(edit.apply(record), (*line.edits, edit), line.cost + cost)):
                    return

    def other_rules(self) -> None:
        """Try the rule sets and readings that the record does not name."""
        record = self.record
        named = [("Rules", name) for name in EDITION_NAMES if name != self.edition.name]
        options = [
            ("Rulings", f"{option}={value}")
            for option, values in self.edition.options.items()
            for value in values
            if value != str(getattr(self.edition, OPTION_FIELDS.get(option, option)).value)
        ]
        for name, value in (*named, *options):
            headers = tuple(header for header in record.headers if header[0] != name or name == "Rulings")
            edit = Edit(Slip.RULES, Slip.RULES.cost + log(len(named)), 0, 0, headers=(*headers, (name, value)))
            self.budget -= 1
            self.prove(Line(edit.apply(record), (edit,), edit.cost))

    def other_openings(self, line: Line) -> None:
        """Try edits of the set-up lines."""
        for place in sorted(openings(line.packed).values()):
            turn = line.turns[place]
            tokens = turn.tokens
            placed = [(at, token) for at, token in enumerate(tokens) if isinstance(token, t.Place)]
            for (at, one), (other_at, other) in combinations(placed, 2):
                changed = list(tokens)
                changed[at], changed[other_at] = replace(one, card=other.card), replace(other, card=one.card)
                self.try_opening(line, self.edit(place, turn, tuple(changed), Slip.SETUP, Slip.SETUP.cost + log(20), at))
            for at, token in enumerate(tokens):
                for other, slip, cost in self.vocabulary.rewritings(token):
                    self.try_opening(line, self.edit(place, turn, (*tokens[:at], other, *tokens[at + 1 :]), slip, cost, at))

    def try_opening(self, line: Line, edit: Edit) -> None:
        """Follow a line with an edit of its set-up; keep it where it gets further than without."""
        self.budget -= 1
        child = Line(edit.apply(line.record), (*line.edits, edit), line.cost + edit.cost)
        self.follow_from(child, None)
        if not child.rest:
            self.arrive(child, self.end)
        elif child.rest < line.rest and len(child.edits) < MOST_EDITS:
            heappush(self.heap, (child.cost + 6.0 * child.rest / max(1, line.rest), next(self.order), child, False))

    def prove(self, line: Line) -> bool:
        """Keep a line as a repair if a check finds it legal, or possible; return whether it does."""
        verdict = check(line.record)
        if verdict.verdict in (LEGAL, POSSIBLE):
            key = (tuple((turn.number, turn.side, plain(turn.tokens)) for turn in line.turns), line.record.headers)
            known = self.repairs.get(key)
            self.depth = min(self.depth, len(line.edits))
            if known is None or line.cost < known.cost:
                self.repairs[key] = Repair(line.edits, line.record, verdict, line.cost)
            return True
        return False

    def edits_at(self, line: Line, place: int, state: State) -> Iterator[Edit]:
        """Yield the edits of one turn, with the state before it."""
        turn = line.turns[place]
        tokens = turn.tokens
        for at, token in enumerate(tokens):
            if isinstance(token, t.Unread):
                for other, cost in meant_words(token.text).items():
                    yield self.edit(place, turn, (*tokens[:at], other, *tokens[at + 1 :]), Slip.SPELLING, cost, at)
                continue
            for other, slip, cost in self.vocabulary.rewritings(token):
                yield self.edit(place, turn, (*tokens[:at], other, *tokens[at + 1 :]), slip, cost, at)
        for at in range(len(tokens)):
            doubled = tokens[at] in (tokens[at - 1 : at] + tokens[at + 1 : at + 2])
            slip = Slip.DOUBLED if doubled else Slip.EXTRA
            yield self.edit(place, turn, (*tokens[:at], *tokens[at + 1 :]), slip, slip.cost, at)
            if at:
                swapped = (*tokens[: at - 1], tokens[at], tokens[at - 1], *tokens[at + 1 :])
                yield self.edit(place, turn, swapped, Slip.ORDER, Slip.ORDER.cost, at - 1)
        yield from self.exchanges(place, turn)
        yield from self.insertions(place, turn, state)
        yield from self.lines(line, place, state)

    def edit(self, place: int, turn: Turn, tokens: tuple[t.Token, ...], slip: Slip, cost: float, at: int) -> Edit:
        """Return the edit that gives a turn other tokens."""
        new = Turn(turn.number, turn.side, tokens, turn.marks, turn.notes, turn.after, turn.line)
        return Edit(slip, cost, place, place + 1, (new,), at)

    def exchanges(self, place: int, turn: Turn) -> Iterator[Edit]:
        """Yield the turn with the groups of two of its words exchanged."""
        tokens = turn.tokens
        named = [(at, token) for at, token in enumerate(tokens) if hasattr(token, "group")]
        for number, (at, one) in enumerate(named):
            for other_at, other in named[number + 1 :]:
                if one.group != other.group:  # type: ignore[attr-defined]
                    changed = list(tokens)
                    changed[at] = replace(one, group=other.group)  # type: ignore[attr-defined, call-arg]
                    changed[other_at] = replace(other, group=one.group)  # type: ignore[attr-defined, call-arg]
                    slip = Slip.GROUPS_EXCHANGED
                    yield self.edit(place, turn, tuple(changed), slip, slip.cost, at)

    def insertions(self, place: int, turn: Turn, state: State) -> Iterator[Edit]:
        """Yield the turn with one more word: any that the rules allow there."""
        tokens, state = turn.tokens, state.copy()
        codes = turn.codes
        for at in range(len(tokens) + 1):
            list_moves(state, self.moves, False)
            followed_by_veto = at < len(tokens) and isinstance(tokens[at], t.Veto)
            options = [
                (code & ~ANNOUNCED_ONLY, more)
                for code, more in self.moves.pairs()
                if code and bool(code & ANNOUNCED_ONLY) == followed_by_veto
            ]
            missing = int(state.draw_limit())
            if 1 < missing <= MOST_MISSING and any(code & 15 == DRAW for code, _ in options):
                cards = [decode(code).cards[0] for code, _ in options if code & 15 == DRAW]  # type: ignore[union-attr]
                for drawn in combinations_with_replacement(cards, missing):
                    cost = Slip.OMITTED.cost + log(len(cards)) * missing
                    yield self.edit(place, turn, (*tokens[:at], t.Draw(drawn), *tokens[at:]), Slip.OMITTED, cost, at)
            vetoed = at > 0 and isinstance(tokens[at - 1], t.Action)
            if vetoed:
                for card in (None, *self.vocabulary.cards):
                    cost = Slip.VETO.cost + log(1 + len(self.vocabulary.cards))
                    yield self.edit(place, turn, (*tokens[:at], t.Veto(card), *tokens[at:]), Slip.VETO, cost, at)
            for code, more in options:
                token = decode(code, more)
                cost = Slip.OMITTED.cost + log(len(options))
                yield self.edit(place, turn, (*tokens[:at], token, *tokens[at:]), Slip.OMITTED, cost, at)
            if at == len(tokens):
                return
            one = Packed()
            one.add(turn.number, turn.side, codes[2 * at : 2 * at + 2], 0, False)
            veto = at + 1 < len(tokens) and isinstance(tokens[at + 1], t.Veto)
            code = codes[2 * at]
            if not code & 15:
                return
            try:
                make_move(state, code | (1 << 60 if veto else 0), codes[2 * at + 1])
            except Exception:
                return

    def lines(self, line: Line, place: int, state: State) -> Iterator[Edit]:
        """Yield edits of whole lines: a wrong label, a turn written twice, two turns exchanged."""
        turn, turns = line.turns[place], line.turns
        yield from unread_lines(place, turn)
        if place and not line.turns[place - 1].number:
            yield from unread_lines(place - 1, line.turns[place - 1])
        if (turn.number, turn.side) != (state.number, state.active):
            new = Turn(state.number, state.active, turn.tokens, turn.marks, turn.notes, turn.after, turn.line)
            yield Edit(Slip.LABEL, Slip.LABEL.cost, place, place + 1, (new,))
            yield Edit(Slip.TURN_DOUBLED, Slip.TURN_DOUBLED.cost, place, place + 1, ())
            if place + 1 < len(turns):
                pair = (turns[place + 1], turn)
                yield Edit(Slip.TURN_ORDER, Slip.TURN_ORDER.cost, place, place + 2, pair)


def unread_lines(place: int, turn: Turn) -> Iterator[Edit]:
    """Yield a turn with a line behind it that could not be read as the turn that it may have been."""
    for number, follower in enumerate(turn.after):
        if isinstance(follower, BadLine):
            first = replace(turn, after=turn.after[:number])
            for new, cost in meant_turns(follower.text):
                new = replace(new, after=turn.after[number + 1 :])
                yield Edit(Slip.SPELLING, cost, place, place + 1, (first, new))


def plain(tokens: tuple[t.Token, ...]) -> tuple[t.Token, ...]:
    """Return tokens without what makes no difference: the order of cards drawn, and of cards placed at two groups."""
    joined: list[t.Token] = []
    for token in tokens:
        if isinstance(token, t.Draw):
            before = joined.pop().cards if joined and isinstance(joined[-1], t.Draw) else ()  # type: ignore[union-attr]
            token = t.Draw(tuple(sorted((*before, *token.cards))))
        elif isinstance(token, t.Place) and joined and isinstance(before := joined[-1], t.Place):
            if before.group > token.group:
                joined[-1], token = token, before
        joined.append(token)
    return tuple(joined)


def rest_of(turns: Sequence[Turn], place: int) -> int:
    """Return how many tokens and turns' ends there are from a turn on."""
    return sum(len(turn.codes) // 2 + 1 for turn in turns[place:])


def repairs(record: Record, rules: str = "", budget: int = BUDGET) -> list[Repair]:
    """Return what a record probably should have said, the likeliest first; nothing where it is legal or possible."""
    frame = read_headers(record, rules)
    if frame.edition is None or check(record, rules).verdict in (LEGAL, POSSIBLE):
        return []
    return Search(record, frame, frame.edition, budget).run()
