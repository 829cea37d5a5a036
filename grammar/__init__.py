"""The grammar of the notation, as text for Lark."""

from importlib.resources import files


def grammar_text() -> str:
    """The text of ``tiro.lark``, the only definition of the notation."""
    return files(__name__).joinpath("tiro.lark").read_text(encoding="utf-8")
