"""The rules: editions, engine, law, checker and the tools around them."""

import os

# Before any module that may be compiled; and only then, so that the command is ready for Ctrl-C before it imports much.
if os.environ.get("TIRONIAN_PURE") == "1":
    from ..notation import build as build
