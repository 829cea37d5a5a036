"""Logs that say the same in other words, or begin elsewhere: nothing is told where nothing differs."""

from __future__ import annotations

from itertools import permutations

import pytest
from tironian import Merged, merge, parse, write

HEAD = """[Rules "{rules}"]
[Event "Thursday table"]
[Site "Trier"]
[Date "2026.03.12"]
[Round "1"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]
[View "{view}"]
"""
OPENING = """
0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
1E (i)A 5Q +ia
1R (4)A 2P =A43:53>E +1s
2E (i)C 1Q =o +ii
*
"""
OTHER = """
0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x
1R (i)A 2P =A43:53>E +ia
2E (4)C 1Q =o +51
*
"""


def log(view: str, text: str, *headers: str, rules: str = "2024") -> str:
    return HEAD.format(view=view, rules=rules) + "".join(f"{each}\n" for each in headers) + text


def joined(*texts: str) -> Merged:
    return merge([parse(text, f"{number}.tiro")[0] for number, text in enumerate(texts, 1)])


def told(merged: Merged) -> list[str]:
    return [each.code for each in (*merged.diagnostics, *merged.verdict.diagnostics) if each.severity != "note"]


@pytest.mark.parametrize(
    ("rome", "egypt"),
    [
        (("+1s", "+1 +s"), ("+ia", "+ia")),
        (("+1s", "+1 +s"), ("+ia", "+ai")),
        (("+1s", "+1s"), (">E +ia", ">E +i {slowly} +a")),
        (("m(12,A)", "m(12,A)"), ("m(?,?)", "m(?) m(?)")),
        (("m(12,A)", "m(12) m(A)"), ("m(?,?)", "m(?,?)")),
    ],
)
def test_cards_in_one_word_or_in_two(rome: tuple[str, str], egypt: tuple[str, str]):
    found = joined(log("caesar", OPENING.replace(*rome)), log("cleopatra", OTHER.replace(*egypt, 1)))
    assert not told(found), found.diagnostics
    plain = joined(log("caesar", OPENING), log("cleopatra", OTHER))
    assert write(found.record).replace(" {Cleopatra's log: slowly}", "") == write(plain.record)


def test_a_word_that_was_forgotten_is_still_told():
    found = joined(log("caesar", OPENING.replace("+1s", "+1 +s")), log("cleopatra", OTHER.replace(">E +ia", ">E +i")))
    (missing,) = found.diagnostics
    assert missing.code == "M202"
    assert missing.source.text(missing.span.line)[missing.span.start : missing.span.end] == "+s"


def test_a_contradiction_behind_cards_in_two_words_has_its_place():
    found = joined(
        log("caesar", OPENING.replace("=o +ii", "+i +i =o")), log("cleopatra", OTHER.replace("=o +51", "+51 =r"))
    )
    (against,) = [each for each in found.diagnostics if each.code == "M101"]
    assert against.source.text(against.span.line)[against.span.start : against.span.end] in ("=o", "=r")


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [
        ("cA(ii)Q(i)", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cA(53)Q(1)", "cQ(i)A(ii)", "cA(53)Q(1)"),
        ("cAQ", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cAQ", "cQA", "cAQ"),
        ("g(AAQ)", "g(QAA)", "g(AAQ)"),
        ("b(APor)", "b(PAor)", "b(APor)"),
    ],
)
def test_what_stands_in_another_order_is_the_same(one: str, two: str, known: str):
    from tironian.replay.merging.joined_tokens import join

    tokens = [parse(f"1E {word}\n")[0].record.turns[0].tokens[0] for word in (one, two, known)]
    assert join(tokens[0], tokens[1]) == (tokens[2], True, True)


def test_another_castling_or_another_bag_is_not_the_same():
    from tironian.replay.merging.joined_tokens import join

    for one, two in (("cA(5)Q(1)", "cQ(5)A(1)"), ("g(AAQ)", "g(QQA)"), ("b(APor)", "b(APoor)")):
        tokens = [parse(f"1E {word}\n")[0].record.turns[0].tokens[0] for word in (one, two)]
        assert not join(*tokens).agree


POSITION = """
0R d(55) h(iiiixx) g(A) b(PQKCor)
0E h(1122xx) g(QAA)
7E (1)A 1Q =r +11
7R (i)A 2Q =r +ii
*
"""
SEATED = """
0R d(55) h(1234xx) g(A)
0E h(iiiixx) g(AAQ) b(KCPQor)
7E (i)A 1Q =r +ii
7R (1)A 2Q =r +33
*
"""


def test_the_bag_of_a_position_may_stand_in_either_line():
    found = joined(log("cleopatra", POSITION, '[Setup "position"]'), log("caesar", SEATED, '[Setup "position"]'))
    assert not found.diagnostics
    assert not told(found)
    assert write(found.record).count("b(") == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_log_that_begins_as_a_position_takes_nothing_away(order: tuple[int, ...]):
    spectator = """
0R (i)P (i)Q 2P (i)K (i)C (i)A h(iivvsi)
0E (i)P (i)Q (i)A (i)K (i)C h(iiiiva)
2E (i)C 1Q =o +ii
*
"""
    texts = [
        log("caesar", OPENING),
        log("cleopatra", OTHER),
        log("table", spectator, '[Setup "position"]', '[Starts "Cleopatra"]'),
    ]
    found = joined(*[texts[place] for place in order])
    assert not told(found), found.diagnostics
    text = write(found.record)
    assert "\n1R (4)A 2P =A43:53>E +1s\n2E (4)C 1Q =o +51\n" in text
    assert "; the table's log: 0R (i)P (i)Q 2P" in text
    assert '; the table\'s log: [Setup "position"]' in text
    assert '\n[Setup "position"]' not in text


def test_of_two_positions_the_earlier_one_begins():
    later = """
0R 2Q (i)A d(55) h(iiiixx) g(A) b(PQKC)
0E 1Q (i)A h(iiiixx) g(QAA)
8E (i)A 1P =r +ii
*
"""
    earlier = POSITION.replace("*", "8E (1)A 1P =r +11\n*")
    for texts in ((later, earlier), (earlier, later)):
        views = ["table" if text is later else "cleopatra" for text in texts]
        found = joined(*[log(view, text, '[Setup "position"]') for view, text in zip(views, texts, strict=True)])
        assert not told(found), found.diagnostics
        assert '\n[Setup "position"]' in write(found.record)
        assert "\n7E (1)A 1Q =r +11\n" in write(found.record)
