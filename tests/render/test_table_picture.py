"""The picture of a table: complete, within its frame, harmless, and the same for whoever can't know the difference."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import pytest
import tironian
from click.testing import CliRunner
from pages import ANNOTATED, HOSTILE, WHOLE, timelines
from scale import FULL, crossed, scaled
from tironian import (
    EDITION_NAMES,
    VIEWS,
    Replay,
    State,
    Step,
    load_edition,
    parse,
    replay_game,
    simulate,
    write,
)
from tironian.notation.cards import CARD_LETTERS, GROUP_NAMES, PHILOSOPHER, SIDE_NAMES, TIE
from tironian.notation.tokens import AnyVote, SpecialVote, Vote
from tironian.replay.engine.shown import ballot
from tironian.replay.knowledge.table_view import TableView, view_table
from tironian.replay.story.events import VoteScene, scene_between, turned_up
from tironian.replay.words.vote_tree import vote_words
from tironian.tools.cli.command_line import main
from tironian.tools.render.symbols import card_title
from tironian.tools.render.table_picture import sentences, table_picture

SVG = "{http://www.w3.org/2000/svg}"
GAMES = scaled(1, 40)
EVERY = 9
"""Of so many tables one is drawn."""


def games(edition: str) -> Iterator[tironian.Game]:
    for seed in range(GAMES):
        yield from parse(write(simulate(load_edition(edition), seed)))


def tables(played: Replay, view: str) -> list[TableView]:
    return [view_table(step.state, view) for step in (*played.steps[::EVERY], played.steps[-1])]


def read(svg: str) -> ElementTree.Element:
    """A picture as XML; all that it uses is in it."""
    root = ElementTree.fromstring(svg)
    ids = Counter(part.get("id") for part in root.iter() if part.get("id"))
    assert {*ids.values()} == {1}
    assert {part.get("href", "")[1:] for part in root.iter(f"{SVG}use")} <= {*ids}
    return root


def titles(root: ElementTree.Element) -> Counter[str]:
    """What the symbols on the table are, in words."""
    return Counter(part[0].text or "" for part in root.findall(f"{SVG}use"))


@pytest.mark.parametrize(("played_by", "narrow"), crossed(product(EDITION_NAMES, VIEWS), (False, True)))
def test_every_card_lies_there_within_the_frame(played_by: tuple[str, str], narrow: bool) -> None:
    edition, view = played_by
    for table in (table for game in games(edition) for table in tables(replay_game(game), view)):
        root = read(table_picture(table, narrow=narrow))
        shown, words = titles(root), {text.text for text in root.iter(f"{SVG}text")}
        seen = [word for side in table.sides for word in side.hand]
        seen += [word for group in table.groups for cards in group.cards for word in cards]
        assert {word: count for word, count in shown.items() if word in {*map(card_title, seen)}} == Counter(
            map(card_title, seen)
        )
        won = sum(sum(group.won) for group in table.groups)
        places = sum(won > 0 for group in table.groups for won in group.won)
        assert sum(count for word, count in shown.items() if "won by" in word) == (places if narrow else won)
        for side in table.sides:
            kinds = {f"{count} × {card_title(letter)}" for letter, count in Counter(side.discards).items()}
            assert kinds <= {*shown}
            assert {str(side.influence_pile), str(side.action_pile)} <= words
        width, height = (float(root.get(name, "")) for name in ("width", "height"))
        for part in (*root.findall(f"{SVG}use"), *root.findall(f"{SVG}rect")):
            x, y, wide, high = (float(part.get(name, "0")) for name in ("x", "y", "width", "height"))
            assert x >= 0
            assert y >= 0
            assert x + wide <= width
            assert y + high <= height


def test_a_table_in_words() -> None:
    (told, *_) = timelines(ANNOTATED.read_text(encoding="utf-8"), ["caesar"])
    played = replay_game(next(tironian.read(ANNOTATED))).at("7E")
    assert [*sentences(told.table(played.state))] == [
        "2024 edition, English rule book · seen by Caesar. 7R, Caesar's turn.",
        "Praetors: three patricians left; Rome has won 1, cards 3 2 1 1; Egypt has won 1, cards 3 3 (?).",
        "Quaestors: four patricians left; Rome has won 1, cards 3 (3); Egypt has won 0, no cards.",
        "Aediles: three patricians left; Rome has won 1, no cards; Egypt has won 1, cards 1 (?).",
        "Consuls: two patricians left; Rome has won 1, cards 5; Egypt has won 0, cards 1.",
        "Censors: one patrician left; Rome has won 0, cards 3 (1); Egypt has won 2, cards 3.",
        "Caesar: 4 points; hand 4 5 p s v v; 17 influence and 3 action cards in the piles; 12 discarded; "
        "A patrician of every group and The majority of the Consuls.",
        "Cleopatra: 5 points; hand i i i a a a; 16 influence and 7 action cards in the piles; 11 discarded; "
        "Two missions, not seen.",
        "Still to come: P Q A K C o r; out: none.",
    ]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_strangers_words_stay_words(narrow: bool) -> None:
    (told, *_) = timelines(HOSTILE, ["arbiter"])
    people = [told.header("Caesar"), told.header("Cleopatra")]
    root = read(table_picture(told.table(told.start), told.header("Event"), people, narrow=narrow))
    parts = {part.tag.removeprefix(SVG) for part in root.iter()}
    assert not parts & {"script", "img", "b", "a", "image", "foreignObject"}
    assert all(not name.startswith("on") for part in root.iter() for name in part.attrib)
    assert any("<img src=x" in (text.text or "") for text in root.iter(f"{SVG}text"))


def votes(path: Path) -> Iterator[tuple[State, AnyVote, Step]]:
    """The votes of a record: the state before, the word, and the step that it makes."""
    for game in tironian.read(path):
        for last, step in pairwise(replay_game(game).steps):
            if isinstance(step.token, Vote | SpecialVote):
                yield last.state, step.token, step


def marks(root: ElementTree.Element, style: str) -> int:
    return len(root.findall(f"{SVG}rect[@class='{style}']"))


def told_at_once(root: ElementTree.Element) -> str:
    """All words of a picture, wherever its lines end."""
    return " ".join(text.text or "" for text in root.iter(f"{SVG}text"))


def duel(root: ElementTree.Element) -> Counter[str]:
    """What the symbols above the table are, in words."""
    return Counter(part[0].text or "" for block in root.findall(f"{SVG}svg") for part in block.findall(f"{SVG}use"))


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_picture_of_a_vote_says_what_its_scene_says(path: Path) -> None:
    """At both moments, from every point of view, in both layouts: the cards, the sums, why, and what comes of it."""
    shown = [*product(VIEWS, (False, True))]
    for number, (before, word, step) in enumerate(votes(path)):
        scene = scene_between(before, ballot(before, word), step.state)
        for view, narrow in shown if FULL else [shown[number % len(shown)]]:
            up = read(table_picture(view_table(turned_up(before, word), view), narrow=narrow, vote=scene))
            done = read(table_picture(view_table(step.state, view), narrow=narrow, vote=scene, is_decided=True))
            compare(up, scene)
            compare(done, scene)
            assert duel(up) == duel(done)
            assert marks(up, "ty-turn-2") == 1
            assert marks(done, "ty-turn-2") == int(scene.winner == TIE)


def compare(picture: ElementTree.Element, scene: VoteScene) -> None:
    """The duel of a vote: its cards, those that lay face down and those that go, and its words."""
    cards = [card for column in scene.columns for card in column]
    down, told, shown = sum(card.turned for card in cards), told_at_once(picture), duel(picture)
    said = vote_words(scene)
    assert said.verdict in told
    assert all(sentence in told for sentence in said.first)
    assert {*map(str, scene.sums)} <= {text.text for text in picture.iter(f"{SVG}text")}
    assert ("Backs with a number lay face down." in told) is bool(down)
    assert sum(count for title, count in shown.items() if title.endswith(", was face down")) == down
    again = sum((card.card == PHILOSOPHER) + card.gone for card in cards)  # beside the arrow, and as discards
    patricians = sum(count for title, count in shown.items() if title.startswith(GROUP_NAMES[scene.group]))
    assert patricians
    assert sum(shown.values()) == patricians + len(cards) + again
    hands = []
    for name, column, total in zip(SIDE_NAMES, scene.columns, scene.sums, strict=True):
        cards = [f"({CARD_LETTERS[card]})" if turned else CARD_LETTERS[card] for card, turned, _ in column]
        hands.append(f"{name} has {' '.join(('cards', *cards)) if cards else 'no cards'}, sum {total}")
    assert f"{said.title}: {'; '.join(hands)}. {' '.join((*said.first, *said.second))}" in (picture[1].text or "")


@pytest.mark.parametrize("narrow", [[], ["--narrow"]])
def test_show_draws_a_vote(narrow: list[str]) -> None:
    for view in VIEWS:
        up, done = (
            read(show(ANNOTATED, "--at", at, "--as", view, "--format", "svg", *narrow).stdout)
            for at in ("5R.4v", "5R.4")
        )
        assert "Rome has more: 7 to 0. Egypt has one philosopher. The lower sum wins, so Egypt wins." in told_at_once(
            up
        )
        assert "Vote at the Censors: Rome has cards 4 3, sum 7; Egypt has cards p, sum 0. Rome has" in (
            up[1].text or ""
        )
        for picture in (up, done):
            assert "▼ Egypt wins a patrician." in told_at_once(picture)
            assert "0 to 0 is a tie" in told_at_once(picture)
            # The owl lies there, turns the vote, and is discarded.
            assert duel(picture)["philosopher"] == 3
            assert duel(picture)["Censors, won by Egypt"] == 2
        assert marks(up, "ty-turn-2") == 1
        assert marks(done, "ty-turn-1") == 1


def test_a_notebook_shows_tables_steps_timelines_and_votes() -> None:
    (told, *_) = timelines(HOSTILE, ["caesar"])
    step = replay_game(next(iter(parse(HOSTILE)))).at("1R.1")
    for svg in (told.table(told.start)._repr_svg_(), step._repr_svg_()):
        assert titles(read(svg))
    (tree,) = tironian.votes(next(iter(parse(HOSTILE))), "caesar")
    for shown in (told._repr_html_(), tree._repr_svg_()):
        assert "<script" not in shown
        assert "\u202e" not in shown
    assert "Seen by Caesar" in told._repr_html_()
    assert "vote at the Aediles" in tree._repr_svg_()


def show(*args: str | Path):
    return CliRunner().invoke(main, ["show", *map(str, args)])


def test_show_draws_pictures(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    svg, png = tmp_path / "table.svg", tmp_path / "table.png"
    assert show(ANNOTATED, "--at", "7E", "--format", "svg", "-o", svg).exit_code == 0
    assert "After 7E, 7R, Caesar's turn" in (read(svg.read_text(encoding="utf-8"))[0].text or "")
    assert show(ANNOTATED, "--format", "png", "--narrow", "-o", png).exit_code == 0
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 720


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "svg", "--odds"), "--odds is only for text"),
        (("--narrow",), "add --format svg or png"),
        (("--format", "png"), "-m pip install resvg-py, or use --format svg"),
    ],
)
def test_show_says_why_it_does_not_draw(options: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = show(ANNOTATED, *options)
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_veto_is_that_of_who_played_it() -> None:
    assert "8R, after Cleopatra vetoes it and draws a 5" in show(ANNOTATED, "--at", "8R.2", "--format", "svg").stdout
