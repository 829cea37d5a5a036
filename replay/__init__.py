"""What the game is: editions, rules, engine, checker, what can be known of hidden cards, and what happened."""

from ..notation import build as build  # before any module that may be compiled
