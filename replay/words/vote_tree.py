"""Votes in words: how one was decided, its tree, and what each side could have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import (
    EGYPT,
    GROUP_NAMES,
    PHILOSOPHER,
    PLAYER_NAMES,
    ROME,
    SIDE_NAMES,
    SIGNS,
    SOME_INFLUENCE,
    TIE,
)
from ...notation.classes import dataclass, need
from ..diagnostics.names import bare_name, capital, card_name, count_word, counted, group_name
from ..engine.shown import Ballot
from ..knowledge.redaction import SEERS
from ..rules.state import State
from ..story.events import Event, VoteScene, ahead
from ..story.instead import AS_PLAYED, VETO, WITHOUT, Instead, Margin
from ..story.prospects import OPEN, UNKNOWN, mission_prospect
from ..story.vote_tree import Coming, VoteTree, is_open
from ..story.what_if import Decision, Possibility
from .events import (
    OUTCOMES,
    at_group,
    column_words,
    loss_words,
    mission_words,
    move_description,
    outcome_words,
    prevented_words,
    prize,
    token_words,
    unlike,
    vote_name,
)
from .odds import percent, percents, range_words, sum_words, sums_words


class VoteWords(NamedTuple):
    """A vote in sentences.

    ``compared``, ``philosophers`` and ``rule`` say who has more, what the philosophers do (empty if there are none),
    and which sum wins. ``verdict`` says who wins what, ``after`` what follows.
    """

    title: str
    compared: str
    philosophers: str
    rule: str
    verdict: str
    after: tuple[str, ...]

    @property
    def first(self) -> tuple[str, ...]:
        """Return the sentences of the first step."""
        return tuple(filter(None, (self.compared, self.philosophers, self.rule)))

    @property
    def second(self) -> tuple[str, ...]:
        """Return the sentences of the second step."""
        return (self.verdict, *self.after)


def vote_words(scene: VoteScene) -> VoteWords:
    """Return a vote in words."""
    held, by = scene.ballot, "" if scene.ballot.by_rules else " according to the record"
    wins = "Nobody wins" if scene.winner == TIE else f"{SIDE_NAMES[scene.winner]} wins {prize(held)}"
    philosophers, rule = _philosophers(held), _rule(held)
    after = tuple(_after(scene))
    return VoteWords(capital(vote_name(held)), _compared(held), philosophers, rule, f"{wins}{by}.", after)


def _compared(held: Ballot) -> str:
    rome, egypt = held.rightful.sums
    if rome == egypt:
        return f"Both have {rome}." if any(held.columns) else "No card lies there."
    return f"{SIDE_NAMES[ahead(rome, egypt)]} has more: {max(rome, egypt)} to {min(rome, egypt)}."


def _philosophers(held: Ballot) -> str:
    """Return the effect of the philosophers (K7–K11)."""
    counts = [cards.count(PHILOSOPHER) for cards in held.columns]
    rome, egypt = counts
    if not rome + egypt:
        return ""
    if rome == egypt:
        return f"{'One philosopher' if rome == 1 else 'Two philosophers'} each: they cancel out."
    owner = ahead(rome, egypt)
    if rome and egypt:
        return f"{SIDE_NAMES[owner]} has more philosophers, {count_word(counts[owner])} to {count_word(min(counts))}."
    return f"{SIDE_NAMES[owner]} has {counted(counts[owner], 'philosopher')}."


def philosopher_words(held: Ballot) -> str:
    """Return the effect of the philosophers on a vote; empty if there are none."""
    said = _philosophers(held)
    return f"{said} {_rule(held)}".rstrip(". ") if said else ""


def _rule(held: Ballot) -> str:
    """Return which sum wins by the rules of the edition, and whose sum it is."""
    rightful = held.rightful
    if rightful.winner == TIE:
        if rightful.sums[ROME] != rightful.sums[EGYPT]:  # K6: a philosopher against nothing
            return "A philosopher wins nothing if the other side has no card."
        return "Equal sums: nobody wins." if any(held.columns) else ""
    wins = f", so {SIDE_NAMES[rightful.winner]} wins"
    if rightful.sums[ROME] == rightful.sums[EGYPT]:
        return f"A philosopher alone wins against no card at all{wins}."
    if not rightful.lower_wins:
        any_there = any(PHILOSOPHER in cards for cards in held.columns)
        return f"{'The' if any_there else 'No philosopher lies there: the'} higher sum wins{wins}."
    if rightful.winner == ahead(*rightful.sums):
        return f"Against no card at all the higher sum wins nevertheless{wins}."
    return f"The lower sum wins{wins}."


def _after(scene: VoteScene) -> Iterator[str]:
    """Yield what follows from a vote: discards, cards that stay, the group, the bust or vote card, the end (J3–J6)."""
    held = scene.ballot
    if loss := loss_words(held.outcome.gone):
        yield f"{loss}."
    if scene.winner == TIE and any(held.columns):
        yield "All cards stay."
    if held.empties:
        yield f"The {GROUP_NAMES[held.group]} are gone, and the cards still there are discarded."
    if scene.ended:
        yield "The game is over."
    elif not held.special:
        yield f"The {scene.device.name} {'stays out until all come back' if scene.returns else 'leaves the game'}."


# ------------------------------------------------------------------------------------------------- its tree


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree. ``label`` says what leads there (empty at the root); ``chance`` is the number of cases, and
    the number of all equally likely cases. ``winner`` is who wins the vote (a side or TIE) at its result and where a
    path ends with a vote, otherwise None. ``odds`` are the odds of an expected result, in words.

    On the path that was taken, ``kind`` is ``decision``, ``draw``, ``call``, ``cards``, ``result`` or ``kept``. Other
    nodes are an ``option`` or ``more`` of them, an end (``other vote``, ``no vote``, ``reset``, ``put away``,
    ``nobody``), or a result that was ``expected``.
    """

    kind: str
    label: str
    title: str
    lines: tuple[str, ...] = ()
    taken: bool = False
    children: tuple[Node, ...] = ()
    chance: tuple[int, int] | None = None
    winner: int | None = None
    odds: str = ""

    @property
    def share(self) -> str:
        """Return the chance in words: ``1 of 7``; empty if there is none."""
        return f"{self.chance[0]} of {self.chance[1]}" if self.chance else ""

    @property
    def signed(self) -> str:
        """Return the title, preceded by the sign of the side that wins the vote there: ``▲ Rome would win``."""
        return self.title if self.winner is None or self.kind == "kept" else f"{SIGNS[self.winner]} {self.title}"

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return the results that could be expected here, for each point of view: ``Caesar could expect``, and each
        result.
        """
        results = [child for child in self.children if child.kind == "expected"]
        return tuple((label, tuple(same)) for label, same in groupby(results, lambda node: node.label))


class VoteOutline(NamedTuple):
    """The tree of a vote in words, from its ``root``. ``notes`` are further sentences: what changed the vote earlier,
    and what is not shown.
    """

    title: str
    root: Node
    notes: tuple[str, ...]

    @property
    def expected(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """Return the odds as they were before the cards were turned up, if they were asked for."""
        return next((node.expected for node in way(self.root) if node.expected), ())


def vote_outline(tree: VoteTree) -> VoteOutline:
    """Return the tree of a vote in words."""
    return VoteOutline(f"{tree.turn} · {vote_name(tree.ballot)}", _root(tree), tuple(_notes(tree)))


def way(root: Node) -> Iterator[Node]:
    """Yield the nodes of the path that was taken, from the root to the end."""
    node: Node | None = root
    while node:
        yield node
        node = next((child for child in node.children if child.taken), None)


def beside(node: Node) -> list[Node]:
    """Return the paths from a node that were not taken, without the expected results there."""
    return [child for child in node.children if not child.taken and child.kind != "expected"]


def _notes(tree: VoteTree) -> Iterator[str]:
    if not tree.by_rules:
        yield "the record and the rules give this vote to different sides"
    yield from [f"{margin_words(margin)}: {outcome_words(margin.result, 'would win')}" for margin in tree.margins]
    unseen = [PLAYER_NAMES[side] for side in (ROME, EGYPT) if not tree.sees[side]]
    if unseen:
        hand = "those hands" if len(unseen) > 1 else "that hand"
        yield f"what {' and '.join(unseen)} could have done is shown only to those who see {hand}"


def _root(tree: VoteTree) -> Node:
    root = _cards(tree)
    for number in range(len(tree.draws) - 1, -1, -1):
        root = _draw(tree, number, root)
    if tree.special:
        lines = (f"{counted(sum(map(len, tree.ballot.columns)), 'card')} at {group_name(tree.group)}",)
        root = Node("call", "", "Special vote", lines, True, (root,))
    for side in (tree.side, 1 - tree.side):
        root = _decision([each for each in tree.instead if each.side == side], tree.more[side], root)
    return root


def _decision(options: Sequence[Instead], more: int, then: Node) -> Node:
    """Return what a side did before a vote, with everything that it could have done; only ``then`` if that is not
    shown.
    """
    played = next((option for option in options if option.was_played), None)
    if played is None:
        return then
    others = [_option(option) for option in options if option is not played]
    if more:
        others.append(Node("more", "", f"{counted(more, 'other option')} that would change the cards here"))
    way = replace(then, label=instead_words(played))
    return Node("decision", "", f"{PLAYER_NAMES[played.side]} in {played.turn}", (), True, (way, *others))


def _option(option: Instead) -> Node:
    """Return an option as a path that was not taken."""
    sums = sums_words(*map(range_words, option.sums))
    unknown = any(low != high for low, high in option.sums)
    title = outcome_words(option.winner, "would win") if option.winner is not None else "open" if unknown else "no vote"
    lines = ["the lower sum wins"] * option.lower
    lines += [] if option.chance is None else [f"chance {percent(option.chance)}"]
    if option.cost:
        lines.append(f"{percent(abs(option.cost))} of the win {'better' if option.cost > 0 else 'worse'} for the game")
    return Node("option", instead_words(option), f"{title} ({sums})", tuple(lines), winner=option.winner)


def _draw(tree: VoteTree, number: int, taken: Node) -> Node:
    """Return a draw of a bust or vote card, with all its possible outcomes."""
    event, lanes = tree.draws[number]
    total = sum(lane.copies for lane in lanes)
    assert isinstance(event.deed, t.Vote | t.SpecialVote | t.PutAway)
    # A record can name a drawn card that was not there; it has no chance then.
    share = (1, total) if any(lane.came for lane in lanes) else None
    name = GROUP_NAMES[event.deed.group]
    way = replace(taken, label=name if event is tree.event else f"{name}, already won", chance=share)
    title = f"{PLAYER_NAMES[tree.side]} {tree.device.coming}"
    others = _other_ways([lane for lane in lanes if not lane.came], total)
    return Node("draw", "", title, (f"{total} {tree.device.place}",), True, (way, *others))


def _other_ways(lanes: Sequence[Coming], total: int) -> Iterator[Node]:
    """Yield where every other possible draw would have led; votes that nobody wins form one node."""
    gone = [lane.name for lane in lanes if lane.kind == "put away"]
    nobody = [lane for lane in lanes if lane.winner == TIE]
    for lane in lanes:
        if lane.sums is not None and lane.winner != TIE:
            wins = "a vote there" if lane.winner is None else outcome_words(lane.winner)
            why = ("the lower sum wins",) if lane.lower else ()
            title = f"{wins} ({sums_words(*map(range_words, lane.sums))})"
            yield Node("other vote", lane.name, title, why, chance=(1, total), winner=lane.winner)
    if gone:
        yield Node("put away", ", ".join(gone), "already won: the next one is turned up", chance=(len(gone), total))
    if nobody:
        sums = [f"{lane.name} {sums_words(*map(range_words, lane.sums or ()))}" for lane in nobody]
        names = ", ".join([lane.name for lane in nobody])
        yield Node("nobody", names, "nobody wins", tuple(sums), chance=(len(nobody), total), winner=TIE)
    for lane in lanes:
        if lane.kind in ("no vote", "reset"):
            lines = ("all go back",) * (lane.kind == "reset")
            yield Node(lane.kind, lane.name, "no vote", lines, chance=(lane.copies, total))


def _cards(tree: VoteTree) -> Node:
    """Return the step in which the cards are turned up, with both sums and the effect of philosophers (J1, J2)."""
    held = tree.ballot
    lines = [
        f"{name} {column_words(cards, hidden)}"
        for name, cards, hidden in zip(SIDE_NAMES, held.columns, held.hidden, strict=True)
    ]
    if why := philosopher_words(held):
        lines.append(why)
    ways = (_result(tree), *_other_cards(tree))
    return Node("cards", GROUP_NAMES[held.group], sums_words(*held.rightful.sums), tuple(lines), True, ways)


def _other_cards(tree: VoteTree) -> Iterator[Node]:
    """Yield what would have happened with other hidden cards: one path for each result that could be expected.

    There are none for those who saw every card.
    """
    if tree.expecting and not tree.event.odds:
        lines = ("the cards don't add up in the record",)
        yield Node("expected", "To be expected", "no odds", lines, odds="no odds")
    for view, outlook in tree.event.odds:
        if is_open(tree.event.before, tree.group, view):
            continue
        label = f"{capital(SEERS[view])} could expect"
        for winner, share in zip((ROME, EGYPT, TIE), percents(outlook.wins), strict=True):
            if odds := outlook.wins[winner]:
                title = f"{OUTCOMES[winner]} {'for certain' if odds == 1 else share}"
                words = "certain" if odds == 1 else share
                yield Node("expected", label, title, (sum_words(outlook, winner),), winner=winner, odds=words)


def _result(tree: VoteTree) -> Node:
    """Return the effects: a patrician, discards, an emptied group, and the missions that are kept then (J3, L1, M1)."""
    held, after = tree.ballot, tree.event.state
    winner, group = held.outcome.winner, held.group
    title = "a tie: nobody wins" if winner == TIE else f"{SIDE_NAMES[winner]} wins a patrician"
    rome, egypt = (side.won[group] for side in after.sides)
    lines = (
        "" if held.by_rules else f"so says the record: by the rules {outcome_words(held.rightful.winner, 'would win')}",
        loss_words(held.outcome.gone),
        "the cards stay" if winner == TIE and any(held.columns) else "",
        f"{GROUP_NAMES[group]} now: Rome {rome}, Egypt {egypt}, left {after.left[group]}",
        "the group is empty, its other cards are discarded" if held.empties else "",
        "the game is over" if after.ended else "",
    )
    kept = _kept(tree, tree.kept) if held.empties else ()
    return Node("result", "", title, tuple(filter(None, lines)), True, kept, winner=winner)


def _kept(tree: VoteTree, chosen: Sequence[Event]) -> tuple[Node, ...]:
    """Return the mission that a player keeps and the one given back, then the other player's (M1)."""
    if not chosen:
        return ()
    event, *rest = chosen
    token, before = event.deed, event.before
    assert isinstance(token, t.ChooseMission)
    side, winner = token.side, tree.winner
    following = _kept(tree, rest)
    player, missions = PLAYER_NAMES[side], before.sides[side].missions
    sees, place = tree.sees[side], token.kept or 0
    title, lines = f"{player} keeps one of two missions", () if sees else ("nobody else sees which",)
    if sees and 0 < place <= len(missions):
        kept, others = missions[place - 1], (*missions[: place - 1], *missions[place:])
        title = f"{player} keeps {_mission(before, side, kept)}"
        lines = tuple(f"gives back {_mission(before, side, mission)}" for mission in others)
    return (Node("kept", "", title, lines, True, following, winner=None if following else winner),)


def _mission(state: State, side: int, mission: t.Mission) -> str:
    """Return a mission in words, and what has been proved about it: ``all Consuls, impossible by now``."""
    prospect, words = mission_prospect(state, side, mission), mission_words(mission)
    return words if prospect in (OPEN, UNKNOWN) else f"{words}, {prospect} by now"


# ----------------------------------------------------------------------------- what each side could have done


def option_words(decision: Decision, option: Possibility) -> str:
    """Return an option of a decision, without its subject: ``places a 3 face down at the Aediles``."""
    need(option, Possibility, "one of the decision's options")
    token = option.token and t.checked(option.token)
    if token is None:
        if decision.action:
            return "lets it happen"
        drawing = any(isinstance(other.token, t.Draw) for other in decision.options)
        return "draws nothing more" if drawing else "places and plays nothing more"
    if isinstance(token, t.Veto):
        return "vetoes it"
    return token_words(token, decision.side, decision.before.edition)


class InsteadWords(NamedTuple):
    """An option in words: the ``action``, what ``qualifies`` it, and its ``consequences``."""

    action: str
    qualifies: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()

    @property
    def rest(self) -> str:
        """Return everything but the action."""
        return "; ".join(filter(None, (", ".join(self.qualifies), *self.consequences)))


def instead_words(option: Instead) -> str:
    """Return an option in words: ``places a 5 face up at the Consuls, rather than at the Censors``."""
    said = instead_parts(option)
    return ", ".join((said.action, *said.qualifies)) + "".join([f"; {each}" for each in said.consequences])


def instead_parts(option: Instead, here: int | None = None) -> InsteadWords:
    """Return an option in words; the group ``here`` is not named, except in a castling."""
    qualifies = [_replaced(option, here)] if option.replaces is not None and option.kind != WITHOUT else []
    qualifies += ["unless vetoed"] * option.may_be_vetoed
    other = PLAYER_NAMES[1 - option.side]
    then = [f"then {other}'s {t.KINDS[type(token)].event} is not possible" for token in option.lost]
    then += ["a special vote there comes first"] * option.comes_first
    then += ["then no special vote comes first"] * option.goes_first
    then += ["then the vote is not called"] * (not option.called)
    return InsteadWords(_action(option, here), tuple(filter(None, qualifies)), tuple(then))


def _action(option: Instead, here: int | None) -> str:
    if option.prevented is not None:
        what = prevented_words(option.prevented, here)
        return f"vetoes {what}" if option.kind == VETO else f"lets {what} happen"
    if option.kind == AS_PLAYED:
        moves = [move_description(token, here).words for token in option.tokens]
        return " and ".join(moves) or "does nothing here"
    if option.kind == WITHOUT:
        old = option.replaces
        if isinstance(old, t.Place):
            return f"places {card_name(old.card)} elsewhere"
        return f"does not play {_what(old, here)}"
    (token,) = option.tokens
    said = move_description(token, here).words
    if isinstance(token, t.Assassinate) and token.hidden:
        victim = "hidden card" if token.card is None else f"hidden {bare_name(token.card)}"
        said = f"plays an assassination of a {victim}{at_group(token.group, here)}"
    return said + " as well" * (option.as_well and not isinstance(token, t.Castle))


def _replaced(option: Instead, here: int | None) -> str:
    """Return what an option replaces: ``rather than at the Censors``."""
    old, new = option.replaces, option.tokens[0]
    if isinstance(old, t.Discard):
        return "in place of an exchange" * bool(old.cards)
    if isinstance(old, t.Place) and isinstance(new, t.Place):
        return f"rather than {unlike(old, new)}"
    return f"in place of {_what(old, here)}"


def _what(token: t.Token | None, here: int | None) -> str:
    """Return what was played: ``an assassination of a 5 at the Consuls``."""
    assert token is not None
    return move_description(t.chosen(token) if isinstance(token, t.ACTIONS) else token, here).what


def margin_words(margin: Margin) -> str:
    """Return ``without the assassination of a 5 at 9R``."""
    action = margin.token
    if margin.kind == VETO:
        return f"without {PLAYER_NAMES[margin.turn.endswith('R')]}'s veto at {margin.turn}"
    if isinstance(action, t.Assassinate):
        victim = "a hidden card" if action.card in (None, SOME_INFLUENCE) else card_name(action.card or PHILOSOPHER)
        return f"without the assassination of {victim} at {margin.turn}"
    return f"without the {bare_name(t.CARD_OF[type(action)])} at {margin.turn}"
