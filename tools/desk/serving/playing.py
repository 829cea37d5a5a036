"""Games against the program, played by taps: what the page sends and gets.

    {"ask": "played"}                                             → {"games": [{"game": "…", "rules": "2024", …}, …]}
    {"ask": "play", "start": {"rules": "2024", "level": 3, …}}    → {"game": "…", "screen": {…}}
    {"ask": "play", "game": "…"}                                  → {"game": "…", "screen": {…}}
    {"ask": "play", "game": "…", "made": 12, "tap": {…}}          → {"game": "…", "screen": {…}}

A game that runs is a record with all cards, the seed among them, in a folder of its person's own: its page gets only
what its side may know. It is saved before anything new is shown, so nothing that was shown can be played again. A tap
says how many moves were ``made`` when it was tapped; if there are more by now, its answer was lost, and it is not taken
again. The record of a game that is over goes to the folder of records, or to the browser.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from random import randrange
from typing import Any, Final, NamedTuple

from ....notation.basics import CARD_LETTERS, CASTLING, EGYPT, INFLUENCE_CARDS, PLAYER_NAMES, ROME
from ....notation.language import GROUPS, spoken
from ....notation.language import PLAYERS as PEOPLE
from ....notation.records import Game, parse, write
from ....notation.records import tokens as t
from ....replay.checking.api import check
from ....replay.diagnostics.api import capital, counted
from ....replay.engine.api import PLAYERS, parts
from ....replay.knowledge.api import TableView
from ....replay.rules.api import EDITION_NAMES, Edition, State, load_edition, score
from ....replay.rules.core import MOVE, ON_VETO, PILE, SPLIT, action_card, codes
from ...insight.playing import (
    AS_DEALT,
    HIGHEST,
    HINTS,
    Duel,
    Happening,
    NotContinuable,
    Offer,
    asked,
    game_until,
    is_over,
    level_of,
    no_hint,
    nothing_back,
    percent,
    place_of,
    settings_of,
)
from ...render.pages import flat, whole
from ...storage.api import replacing
from ..desk import UNSEEN, DeskError, catalogue, sentence
from ..folder import GameFolder, name_of
from ..taps import MEANT, Key, Taps, card, cards, followed, group, key_of, spelled, spelling, tap_of

HIGHEST_SEED: Final = 999_999_999
"""The highest seed that is drawn."""
SUFFIX: Final = ".tiro"
HINT: Final = ("choice", "/hint")
"""Asks for a hint."""
ANYWAY: Final = ("choice", "/anyway")
"""Plays what there was a warning about."""
_NAME: Final = re.compile(r"[0-9a-f]{16}")


class TapChoice:
    """Offers of one decision, of which one is chosen by taps, or typed."""

    def __init__(self, offers: Sequence[Offer], active: int, why_not: Callable[[str], str]) -> None:
        """Begin with no tap, in a turn of the ``active`` side; ``why_not`` says why what was typed is no offer."""
        self.offers, self.why_not = offers, why_not
        self.taps: Taps = ()
        self.filled: Taps = ()
        """What was filled in after the last tap, since nothing else was possible."""
        self.said = ""
        """What to say about the last tap."""
        self._words = [spelling(_parts(offer, active), offer.text) for offer in offers]

    def take(self, key: Key) -> int | None:
        """Take what was tapped or typed; return the place of the offer that is chosen with it, otherwise None."""
        self.said = ""
        if key[0] == "text":
            place = place_of(self.offers, key[1])
            if place is None:
                self.said = self.why_not(key[1]) or sentence("play", "no_move", typed=key[1])
            return place
        try:
            text = self.tap(key)
        except LookupError:
            self.said = sentence("every", "unread")
            return None
        return next((place for place, offer in enumerate(self.offers) if offer.text == text), None)

    def restart(self) -> bool:
        """Forget the taps; return whether there were any."""
        was, self.taps, self.filled = bool(self.taps), (), ()
        return was

    def tap(self, key: Key) -> str | None:
        """Take a tap; return the text of the offer that is chosen with it, otherwise None. A tap that leads nowhere
        begins anew; raise LookupError if it leads nowhere even so.
        """
        self.filled = ()
        if key[1:] and key[1].startswith(MEANT):
            return self._chosen(key[1].removeprefix(MEANT))
        taps = next((taps for taps in ((*self.taps, key), (key,)) if self._places(taps)), None)
        if taps is None:
            raise LookupError(key)
        self.taps = taps
        while not (text := self._only()):
            keys = dict.fromkeys(key for _, place in self._places(self.taps) for key in place.next)
            if self._complete() or len(keys) != 1 or "group" in [key[0] for key in keys]:
                return None  # where a card goes is always tapped: whoever thinks of another group would not see it
            self.filled += (*keys,)
            self.taps = (*self.taps, *keys)
        return self._chosen(text)

    def offered(self) -> dict[Key, Offer]:
        """Return what can be tapped, each with an offer that it leads to."""
        found: dict[Key, Offer] = {}
        for offer, place in self._places(self.taps):
            for key in place.next:
                found.setdefault(key, offer)
        return found | {("choice", MEANT + offer.text): offer for offer in self._complete()}

    def _places(self, taps: Taps) -> list[tuple[Offer, Any]]:
        reached = [(offer, followed(word, taps)) for offer, word in zip(self.offers, self._words, strict=True)]
        return [(offer, place) for offer, place in reached if place is not None]

    def _complete(self) -> list[Offer]:
        return [offer for offer, place in self._places(self.taps) if self.taps and place.complete]

    def _only(self) -> str:
        """Return the text of the offer that the taps name, unless they could mean another one."""
        places = self._places(self.taps)
        return places[0][0].text if len(places) == 1 and places[0][1].complete else ""

    def _chosen(self, text: str) -> str:
        self.taps = ()
        return text


def _parts(offer: Offer, active: int) -> Sequence[Taps]:
    """Return an offer as taps; what was announced before is not tapped again."""
    token = offer.token
    if token is None or isinstance(token, t.ChooseMission):
        return ((("choice", offer.text),),)
    if isinstance(token, t.Spy) and token.card is not None:
        return ((card(1 - active, token.card),),)
    if isinstance(token, t.Castle) and token.cards_first is not None:
        return (cards(active, token.cards_first),) if token.cards_first else ((("choice", offer.text),),)
    if isinstance(token, t.Castle):  # the groups in any order
        return ((card(active, CASTLING),), tuple(sorted((group(token.first), group(token.second)))))
    return spelled(token, active)


class PageWords(NamedTuple):
    """What a page shows besides a table and a decision."""

    heading: str
    prompt: str
    said: str = ""
    news: Sequence[str] = ()
    """What has happened since the last decision, or what the answer was worth."""
    story: Sequence[str] = ()
    is_over: bool = False
    can_undo: bool = False
    labels: Mapping[str, str] = {}
    """What buttons say, by their keys, where that is not what the offer says."""
    more: Sequence[tuple[str, str]] = ()
    """Keys of buttons besides the decision, with what they say."""
    at: str = ""
    """The group that is marked on the table."""


def event_lines(story: Iterable[Happening], side: int, *, in_full: bool = True) -> list[str]:
    """Return what has happened, as it is told to a ``side``: a sentence a turn, after its label if ``in_full``."""
    names = [player.name for player in PEOPLE]
    names[side] = sentence("play", "yours", player=PEOPLE[side])
    return [
        f"{f'{label}  ' * in_full}{names[of]}: {'; '.join(each.words for each in turn)}."
        for (label, of), turn in groupby(story, key=lambda each: (each.label, each.side))
    ]


def question(kind: int, pending: int, state: State, side: int) -> str:
    """Return what ``side`` has to decide, as a sentence; ``pending`` is the announced action that it is about."""
    if kind == PILE:
        drawn = int(state.draw_limit())
        return sentence("play", "draw", cards=counted(drawn, "more card")) if drawn else sentence("play", "pile")
    if kind == MOVE:
        return sentence("play", "go_on_turn" if state.up + state.down else "your_turn")
    if kind == SPLIT:
        return sentence("play", "split", group=GROUPS[pending >> codes.GROUP_AT & codes.GROUP])
    return asked(kind, pending, state, side)


def screen_of(shown: PageWords, table: TableView, edition: Edition, side: int, choosing: TapChoice) -> dict[str, Any]:
    """Return a screen, as the schema ``desk`` describes it; ``record`` tells what has happened, in words."""
    offered, at = choosing.offered(), [key[1] for key in choosing.taps if key[0] == "group"]
    by_kind: dict[str, list[Key]] = {}
    for key in offered:
        by_kind.setdefault(key[0], []).append(key)
    return {
        "version": 1,
        "rules": edition.name,
        "view": PLAYERS[side],
        "side": side,
        "heading": shown.heading,
        "prompt": _which(by_kind, offered, choosing.taps) if choosing.taps else shown.prompt,
        "filled": [tap_of(key) for key in choosing.filled],
        "word": [tap_of(key) for key in choosing.taps],
        "turn": _about(choosing.taps) or "\n".join(shown.news),
        "record": "\n".join(shown.story),
        "table": whole(flat(table)),
        "deck": [CARD_LETTERS[number] for number in (*INFLUENCE_CARDS, *edition.actions)],
        "offers": {
            "cards": [_card(key, choosing.taps, offered[key]) for key in by_kind.get("card", [])],
            "groups": [key[1] for key in by_kind.get("group", [])],
            "busts": [key[1] for key in by_kind.get("bust", [])],
            "numbers": sorted(int(key[1]) for key in by_kind.get("number", [])),
            "choices": [
                {"key": key[1], "text": shown.labels.get(key[1]) or _label(key, offered[key])}
                for key in by_kind.get("choice", [])
            ]
            + [{"key": key, "text": text} for key, text in shown.more],
            "deeds": [],
        },
        "refusal": None,
        "said": choosing.said or shown.said,
        "unread": 0,
        "can": {"undo": bool(choosing.taps) or shown.can_undo, "redo": False},
        "at": at[-1] if at else shown.at,
        "over": shown.is_over,
        "clocks": None,
        "away": [],
    }


def _which(kinds: Mapping[str, Sequence[Key]], offered: Mapping[Key, Offer], taps: Taps) -> str:
    """Return what is asked next where something was tapped, by the kinds of what can be tapped."""
    tokens = [offer.token for offer in offered.values()]
    if kinds.get("card") and all(key[2] in UNSEEN for key in kinds["card"]):
        return sentence("play", "pile")
    if any(isinstance(token, t.Castle) and token.cards_first for token in tokens):
        return sentence("play", "split_more")
    if all(isinstance(token, t.Castle) for token in tokens):
        return catalogue()["play"]["castle"][len(taps) - 1]
    if "card" in kinds and "group" not in kinds and all(isinstance(token, t.Assassinate) for token in tokens):
        return sentence("play", "victim")
    asked_for = next((kind for kind in ("group", "number", "card") if kind in kinds), "meant")
    return sentence("screen", f"which_{asked_for}")


def _about(taps: Taps) -> str:
    """Return what an action does whose card was tapped; empty for other taps."""
    return catalogue()["play"]["actions"].get(taps[0][2], "") if taps and taps[0][0] == "card" else ""


def _card(key: Key, taps: Taps, offer: Offer) -> dict[str, str]:
    """Return a card that can be tapped; a veto and a pile with the label of its button."""
    said = {name: value for name, value in tap_of(key).items() if name != "tap"}
    if isinstance(offer.token, t.Veto) and not taps:
        return said | {"text": sentence("play", "veto")}
    is_drawn = key[2] in UNSEEN and isinstance(offer.token, (t.Draw, t.Veto))
    return said | {"text": catalogue()["play"]["piles"][UNSEEN.index(key[2])]} if is_drawn else said


def _label(key: Key, offer: Offer) -> str:
    """Return what a button says."""
    if isinstance(offer.token, t.Castle):
        return sentence("play", "no_more" if offer.token.cards_first else "no_card", group=GROUPS[offer.token.second])
    return catalogue()["screen"].get(key[1]) or capital(offer.words)


class PlayedGame:
    """A game against the program that a page has open."""

    def __init__(self, duel: Duel, place: Path) -> None:
        """Show a game whose record is in a file; of one that goes on, only the last turns are news."""
        self.duel, self.place = duel, place
        self.warned = ""
        self._tell()
        self.keep()

    def _tell(self) -> None:
        """Begin to tell in the language that is spoken: the last turns are news."""
        self.language, self.said = spoken(), ""
        self._offer()
        last = [*dict.fromkeys(each.label for each in self.news)][-2:]
        self.news = [each for each in self.news if each.label in last]

    @property
    def made(self) -> int:
        """Return a number that grows with each move."""
        return len(self.duel.match.moves) + len(self.duel.laid or ()) + 100_000 * (self.duel.laid is None)

    def keep(self) -> None:
        """Write the record."""
        with replacing(self.place) as stream:
            stream.write(write(self.duel.record()).encode())

    def take(self, tap: Any) -> None:
        """Take a tap, let the other side answer, and save all of it."""
        key, duel = key_of(tap), self.duel
        self.said, warned, self.warned = "", self.warned, ""
        if key == ("undo",):
            self._undo()
        elif key == HINT:
            self.said = self._hint()
        elif key == ANYWAY and warned:
            self._choose(next(place for place, offer in enumerate(duel.offers()) if offer.text == warned))
        elif key is not None and (place := self.choosing.take(key)) is not None:
            offer = duel.offers()[place]
            if duel.closes_placing(place):
                self.warned = offer.text
            else:
                self._choose(place)

    def _choose(self, place: int) -> None:
        self.duel.choose(place)
        self.keep()
        self._offer()

    def _undo(self) -> None:
        if self.choosing.restart():
            return
        if self.duel.undo():
            self.keep()
            self._offer()
        else:
            self.said = nothing_back()

    def _hint(self) -> str:
        """Return what the program would choose, with the chances of winning where it can tell them apart."""
        offers, (best, alike) = self.duel.offers(), self.duel.hint()
        if not best:
            return no_hint()
        head = sentence("play", "hint_best")
        if alike >= HINTS:
            head = sentence("play", "hint_alike", count=alike, all=len(offers))
        return "\n".join([head, *(f"{percent(win)}  {offers[place].words}" for place, win in best)])

    def _offer(self) -> None:
        duel = self.duel
        self.news = duel.news()
        active = duel.side if duel.is_laying else int(duel.state.active)
        self.choosing = TapChoice(duel.offers(), active, duel.why_not)

    def _asked(self) -> str:
        """Return what has to be decided; once the game is over, who has won."""
        duel = self.duel
        if self.warned:
            return sentence("play", "closes")
        if duel.is_laying:
            return sentence("play", "lay", group=GROUPS[duel.next_group])
        if not duel.is_over:
            return question(duel.match.kind, duel.match.pending, duel.state, duel.side) if duel.offers() else ""
        came = check(duel.record())
        if (winner := came.outcome.winner) not in (ROME, EGYPT):
            return f"{came.summary}."
        points = score(duel.state).points
        won_or_lost = "won" if winner == duel.side else "lost"
        return sentence("play", won_or_lost, own=points[duel.side], other=points[1 - duel.side])

    def screen(self) -> dict[str, Any]:
        """Return what the page shows: nothing that the person's side can't know."""
        duel, state = self.duel, self.duel.state
        if self.language is not spoken():
            duel.say_again()
            self._tell()
        heading = sentence("play", "turn_of", number=state.number, player=PEOPLE[state.active])
        news = event_lines(self.news, duel.side, in_full=False)[::-1]
        if duel.is_laying:
            heading = sentence("screen", "set_up")
        if duel.match.kind == ON_VETO and not duel.is_laying:
            letter = CARD_LETTERS[action_card(duel.match.pending & codes.KIND)]
            news = [catalogue()["play"]["actions"][letter], *news]
        if duel.is_over:
            heading = sentence("screen", "over")
            news = [f"{parts(side, score(state))}." for side in (ROME, EGYPT)]
        on = "dealt" if duel.is_laying else "on" if state.active == duel.side else "allow"
        shown = PageWords(
            heading,
            self._asked(),
            self.said,
            news,
            event_lines(duel.story, duel.side)[::-1],
            duel.is_over,
            duel.can_undo,
            {AS_DEALT: sentence("play", on)},
            [(ANYWAY[1], sentence("play", "anyway"))] * bool(self.warned)
            + [(HINT[1], sentence("play", "hint"))] * bool(duel.offers()),
        )
        return screen_of(shown, duel.table(), duel.edition, duel.side, self.choosing)


class PlayedGames:
    """The games against the program that run, and those of them that a page has open."""

    def __init__(self, place: Path, folder: GameFolder | None = None) -> None:
        """Keep them in ``place``, until they are over; then ``folder`` gets them, if there is one."""
        self.place, self.folder = place, folder
        self.open: dict[str, PlayedGame] = {}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a message about games against the program; None for any other message."""
        game, start, tap, made = (asked.get(name) for name in ("game", "start", "tap", "made"))
        match asked.get("ask"):
            case "played":
                return {"games": [*self._running()]}
            case "play" if isinstance(start, dict):
                return self._screen_of(self._new_game(start))
            case "play" if isinstance(game, str) and _NAME.fullmatch(game):
                if game not in self.open:
                    self.open[game] = self._resumed(game)
                if tap is not None and made == self.open[game].made:
                    self.open[game].take(tap)
                return self._screen_of(game)
            case "play" | "played":
                raise DeskError(sentence("screen", "no_message"))
            case _:
                return None

    def _screen_of(self, game: str) -> dict[str, Any]:
        """Return the screen of a game; of one that is over the record, too, which is kept where records are."""
        played = self.open[game]
        duel = played.duel
        headers = dict(duel.record().headers)
        told = {"game": game, "made": played.made, "headers": {name: headers[name] for name in PLAYER_NAMES}}
        if duel.is_over:
            told["text"] = text = write(duel.record())
            if self.folder is not None:
                told["file"] = self.folder.put(name_of(headers), text)
                played.place.unlink(missing_ok=True)
        return told | {"screen": played.screen()}

    def _new_game(self, start: dict[str, Any]) -> str:
        """Begin a game; return its name. Raise NoJournal if it can't begin."""
        blanks = {"rules": "", "view": "", "level": 3, "name": "", "from": "", "at": ""}
        rules, view, level, name, text, at = (start.get(key, blank) for key, blank in blanks.items())
        texts = rules, view, name, text, at
        if not all(isinstance(each, str) for each in texts) or level not in range(1, HIGHEST + 1):
            raise DeskError(sentence("screen", "no_message"))
        person = " ".join(name.split())[:80] or sentence("play", "you")
        if level_of(person) or rules not in EDITION_NAMES or view not in ("", *PLAYERS):
            raise DeskError(sentence("play", "not_so"))
        edition, begun, to_move = load_edition(rules), None, 0
        if text:
            try:
                (game,) = parse(text)
                edition, begun, to_move = game_until(game, at)
            except (NotContinuable, ValueError) as error:
                raise DeskError(sentence("play", "no_start", why=error)) from None
        seed = start.get("seed")
        seed = seed if isinstance(seed, int) and 0 <= seed <= HIGHEST_SEED else randrange(1, HIGHEST_SEED)
        side = PLAYERS.index(view) if view else to_move
        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        named = secrets.token_hex(8)
        self.open[named] = PlayedGame(_duel(edition, side, level, seed, person, begun), self._file(named))
        return named

    def _file(self, game: str) -> Path:
        return self.place / f"{game}{SUFFIX}"

    def _running(self) -> Iterator[dict[str, Any]]:
        """Yield what is told of each game that runs, the newest first."""
        for path in sorted(self.place.glob(f"*{SUFFIX}"), key=lambda path: -path.stat().st_mtime):
            game = self._read(path)
            record, settings = (game.record, settings_of(game.record)) if game else (None, None)
            if record and settings and not is_over(record):
                turn = record.turns[-1].label if record.turns else ""
                yield {
                    "game": path.stem,
                    "rules": record.header("Rules"),
                    "side": settings[0],
                    "level": settings[1],
                    "turn": turn,
                    "when": round(path.stat().st_mtime * 1000),
                }

    def _read(self, path: Path) -> Game | None:
        with suppress(OSError, ValueError):
            (game,) = parse(path.read_text(encoding="utf-8"))
            return game
        return None

    def _resumed(self, game: str) -> PlayedGame:
        """Return a game that was left. Raise NoJournal if there is none."""
        path = self._file(game)
        read = self._read(path)
        if read is None or (settings := settings_of(read.record)) is None:
            raise DeskError(sentence("every", "gone"))
        try:
            edition, begun, _ = game_until(read)
        except ValueError:
            raise DeskError(sentence("every", "gone")) from None
        begun = begun._replace(laid=bool(begun.moves or begun.pending), headers=read.record.headers)
        return PlayedGame(_duel(edition, *settings, begun), path)


def _duel(edition: Edition, side: int, level: int, seed: int, name: str, begun: Any) -> Duel:
    """Return a game. Raise NoJournal if the program can't play by its rules."""
    try:
        return Duel(edition, side, level, seed, name, begun)
    except LookupError as error:
        raise DeskError(sentence("play", "no_start", why=error.args[0])) from None
