"""What people do with a game: record, judge, mend, join, look at, analyse and collect it."""

from ..notation import build as build  # before any module that may be compiled
