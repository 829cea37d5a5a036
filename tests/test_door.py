"""The door of the library: whatever a public function, class or method is given, it answers rightly or says what to do.

``FUNCTIONS`` and ``OBJECTS`` have a right value for everything public; the tests put wrong ones in their places.
"""

from __future__ import annotations

import copy
import inspect
import io
import math
import pickle
import random
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tironian
from scale import scaled
from tironian import Record, Result, Turn, tokens

EXAMPLE = Path(__file__).parents[1] / "examples" / "2024" / "tie-break.tiro"
EDITION = tironian.load_edition("2024")
WHOLE = tironian.simulate(EDITION, seed=1)
OTHER = tironian.simulate(tironian.load_edition("1997"), seed=2)
(GAME,) = tironian.parse(tironian.write(WHOLE), "game.tiro")
SHORT = "\n".join(tironian.write(WHOLE).splitlines()[:16]) + "\n*\n"
(BEGUN,) = tironian.parse(SHORT, "begun.tiro")
(BROKEN,) = tironian.parse(tironian.write(WHOLE).replace("9E 5K", "9E 4K"), "broken.tiro")
(UNNAMED,) = tironian.parse(SHORT.replace('[Rules "2024"]\n', ""), "unnamed.tiro")
LOG = tironian.view(GAME, "caesar").record
PLAYED = tironian.replay_game(GAME)
BEGUN_PLAYED = tironian.replay_game(BEGUN)
ANALYSED = {"costs": {("1E", 0, "5A"): 0.5}, "swings": {(0, "1E", 0): (0.1, 0.0)}}
STEP = PLAYED.at("2E")
TIMELINE = tironian.timeline(BEGUN)
DECISIONS = tironian.what_if(BEGUN)
PLACE = tokens.Place(3, 1, True)
EVENT = EXAMPLE.parents[1] / "event"
PAIRED = EXAMPLE.parents[1] / "swiss"
ROME, EGYPT = (turn.tokens for turn in WHOLE.turns[:2])


def state() -> tironian.State:
    return PLAYED.at("2E.0").state.copy()


FUNCTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "analyse": lambda: {
        "game": BEGUN, "side": 0, "level": "quick", "seed": 1, "seconds": 1.0, "rules": "2024", "jobs": 1,
        "watch": print,
    },
    "apply": lambda: {"state": state(), "token": PLACE, "vetoed": False},
    "check": lambda: {"game": GAME, "rules": "2024", "seconds": 1.0},
    "find_repairs": lambda: {"game": BEGUN, "rules": "2024", "budget": 50, "seconds": 1.0, "max_repairs": 2},
    "from_json": lambda: {"data": tironian.to_json(WHOLE)},
    "infer_rules": lambda: {"game": BEGUN, "seconds": 1.0},
    "legal_moves": lambda: {"state": state(), "exchanges": ((5, 4), ())},
    "load_edition": lambda: {"name": "2024", "options": (("experienced", "yes"),)},
    "merge": lambda: {"games": [BEGUN, BEGUN.record], "name": "joined", "seconds": 1.0, "picks": {}},
    "odds": lambda: {"game": BEGUN, "view": "caesar", "moment": "1E", "rules": "2024", "seconds": 5.0},
    "page": lambda: {"game": BEGUN, "view": "caesar", "rules": "2024"},
    "parse": lambda: {"text": SHORT, "name": "text"},
    "parse_token": lambda: {"text": "(3)A"},
    "parse_turn": lambda: {"text": "5R (3)P +2"},
    "picture": lambda: {"shown": BEGUN, "view": "caesar", "rules": "2024"},
    "read": lambda: {"source": EXAMPLE},
    "event": lambda: {"folder": str(EVENT), "after": 1},
    "pair": lambda: {"folder": str(PAIRED)},
    "record_of": lambda: {
        "edition": EDITION, "starter": 1, "rome": ROME, "egypt": EGYPT, "moves": [tironian.Move(None)],
        "names": ("Livia", "Marcus"),
    },
    "replay_game": lambda: {"game": GAME, "rules": "2024"},
    "report": lambda: {"games": [BEGUN, BEGUN.record], "format": "json", "rules": "2024", "verbose": True},
    "score": lambda: {"state": state(), "verdicts": ((0, (True,)),), "penalties": (1, 2)},
    "simulate": lambda: {"edition": EDITION, "seed": 1, "headers": False},
    "speaking": lambda: {"language": "de"},
    "start": lambda: {"edition": EDITION, "starter": 1, "rome": ROME, "egypt": EGYPT, "position": False, "number": 1},
    "timeline": lambda: {"game": BEGUN, "view": "caesar", "rules": "2024", "played": BEGUN_PLAYED},
    "to_json": lambda: {"record": WHOLE},
    "token_text": lambda: {"token": PLACE},
    "turn_text": lambda: {"turn": WHOLE.turns[5]},
    "view": lambda: {
        "game": BEGUN, "point_of_view": "table", "rules": "2024", "keep_remarks": True, "played": BEGUN_PLAYED,
    },
    "violations": lambda: {"state": state(), "token": "5A", "vetoed": False},
    "votes": lambda: {"game": BEGUN, "view": "caesar", "rules": "2024", "odds": False, **ANALYSED},
    "what_if": lambda: {"game": BEGUN, "view": "caesar", "rules": "2024", "played": BEGUN_PLAYED},
    "words": lambda: {"fact": DECISIONS[0].options[1], "decision": DECISIONS[0]},
    "write": lambda: {"game": WHOLE},
    "write_all": lambda: {"games": [GAME, WHOLE]},
}  # fmt: skip
"""Every public function → a right value for each of its parameters."""
METHODS: dict[str, Callable[[], tuple[Any, dict[str, Any]]]] = {
    "Card.from_letter": lambda: (tironian.Card, {"letter": "p"}),
    "Group.from_letter": lambda: (tironian.Group, {"letter": "Q"}),
    "Side.from_letter": lambda: (tironian.Side, {"letter": "R"}),
    "Decision.after": lambda: (DECISIONS[0], {"option": DECISIONS[0].options[1]}),
    "Edition.citation": lambda: (EDITION, {"field": "side_limit"}),
    "Edition.copies": lambda: (EDITION, {"card": 5}),
    "Edition.with_options": lambda: (EDITION, {"options": {"experienced": "yes"}}),
    "GroupOutlook.lower_wins": lambda: (_outlook(), {"winner": 1}),
    "GroupOutlook.sums": lambda: (_outlook(), {"side": 1}),
    "GroupOutlook.sums_where": lambda: (_outlook(), {"winner": 2}),
    "Record.following_lines": lambda: (WHOLE, {}),
    "Record.header": lambda: (WHOLE, {"name": "Event", "default": ""}),
    "Replay.at": lambda: (PLAYED, {"moment": "2E"}),
    "SideCards.column": lambda: (state().sides[0], {"group": 1}),
    "SideCards.count": lambda: (state().sides[0], {"group": 1}),
    "SideCards.influence_in_hand": lambda: (state().sides[0], {}),
    "SideCards.is_out": lambda: (state().sides[0], {}),
    "Source.text": lambda: (GAME.source, {"line": 3}),
    **{
        f"State.{name}": lambda name=name, asked=asked: (state(), dict.fromkeys(asked.split(), 1))
        for asked, names in {
            "side": "all_room can_place is_full is_out must_choose",
            "side group": "column count room",
            "group": "total",
            "": "both_out copy draw_limit ends_at_placement ends_when_full has_acted has_begun reveals",
        }.items()
        for name in names.split()
    },
    "Timeline.header": lambda: (TIMELINE, {"name": "Event"}),
    "Timeline.is_over": lambda: (TIMELINE, {"state": state()}),
    "Timeline.points": lambda: (TIMELINE, {"state": state()}),
    "Timeline.table": lambda: (TIMELINE, {"state": state()}),
    "Turn.is_vetoed": lambda: (WHOLE.turns[5], {"at": 0}),
}
"""Every method of a public class → an object that has it, and a right value for each parameter."""
INTERNAL = {"State.clear_turn", "State.counts_at", "State.card_at", "State.due_votes"}
"""Methods for the engine, which the reference does not list."""


def _outlook() -> tironian.GroupOutlook:
    sight = tironian.odds(GAME, "caesar", "0R")
    assert sight is not None
    return sight.outlook.groups[0]


def copies(value: Any) -> list[Any]:
    return [pickle.loads(pickle.dumps(value)), copy.deepcopy(value)]


def _endless() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


class Strange:
    """Nothing that the library knows."""


DEEP = WHOLE.turns[5]
for _ in range(3000):
    DEEP = Turn(5, 1, (), after=(tironian.Alternative(DEEP),))
SCALARS: list[Any] = [
    None, True, 0, 1, 2, 5, 7, -1, 99, 10**30, 0.5, -0.5, math.nan, math.inf, 1j, b"1E 5A", Strange(), object, "", "x",
    "Caesar", "caesar", "CAESAR", "ROME", "fast", "quick", "2024", "2025", "2024 empty_side=tie", "1997 x", "7E",
    "99E", "5A", "(3)A", "5A 5A", "\ud800", "a\nb", "\0", "1E 5A", '[Rules "2024"]\n1E 5A', "=K5:3>R", "xP", "table",
    "arbiter",
]  # fmt: skip
COLLECTIONS: list[Any] = [
    [], (), {}, set(), [1], (1, 2), ("x",), (("experienced", "yes"),), (("experienced", "no!"),), ((1, (True,)),),
    {"7E": 1}, {"7E": "caesar"}, {("1E", 0, "5A"): 0.5}, {1: 2}, _endless(), {"format": "tironian-record"}, iter([1]),
    (WHOLE,), [WHOLE, OTHER], ["1E 5A"], [None], ((99,), (1,)), ((5, -1),), range(3), print,
]  # fmt: skip
TOKENS: list[Any] = [
    PLACE, tokens.Place(99, 1, True), tokens.Place(5, 77, True), tokens.Place("5", "A", 3), tokens.Draw([5]),
    tokens.Draw((5, "x")), tokens.Vote(1, (5, 3), (2,), 0), tokens.Veto(), tokens.Unread("?"), tokens.Wrath(5),
    tokens.Spy(card=4), tokens.Missions((1,)), tokens.Draw((5,) * 40), tokens.Discard((5, 5)),
    tokens.Discard(_endless()), tironian.Move(PLACE), tironian.Card.FIVE, tokens.Scout(1, (5,)), tokens.Castle(1, 2),
    tokens.Assassinate(1, True, 1), tokens.ChooseMission(0, 1),
]  # fmt: skip
GAMES: list[Any] = [
    *(GAME, BEGUN, BROKEN, UNNAMED, OTHER, LOG, Record(), tironian.parse("")[0], tironian.parse("???\n5A\n")[0]),
    *(Record(5), Record((("Rules", 5),)), Record(turns=["1E 5A"]), Record(turns=(Turn("x", 7, "5A"),))),
    Record(turns=7),
    *(Record((("Rules", "2024"),), turns=(Turn(1, 5, (PLACE,)),)), Record(preface=(5,)), Record(result="17-13")),
    *(replace(WHOLE, result=Result("x", 7)), replace(WHOLE, headers=5), replace(WHOLE, result=Result((1, 2), 7, 5))),
    *(replace(WHOLE, turns=(*WHOLE.turns[:9], *WHOLE.turns[2:])), replace(WHOLE, turns=[*WHOLE.turns])),
    Record(turns=(DEEP,)),
    *(replace(WHOLE, turns=(*WHOLE.turns[:5], replace(WHOLE.turns[5], tokens=(tokens.Place(77, 77, 7),)))),),
    *(tironian.Game(WHOLE, "game.tiro"), tironian.Game("1E 5A", GAME.source)),
    tironian.Game(WHOLE, tironian.Source("x")),
    *(tironian.Game(replace(GAME.record, headers=None), GAME.source), replace(GAME, problems=[5])),
    replace(GAME, number="x"),
    tironian.Game(Record(WHOLE.headers, turns=(*WHOLE.turns[:2], *[WHOLE.turns[2]] * 3)), GAME.source),
    *copies(GAME), *copies(WHOLE),
]  # fmt: skip
OTHERS: list[Any] = [
    PLAYED, BEGUN_PLAYED, tironian.replay_game(OTHER), replace(PLAYED, steps=()), tironian.Replay((), PLAYED.run),
    *copies(PLAYED), STEP, TIMELINE, *copies(TIMELINE), EDITION, replace(EDITION, name="house"), WHOLE.turns[5],
    Turn(1, 9, "x"), tironian.check, tironian.replay_game(OTHER).at("1E").state, PLAYED.steps[-1].state, DECISIONS[0],
    DECISIONS[-1].options[-1], io.StringIO("1E 5A"), io.BytesIO(b"1E 5A\n"), tironian.votes(BEGUN)[0],
    tironian.check(GAME), ROME, EGYPT, tironian.State, Path("nothing.tiro"),
    tironian.Possibility(tokens.Place(99, 99, True), tironian.Move(tokens.Place(99, 99, True)), False),
]  # fmt: skip
WRONG = [*SCALARS, *COLLECTIONS, *TOKENS, *GAMES, *OTHERS]
ALLOWED: dict[str, tuple[type[Exception], ...]] = {
    "analyse": (LookupError,), "apply": (tironian.ImpossibleMoveError, tironian.MissingCardsError),
    "merge": (LookupError,),
    "record_of": (tironian.ImpossibleMoveError, tironian.MissingCardsError),
    "odds": (TimeoutError,), "read": (OSError,),
    "start": (tironian.ImpossibleMoveError, tironian.MissingCardsError),
}  # fmt: skip
"""Function → what its docstring says that it raises besides TypeError and ValueError."""


def used(value: Any) -> None:
    """Have everything said that a value says when it is asked."""
    if isinstance(value, Iterator):
        for _, each in zip(range(100), value, strict=False):
            used(each)
    elif not isinstance(value, str | dict):
        repr(value)


def refusal(name: str, function: Callable[..., Any], given: dict[str, Any]) -> Exception | None:
    """Return what a call raises, if it is something that may be raised; fail if it is not."""
    try:
        used(function(**given))
    except (TypeError, ValueError, *ALLOWED.get(name, ())) as told:
        error: Exception = told
    else:
        return None
    shown = [f"{key}={type(value).__name__}" for key, value in given.items()]
    assert type(error) not in (KeyError, IndexError), (name, shown)
    assert str(error) or isinstance(error, tironian.ImpossibleMoveError | tironian.MissingCardsError), (name, shown)
    return error


def methods() -> set[str]:
    """Return every public method of a public class that is ours."""
    found = set[str]()
    for name in tironian.__all__:
        cls = getattr(tironian, name)
        if isinstance(cls, type) and not issubclass(cls, Exception):
            ours = {key for base in cls.__mro__ if base.__module__.startswith("tironian") for key in vars(base)}
            named = {key for key in ours if not key.startswith("_") and callable(getattr(cls, key))}
            found |= {f"{name}.{key}" for key in named if inspect.isroutine(getattr(cls, key))}
    return found - INTERNAL


def test_every_public_function_and_method_has_its_row() -> None:
    public = {name: getattr(tironian, name) for name in tironian.__all__}
    functions = {name for name, value in public.items() if callable(value) and not isinstance(value, type)}
    assert functions == set(FUNCTIONS)
    assert methods() == set(METHODS)
    for name, given in FUNCTIONS.items():
        assert [*given()] == [*inspect.signature(public[name]).parameters], name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_right_is_taken(name: str) -> None:
    assert refusal(name, getattr(tironian, name), FUNCTIONS[name]()) is None


@pytest.mark.parametrize("name", METHODS)
def test_what_is_right_is_taken_by_methods(name: str) -> None:
    thing, given = METHODS[name]()
    assert refusal(name, getattr(thing, name.partition(".")[2]), given) is None


SLOW = {"analyse", "find_repairs", "infer_rules", "odds", "page", "votes"}
"""Functions that get fewer games in an ordinary run."""
TYPES: dict[str, Any] = {
    "str": "x", "number": 0.5, "list": [object()], "token": PLACE, "object": Strange(), "bytes": b"1E",
}  # fmt: skip
LOOKED_AT = {"data", "source", "token"}
"""Parameters whose functions say in their own words what is wrong."""


def calls(seed: int, count: int) -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield random calls of functions and methods, with one to three wrong arguments."""
    dice = random.Random(seed)
    for _ in range(count):
        name = dice.choice([*FUNCTIONS, *METHODS])
        thing, given = (tironian, FUNCTIONS[name]()) if name in FUNCTIONS else METHODS[name]()
        for key in dice.sample([*given], min(len(given), dice.choice((1, 1, 1, 2, 3)))):
            games = key in ("game", "shown") and name in SLOW and dice.random() > 0.02
            given[key] = dice.choice(GAMES[11:20] if games else WRONG)
        yield name, getattr(thing, name.rpartition(".")[2]), given


def test_random_calls_are_answered_or_refused_in_words() -> None:
    for name, function, given in calls(7, scaled(1500, 45_000)):
        try:
            refusal(name, function, given)
        except (AttributeError, LookupError, RecursionError, ArithmeticError) as error:
            pytest.fail(f"{name}({given}): {error!r}")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_type_is_refused_by_the_name_of_its_parameter(name: str) -> None:
    function = getattr(tironian, name)
    for key, right in FUNCTIONS[name]().items():
        for wrong in TYPES.values():
            same = isinstance(wrong, type(right)) or (key == "seconds" and isinstance(wrong, float))
            if key not in LOOKED_AT and not same and not (key == "games" and isinstance(wrong, str | bytes | list)):
                with pytest.raises((TypeError, ValueError), match=f"^{key} can't be "):
                    function(**FUNCTIONS[name]() | {key: wrong})


@pytest.mark.parametrize(
    ("function", "given", "said"),
    [
        ("check", {"game": "1E 5A"}, "parse the text first, tironian.parse"),
        ("report", {"games": iter(["1E 5A"])}, "parse the text first, tironian.parse"),
        ("check", {"rules": "1998"}, "there is no rule set “1998”"),
        ("timeline", {"view": "Caesar"}, "give one of arbiter, caesar, cleopatra, table"),
        ("analyse", {"level": "fast"}, "give one of quick, default, deep"),
        ("analyse", {"side": "caesar"}, "give tironian.Side.ROME or tironian.Side.EGYPT"),
        ("analyse", {"side": 7}, "give tironian.Side.ROME or tironian.Side.EGYPT"),
        ("simulate", {"seed": "x"}, "give a whole number"),
        ("check", {"seconds": -1}, "0 for no limit"),
        ("check", {"seconds": math.nan}, "0 for no limit"),
        ("report", {"format": "xml"}, "give one of text, json, sarif, junit, github"),
        ("to_json", {"record": replace(WHOLE, turns=[Turn(1, 0, (tokens.Place(99, 1, True),))])}, "can't be written"),
        ("merge", {"picks": {"7E": 1}}, "map labels"),
        ("what_if", {"played": PLAYED}, "the replay of another game"),
    ],
)
def test_a_refusal_says_what_to_do(function: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        used(getattr(tironian, function)(**FUNCTIONS[function]() | given))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "read"])
def test_copies_are_as_good_as_what_they_were_made_of(name: str) -> None:
    """Each argument comes back from its own pickle, so none has a part that is another's."""
    function = getattr(tironian, name)
    given = FUNCTIONS[name]()
    alone = {key: value if callable(value) else pickle.loads(pickle.dumps(value)) for key, value in given.items()}
    result = function(**alone)
    assert isinstance(result, AbstractContextManager) or result == function(**given)


USING: dict[str, Callable[..., Any]] = {
    "timeline": tironian.timeline,
    "view": lambda game, **more: tironian.view(game, "table", **more),
    "what_if": tironian.what_if,
}
"""Every function that takes a replay."""


def test_every_function_that_takes_a_replay_is_here() -> None:
    assert {name for name, given in FUNCTIONS.items() if "played" in given()} == set(USING)


@pytest.mark.parametrize(
    "game",
    [BEGUN, BROKEN, replace(BEGUN.record, turns=(*BEGUN.record.turns,)), LOG],
    ids=["begun", "broken", "made", "log"],
)
@pytest.mark.parametrize("name", USING)
def test_a_replay_of_an_equal_record_is_its_replay(name: str, game: Any) -> None:
    if game is LOG and name == "view":
        return  # a player saw more than a spectator, so this is only about the arbiter's records
    use, right = USING[name], USING[name](game)
    for played in (tironian.replay_game(game), *copies(tironian.replay_game(game))):
        loose = replace(played, steps=copy.deepcopy(played.steps))
        for twin in (game, *copies(game)):
            assert use(twin, played=played) == use(twin, played=loose) == right


@pytest.mark.parametrize("name", USING)
def test_another_games_replay_is_refused(name: str) -> None:
    fewer = replace(WHOLE, turns=WHOLE.turns[:9])
    others = [OTHER, BEGUN, BROKEN, replace(WHOLE, turns=(*WHOLE.turns[:2], *WHOLE.turns[4:])), fewer]
    replays = [*map(tironian.replay_game, others), tironian.Replay(PLAYED.steps, PLAYED.run)]
    for played in (*replays, tironian.replay_game(UNNAMED, "1997")):
        with pytest.raises(ValueError, match="the replay of another game"):
            USING[name](UNNAMED if played is None else GAME, played=played)
    with pytest.raises(ValueError, match="the replay of another game"):
        USING[name](UNNAMED, rules="2024", played=tironian.replay_game(UNNAMED, "1997"))


def test_a_turn_that_occurs_twice_is_two_turns() -> None:
    turns = (*WHOLE.turns[:2], *[WHOLE.turns[2]] * 2)
    game = tironian.Game(replace(WHOLE, turns=turns, result=None), GAME.source)
    assert [step.place for step in tironian.replay_game(game).steps if step.turn is not None][-1] in (2, 3)
    assert [entry.status for entry in tironian.timeline(game).entries][2] == "played"


IDENTITIES = {"notation/fingerprint.py": "a cache, which keeps the token, so that no other gets its identity"}
"""File that may ask for an identity → why."""


def test_nothing_is_found_by_its_identity() -> None:
    root = Path(__file__).parents[1]
    files = [path for room in ("library", "notation", "replay", "tools") for path in (root / room).rglob("*.py")]
    asking = {str(path.relative_to(root)) for path in files if re.search(r"\bid\(", path.read_text(encoding="utf-8"))}
    assert asking == set(IDENTITIES)


def test_only_public_names_are_listed() -> None:
    assert {*dir(tironian)} == {*vars(tironian)["__all__"], "__version__"}
    named: dict[str, Any] = {}
    exec("from tironian import *", named)
    assert {*named} - {"__builtins__"} == {*vars(tironian)["__all__"]}
