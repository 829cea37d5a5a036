"""``python -m tironian.replay.cli``: the command where no ``tiro`` was installed."""

from . import main

main(prog_name="tiro")
