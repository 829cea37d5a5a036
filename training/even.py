"""Make the chances of both players add up to one on average over deals.

Each net says how likely its player wins, with what they know. Both chances are expectations of one result: over many
deals their means add up to one, whatever each player knows. A trained net is too hopeful for both, though less so in
the first turn of a game. So something is taken off its logit, which depends on that and on the share of patricians
that are left, and changes evenly in between: so little of it changes with an event that none of it shows as luck or
skill. It is fitted on games of the net against itself; their results are not needed.

    PYTHONPATH=.venv/compiled python training/even.py 2024 [--weights FILE] [--games 4000]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from importlib.resources import files
from pathlib import Path

import numpy as np
from measure import turn_rows
from numpy.typing import NDArray
from tironian import load_edition
from tironian.replay.insight.net import Net, read_net, save_net
from tironian.replay.insight.position import inputs, progress, readings

FIRST_SEED = 5_000_000
"""The first seed of the games used for fitting: neither training nor measuring has used them."""
KNOTS = 8
STEPS = 20


def fitted(logits: NDArray[np.float64], left: NDArray[np.float64], first: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return what to subtract from the logits of both players (shape (positions, 2)) at KNOTS shares of patricians
    left, and what to add in the first turn.

    Around each knot, and in the first turn, the chances then add up to one (Newton).
    """
    far = np.abs(left[:, None] * (KNOTS - 1) - np.arange(KNOTS))
    near = np.column_stack([np.maximum(1 - far, 0), first])
    even = np.zeros(KNOTS + 1)
    for _step in range(STEPS):
        wins = 1 / (1 + np.exp(-(logits - (near @ even)[:, None])))
        slope = near.T @ (near * (wins * (1 - wins)).sum(1)[:, None])
        even += np.linalg.solve(slope + 1e-9 * np.eye(KNOTS + 1), near.T @ (wins.sum(1) - 1))
    return even


def main() -> None:
    """Fit a net's correction, and write it to its file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("--weights", help="file of weights; without it that of the package")
    parser.add_argument("--games", type=int, default=4000)
    args = parser.parse_args()
    path = args.weights or str(Path(str(files("tironian.replay.insight"))) / "weights" / f"{args.rules}.npz")
    edition, net = load_edition(args.rules), read_net(path)._replace(even=None)
    read, logits, left, first_turns = readings(edition), [], [], []
    for first in range(0, args.games, 500):
        rows, _ = turn_rows(edition, net, range(FIRST_SEED + first, FIRST_SEED + min(first + 500, args.games)))
        logits.append(net.outputs(inputs(rows, read))[:, 0].reshape(-1, 2).astype(np.float64))
        share, is_first = progress(rows[::2])
        left.append(share)
        first_turns.append(is_first)
    even = np.round(fitted(*map(np.concatenate, (logits, left, first_turns))), 4)
    save_net(Net(net.layers, even), path)
    *knots, first = (f"{each:.3f}" for each in even)
    print(f"{args.rules}: from no patrician left to all: {', '.join(knots)}; in the first turn {first}")


if __name__ == "__main__":
    main()
