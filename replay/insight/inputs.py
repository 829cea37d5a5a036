"""What the net reads of a position: rows of ``position`` as floats, many at once.

The inputs do not depend on which missions or groups a game has: missions are told by what is missing to fulfil them,
groups by their places in the order of the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...notation.cards import INFLUENCE_CARDS
from ..editions.edition import Edition
from . import position as p
from .snapshots import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[Any]

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

    # An input of all rows lies in one piece of memory: that is how inputs are worked out.
    words = np.ascontiguousarray(rows.T, np.float32)
    count, options = len(rows), read.shape[-1]
    found = np.empty((p.PLACES * GROUP_INPUTS + REST_INPUTS + options, count), np.float32)
    groups = words[p.GROUPS :].reshape(p.PLACES, p.GROUP_WORDS, count).swapaxes(0, 1)
    cards = words[p.CARDS : p.MISSIONS].reshape(4, p.KNOWN, count)
    head = words[: p.HEADS]
    by_group = found[: p.PLACES * GROUP_INPUTS].reshape(p.PLACES, GROUP_INPUTS, count)
    _groups(groups, cards, head, by_group.swapaxes(0, 1))
    _rest(groups, cards, head, words[p.MISSIONS : p.GROUPS], found[p.PLACES * GROUP_INPUTS : -options])
    found[-options:] = read.T if read.ndim > 1 else read[:, None]
    return found.T


def _filler(found: Floats) -> Callable[[Floats | NDArray[np.bool_]], None]:
    """Return a function that writes one input after the other."""
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


def _wins(
    mine: Floats, wits: Floats, theirs: Floats, seen_wits: Floats, hidden: Floats, pool: tuple[Floats, ...]
) -> Floats:
    """Return about how likely a vote would be won: own sum and philosophers against what is seen of the others."""
    import numpy as np

    mean, spread, wit = pool
    ahead = mine - theirs - hidden * mean
    higher = 1 / (1 + np.exp(-1.7 * ahead / np.sqrt(hidden * spread + 0.25)))
    chance = np.where(wits != seen_wits, 1 - higher, higher)
    turned = np.minimum(0.8, hidden * wit)
    return (1 - turned) * chance + turned * (1 - chance)


def _groups(groups: Floats, cards: Floats, head: Floats, found: Floats) -> None:
    import numpy as np

    left, won, lost, bag, wanted, size = groups[:6]
    up, up_sum, up_wits, up_high, up_low = groups[6:11]
    down, down_sum, down_wits, down_high, down_low = groups[11:16]
    seen, seen_sum, seen_wits, seen_high, seen_low = groups[16:21]
    hidden, total, room = groups[21:24]
    mine, wits = up_sum + down_sum, up_wits + down_wits
    in_bag = np.maximum(head[10], 1)
    chance = _wins(mine, wits, seen_sum, seen_wits, hidden, _pool(cards[2]))
    for_them = _wins(seen_sum + 3 * hidden, seen_wits, up_sum, up_wits, down, _pool(cards[3]))
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


def _rest(groups: Floats, cards: Floats, head: Floats, missions: Floats, found: Floats) -> None:
    import numpy as np

    put = _filler(found)
    hand, pile, theirs, mine = cards
    for counts, influence, action in ((hand, 2, 1), (pile, 5, 3), (theirs, 5, 3)):
        for card in range(p.KNOWN):
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
        known = (kind > 0) & (kind < TEXT)
        for number in range(1, 7):
            put(kind == number)
        done, gone = known & (missing == 0), known & (missing > possible)
        for values in (
            done, gone, known * np.minimum(missing, 5) / 5, known * np.clip(possible - missing, -2, 4) / 4,
            done * (1 - rest), (known & ~done & ~gone) * (missing == 1), known * missing * rest, known & (missing > 2),
        ):  # fmt: skip
            put(values)
    # What both together are worth, where only one will count.
    put(((missions[0] > 0) & (missions[1] == 0)) | ((missions[3] > 0) & (missions[4] == 0)))
    put(hand[:6].sum(0) / 6)
    put(hand[6:].sum(0) / 3)
    put((np.arange(6, dtype=np.float32) @ hand[:6]) / 20)
