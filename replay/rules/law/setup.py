"""What the rules demand of the set-up lines."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple, TypeVar

from mypy_extensions import i64

from ....notation import tokens as t
from ....notation.cards import INFLUENCE_KINDS, MAY_BE, ROME, SOME_ACTION, is_known
from ....notation.codes import CARD, CARD_AT, GROUP, KIND, MAX_COPIES, OTHER, PLACE, PLACED_GROUP_AT, PLACED_HIDDEN_AT
from ....notation.packed import Packed
from ...editions.edition import Edition
from ..fault import Fault
from ..ruleset import OPENING_SET, Ruleset, lost_blanks, ruleset
from ..sequences import is_action
from ..state import State


class SetupFault(NamedTuple):
    """A fault in a set-up line; ``at`` is the index of the token, None for the whole line."""

    at: int | None
    fault: Fault


SetupFaults = list[SetupFault]
_OPENING_CARDS: Final = sum([1 << card for card in OPENING_SET])


def setup_violations(edition: Edition, side: int, tokens: tuple[t.Token, ...], *, position: bool) -> SetupFaults:
    """Return all that is wrong with a side's set-up line (B2, B5, B6, B8), and in a position with its material."""
    faults: SetupFaults = []
    for at, token in enumerate(tokens):
        if not isinstance(token, _ALLOWED_IN_POSITION if position else _ALLOWED):
            faults.append(SetupFault(at, Fault("R106", {"token": token})))
    if position:
        _material(edition, side, tokens, faults)
    else:
        _opening(edition, side, tokens, faults)
        _first_action(edition, side, tokens, faults)
    _action_order(edition, side, tokens, position, faults)
    _missions(edition, side, tokens, position, faults)
    return faults


_ALLOWED = (t.Place, t.Missions, t.ActionOrder, t.Draw, t.Unread)
_ALLOWED_IN_POSITION = (*_ALLOWED, t.Hand, t.Gained, t.Spent, t.Bag)


def starter_fault(edition: Edition, starter: int) -> Fault | None:
    """Return the fault if this side may not begin, None if it may (B11)."""
    if starter == ROME and not edition.starter.rome_may_begin:
        return Fault("R109", {})
    return None


_Kind = TypeVar("_Kind")


def _tokens_of_kind(tokens: tuple[t.Token, ...], kind: type[_Kind]) -> list[tuple[int, _Kind]]:
    """Return the tokens of one kind, each with its index before it."""
    return [(at, token) for at, token in enumerate(tokens) if isinstance(token, kind)]


def _add(faults: SetupFaults, at: int | None, code: str, **facts: Any) -> None:
    faults.append(SetupFault(at, Fault(code, facts)))


def is_plain(table: State, packed: Packed, place: i64) -> bool:
    """Return whether a set-up line is right and holds only what belongs there: the quick answer for nearly every one.

    ``table`` is any state under the rules in force, ``place`` that of the line among the turns of ``packed``.
    """
    edition, rules = table.edition, table.rules
    begin, end = packed.begin(place), packed.begin(place + 1)
    if packed.is_followed(place) or rules.first_draw < 0 or end - begin > 2 * (len(rules.groups) + 2):
        return False
    codes = packed.codes
    cards: i64 = 0
    groups: i64 = 0
    dealt: i64 = 0
    for at in range(begin, end, 2):
        code = codes[at]
        if code & KIND == PLACE:
            card, group = bit(code >> CARD_AT & CARD), bit(code >> PLACED_GROUP_AT & GROUP)
            if not code >> PLACED_HIDDEN_AT & 1 or cards & card or groups & group:
                return False
            cards |= card
            groups |= group
        elif code == OTHER:
            token = packed.others[at]
            if isinstance(token, t.Missions):
                missions = token.missions
                for mission in missions:
                    if not _can_be_dealt(edition, mission):
                        return False
                dealt += len(missions)
            elif not (isinstance(token, t.ActionOrder) and _is_deck(rules, token.cards)):
                return False
        elif code != rules.first_draw:
            return False
    return cards == _OPENING_CARDS and groups == rules.every_group and dealt == rules.missions_dealt


def _is_deck(rules: Ruleset, cards: t.Cards) -> bool:
    """Return whether these are all the action cards, and their order may be chosen (B8)."""
    counts: i64 = 0
    for each in cards:
        card: i64 = each
        if card < INFLUENCE_KINDS:
            return False
        counts += bit(4 * (card - INFLUENCE_KINDS))
    return counts != 0 and counts == rules.ordered_deck and len(cards) <= MAX_COPIES


def bit(place: i64) -> i64:
    """Return the bit at a place."""
    return 1 << place


def _opening(edition: Edition, side: int, tokens: tuple[t.Token, ...], faults: SetupFaults) -> None:
    groups: set[int] = set()
    cards: set[int] = set()
    for at, token in _tokens_of_kind(tokens, t.Place):
        if token.group not in edition.groups:
            _add(faults, at, "R201", group=token.group)
        elif token.group in groups:
            _add(faults, at, "R102", side=side, card=token.card, group=token.group)
        if not token.hidden:
            _add(faults, at, "R103", side=side, card=token.card, group=token.group)
        if is_known(token.card) and (token.card not in OPENING_SET or token.card in cards):
            again = token.card in cards
            _add(faults, at, "R104", side=side, card=token.card, group=token.group, again=again)
        groups.add(token.group)
        cards.add(token.card)
    missing = [group for group in edition.groups if group not in groups]
    if missing:
        _add(faults, None, "R105", side=side, groups=missing)


def _first_action(edition: Edition, side: int, tokens: tuple[t.Token, ...], faults: SetupFaults) -> None:
    drawn = [(at, card) for at, token in _tokens_of_kind(tokens, t.Draw) for card in token.cards]
    first = ruleset(edition).first_action
    allowed = (*(edition.actions if SOME_ACTION in first else first), SOME_ACTION)
    for place, (at, card) in enumerate(drawn):
        if not first or place or card not in allowed:
            _add(faults, at, "R107", side=side, card=card, first=first, second=place > 0)
    if SOME_ACTION in first and not drawn:
        _add(faults, None, "R107", card=None, first=first, side=side)


def _action_order(
    edition: Edition, side: int, tokens: tuple[t.Token, ...], position: bool, faults: SetupFaults
) -> None:
    orders = _tokens_of_kind(tokens, t.ActionOrder)
    if not orders:
        return
    (first, order), *others = orders
    if not edition.ordered_actions:
        _add(faults, first, "R108", side=side, problem="shuffled")
    else:
        pile = _action_pile(edition, tokens if position else ())
        known = Counter(order.cards)
        known.pop(SOME_ACTION, None)
        if len(order.cards) != pile.total():
            _add(faults, first, "R108", side=side, problem="size", count=len(order.cards), size=pile.total())
        elif any(count > pile[card] for card, count in known.items()):
            _add(faults, first, "R108", side=side, problem="cards")
    for at, _ in others:
        _add(faults, at, "R108", side=side, problem="again")


def _action_pile(edition: Edition, tokens: tuple[t.Token, ...]) -> Counter[int]:
    """Return the action cards that are neither in the hand nor discarded."""
    pile = Counter(edition.actions)
    for token in tokens:
        if isinstance(token, t.Hand | t.Draw | t.Spent):
            pile.subtract([card for card in token.cards if is_action(card)])
    return pile


def _missions(edition: Edition, side: int, tokens: tuple[t.Token, ...], position: bool, faults: SetupFaults) -> None:
    lines = _tokens_of_kind(tokens, t.Missions)
    written = [(at, mission) for at, token in lines for mission in token.missions]
    count, dealt = len(written), edition.missions_dealt
    least = min(1, len(lines)) if position else dealt
    if not least <= count <= dealt:
        _add(faults, lines[-1][0] if lines else None, "R110", side=side, count=count, dealt=dealt)
    for at, mission in written:
        if not _can_be_dealt(edition, mission):
            _add(faults, at, "R111", side=side, mission=mission)


def _can_be_dealt(edition: Edition, mission: t.Mission) -> bool:
    kind, group, printed = mission.kind, mission.group, edition.mission_groups
    if kind == "unknown":
        return True
    if printed:
        return kind == "majority" and group in printed
    if group is not None:
        return group in edition.groups
    if kind == "majorities":
        return 1 <= (mission.count or 0) <= len(edition.groups)
    if kind == "patricians":
        return 1 <= (mission.count or 0) <= sum(edition.groups.values())
    return True


def _material(edition: Edition, side: int, tokens: tuple[t.Token, ...], faults: SetupFaults) -> None:
    """Note a fault if a position has more cards than the side owns, or a hand more than one is ever filled to (C4)."""
    used: Counter[int] = Counter()
    placed: Counter[int] = Counter()
    held, limit = 0, edition.hand_limit
    for at, token in enumerate(tokens):
        cards: tuple[int, ...] = ()
        if isinstance(token, t.Place):
            cards = (token.card,)
            placed[token.group] += 1
            if token.group not in edition.groups:
                _add(faults, at, "R201", group=token.group)
            elif placed[token.group] > edition.side_limit:
                facts = {"card": token.card, "group": token.group, "limit": edition.side_limit}
                _add(faults, at, "R204", **facts, player=side)
        elif isinstance(token, t.Hand | t.Draw):
            cards = token.cards
            if held <= limit < held + len(cards):
                _add(faults, at, "R114", owner=side, count=held + len(cards), limit=limit)
            held += len(cards)
        elif isinstance(token, t.Spent):
            cards = token.cards
        elif isinstance(token, t.Bag):
            _bag(edition, at, token, faults)
        for card in _surplus_cards(edition, used, cards):
            _add(faults, at, "R112", side=side, card=card, copies=edition.copies(card))


def _surplus_cards(edition: Edition, used: Counter[int], cards: tuple[int, ...]) -> list[int]:
    """Return the cards that exceed the number of copies a side has; add all to those that were ``used``."""
    beyond = [card for card in set(cards) if used[card] <= edition.copies(card) < used[card] + cards.count(card)]
    used.update(cards)
    for some, kinds in MAY_BE.items():
        most, count = edition.copies(some), used[some] + sum([used[kind] for kind in kinds])
        new = sum([card in kinds or card == some for card in cards])
        # If all are known, there are too many copies of a single card.
        if 0 < used[some] <= most and count - new <= most < count:
            beyond.append(some)
    return beyond


def _bag(edition: Edition, at: int, bag: t.Bag, faults: SetupFaults) -> None:
    """Note busts or vote cards of which there are too many: there is one of each, except for blank ones (A4)."""
    for group in dict.fromkeys(bag.groups):
        if group not in edition.groups:
            _add(faults, at, "R201", group=group)
        elif bag.groups.count(group) > 1:
            _add(faults, at, "R112", group=group, copies=1, field="blanks")
    for reset, count, most in ((False, bag.blanks, edition.blanks), (True, bag.resets, edition.resets)):
        if count > most:
            _add(faults, at, "R112", reset=reset, copies=most, field="blanks")


def joint_fault(edition: Edition, rome: tuple[t.Token, ...], egypt: tuple[t.Token, ...]) -> Fault | None:
    """Return what both lines of a position, taken together, show to be wrong with it (A1, D5, D12, I5, M1)."""
    both = (*rome, *egypt)
    won = Counter(group for _, gained in _tokens_of_kind(both, t.Gained) for group in gained.groups)
    placed = Counter(token.group for _, token in _tokens_of_kind(both, t.Place))
    bags = [bag for _, bag in _tokens_of_kind(both, t.Bag)]
    inside = {group for bag in bags for group in bag.groups}
    must_be_out = inside if ruleset(edition).gone_at_once else set()
    return (
        _blanks_fault(edition, won, bags)
        or _groups_fault(edition, won, placed, must_be_out)
        or _choice_fault(edition, won, (rome, egypt))
    )


def _blanks_fault(edition: Edition, won: Counter[int], bags: list[t.Bag]) -> Fault | None:
    """Return a fault if the bag holds more blanks than are left; each line has already been judged by itself."""
    blanks = edition.blanks - lost_blanks(edition, sum(won[group] >= size for group, size in edition.groups.items()))
    written = [bag.blanks for bag in bags]
    if max(written, default=0) <= edition.blanks and sum(written) > blanks:
        return Fault("R112", {"reset": False, "copies": blanks, "field": "blanks"})
    return None


def _groups_fault(edition: Edition, won: Counter[int], placed: Counter[int], must_be_out: set[int]) -> Fault | None:
    """Return a fault for the first group with more patricians won than it has, or more cards than it may hold."""
    for group in won:
        if group not in edition.groups:
            return Fault("R201", {"group": group})
    for group, size in edition.groups.items():
        if won[group] > size:
            return Fault("R113", {"group": group, "count": won[group], "size": size})
        if won[group] == size and (placed[group] or group in must_be_out):
            return Fault("R202", {"group": group})
        if edition.total_limit is not None and placed[group] > edition.total_limit:
            return Fault("R205", {"group": group, "limit": edition.total_limit})
    return None


def _choice_fault(
    edition: Edition, won: Counter[int], lines: tuple[tuple[t.Token, ...], tuple[t.Token, ...]]
) -> Fault | None:
    """Return a fault if a side holds several missions although a group is empty, so that it must have chosen one."""
    if all(won[group] < size for group, size in edition.groups.items()):
        return None
    dealt = edition.missions_dealt
    for side, line in enumerate(lines):
        count = sum(len(token.missions) for _, token in _tokens_of_kind(line, t.Missions))
        if 1 < count <= dealt:
            return Fault("R110", {"side": side, "count": count, "dealt": dealt, "gone": True})
    return None
