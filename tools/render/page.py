"""The page of a game: one file for stepping through it, which loads nothing else.

It contains the turns as a document, once for each point of view, which can be read without the script. The tables of
the steps are stored as the changes from one step to the next.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

from ...notation.basics import (
    ACTION_CARDS,
    CARD_LETTERS,
    GROUP_LETTERS,
    PHILOSOPHER,
    SIDE_LETTERS,
    TIE,
    dataclass,
    visible,
)
from ...notation.language import CARDS, GROUPS, PLAYERS, Messages, labelled, phrase
from ...notation.records import token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import Glyph, glyph
from ...replay.engine.api import TURNED_UP, Ballot
from ...replay.knowledge.api import VIEWER_NAMES
from ...replay.rules.api import Device
from ...replay.story.api import (
    ANNOTATION_KINDS,
    PLAYED,
    SET_UP,
    Annotation,
    Entry,
    Event,
    Remark,
    SceneCard,
    Timeline,
    ahead,
    vote_scene,
    watchers,
)
from ...replay.story.votes import VoteTree
from ...replay.words.api import (
    ballot_line,
    description_of,
    devices,
    event_parts,
    event_sentence,
    outcome_name,
    outcome_words,
    percents,
)
from ...replay.words.votes import vote_answers, vote_headline, vote_outline, vote_words
from . import symbols
from .page_insight import Insight, MarkedDecision
from .page_steps import COLUMNS, PageStep, TablePart, flat, names, page_steps, patches, score_part, standing_part, whole
from .page_what_if import WhatIf, alternative_lines, choices, squeezed, what_if_data
from .picture import ACTION_LETTERS, Drawing
from .symbols import card_marks, patrician
from .synopsis import SEEN_BY, occasion, outcome, player, seen_by, title
from .templating import LOOK, as_data, asset, plain, sealed, template, unfilled
from .timeline_text import title as headline
from .vote_graph import indented, path_rows
from .vote_picture import blocks, drawn_blocks, used

if TYPE_CHECKING:
    from markupsafe import Markup

    from ..repair.api import LikelyRepairs
    from .page_repairs import RepairBlock


STYLES: Final = ("picture.css", "symbols.css", "page.css", "table.css", "vote.css", "what_if.css")
SCRIPTS: Final = ("table.js", "page.js", "page_table.js", "page_show.js", "what_if.js", "page_start.js")
_LABELS: Final[Messages] = {"arbiter": "Arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra", "table": "Spectator"}
_SAYS: Final[Messages] = {
    "miss": "This game has no moment {moment}.", "start": "Start", "before": "The table before the first turn.",
    "turned": "{vote}: the cards are turned up", "end": "The end of the turn",
    "why": "Why, and what else could have come", "play": "Play", "stop": "Stop", "speed": "Speed: {speed} ×",
    "gone": "{card}, discarded", "won": "won", "tie": "tie", "on": "{player} goes on", "next": "{player} to move",
    "guess": "Your guess: {move}.", "right": "So it was played.", "wrong": "{move} in the game.",
    "subject": "{player} {action}", "tried": "What if", "tries": "What if ({at} of {count})", "kind-": "Exchange",
    "kind+": "Draw", "kindm": "Missions", "kind*": "Special votes", "kindv": "Or else", "kind/": "Or else",
    "kind(": "Face down", "kind": "Face up", "ways": "{count} ways",
    "chance": "{player}’s chance in a vote there, by what they can know",
    "gain": "percentage points more than before", "played": "was played",
    "unknown": "No percents: what {player} saw does not add up in the record.", "card": "a card",
    "as": "{move} (as it was played)", "label": "{label}: {text}",
}  # fmt: skip
"""What the scripts of the page say; they fill in the fields."""


@dataclass(frozen=True)
class PageBallot:
    """The outcome of a vote in the row of its turn: the symbol of the patrician, the winner, both sums, the symbol of
    the philosopher that turned it, and words.
    """

    token: str
    winner: int
    sums: str
    turner: str
    words: str


@dataclass(frozen=True)
class OddsPart:
    """A part of a bar: whose it is (a side or TIE), its name, start and width in percent, and its share in words."""

    winner: int
    name: str
    start: float
    width: float
    words: str


@dataclass(frozen=True)
class PageAlternative:
    """A turn that could have been played, or one that continues it, with the address and words of each event."""

    entry: Entry
    goes_on: bool
    events: Sequence[tuple[str, str]]
    remarks: Sequence[Remark]


@dataclass(frozen=True)
class PageCard:
    """A card in the scene of a vote, with its letter, its symbol, and what to say about it."""

    card: SceneCard
    letter: str
    symbol: str
    words: str


def page(
    views: Sequence[Timeline],
    trees: Sequence[VoteTree],
    repairs: LikelyRepairs | None = None,
    what_ifs: Sequence[WhatIf] = (),
    judged: Sequence[Insight | None] = (),
    records: Sequence[str] = (),
    home: tuple[str, str] | None = None,
) -> str:
    """Return the page of a game in HTML, for the points of view in ``views``; it opens with the first.

    The timelines must be of the same game; ``trees`` are the decision trees of its votes from the first point of view,
    ``repairs`` are the repairs of a broken game. Repairs are shown only to the record's own point of view. ``what_ifs``
    are the decisions as each of ``views`` knows them, ``judged`` is for each what a report says about the sides that it
    sees, ``records`` has the record that each may save, and ``home`` is the address and name of the site that the page
    belongs to. Everything for views other than the first is compressed. Anything hidden from all of ``views`` is
    not in the page.
    """
    first, all_steps, tables = views[0], [*map(page_steps, views)], []
    shown: list[PageView] = []
    all_seen = [[view.table(step.state) for step in steps] for view, steps in zip(views, all_steps, strict=True)]
    known = zip(views, all_steps, all_seen, what_ifs or [WhatIf()] * len(views), strict=True)
    votes, options = page_votes(first, all_steps[0], trees), what_if_data(known)
    for number, (timeline, steps, seen) in enumerate(zip(views, all_steps, all_seen, strict=True)):
        worth = [(standing_part(timeline, step.state), score_part(timeline, step.state)) for step in steps]
        tables.append([(*flat(table), *parts) for table, parts in zip(seen, worth, strict=True)])
        insight = judged[number] if judged else None
        marked = _offered(insight, steps, options["views"][number]["decisions"])
        shown.append(PageView(timeline, steps, Drawing(timeline, steps, seen), repairs, insight, marked))
    players = [plain(player(first, side)) for side in (0, 1)]
    contents = [*map(_view_data, tables, options["views"], records or [""] * len(views))]
    for view, data in zip(shown[1:], contents[1:], strict=True):
        data["parts"] = _parts_of(view, players, has_trees=bool(trees), is_judged=bool(judged))
    return template("page.html.j2").render(
        home=home,
        views=shown,
        view_labels=_LABELS,
        seen_by=seen_by,
        viewer=phrase(SEEN_BY[first.view]),
        has_options=any(tree.instead for tree in trees),
        votes=votes,
        trees=trees,
        table=whole(tables[0][0]),
        title=title(first),
        occasion=occasion(first),
        players=players,
        scored=_scored(tables),
        actions=", ".join(
            [phrase("{letter} is {card.a}", letter=CARD_LETTERS[card], card=CARDS[card]) for card in ACTION_CARDS]
        ),
        devices=devices(first.edition.device),
        headers=first.headers,
        is_judged=bool(judged),
        kinds=_kinds(views),
        data=_data(first, all_steps[0], shown, contents[0]),
        others=squeezed(contents[1:]) if contents[1:] else "",
        packed=squeezed(options) if any(view["decisions"] or view["lines"] for view in options["views"]) else "",
        pictures=squeezed([drawn_blocks(vote.blocks) for vote in votes if vote.tree]) if trees else "",
        legend=symbols.legend(first.edition),
        sheet=symbols.sheet(symbols.table_symbols(first.edition)),
        **sealed((*STYLES, "analysis_chart.css") if judged else STYLES, SCRIPTS),
    )


def _offered(
    insight: Insight | None, steps: Sequence[PageStep], decisions: Sequence[list[Any]]
) -> dict[str, list[MarkedDecision]]:
    """Return the marked decisions of a report by their addresses. An address for trying a move is left out if the move
    is not among the options of ``decisions``.
    """
    moves = {f"#{steps[row[0]].address}/{option[1]}" for row in decisions for option in row[4]}
    found: dict[str, list[MarkedDecision]] = defaultdict(list)
    for each in chain.from_iterable(side.marked for side in (insight.sides if insight else ())):
        tried = each if each.trial in moves else replace(each, trial="")
        found[each.href.removeprefix("#")].append(tried)
    return found


def _view_data(tables: list[tuple[TablePart, ...]], options: dict[str, Any], record: str) -> dict[str, Any]:
    """Return what the script needs for a point of view: what each step changes, the decisions, and the record."""
    return {"patches": patches(tables), "choices": choices(options), "record": record}


def _parts_of(view: PageView, players: Sequence[str], *, has_trees: bool, is_judged: bool) -> str:
    """Return in HTML what the page shows for a point of view besides the tables."""
    parts: Any = template("page_view.html.j2").module
    made = [parts.turns(view, False, has_trees), parts.picture(view)]
    return "".join(map(str, [*made, parts.course(view), parts.played(view, players)] if is_judged else made))


def _scored(tables: Sequence[list[tuple[TablePart, ...]]]) -> list[tuple[str, str]]:
    """Return the columns of the final score by key, with their words; the one for rulings is left out if none took
    points.

    There are no columns if the game is not over.
    """
    ends = [steps[-1][-1] for steps in tables]
    return [
        (key, phrase(words))
        for key, words in COLUMNS.items()
        if any(end[f"{key}.{side}"] for end in ends for side in (0, 1))
    ]


class PageView:
    """What the page shows from a point of view, for the template. ``insight`` is what a report says there, ``marked``
    has the marked decisions by their addresses.
    """

    def __init__(
        self,
        timeline: Timeline,
        steps: Sequence[PageStep],
        drawing: Drawing,
        repairs: LikelyRepairs | None,
        insight: Insight | None,
        marked: dict[str, list[MarkedDecision]],
    ) -> None:
        self.timeline, self.drawing, self.insight, self.marked = timeline, drawing, insight, marked
        self.outcome, self.repairs = outcome(timeline), _repairs(repairs, timeline)
        self.preface, self.epilogue = _joined(timeline.preface), _joined(timeline.epilogue)
        self.numbers = {step.address: number for number, step in enumerate(steps)}
        self.last = {step.entry: number for number, step in enumerate(steps)}
        self.watching = watchers(timeline.view) if timeline.expecting else ()
        votes = count(1)
        self.lines = [PageLine(self, place, name, votes) for place, name in enumerate(names(timeline))]


def _repairs(repairs: LikelyRepairs | None, timeline: Timeline) -> RepairBlock | None:
    """Return the repairs of a game for the template; None if there are none or ``timeline`` may not show them."""
    if repairs is None or repairs.view != timeline.view:
        return None
    from .page_repairs import RepairBlock  # late: most games are not broken

    return RepairBlock(repairs, timeline)


class PageLine:
    """A turn line, and what is in its row: glyphs, cards, votes or a card for no vote, and the points after it."""

    def __init__(self, view: PageView, place: int, name: str, votes: Iterator[int]) -> None:
        """Make the line of the entry at a ``place``; ``votes`` counts the votes of the game."""
        timeline, entry = view.timeline, view.timeline.entries[place]
        self.entry, self.address = entry, name
        self.status = "" if entry.status == PLAYED else phrase(entry.status)
        self.marks, self.signs = _marks(entry, view.marked), [*_signs(entry)]
        self.ballots = [_ballot(event.ballot) for event in entry.events if event.ballot]
        self.blank = _blank(entry, timeline.edition.device)
        first = entry.events[0] if entry.events and entry.events[0].at == 0 else None
        self.done = description_of(first).words if first and not first.ballot else ""
        self.points = "–".join(map(str, timeline.points(entry.state))) if entry.state and entry.events else ""
        self.step = view.last.get(place, -1) if entry.status != SET_UP else -1
        """The step that shows the table after it, or -1."""
        self.end = name in view.numbers
        """Whether that step is the line's own rather than the last event's."""
        self.before = _joined([remark for remark in entry.remarks if remark.at == 0])
        self.events = [PageEvent(view, entry, event, f"{name}.{event.at + 1}", votes) for event in entry.events]
        self.judged, self.alternatives = view.marked.get(name, []), [*_alternatives(entry, name)]
        self.notes, remarks = _beside(entry)
        self.remarks = _joined(remarks)
        self.breaks = entry.label == timeline.stopped and entry.status in (PLAYED, SET_UP)


def _signs(entry: Entry) -> Iterator[tuple[str, tuple[int, int], bool]]:
    """Yield the cards of a turn as symbols, with where they were played, their size, and whether a card was vetoed."""
    played = [(event.at, event.kind, event.vetoed) for event in entry.events]
    if entry.status == SET_UP:
        played = [(at, "", False) for at in range(len(entry.tokens))]
    for at, kind, vetoed in played:
        token = entry.tokens[at]
        groups = [GROUP_LETTERS[group] for group in t.groups_of(token)]
        if isinstance(token, t.Place):
            drawn = symbols.card(entry.side, token_text(token).removesuffix(groups[0]))
        elif letter := ACTION_LETTERS.get(kind):
            drawn = symbols.card(1 - entry.side if kind == "veto" else entry.side, letter)
        else:
            continue
        yield drawn, symbols.CARD_SIZE, vetoed
        for group in groups:
            yield patrician(group), symbols.TOKEN_SIZE, False


def _blank(entry: Entry, device: Device) -> tuple[str, str] | None:
    """Return the bust or vote card for the row of a turn without a vote: its symbol and its name."""
    shown = next((token for token in entry.tokens[: len(entry.events)] if isinstance(token, t.NoVote)), None)
    letter = "r" if shown and shown.reset else "o"
    return (symbols.device(device, letter), symbols.device_title(device, letter)) if shown else None


def _ballot(ballot: Ballot) -> PageBallot:
    """Return the outcome of a vote for the row of its turn."""
    sums = ":".join(str(sum(column)) for column in ballot.columns)
    token, turner = patrician(GROUP_LETTERS[ballot.group]), _turner(ballot.outcome.lower_wins, ballot.columns)
    return PageBallot(token, ballot.outcome.winner, sums, turner, ballot_line(ballot))


def _marks(entry: Entry, judged: dict[str, list[MarkedDecision]]) -> dict[str, list[Glyph]]:
    """Return the signs for the row of a turn: the annotator's, and the worst mark that the engine found."""
    found = [each.mark for name in judged if name.split(".")[0] == entry.label for each in judged[name]]
    worst = sorted(found, key=lambda mark: ("!", "?!", "?", "??").index(mark.sign))[-1:]
    own = [mark for mark in map(glyph, entry.marks) if len(mark.sign) < 3]
    said = ("annotator", phrase("annotator"), own), ("engine", phrase("engine"), worst)
    return {
        who: [one._replace(meaning=labelled(name, one.meaning)) for one in marks] for who, name, marks in said if marks
    }


def _beside(entry: Entry) -> tuple[list[Annotation], list[Remark]]:
    """Return the annotations and remarks on a turn line that are neither at nor before one of its events."""
    done = {event.at for event in entry.events}
    beside = {0, *[at + 1 for at in done]}
    by_events = "alternative" if entry.alternatives else ""
    return (
        [annotation for annotation in entry.annotations if annotation.at not in done],
        [remark for remark in entry.remarks if remark.at not in beside and remark.kind != by_events],
    )


class PageEvent:
    """An event of a turn; it names the player if the words of the event don't.

    For a vote, the outcome is separate from the cards; it has the address of the step in which they are turned up
    (``first``), its number (otherwise 0), and bars for the odds of each of those who watch.
    """

    def __init__(self, view: PageView, entry: Entry, event: Event, address: str, votes: Iterator[int]) -> None:
        self.address, self.step = address, view.numbers[address]
        self.words, self.outcome = map(visible, event_parts(event, entry.player))
        self.vote, self.first = (next(votes), address + TURNED_UP) if event.ballot else (0, address)
        self.odds, self.judged = odds_bars(event, view.watching), view.marked.get(address, [])
        self.notes = [annotation for annotation in entry.annotations if annotation.at == event.at]
        self.comments = _joined([remark for remark in entry.remarks if remark.at == event.at + 1])


def _alternatives(entry: Entry, name: str) -> Iterator[PageAlternative]:
    """Yield, for the template, the turns that could have been played."""
    for address, line in alternative_lines(entry, name).items():
        number = count(1)
        for other in line:
            said = [visible(event_sentence(event, other.player)) for event in other.events]
            events = [(f"{address}.{next(number)}", words) for words in said]
            yield PageAlternative(other, other is not line[0], events, _joined(other.remarks))


def _joined(remarks: Iterable[Remark]) -> list[Remark]:
    """Return remarks, joining comments on successive lines as they were meant to be read."""
    joined: list[Remark] = []
    for remark in remarks:
        last = joined[-1] if joined else None
        if last and remark.kind == last.kind == "comment" and not (remark.in_line or last.in_line):
            joined[-1] = last._replace(text=f"{last.text} {remark.text}")
        else:
            joined.append(remark)
    return joined


def _kinds(views: Sequence[Timeline]) -> list[tuple[str, str, int]]:
    """Return the kinds of annotations that occur, in the order of the registry: name, words, and the largest number."""
    most: Counter[str] = Counter()
    for timeline in views:
        most |= Counter(annotation.kind for entry in timeline.entries for annotation in entry.annotations)
    return [(kind, phrase(words), most[kind]) for kind, words in ANNOTATION_KINDS.items() if most[kind]]


def _data(timeline: Timeline, steps: Sequence[PageStep], shown: Sequence[PageView], content: dict[str, Any]) -> Markup:
    """Return what the script needs, as JSON: steps, their turns, and what each changes for the first point of view."""
    views = [{"name": view.timeline.view, "seen": phrase(SEEN_BY[view.timeline.view])} for view in shown]
    table = symbols.table_data(timeline.edition)
    data: dict[str, Any] = {
        **table,
        "says": table["says"] | {key: unfilled(words) for key, words in _SAYS.items()},
        "players": [player.name for player in PLAYERS],
        "steps": [step.address for step in steps],
        "turns": [-1 if step.entry is None else step.entry for step in steps],
        "names": names(timeline),
        "xs": _cursors(steps, shown[0].drawing.xs),
        "votes": [number for number, step in enumerate(steps) if step.is_vote],
        "where": [_where(timeline, step) for step in steps],
        "views": [views[0] | content, *views[1:]],
    }
    return as_data(data)


def _where(timeline: Timeline, step: PageStep) -> str:
    """Return the letters of the groups at which a step happens."""
    if step.entry is None or step.event is None:
        return ""
    entry = timeline.entries[step.entry]
    return "".join([GROUP_LETTERS[group] for group in t.groups_of(entry.tokens[entry.events[step.event].at])])


def _cursors(steps: Sequence[PageStep], xs: Iterable[float]) -> list[float]:
    """Return where the cursor is in the picture at each step; both steps of a vote have the same place."""
    places, found = iter(xs), []
    for number in range(len(steps)):
        found.append(found[-1] if number and steps[number - 1].is_vote else next(places))
    return found


class PageVote:
    """A vote: its scene, the symbols of the patrician and of the philosopher that turned it, the cards of both sides;
    and, if it has a tree, the blocks of its picture and the same in lines.
    """

    def __init__(self, number: int, entry: Entry, event: Event, address: str, tree: VoteTree | None) -> None:
        self.number, self.turn, self.address, self.tree = number, entry.label, address, tree
        scene = self.scene = vote_scene(event)
        self.said = vote_words(scene)
        self.group, self.token = GROUPS[scene.group].bare, patrician(GROUP_LETTERS[scene.group])
        self.turner = _turner(scene.is_turned, [[each.card for each in column] for column in scene.columns])
        self.result = phrase("nobody wins") if scene.winner == TIE else outcome_words(scene.winner)
        self.columns = [
            [_card(card, side) for card in column] for side, column in zip("RE", scene.columns, strict=True)
        ]
        self.blocks, self.answers = (blocks(tree), vote_answers(tree)) if tree else ([], ())
        self.headline = vote_headline(tree) if tree else ""
        self.outline = indented(path_rows(vote_outline(tree))) if tree else []


def page_votes(timeline: Timeline, steps: Sequence[PageStep], trees: Sequence[VoteTree]) -> list[PageVote]:
    """Return the votes in order for the template, with their trees if there are any."""
    votes: list[PageVote] = []
    grown = {tree.number: tree for tree in trees}
    for number, step in enumerate([step for step in steps if step.is_vote], start=1):
        assert step.entry is not None
        assert step.event is not None
        entry = timeline.entries[step.entry]
        votes.append(PageVote(number, entry, entry.events[step.event], step.address, grown.get(number)))
    return votes


def _turner(lower_wins: bool, columns: Sequence[Sequence[int]]) -> str:
    """Return the symbol of the philosopher that turned a vote; empty if none did."""
    side = ahead(*[column.count(PHILOSOPHER) for column in columns])
    # A record can give the vote to the lower sum though no philosopher, or as many on both sides, lie there.
    return _symbol(SIDE_LETTERS[side], PHILOSOPHER) if lower_wins and side != TIE else ""


def _symbol(side: str, card: int) -> str:
    """Return the symbol of a card of ``R`` or ``E`` that lies face up."""
    return side + card_marks()[CARD_LETTERS[card]]


def _card(card: SceneCard, side: str) -> PageCard:
    """Return a card in a scene for the template."""
    said = [*[phrase("was face down")] * card.turned, *[phrase("is discarded")] * card.gone]
    words = ", ".join([CARDS[card.card].name, *said])
    return PageCard(card, CARD_LETTERS[card.card], _symbol(side, card.card), words)


def odds_bars(event: Event, watching: Sequence[str]) -> list[tuple[str, list[OddsPart]]]:
    """Return the odds of a vote as bars: for whom, and the parts from left to right.

    Those of ``watching`` without odds get no parts; those for whom nothing was undecided get no bar.
    """
    if not event.ballot:
        return []
    known = {expectation.view: expectation for expectation in event.odds}
    return [
        (phrase(VIEWER_NAMES[view]), [*_parts(known[view].outlook.wins)] if view in known else [])
        for view in watching
        if view not in known or not known[view].certain
    ]


def _parts(wins: Sequence[Fraction]) -> Iterator[OddsPart]:
    """Yield the parts of a bar in percent: Rome's from the left, then the tie's, and Egypt's to the right end."""
    start, words = 0.0, percents(wins)
    for winner in (0, 2, 1):
        if wins[winner]:
            width = round(100 * float(wins[winner]), 1)
            yield OddsPart(winner, outcome_name(winner), round(start, 1), width, words[winner])
            start += width


def votes_page(timeline: Timeline, trees: Sequence[VoteTree], files: Sequence[str]) -> str:
    """Return an HTML page that shows the votes of a game, whose pictures are files beside it, and contains each tree.

    ``files`` are the names of these files in the page's folder.
    """
    from markupsafe import Markup

    votes = [vote for vote in page_votes(timeline, page_steps(timeline), trees) if vote.tree]
    shown = used(block for vote in votes for block in vote.blocks) | {vote.turner for vote in votes} - {""}
    return template("votes.html.j2").render(
        title=visible(headline(timeline)),
        frame=f"{phrase(timeline.edition.title)} · {seen_by(timeline.view)}",
        votes=[
            (vote, file, _why(vote.tree) if vote.tree else "", Markup(drawn_blocks(vote.blocks)))
            for vote, file in zip(votes, files, strict=True)
        ],
        sheet=symbols.sheet(shown),
        style=Markup("".join(map(asset, (LOOK, "symbols.css", "page.css", "table.css", "vote.css", "votes.css")))),
    )


def _why(tree: VoteTree) -> str:
    """Return why a side wins without the higher sum, since that looks like a mistake; empty if it has the higher
    sum.
    """
    if tree.winner == TIE:
        return ""
    if not tree.by_rules:
        return phrase("according to the record")
    ahead = tree.sums[tree.winner] - tree.sums[1 - tree.winner]
    if ahead < 0:
        return phrase("a philosopher: the lower sum wins")
    return phrase("a philosopher alone wins") if ahead == 0 else ""
