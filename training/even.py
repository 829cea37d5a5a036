"""Make the chances of both players right on average, and so add up to one.

Each net says how likely its player wins, with what they know. A trained net is too hopeful for both players, by an
amount that depends on the stage of the game, on what is due, and on which cards are used up. So something that depends
on these is taken off its logit. It is fitted on games of the net against itself.

    PYTHONPATH=.venv/compiled python training/even.py 2024 [--weights FILE] [--games 4000]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from importlib.resources import files
from pathlib import Path

import numpy as np
from measure import event_rows
from numpy.typing import NDArray
from tironian import load_edition
from tironian.tools.insight.net import Net, read_net, save_net
from tironian.tools.insight.position import inputs, readings, slants

FIRST_SEED = 5_000_000
"""The first seed of the games used for fitting: neither training nor measuring has used them."""
STEPS = 20
WEAK = 20.0
"""How many positions pull each factor towards zero: some situations are rare."""


def fitted(
    logits: NDArray[np.float64], slanted: NDArray[np.float32], results: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the factors with which ``slants`` are subtracted from the logits: those that make the results likeliest
    (logistic regression by Newton's method).

    Both players are among the positions, so on average both chances then add up to one wherever a slant is the same
    for both.
    """
    even = np.zeros(slanted.shape[1])
    for _step in range(STEPS):
        wins = 1 / (1 + np.exp(-(logits - slanted @ even)))
        slope = slanted.T @ (slanted * (wins * (1 - wins))[:, None]) + WEAK * np.eye(len(even))
        even += np.linalg.solve(slope, slanted.T @ (wins - results) - WEAK * even)
    return even


def main() -> None:
    """Fit a net's correction, and write it to its file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("--weights", help="file of weights; without it that of the package")
    parser.add_argument("--games", type=int, default=4000)
    args = parser.parse_args()
    path = args.weights or str(Path(str(files("tironian.tools.insight"))) / "weights" / f"{args.rules}.npz")
    edition, net = load_edition(args.rules), read_net(path)._replace(even=None)
    read, logits, slanted, results = readings(edition), [], [], []
    for first in range(0, args.games, 250):
        seeds = range(FIRST_SEED + first, FIRST_SEED + min(first + 250, args.games))
        rows, came, _ = event_rows(edition, net, seeds)
        logits.append(net.outputs(inputs(rows, read))[:, 0].astype(np.float64))
        slanted.append(slants(rows).astype(np.float32))
        results.append(came)
    even = np.round(fitted(*map(np.concatenate, (logits, slanted, results))), 4)
    save_net(Net(net.layers, even), path)
    print(f"{args.rules}: {', '.join(f'{each:.3f}' for each in even)}")


if __name__ == "__main__":
    main()
