"""A game that is recorded by taps: a journal of taps goes in, a screen comes out, both as JSON.

    {"desk": 2, "start": {"rules": "2024", "view": "table", "headers": {"Caesar": "Anna"}}, "taps": [{"tap": …}, …]}

The schema ``desk`` describes the screen. No tap is dropped: one without a meaning is counted. Since version 2 what can
be tapped in only one way is filled in; a journal of version 1 has those taps, so nothing is filled in there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pkgutil import get_data
from typing import Any, Final, TypeAlias

from ...notation.basics import CARD_LETTERS, GROUP_LETTERS, INFLUENCE_CARDS, PLAYER_NAMES, SIDE_LETTERS, visible
from ...notation.language import GROUPS, PLAYERS, SIDES, Name, number_word, plural, remembered, spoken
from ...notation.records import Diagnostic, parse, turn_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import capital
from ...replay.engine.api import DECISIVE, VIEWS
from ...replay.knowledge.api import view_table
from ...replay.rules.api import EDITION_NAMES, load_edition
from ...replay.words.api import describe, mission_words
from ..recorder.api import (
    PILE,
    Phase,
    Quit,
    Recorder,
    Rejected,
    asked,
    blank,
    ended,
    fault_line,
    faults,
    normalized,
    place_of,
    proposed_words,
    run_command,
    take,
    undecided,
)
from ..recorder.storage import InMemoryStore
from ..render.pages import flat, whole
from .taps import (
    AGAIN,
    AWAY,
    DONE,
    DRAW,
    END,
    EXCHANGE,
    KEEP,
    MEANT,
    ORDER,
    Key,
    Progress,
    Spelling,
    TapWord,
    followed,
    forms,
    is_announced,
    key_of,
    played_again,
    tap_of,
    words,
)

MAX_SIZE: Final = 1_000_000
"""How many characters of a found record are read."""
VERSION: Final = 2
"""The version of journals."""
ANYWAY: Final = ("choice", "anyway")
"""The refused word did happen."""
JUDGE: Final = ("choice", "judge")
"""What was taken without a connection is to be judged."""
INSTEAD: Final = "meant "
"""Comes before a word that may have been meant instead of a refused one, as the key of a choice."""
COMMANDS: Final = (
    "/clock", "/rule", "/note", "/header", "/end", "/sign", "/sheet", "/edit", "/insert", "/drop", "/exchange",
    "/repair",
)  # fmt: skip
"""The commands that may be typed after a ``/``."""
HEADERS: Final = (
    "Caesar", "Cleopatra", "Event", "Site", "Date", "Round", "Table", "Starts", "TimeControl", "Recorder",
)  # fmt: skip
"""The headers with which a game can begin, besides its rules and its recorder."""

Offered: TypeAlias = dict[Key, list[tuple[TapWord, Progress]]]
"""What can be tapped next, with the words that each leads to."""


UNSEEN: Final = ("i", "a")
"""An influence card and an action card that are not seen."""
EFFECTS: Final = {
    "x": "effect_assassinate", "s": "effect_scout", "c": "effect_castle", "y": "effect_spy", "v": "which_veto",
}  # fmt: skip
"""What is asked about the card of an action, or about a veto."""
NAMED: Final = (END, EXCHANGE, AWAY, DRAW, KEEP)
"""Buttons with words in the catalogue."""
BLIND: Final = {DONE[1]: "whole", AGAIN[1]: "same_again", "/end normal": "ended"}
"""What else can be tapped without a connection: the key of a choice, and its words in the catalogue."""


class DeskError(ValueError):
    """Raised for something that should be a journal but isn't. The text is a sentence."""


@remembered(8)
def catalogue() -> dict[str, dict[str, Any]]:
    """Return the words that people read at the desk, in the language that is spoken, with their fields unfilled."""
    known = spoken().catalogue

    def said(words: Any) -> Any:
        if isinstance(words, dict):
            return {key: said(each) for key, each in words.items()}
        if isinstance(words, list):
            return [*map(said, words)]
        return known.gettext(words) if known and words else words

    return said(tomllib.loads((get_data(__name__, "words.toml") or b"").decode()))


class Desk:
    """A game that is recorded by taps."""

    def __init__(self, start: Mapping[str, Any], version: int = VERSION) -> None:
        """Begin a game in a journal of this ``version``. Raise NoJournal if ``start`` has no valid rules, point of view
        or headers.
        """
        rules, view, headers = start.get("rules"), start.get("view"), start.get("headers", {})
        if rules not in EDITION_NAMES:
            raise DeskError(_message("no_rules", rules=" ".join(EDITION_NAMES)))
        if view not in VIEWS:
            raise DeskError(_message("no_view", views=" ".join(VIEWS)))
        if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
            raise DeskError(_message("no_headers"))
        answers = {name: visible(headers[name])[:200] for name in HEADERS if name in headers} | {"View": view}
        self._is_tournament = bool(start.get("tournament"))
        if self._is_tournament:
            answers["Mode"] = "tournament"
        self._kept = InMemoryStore(blank(rules, answers, answers.get("Date", "????.??.??")))
        self.time = 0
        """The time of the last tap, in milliseconds, if taps give the time."""
        self.recorder = Recorder(self._kept, lambda: self.time / 1000)
        self._deck = [CARD_LETTERS[card] for card in (*INFLUENCE_CARDS, *load_edition(rules).actions)]
        self._words: list[TapWord] | None = None
        self._found: dict[tuple[Key, ...], list[tuple[TapWord, Progress]]] = {}
        self.away: list[dict[str, Any]] = []
        """When the page was left and entered again, and in which turn."""
        self.word: tuple[Key, ...] = ()
        """The taps of an incomplete word so far."""
        self.said = "\n".join(faults(self._kept.text))
        """What to say about the last tap, or about the beginning."""
        self.unread = 0
        """How many taps had no meaning."""
        self._is_new = True
        self._past: list[tuple[str, str, tuple[Key, ...]]] = []
        self._future: list[tuple[str, str, tuple[Key, ...]]] = []
        self._is_offline: bool | None = None
        """Whether there is no connection; None as long as there always was one."""
        self._slips: tuple[Diagnostic, ...] = ()
        """What did not fit of the words that were taken without a connection, until something else is tapped."""
        self._fills = version > 1
        self._filled: list[Key] = []
        """What was filled in after the last tap: it may have been tapped before it was shown."""
        self._fill_in()

    @classmethod
    def of(cls, journal: Any, on_progress: Callable[[], object] = lambda: None) -> Desk:
        """Return the game of a journal; for a newer journal, what this version understands. Raise NoJournal if it is
        not one. ``on_progress`` is called after each tap.
        """
        if not isinstance(journal, dict) or not isinstance(journal.get("start"), dict):
            raise DeskError(_message("no_journal"))
        version, taps = journal.get("desk"), journal.get("taps", [])
        if not isinstance(version, int) or not isinstance(taps, list):
            raise DeskError(_message("no_journal"))
        desk = cls(journal["start"], version)
        for tap in taps:
            desk.put(tap)
            on_progress()
        return desk

    @property
    def kept(self) -> tuple[str, str]:
        """Return the text of the record, and what a recorder knows besides it."""
        return self._kept.text, self._kept.aside

    def _standing(self) -> tuple[str, str, tuple[Key, ...]]:
        return self._kept.text, self._kept.aside, self.word

    def _go_to(self, saved: tuple[str, str, tuple[Key, ...]]) -> None:
        """Go back, or forward, to a state."""
        text, aside, self.word = saved
        self._filled = []
        if (text, aside) != (self._kept.text, self._kept.aside):
            self._kept.text, self._kept.aside = text, aside
            self.recorder.follow_storage()
            self._enter_word(True)
        self.recorder.refusal = None

    def words(self) -> list[TapWord]:
        """Return all words that can be tapped now."""
        if self._words is None:
            draft = self.recorder.draft
            self._words = forms(draft.headers, draft.cursor) if draft.by_form else [*words(self.recorder)]
        return self._words

    # ------------------------------------------------------------------------------------------------------- taps

    def take(self, tap: Any) -> dict[str, Any]:
        """Take a tap, and return the screen after it."""
        self.put(tap)
        return self.screen()

    def put(self, tap: Any) -> None:
        """Take a tap. One without a meaning here changes nothing and is counted."""
        is_first, self._is_new = self._is_new, False
        if is_found(tap):
            self._take_over(is_first, normalized(tap["text"])[:MAX_SIZE], str(tap.get("aside", "")))
            return
        key = key_of(tap)
        if key is not None and type(at := tap.get("at")) is int:
            self.time = max(self.time, at)
        if key in (("left",), ("back",)):
            self._note_absence(is_back=key == ("back",))
            return
        if key in (("offline",), ("online",)):
            self._note_connection(is_there=key == ("online",))
            return
        if key in (("undo",), ("redo",)):
            self._move(*((self._past, self._future) if key == ("undo",) else (self._future, self._past)))
            return
        before, self.said, self._slips = self._standing(), "", ()
        if key is None or not self._put(key):
            if key in self._filled:
                self.said = _message("filled")
            else:
                self.unread += 1
            return
        self._filled = []
        self._fill_in()
        if before != self._standing():
            self._past.append(before)
            self._future.clear()

    def _take_over(self, is_first: bool, text: str, aside: str) -> None:
        """Go on from a record that was changed elsewhere, or that was there before the first tap."""
        before = self._standing()
        self._go_to((text, aside, ()))
        self._future.clear()
        self.said = "\n".join(faults(text)) if is_first else _message("found")
        if not is_first:
            self._past.append(before)

    def _note_absence(self, *, is_back: bool) -> None:
        """Note that the page was left or entered again; a closed page sends nothing."""
        if not is_back or not self.away or self.away[-1]["to"] is not None:
            self.away.append({"turn": self.recorder.draft.cursor.label, "from": None, "to": None})
        self.away[-1]["to" if is_back else "from"] = self.time

    @property
    def _waits(self) -> bool:
        """Return whether words are still to be judged that were taken without a connection."""
        return self.recorder.draft.headers.tournament and not self._is_tournament and self._is_offline is False

    def _note_connection(self, *, is_there: bool) -> None:
        """Take words by their form without a connection, and judge them once there is one again."""
        if is_there and self._is_offline is None:
            return
        self._is_offline = not is_there
        if is_there:
            self._judge()
        elif not self.recorder.draft.by_form and not self.recorder.draft.is_over:
            self.recorder.take_by_form()
            self._enter_word(True)

    def _judge(self) -> None:
        """Judge what was taken without a connection, if something was."""
        if self._waits:
            if whole := self._complete(self.word):
                self._enter(whole[0][0], [whole[0][0]])
            self._slips = self.recorder.judge()
            self._enter_word(True)

    def _move(self, source: list[tuple[str, str, tuple[Key, ...]]], target: list[Any]) -> None:
        if self.recorder.refusal is not None and source is self._past:
            self.recorder.refusal = None  # the refused word is not in the record, so nothing else is undone
        elif source:
            target.append(self._standing())
            self._go_to(source.pop())
            if self._is_offline:
                self._note_connection(is_there=False)

    def _put(self, key: Key) -> bool:
        """Take a tap; return whether it had a meaning."""
        is_choice, is_text = key[0] == "choice", key[0] == "text"
        if key == JUDGE and self._waits:
            self._judge()
            return True
        if is_choice and self.recorder.refusal is not None and (key == ANYWAY or key[1].startswith(INSTEAD)):
            return self._enter_reply(key[1])
        if (is_choice or is_text) and key[1].startswith("/"):
            return self._run_command(key[1])
        if is_text:
            self.word = ()
            return self._enter_word(self.recorder.enter(key[1]) or self.recorder.refusal is not None)
        if key == DONE and (whole := self._complete(self.word)):
            return self._enter(whole[0][0], [whole[0][0]])
        if is_choice and key[1].startswith(MEANT):
            return self._enter(key[1].removeprefix(MEANT), [text for text, _ in self._complete(self.word)])
        return self._add_tap(key)

    def _enter_reply(self, reply: str) -> bool:
        """Enter a refused word all the same, or the one that was meant; return whether that is possible."""
        self.word = ()
        if reply == ANYWAY[1]:
            return self._enter_word(self.recorder.insist())
        meant = [each for each in proposed_words(self.recorder) if INSTEAD + each.words == reply]
        return bool(meant) and self._enter_word(take(self.recorder, meant[0]) or True)

    def _add_tap(self, key: Key) -> bool:
        """Add a tap to the word, or begin a new word with it; return whether one is possible."""
        if self._begins_other_turn(key):
            self._enter_word(self.recorder.enter(played_again(self.recorder.draft.headers, self.recorder.draft.cursor)))
            if key == AGAIN:
                return True
        taps = (*self.word, key)
        if not self._fitting(taps) and self.word[1:] and self.word[-1] == DRAW:  # not of that word: it is a draw
            for text, _ in self._complete(self.word[:-1])[:1]:
                self._enter(text, [text])
                self.word, taps = (DRAW,), (DRAW, key)
        if not self._fitting(taps):  # a word started again
            taps = (key,)
            if any(key in place.next for _, place in self._following()):
                for text, _ in self._complete(self.word):
                    self._enter(text, [text])
        if not self._fitting(taps):
            return False
        self.recorder.refusal, self.word = None, taps
        return self._enter_if_complete()

    def _begins_other_turn(self, key: Key) -> bool:
        """Return whether a tap without a connection says that the other side plays: one of its cards comes first."""
        cursor = self.recorder.draft.cursor
        is_first = self._is_offline and cursor.fresh and cursor.number and all(tap[0] == "choice" for tap in self.word)
        return bool(is_first) and (key == AGAIN or (key[0] == "card" and key[1] == SIDE_LETTERS[1 - cursor.side]))

    def _enter_if_complete(self) -> bool:
        """Enter the word that the taps form exactly, unless it can go on; return True."""
        fitting, complete = self._fitting(self.word), self._complete(self.word)
        if len(complete) == 1:
            ((text, word),) = complete
            others = [other for other, _ in fitting if other is not word]
            goes_on = any(place.next and self._is_possible(other, place) for other, place in fitting)
            if not goes_on or is_announced(word, others):
                return self._enter(text, [text])
        return True

    def _fill_in(self) -> None:
        """Tap what alone can come next, as long as there is no choice."""
        while key := self._only_tap():
            self._filled.append(key)
            self.word = (*self.word, key)
            self._enter_if_complete()

    def _only_tap(self) -> Key | None:
        """Return the only tap that can come next, if it may be filled in. What a player does of their own will, and the
        end of a turn, is begun by people: their tap says that it was done.
        """
        if not self._fills or self.recorder.draft.by_form or self.recorder.refusal:
            return None
        found, keys, is_sure = 0, dict[Key, None](), False
        is_begun = bool(self.word) or self.recorder.draft.cursor.pending
        for word, place in self._fitting(self.word):
            if self._is_possible(word, place):
                found, keys, is_sure = found + 1, keys | dict.fromkeys(place.next), place.sure
                if place.complete or found > 1 < len(keys) or (not is_begun and _is_own_choice(word)):
                    return None
        return next(iter(keys)) if len(keys) == 1 or (found == 1 and is_sure) else None

    def _is_possible(self, word: TapWord, place: Progress) -> bool:
        """Return whether a word is possible, as far as that is asked in journals of this version."""
        return not self._fills or self._stands(word, place)

    def _stands(self, word: TapWord, place: Progress) -> bool:
        """Return whether the recorder finds a word possible; it does not ask about votes and forms."""
        return word.move is None or self.recorder.is_possible(word.text(place.chosen))

    def _enter(self, text: str, texts: Sequence[str]) -> bool:
        """Enter a word that was tapped; return whether it is one of the possible ``texts``."""
        if text not in texts:
            return False
        self.word = ()
        self.recorder.enter(text, is_next=True)
        return self._enter_word(True)

    def _complete(self, taps: Sequence[Key]) -> list[tuple[str, TapWord]]:
        """Return the words that some taps form exactly, with their text."""
        return [(word.text(place.chosen), word) for word, place in self._fitting(taps) if taps and place.complete]

    def _run_command(self, order: str) -> bool:
        """Carry out a command typed after a ``/``; return whether the desk knows it."""
        if order.split()[0].lower() not in COMMANDS:
            return False
        self.word = ()
        try:
            self.said = "\n".join(run_command(self.recorder, order))
        except (Rejected, Quit) as error:
            self.said = "\n".join(map(str, error.args))
        self._judge()
        return self._enter_word(True)

    def _fitting(self, taps: Sequence[Key]) -> list[tuple[TapWord, Progress]]:
        """Return the words that begin with some taps, and how far the taps reach."""
        taps = tuple(taps)
        if taps not in self._found:
            places = [(word, followed(word, taps)) for word in self.words()]
            self._found[taps] = [(word, place) for word, place in places if place is not None]
        return self._found[taps]

    def _following(self) -> list[tuple[TapWord, Progress]]:
        """Return the words that a tap may begin although the last word could go on: it is complete, and words are
        accepted by their form.
        """
        draft = self.recorder.draft
        if not draft.by_form or not self._complete(self.word):
            return []
        found = [(word, followed(word, ())) for word in forms(draft.headers, draft.cursor._replace(fresh=False))]
        return [(word, place) for word, place in found if place is not None]

    def _enter_word(self, done: bool) -> bool:
        self._words, self._found = None, {}
        return done

    # ----------------------------------------------------------------------------------------------------- screen

    @property
    def text(self) -> str:
        """Return the record as far as it goes."""
        return self.recorder.draft.text

    def offered(self) -> Offered:
        """Return what can be tapped next, with the words that each leads to."""
        found: Offered = {}
        fitting = self._fitting(self.word)
        going_on = {key for _, place in fitting for key in place.next}
        ways = [(key, way) for way in fitting for key in way[1].next]
        ways += [(key, way) for way in self._following() for key in way[1].next if key not in going_on]
        for key, way in ways:
            found.setdefault(key, []).append(way)
        found = {key: ways for key, ways in found.items() if any(self._stands(*way) for way in ways)}
        return found | {("choice", MEANT + text): [] for text, _ in self._complete(self.word)}

    def screen(self) -> dict[str, Any]:
        """Return what the page shows, as the schema ``desk`` describes it."""
        draft = self.recorder.draft
        cursor, state = draft.cursor, draft.state
        view = draft.frame.view
        said = catalogue()["screen"]
        heading = said["set_up"] if not cursor.number else f"{cursor.label} · {SIDES[cursor.side].name}"
        turns = draft.record.turns
        refusal, offered = self._refusal(), self.offered()
        return {
            "version": 1,
            "rules": draft.record.header("Rules"),
            "view": view,
            "side": cursor.side,
            "heading": said["over"] if draft.is_over else heading,
            "prompt": self._which(offered) or self._asked(),
            "filled": [tap_of(key) for key in self._filled],
            "word": [tap_of(key) for key in self.word],
            "turn": turn_text(turns[-1]) if turns else "",
            "record": draft.text,
            "table": {} if state is None else whole(flat(view_table(state, view, draft.closing))),
            "deck": self._deck,
            "offers": self._offers(offered),
            "refusal": refusal,
            "said": self.said,
            "unread": self.unread,
            "can": {"undo": bool(self._past) or refusal is not None, "redo": bool(self._future)},
            "at": self._at(),
            "over": draft.is_over,
            "clocks": self._clocks(),
            "away": self.away,
        }

    def _clocks(self) -> dict[str, Any] | None:
        """Return the state of the clocks at the last tap, and which of them is running."""
        clocks = self.recorder.clocks
        if clocks is None:
            return None
        left = [round(clocks.left(side), 1) for side in range(len(SIDES))]
        return {"left": left, "runs": clocks.turn if clocks.is_running else None, "at": self.time}

    def _at(self) -> str:
        """Return the letter of the group of the word being tapped, or of an action whose effect is asked for."""
        tapped = [key[1] for key in self.word if key[0] in ("bust", "group") and key[1] in GROUP_LETTERS]
        cursor = self.recorder.draft.cursor
        group = getattr(cursor.announced, "group", None) if cursor.pending else None
        return tapped[-1] if tapped else "" if group is None else GROUP_LETTERS[group]

    def _where(self) -> dict[str, Name]:
        """Return the group of the word being tapped, as the field of a sentence; nothing if it has none."""
        return {"group": _group(letter)} if (letter := self._at()) else {}

    def _which(self, offered: Offered) -> str:
        """Return in a sentence what to tap next in an incomplete word; nothing before its first tap."""
        if not self.word:
            return ""
        first, kinds = self.word[0], {key[0] for key in offered}
        if self.recorder.draft.by_form and self._complete(self.word):
            return _message("form_special", group=_group(first[1])) if first[0] == "group" else _message("which_more")
        if all(key[1].startswith(MEANT) for key in offered):
            return _message("which_meant")
        if first == ORDER:
            return _message("which_next")
        if first[0] == "choice" and first[1].startswith("m"):
            return _message("second_mission", player=PLAYERS[self.recorder.draft.cursor.side])
        if first == KEEP:
            return _message("kept")
        if "card" in kinds and (said := self._which_card(*first) or self._which_hidden(offered)):
            return said
        return next((_message(f"which_{kind}") for kind in ("group", "card", "number") if kind in kinds), "")

    def _which_hidden(self, offered: Offered) -> str:
        """Return which card of those that lie hidden to tap, in the word of a vote; else nothing."""
        groups = [key[1] for key in self.word if key[0] in ("bust", "group")]
        cards = [key for key in offered if key[0] == "card"]
        ways = [word for key in cards for word, _ in offered[key]]
        if not groups or not all(isinstance(word, Spelling) and word.move is None for word in ways):
            return ""
        return _message("which_hidden", side=SIDES[SIDE_LETTERS.index(cards[0][1])], group=_group(groups[-1]))

    def _which_card(self, kind: str, *names: str) -> str:
        """Return what card to tap, in a word that begins with an action, a veto or an exchange; else nothing."""
        if (kind, *names) == EXCHANGE:
            return _message("which_exchange", player=PLAYERS[self.recorder.draft.cursor.side])
        if kind != "card" or names[1] not in EFFECTS or (names[1] in "xs" and not self._at()):
            return ""
        return _message(EFFECTS[names[1]], player=PLAYERS[SIDE_LETTERS.index(names[0])], **self._where())

    def _asked(self) -> str:
        """Return what to do next, worded for somebody who taps."""
        draft = self.recorder.draft
        cursor, player = draft.cursor, PLAYERS[draft.cursor.side]
        if cursor.phase is Phase.OVER and not draft.record.header("Checksum"):
            return self._ending()[0]
        if cursor.pending and cursor.announced is not None:
            kind = f"effect_{type(cursor.announced).__name__.lower()}"
            return self._or_vetoed(_message(kind if kind in catalogue()["screen"] else "effect", **self._where()))
        if cursor.phase is Phase.BLIND and draft.by_form:
            if self._runs_on():
                return _message("form_late", turn=cursor.label)
            return _message("form_turn", player=player) if cursor.number else _message("form_set_up")
        if PILE in cursor.tokens:
            return _message("pile", player=player)
        first = next((token for token in cursor.tokens if not isinstance(token, t.Veto)), None)
        if isinstance(first, t.Draw) and cursor.phase is Phase.PLAY and self._has_drawn():
            word = number_word(cursor.to_draw)
            more = plural("{number} more card", "{number} more cards", cursor.to_draw, number=word)
            return _message("draws_more", player=player, cards=more)
        if isinstance(first, t.SpecialVote):
            return self._or_vetoed(_message("special", group=GROUPS[first.group]))
        if cursor.phase is Phase.SET_UP and isinstance(dealt := cursor.tokens[0], t.Missions):
            return _message("first_mission" if len(dealt.missions) > 1 else "mission", player=player)
        return capital(asked(draft, _message("or_end"), _message("or_veto")))

    def _or_vetoed(self, said: str) -> str:
        """Return a sentence that also asks for a veto if one is possible."""
        return _message("or_vetoed", question=said) if self.recorder.draft.cursor.offers(t.Veto) else said

    def _has_drawn(self) -> bool:
        """Return whether the turn ends with a draw so far."""
        turns = self.recorder.draft.record.turns
        return bool(turns) and isinstance(next(reversed(turns[-1].tokens), None), t.Draw)

    def _ending(self) -> tuple[str, list[dict[str, str]]]:
        """Return what is still to be asked once the game is over, and the answers that are not words of the record."""
        draft, how = self.recorder.draft, self.recorder.draft.frame.termination
        if labels := undecided(draft.record):
            ways = [(f"/rule {turn} {how}", _message(how, turn=turn)) for turn in labels for how in ("stands", "back")]
            asks = _message("ruling", turns=", ".join(labels))
        elif how in DECISIVE and draft.verdict.outcome.winner is None:
            ways = [(f"/end {how} by {name}", PLAYERS[side].name) for side, name in enumerate(PLAYER_NAMES)]
            asks = _message("by_whom", how=ended(how))
        elif draft.menu.endings:
            in_words = "m" in "".join(draft.menu.endings)
            return _message("fulfilled" if in_words else "missions" if self._points() else "result"), []
        else:
            ways, asks = [(f"/sign {', '.join(PLAYER_NAMES)}", _message("sign"))], _message("confirm")
        return asks, [{"key": key, "text": text} for key, text in ways]

    def _runs_on(self) -> bool:
        """Return whether the words of a turn, by their form alone, are more than one turn has: a step comes after a
        later one; or in a set-up a vote, or more cards than groups.
        """
        draft, edition = self.recorder.draft, self.recorder.draft.headers.edition
        if draft.cursor.fresh or edition is None:
            return False
        kinds = [*map(type, draft.record.turns[-1].tokens)]
        steps = [t.KINDS[kind].step for kind in kinds]
        if not draft.cursor.number:
            return kinds.count(t.Place) > len(edition.groups) or not {t.SPECIAL, t.REVEAL}.isdisjoint(steps)
        places = [edition.order.index(step) for step in steps if step in edition.order]
        return places != sorted(places)

    def _refusal(self) -> dict[str, Any] | None:
        """Return why a word was not accepted (what is wrong, what to do, the rule), and what can now be tapped."""
        if self.recorder.refusal is None:
            return self._slips_in_words() if self._slips else None
        first, *others = self.recorder.refusal.objections
        rule = f"{first.rule}: {first.cite}" if first.rule and first.cite else first.rule
        lines = [first.message, first.help, rule, *[fault.message for fault in others]]
        meant = [each.words for each in proposed_words(self.recorder)]
        choices = [{"key": INSTEAD + words, "text": _message("meant", words=self._in_words(words))} for words in meant]
        is_unread = isinstance(self.recorder.refusal.item, t.Unread)
        anyway = {"key": ANYWAY[1], "text": _message("as_is" if is_unread else "anyway")}
        return {"text": "\n".join(map(capital, filter(None, lines))), "choices": [*choices, anyway]}

    def _slips_in_words(self) -> dict[str, Any]:
        """Return what was taken without a connection and does not fit, with a way to correct each line."""
        record = self.recorder.draft.record
        places = {slip.turn: place_of(record, slip.turn or "") for slip in self._slips}
        lines = {label: turn_text(record.turns[at]) for label, at in places.items() if at is not None}
        choices = [{"key": f"/edit {line}", "text": _message("correct", turn=label)} for label, line in lines.items()]
        return {"text": "\n".join([_message("slips"), *map(fault_line, self._slips)]), "choices": choices}

    def _offers(self, offered: Offered) -> dict[str, Any]:
        by_kind: dict[str, list[Key]] = {}
        for key in offered:
            by_kind.setdefault(key[0], []).append(key)
        choices = [{"key": key[1], "text": self._choice(key, offered[key])} for key in by_kind.get("choice", [])]
        draft = self.recorder.draft
        if draft.cursor.phase is Phase.OVER and draft.record.turns and not draft.record.header("Checksum"):
            choices += self._ending()[1]
        return {
            "cards": [_card(key, offered[key], is_begun=bool(self.word)) for key in by_kind.get("card", [])],
            "groups": [key[1] for key in by_kind.get("group", [])],
            "busts": [key[1] for key in by_kind.get("bust", [])],
            "numbers": sorted(int(key[1]) for key in by_kind.get("number", [])),
            "choices": choices,
            "deeds": [{"key": key, "text": text} for key, text in self._commands()],
        }

    def _commands(self) -> Iterator[tuple[str, str]]:
        """Yield what can be done besides the words of a turn, with the label of its button."""
        draft, clocks = self.recorder.draft, self.recorder.clocks
        if clocks is not None and draft.cursor.phase is not Phase.OVER:
            yield ("/clock pause", _message("pause")) if clocks.is_running else ("/clock start", _message("start"))
        if not draft.record.turns or draft.record.header("Checksum") or draft.cursor.phase is Phase.OVER:
            return
        if draft.by_form:
            yield "/end normal", _message("ended")
        if self._waits:
            yield JUDGE[1], _message("judge")
        for side, name in enumerate(PLAYER_NAMES):
            yield f"/end resigned by {name}", _message("resigns", player=PLAYERS[side])
        yield "/end agreed draw", _message("agreed")
        yield "/end abandoned", _message("abandoned")

    def _choice(self, key: Key, ways: Sequence[tuple[TapWord, Progress]]) -> str:
        """Return what a button says."""
        draft, text = self.recorder.draft, key[1].removeprefix(MEANT)
        if PILE in draft.cursor.tokens and key in (END, ORDER):
            return _message("shuffled") if key == END else _message("unshuffled", player=PLAYERS[draft.cursor.side])
        if key in (*NAMED, ORDER):
            return _message(key[1])
        if text in draft.menu.endings and (points := self._points()).get(text):
            return f"{_fulfilled(points, text)}\n{draft.menu.in_words(text)}"
        if ways and text[:1] == "+" and set(text[1:]) == {UNSEEN[0]}:
            return plural("{count} influence", "{count} influence", len(text) - 1)
        if ways and text[:1] == "+" and set(text[1:]) == {UNSEEN[1]}:
            return plural("{count} action", "{count} action", len(text) - 1)
        meant = [each for each, _ in self._complete(self.word)]
        if key[1].startswith(MEANT) and len(meant) == 1 < len(self.word):
            return _message("that_is_all")
        if text in draft.menu.endings or (not ways and text in draft.menu):
            return capital(draft.menu.in_words(text))
        if text[0].isdigit() and ways:
            return _message("again", side=SIDES[SIDE_LETTERS.index(text[-1])])
        return capital(self._in_words(text)) if ways else _message("done", words=self._in_words(text))

    def _points(self) -> dict[str, tuple[int, int]]:
        """Return the points of each possible result, if they differ by missions that were not seen; else nothing."""
        texts = [text for text in self.recorder.draft.menu.endings if ">" not in text and text[0] != "m"]
        results = {text: parse(f"{text}\n")[-1].record.result for text in texts}
        found = {text: result.points for text, result in results.items() if result and result.points}
        return found if 1 < len(found) == len(self.recorder.draft.menu.endings) else {}

    def _in_words(self, text: str) -> str:
        """Return what written words say; a mission by itself."""
        edition, side = self.recorder.draft.headers.edition, self.recorder.draft.cursor.side
        tokens = [token for turn in parse(f"0R {text}\n")[0].record.turns for token in turn.tokens]
        if edition is None or not tokens:
            return text
        match tokens:
            case [t.Missions((mission,))]:
                return mission_words(mission)
        return "; ".join([describe(token, side, edition).words for token in tokens])


def is_found(tap: Any) -> bool:
    """Return whether a tap, as JSON, brings a record that was found in a file."""
    return isinstance(tap, dict) and tap.get("tap") == "found" and isinstance(tap.get("text"), str)


def _is_own_choice(word: TapWord) -> bool:
    """Return whether a word is what a player does of their own will, or the end of a turn."""
    return word.move is not None and (word.move.token is None or t.KINDS[type(word.move.token)].step == t.ACT)


def _card(key: Key, ways: Sequence[tuple[TapWord, Progress]], *, is_begun: bool) -> dict[str, str]:
    """Return a card that can be tapped; a veto, among the words that begin with it, with the label of its button, and a
    card that can only have been drawn with a sign.
    """
    said = {name: value for name, value in tap_of(key).items() if name != "tap"}
    tokens = [word.move.token if word.move is not None else None for word, _ in ways]
    if not is_begun and all(isinstance(token, t.Veto) for token in tokens):
        return said | {"text": _message("vetoed")}
    is_drawn = all(isinstance(token, (t.Draw, t.Veto)) for token in tokens)
    return said | {"sign": "+"} if is_drawn else said


def _fulfilled(points: Mapping[str, tuple[int, int]], text: str) -> str:
    """Return who has fulfilled a mission that was not seen, by one of the possible results and their points."""
    least = [min(each) for each in zip(*points.values(), strict=True)]
    more = [SIDES[side] for side, least_of in enumerate(least) if points[text][side] > least_of]
    return str(catalogue()["screen"]["fulfilled_by"][len(more)]).format(side=next(iter(more), None))


def _group(letter: str) -> Name:
    """Return the group with a letter."""
    return GROUPS[GROUP_LETTERS.index(letter)]


def sentence(page: str, name: str, /, **values: object) -> str:
    """Return a sentence of a page from the catalogue, with its values."""
    return str(catalogue()[page][name]).format(**values)


def _message(name: str, **values: object) -> str:
    return sentence("screen", name, **values)
