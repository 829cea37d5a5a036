"""Another language says the same facts in its own order and with its own cases, without a change outside ``words``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from gettext import NullTranslations
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import parse, timeline, votes
from tironian.notation.language import CARDS, ENGLISH, GROUPS, Language, phrase, remembered, speaking
from tironian.tools.cli.command_line import main
from tironian.tools.desk.worker import DeskSession
from tironian.tools.render.page import page
from tironian.tools.render.vote_picture import vote_picture

ROOT = Path(__file__).parents[2]
GAME = ROOT / "examples" / "2024" / "annotated.tiro"
SENTENCES = {
    "places {card.a} face down at {group.the}": "zu {group.dative} wird {card.accusative} verdeckt gelegt",
    "places {card.a} face up at {group.the}": "zu {group.dative} wird {card.accusative} offen gelegt",
    "places {card.a} face down": "legt {card.accusative} verdeckt",
    "places {card.a} face up": "legt {card.accusative} offen",
    "draws {cards}": "zieht {cards}",
    "plays {action}": "spielt {action}",
    "a scout at {group.the}": "bei {group.dative} einen Kundschafter",
    "vote at {group.the}": "Abstimmung bei {group.dative}",
    "{side.name} wins a patrician": "ein Patrizier geht an {side.accusative}",
    "{side.name} would win": "gewonnen hätte {side.accusative}",
    "rather than {other}": "statt {other}",
    "all {group.bare}": "jeder der {group.dative}",
    "the majority of {group.the}": "die Mehrheit bei {group.dative}",
    "{mission}: fulfilled": "erfüllt: {mission}",
    "{side.name} takes the lead, {rome}-{egypt}": "mit {rome}-{egypt} führt {side.accusative}",
}


class Said(NullTranslations):
    """The catalogue of a few sentences."""

    def __init__(self, sentences: dict[str, str]):
        super().__init__()
        self.sentences = sentences

    def gettext(self, message: str) -> str:
        return self.sentences.get(message, message)


TRIAL = Language(
    "trial",
    "Trial",
    Said(SENTENCES),
    {
        "card": {"accusative": [f"den {name.upper()}" for name in ENGLISH.forms["card"]["bare"]]},
        "group": {"dative": [f"den {name}n" for name in ENGLISH.forms["group"]["bare"]]},
        "side": {"accusative": ["Rom", "Ägypten"]},
    },
)


def told(*command: str) -> str:
    result = CliRunner().invoke(main, [*command, str(GAME)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def on_the_page() -> str:
    (game,) = parse(GAME.read_text(encoding="utf-8"))
    shown = timeline(game)
    return page([shown], votes(game))


def in_pictures() -> str:
    (game,) = parse(GAME.read_text(encoding="utf-8"))
    return "\n".join(vote_picture(tree) for tree in votes(game))


def on_the_desk() -> str:
    text = GAME.read_text(encoding="utf-8")
    asked = [{"ask": "complete", "text": "\n".join([*text.splitlines()[:20], "4E "])}, {"ask": "look", "text": text}]
    session = DeskSession()
    return "\n".join([json.dumps(json.loads(session.answer(json.dumps(each))), ensure_ascii=False) for each in asked])


PLACES: dict[str, Callable[[], str]] = {
    "text": lambda: told("timeline", "--full"),
    "Markdown": lambda: told("timeline", "--format", "md"),
    "outline": lambda: told("votes"),
    "page": on_the_page,
    "picture": in_pictures,
    "desk": on_the_desk,
}
SAID = {
    "text": ("verdeckt gelegt", "offen gelegt", "zieht", "spielt", "Kundschafter", "Patrizier geht an", "führt Rom"),
    "Markdown": ("verdeckt gelegt", "offen gelegt", "zieht", "spielt", "Kundschafter", "Patrizier geht an"),
    "outline": ("Abstimmung bei", "gewonnen hätte", "statt", "verdeckt gelegt"),
    "page": ("verdeckt gelegt", "offen gelegt", "zieht", "spielt", "Kundschafter", "Patrizier geht an", "führt"),
    "picture": ("Abstimmung bei", "gewonnen hätte", "statt", "legt den"),
    "desk": ("verdeckt gelegt", "zieht"),
}
"""Where → what of the trial language is said there."""


@pytest.mark.parametrize("place", PLACES)
def test_a_language_is_heard_everywhere(place: str):
    before = PLACES[place]()
    with speaking(TRIAL):
        text = PLACES[place]()
    for words in SAID[place]:
        assert words in text, words
    # What it can say in its own words is not said in English any more.
    for english in (r"places an? \w+ face", r"\bdraws an? \w+ and\b", r"wins a patrician", r"Rome would win"):
        assert not re.search(english, text), re.search(f".*{english}.*", text)
    assert PLACES[place]() == before, "English is as it was"
    assert "gelegt" not in before


def test_languages_don_t_hear_each_other():
    """What is remembered is remembered for each language apart."""
    english = told("timeline", "--full")
    for _ in range(3):
        with speaking(TRIAL):
            assert "gelegt" in told("timeline", "--full")
        assert told("timeline", "--full") == english


def test_what_is_remembered_belongs_to_a_language_not_to_its_code():
    @remembered(9)
    def both(card: int) -> str:
        return phrase("{card.a} and {card.bare}", card=CARDS[card])

    words = {word: Language("xx", "Some", Said({"{card.a} and {card.bare}": word}), {}) for word in ("one", "two")}
    for word, language in [*words.items()] * 2:
        with speaking(language):
            assert both(3) == word
    assert both(3) == "a 3 and 3"


def test_a_form_that_a_language_lacks_is_english():
    with speaking(TRIAL):
        assert phrase("{group.the} and {group.dative}", group=GROUPS[0]) == "the Aediles and den Aedilesn"
    assert copy(GROUPS[0]).the == "the Aediles"
    assert not hasattr(GROUPS[0], "dative")
    with pytest.raises(AttributeError):
        phrase("{group.dative}", group=GROUPS[0])
