"""Draw the pictures of the documents, and the score sheets: ``make pictures``."""

from __future__ import annotations

from pathlib import Path

from score_sheets import SHEETS, sheets
from tironian.notation.language import languages
from tironian.tools.cli.command_line import main

HERE = Path(__file__).parent
GAME = str(HERE.parents[1] / "examples" / "2024" / "annotated.tiro")
PICTURES = {
    "table": ("show", GAME, "--at", "5R", "--format", "svg"),
    "table-narrow": ("show", GAME, "--at", "5R", "--format", "svg", "--narrow"),
    "game": ("timeline", GAME, "--format", "svg"),
    "vote": ("votes", GAME, "--vote", "7", "--format", "svg"),
}
"""Name → the command that draws it."""


PRINTED = {"a4": ["score-sheet-a4"], "a5": ["score-sheet-a5-front", "score-sheet-a5-back"]}
"""Size of paper → the sheets that its PDF file holds, a page each."""


def draw() -> None:
    """Write all pictures beside this file."""
    for code, folder in zip(languages(), folders(), strict=True):
        for name, command in PICTURES.items():
            where = str(HERE / folder / f"{name}.svg")
            main(["--lang", code, *command, "-o", where, "--force"], standalone_mode=False)
    for name, sheet in sheets():
        (HERE / f"{name}.svg").parent.mkdir(exist_ok=True)
        (HERE / f"{name}.svg").write_text(sheet, encoding="utf-8")
    for folder in folders():
        for paper, names in PRINTED.items():
            to_pdf(HERE / folder / f"score-sheet-{paper}.pdf", [folder + name for name in names])


def folders() -> list[str]:
    """Return where the pictures of each language lie: the English ones here, others in a folder of their own."""
    return ["" if code == "en" else f"{code}/" for code in languages()]


def to_pdf(path: Path, names: list[str]) -> None:
    """Write sheets as the pages of a PDF file; the same ones give the same bytes."""
    from reportlab.graphics import renderPDF
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas
    from svglib.svglib import svg2rlg

    sheet = SHEETS[names[0].rpartition("/")[2]]
    canvas = Canvas(str(path), (sheet.width * mm, sheet.height * mm), invariant=True)
    for name in names:
        renderPDF.draw(svg2rlg(str(HERE / f"{name}.svg")), canvas, 0, 0)
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    draw()
