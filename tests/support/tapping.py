"""Simulated games as the taps that record them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import tironian
from tironian import Record, load_edition, parse, simulate, token_text, write
from tironian import tokens as t
from tironian.notation.cards import SOME_INFLUENCE
from tironian.notation.writer import score_text
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import END, MEANT, ORDER, Key, card, key_of, spelled, tap_of


def written_by(view: str, rules: str, seed: int) -> Record:
    """A simulated game as somebody would have written it."""
    record = simulate(load_edition(rules), seed)
    return record if view == "arbiter" else tironian.view(parse(write(record))[0], view).record


def begun(record: Record, view: str) -> Desk:
    return Desk(start_of(record, view))


def start_of(record: Record, view: str) -> dict[str, Any]:
    headers = {"Starts": "Caesar"} if record.header("Starts") == "Caesar" else {}
    return {"rules": record.header("Rules"), "view": view, "headers": headers}


def next_token(desk: Desk, record: Record) -> tuple[t.Token | None, int]:
    """What comes next of a record, and the side whose turn it is; None where the turn ends."""
    turns = desk.recorder.draft.record.turns
    for place, turn in enumerate(record.turns):
        mine = turns[place].tokens if place < len(turns) else ()
        for at, token in enumerate(turn.tokens):
            if at >= len(mine):
                return token, turn.side
            if mine[at] == token:
                continue
            if isinstance(token, t.Draw) and isinstance(mine[at], t.Draw):
                return t.Draw(token.cards[len(mine[at].cards) :]), turn.side
            if isinstance(token, t.Action) and isinstance(next(iter(turn.tokens[at + 1 :]), None), t.Veto):
                continue  # what an action would have done is filled in, until the veto takes it back
            return token, turn.side
        if place == len(turns) - 1 and desk.recorder.draft.cursor.label == turn.label:
            return None, turn.side
    return None, 0


def shown(desk: Desk, vote: t.AnyVote) -> Iterator[Key]:
    """The cards of a vote that the recorder could not know."""
    state = desk.recorder.draft.state
    assert state is not None
    for side, column in enumerate((vote.rome, vote.egypt)):
        cards = state.sides[side]
        known = [each for each in cards.hidden[vote.group] if each != SOME_INFLUENCE]
        hidden = Counter(column or ()) - Counter([*cards.up[vote.group], *known])
        yield from (card(side, each) for each in hidden.elements())


def taps_for(desk: Desk, token: t.Token | None, side: int) -> list[dict[str, Any]]:
    if isinstance(token, t.ActionOrder):
        return [tap_of(ORDER), *(tap_of(card(side, each)) for each in token.cards)]
    if isinstance(token, t.Draw) and (key := ("choice", token_text(token))) in desk.offered():
        return [tap_of(key)]
    cursor = desk.recorder.draft.cursor
    parts = spelled(token, side)
    if cursor.pending and cursor.announced and isinstance(token, t.Action):
        parts = parts[len(spelled(cursor.announced, side)) :]
    keys = [key for part in parts for key in part]
    return [*map(tap_of, keys + ([*shown(desk, token)] if isinstance(token, t.AnyVote) else []))]


def still_to_tap(desk: Desk, taps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The taps of a word that were neither tapped yet nor filled in."""
    left = [*taps]
    for key in desk.word:
        left.remove(tap_of(key))
    return left


def meant(desk: Desk, token: t.Token | None, tap: dict[str, Any]) -> dict[str, Any] | None:
    """The button that says which word was tapped, where it can be several; None where no such button is needed."""
    if token is None or not desk.word:
        return None
    text = f"+{tap['card']}" if isinstance(token, t.Draw) else token_text(token)
    named = token_text(t.chosen(token)) if isinstance(token, t.Action) else text
    keys = [("choice", MEANT + each) for each in (text, named)]
    return next((tap_of(key) for key in keys if key in desk.offered()), None)


def result_taps(desk: Desk, record: Record) -> list[dict[str, Any]]:
    """What is tapped once all turns are there: the end of the last one, and what the cards don't tell of the result."""
    offered, result = desk.offered(), record.result
    assert result is not None
    wanted = [END] if not desk.screen()["over"] else [("choice", score_text(result))]
    wanted += [("choice", f"m{'RE'[side]}{'+' if met else '-'}") for side, each in result.verdicts for met in each]
    return [tap_of(key) for key in wanted if key in offered][:1]


def tapped(desk: Desk, record: Record) -> Iterator[dict[str, Any]]:
    """Tap a game, and yield each tap after it was taken. Only what the screen offers is tapped, nothing is refused."""
    while True:
        before, stood = desk.text, desk.screen()
        assert_told_apart(stood)
        if desk.recorder.draft.record.turns == record.turns:
            token, taps = None, result_taps(desk, record)
            if not taps:
                return
        else:
            token, side = next_token(desk, record)
            taps = taps_for(desk, token, side)
        while left := still_to_tap(desk, taps):
            tap = left[0]
            assert key_of(tap) in desk.offered(), (token, tap, desk.screen()["offers"])
            screen = desk.take(tap)
            assert screen["refusal"] is None, (token, tap, screen["refusal"])
            assert_told_apart(screen)
            yield tap
            if desk.text != before or token is None or not desk.word:
                break  # the rest may be filled in, or be asked for anew as what came of an action
            is_last = isinstance(token, t.Draw) or not still_to_tap(desk, taps)
            if is_last and (button := meant(desk, token, tap)):
                desk.take(button)
                yield button
                break
        assert desk.screen() != stood, (token, stood)


def assert_told_apart(screen: dict[str, Any]) -> None:
    """Assert that no two buttons say the same."""
    offers = screen["offers"]
    said = [each["text"] for each in (*offers["cards"], *offers["choices"], *offers["deeds"]) if "text" in each]
    assert len({*said}) == len(said), said


def assert_same(desk: Desk, record: Record) -> None:
    recorded, screen = desk.recorder.draft.record, desk.screen()
    assert recorded.turns == record.turns
    assert (recorded.result, screen["over"], screen["unread"]) == (record.result, True, 0)
