"""What one player knows about a table, and nothing more, as a row of numbers.

A row is the same whether the state holds every card or only those that the player could see: the other side's hand, its
pile, its face-down cards and those that it discarded unseen are counted together, as the copies that the player has not
seen. ``inputs`` turns rows into what the net reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...notation.basics import GROUP_COUNT, INFLUENCE_CARDS, INFLUENCE_KINDS, SOME_INFLUENCE, VETO
from ...replay.rules.api import Edition
from ...replay.rules.core import codes, layout
from . import snapshots as s

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from .snapshots import Snapshots

    Floats = NDArray[Any]
    Integers = NDArray[Any]


# Where the parts of a row begin.
HEADS: Final = 20
CARDS: Final = HEADS
"""By card: own hand, own pile, cards of the other side not seen, own cards that the other side has not seen."""
KNOWN: Final = VETO + 1
"""How many cards the nets know. Cards after them are not inputs: a net would have to be retrained for them."""
MISSIONS: Final = CARDS + 4 * KNOWN
"""Two missions: kind (0 for none), how much is missing, and how much of that is still possible."""
MISSION_WORDS: Final = 3
GROUPS: Final = MISSIONS + 2 * MISSION_WORDS
GROUP_WORDS: Final = 24
PLACES: Final = 5
"""Groups of patricians in every edition."""
WORDS: Final = GROUPS + PLACES * GROUP_WORDS
"""Numbers in a row."""
_NO_CARD: Final = 9


class _Parts:
    """The parts of snapshots, with each number of all snapshots in one piece of memory."""

    def __init__(self, shots: Snapshots) -> None:
        import numpy as np

        whole = np.frombuffer(shots.memory(), np.int64, shots.count * s.WORDS).reshape(-1, s.WORDS)
        # Small numbers, so that the machine can add up many at a time; only columns are cut off by this, and they are
        # read from the whole numbers.
        numbers = np.ascontiguousarray(whole.astype(np.int16).T)
        self.head, self.cells = numbers[: s.CELLS], numbers[s.CELLS :]
        self.columns = np.ascontiguousarray(whole[:, s.CELLS + layout.UP :][:, : 2 * layout.FACE_DOWN].T)
        self.second = self.head[s.VIEWER] == 1

    def cards(self, at: int) -> tuple[Integers, Integers]:
        """Return how many copies of each known card the viewer and the other side have there."""
        return self._sides(self.cells[at:], layout.CARD_ROW, slice(KNOWN))

    def groups(self, at: int, groups: list[int]) -> tuple[Integers, Integers]:
        """Return the numbers there for each group, for the viewer and the other side."""
        return self._sides(self.cells[at:], layout.GROUP_ROW, groups)

    def lying(self, at: int, groups: list[int]) -> tuple[Integers, Integers]:
        """Return the columns there for each group, for the viewer and the other side."""
        return self._sides(self.columns[at - layout.UP :], layout.GROUP_ROW, groups)

    def side(self, at: int) -> tuple[Integers, Integers]:
        """Return the numbers there, for the viewer and the other side."""
        mine, theirs = self._sides(self.cells[at:], 1, slice(1))
        return mine[0], theirs[0]

    def _sides(self, cells: Integers, row: int, places: slice | list[int]) -> tuple[Integers, Integers]:
        import numpy as np

        rome, egypt = cells[:row][places], cells[row : 2 * row][places]
        return np.where(self.second, egypt, rome), np.where(self.second, rome, egypt)


def rows_of(shots: Snapshots) -> Floats:
    """Return what the viewer of each snapshot knows, an array of whole numbers of shape (count, WORDS)."""
    import numpy as np

    rows = np.empty((WORDS, shots.count), np.float32)
    rules = shots.rules
    if rules is not None:
        parts, groups = _Parts(shots), [*rules.groups]
        sizes = np.array([[rules.sizes[group]] for group in groups], np.int16)
        by_group = rows[GROUPS:].reshape(PLACES, GROUP_WORDS, -1).swapaxes(0, 1)
        _head(parts, groups, rows[:HEADS])
        _cards(parts, groups, rows[CARDS:MISSIONS].reshape(4, KNOWN, -1), by_group)
        _groups(parts, groups, sizes, by_group)
        _missions(parts, groups, sizes, rows[MISSIONS:GROUPS])
    return rows.T


def _head(parts: _Parts, groups: list[int], rows: Floats) -> None:
    head, cells = parts.head, parts.cells
    bag = head[s.BLANKS] + head[s.RESETS] + cells[[layout.BAG + group for group in groups]].sum(0)
    held, influence = parts.side(layout.HELD)[1], parts.side(layout.INFLUENCE)[1]
    piles = *parts.side(layout.INFLUENCE_PILE), *parts.side(layout.ACTION_PILE)
    for place, values in enumerate((
        head[s.DUE], head[s.ACTIVE] == head[s.VIEWER], head[s.UP], head[s.DOWN], head[s.ACTION], head[s.FIRST],
        head[s.NUMBER], head[s.PASSIVE], head[s.LIMIT], head[s.BLANKS], bag, head[s.EMPTIED], head[s.CHOOSING],
        held - influence, influence, piles[0], piles[2], piles[1], piles[3], parts.cards(layout.DISCARDS)[1][VETO],
    )):  # fmt: skip
        rows[place] = values


def _cards(parts: _Parts, groups: list[int], cards: Floats, by_group: Floats) -> None:
    """Write the copies of cards, and for each group three columns: own ones up and down, and the other side's up.

    A column has five numbers: how many cards, their sum, the philosophers, the highest and the lowest number (9 for
    none).
    """
    import numpy as np

    hands, piles, buried = (parts.cards(at) for at in (layout.HAND, layout.UNSEEN, layout.UNSEEN_DISCARDS))
    cards[0], cards[1] = hands[0], piles[0]
    cards[2], cards[3] = hands[1] + piles[1] + buried[1], hands[0] + piles[0] + buried[0]
    up, down = parts.lying(layout.UP, groups), parts.lying(layout.HIDDEN, groups)
    left = np.stack([up[0], up[1], down[0], down[1]])
    ups, downs = parts.groups(layout.UP_COUNT, groups), parts.groups(layout.HIDDEN_COUNT, groups)
    counts = np.stack([ups[0], ups[1], downs[0], downs[1]]).astype(np.int8)
    total, philosophers, high = (np.zeros(left.shape, np.int8) for _ in range(3))
    low = np.full(left.shape, _NO_CARD, np.int8)
    hidden = np.zeros((INFLUENCE_KINDS, 2, left.shape[-1]), np.int8)
    for depth in range(int(counts.max(initial=0))):
        card = left.astype(np.int8) & codes.CARD
        card[counts <= depth] = SOME_INFLUENCE
        left >>= codes.WIDTH
        is_number = (card > 0) & (card < INFLUENCE_KINDS)
        number = card * is_number
        total += number
        philosophers += card == 0
        np.maximum(high, number, out=high)
        np.minimum(low, np.where(is_number, card, np.int8(_NO_CARD)), out=low)
        for kind in range(INFLUENCE_KINDS):
            hidden[kind] += (card[2:] == kind).view(np.int8).sum(1, np.int8)
    cards[3, :INFLUENCE_KINDS] += hidden[:, 0]
    cards[2, :INFLUENCE_KINDS] += hidden[:, 1]
    for place, values in enumerate((counts, total, philosophers, high, low)):
        by_group[6 + place], by_group[11 + place], by_group[16 + place] = values[0], values[2], values[1]
    by_group[21] = counts[3]


def _groups(parts: _Parts, groups: list[int], sizes: Integers, by_group: Floats) -> None:
    import numpy as np

    head, cells = parts.head, parts.cells
    left, bag, total = (cells[[at + group for group in groups]] for at in (layout.LEFT, layout.BAG, layout.TOTAL))
    won, lost = parts.groups(layout.WON, groups)
    own = by_group[6] + by_group[11]
    room = np.minimum(head[s.SIDE_LIMIT] - own, head[s.TOTAL_LIMIT] - total)
    by_group[0], by_group[1], by_group[2], by_group[3], by_group[5] = left, won, lost, bag, sizes
    by_group[4] = sum(head[s.MISSIONS + s.MISSION_WORDS * place + 1] == np.array(groups)[:, None] for place in (0, 1))
    by_group[22], by_group[23] = total, np.maximum(room, 0) * (left > 0)


def _missions(parts: _Parts, groups: list[int], sizes: Integers, missions: Floats) -> None:
    """Write the kind of each mission, what its holder is missing, and how much of that is still possible."""
    import numpy as np

    left, won = parts.cells[[layout.LEFT + group for group in groups]], parts.groups(layout.WON, groups)[0]
    need = (sizes >> 1) + 1 - won
    lacking = won == 0
    kind, group, count = parts.head[s.MISSIONS : s.CELLS].reshape(2, s.MISSION_WORDS, -1).swapaxes(0, 1)
    places = np.zeros(GROUP_COUNT + 1, np.intp)
    places[groups] = range(PLACES)
    place, every = places[group], np.arange(won.shape[1])
    # By kind of mission: what each of the two is missing, and what is still possible.
    missing, possible = (np.zeros((s.TEXT + 1, *kind.shape), np.int16) for _ in range(2))
    missing[1], missing[2], missing[3] = need[place, every], (sizes - won)[place, every], lacking.sum(0)
    missing[4], missing[5] = count - (need <= 0).sum(0), count - won.sum(0)
    possible[1] = possible[2] = left[place, every]
    possible[3], possible[5] = (lacking & (left > 0)).sum(0), left.sum(0)
    possible[4] = ((need > 0) & (left >= need)).sum(0)
    which = kind[None].astype(np.intp)
    missions[::MISSION_WORDS] = kind
    missions[1::MISSION_WORDS] = np.maximum(np.take_along_axis(missing, which, 0)[0], 0)
    missions[2::MISSION_WORDS] = np.take_along_axis(possible, which, 0)[0]


def left(rows: Floats) -> Floats:
    """Return, for each row, the share of all patricians that is left, from 0 to 1."""
    groups = rows[:, GROUPS:].reshape(len(rows), PLACES, GROUP_WORDS)
    return groups[:, :, 0].sum(1) / groups[:, :, 5].sum(1)


KNOTS: Final = 8
"""How many shares of patricians left, evenly spaced, have a correction of their own."""


def slants(rows: Floats) -> Floats:
    """Return what the net's correction depends on, one row of numbers for each row.

    They are: how near the share of patricians left is to each of KNOTS shares, once for all positions, once for votes
    and once for draws; the first turn; a turn under way; empty piles; a side without influence cards; the cards that
    lie face down where patricians are left, in tens, once for all positions and once for votes; and whether it is the
    viewer's turn, for all positions, votes and draws. Where there is a number for each side, the viewer's comes first.
    """
    import numpy as np

    near = np.maximum(1 - np.abs(left(rows)[:, None] * (KNOTS - 1) - np.arange(KNOTS)), 0)
    due, mine = rows[:, 0], rows[:, 1] > 0
    begun = (due == s.ACT) & (rows[:, 2:5].sum(1) > 0)
    empty = rows[:, 15:19] == 0
    held = np.stack([rows[:, CARDS : CARDS + INFLUENCE_KINDS].sum(1), rows[:, 14]], 1)
    out = empty[:, :3:2] & (held == 0)
    groups = rows[:, GROUPS:].reshape(len(rows), PLACES, GROUP_WORDS)
    hidden = (groups[:, :, 11:22:10] * (groups[:, :, :1] > 0)).sum(1) / 10
    votes, draws = ((due == each)[:, None] for each in (s.VOTES, s.DRAWS))
    rest = np.column_stack([rows[:, 5] > 0, begun & mine, begun & ~mine, empty, out])
    turn = mine[:, None] * np.hstack([np.ones_like(votes), votes, draws])
    return np.hstack([near, near * votes, near * draws, rest, hidden, hidden * votes, turn])


GROUP_INPUTS: Final = 42
REST_INPUTS: Final = 111


def readings(edition: Edition) -> Floats:
    """Return the readings and variants of an edition as numbers from 0, its default, to 1."""
    import numpy as np

    declared = edition.declared
    places = [
        values.index(declared.get(name, values[0])) / (len(values) - 1) for name, values in edition.options.items()
    ]
    return np.array(places, np.float32)


def inputs(rows: Floats, read: Floats) -> Floats:
    """Return what the net reads of rows (``position.rows_of``): an array of shape (count, inputs).

    ``read`` are the readings, of shape (readings,) for all or (count, readings).
    """
    import numpy as np

    # Each input lies in one piece of memory for all rows, since inputs are computed one by one.
    words = np.ascontiguousarray(rows.T, np.float32)
    count, options = len(rows), read.shape[-1]
    found = np.empty((PLACES * GROUP_INPUTS + REST_INPUTS + options, count), np.float32)
    groups = words[GROUPS:].reshape(PLACES, GROUP_WORDS, count).swapaxes(0, 1)
    cards = words[CARDS:MISSIONS].reshape(4, KNOWN, count)
    head = words[:HEADS]
    by_group = found[: PLACES * GROUP_INPUTS].reshape(PLACES, GROUP_INPUTS, count)
    _group_inputs(groups, cards, head, by_group.swapaxes(0, 1))
    _rest_inputs(groups, cards, head, words[MISSIONS:GROUPS], found[PLACES * GROUP_INPUTS : -options])
    found[-options:] = read.T if read.ndim > 1 else read[:, None]
    return found.T


def _filler(found: Floats) -> Callable[[Floats | NDArray[np.bool_]], None]:
    """Return a function that writes one input after another."""
    places = iter(found)

    def put(values: Floats | NDArray[np.bool_]) -> None:
        next(places)[...] = values

    return put


def _pool(cards: Floats) -> tuple[Floats, Floats, Floats]:
    """Return mean and variance of unseen influence cards, and the share of philosophers among them."""
    import numpy as np

    number = np.maximum(cards[:6].sum(0), 1)
    values = np.arange(6, dtype=np.float32)
    mean = values @ cards[:6] / number
    spread = (values * values) @ cards[:6] / number - mean * mean + 0.01
    return mean, spread, cards[0] / number


def _vote_chance(
    mine: Floats, wits: Floats, theirs: Floats, seen_wits: Floats, hidden: Floats, pool: tuple[Floats, ...]
) -> Floats:
    """Return roughly how likely a vote would be won: own sum and philosophers against what can be seen of the other
    side's.

    The nets were trained on this estimate (K7–K11). It works on whole columns of rows and uses no rules.
    """
    import numpy as np

    mean, spread, wit = pool
    ahead = mine - theirs - hidden * mean
    higher = 1 / (1 + np.exp(-1.7 * ahead / np.sqrt(hidden * spread + 0.25)))
    chance = np.where(wits != seen_wits, 1 - higher, higher)
    turned = np.minimum(0.8, hidden * wit)
    return (1 - turned) * chance + turned * (1 - chance)


def _group_inputs(groups: Floats, cards: Floats, head: Floats, found: Floats) -> None:
    import numpy as np

    left, won, lost, bag, wanted, size = groups[:6]
    up, up_sum, up_wits, up_high, up_low = groups[6:11]
    down, down_sum, down_wits, down_high, down_low = groups[11:16]
    seen, seen_sum, seen_wits, seen_high, seen_low = groups[16:21]
    hidden, total, room = groups[21:24]
    mine, wits = up_sum + down_sum, up_wits + down_wits
    in_bag = np.maximum(head[10], 1)
    chance = _vote_chance(mine, wits, seen_sum, seen_wits, hidden, _pool(cards[2]))
    for_them = _vote_chance(seen_sum + 3 * hidden, seen_wits, up_sum, up_wits, down, _pool(cards[3]))
    coming = bag / in_bag
    special = total >= 8
    swing = 2 * chance - 1
    open_ = left > 0
    need, need_them = size // 2 + 1 - won, size // 2 + 1 - lost
    ahead = mine - seen_sum - hidden * 2.7
    put = _filler(found)
    for values in (
        ~open_, left / 5, won / 5, lost / 5, need <= 0, need_them <= 0,
        (lost == 0) & (won > 0), (won == 0) & (lost > 0), (need == 1) & open_, (need_them == 1) & open_,
        need > left, wanted / 2, wanted * open_ * (need > 0) * (need <= left),
    ):  # fmt: skip
        put(values)
    for values in (
        2 * coming, coming > 0, (up + down) / 5, (seen + hidden) / 5, mine / 10, seen_sum / 10, hidden / 3, down / 3,
        up_sum / 10, wits > 0, wits > 1, seen_wits > 0, seen_wits > 1, (wits > 0) & (up_wits == 0), swing,
        np.maximum(up_high, down_high) / 5, np.minimum(up_low, down_low) / 9, seen_high / 5, seen_low / 9, special,
        total == 7, total == 6, 3 * swing * coming + swing * special, room == 0, up + down == 0, seen + hidden == 0,
        2 * for_them - 1, np.tanh(ahead / 4), swing * wanted,
    ):  # fmt: skip
        put(values * open_)


def _rest_inputs(groups: Floats, cards: Floats, head: Floats, missions: Floats, found: Floats) -> None:
    import numpy as np

    put = _filler(found)
    hand, pile, theirs, mine = cards
    for counts, influence, action in ((hand, 2, 1), (pile, 5, 3), (theirs, 5, 3)):
        for card in range(KNOWN):
            put(counts[card] / (influence if card in INFLUENCE_CARDS else action))
    for card in INFLUENCE_CARDS:
        put(mine[card] / 5)
    for place, scale in ((13, 3), (14, 6), (15, 27), (16, 10), (17, 27), (18, 10), (8, 3), (9, 2), (10, 8), (11, 5)):
        put(head[place] / scale)
    left, won, lost, size = groups[0], groups[1], groups[2], groups[5]
    major = (2 * won > size).sum(0) + (won == size).sum(0)
    major_them = (2 * lost > size).sum(0) + (lost == size).sum(0)
    points, points_them, rest = won.sum(0) + major, lost.sum(0) + major_them, left.sum(0) / 21
    for values in (
        points / 20, points_them / 20, (points - points_them) / 5, (points - points_them) / 5 * (1 - rest), rest,
        head[5], head[6] / 20, head[7], head[12], head[19],
    ):  # fmt: skip
        put(values)
    mine_to_play = head[1]
    for due in range(4):
        put((head[0] == due) & (mine_to_play > 0))
        put((head[0] == due) & (mine_to_play == 0))
    other = 1 - mine_to_play
    for values in (
        head[2] / 2, head[3], head[4] > 0, (mine_to_play * 2 - 1) * rest, mine_to_play,
        head[2] * other / 2, head[3] * other, (head[4] > 0) * other,
    ):  # fmt: skip
        put(values)
    held = (missions[0] > 0).astype(np.float32) + (missions[3] > 0)
    put(held > 1)
    for at in (0, 3):
        kind, missing, possible = missions[at], missions[at + 1], missions[at + 2]
        known = (kind > 0) & (kind < s.TEXT)
        for number in range(1, 7):
            put(kind == number)
        done, gone = known & (missing == 0), known & (missing > possible)
        for values in (
            done, gone, known * np.minimum(missing, 5) / 5, known * np.clip(possible - missing, -2, 4) / 4,
            done * (1 - rest), (known & ~done & ~gone) * (missing == 1), known * missing * rest, known & (missing > 2),
        ):  # fmt: skip
            put(values)
    # The value of both together if only one will count.
    put(((missions[0] > 0) & (missions[1] == 0)) | ((missions[3] > 0) & (missions[4] == 0)))
    put(hand[:6].sum(0) / 6)
    put(hand[6:].sum(0) / 3)
    put((np.arange(6, dtype=np.float32) @ hand[:6]) / 20)
