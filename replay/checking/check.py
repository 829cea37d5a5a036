"""``check``: judges a game's record by its rules, with a verdict and diagnostics that a person can read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ...notation import tokens as t
from ...notation.cards import SIDE_LETTERS
from ...notation.diagnostic import ERROR, NOTE, RULED, WARNING, Diagnostic, Label, Severity
from ...notation.language import CARDS, Messages, clauses, ordinal, phrase
from ...notation.movetext import Movetext
from ...notation.reader import Game, as_game
from ...notation.record import ASIDE, Record, Turn
from ...notation.source import Span
from ...notation.writer import CARD_HEADERS, token_text
from ..diagnostics.fact_words import Facts, words
from ..diagnostics.registry import CODES, ILLEGAL, LEGAL, NOTHING, POSSIBLE, UNCHECKED, UNREADABLE, Judgement, fill
from ..editions.edition import Edition
from ..engine.findings import AT_END, MAX_FAULTS, Finding, Run
from ..engine.headers import HeaderInfo, header_place, read_headers
from ..engine.places import header_spans, token_span
from ..engine.result import Outcome, final_score, is_as_counted, outcome, result_faults, summary
from ..engine.rulings import is_taken_back, rulings
from ..engine.run import run_record
from ..rules.fault import Fault
from ..rules.layout import HAS_UNKNOWN_CARDS
from ..rules.scoring import Score
from ..rules.state import State

if TYPE_CHECKING:
    from ..knowledge.ledger import CardHistory

_SAID: Final[Messages] = {
    NOTHING: "no game",
    UNCHECKED: "the rule set is unknown",
    "stands": "the arbiter: it stands",
    "back": "the arbiter: taken back",
    "penalty": "the arbiter: it stands, with a penalty",
    "asides": "{count} faults of alternatives are reported; no alternative after this one was judged",
    "faults": "{count} faults of this game are reported; what comes after this one was not judged",
}


class Verdict:
    """The result of a check.

    ``verdict`` is ``legal``; ``possible`` (some identities of the unknown cards make it a legal game, others may not;
    or the game could not be followed further after something that a ruling let stand); ``illegal`` (an error against
    the rules or the record's own claims); ``unreadable`` (parts could not be read); ``unchecked`` (the rule set is not
    known); ``nothing`` (there is no game). ``events`` counts tokens, ``turns`` counts numbered turns. ``state`` is the
    state at the end of the replay, None if there was no set-up to begin from. ``stopped`` is the label of the first
    turn whose cards could not be followed, empty if no turn was left; None if they could be followed to the end.
    ``searched`` is false if not all cards are known and the search for cards that explain the log was stopped: the
    verdict is then ``possible``. ``score``, ``outcome`` and ``summary`` are computed when first used.

    >>> verdict = tironian.check(record)
    >>> verdict.verdict, verdict.score.points
    ('legal', (19, 10))
    """

    def __init__(
        self,
        verdict: Judgement,
        diagnostics: list[Diagnostic] | tuple[Diagnostic, ...],
        record: Record,
        header_info: HeaderInfo,
        run: Run | None = None,
        stopped: str | None = None,
        searched: bool = True,
    ) -> None:
        packed = (record.turns if isinstance(record.turns, Movetext) else Movetext.of(record.turns)).packed
        if isinstance(diagnostics, list):  # a copied verdict has them in order already
            diagnostics.sort(key=lambda diagnostic: (diagnostic.span.line, diagnostic.span.start))
        self.verdict: Judgement = verdict
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self.events: int = len(packed.codes) >> 1
        self.turns: int = packed.turn_count()
        self.edition: Edition | None = run.edition if run else None
        self.state: State | None = run.state if run else None
        self.stopped: str | None = stopped
        self.searched: bool = searched
        self._record: Record = record
        self._frame: HeaderInfo = header_info
        self._run: Run | None = run
        self._outcome: Outcome | None = None
        self._score: Score | None = None
        self._scored: bool = False

    @property
    def score(self) -> Score | None:
        """Return the points at the end of the replay; None if it was not reached."""
        if not self._scored:
            self._score = final_score(self._record, self._run) if self._run else None
            self._scored = True
        return self._score

    @property
    def outcome(self) -> Outcome:
        """Return who won, and how."""
        if self._outcome is None:
            self._outcome = outcome(self._record, self._frame, self._run, self.score)
        return self._outcome

    @property
    def is_won(self) -> bool:
        """Return whether the game is known to be won or drawn."""
        return (self._run is not None and self._run.as_counted) or self.outcome.winner is not None

    @property
    def summary(self) -> str:
        """Return one line such as ``Rome 17, Egypt 13: Rome wins``."""
        if self._run is not None:
            return summary(self.score, self._run, self.outcome)
        return phrase(_SAID[self.verdict]) if self.verdict in (NOTHING, UNCHECKED) else ""

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        ends = self.stopped, self.searched
        return Verdict, (self.verdict, self.diagnostics, self._record, self._frame, self._run, *ends)

    def __eq__(self, other: object) -> bool:
        """Return whether another verdict says the same about the same record."""
        return isinstance(other, Verdict) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.verdict, self.stopped, self.events, self.turns, len(self.diagnostics)))

    def __repr__(self) -> str:
        return f"<{self.verdict}: {self.summary}>"


def check(game: Game | Record, rules: str = "", *, seconds: float = 0.0) -> Verdict:
    """Judge a game by its rules. This never raises: everything wrong is in the verdict's diagnostics.

    ``rules`` names the rule set if the record's headers name none, or an unknown one. Diagnostics give places in the
    text that was read; for a record, in its canonical text. If not all cards are known, it searches for cards that
    explain the log: for at most ``seconds``, and never for more than about half a second.

    >>> tironian.check(record)
    <legal: Rome 19, Egypt 10: Rome wins>
    >>> text = tironian.write(record).replace("=K", "=Q", 1)
    >>> verdict = tironian.check(tironian.parse(text, "game.tiro")[0])
    >>> print(verdict.diagnostics[0])
    game.tiro:14:12 error[C901] Caesar showed 5 3 at the Quaestors, but what lies there is 5
    """
    game = as_game(game)
    if game.mended is not None:
        whole = check(game.mended, rules, seconds=seconds)
        whole.diagnostics = (*game.problems, *whole.diagnostics)
        if not game.readable:
            whole.verdict = UNREADABLE
        return whole
    header_info = read_headers(game.record, rules)
    is_playable = header_info.edition is not None and not (game.problems and game.too_large)
    run = run_record(game.record, header_info) if is_playable else None
    return judged(game, header_info, run, seconds)


def judged(
    game: Game,
    header_info: HeaderInfo,
    run: Run | None,
    seconds: float = 0.0,
    history: Callable[[], CardHistory | None] | None = None,
) -> Verdict:
    """Return the verdict on a game whose headers have been read and that has been run; None if it can't be run.

    ``history`` has the hidden cards as the run met them, if the run was watched for them; otherwise the game is run
    once more.
    """
    record = game.record
    diagnostics = [*game.problems]
    if diagnostics and game.too_large:
        return Verdict(UNREADABLE, diagnostics, record, header_info)
    if header_info.faults:
        diagnostics += _header_diagnostics(game, header_info)
    if run is None:
        return Verdict(NOTHING if game.missing else UNCHECKED, diagnostics, record, header_info)
    if run.findings:
        diagnostics += _turn_diagnostics(game, run)
    run.as_counted = is_as_counted(record, header_info, run)
    if not run.as_counted:
        counted = final_score(record, run)
        came = outcome(record, header_info, run, counted)
        for code, texts in result_faults(record, header_info, run, counted, came):
            diagnostics.append(_result_diagnostics(game, run, code, texts))
    if header_info.view == "arbiter" and _is_blurred(run):
        diagnostics += _unknown_card(game, run)
    verdict: Judgement = LEGAL
    searched = True
    errors = [entry.code[0] for entry in diagnostics if entry.severity == ERROR]
    if errors:
        verdict = UNREADABLE if "N" in errors or _may_be_misread(game, run, diagnostics) else ILLEGAL
    elif _is_blurred(run) or _is_cut_short(run):
        verdict, clash, searched = _card_verdict(game, header_info, run, seconds, history)
        diagnostics += clash
    if verdict == LEGAL and run.stopped:
        verdict = (
            POSSIBLE  # something that a ruling let stand could not be carried out (C909): nothing after it was judged
        )
    return Verdict(
        verdict, diagnostics, record, header_info, run, _stopped(game, run) if run.stopped else None, searched
    )


def _may_be_misread(game: Game, run: Run, diagnostics: list[Diagnostic]) -> bool:
    """Return whether text directly before the first error in a turn, or in that turn, was taken for a remark: it may
    have been a move, so nobody is accused. Its diagnostic then becomes an error.
    """
    first = next((each for each in run.findings if each.severity == ERROR and each.turn is not None), None)
    if first is None or first.turn is None or not game.problems:
        return False
    begin = game.record.turns[first.place - 1].line if first.place > 0 else -1
    for place, problem in enumerate(game.problems):
        if problem.code == ASIDE and begin < problem.span.line <= first.turn.line:
            help_ = phrase("if it was a move, write it as one; if not, {remedy}", remedy=problem.help)
            diagnostics[place] = replace(problem, severity=ERROR, help=help_)
            return True
    return False


def _turn_diagnostics(game: Game, run: Run) -> list[Diagnostic]:
    """Return what is wrong with the turns; if there are too many faults, the last one says so."""
    diagnostics = [_diagnose(game, run, finding) for finding in run.findings]
    if len(run.asides) == MAX_FAULTS:
        last = run.asides[-1]
        diagnostics[last] = replace(diagnostics[last], help=phrase(_SAID["asides"], count=MAX_FAULTS))
    if run.full:
        diagnostics[-1] = replace(diagnostics[-1], help=phrase(_SAID["faults"], count=MAX_FAULTS))
    return diagnostics


def _stopped(game: Game, run: Run) -> str:
    """Return the label of the first turn that was not carried out completely; nothing if every turn was."""
    turns = game.record.turns
    rest = 0
    if run.state is not None:
        turn, at = run.reached
        if turn is not None and at != AT_END:
            return turn.label
        rest = next((place + 1 for place, played in enumerate(turns) if played is turn), 2)
    return next((turn.label for turn in turns[rest:] if not is_taken_back(turn)), "")


# --------------------------------------------------------------------------------------------- making diagnostics


def make_diagnostic(
    code: str, texts: dict[str, Any], game: Game, span: Span, edition: Edition | None = None, **more: Any
) -> Diagnostic:
    """Return a diagnostic of a game from the registry: its templates filled with ``texts``, its rule as ``edition``
    cites it; ``more`` are other fields.
    """
    entry = CODES[code]
    cite = edition.citation(texts.get("field") or entry.rule) if edition else None
    return Diagnostic(
        code,
        fill(entry.message, texts),
        game.source,
        span,
        more.pop("severity", entry.severity),
        fill(entry.here, texts),
        rule=" ".join(cite.points) if cite else "",
        cite=cite.text if cite else "",
        help=fill(entry.help, texts),
        game=game.number,
        **more,
    )


def _diagnose(game: Game, run: Run, finding: Finding) -> Diagnostic:
    if finding.turn is None:
        return _header_diagnostic(game, _header_span(game, "Starts"), finding.fault, run.edition, finding.severity)
    labels = tuple(
        Label(token_span(game.source, trace.turn, trace.at), trace.text) for trace in traces(finding, game.record.turns)
    )
    if finding.severity == RULED:
        labels += tuple(
            Label(Span(line.line, 0, len(game.source.text(line.line))), phrase(_SAID[line.decision]))
            for line in rulings(finding.turn)
        )
    texts = finding.texts
    if due := finding.fault.facts.get("due"):
        texts = {**texts, "remedy": label_slip(finding.turn, due[:2], due[2], game.record.turns)}
    diagnostic = make_diagnostic(
        finding.fault.code,
        texts,
        game,
        token_span(game.source, finding.turn, _place(finding, finding.turn)),
        run.edition,
        severity=finding.severity,
        labels=labels,
        turn=finding.turn.label,
    )
    agreed = run.agreed.get(diagnostic.code) if finding.severity == NOTE else None
    if agreed is None:
        return diagnostic
    rule = CODES[diagnostic.code].house_rule(agreed)
    said = phrase("agreed: {rule} ({message})", rule=rule, message=diagnostic.message)
    return replace(diagnostic, message=said, help="")


def _place(finding: Finding, turn: Turn) -> int | None:
    """Return the token that a finding is about: too few drawn cards show only when the turn goes on without them."""
    if finding.fault.code != "R503":
        return finding.at
    return max((at for at, token in enumerate(turn.tokens) if isinstance(token, t.Draw)), default=finding.at)


# ---------------------------------------------------------------------------------- headers, result, the whole game


def _header_span(game: Game, name: str) -> Span | None:
    """Return where the value of the first header with this name is; None if there is no such header."""
    place = header_place(game.record, name)
    return None if place is None else header_spans(game.source, game.record.headers)[place]


def _header_diagnostic(
    game: Game, span: Span | None, fault: Fault, edition: Edition | None, severity: Severity | None = None
) -> Diagnostic:
    texts = words(fault, None, edition)
    texts["edition"] = fault.facts.get("edition", "")
    if severity is None:
        severity = CODES[fault.code].severity if fault.facts.get("name", "Rules") in CARD_HEADERS else WARNING
    diagnostic = make_diagnostic(fault.code, texts, game, span or Span(0, 0, 0), edition, severity=severity)
    if instead := fault.facts.get("instead"):
        help_ = phrase("write {headers} if the game was played by these rules", headers=f'[Rules "{instead}"]')
        return replace(diagnostic, help=help_)
    value = game.source.text(span.line)[span.start : span.end] if span else ""
    if not value.isascii():
        from ...notation.manglings import look_alike

        return replace(diagnostic, help=clauses(filter(None, (diagnostic.help, look_alike(value)))))
    return diagnostic


def _result_diagnostics(game: Game, run: Run, code: str, texts: dict[str, Any]) -> Diagnostic:
    line = game.record.result
    if code in ("H207", "C906") or line is None:
        name = "Termination" if code == "C906" else "Result"
        span = _header_span(game, name) or Span(max(len(game.source.lines) - 1, 0), 0, 0)
    else:
        text = game.source.text(line.line)
        indent = len(text) - len(text.lstrip())
        span = Span(line.line, indent, indent + len(text.split()[0]) if text.split() else 0)
    return make_diagnostic(code, texts, game, span, run.edition)


def _is_blurred(run: Run) -> bool:
    """Return whether a card of unknown identity has passed through a hand."""
    return run.state is not None and run.state.cells[HAS_UNKNOWN_CARDS] + run.state.cells[HAS_UNKNOWN_CARDS + 1] > 0


def _is_cut_short(run: Run) -> bool:
    """Return whether the cards could be followed only part of the way because the record leaves some out."""
    return run.state is not None and run.stopped and any(finding.fault.code == "C908" for finding in run.findings)


_IN_HAND: Final = (t.FieldType.CARD, t.FieldType.CARDS, t.FieldType.LAID, t.FieldType.DRAWN, t.FieldType.HAND)
"""The types of fields with cards from a hand that not everybody sees."""


@cache
def _names_hand_cards(cls: Any) -> bool:
    """Return whether tokens of a class name cards in a hand."""
    return any(
        part.field_type in _IN_HAND and part.seen_by is not t.Audience.ALL for part in t.field_kinds(cls).values()
    )


def _unknown_card(game: Game, run: Run) -> list[Diagnostic]:
    """Return a warning at the first card of unknown identity; nothing if a ruling made the hands uncertain."""
    for turn in game.record.turns:
        for at, token in enumerate(turn.tokens):
            kind: Any = token.__class__
            cards = token_text(token) if _names_hand_cards(kind) else ""
            if "i" in cards or "a" in cards:
                span = token_span(game.source, turn, at)
                return [make_diagnostic("H208", {}, game, span, run.edition, turn=turn.label)]
    return []


def _card_verdict(
    game: Game, header_info: HeaderInfo, run: Run, seconds: float, history: Callable[[], CardHistory | None] | None
) -> tuple[Judgement, list[Diagnostic], bool]:
    """Return the verdict if not every card is known, what clashes if no cards can explain it, and whether it is
    certain.
    """
    from ..knowledge.verdict import CERTAIN, conflict_fault, conflict_labels, judge_cards

    opinion = judge_cards(game.record, header_info, seconds, history() if history else None)
    conflict, turns = opinion.conflict, game.record.turns
    if conflict is None:
        return LEGAL if opinion.kind == CERTAIN else POSSIBLE, [], opinion.searched
    fault, (place, at) = conflict_fault(conflict, game.record), conflict.tokens[-1].spot
    labels = tuple(
        Label(token_span(game.source, turns[spot[0]], spot[1]), text)
        for spot, text in conflict_labels(conflict, game.record)
    )
    span, texts = token_span(game.source, turns[place], at), words(fault, run.state, run.edition)
    return (
        ILLEGAL,
        [make_diagnostic(fault.code, texts, game, span, run.edition, labels=labels, turn=turns[place].label)],
        True,
    )


def _header_diagnostics(game: Game, header_info: HeaderInfo) -> list[Diagnostic]:
    """Return what is wrong with the headers; a header is not missing if its line could not be read."""
    record = game.record
    if game.problems and not (record.headers or record.turns):
        return []
    spans = header_spans(game.source, record.headers)
    lines = [
        game.source.text(problem.span.line).lower() for problem in game.problems if problem.code in ("N104", ASIDE)
    ]
    unread = tuple([line.lstrip(" \t[") for line in lines])
    diagnostics: list[Diagnostic] = []
    for place, found in header_info.faults:
        if fault := _not_misread(found, unread):
            diagnostics.append(
                _header_diagnostic(game, None if place is None else spans[place], fault, header_info.edition)
            )
    return diagnostics


def _not_misread(fault: Fault, unread: tuple[str, ...]) -> Fault | None:
    """Return a fault without missing headers that begin an ``unread`` line; None if no other header is missing."""
    if not unread or fault.code not in ("H201", "H202"):
        return fault
    names = fault.facts.get("names", ["Rules"])
    missing = [name for name in names if not any(line.startswith(name.lower()) for line in unread)]
    return Fault(fault.code, {**fault.facts, "names": missing}) if missing else None


# --------------------------------------------------------------------------------- places that explain a fault

MAX_TOKENS_BACK: Final = 2_000
"""How many tokens back from a finding to look for an earlier place; a whole game has a few hundred."""


class Trace(NamedTuple):
    """An earlier token and what to say about it; if ``at`` is None, it is the turn's label."""

    turn: Turn
    at: int | None
    text: str


def traces(finding: Finding, turns: Sequence[Turn]) -> list[Trace]:
    """Return the earlier place that matters for a finding, if there is one."""
    cards_here, code, facts = finding.turn, finding.fault.code, finding.fault.facts
    if cards_here is None:
        return []
    if finding.at is None and code in _TURN_BEFORE:
        place = _place_of(cards_here, turns)
        return [Trace(turns[place - 1], None, phrase(_TURN_BEFORE[code]))] if place else []
    if code in _TRACES:
        wanted, text = _TRACES[code]
        for turn, at, token in islice(_before(cards_here, finding.at, turns), MAX_TOKENS_BACK):
            if wanted(facts, cards_here, turn, token):
                card, limit = CARDS[facts.get("card", 0)], ordinal(facts.get("limit", 0))
                return [Trace(turn, at, phrase(text, turn=turn.label, card=card, limit=limit))]
    return []


def _before(cards_here: Turn, at: int | None, turns: Sequence[Turn]) -> Iterator[tuple[Turn, int, t.Token]]:
    """Yield all tokens before a finding, the latest first, each with its turn and index."""
    for before in reversed(range(len(cards_here.tokens) if at == AT_END else (at or 0))):
        yield cards_here, before, cards_here.tokens[before]
    for place in reversed(range(_place_of(cards_here, turns))):
        turn = turns[place]
        for before in reversed(range(len(turn.tokens))):
            yield turn, before, turn.tokens[before]


def _place_of(turn: Turn, turns: Sequence[Turn]) -> int:
    """Return how many turns come before a turn, which may be an alternative and so not among them."""
    return bisect_left(turns, turn.line, key=attrgetter("line"))


def _uses_hand_card(facts: Facts, _here: Turn, turn: Turn, token: t.Token) -> bool:
    owner, card = facts["owner"], facts["card"]
    if isinstance(token, t.Place):
        return turn.side == owner and token.card == card and turn.number > 0
    if isinstance(token, t.Discard):
        return turn.side == owner and card in token.cards
    return isinstance(token, t.Spy) and turn.side != owner and token.card == card


def _touched(facts: Facts, _here: Turn, turn: Turn, token: t.Token) -> bool:
    owner, group = facts["owner"], facts["group"]
    kind = t.KINDS[type(token)]
    if not kind.moves or group not in t.groups_of(token):
        return False
    if any(one is token and isinstance(after, t.Veto) for one, after in pairwise(turn.tokens)):
        return False
    return kind.about is t.Audience.ALL or (kind.about is t.Audience.MOVER) == (turn.side == owner)


def _orders_actions(facts: Facts, _here: Turn, turn: Turn, token: t.Token) -> bool:
    return turn.side == facts["owner"] and isinstance(token, t.ActionOrder)


def _touches_group(*kinds: type[t.Place | t.Vote | t.SpecialVote], own: bool = False) -> Wanted:
    return lambda facts, cards_here, turn, token: (
        isinstance(token, kinds) and token.group == facts["group"] and (not own or turn.side == cards_here.side)
    )


def _same_turn(*kinds: type) -> Wanted:
    return lambda _f, cards_here, turn, token: turn is cards_here and isinstance(token, kinds)


Wanted: TypeAlias = Callable[[Facts, Turn, Turn, t.Token], bool]
"""Decides whether a token is the one to point back to, given a fault's facts, its turn, and the token's turn."""

_TRACES: Final[Messages] = {
    "R202": (_touches_group(t.Vote, t.SpecialVote), "the last patrician was won here, {turn}"),
    "R203": (_uses_hand_card, "the last {card.name} left the hand here, {turn}"),
    "R204": (_touches_group(t.Place, own=True), "the {limit} card was placed here, {turn}"),
    "R205": (_touches_group(t.Place), "the {limit} card was placed here, {turn}"),
    "R207": (_same_turn(t.Place), "the card before it"),
    "R208": (_same_turn(t.Place), "this card"),
    "R210": (_same_turn(t.Place), "the first card"),
    "R211": (_same_turn(t.Place, t.Discard), "contradicts this"),
    "R212": (_same_turn(*t.ACTIONS), "the action"),
    "R301": (_same_turn(*t.ACTIONS), "the first"),
    "R305": (_touches_group(t.Vote, t.SpecialVote), "the vote that last discarded cards there, {turn}"),
    "R406": (_same_turn(t.Vote, t.NoVote), "the first"),
    "R407": (_touches_group(t.Vote), "it was revealed here, {turn}"),
    "R408": (
        lambda _facts, _here, _turn, token: isinstance(token, t.NoVote) and not token.reset,
        "it was revealed here, {turn}",
    ),
    "R409": (_touches_group(t.Vote, t.SpecialVote), "the last patrician was won here, {turn}"),
    "R505": (_orders_actions, "the order that the owner chose"),
    "R604": (_same_turn(t.Discard), "this makes the turn passive"),
    "R801": (_same_turn(object), "this ended the game"),
    "C901": (_touched, "these cards last changed here, {turn}"),
}
"""Code → which earlier token explains it (``Wanted``), and what to say there."""
_TURN_BEFORE: Final[Messages] = {"R607": "the previous turn", "R801": "the last turn"}
"""Code → what to say about the turn before a turn that should not be there."""


def label_slip(turn: Turn, due: tuple[int, int], starter: int, turns: Sequence[Turn]) -> str:
    """Return how a turn that was not ``due`` (number and side) probably came about, judging from the lines around
    it.
    """
    place = _place_of(turn, turns)
    before = turns[place - 1] if place else None
    after = turns[place + 1] if place + 1 < len(turns) else None
    name = f"{due[0]}{SIDE_LETTERS[due[1]]}"
    side = 1 - due[1]
    following = (due[0] + (side == starter), side)
    if before is not None and (before.label, before.tokens) == (turn.label, turn.tokens):
        return phrase("this repeats the previous line: remove one of the two")
    if after is not None and (after.number, after.side) == due and (turn.number, turn.side) == following:
        return phrase("swap this line and the next one")
    if after is not None and (after.number, after.side) == following:
        return phrase("did you mean {label}? The next line is {next}", label=name, next=after.label)
    return phrase("look for {label}, which is missing before this line", label=name)


__all__ = ["Verdict", "check", "make_diagnostic"]
