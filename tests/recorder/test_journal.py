"""What changes one text into another, and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale import scaled
from tironian.tools.recorder.journal import Change, apply, between, decoded, encoded, normalized

SHEETS = st.lists(st.sampled_from(["a", "b", "", "\udce9", "\r"]), max_size=6).map("\n".join)
STRANGE = st.text(
    st.one_of(st.characters(), st.sampled_from("\ud83d\udc00\udcc3\udca9\udcef\udcbb\udcbf\ufeff\r\n")), max_size=12
)


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("", "", None), ("", "a\n", Change(0, (), ("a",))), ("a\n", "a\nb\n", Change(1, (), ("b",))),
        ("a\n", "a", Change(1, ("",), ())), ("a\nb\nc", "a\nB\nc", Change(1, ("b",), ("B",))),
        ("a\na\n", "a\n", Change(1, ("a",), ())), ("a\nb\nc\nd", "b\nc", Change(0, ("a", "b", "c", "d"), ("b", "c"))),
    ],
)  # fmt: skip
def test_a_change_is_one_place(old, new, change):
    assert between(old, new) == change


@settings(max_examples=scaled(300, 20_000), deadline=None)
@given(SHEETS, SHEETS)
def test_a_change_leads_there_and_back(old, new):
    change = between(old, new)
    if change is None:
        assert old == new
        return
    assert apply(old, change) == new
    assert between(new, old) == Change(change.at, change.now, change.was)
    assert apply(new, Change(change.at, change.now, change.was)) == old
    assert change.was[:1] != change.now[:1]
    assert change.was[-1:] != change.now[-1:]


@pytest.mark.parametrize(
    "change", [Change(1, ("c",), ()), Change(2, ("c",), ()), Change(3, (), ()), Change(-1, (), ())]
)
def test_what_does_not_stand_there_is_not_changed(change):
    with pytest.raises(ValueError, match=f"line {change.at + 1} "):
        apply("a\nb", change)


@settings(max_examples=scaled(300, 20_000), deadline=None)
@given(STRANGE)
def test_a_settled_text_stays(text):
    assert decoded(encoded(normalized(text))) == normalized(text)
    assert "\r" not in normalized(text)
    assert not normalized(text).startswith("\ufeff")


@settings(max_examples=scaled(300, 20_000), deadline=None)
@given(st.binary(max_size=12))
def test_bytes_survive(data):
    assert encoded(data.decode("utf-8", "surrogateescape")) == data


def test_a_stray_surrogate_is_not_lost():
    assert encoded("a\ud83db\udcff") == b"a\xed\xa0\xbdb\xff"
