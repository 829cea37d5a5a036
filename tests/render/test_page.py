"""Page and picture as text: well-formed, the same every time, complete, and without anything not meant for it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import tironian
from click.testing import CliRunner
from pages import ANNOTATED, BROKEN, EXAMPLES, HOSTILE, WHOLE, page_of, timelines, whole_of
from scale import FULL
from tironian import VIEWS, NoTimeline, Timeline, parse, timeline, view, write
from tironian.replay.story.events import vote_scene
from tironian.replay.story.timeline import NOT_FOLLOWED, TAKEN_BACK, with_odds
from tironian.replay.words.events import event_words
from tironian.replay.words.notes import annotation_words
from tironian.tools.cli.command_line import main
from tironian.tools.render import symbols
from tironian.tools.render.page import page
from tironian.tools.render.page_steps import flat, names, page_steps, patches, score_part, standing_part, whole
from tironian.tools.render.picture import ACTION_LETTERS, picture
from tironian.tools.render.table_picture import table_picture
from tironian.tools.render.templating import plain
from tironian.tools.repair.likely import HEADERS, LikelyRepairs, likely_repairs
from tironian.tools.repair.search import Repairs, Search

TEXT = ANNOTATED.read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "link", "input", "br", "img", "col"}
TAKEN = """[Rules "2024"]
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]

0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q 5P +3x
   % E back R210: three cards
1E (3)A 5Q +3x
*
"""


class Read(HTMLParser):
    """A page as elements and text; complains of what is not closed, and of ids that come twice."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.data = ""
        self.in_data = False
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.in_data = ("id", "data") in attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.in_data:
            self.data, self.in_data = data, False
        elif self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)


def text_of(read: Read) -> str:
    return " ".join("".join(read.text).split())


def id_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", [*WHOLE, *(BROKEN if FULL else BROKEN[::3])], ids=id_of)
def test_page_and_picture_of_every_example(path: Path):
    try:
        told = timelines(path.read_text(encoding="utf-8"))
    except NoTimeline:
        return
    text = whole_of(page_of(told))
    held = {*re.findall(r'<symbol id="t-(\w+)"', text)}
    read = Read(text)
    assert len(set(read.ids)) == len(read.ids)
    assert len(json.loads(read.data)["steps"]) == len(page_steps(told[0]))
    # One view in the document, the others packed: every turn stands there once for each pair of eyes.
    assert text.count('<li class="turn') == len(told) * len(told[0].entries)
    for each in told:
        tree = ElementTree.fromstring(picture(each))
        assert tree.get("role") == "img"
        assert tree.find(f"{SVG}title") is not None
        assert len(tree.findall(f".//{SVG}g[@class='column']")) == sum(entry.number > 0 for entry in each.entries)
        assert {*symbols_of(each)} <= held


def symbols_of(told: Timeline) -> Iterator[str]:
    """Every symbol that the tables of a game show."""
    for step in page_steps(told):
        table = told.table(step.state)
        yield from (symbols.device(told.edition.device, letter) for letter in table.bag + table.out)
        for side, owner in enumerate(table.sides):
            yield from (symbols.card(side, word) for word in owner.hand)
            for group in table.groups:
                yield symbols.patrician(group.letter, side)
                yield from (symbols.card(side, word) for word in group.cards[side])


def test_the_legend_of_a_picture_has_the_signs_that_occur_and_no_others() -> None:
    signs = {
        "vote won by Rome": "mark-rome",
        "vote won by Egypt": "mark-egypt",
        "a tie": "mark-tie",
        "outlined twice: special vote": "outer",
        "vetoed": "strike",
        "takes the lead": "lead",
        "a philosopher: the lower sum won": 'href="#t-p"',
        "taken back": "taken-back",
        "an irregular turn": "flag",
        "all patricians won": "-gone)",
        "a face-down card of unknown value": "-unseen)",
    }
    for text in [path.read_text(encoding="utf-8") for path in WHOLE]:
        for told in timelines(text, ["arbiter"]):
            drawn, _, legend = picture(told).partition('<g class="legend">')
            body = drawn[drawn.index('<text class="h1"') :]
            for words, sign in signs.items():
                assert (f">{words}<" in legend) == (sign in body), words
            cards = {name for name in ACTION_LETTERS if f">{name}<" in legend}
            kinds = {event.kind for entry in told.entries for event in entry.events}
            assert cards == kinds & {*ACTION_LETTERS}


def test_a_picture_has_the_sums_of_each_vote_and_what_the_points_are_for() -> None:
    (told,) = timelines(ANNOTATED.read_text(encoding="utf-8"), ["arbiter"])
    root = ElementTree.fromstring(picture(told))
    sums = [
        tuple(text.text for text in mark.findall(f"{SVG}text"))
        for mark in root.iter(f"{SVG}g")
        if "vote at the" in (mark.findtext(f"{SVG}title") or "")
    ]
    ballots = [event.ballot for entry in told.entries for event in entry.events if event.ballot]
    assert sums == [tuple(map(str, ballot.correct_outcome.sums)) for ballot in ballots]
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert "▼ Egypt 12 = patricians 9 + majorities 2 + whole groups 1 + missions 0; all Praetors: missed" in words


def test_no_letters_of_pictures_are_smaller_than_eleven_pixels() -> None:
    (told,) = timelines(ANNOTATED.read_text(encoding="utf-8"), ["arbiter"])
    end = told.closing.state
    assert end is not None
    for drawn in (picture(told), table_picture(told.table(end)), table_picture(told.table(end), narrow=True)):
        assert min(map(float, re.findall(r"font-size: ([\d.]+)px", drawn))) >= 11


def test_the_description_tells_the_game():
    described = ElementTree.fromstring(picture(timelines(TEXT)[0])).findtext(f"{SVG}desc")
    assert described is not None
    assert "Rome 16, Egypt 12: Rome wins; all patricians had been won." in described
    assert "The lead changes two times: in 6R Egypt takes the lead, 4-5; in 7R Rome takes the lead, 7-5." in described
    assert "Praetors: 4R Egypt (special vote), 4R Rome, 7R Rome (special vote), 8E Rome, 10E Rome." in described


def test_marks_have_titles_and_a_shape_for_each_outcome():
    drawn = picture(timelines(TEXT)[0])
    assert "<title>6E: vote at the Consuls: Rome 5, Egypt 4 1 = 5; a tie: nobody wins</title>" in drawn
    for shape in ("mark-rome", "mark-egypt", "mark-tie", "mark-card", "outer", "strike"):
        assert f'"{shape}"' in drawn or f" {shape}" in drawn, shape
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_unseen_cards_are_hatched_and_not_guessed():
    arbiter, caesar, table = (picture(told) for told in timelines(TEXT, ["arbiter", "caesar", "table"]))
    assert "a face-down card" not in arbiter
    assert "a face-down card" in caesar
    assert table.count('class="unseen"') > caesar.count('class="unseen"') > 1


def test_strangers_text_is_escaped_everywhere():
    told = timelines(HOSTILE)
    text = whole_of(page_of(told))
    read = Read(text)
    assert text.count("<script") == 4
    assert not [name for _, name, _ in read.attributes if name.startswith("on") or name == "style"]
    assert not re.search("[\u202a-\u202e\u2066\u2067\u2028\u2029]", text)
    assert "\\u202e" in text_of(read)
    assert "49" not in text_of(read).replace("49 ", "")
    ElementTree.fromstring(picture(told[0]))
    assert not re.search(r"[<>&\u2028\u2029]", read.data)


def test_text_from_right_to_left_is_kept_apart():
    assert plain("Livia") == "Livia"
    assert plain("שלום") == "\u2068שלום\u2069"
    assert plain("a\u202eb") == "a\\u202eb"
    assert plain("x" * 50, 10) == "x" * 9 + "…"


def test_nothing_is_fetched_and_only_the_own_script_may_run():
    text = page_of(timelines(TEXT))
    read = Read(text)
    policy = next(value for _, name, value in read.attributes if name == "content" and "default-src" in value)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    links = [value for _, name, value in read.attributes if name in ("href", "src", "action")]
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert {link[1:] for link in links if link.startswith("#vote")} <= set(read.ids)


def test_a_file_for_one_person_holds_nothing_hidden_from_him():
    arbiter, own = timelines(TEXT, ["arbiter", "cleopatra"])
    made = page_of([own])
    assert "data-view-button=" not in made
    hidden = set()
    for entry, shown in zip(arbiter.entries, own.entries, strict=True):
        hidden |= {event_words(event) for event, seen in zip(entry.events, shown.events, strict=True) if event != seen}
        hidden |= {event_words(event) for event in entry.events} - {event_words(event) for event in shown.events}
        hidden |= {*map(annotation_words, entry.annotations)} - {*map(annotation_words, shown.annotations)}
        hidden |= {note.text for note in entry.remarks}
    hidden -= {event_words(event) for entry in own.entries for event in entry.events}
    assert len(hidden) > 40
    texts = {" ".join(part.split()) for part in Read(made).text}
    assert not [text for text in texts if text.endswith(tuple(hidden))]
    states = [stop.state for stop in page_steps(own)]
    for state in states:
        table = own.table(state)
        assert set(table.sides[0].hand) <= {"i", "a"}
    tables = [whole((*flat(own.table(state)), standing_part(own, state), score_part(own, state))) for state in states]
    known = {json.dumps(value)[1:-1] for table in tables for value in table.values()}
    sent = [
        value for each in json.loads(Read(made).data)["views"] for patch in each["patches"] for value in patch.values()
    ]
    assert {json.dumps(value)[1:-1] for value in sent} <= known


def test_patches_send_only_what_changed():
    told = timelines(TEXT)[0]
    tables = [flat(told.table(step.state)) for step in page_steps(told)]
    sent = patches(tables)
    table: dict[str, str] = {}
    for patch, parts in zip(sent, tables, strict=True):
        assert not [key for key, value in patch.items() if table.get(key) == value]
        table |= patch
        assert table == whole(parts)
    assert sum(map(len, sent)) < len(tables) * len(whole(tables[0])) / 5


def test_a_turn_that_was_taken_back_has_its_own_place():
    told = timelines(TAKEN)[0]
    assert [entry.status for entry in told.entries][2:] == [TAKEN_BACK, "played"]
    assert names(told) == ("0R", "0E", "1E~2", "1E")
    assert [stop.address for stop in page_steps(told)] == ["start", "1E~2", "1E.1", "1E.2", "1E.3"]
    made = page_of([told])
    assert 'class="turn taken-back"' in made
    assert "1E (3)A 5Q 5P +3x" in made
    assert "taken-back" in picture(told)


def test_turns_that_could_not_be_followed_are_there_all_the_same():
    told = timelines((EXAMPLES / "broken" / "eighth-copy.tiro").read_text(encoding="utf-8"))[0]
    lost = [entry for entry in told.entries if entry.status == NOT_FOLLOWED]
    assert lost
    made = page_of([told])
    assert made.count('class="turn not-followed"') == len(lost)
    assert made.count("The cards could not be followed beyond this place.") == 1
    assert "The cards can be followed only up to 12E" in made
    assert page_steps(told)[-1].address == lost[-1].label
    assert 'class="middle not-followed"' in picture(told)


def test_a_comment_in_the_line_and_those_below_it_stand_apart():
    told = timelines(TEXT, ["arbiter"])
    made = page_of(told)
    assert "plays on as if he had not</bdi>" in made
    assert ">Seven points against none, and the philosopher turns it round. With the assassination at the right" in made


def test_a_result_without_points_is_told_in_words():
    text = (EXAMPLES / "1997" / "resigned.tiro").read_text(encoding="utf-8")
    made = page_of(timelines(text, ["arbiter"]))
    assert "<b>Result</b> Rome wins, since Egypt resigned; points: Rome 12, Egypt 10 (" in made


def test_odds_are_bars_and_not_words():
    game = parse(TEXT)[0]
    made = page_of([with_odds(timeline(game, "caesar"), game)])
    assert "expected:" not in made[made.index("<main") : made.index('id="overview"')]
    (bar,) = re.findall(r'<div class="odds">.*?</div>', made[made.index('id="1R.3"') :], re.S)[:1]
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', bar)]
    assert abs(sum(widths) - 100) < 0.2
    assert "Expected for Caesar" in bar


def test_who_could_expect_nothing_is_named():
    game = parse(TEXT)[0]
    told = with_odds(timeline(game, "arbiter"), game)
    assert "not known: what" not in page_of([told])
    one = [
        replace(entry, events=tuple(event._replace(odds=event.odds[1:]) for event in entry.events))
        for entry in told.entries
    ]
    made = page_of([replace(told, entries=tuple(one))])
    assert made.count("not known: what Caesar saw does not add up") == 22


def test_glyphs_are_signs_with_their_meaning():
    made = page_of(timelines(TEXT, ["arbiter"]))
    assert 'title="an interesting move"><span aria-hidden="true">!?</span><span class="sr">an interesting move' in made
    assert 'title="judged: Rome slightly better"' in made
    assert "$1" not in made.partition("<main")[2].partition("<script")[0].replace("$1</bdi>", "")


def test_scenes_are_the_same_from_every_point_of_view():
    told = timelines(TEXT)
    scenes = [[vote_scene(event) for entry in each.entries for event in entry.events if event.ballot] for each in told]
    assert len(scenes[0]) == 22
    assert all(each == scenes[0] for each in scenes[1:])


def test_a_game_without_votes_or_turns_has_a_page():
    told = timelines("\n".join(TAKEN.splitlines()[:11]) + "\n*\n")
    assert len(page_steps(told[0])) == 1
    Read(page(told, ()))
    ElementTree.fromstring(picture(told[0]))


def broken(name: str) -> str:
    return (EXAMPLES / "broken" / f"{name}.tiro").read_text(encoding="utf-8")


@cache
def repairs_of(text: str) -> LikelyRepairs | None:
    return likely_repairs(parse(text)[0])


def page_with_repairs(text: str, views: Sequence[str] = ()) -> str:
    told = timelines(text, views)
    return page(told, (), repairs_of(text))


def repairs_in(text: str) -> list[str]:
    return re.findall(r'<aside class="repairs".*?</aside>', text, re.S)


def test_a_broken_log_says_what_was_probably_meant():
    made = page_with_repairs(broken("shown-cards-differ"))
    (block,) = repairs_in(made)
    said = text_of(Read(block))
    assert "Caesar showed 5 3 3 at the Aediles, but what lies there is 4 3 3 C901" in said
    assert "Caesar places a 5 face up at the Aediles, not a 4 4A should be 5A" in said
    assert "With any of these, the whole record is legal. Rome 1, Egypt 0: unfinished." in said
    assert "tiro" not in said, "who reads a page has no terminal"
    assert "The first 2 of 9 repairs are equally likely" in said
    assert re.findall('href="([^"]*)"', block) == ["#2R.1", "#2R", "#2R"], "a vote that was not held has no step"
    turn = made[made.rindex('<li class="turn"', 0, made.index(block)) : made.index(block)]
    assert '<code><bdi dir="auto">2R 4A 3A +5v =A533:4&gt;R</bdi></code>' in turn
    assert '<a href="#2R">what is wrong in 2R, and what was probably meant</a>' in made
    assert 'data-told="Error in 2R: Caesar showed 5 3 3 at the Aediles' in block
    perhaps = "what lies there is 4 3 3. Perhaps Caesar places a 5 face up at the Aediles, not a 4 (4A should be 5A)."
    assert perhaps in block, "another is as likely"
    assert 'data-suspect="A.0 4 2R.1"' in block
    (head,) = re.findall(r'<p class="broken".*?</p>', made)
    assert text_of(Read(head)).endswith(perhaps), "the head says it, too: on a phone the list is far below"
    (other,) = repairs_in(page_with_repairs(broken("eighth-copy")))
    assert "Perhaps Cleopatra draws a 1, not a 4 (+45 should be +15)." in other
    (followed,) = repairs_in(page_with_repairs(broken("sixth-card")))
    assert 'data-told=""' in followed
    assert "In 12R Caesar places a 5 face up at the Quaestors, not at the Censors 5C" in text_of(Read(followed))


def test_repairs_with_different_ends_say_each():
    (block,) = repairs_in(page_with_repairs(broken("bust-already-out")))
    said = text_of(Read(block))
    assert said.count("the whole record is legal.") == 1
    assert said.count("unfinished") == 3
    (open_,) = repairs_in(page_with_repairs(broken("missing-turn")))
    assert "With any of these, nothing contradicts the rules." in text_of(Read(open_))


@pytest.mark.parametrize(
    ("name", "place", "link"),
    [("wrong-score", "in the result", "#18R"), ("header-without-quotes", "before the first turn", "#about")],
)
def test_faults_outside_the_turns_are_told_with_their_repairs(name: str, place: str, link: str):
    text = broken(name)
    made = page_with_repairs(text, ["arbiter"])
    (block,) = repairs_in(made)
    assert f"what is wrong {place}," in made
    assert f'href="{link}"' in block
    repairs = repairs_of(text)
    assert repairs is not None
    assert repairs.fault.message[1:] in html.unescape(block)
    (before, after) = made.split(block)
    assert ('<li class="turn' in before) is (name == "wrong-score")
    assert ('<li class="turn' in after) is (name != "wrong-score")


def test_where_no_repair_is_found_the_page_says_so():
    text = broken("shown-cards-differ")
    repairs = repairs_of(text)
    assert repairs is not None
    (block,) = repairs_in(page(timelines(text), (), repairs._replace(repairs=(), found=0, equally_likely_count=0)))
    assert "No repair was found." in block


def test_repairs_are_shown_only_to_the_point_of_view_of_the_record():
    text = broken("shown-cards-differ")
    for name in VIEWS:
        assert len(repairs_in(page_with_repairs(text, [name]))) == (name == "arbiter")
    told = timelines(text, ["caesar", "cleopatra", "table"])
    repairs = repairs_of(text)
    assert page(told, (), repairs) == page(told, ()), "not a word of it"
    both = whole_of(page_with_repairs(text))
    (caesar,) = re.findall(r'<div class="turns" data-view="caesar".*?</div>', both, re.S)
    assert not repairs_in(caesar)


def test_a_players_log_gets_repairs_of_what_the_player_knew():
    text = broken("sixth-card")
    log = write(view(parse(text)[0], "caesar").record)
    repairs = repairs_of(log)
    assert repairs is not None
    assert (repairs.view, repairs.repairs[0].verdict) == ("caesar", "possible")
    assert repairs_in(page_with_repairs(log, ["caesar"]))
    assert not repairs_in(page_with_repairs(log, ["table"]))


def test_a_legal_game_has_no_repairs():
    assert repairs_of(TEXT) is None


def test_a_change_has_its_place_in_the_record_as_written():
    repairs = repairs_of(broken("second-action"))
    assert repairs is not None
    labels = [entry.label for entry in timelines(broken("second-action"))[0].entries]
    for repair in repairs.repairs:
        assert [labels[change.turn] for change in repair.changes] == [
            change.label or change.what.partition(":")[0] for change in repair.changes
        ]
    header = repairs_of(broken("header-without-quotes"))
    assert header is not None
    assert [change.turn for change in header.repairs[0].changes] == [HEADERS]


def test_what_is_proved_of_points_and_missions_is_said_to_who_sees_them():
    arbiter, caesar = timelines(TEXT, ["arbiter", "caesar"])
    entries = {entry.label: entry for entry in arbiter.entries}
    (settled,) = [event.state for event in entries["5R"].events if event.ballot]
    end = arbiter.entries[-1].events[-1].state
    standing = standing_part(arbiter, settled)
    assert standing["bonus.1"] == "3 + 1 for a majority", "two of three Censors"
    assert standing["prospects.1"] == "0 of 3\nimpossible now", "all Praetors, of whom Rome has one"
    assert arbiter.table(settled).summary == ""
    assert standing_part(caesar, settled)["prospects.1"] == ""
    over = standing_part(arbiter, end)
    assert over["prospects.0"] == over["prospects.1"] == "missed", "of the missions that were kept"
    assert arbiter.table(end).summary == "Rome 16, Egypt 12: Rome wins"
    assert not any(standing_part(caesar, step.state)["prospects.1"] for step in page_steps(caesar))


def test_the_library_draws_what_the_commands_write():
    (game,) = parse(TEXT, ANNOTATED.name)

    def written(*command: str) -> str:
        return CliRunner().invoke(main, [*command, str(ANNOTATED)]).stdout

    assert tironian.page(game) == written("timeline", "--format", "html")
    assert tironian.page(game, "table") == written("timeline", "--format", "html", "--as", "table")
    assert tironian.picture(game) == written("timeline", "--format", "svg")
    assert tironian.picture(tironian.votes(game)[0]).startswith("<svg ")
    assert tironian.picture(timeline(game).table(timeline(game).start)).startswith("<svg ")


def hopeless() -> str:
    """A record that no few slips explain, for which tiro repair spends all that it may: a line is empty, one a copy of
    another, and the result is missing.
    """
    text = (EXAMPLES / "event/round1/table4b.tiro").read_text(encoding="utf-8")
    lines = {line.partition(" ")[0]: line for line in text.splitlines()}
    return text.replace(lines["1R"], "").replace(lines["8R"], lines["4R"]).rpartition("\n10-19")[0]


def test_a_page_does_not_search_for_long_where_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In the full run it searches; otherwise it is only asked how far it may."""
    search, left = Search.run, []

    def run(self: Search) -> Repairs:
        before = self.budget
        found = search(self) if FULL else Repairs()
        left.append(before - self.budget if FULL else before)
        return found

    monkeypatch.setattr(Search, "run", run)
    file = tmp_path / "a.tiro"
    file.write_text(hopeless(), encoding="utf-8")
    done = CliRunner().invoke(main, ["timeline", str(file), "--format", "html"])
    assert done.exit_code == 1, done.output
    assert 0 < sum(left) <= 45_000
