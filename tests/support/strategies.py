"""Records of every kind that a text can hold, legal or not, for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st
from tironian import Alternative, BadLine, Comment, Record, Result, Ruling, Turn
from tironian import tokens as t
from tironian.notation.cards import SOME_INFLUENCE, high_to_low
from tironian.notation.writer import HEADER_ORDER, canonical_headers

FACE_UP = st.integers(0, 5)
INFLUENCE = FACE_UP | st.just(SOME_INFLUENCE)
CARD = st.integers(0, 13)
GROUP = st.integers(0, 5)
SIDE = st.integers(0, 1)
HUNDRED = st.integers(0, 99)


def several(strategy, least=0, most=5):
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def optional(strategy):
    return st.none() | strategy


# Surrogates would stand for bytes that are no UTF-8, which a text in memory doesn't hold.
one_line = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r\n"), max_size=12) | st.text(
    " ab\"\\;{}[]|%#'=*12R\t\x0b\x1c\x85\u2028", max_size=12
)
stripped = one_line.map(str.strip)
inline = stripped.map(lambda text: text.replace("}", ")").strip())

ballots = st.tuples(GROUP, several(INFLUENCE).map(high_to_low), several(INFLUENCE).map(high_to_low)) | st.tuples(
    GROUP, st.none(), st.none()
)
winners = optional(st.integers(0, 2))
missions = st.one_of(
    st.builds(t.Mission, st.sampled_from(["majority", "all"]), group=GROUP),
    st.builds(t.Mission, st.sampled_from(["majorities", "patricians"]), count=HUNDRED),
    st.builds(t.Mission, st.just("text"), text=one_line),
    st.builds(t.Mission, st.sampled_from(["each", "unknown"])),
)
spies = st.one_of(
    st.builds(t.Spy, CARD, optional(CARD), optional(several(CARD))), st.builds(t.Spy, hand=optional(several(CARD)))
)
tokens = st.one_of(
    st.builds(t.Place, INFLUENCE, GROUP, st.just(True)),
    st.builds(t.Place, FACE_UP, GROUP, st.just(False)),
    st.builds(t.Assassinate, FACE_UP, GROUP, st.just(False)),
    st.builds(t.Assassinate, optional(INFLUENCE), GROUP, st.just(True), optional(st.integers(1, 9))),
    st.builds(t.Scout, GROUP, optional(several(INFLUENCE).map(high_to_low))),
    st.builds(t.Wrath, GROUP),
    st.builds(t.Castle, GROUP, GROUP),
    st.builds(t.Castle, GROUP, GROUP, several(INFLUENCE), several(INFLUENCE)),
    spies,
    st.builds(t.Veto, optional(CARD)),
    st.builds(t.Discard, several(CARD)),
    st.builds(lambda ballot, winner: t.Vote(*ballot, winner), ballots, winners),
    st.builds(lambda ballot, winner: t.SpecialVote(*ballot, winner), ballots, winners),
    st.builds(t.NoVote, st.booleans()),
    st.builds(t.PutAway, GROUP),
    st.builds(t.ChooseMission, SIDE, optional(st.integers(1, 2))),
    st.builds(t.Draw, several(CARD, least=1)),
    st.builds(t.Missions, several(missions, least=1, most=3)),
    *(st.builds(cls, several(CARD)) for cls in (t.ActionOrder, t.Hand, t.Spent)),
    st.builds(t.Gained, several(GROUP)),
    st.builds(t.Bag, several(GROUP), st.integers(0, 3), st.integers(0, 3)),
    st.builds(t.Unread, st.sampled_from(["zz", "5q", "x", "♔", "12R", '"a b"', "%", "|", "\\", "1-2", "m()"])),
)
marks = several(st.from_regex(r"@[0-9]{1,3}(:[0-9]{2}){1,2}(\.[0-9]{1,3})?|[!?]{1,2}|\$[0-9]{1,3}", fullmatch=True))


@st.composite
def notes(draw, most):
    """Comments on a line with so many tokens, in their order."""
    places = sorted(draw(st.lists(st.integers(0, most), max_size=3)))
    some = [Comment(draw(inline), place) for place in places]
    return (*some, *([Comment(draw(stripped))] if draw(st.booleans()) else []))


nothing = st.just(())


@st.composite
def turns(draw, after=nothing):
    some = draw(several(tokens, most=6))
    return Turn(
        draw(st.integers(0, 9999)), draw(SIDE), some, draw(marks), draw(notes(len(some))), draw(after)
    )  # fmt: skip


comments = st.builds(Comment, stripped)
bad_lines = st.builds(BadLine, st.sampled_from(["no line", "% R shrugs", "12345R", "| zz", "'", "{", "1-", "♔ 5Q"]))
rulings = st.builds(
    Ruling,
    SIDE,
    st.sampled_from(["stands", "back", "penalty"]),
    several(st.from_regex(r"[A-Z][0-9]{3}", fullmatch=True), most=2),
    HUNDRED,
    stripped,
)
followers = several(st.one_of(comments, bad_lines, rulings, st.builds(Alternative, turns())), most=3)
remarks = several(comments | bad_lines, most=2)
verdicts = several(st.tuples(SIDE, several(st.booleans(), least=1, most=2)), most=2)


@st.composite
def results(draw):
    points = draw(optional(st.tuples(st.integers(0, 999), st.integers(0, 999))))
    winner = draw(winners)
    return Result(points, winner, draw(verdicts), draw(notes(0)), draw(remarks))


headers = several(
    st.tuples(
        st.sampled_from(HEADER_ORDER) | st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,6}", fullmatch=True),
        one_line,
    )
).map(lambda some: tuple(canonical_headers(some)))
records = st.builds(Record, headers, remarks, several(turns(followers)), optional(results()))
"""Any record that a text of one game can hold."""

soup = st.lists(
    st.one_of(
        st.sampled_from(['[Event "x"]', '[event "y"]', "[bad", "", "  ", "; c", "{c}", "1R 5Q", "1R"]),
        st.sampled_from(["2E zz", "| 1R 4P", "| 1R zz", "% R stands", "*", "17-13"]),
        st.text("12RE5Q(3)A=x+-;{}[]\"\\|%! @:zm'\t\x1c\ufeff", max_size=30),
        one_line,
    ),
    max_size=12,
).map("\n".join)
"""Text of which much cannot be read."""
