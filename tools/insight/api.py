"""Judged games: reports, the files beside their records, texts and pages, and what is known of players."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .analysis import LuckLedger, Point, Report, SideReport, analyse, costs_of, swings_of, worded
from .analysis_json import KeptReport, NoReport, as_kept, chosen, keep, kept, report_data, write_table
from .analysis_page import analysis_page, insight_of
from .analysis_text import annotated, deception, points, text
from .judged_games import FAILED, SPECTATED, GameJudge, JudgedGame
from .judgement import Compared, Judged
from .player_sums import PartLine, PlayerLine, PlayerSums, players_data, write_players, write_players_table
