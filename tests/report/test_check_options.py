"""What of a check is reported, what makes it fail, and how much is said: by code, by severity, in every format."""

from __future__ import annotations

from reports import diagnostic, write
from reports import game as game_report
from tironian.notation.diagnostic import NOTE, RULED, WARNING

# ----------------------------------------------------------------------------------------------------- how much is said


def test_quiet_leaves_out_what_does_not_count():
    found = (diagnostic(severity=NOTE), diagnostic(severity=RULED), diagnostic(severity=WARNING))
    text = write("text", game_report(*found, stopped="7R"), quiet=True)
    assert text.startswith("warning[R204]")
    assert text.count("[R204]") == 1
    assert "could not be followed" not in text


def test_what_was_ruled_on_takes_one_line():
    ruled = diagnostic(severity=RULED)
    assert write("text", game_report(ruled, ruled, diagnostic(), ruled)).splitlines()[:7] == [
        "ruled[R204]: a sixth card --> games/final.tiro:23:4 (game 1, turn 7R)",
        "ruled[R204]: a sixth card --> games/final.tiro:23:4 (game 1, turn 7R)", "", "error[R204]: a sixth card",
        "  --> games/final.tiro:23:4 (game 1, turn 7R)", "   |", "23 | 7R (3)A 5A =A433:52>R +34",
    ]  # fmt: skip
    assert write("text", game_report(diagnostic(), ruled)).endswith("turn 7R)\n\n1 game, 204 events: 1 illegal; "
        "1 error, 1 ruled\n`tiro explain R204` says more.\n")  # fmt: skip
    verbose = write("text", game_report(ruled), verbose=True)
    assert verbose.count("ruled[R204]: a sixth card\n  --> ") == 1
