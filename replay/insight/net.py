"""The net: a position, as a player knows it, to his chance of winning.

Three layers of numbers that the package brings for each rule set. Its answers are rounded, so that they do not depend
on how a machine adds up floats.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from .inputs import inputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .inputs import Floats


class Net(NamedTuple):
    """Weights: two hidden layers of rectified units, then the logit of winning and a tenth of the margin."""

    layers: tuple[tuple[Floats, Floats], ...]

    def outputs(self, read: Floats) -> Floats:
        """Return the logit of winning and a tenth of the expected margin, shape (count, 2)."""
        import numpy as np

        for weights, bias in self.layers[:-1]:
            read = np.maximum(read @ weights + bias, 0)
        weights, bias = self.layers[-1]
        return read @ weights + bias

    def wins(self, rows: Floats, read: Floats) -> NDArray[np.float64]:
        """Return the chance of winning, a draw counted as half, of each row's viewer; ``read`` as for ``inputs``."""
        import numpy as np

        logits = self.outputs(inputs(rows, read))[:, 0].astype(np.float64)
        return np.round(1 / (1 + np.exp(-logits)), 6)

    @property
    def name(self) -> str:
        """Return the beginning of a hash of the weights, by which reports name them."""
        whole = sha256()
        for weights, bias in self.layers:
            whole.update(weights.tobytes() + bias.tobytes())
        return whole.hexdigest()[:12]


@lru_cache(maxsize=8)
def load(edition: str) -> Net:
    """Return the weights for a rule set, by its name. Raise LookupError where there are none."""
    place = files("tironian.replay.insight") / "weights" / f"{edition}.npz"
    if not place.is_file():
        raise LookupError(f"there are no weights for the rules {edition}")
    return read_net(str(place))


def read_net(path: str) -> Net:
    """Return the weights of a file."""
    import numpy as np

    with np.load(path) as kept:
        arrays = [kept[name].astype(np.float32) for name in sorted(kept.files)]
    return Net(tuple(zip(arrays[::2], arrays[1::2], strict=True)))


def save(net: Net, path: str) -> None:
    """Write weights to a file, in half precision."""
    import numpy as np

    arrays = [array.astype(np.float16) for pair in net.layers for array in pair]
    np.savez_compressed(path, **{f"a{number}": array for number, array in enumerate(arrays)})  # pyright: ignore[reportArgumentType]
