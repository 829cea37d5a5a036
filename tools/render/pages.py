"""The parts of which pages are made: templates, styles, symbols and steps."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .page import SCRIPTS, STYLES, page
from .page_insight import ChartBar, ChartTurn, CurveMark, Insight, InsightBlock, InsightChart, MarkedDecision, SideHead
from .page_steps import COLUMNS, flat, names, page_steps, whole
from .page_what_if import before_tokens
from .picture import Scale, trace
from .symbols import sheet, table_data, table_symbols
from .synopsis import occasion_of, player, title
from .templating import LOOK, as_data, asset, filled, plain, sealed, template
from .vote_graph import OutlineRow, outline_rows
