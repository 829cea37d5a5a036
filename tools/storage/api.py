"""Files and other places where texts come from and go to."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import CannotRun, files, stores
from .files import (
    BINARY, END_SIGNALS, dangling_link, links_outside, lock, mode_of, replacing, save_beside, sync_folder,
    uninterrupted,
)
from .stores import InputFile, is_address, store_errors
