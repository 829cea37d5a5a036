"""The pages that explain the diagnostic codes, one Markdown file each."""

from importlib.resources import files


def page(code: str) -> str:
    """The page of a code as Markdown. FileNotFoundError where there is none."""
    return files(__name__).joinpath(f"{code}.md").read_text(encoding="utf-8")
