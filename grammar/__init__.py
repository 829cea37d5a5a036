"""The grammar of the notation, as text for Lark; the table that Lark makes of it; advice on what does not fit it."""

from functools import cache
from pkgutil import get_data  # importlib.resources takes longer to import than this to read


def grammar_text() -> str:
    """Return the text of ``tiro.lark``, the only definition of the notation."""
    return _text("tiro.lark")


def table_text() -> str:
    """Return the text of ``tiro.json``, Lark's parse table: see :func:`tironian.notation.parser.new_table`."""
    return _text("tiro.json")


def answers_text() -> str:
    """Return the text of ``words.json``, what Lark says to the commonest lines and words:
    see :func:`tironian.notation.word_cache.new_answers`.
    """
    return _text("words.json")


@cache
def advice() -> dict[str, dict[str, str]]:
    """Return the tables of ``advice.toml``: what people are told about text that does not fit the grammar."""
    import tomllib  # whoever makes no mistake never waits for it

    return tomllib.loads(_text("advice.toml"))


def _text(name: str) -> str:
    return (get_data(__name__, name) or b"").decode()
