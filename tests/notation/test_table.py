"""What is kept in ``grammar``, the table and the answers, is what Lark makes of the grammar. ``make table`` makes it
anew.
"""

from __future__ import annotations

import json
from typing import Any

from tironian.grammar import answers_text, table_text
from tironian.notation import parser, word_cache


def told(thing: Any, memo: dict[str, Any]) -> str:
    """A thing in words, with what it only refers to by number."""
    if isinstance(thing, dict) and "@" in thing:
        return told(memo[str(thing["@"])], memo)
    return json.dumps(thing, sort_keys=True)


def walked(table: dict[str, Any]) -> list[Any]:
    """All that is in a table, with its states in the order in which one comes upon them: how Lark numbers them, and
    what else it numbers, is another thing each time."""
    parser, memo = table["data"]["parser"], table["memo"]
    states, tokens, starts = (parser["parser"][name] for name in ("states", "tokens", "start_states"))
    met = [state for _, state in sorted(starts.items())]
    rows = []
    for state in met:  # which grows
        row = {}
        for token, (kind, to) in sorted(states[str(state)].items(), key=lambda each: tokens[each[0]]):
            if kind == 0 and to not in met:
                met.append(to)
            row[tokens[token]] = (kind, told(to, memo) if kind else met.index(to))
        rows.append(row)
    assert len(met) == len(states)
    ends = {name: met.index(state) for name, state in parser["parser"]["end_states"].items()}
    terminals = sorted(told(each, memo) for each in parser["lexer_conf"].pop("terminals"))
    rules = [
        sorted(told(each, memo) for each in place.pop("rules")) for place in (table["data"], parser["parser_conf"])
    ]
    return [
        table["made_of"], rows, ends, terminals, rules, parser["lexer_conf"], parser["parser_conf"],
        table["data"]["options"],
    ]  # fmt: skip


def test_the_table_is_what_lark_makes_of_the_grammar() -> None:
    kept, made = walked(json.loads(table_text())), walked(json.loads(parser.new_table()))
    assert kept == made, "the grammar or Lark has changed: `make table`"


def test_the_kept_answers_are_those_of_lark() -> None:
    kept = json.loads(answers_text())
    for texts, read in ((kept["lines"], parser.parse_line), (kept["items"], parser.parse_item)):
        assert len(texts) > 20
        for text, value in texts.items():
            assert word_cache._value(value) == read(text), f"{text}: `make table`"


def test_answers_for_another_grammar_are_left_alone(monkeypatch) -> None:
    monkeypatch.setattr(word_cache, "answers_text", lambda: '{"made_of": 1, "lines": {"1E": 0}, "items": {}}')
    word_cache._answers.cache_clear()
    try:
        assert word_cache.read_line("1E") == parser.parse_line("1E")
    finally:
        word_cache._answers.cache_clear()


def test_a_table_of_another_grammar_is_left_alone(monkeypatch) -> None:
    monkeypatch.setattr(parser, "table_text", lambda: '{"made_of": ["0.1", "line: A"]}')
    parser._value_parser.cache_clear()
    try:
        assert parser.parse_item("5Q") == parser.t.Place(5, 4, hidden=False)
    finally:
        parser._value_parser.cache_clear()
