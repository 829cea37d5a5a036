"""Many decisions valued at once: the rows of a batch go through the net, and cases are put together to options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .position import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from ..rules.state import State
    from .inputs import Floats
    from .net import Net
    from .option_batch import OptionBatch


NEAREST: Final = 1e-6
"""How near to 0 and 1 the chances of a game come that goes on."""


def row_values(batch: OptionBatch, net: Net, read: Floats) -> NDArray[np.float64]:
    """Return the value of each row for its viewer: the net's, or what the game is worth where it is over.

    While it goes on, nothing is certain: the net's values are never 0 or 1.
    """
    import numpy as np

    from .option_batch import WHOLE

    values = net.wins(rows_of(batch.rows), read)
    results = np.frombuffer(batch.memory()[0], np.int64)
    return np.where(results >= 0, results / WHOLE, np.clip(values, NEAREST, 1 - NEAREST))


def state_values(states: Iterable[State], viewer: int, net: Net, read: Floats) -> NDArray[np.float64]:
    """Return the value of each state for ``viewer``; all are played on to where something is decided."""
    from .option_batch import OptionBatch

    batch = OptionBatch()
    for state in states:
        batch.option(0, 0)
        batch.case()
        batch.row(state, viewer)
    return row_values(batch, net, read)


def option_values(batch: OptionBatch, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the value of each option of a batch, given those of its rows.

    Of a case the best row counts, of an option the mean of its cases. A veto is expected as far as one may be held,
    and where it harms.
    """
    import numpy as np

    from .option_batch import WHOLE

    begins, weights, kinds, vetoes = (np.frombuffer(part, np.int64) for part in batch.memory()[1:])
    options = len(vetoes)
    cases = np.maximum.reduceat(rows, begins)
    sums = np.bincount(kinds, weights * cases, 2 * options).reshape(options, 2)
    shares = np.bincount(kinds, weights, 2 * options).reshape(options, 2)
    means = sums / np.maximum(shares, 1e-9)
    harm = np.maximum(means[:, 0] - means[:, 1], 0) * (shares[:, 1] > 0)
    return np.round(means[:, 0] - vetoes / WHOLE * harm, 6)
