"""Archives on other machines, as tables, and queried: what few calls need."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from . import tables
from .cluster import TASK_SIZE, cluster_runner
from .sql import THREAD, ExportedTables, Query, ready_queries
from .tables import TABLES, parquet_of
