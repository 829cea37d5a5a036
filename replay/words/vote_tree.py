"""Votes in words: how one was decided, its tree, and what each side could have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SIGNS, SOME_INFLUENCE, TIE
from ...notation.classes import dataclass, require_type
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, clauses, phrase, sense
from ..diagnostics.names import capital, count_word, counted
from ..editions.edition import Device
from ..engine.shown import Ballot
from ..knowledge.redaction import VIEWER_NAMES
from ..rules.state import State
from ..story.events import Event, VoteScene, ahead
from ..story.instead import AS_PLAYED, VETO, WITHOUT, Instead, Margin, Range
from ..story.prospects import CERTAIN, OPEN, UNKNOWN, mission_prospect
from ..story.vote_tree import Coming, VoteTree, is_open
from ..story.what_if import Decision, Possibility
from .events import (
    assassination_of,
    choice_words,
    column_words,
    loss_words,
    mission_words,
    move_description,
    outcome_name,
    outcome_words,
    prevented_words,
    the_action,
    token_words,
    unlike,
    vote_name,
    win_of,
    would_win,
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
    held = scene.ballot
    wins = phrase("Nobody wins") if scene.winner == TIE else win_of(held)
    if not held.by_rules:
        wins = phrase("{side_wins} according to the record", side_wins=wins)
    compared, philosophers, rule, verdict = map(_stopped, (_compared(held), _philosophers(held), _rule(held), wins))
    return VoteWords(
        capital(vote_name(held)), compared, philosophers, rule, verdict, tuple(map(_stopped, _after(scene)))
    )


def _stopped(sentence: str) -> str:
    """Return a sentence with its full stop; nothing for nothing."""
    return phrase("{sentence}.", sentence=sentence) if sentence else ""


def _compared(held: Ballot) -> str:
    rome, egypt = held.correct_outcome.sums
    if rome == egypt:
        return phrase("Both have {sum}", sum=rome) if any(held.columns) else phrase("No card lies there")
    fields = {"side": SIDES[ahead(rome, egypt)], "more": max(rome, egypt), "less": min(rome, egypt)}
    return phrase("{side.name} has more: {more} to {less}", **fields)


def _philosophers(held: Ballot) -> str:
    """Return the effect of the philosophers (K7–K11)."""
    counts = [cards.count(PHILOSOPHER) for cards in held.columns]
    rome, egypt = counts
    if not rome + egypt:
        return ""
    if rome == egypt:
        if rome == 1:
            return phrase("One philosopher each: they cancel out")
        return phrase("Two philosophers each: they cancel out")
    owner = SIDES[ahead(rome, egypt)]
    if rome and egypt:
        more, less = map(count_word, (max(counts), min(counts)))
        return phrase("{side.name} has more philosophers, {more} to {less}", side=owner, more=more, less=less)
    return phrase("{side.name} has {philosophers}", side=owner, philosophers=counted(max(counts), "philosopher"))


def philosopher_words(held: Ballot) -> str:
    """Return the effect of the philosophers on a vote; empty if there are none."""
    said, rule = _philosophers(held), _rule(held)
    return phrase("{philosophers}. {rule}", philosophers=said, rule=rule) if said and rule else said


def _rule(held: Ballot) -> str:
    """Return which sum wins by the rules of the edition, and whose sum it is."""
    rightful = held.correct_outcome
    if rightful.winner == TIE:
        if rightful.sums[ROME] != rightful.sums[EGYPT]:  # K6: a philosopher against nothing
            return phrase("A philosopher wins nothing if the other side has no card")
        return phrase("Equal sums: nobody wins") if any(held.columns) else ""
    side = SIDES[rightful.winner]
    if rightful.sums[ROME] == rightful.sums[EGYPT]:
        return phrase("A lone philosopher wins against an empty side, so {side.name} wins", side=side)
    if not rightful.lower_wins:
        if any(PHILOSOPHER in cards for cards in held.columns):
            return phrase("The higher sum wins, so {side.name} wins", side=side)
        return phrase("No philosopher lies there: the higher sum wins, so {side.name} wins", side=side)
    if rightful.winner == ahead(*rightful.sums):
        return phrase("Against an empty side the higher sum still wins, so {side.name} wins", side=side)
    return phrase("The lower sum wins, so {side.name} wins", side=side)


def _after(scene: VoteScene) -> Iterator[str]:
    """Yield what follows from a vote: discards, cards that stay, the group, the bust or vote card, the end (J3–J6)."""
    held = scene.ballot
    if loss := loss_words(held.outcome.discarded):
        yield loss
    if scene.winner == TIE and any(held.columns):
        yield phrase("All cards stay")
    if held.empties:
        yield capital(
            phrase("All {group.bare} have been won, and the cards still there are discarded", group=GROUPS[held.group])
        )
    if scene.ended:
        yield phrase("The game is over")
    elif not held.special:
        device = phrase(scene.device.name)
        out = phrase("The {device} stays out until all come back", device=device)
        yield out if scene.returns else phrase("The {device} leaves the game", device=device)


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
        return phrase("{part} of {all}", part=self.chance[0], all=self.chance[1]) if self.chance else ""

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
    return VoteOutline(vote_title(tree), _root(tree), tuple(_notes(tree)))


def vote_title(tree: VoteTree) -> str:
    """Return ``1E · vote at the Consuls``."""
    return f"{tree.turn} · {vote_name(tree.ballot)}"


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
        yield phrase("the record and the rules give this vote to different sides")
    for margin in tree.margins:
        yield phrase("{action}: {outcome}", action=margin_words(margin), outcome=would_win(margin.result))
    unseen = [PLAYERS[side] for side in (ROME, EGYPT) if not tree.sees[side]]
    if len(unseen) > 1:
        yield phrase("what Caesar and Cleopatra could have done is shown only to those who see those hands")
    elif unseen:
        (player,) = unseen
        yield phrase("what {player.name} could have done is shown only to those who see that hand", player=player)


def _root(tree: VoteTree) -> Node:
    root = _cards(tree)
    for number in range(len(tree.draws) - 1, -1, -1):
        root = _draw(tree, number, root)
    if tree.special:
        cards = counted(sum(map(len, tree.ballot.columns)), "card")
        lines = (phrase("{cards} at {group.the}", cards=cards, group=GROUPS[tree.group]),)
        root = Node("call", "", phrase("Special vote"), lines, True, (root,))
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
        title = phrase("{options} that would change the cards here", options=counted(more, "other option"))
        others.append(Node("more", "", title))
    way = replace(then, label=instead_words(played))
    title = phrase("{player.name} in {turn}", player=PLAYERS[played.side], turn=played.turn)
    return Node("decision", "", title, (), True, (way, *others))


def _option(option: Instead) -> Node:
    """Return an option as a path that was not taken."""
    sums = sums_words(*map(range_words, option.sums))
    unknown = any(low != high for low, high in option.sums)
    title = sense("vote", "open") if unknown else phrase("no vote")
    title = title if option.winner is None else would_win(option.winner)
    lines = [phrase("the lower sum wins")] * option.lower
    lines += [] if option.chance is None else [phrase("chance {odds}", odds=percent(option.chance))]
    if option.cost:
        cost = percent(abs(option.cost))
        better = phrase("{odds} better chance of winning the game", odds=cost)
        lines.append(better if option.cost > 0 else phrase("{odds} worse chance of winning the game", odds=cost))
    return Node(
        "option",
        instead_words(option),
        phrase("{outcome} ({sums})", outcome=title, sums=sums),
        tuple(lines),
        winner=option.winner,
    )


def _draw(tree: VoteTree, number: int, taken: Node) -> Node:
    """Return a draw of a bust or vote card, with all its possible outcomes."""
    event, lanes = tree.draws[number]
    total = sum(lane.copies for lane in lanes)
    assert isinstance(event.actual, t.Vote | t.SpecialVote | t.PutAway)
    # A record can name a drawn card that was not there; it has no chance then.
    share = (1, total) if any(lane.came for lane in lanes) else None
    name = GROUPS[event.actual.group]
    label = name.bare if event is tree.event else phrase("{group.bare}, already won", group=name)
    way = replace(taken, label=label, chance=share)
    title = phrase("{player} {action}", player=PLAYERS[tree.side].name, action=phrase(tree.device.coming))
    others = _other_ways([lane for lane in lanes if not lane.came], total, tree.device)
    lines = (phrase("{number} {place}", number=total, place=phrase(tree.device.place)),)
    return Node("draw", "", title, lines, True, (way, *others))


def lane_name(lane: Coming, device: Device) -> str:
    """Return what could be drawn: ``Consuls``, ``plain orgy``."""
    if lane.group is not None:
        return GROUPS[lane.group].bare
    return phrase(device.reset if lane.kind == "reset" else device.blank)


def _other_ways(lanes: Sequence[Coming], total: int, device: Device) -> Iterator[Node]:
    """Yield where every other possible draw would have led; votes that nobody wins form one node."""
    gone = [lane_name(lane, device) for lane in lanes if lane.kind == "put away"]
    nobody = [lane for lane in lanes if lane.winner == TIE]
    for lane in lanes:
        if lane.sums is not None and lane.winner != TIE:
            wins = phrase("a vote there") if lane.winner is None else outcome_words(lane.winner)
            why = (phrase("the lower sum wins"),) if lane.lower else ()
            title = phrase("{outcome} ({sums})", outcome=wins, sums=sums_words(*map(range_words, lane.sums)))
            yield Node("other vote", lane_name(lane, device), title, why, chance=(1, total), winner=lane.winner)
    if gone:
        title = phrase("already won: the next one is turned up")
        yield Node("put away", ", ".join(gone), title, chance=(len(gone), total))
    if nobody:
        sums = [f"{lane_name(lane, device)} {sums_words(*map(range_words, lane.sums or ()))}" for lane in nobody]
        names = ", ".join([lane_name(lane, device) for lane in nobody])
        yield Node("nobody", names, phrase("nobody wins"), tuple(sums), chance=(len(nobody), total), winner=TIE)
    for lane in lanes:
        if lane.kind in ("no vote", "reset"):
            lines = (phrase("all go back"),) * (lane.kind == "reset")
            yield Node(lane.kind, lane_name(lane, device), phrase("no vote"), lines, chance=(lane.copies, total))


def _cards(tree: VoteTree) -> Node:
    """Return the step in which the cards are turned up, with both sums and the effect of philosophers (J1, J2)."""
    held = tree.ballot
    lines = [
        phrase("{side.name} {cards}", side=side, cards=column_words(cards, hidden))
        for side, cards, hidden in zip(SIDES, held.columns, held.hidden, strict=True)
    ]
    if why := philosopher_words(held):
        lines.append(why)
    ways = (_result(tree), *_other_cards(tree))
    return Node("cards", GROUPS[held.group].bare, sums_words(*held.correct_outcome.sums), tuple(lines), True, ways)


def _other_cards(tree: VoteTree) -> Iterator[Node]:
    """Yield what would have happened with other hidden cards: one path for each result that could be expected.

    There are none for those who saw every card.
    """
    if tree.expecting and not tree.event.odds:
        lines, none = (phrase("the cards don't add up in the record"),), phrase("no odds")
        yield Node("expected", phrase("Expected"), none, lines, odds=none)
    for view, outlook in tree.event.odds:
        if is_open(tree.event.before, tree.group, view):
            continue
        label = capital(phrase("{who} could expect", who=phrase(VIEWER_NAMES[view])))
        for winner, share in zip((ROME, EGYPT, TIE), percents(outlook.wins), strict=True):
            if odds := outlook.wins[winner]:
                name, lines = outcome_name(winner), (sum_words(outlook, winner),)
                title = phrase("{name} {odds}", name=name, odds=share)
                if odds == 1:
                    title, share = phrase("{name} for certain", name=name), phrase("certain")
                yield Node("expected", label, title, lines, winner=winner, odds=share)


def _result(tree: VoteTree) -> Node:
    """Return the effects: a patrician, discards, an emptied group, and the missions that are kept then (J3, L1, M1)."""
    held, after = tree.ballot, tree.event.state
    winner, group = held.outcome.winner, held.group
    title = phrase("a tie: nobody wins")
    if winner != TIE:
        title = phrase("{side.name} wins a patrician", side=SIDES[winner])
    rome, egypt = (side.won[group] for side in after.sides)
    now = {"group": GROUPS[group], "rome": rome, "egypt": egypt, "left": after.left[group]}
    rightful = would_win(held.correct_outcome.winner)
    lines = (
        "" if held.by_rules else phrase("according to the record; by the rules, {side_wins}", side_wins=rightful),
        loss_words(held.outcome.discarded),
        phrase("the cards stay") if winner == TIE and any(held.columns) else "",
        phrase("{group.bare} now: Rome {rome}, Egypt {egypt}, left {left}", **now),
        phrase("the group is empty: its other cards are discarded") if held.empties else "",
        phrase("the game is over") if after.ended else "",
    )
    kept = _kept(tree, tree.kept) if held.empties else ()
    return Node("result", "", title, tuple(filter(None, lines)), True, kept, winner=winner)


def _kept(tree: VoteTree, chosen: Sequence[Event]) -> tuple[Node, ...]:
    """Return the mission that a player keeps and the one given back, then the other player's (M1)."""
    if not chosen:
        return ()
    event, *rest = chosen
    token, before = event.actual, event.before
    assert isinstance(token, t.ChooseMission)
    side, winner = token.side, tree.winner
    following = _kept(tree, rest)
    player, missions = PLAYERS[side], before.sides[side].missions
    sees, place = tree.sees[side], token.kept or 0
    title = phrase("{player.name} keeps one of two missions", player=player)
    lines = () if sees else (phrase("nobody else sees which"),)
    if sees and 0 < place <= len(missions):
        kept, others = missions[place - 1], (*missions[: place - 1], *missions[place:])
        title = phrase("{player.name} keeps {mission}", player=player, mission=_mission(before, side, kept))
        lines = tuple(phrase("gives back {mission}", mission=_mission(before, side, mission)) for mission in others)
    return (Node("kept", "", title, lines, True, following, winner=None if following else winner),)


def _mission(state: State, side: int, mission: t.Mission) -> str:
    """Return a mission in words, and what has been proved about it: ``all Consuls, impossible by now``."""
    prospect, words = mission_prospect(state, side, mission), mission_words(mission)
    if prospect in (OPEN, UNKNOWN):
        return words
    certain = phrase("{mission}, certain by now", mission=words)
    return certain if prospect == CERTAIN else phrase("{mission}, impossible by now", mission=words)


# ----------------------------------------------------------------------------- what each side could have done


def option_words(decision: Decision, option: Possibility) -> str:
    """Return an option of a decision, without its subject: ``places a 3 face down at the Aediles``."""
    require_type(option, Possibility, "one of the decision's options")
    token = option.token and t.checked(option.token)
    if token is None and any(isinstance(other.token, t.Draw) for other in decision.options):
        return phrase("draws nothing more")
    if token is None or isinstance(token, t.Veto):
        return choice_words(token, decision.side, decision.before, vetoing=decision.action is not None)
    return token_words(token, decision.side, decision.before.edition)


class InsteadWords(NamedTuple):
    """An option in words: the ``action``, what ``qualifies`` it, and its ``consequences``."""

    action: str
    qualifies: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()

    @property
    def rest(self) -> str:
        """Return everything but the action."""
        return clauses(filter(None, (", ".join(self.qualifies), *self.consequences)))


def instead_words(option: Instead) -> str:
    """Return an option in words: ``places a 5 face up at the Consuls, rather than at the Censors``."""
    said = instead_parts(option)
    return clauses((", ".join((said.action, *said.qualifies)), *said.consequences))


def instead_parts(option: Instead, here: int | None = None) -> InsteadWords:
    """Return an option in words; the group ``here`` is not named, and a castling there not with its cards."""
    qualifies = [_replaced(option, here)] if option.replaces is not None and option.kind != WITHOUT else []
    qualifies += [phrase("unless vetoed")] * option.may_be_vetoed
    other = PLAYERS[1 - option.side]
    placed = [token for token in option.lost if isinstance(token, t.Place)]
    then = [phrase("then {player.name} can't place that card", player=other) for _ in placed]
    then += [
        phrase("then {player.name} can't play {action}", player=other, action=the_action(type(token)))
        for token in option.lost
        if token not in placed
    ]
    if result := first_result(option):
        then.append(result)
    elif not option.called:
        neither = option.missed is not None
        then.append(
            phrase("then neither the special vote before it nor this one is called")
            if neither
            else phrase("then this vote is not called")
        )
    if option.called or option.first:
        then += [phrase("then the special vote before it is not called")] * (option.missed is not None)
    return InsteadWords(_action(option, here), tuple(filter(None, qualifies)), tuple(then))


def first_result(option: Instead) -> str:
    """Return that a special vote comes first, and its result; empty if none does."""
    if option.first is None:
        return ""
    result = result_words(*option.first)
    if option.called:
        return phrase("a special vote comes first ({result})", result=result)
    return phrase("the special vote comes earlier ({result})", result=result)


def result_words(sums: tuple[Range, Range], winner: int | None) -> str:
    """Return the result of a vote: ``Rome wins, 7 : 5``."""
    said = sense("vote", "open") if winner is None else outcome_words(winner)
    rome, egypt = map(range_words, sums)
    return phrase("{outcome}, {rome}\u00a0:\u00a0{egypt}", outcome=said, rome=rome, egypt=egypt)


def _action(option: Instead, here: int | None) -> str:
    if option.action is not None:
        what = prevented_words(option.action, here)
        return (
            phrase("vetoes {action}", action=what)
            if option.kind == VETO
            else phrase("lets {action} happen", action=what)
        )
    if option.kind == AS_PLAYED:
        moves = [move_description(token, here).words for token in option.tokens]
        return reduce(_and, moves) if moves else phrase("does nothing here")
    if option.kind == WITHOUT:
        old = option.replaces
        if isinstance(old, t.Place):
            return phrase("places {card.a} elsewhere", card=CARDS[old.card])
        return phrase("does not play {action}", action=_what(old, here))
    (token,) = option.tokens
    said = move_description(token, here).words
    if isinstance(token, t.Assassinate) and token.hidden:
        victim = phrase("a hidden card")
        if token.card is not None:
            victim = phrase("a hidden {card.bare}", card=CARDS[token.card])
        said = phrase("plays {action}", action=assassination_of(victim, token.group, here))
    return phrase("{move} as well", move=said) if option.as_well and not isinstance(token, t.Castle) else said


def _and(moves: str, move: str) -> str:
    return phrase("{moves} and {move}", moves=moves, move=move)


def _replaced(option: Instead, here: int | None) -> str:
    """Return what an option replaces: ``rather than at the Censors``."""
    old, new = option.replaces, option.tokens[0]
    if isinstance(old, t.Discard):
        return phrase("in place of an exchange") if old.cards else ""
    if isinstance(old, t.Place) and isinstance(new, t.Place):
        return phrase("rather than {other}", other=unlike(old, new))
    if isinstance(old, t.Castle) and isinstance(new, t.Castle) and t.groups_of(old) == t.groups_of(new):
        return phrase("in another way")
    return phrase("in place of {action}", action=_what(old, here))


def _what(token: t.Token | None, here: int | None) -> str:
    """Return what was played: ``an assassination of a 5 at the Consuls``."""
    assert token is not None
    return move_description(t.chosen(token) if isinstance(token, t.ACTIONS) else token, here).what


def margin_words(margin: Margin) -> str:
    """Return ``without the assassination of a 5 at 9R``."""
    action = margin.token
    if margin.kind == VETO:
        vetoer = PLAYERS[margin.turn.endswith("R")]
        return phrase("without {player.of} veto at {turn}", player=vetoer, turn=margin.turn)
    if isinstance(action, t.Assassinate):
        victim = phrase("a hidden card")
        if action.card not in (None, SOME_INFLUENCE):
            victim = CARDS[action.card or PHILOSOPHER].some
        return phrase("without the assassination of {victim} at {turn}", victim=victim, turn=margin.turn)
    return phrase("without the {card.bare} at {turn}", card=CARDS[t.CARD_OF[type(action)]], turn=margin.turn)
