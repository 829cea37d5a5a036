"""The net: it turns a position, as a player knows it, into that player's chance of winning.

It has three layers of numbers; the package includes them for each rule set. Its answers are rounded, so they do not
depend on how a machine adds up floats. All rows of a batch are evaluated at once, and cases are combined into options.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...notation.language import phrase
from ...replay.rules.api import Edition
from .options import OptionBatch
from .position import inputs, readings, rows_of, slants
from .unseen import WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from ...replay.rules.api import State
    from .position import Floats


class Net(NamedTuple):
    """Weights: two hidden layers of rectified units, then the logit of winning and a tenth of the margin."""

    layers: tuple[tuple[Floats, Floats], ...]
    even: Floats | None = None
    """What is subtracted from the logit so that chances are right on average: a factor for each of ``slants``."""

    def outputs(self, read: Floats) -> Floats:
        """Return the logit of winning and a tenth of the expected margin, shape (count, 2)."""
        import numpy as np

        for weights, bias in self.layers[:-1]:
            read = np.maximum(read @ weights + bias, 0)
        weights, bias = self.layers[-1]
        return read @ weights + bias

    def wins(self, rows: Floats, read: Floats) -> NDArray[np.float64]:
        """Return W of docs/judging.md for each row's viewer: the chance of winning, a draw counted as half.

        ``read`` is the same as for ``inputs``.
        """
        import numpy as np

        logits = self.outputs(inputs(rows, read))[:, 0].astype(np.float64)
        if self.even is not None:
            logits -= slants(rows) @ self.even
        return np.round(1 / (1 + np.exp(-logits)), 6)

    @property
    def name(self) -> str:
        """Return the beginning of a hash of the weights, which reports use as their name."""
        whole = sha256()
        for weights, bias in self.layers:
            whole.update(weights.tobytes() + bias.tobytes())
        if self.even is not None:
            whole.update(self.even.tobytes())
        return whole.hexdigest()[:12]


@lru_cache(maxsize=8)
def load(edition: str) -> Net:
    """Return the weights for a rule set, by its name. Raise LookupError if there are none."""
    place = Path(__file__).with_name("weights") / f"{edition}.npz"
    if not place.is_file():
        raise LookupError(phrase("there are no weights for the rules {rules}", rules=edition))
    return read_net(str(place))


def read_net(path: str) -> Net:
    """Return the weights in a file."""
    import numpy as np

    with np.load(path) as kept:
        arrays = [kept[name].astype(np.float32) for name in sorted(kept.files) if name != EVEN]
        even = kept[EVEN] if EVEN in kept.files else None
    return Net(tuple(zip(arrays[::2], arrays[1::2], strict=True)), even)


EVEN: Final = "even"
"""The name of that array in a file of weights; the other arrays are the layers, in order."""


def save_net(net: Net, path: str) -> None:
    """Write weights to a file, the layers in half precision."""
    import numpy as np

    layers = [array.astype(np.float16) for pair in net.layers for array in pair]
    arrays: dict[str, Any] = {f"a{number}": array for number, array in enumerate(layers)}
    if net.even is not None:
        arrays[EVEN] = net.even
    np.savez_compressed(path, **arrays)


NEAREST: Final = 1e-6
"""How close the chances can get to 0 and 1 while a game goes on."""


class Evaluator(NamedTuple):
    """A net that values positions under the readings and variants of a game, which are numbers, as for ``inputs``."""

    net: Net
    read: Floats

    def rows(self, batch: OptionBatch) -> NDArray[np.float64]:
        """Return the value of each row for its viewer: the net's, or what the game is worth if it is over.

        While it goes on, nothing is certain: the net's values are never 0 or 1.
        """
        import numpy as np

        values = self.net.wins(rows_of(batch.rows), self.read)
        results = np.frombuffer(batch.memory()[0], np.int64)
        return np.where(results >= 0, results / WHOLE, np.clip(values, NEAREST, 1 - NEAREST))

    def states(self, states: Iterable[State], viewer: int) -> NDArray[np.float64]:
        """Return the value of each state for ``viewer``; all are played on to the next decision."""
        batch = OptionBatch()
        for state in states:
            batch.position(state, viewer)
        return self.rows(batch)

    def options(self, batch: OptionBatch) -> NDArray[np.float64]:
        """Return the value of each option."""
        return option_values(batch, self.rows(batch))


def evaluator(edition: Edition) -> Evaluator:
    """Return the net that values positions of an edition. Raise LookupError if there is no net for its rules."""
    return Evaluator(load(edition.name), readings(edition))


def case_values(batch: OptionBatch, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the value of each case of a batch: that of its best row."""
    import numpy as np

    return np.maximum.reduceat(rows, np.frombuffer(batch.memory()[1], np.int64))


def option_values(batch: OptionBatch, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the value of each option of a batch, given those of its rows.

    A case is worth as much as its best row, an option as much as the mean of its cases. A veto counts by how likely the
    other side is to hold one, and only if it does harm.
    """
    import numpy as np

    _, weights, kinds, vetoes = (np.frombuffer(part, np.int64) for part in batch.memory()[1:])
    options, cases = len(vetoes), case_values(batch, rows)
    sums = np.bincount(kinds, weights * cases, 2 * options).reshape(options, 2)
    shares = np.bincount(kinds, weights, 2 * options).reshape(options, 2)
    means = sums / np.maximum(shares, 1e-9)
    harm = np.maximum(means[:, 0] - means[:, 1], 0) * (shares[:, 1] > 0)
    return np.round(means[:, 0] - vetoes / WHOLE * harm, 6)
