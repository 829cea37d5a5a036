"""Tournament mode: a player who records their own game is told nothing before it is over, and loses nothing by it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner
from scale import scaled
from tapping import result_taps, start_of, written_by
from tironian import EDITION_NAMES, Record, token_text, turn_text
from tironian import tokens as t
from tironian.notation.cards import GROUP_LETTERS
from tironian.notation.writer import CARD_HEADERS
from tironian.replay.engine.headers import PLAYERS
from tironian.replay.knowledge.table_view import SEES
from tironian.tools.cli.command_line import main
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import DRAW, END, KEEP, MEANT, Key, card, spelled, tap_of
from tironian.tools.recorder.commands import Rejected, enter, run_command
from tironian.tools.recorder.questions import blank
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import InMemoryStore

AnyDesk = TypeVar("AnyDesk", bound=Desk)


def tapped_by_form(token: t.Token, side: int) -> list[Key]:
    """A word as it is tapped where it is taken by its form: all that stands in it, in the order of the notation."""
    whole = [key for part in spelled(token, side) for key in part]
    match token:
        case t.Vote(rome=rome, egypt=egypt) | t.SpecialVote(rome=rome, egypt=egypt):
            return [*whole, *(card(0, each) for each in rome or ()), *(card(1, each) for each in egypt or ())]
        case t.Draw(cards):
            return [DRAW, *(card(side, each) for each in cards)]
        case t.ChooseMission():
            return [KEEP, *whole]
        case t.Spy(draw=draw, hand=hand, card=taken):
            seen = [card(1 - side, each) for each in (*(hand or ()), *([] if taken is None else [taken]))]
            return [whole[0], *seen, *([] if draw is None else [DRAW, card(1 - side, draw)])]
        case t.Castle(first, second, one, other):
            lie = [[card(side, each) for each in cards or ()] for cards in (one, other)]
            places = [("group", GROUP_LETTERS[each]) for each in (first, second)]
            return [whole[0], places[0], *lie[0], places[1], *lie[1]]
        case _:
            return whole


def by_taps(record: Record, view: str, kind: type[AnyDesk] = Desk) -> tuple[AnyDesk, list[Key]]:
    """Tap a whole game in tournament mode; every tap is one that is offered. Return the desk, and the taps."""
    desk, taps = kind({**start_of(record, view), "tournament": True}), list[Key]()

    def tap(key: Key) -> None:
        assert key[0] == "text" or key in desk.offered(), (key, desk.screen())
        screen = desk.take(tap_of(key))
        assert (screen["refusal"], screen["unread"]) == (None, 0)
        taps.append(key)

    for turn in record.turns:
        if not turn.number and not SEES[view][turn.side]:
            continue
        if desk.recorder.draft.cursor.label != turn.label:
            tap(("choice", turn.label))
        for token in turn.tokens:
            if isinstance(token, t.ActionOrder) or (
                isinstance(token, t.Castle) and token.cards_first == token.cards_second == ()
            ):
                tap(("text", token_text(token)))
                continue
            for key in tapped_by_form(token, turn.side):
                tap(key)
            if desk.word:
                (meant,) = [key for key in desk.offered() if key[1].startswith(MEANT)]
                tap(meant)
        tap(END)
    assert "The game is over" in [actual["text"] for actual in desk.screen()["offers"]["deeds"]]
    desk.take(tap_of(("choice", "/end normal")))
    while more := result_taps(desk, record):
        desk.take(more[0])
    return desk, taps


def begun(rules: str, view: str, starts: str = "", mode: str = "tournament") -> Recorder:
    return Recorder(InMemoryStore(blank(rules, {"View": view, "Mode": mode, "Starts": starts}, "?")))


def typed(record: Record, view: str, mode: str) -> Recorder:
    """Type a whole game, line by line."""
    recorder = begun(record.header("Rules"), view, record.header("Starts"), mode)
    for turn in record.turns:
        if turn.number or SEES[view][turn.side]:
            assert recorder.enter(" ".join([turn.label, *map(token_text, turn.tokens)]))
            assert recorder.draft.cursor.label != turn.label or recorder.draft.is_over or recorder.enter("")
    assert record.result is not None
    if recorder.draft.record.points is None:
        assert recorder.enter("-".join(map(str, record.result.points or ())))
    return recorder


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("view", PLAYERS)
@pytest.mark.parametrize("seed", range(scaled(1, 100)))
def test_a_legal_game_is_recorded_as_without_tournament_mode(rules: str, view: str, seed: int):
    record = written_by(view, rules, seed)
    normal = typed(record, view, "").draft
    desk, _ = by_taps(record, view)
    for draft in (desk.recorder.draft, typed(record, view, "tournament").draft):
        assert draft.record.turns == normal.record.turns == record.turns
        assert draft.record.points == normal.record.points == record.points
        assert draft.verdict.verdict == normal.verdict.verdict
        assert not draft.errors


def test_a_card_that_is_drawn_after_a_spy_that_took_nothing_is_a_word_of_its_own():
    desk = Desk({"rules": "1997", "view": "caesar", "tournament": True})
    spy, drawn = ("card", "R", "y", "up"), ("card", "R", "1", "up")
    for key in (("text", "(5)S (4)Q (3)A (2)K (1)C +y"), END, ("text", "0E (i)S (i)Q (i)A (i)K (i)C +1"), END):
        desk.take(tap_of(key))
    for key in (("choice", "1R"), spy, DRAW, drawn, END):
        screen = desk.take(tap_of(key))
        assert (screen["refusal"], screen["unread"]) == (None, 0), key
    assert turn_text(desk.recorder.draft.record.turns[-1]) == "1R y +1"


PROMPTS: dict[Any, set[str]] = {}
"""What screens have asked after words of these kinds."""


def told(desk: Desk) -> tuple[Any, dict[str, Any]]:
    """What was written as far as its form goes: whose turn, and what of a word; and what a screen tells beside it. The
    prompt also depends on the kinds of words in the turn.
    """
    cursor, screen = desk.recorder.draft.cursor, desk.screen()
    place = cursor.label if cursor.fresh else (cursor.side, bool(cursor.number))
    kinds = () if cursor.fresh else tuple(map(type, desk.recorder.draft.record.turns[-1].tokens))
    PROMPTS.setdefault((place, desk.word, kinds, screen["rules"]), set()).add(screen.pop("prompt"))
    told = {name: value for name, value in screen.items() if name not in ("record", "turn", "heading", "can")}
    return (place, desk.word), told


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("view", PLAYERS)
@pytest.mark.parametrize("seed", range(scaled(1, 25)))
def test_what_is_told_and_offered_depends_on_the_form_of_words_alone(rules: str, view: str, seed: int):
    """In a legal game, and in one of taps at random, nearly all illegal, the same is told after the same word."""
    chance, seen, met = random.Random(seed), dict[Any, Any](), 0
    record = written_by(view, rules, seed)
    start = {**start_of(record, view), "tournament": True}
    _, taps = by_taps(record, view)
    legal = Desk(start)
    for key in taps[: scaled(150, len(taps))]:
        legal.take(tap_of(key))
        seen.update([told(legal)])
    other = Desk(start)
    for _ in range(scaled(150, 2000)):
        offered = [*other.offered()]
        screen = other.take(tap_of(END if END in offered and chance.random() < 0.1 else chance.choice(offered)))
        assert (screen["refusal"], screen["unread"], screen["table"]) == (None, 0, {})
        assert not other.recorder.draft.errors
        where, shown = told(other)
        met += where in seen
        assert seen.setdefault(where, shown) == shown
    assert met > 20
    assert [said for said in PROMPTS.values() if len(said) > 1] == []


LATE = "seems to belong to the next turn"


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("view", PLAYERS)
@pytest.mark.parametrize("seed", range(scaled(1, 25)))
def test_whoever_forgets_to_end_a_turn_is_told_by_its_form(rules: str, view: str, seed: int):
    """Never in a legal game; and after no more than a turn where no turn is ended."""
    record = written_by(view, rules, seed)
    start = {**start_of(record, view), "tournament": True}
    desk, forgetful, told_after = Desk(start), Desk(start), 0
    for key in by_taps(record, view)[1][: scaled(150, 2000)]:
        assert LATE not in desk.take(tap_of(key))["prompt"], desk.text
    for number, turn in enumerate([turn for turn in record.turns if turn.number or SEES[view][turn.side]][:4]):
        for token in turn.tokens:
            screen = forgetful.take(tap_of(("text", token_text(token))))
        told_after = told_after or number * (LATE in screen["prompt"])
    assert told_after in (1, 2)
    assert f"written into {'1' if record.header('View') == 'table' else '0'}" in screen["prompt"]


def test_a_group_that_is_tapped_first_begins_a_special_vote_and_says_so():
    desk = Desk({"rules": "2024", "view": "caesar", "tournament": True})
    screen = desk.take(tap_of(("group", "P")))
    assert screen["prompt"].startswith("This begins a special vote at the Praetors")
    screen = desk.take(tap_of(("card", "R", "5", "up")))
    assert screen["prompt"].startswith("This begins a special vote at the Praetors")


def test_once_a_game_is_over_its_turns_are_corrected_as_in_any_record():
    record = written_by("arbiter", "1997", 0)
    recorder = typed(record, "arbiter", "tournament")
    turn = next(turn for turn in record.turns if any(isinstance(token, t.Vote) for token in turn.tokens))
    words = [
        f"={GROUP_LETTERS[token.group]}" if isinstance(token, t.Vote) else token_text(token) for token in turn.tokens
    ]
    shown = [token for token in turn.tokens if isinstance(token, t.Vote)]
    assert run_command(recorder, " ".join([f"/edit {turn.label}", *words])) == ["everything fits"]
    (edited,) = [each for each in recorder.draft.record.turns if each.label == turn.label]
    assert [token for token in edited.tokens if isinstance(token, t.Vote)] == shown


ILLEGAL = ["(5)P (5)Q (2)A m(12,Q*) +v", "5P +i", "5P 5P 5Q xP =A +1", "7Z"]


def test_what_is_illegal_stays_as_it_was_written_and_is_judged_at_the_end():
    recorder = begun("2024", "caesar")
    for line in ILLEGAL[:3]:
        assert enter(recorder, line) == []
        assert enter(recorder, "") == []
    assert "can't be read" in enter(recorder, ILLEGAL[3])[0]  # that is no word at all
    for order, said in (("/legal", "nothing is judged"), ("/repair", "nothing is judged"), ("/edit 1R 5P 5P", "")):
        assert said in "".join(run_command(recorder, order))
    for order in ("/sheet", "/header Mode", "/header Termination normal"):
        with pytest.raises(Rejected, match="tournament mode"):
            run_command(recorder, order)
    assert recorder.choices() == []
    assert (recorder.draft.errors, recorder.draft.state) == ((), None)
    lines = run_command(recorder, "/end normal")
    assert len(lines) > 2
    assert lines[-1] == "  /repair lists what would make it fit"
    turns = {turn.label: turn_text(turn) for turn in recorder.draft.record.turns}
    assert turns["0R"] == f"0R {ILLEGAL[0]}"
    assert turns["0E"].startswith("0E (i)P (i)Q")
    assert turns["1R"] == "1R 5P 5P"
    assert not recorder.enter("4P")


def test_a_game_that_is_said_to_be_over_too_soon_offers_no_help_either():
    desk = Desk({"rules": "2024", "view": "caesar", "tournament": True})
    for text in (*ILLEGAL[:2], "/end normal"):
        desk.take({"tap": "text", "text": text})
    offers = desk.screen()["offers"]
    assert not any(offers[name] for name in ("cards", "groups", "busts", "numbers"))
    assert [each["key"] for each in offers["choices"]] == ["/sign Caesar, Cleopatra"]
    assert desk.take({"tap": "undo"})["table"] == {}


def test_a_record_in_a_file_stays_in_tournament_mode_until_the_game_is_over(tmp_path: Path):
    file = str(tmp_path / "game.tiro")
    new = ["record", file, "--rules", "2024", "--as", "caesar", "--plain", "--tournament"]
    first = CliRunner().invoke(main, new, input="\n\n".join(ILLEGAL[:3]) + "\n")
    assert first.exit_code == 0, first.output
    assert '[Mode "tournament"]' in Path(file).read_text(encoding="utf-8")
    again = CliRunner().invoke(main, ["record", file, "--plain"], input="5Q\n/end normal\n")
    assert again.exit_code == 1
    assert "[R104]" in again.output.partition("the game has ended")[2]
    assert "[R" not in again.output.partition("the game has ended")[0]


def test_tournament_mode_can_not_be_turned_on_later(tmp_path: Path):
    file = str(tmp_path / "game.tiro")
    CliRunner().invoke(main, ["record", file, "--rules", "2024", "--plain"], input="")
    again = CliRunner().invoke(main, ["record", file, "--plain", "--tournament"], input="")
    assert "--tournament has no effect" in again.output


@pytest.mark.parametrize("name", CARD_HEADERS)
@pytest.mark.parametrize("written", [str, str.lower, str.upper])
def test_no_header_changes_what_the_turns_mean_once_there_is_one(name: str, written: Callable[[str], str]):
    recorder = Recorder(InMemoryStore(blank("2024", {"View": "caesar", "Mode": "tournament"}, "2026.05.31")))
    run_command(recorder, f"/header {written(name)} 2024")
    run_command(recorder, f"/header {written(name)}")
    recorder = Recorder(InMemoryStore(blank("2024", {"View": "caesar", "Mode": "tournament"}, "2026.05.31")))
    recorder.enter("(1)P")
    before = recorder.draft.text
    for value in ("1997", "arbiter", ""):
        with pytest.raises(Rejected, match="until the game is over"):
            run_command(recorder, f"/header {written(name)} {value}")
    assert recorder.draft.text == before
    run_command(recorder, "/header Site Cologne")
    run_command(recorder, "/end normal")
    run_command(recorder, f"/header {written(name)} 1997")
