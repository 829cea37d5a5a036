"""The symbols: every card, patrician, bust and vote card has one, and none is told from another by colour alone."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import pytest
from tironian import EDITION_NAMES, load_edition
from tironian.notation.cards import CARD_LETTERS, GROUP_LETTERS, INFLUENCE_CARDS
from tironian.replay.editions.edition import DEVICES
from tironian.tools.render import symbols
from tironian.tools.render.symbols import LETTERS, card, card_title, device, device_title, patrician, sheet
from tironian.tools.render.templating import asset, template

NAMES = re.findall(r'^<symbol id="t-(\w+)"', template("symbols.svg.j2").render(letters=LETTERS), re.MULTILINE)
CARDS = [*CARD_LETTERS, *(f"({CARD_LETTERS[card]})" for card in INFLUENCE_CARDS), "(i)", "(?)"]


def drawn(name: str) -> list[str]:
    """What a symbol and its parts draw, without their names and colours."""
    bare = re.sub(r' (?:id|href|class)="[^"]*"', "", sheet([name]))
    return sorted(bare.splitlines())


def test_everything_on_a_table_has_its_symbol_and_every_symbol_its_use() -> None:
    used = {card(side, word) for side, word in product((0, 1), CARDS)}
    used |= {patrician(group, side) for group, side in product(GROUP_LETTERS, (None, 0, 1))}
    used |= {device(kind, letter) for kind, letter in product(DEVICES.values(), f"{GROUP_LETTERS}or")}
    assert used | {symbols.PHILOSOPHY} == {*NAMES}


def test_a_card_for_which_no_sign_is_drawn_shows_its_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbols, "LETTERS", [*LETTERS, "b"])
    assert "".join(ElementTree.fromstring(f"<svg>{sheet(['Eb'])}</svg>").itertext()).strip() == "b"


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_everything_has_words(edition: str) -> None:
    kind = load_edition(edition).device
    assert len({card_title(word) for word in CARDS}) == len(CARDS)
    assert len({device_title(kind, letter) for letter in f"{GROUP_LETTERS}or"}) == len(GROUP_LETTERS) + 2


def test_no_symbol_is_told_from_another_by_its_colour() -> None:
    by_shape = {}
    for name in NAMES:
        assert by_shape.setdefault("\n".join(drawn(name)), name) == name


def test_a_sheet_is_well_formed_and_holds_what_its_symbols_are_made_of() -> None:
    for name in NAMES:
        text = sheet([name])
        root = ElementTree.fromstring(f"<svg>{text}</svg>")
        ids = [part.get("id", "") for part in root.iter() if part.get("id")]
        assert ids.count(f"t-{name}") == 1
        assert len({*ids}) == len(ids)
        assert {part.get("href", "#")[1:] for part in root.iter() if part.get("href")} == {*ids} - {f"t-{name}"}


def test_the_styles_know_every_class_of_the_symbols() -> None:
    classes = {name for found in re.findall(r'class="([^"]*)"', sheet(NAMES)) for name in found.split()}
    assert classes == {*re.findall(r"\.(sy-[\w-]+)", asset("symbols.css"))}


@pytest.mark.parametrize("word", ["", "z", "()", "55", "é"])
def test_another_word_has_no_symbol(word: str) -> None:
    with pytest.raises(KeyError):
        card(0, word)


def test_an_unknown_symbol_is_refused() -> None:
    with pytest.raises(KeyError):
        sheet(["R6"])
