"""The grammar of the notation, as text for Lark, and the table that Lark makes of it."""

from pkgutil import get_data  # importlib.resources takes longer to import than this to read


def grammar_text() -> str:
    """The text of ``tiro.lark``, the only definition of the notation."""
    return _text("tiro.lark")


def table_text() -> str:
    """The text of ``tiro.json``, what one Lark has made of it: see :func:`tironian.notation.parser.new_table`."""
    return _text("tiro.json")


def _text(name: str) -> str:
    return (get_data(__name__, name) or b"").decode()
