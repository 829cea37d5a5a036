"""Games against the program by taps, without a browser: messages go in, screens come out."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from duels import RULES, with_other_cards
from jsonschema import Draft202012Validator
from scale import scaled
from tironian import check, load_edition, parse
from tironian.notation.writer import write
from tironian.replay.engine.headers import PLAYERS
from tironian.replay.rules.core import TARGET
from tironian.schemas import load_schema
from tironian.tools.desk.desk import DeskError
from tironian.tools.desk.folder import GameFolder
from tironian.tools.desk.serving.playing import HINT, PlayedGame, PlayedGames
from tironian.tools.desk.worker import DeskSession
from tironian.tools.insight.duel import Duel

SCREEN = Draft202012Validator(load_schema("desk"))


def taps_of(screen: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every tap that a screen offers, but for the hint."""
    offers = screen["offers"]
    return [
        *({"tap": "card"} | {name: each[name] for name in ("of", "card", "face")} for each in offers["cards"]),
        *({"tap": "group", "group": each} for each in offers["groups"]),
        *({"tap": "bust", "bust": each} for each in offers["busts"]),
        *({"tap": "number", "n": each} for each in offers["numbers"]),
        *({"tap": "choice", "choice": each["key"]} for each in offers["choices"] if each["key"] != HINT[1]),
    ]


class Page:
    """A page that plays at random, and notes what it chose."""

    def __init__(self, games: PlayedGames, rules: str, level: int, seed: int, view: str = "caesar") -> None:
        self.games = games
        self.told: dict[str, Any] = self.ask(
            start={"rules": rules, "level": level, "seed": seed, "view": view, "name": "Livia"}
        )

    def ask(self, **more: Any) -> dict[str, Any]:
        told = self.games.answer({"ask": "play", **more})
        assert told is not None
        SCREEN.validate(told["screen"])
        self.told = told
        return told

    def tap(self, tap: dict[str, Any]) -> dict[str, Any]:
        return self.ask(game=self.told["game"], made=self.told["made"], tap=tap)

    def over(self) -> bool:
        return self.told["screen"]["over"]

    @property
    def played(self) -> PlayedGame:
        return self.games.open[self.told["game"]]


def play_on(page: Page, dice: Random, most: int = 2000) -> list[str]:
    """Tap at random until the game is over; return the words that were chosen."""
    chosen: list[str] = []
    choose = page.played.duel.choose

    def noted(place: int) -> None:
        chosen.append(page.played.duel.offers()[place].text)
        choose(place)

    page.played.duel.choose = noted  # type: ignore[method-assign]
    for _ in range(most):
        if page.over():
            break
        taps = taps_of(page.told["screen"])
        assert taps, page.told["screen"]["prompt"]
        page.tap(dice.choice(taps))
        assert page.told["screen"]["unread"] == 0
    return chosen


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("level", [1, 3, 5][: scaled(1, 3)])
def test_a_game_by_taps_is_the_game_of_the_same_choices_in_lines(rules: str, level: int, tmp_path: Path):
    for seed in range(scaled(1, 4)):
        side = seed % 2
        folder = GameFolder(tmp_path / "games")
        page = Page(PlayedGames(tmp_path / "own", folder), rules, level, seed, PLAYERS[side])
        chosen = play_on(page, Random(seed))
        assert page.over()
        record = page.told["text"]
        other = Duel(load_edition(rules), side, level, seed, "Livia")
        for text in chosen:
            other.choose(next(at for at, offer in enumerate(other.offers()) if offer.text == text))
        assert record == write(other.record())
        assert check(parse(record)[0].record).verdict == "legal"
        assert (folder.path / page.told["file"]).read_text() == record
        assert not [*(tmp_path / "own").iterdir()]


def test_every_offer_can_be_reached_by_taps(tmp_path: Path):
    for seed in range(scaled(1, 40)):
        page = Page(PlayedGames(tmp_path), RULES[seed % len(RULES)], 1, seed)
        dice = Random(seed)
        for _ in range(scaled(8, 60)):
            if page.over():
                break
            wanted = {offer.text for offer in page.played.duel.offers()}
            assert reached(page.played) == wanted
            play_on(page, dice, 1)
            while page.played.choosing.taps:
                play_on(page, dice, 1)


def reached(played: PlayedGame) -> set[str]:
    """Return the words of all offers that taps lead to."""
    from tironian.tools.desk.serving.playing import TapChoice

    active = played.duel.side if played.duel.is_laying else int(played.duel.state.active)
    found, ways = set[str](), [()]
    while ways:
        way = ways.pop()
        fresh = TapChoice(played.duel.offers(), active, str)
        done = [text for key in way if (text := fresh.tap(key)) is not None]
        if done:
            found.add(done[0])
        else:
            ways += [(*way, key) for key in fresh.offered()]
        assert len(way) < 12
    return found


@pytest.mark.parametrize("rules", RULES)
def test_what_a_page_gets_does_not_rest_on_what_its_player_cannot_know(rules: str, tmp_path: Path):
    pairs = 0
    for seed in range(scaled(2, 50)):
        page, dice = Page(PlayedGames(tmp_path), rules, 1, 912_345_600 + seed), Random(seed)
        while not page.over() and pairs < scaled(40, 2000):
            duel = page.played.duel
            if not duel.is_laying and duel.match.kind != TARGET:  # a spy sees the hand
                kept = duel.match.state
                before = json.dumps(page.played.screen())
                with_other_cards(duel, pairs)
                assert json.dumps(page.played.screen()) == before
                duel.match.state = kept
                pairs += 1
                assert str(duel.seed) not in before
            play_on(page, dice, 1)
    assert pairs >= scaled(20, 200)


def test_what_was_shown_is_not_played_again(tmp_path: Path):
    """Whatever is lost, an answer or the process, the game goes on from what its file has, which was written first."""
    page, dice = Page(PlayedGames(tmp_path), "2024", 1, 11), Random(5)
    for number in range(scaled(40, 400)):
        if page.over():
            break
        before, tap = page.told, dice.choice(taps_of(page.told["screen"]))
        told = page.tap(tap)
        if told["made"] == before["made"] or page.over():
            continue
        again = page.games.answer({"ask": "play", "game": told["game"], "made": before["made"], "tap": tap})
        assert again == told, "an answer that was lost is told again, and its tap is not taken twice"
        if number % 3 == 0 and not page.played.duel.is_laying:
            record = write(page.played.duel.record())
            page.games = PlayedGames(tmp_path)  # the server is killed
            back = page.ask(game=told["game"])
            assert write(page.played.duel.record()) == record
            assert back["screen"]["table"] == told["screen"]["table"]
            assert back["screen"]["offers"] == told["screen"]["offers"]


def test_a_move_is_taken_back_and_a_hint_changes_nothing(tmp_path: Path):
    page = Page(PlayedGames(tmp_path), "2024", 2, 3)
    page.tap({"tap": "choice", "choice": "/"})
    before = page.told["screen"]
    hinted = page.tap({"tap": "choice", "choice": "/hint"})["screen"]
    assert sum(offer.words in hinted["said"] for offer in page.played.duel.offers()) > 1
    assert hinted["offers"] == before["offers"]
    page.tap({"tap": "text", "text": "9Z"})
    assert "9Z" in page.told["screen"]["said"]
    place = next(offer for offer in page.played.duel.offers() if offer.text[0] in "12345" and len(offer.text) == 2)
    page.tap({"tap": "text", "text": place.text})
    assert place.words in page.told["screen"]["turn"]
    assert page.told["screen"]["can"]["undo"]
    assert page.tap({"tap": "undo"})["screen"]["table"] == before["table"]


def test_a_tap_that_means_nothing_is_answered_and_changes_nothing(tmp_path: Path):
    page = Page(PlayedGames(tmp_path), "2024", 1, 5)
    before = page.told["screen"]
    for tap in ({"tap": "number", "n": 9}, {"tap": "bust", "bust": "o"}, {"tap": "choice", "choice": "/nothing"}):
        after = page.tap(tap)["screen"]
        assert "no meaning" in json.dumps(after)
        assert after["offers"] == before["offers"]


def test_it_is_played_on_from_a_turn_of_a_record(tmp_path: Path):
    text = Path("examples/2024/annotated.tiro").read_text()
    games = PlayedGames(tmp_path)
    told = games.answer({"ask": "play", "start": {"rules": "1997", "from": text, "at": "3E", "level": 1}})
    assert told is not None
    assert told["screen"]["rules"] == "2024"
    assert told["screen"]["heading"] == "Turn 3 · Cleopatra"
    with pytest.raises(DeskError, match="99E"):
        games.answer({"ask": "play", "start": {"rules": "1997", "from": text, "at": "99E", "level": 1}})


@pytest.mark.parametrize(
    "more",
    [
        {}, {"game": "../../secret"}, {"game": "0" * 16}, {"start": {"rules": "2024", "level": 9}},
        {"start": {"rules": 4}},
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused(more: dict[str, Any], tmp_path: Path):
    with pytest.raises(DeskError):
        PlayedGames(tmp_path).answer({"ask": "play", **more})
    assert not [*tmp_path.iterdir()]


def test_nothing_helps_with_a_game_that_is_not_over(tmp_path: Path):
    page = Page(PlayedGames(tmp_path / "own"), "2024", 1, 8)
    play_on(page, Random(8), 30)
    text = write(page.played.duel.record())
    session = DeskSession()
    for question in (
        {"ask": "check", "name": "a.tiro", "text": text},
        {"ask": "repair", "name": "a.tiro", "text": text},
        {"ask": "look", "text": text, "view": ""},
    ):
        told = json.loads(session.answer(json.dumps(question)))
        assert "not over" in told["fault"] or "once it is over" in told["fault"]
        assert "page" not in told
    assert [each["game"] for each in page.games.answer({"ask": "played"})["games"]] == [page.told["game"]]  # type: ignore[index]
