"""The pages that explain the diagnostic codes, one Markdown file each."""

from importlib.resources import files
from typing import Final

BARE: Final = """
The examples leave out required headers that don't matter here; a check warns of each (H201).
"""
"""Said below the pages to whose examples this applies."""


def page(code: str) -> str:
    """The page of a code as Markdown. FileNotFoundError where there is none."""
    text = files(__name__).joinpath(f"{code}.md").read_text(encoding="utf-8")
    return text + BARE if "[Rules " in text and "[Event " not in text else text
