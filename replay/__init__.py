"""The rules: editions, engine, law, checker and the tools around them."""

from ..notation import build as build  # before any module that may be compiled
