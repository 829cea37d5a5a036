"""Slips put into legal games: by the kinds of the table, and by a second model that knows only words and characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from tironian import Record, Ruling, Turn, check, parse, turn_text, write
from tironian import tokens as t
from tironian.notation.cards import high_to_low
from tironian.notation.tokens import FieldType, field_kinds

ALPHABET = "12345piACKPQSREaxswcyvmor()=*+-:>#"
LIKE = {3: (2, 4, 5), 5: (4, 3, 2), 2: (1, 3, 5), 1: (2, 4), 4: (3, 5, 1), 0: (1,)}


def turns_with(record: Record, test: Callable[[t.Token], bool]) -> list[tuple[int, int]]:
    """The places (turn, token) of tokens that pass a test, behind the set-up."""
    return [
        (place, at)
        for place, turn in enumerate(record.turns)
        if turn.number
        for at, token in enumerate(turn.tokens)
        if test(token)
    ]


def with_tokens(record: Record, place: int, tokens: tuple[t.Token, ...]) -> Record:
    turn = record.turns[place]
    new = Turn(turn.number, turn.side, tokens, turn.marks, turn.notes, turn.after)
    return replace(record, turns=(*record.turns[:place], new, *record.turns[place + 1 :]))


def with_token(record: Record, place: int, at: int, *tokens: t.Token) -> Record:
    old = record.turns[place].tokens
    return with_tokens(record, place, (*old[:at], *tokens, *old[at + 1 :]))


def fields_of(token: Any, *sorts: FieldType) -> list[str]:
    return [
        name
        for name, kind in field_kinds(type(token)).items()
        if kind.field_type in sorts and getattr(token, name) not in (None, ())
    ]


CARD_SORTS = (FieldType.CARD, FieldType.CARDS, FieldType.DRAWN, FieldType.LAID, FieldType.HAND)


def other_card(rng: Random, card: int, actions: list[int]) -> int:
    if card <= 5:
        return rng.choice(LIKE[card]) if rng.random() < 0.8 else rng.choice([c for c in range(6) if c != card])
    return rng.choice([c for c in actions if c != card] or [card])


def wrong_card(record: Record, rng: Random, actions: list[int]) -> Record:
    place, at = rng.choice(turns_with(record, lambda token: bool(fields_of(token, *CARD_SORTS))))
    token = record.turns[place].tokens[at]
    name = rng.choice(fields_of(token, *CARD_SORTS))
    value = getattr(token, name)
    if isinstance(value, int):
        return with_token(record, place, at, replace(token, **{name: other_card(rng, value, actions)}))
    which = rng.randrange(len(value))
    cards = (*value[:which], other_card(rng, value[which], actions), *value[which + 1 :])
    return with_token(record, place, at, replace(token, **{name: sort_like(token, cards)}))


def sort_like(token: t.Token, cards: tuple[int, ...]) -> tuple[int, ...]:
    return high_to_low(cards) if isinstance(token, t.Vote | t.SpecialVote | t.Scout) else cards


def wrong_group(record: Record, rng: Random, groups: list[int]) -> Record:
    place, at = rng.choice(turns_with(record, lambda token: bool(fields_of(token, FieldType.GROUP))))
    token: Any = record.turns[place].tokens[at]
    name = rng.choice(fields_of(token, FieldType.GROUP))
    return with_token(
        record, place, at, replace(token, **{name: rng.choice([g for g in groups if g != getattr(token, name)])})
    )


def exchanged_groups(record: Record, rng: Random) -> Record | None:
    pairs = [
        (place, one, other)
        for place, turn in enumerate(record.turns)
        if turn.number
        for one, a in enumerate(turn.tokens)
        for other, b in enumerate(turn.tokens[one + 1 :], one + 1)
        if hasattr(a, "group") and hasattr(b, "group") and a.group != b.group
    ]
    if not pairs:
        return None
    place, one, other = rng.choice(pairs)
    tokens: list[Any] = list(record.turns[place].tokens)
    a, b = tokens[one].group, tokens[other].group
    tokens[one], tokens[other] = replace(tokens[one], group=b), replace(tokens[other], group=a)
    return with_tokens(record, place, tuple(tokens))


def brackets(record: Record, rng: Random) -> Record | None:
    places = turns_with(record, lambda token: isinstance(token, t.Place))
    if not places:
        return None
    place, at = rng.choice(places)
    token = record.turns[place].tokens[at]
    return with_token(record, place, at, replace(token, hidden=not token.hidden))  # type: ignore[attr-defined,call-arg]


def winner(record: Record, rng: Random) -> Record | None:
    places = turns_with(record, lambda token: isinstance(token, t.AnyVote) and token.winner is not None)
    if not places:
        return None
    place, at = rng.choice(places)
    token: Any = record.turns[place].tokens[at]
    return with_token(record, place, at, replace(token, winner=rng.choice([w for w in range(3) if w != token.winner])))


def columns(record: Record, rng: Random) -> Record | None:
    places = turns_with(
        record, lambda token: isinstance(token, t.AnyVote) and token.rome is not None and token.rome != token.egypt
    )
    if not places:
        return None
    place, at = rng.choice(places)
    token: Any = record.turns[place].tokens[at]
    return with_token(record, place, at, replace(token, rome=token.egypt, egypt=token.rome))


def too_few(record: Record, rng: Random) -> Record | None:
    many = (FieldType.CARDS, FieldType.DRAWN, FieldType.LAID)
    places = turns_with(record, lambda token: bool(fields_of(token, *many)))
    place, at = rng.choice(places)
    token = record.turns[place].tokens[at]
    name = rng.choice(fields_of(token, *many))
    cards = getattr(token, name)
    which = rng.randrange(len(cards))
    left = (*cards[:which], *cards[which + 1 :])
    if isinstance(token, t.Draw) and not left:
        return with_token(record, place, at)
    return with_token(record, place, at, replace(token, **{name: left}))


def too_many(record: Record, rng: Random, actions: list[int]) -> Record:
    many = (FieldType.CARDS, FieldType.DRAWN, FieldType.LAID)
    place, at = rng.choice(turns_with(record, lambda token: bool(fields_of(token, *many))))
    token = record.turns[place].tokens[at]
    name = rng.choice(fields_of(token, *many))
    cards = (*getattr(token, name), rng.choice(getattr(token, name)))
    return with_token(record, place, at, replace(token, **{name: sort_like(token, cards)}))


def omitted(record: Record, rng: Random) -> Record:
    return with_token(record, *rng.choice(turns_with(record, lambda _: True)))


def veto(record: Record, rng: Random) -> Record | None:
    places = turns_with(record, lambda token: isinstance(token, t.Veto))
    return with_token(record, *rng.choice(places)) if places else None


def doubled(record: Record, rng: Random) -> Record:
    place, at = rng.choice(turns_with(record, lambda _: True))
    token = record.turns[place].tokens[at]
    return with_token(record, place, at, token, token)


def order(record: Record, rng: Random) -> Record | None:
    places = [(place, at) for place, at in turns_with(record, lambda _: True) if at]
    if not places:
        return None
    place, at = rng.choice(places)
    tokens = record.turns[place].tokens
    return with_tokens(record, place, (*tokens[: at - 1], tokens[at], tokens[at - 1], *tokens[at + 1 :]))


def numbered(record: Record) -> list[int]:
    return [place for place, turn in enumerate(record.turns) if turn.number]


def label(record: Record, rng: Random) -> Record:
    place = rng.choice(numbered(record))
    turn = record.turns[place]
    number = max(1, turn.number + rng.choice((-1, 1))) if rng.random() < 0.7 else turn.number
    side = turn.side if number != turn.number else 1 - turn.side
    new = Turn(number, side, turn.tokens, turn.marks, turn.notes, turn.after)
    return replace(record, turns=(*record.turns[:place], new, *record.turns[place + 1 :]))


def turn_doubled(record: Record, rng: Random) -> Record:
    place = rng.choice(numbered(record))
    return replace(record, turns=(*record.turns[: place + 1], *record.turns[place:]))


def turn_order(record: Record, rng: Random) -> Record:
    place = rng.choice(numbered(record)[:-1])
    one, other = record.turns[place : place + 2]
    return replace(record, turns=(*record.turns[:place], other, one, *record.turns[place + 2 :]))


def turn_omitted(record: Record, rng: Random) -> Record:
    place = rng.choice(numbered(record))
    return replace(record, turns=(*record.turns[:place], *record.turns[place + 1 :]))


def setup(record: Record, rng: Random) -> Record:
    place = rng.randrange(2)
    tokens: list[Any] = list(record.turns[place].tokens)
    one, other = rng.sample([at for at, token in enumerate(tokens) if isinstance(token, t.Place)], 2)
    a, b = tokens[one].card, tokens[other].card
    tokens[one], tokens[other] = replace(tokens[one], card=b), replace(tokens[other], card=a)
    return with_tokens(record, place, tuple(tokens))


def rules(record: Record, rng: Random) -> Record:
    name = record.header("Rules")
    other = rng.choice([each for each in ("2024", "1997", "fr", "taylor") if each != name])
    return replace(record, headers=tuple((key, other if key == "Rules" else value) for key, value in record.headers))


def result(record: Record, rng: Random) -> Record | None:
    line = record.result
    if line is None or line.points is None:
        return None
    points = list(line.points)
    side = rng.randrange(2)
    points[side] = max(0, points[side] + rng.choice((-2, -1, 1, 2, 10)))
    return replace(record, result=replace(line, points=tuple(points)))


SLIPS: dict[str, tuple[float, Callable[..., Record | None]]] = {
    "card": (0.20, wrong_card), "group": (0.12, wrong_group), "groups_exchanged": (0.03, exchanged_groups),
    "brackets": (0.08, brackets), "winner": (0.05, winner), "columns": (0.03, columns), "too_few": (0.08, too_few),
    "too_many": (0.03, too_many), "omitted": (0.06, omitted), "veto": (0.02, veto), "doubled": (0.03, doubled),
    "order": (0.04, order), "spelling": (0.05, lambda record, rng: misspelt(record, rng)), "label": (0.04, label),
    "turn_doubled": (0.02, turn_doubled), "turn_order": (0.01, turn_order), "turn_omitted": (0.03, turn_omitted),
    "setup": (0.02, setup), "rules": (0.02, rules), "result": (0.04, result),
}  # fmt: skip


def slip(record: Record, rng: Random, actions: list[int], groups: list[int]) -> tuple[str, Record]:
    """A record with one slip of the table, drawn by its weights, and the kind of the slip."""
    names = list(SLIPS)
    while True:
        kind = rng.choices(names, [SLIPS[name][0] for name in names])[0]
        make = SLIPS[kind][1]
        if make in (wrong_card, too_many):
            made = make(record, rng, actions)
        elif make is wrong_group:
            made = make(record, rng, groups)
        else:
            made = make(record, rng)
        if made is not None and made != record:
            return kind, made


def misspelt(record: Record, rng: Random) -> Record | None:
    """Letters and digits that look alike, in one word or label."""
    lines = write(record).splitlines()
    places = [place for place, line in enumerate(lines) if line[:1].isdigit() and not line.startswith("0")]
    place = rng.choice(places[:-1])
    signs = {"o": "0", "1": "l", "5": "S", "(": "", ")": "", "p": "P", "R": "r", "A": "a", "=": "-", ">": ""}
    where = [at for at, sign in enumerate(lines[place]) if sign in signs]
    if not where:
        return None
    at = rng.choice(where)
    lines[place] = lines[place][:at] + signs[lines[place][at]] + lines[place][at + 1 :]
    return parse("\n".join(lines) + "\n")[0].record


def uniform_slip(record: Record, rng: Random) -> Record:
    """A record with one slip of the second model: any word or character of a turn, and any change of it."""
    while True:
        place = rng.choice(numbered(record))
        words = turn_text(record.turns[place]).split()
        at = rng.randrange(1, len(words)) if len(words) > 1 else 0
        if not at:
            continue
        word = words[at]
        match rng.randrange(8):
            case 0:
                del words[at]
            case 1:
                words.insert(at, word)
            case 2:
                other = rng.randrange(1, len(words))
                words[at], words[other] = words[other], word
            case 3:
                which = rng.randrange(len(word))
                words[at] = word[:which] + word[which + 1 :]
            case 4:
                which = rng.randrange(len(word) + 1)
                words[at] = word[:which] + rng.choice(ALPHABET) + word[which:]
            case 5 if len(word) > 1:
                which = rng.randrange(len(word) - 1)
                words[at] = word[:which] + word[which + 1] + word[which] + word[which + 2 :]
            case _:
                which = rng.randrange(len(word))
                words[at] = word[:which] + rng.choice(ALPHABET) + word[which + 1 :]
        lines = write(record).splitlines()
        old = turn_text(record.turns[place])
        lines[lines.index(old)] = " ".join(words)
        made = parse("\n".join(lines) + "\n")[0].record
        if made != record:
            return made


def broken_off(record: Record, rng: Random) -> Record:
    """A record of a game that was broken off in the middle of a turn."""
    place = rng.randrange(6, len(record.turns) - 1)
    last = record.turns[place]
    cut = replace(last, tokens=last.tokens[: rng.randrange(1, len(last.tokens) + 1)])
    headers = tuple([(name, "*" if name == "Result" else value) for name, value in record.headers])
    none = None if record.result is None else replace(record.result, points=None, winner=None)
    ended = (*headers, ("Termination", "abandoned"))
    return replace(record, headers=ended, turns=(*record.turns[:place], cut), result=none)


def ruled(record: Record, rng: Random, actions: list[int], groups: list[int]) -> Record:
    """A record with a slip that a ruling lets stand, so that it is legal or possible."""
    while True:
        _, made = slip(record, rng, actions, groups)
        verdict = check(made)
        label = next((entry.turn for entry in verdict.diagnostics if entry.severity == "error"), "")
        places = [place for place, turn in enumerate(made.turns) if turn.label == label and turn.number]
        if verdict.verdict != "illegal" or len(places) != 1:
            continue
        turn = made.turns[places[0]]
        held = replace(turn, after=(*turn.after, Ruling(turn.side, "stands", (), 0, "it happened")))
        made = replace(made, turns=(*made.turns[: places[0]], held, *made.turns[places[0] + 1 :]))
        if check(made).verdict in ("legal", "possible"):
            return made
