"""What the library gives are values: a copy, made here or in another process, is equal to what it was made of."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, cast

import pytest
import tironian

PLAYED = """\
[Rules "2024"]
[Event "Spring cup"]
[Site "Trier"]
[Date "2026.03.14"]
[Round "2.3"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]

; before the game
???
0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x @0:10 {a start} ; well
   | 1E 5Q
1R (4)A 2P =A43:53>E +1s
   % R stands R203: an old card
2E x2P v+5 (4)C 1Q =o +51p
*
"""
BROKEN = PLAYED.replace("???\n", "").replace("=A43:53>E", "=A43:53>R").replace("2E x2P v+5", "2E 9P")
(GAME,) = tironian.parse(PLAYED, "played.tiro")
(FAULTY,) = tironian.parse(BROKEN, "broken.tiro")
WHOLE = tironian.simulate(tironian.load_edition("2024"), seed=1)
(SLIP,) = tironian.parse(tironian.write(WHOLE).replace("9E 5K", "9E 4K"), "slip.tiro")
(UNNAMED,) = tironian.parse(tironian.write(WHOLE).replace('[Rules "2024"]\n', ""), "unnamed.tiro")
MOST_TRIED = 20
LOGS = [tironian.view(WHOLE, name).record for name in ("caesar", "cleopatra")]


def state(moment: str = "1E") -> tironian.State:
    return tironian.replay_game(GAME).at(moment).state


def raised(function: Callable[..., Any], *given: Any) -> Exception:
    with pytest.raises(Exception) as told:
        function(*given)
    return told.value


def verdicts() -> list[Any]:
    found = [tironian.check(game) for game in (GAME, FAULTY, SLIP, WHOLE, LOGS[0], tironian.Record())]
    return [(each, each.state, each.edition, each.score, each.outcome, each.summary) for each in found]


MADE: dict[str, Callable[[], Any]] = {
    "analyse": lambda: tironian.analyse(GAME, level="quick"),
    "apply": lambda: raised(tironian.apply, state(), tironian.tokens.Draw((5,) * 16)),
    "check": verdicts,
    "find_repairs": lambda: tironian.find_repairs(SLIP),
    "from_json": lambda: (tironian.from_json(tironian.to_json(WHOLE)), raised(tironian.from_json, {})),
    "infer_rules": lambda: tironian.infer_rules(UNNAMED),
    "legal_moves": lambda: tironian.legal_moves(state()),
    "load_edition": lambda: [
        tironian.load_edition("1997"),
        tironian.load_edition("1997", (("empty_side", "tie"),)),
        dataclasses.replace(tironian.load_edition("fr"), side_limit=6),
        dataclasses.replace(tironian.load_edition("fr"), name="house", declared={"drinks": "yes"}),
    ],
    "merge": lambda: [
        tironian.merge(LOGS),
        raised(tironian.merge, [WHOLE, tironian.simulate(tironian.load_edition("1997"), seed=1)]),
    ],
    "odds": lambda: tironian.odds(GAME, "caesar"),
    "parse": lambda: [GAME, FAULTY, *tironian.parse("1E 5?A\n17-13 mR+ {close}\n; behind\n"), *tironian.parse("")],
    "page": lambda: tironian.page(GAME, "table"),
    "picture": lambda: tironian.picture(WHOLE),
    "report": lambda: tironian.report([GAME]),
    "parse_token": lambda: tironian.parse_token("(3)A"),
    "parse_turn": lambda: tironian.parse_turn("5R (3)P +2 ; well"),
    "read": lambda: [*tironian.read(__file__)],
    "event": lambda: tironian.event("examples/event"),
    "pair": lambda: [tironian.pair("examples/swiss"), raised(tironian.pair, "examples/event")],
    "record_of": lambda: tironian.record_of(
        tironian.load_edition("2024"), 1, *[turn.tokens for turn in WHOLE.turns[:2]], [tironian.Move(None)]
    ),
    "replay_game": lambda: [tironian.replay_game(GAME), tironian.replay_game(FAULTY)],
    "score": lambda: tironian.score(state()),
    "simulate": lambda: WHOLE,
    "speaking": lambda: [raised(tironian.speaking, "xx")],
    "start": lambda: tironian.start(tironian.load_edition("2024"), 1, *[turn.tokens for turn in WHOLE.turns[:2]]),
    "timeline": lambda: [
        tironian.timeline(GAME),
        tironian.timeline(FAULTY),
        raised(tironian.timeline, tironian.Record()),
    ],
    "to_json": lambda: tironian.to_json(WHOLE),
    "token_text": lambda: tironian.token_text(tironian.tokens.Veto()),
    "turn_text": lambda: tironian.turn_text(GAME.record.turns[0]),
    "view": lambda: [tironian.view(GAME, "table"), raised(tironian.view, LOGS[0], "cleopatra")],
    "violations": lambda: tironian.violations(state(), tironian.tokens.Wrath(0)),
    "votes": lambda: tironian.votes(WHOLE),
    "what_if": lambda: tironian.what_if(GAME),
    "words": lambda: [tironian.words(entry) for entry in tironian.timeline(GAME).entries],
    "write": lambda: tironian.write(WHOLE),
    "write_all": lambda: tironian.write_all(LOGS),
}
"""Every public function → what it gives and raises."""
ALONE: dict[str, Callable[[], Any]] = {
    "Card": lambda: [*tironian.Card],
    "Compared": lambda: tironian.Compared("2A", "wK", "places a 2 face up at the Aediles", 0.61, 0.01),
    "Group": lambda: [*tironian.Group],
    "Reason": lambda: tironian.Reason("wins", tironian.Group.AEDILE, (0.5, 0.25)),
    "Side": lambda: [*tironian.Side],
    "SideCards": lambda: state().sides,
    "Label": lambda: tironian.Label(tironian.Span(0, 3, 5), "the first card"),
    "MissingCardsError": tironian.MissingCardsError,
    "tokens": lambda: tironian.parse(
        "1E 5A xP sA(52) wA cA(53)Q(1) y[334]4+i v+3 -34 *A4:5>R =o =A- =A53:4>R mR1 +34 ??\n"
        "0R m(Q,12,?) a(cv) h(135) g(AAQ) d(55x) b(APoor)\n"
    ),
}
"""What no function gives."""


def parts(value: Any) -> Iterator[Any]:
    """Yield what a value holds."""
    if isinstance(value, Mapping):
        yield from (*value, *value.values())
    elif isinstance(value, Sequence | set) and not isinstance(value, str):
        yield from value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from [getattr(value, field.name) for field in dataclasses.fields(value) if field.compare]
    elif isinstance(value, tironian.InvalidJsonError):
        yield cast("tironian.InvalidJsonError", value).problems


def instances() -> dict[Any, list[Any]]:
    """Return each class of ours that is met in what the library gives, with some of its instances."""
    met: dict[Any, list[Any]] = {}
    pending: list[Any] = [make() for make in (*MADE.values(), *ALONE.values())]
    known = set[int]()
    kept = pending[:]
    while pending:
        value = pending.pop()
        if id(value) in known:
            continue
        known.add(id(value))
        kept.append(value)
        pending += parts(value)
        if type(value).__module__.startswith("tironian"):
            met.setdefault(type(value), []).append(value)
    return met


MET: dict[Any, list[Any]] = instances()
TWINS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def test_every_public_function_and_class_is_here() -> None:
    public = {name: getattr(tironian, name) for name in dir(tironian) if name in vars(tironian)["__all__"]}
    functions = {name for name, value in public.items() if inspect.isroutine(value)}
    assert functions == set(MADE)
    classes = {value for value in public.values() if isinstance(value, type)}
    assert not {*classes, *tironian.tokens.KINDS, tironian.tokens.Mission} - set(MET), "make one of these above"


@pytest.mark.parametrize("cls", sorted(MET, key=str), ids=str)
@pytest.mark.parametrize("way", TWINS)
def test_a_copy_is_equal(cls: Any, way: str) -> None:
    for value in MET[cls][:MOST_TRIED]:
        twin = TWINS[way](value)
        assert type(twin) is cls
        if isinstance(value, Exception):  # two of them are never equal
            assert (twin.args, str(twin)) == (value.args, str(value))
            continue
        assert twin == value
        assert (twin != value) is False
        if is_hashable(value):
            assert hash(twin) == hash(value)


def is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def test_what_differs_is_not_equal() -> None:
    verdicts = [tironian.check(game) for game in (GAME, FAULTY, SLIP, WHOLE)]
    assert len({*verdicts}) == len(verdicts)
    assert tironian.check(GAME) == verdicts[0]
    states = [state(moment) for moment in ("0R", "1E.1", "1E", "1R")]
    assert all((one == other) == (one is other) for one in states for other in states)
    assert states[2].sides[0] != states[3].sides[0]
    assert states[2].sides[0] != states[2].sides[1]


def test_a_copy_of_a_state_goes_its_own_way() -> None:
    for way in TWINS.values():
        before, twin = state(), way(state())
        tironian.apply(twin, *tironian.legal_moves(twin)[0])
        assert before == state() != twin


def test_an_edition_comes_back_as_itself() -> None:
    edition = tironian.load_edition("1997", (("empty_side", "tie"),))
    assert pickle.loads(pickle.dumps(edition)) is edition, "what was worked out for it need not be worked out again"


def test_a_copy_of_a_game_makes_its_turns_when_they_are_asked_for() -> None:
    (game,) = tironian.parse(tironian.write(WHOLE))
    assert len(pickle.dumps(game)) < 3 * len("".join(game.source.lines)), "neither has its tokens"
    assert pickle.loads(pickle.dumps(game)).record.turns[5].tokens == game.record.turns[5].tokens


@pytest.mark.process
def test_games_are_checked_by_several_processes() -> None:
    games = [GAME, FAULTY, SLIP]
    with ProcessPoolExecutor(1) as pool:
        assert [*pool.map(tironian.check, games)] == [tironian.check(game) for game in games]


@pytest.mark.parametrize("name", ["number", "side", "tokens", "marks", "notes", "after", "line"])
def test_a_turn_can_only_be_replaced(name: str) -> None:
    turn = WHOLE.turns[2]
    with pytest.raises(AttributeError):
        setattr(turn, name, getattr(turn, name))


def test_another_turn_is_what_is_written_and_checked() -> None:
    """Whether it was read, made by the simulator, or made by hand."""
    for record in (WHOLE, tironian.parse(tironian.write(WHOLE))[0].record):
        *others, last = record.turns
        turns = (*others, dataclasses.replace(last, tokens=last.tokens[:1], marks=("!",)))
        changed = dataclasses.replace(record, turns=turns)
        line = f"{last.label} {tironian.token_text(last.tokens[0])} !"
        assert tironian.turn_text(turns[-1]) == line
        assert line in tironian.write(changed).splitlines()
        assert tironian.to_json(changed)["turns"][-1]["marks"] == ["!"]
        assert tironian.check(changed).verdict != "legal"
        assert tironian.check(record).verdict == "legal"
