"""What one player knows of a table, as a row of numbers, and nothing else.

A row is the same whether the state holds every card or only those that the player could see: the other side's hand,
its pile, its face-down cards and those that it discarded unseen are counted together, as the copies that he has not
seen. ``inputs`` makes of rows what the net reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...notation.cards import GROUP_COUNT, INFLUENCE_KINDS, SOME_INFLUENCE, VETO
from ..rules import layout
from . import snapshots as s

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .snapshots import Snapshots

    Floats = NDArray[Any]
    Integers = NDArray[Any]

# Where the parts of a row stand.
HEADS: Final = 20
CARDS: Final = HEADS
"""By card: own hand, own pile, cards of the other side not seen, own cards that the other side has not seen."""
KNOWN: Final = SOME_INFLUENCE
MISSIONS: Final = CARDS + 4 * KNOWN
"""Two missions: kind (0 for none), how much is missing, how much of that can still come."""
MISSION_WORDS: Final = 3
GROUPS: Final = MISSIONS + 2 * MISSION_WORDS
GROUP_WORDS: Final = 24
PLACES: Final = 5
"""Groups of patricians in every edition."""
WORDS: Final = GROUPS + PLACES * GROUP_WORDS
"""Numbers in a row."""
_NO_CARD: Final = 9


class _Parts:
    """The parts of snapshots, of which each number of all of them lies in one piece of memory."""

    def __init__(self, shots: Snapshots) -> None:
        import numpy as np

        whole = np.frombuffer(shots.memory(), np.int64, shots.count * s.WORDS).reshape(-1, s.WORDS)
        # Small numbers, which the machine can add up many at a time; those that are cut off are columns, and those are
        # read from the whole ones.
        numbers = np.ascontiguousarray(whole.astype(np.int16).T)
        self.head, self.cells = numbers[: s.CELLS], numbers[s.CELLS :]
        self.columns = np.ascontiguousarray(whole[:, s.CELLS + layout.UP :][:, : 2 * layout.FACE_DOWN].T)
        self.second = self.head[s.VIEWER] == 1

    def cards(self, at: int) -> tuple[Integers, Integers]:
        """Return how many copies of each known card the viewer has there, and how many the other side."""
        return self._sides(self.cells[at:], layout.CARD_ROW, slice(KNOWN))

    def groups(self, at: int, groups: list[int]) -> tuple[Integers, Integers]:
        """Return what stands there for each group, of the viewer and of the other side."""
        return self._sides(self.cells[at:], layout.GROUP_ROW, groups)

    def lying(self, at: int, groups: list[int]) -> tuple[Integers, Integers]:
        """Return the columns that stand there for each group, of the viewer and of the other side."""
        return self._sides(self.columns[at - layout.UP :], layout.GROUP_ROW, groups)

    def side(self, at: int) -> tuple[Integers, Integers]:
        """Return what stands there, of the viewer and of the other side."""
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
        held - influence, influence, piles[0], piles[2], piles[1], piles[3], parts.cards(layout.GONE)[1][VETO],
    )):  # fmt: skip
        rows[place] = values


def _cards(parts: _Parts, groups: list[int], cards: Floats, by_group: Floats) -> None:
    """Write the copies of cards, and for each group three columns: own ones up and down, and the other side's up.

    Of a column come number, sum, philosophers, highest and lowest number (9 for none).
    """
    import numpy as np

    hands, piles, buried = (parts.cards(at) for at in (layout.HAND, layout.UNSEEN, layout.BURIED))
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
        card = left.astype(np.int8) & 15
        card[counts <= depth] = SOME_INFLUENCE
        left >>= 4
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
    """Write the kind of each mission, what its holder is missing, and what he can still get of that."""
    import numpy as np

    left, won = parts.cells[[layout.LEFT + group for group in groups]], parts.groups(layout.WON, groups)[0]
    need = (sizes >> 1) + 1 - won
    lacking = won == 0
    kind, group, count = parts.head[s.MISSIONS : s.CELLS].reshape(2, s.MISSION_WORDS, -1).swapaxes(0, 1)
    places = np.zeros(GROUP_COUNT + 1, np.intp)
    places[groups] = range(PLACES)
    place, every = places[group], np.arange(won.shape[1])
    # By kind of mission what is missing of each of the two, and what can still come.
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
