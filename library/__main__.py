"""``python -m tironian`` runs the command ``tiro``."""

from __future__ import annotations

from .tools.cli.__main__ import main

main()
