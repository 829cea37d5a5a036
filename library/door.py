"""The door of the library: what a public function is given is looked at before the function is called.

A wrong argument raises TypeError or ValueError in words that say what to do. The program itself calls the functions
behind the door, which trust it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib import import_module
from inspect import signature
from os import PathLike
from reprlib import repr as short
from typing import Any, Final, cast, get_args, get_origin

from .notation.records import Diagnostic, Game, Movetext, Record, Source, as_game
from .writing import write

_GAME: Final = "parse the text first, tironian.parse(text)"
_FACTS: Final = (
    "Event", "Entry", "Annotation", "Expectation", "VoteScene", "VoteTree", "Instead", "Margin", "Possibility",
    "Reason",
)  # fmt: skip
PARAMETER_RULES: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    "game": (_GAME, (Game, Record)),
    "games": (f"give a list of games; {_GAME}", (Iterable,)),
    "shown": (_GAME, (Game, Record, "Timeline", "Step", "TableView", "VoteTree")),
    "record": ("take the record of a game, game.record", (Record,)),
    "turn": ("parse the line first, tironian.parse_turn(line)", ("Turn",)),
    "state": ('take it from a replay, tironian.replay_game(game).at("7E").state', ("State",)),
    "played": ("replay this game by these rules, tironian.replay_game(game)", ("Replay",)),
    "edition": ('load it first, tironian.load_edition("2024")', ("Edition",)),
    "fact": ("take it from a timeline, a vote, a decision or a report", _FACTS),
    "decision": ("take it from tironian.what_if(game)", ("Decision",)),
    "text": ("decode bytes first, or use tironian.read to read the file", (str,)),
    **dict.fromkeys(
        ("name", "rules", "moment", "view", "point_of_view", "level", "format", "language"), ("give a string", (str,))
    ),
    **dict.fromkeys(
        ("headers", "keep_remarks", "odds", "position", "verbose", "vetoed"), ("give True or False", (bool,))
    ),
    **dict.fromkeys(("side", "starter"), ("give tironian.Side.ROME or tironian.Side.EGYPT", (range(2),))),
    **dict.fromkeys(("number", "jobs"), ("give a number from 1 to 9999", (range(1, 10_000),))),
    **dict.fromkeys(("budget", "max_repairs"), ("give a number from 0 to 10**18", (range(10**18),))),
    "seed": ("give a whole number of up to 18 digits", (range(-(10**18), 10**18),)),
    "seconds": ("give a number of seconds, 0 for no limit", (float,)),
    "picks": ('map labels and headers to logs, as in {"7E": "caesar"}', (Mapping[str, str],)),
    "swings": ("map side, turn and place to a swing", (Mapping[tuple[int, str, int], tuple[float, float]],)),
    "costs": ("map turn, place and move to a number", (Mapping[tuple[str, int, str], float],)),
    "options": ('give pairs, as in (("experienced", "yes"),)', (tuple[tuple[str, str], ...],)),
    **dict.fromkeys(("rome", "egypt"), ("take the tokens of a turn, turn.tokens", (tuple,))),
    "folder": ("give the path of a folder", (str, PathLike)),
    "after": ("give the number of a round, 0 for the last one", (range(10_000),)),
    "moves": ("give moves as tironian.legal_moves gives them", (list, tuple)),
    "names": ("give Caesar's and Cleopatra's", (tuple[str, str],)),
    "penalties": ("give Rome's and Egypt's", (tuple[int, int],)),
    "verdicts": ("take them from a result, result.verdicts", (tuple[tuple[int, tuple[bool, ...]], ...],)),
    "exchanges": ("give tuples of cards", (list[tuple[int, ...]], tuple[tuple[int, ...], ...])),
    "watch": ("give a function", (Callable,)),
    **dict.fromkeys(("data", "source", "token"), ("", (object,))),  # the functions look at these themselves
}
"""Parameter → what to do, and what it may be: classes (some by name, since they are loaded late), and numbers."""
_WORDS: Final = {
    "view": ("replay.engine.headers", "VIEWS"),
    "level": ("tools.insight.analysis", "LEVELS"),
    "format": ("tools.report", "FORMATS"),
}
"""Parameter → where its words are listed."""


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a public function that looks at what it is given."""
    parameters = signature(function).parameters
    names = tuple(parameters)

    @wraps(function)
    def wrapper(*args: Any, **named: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | named
        try:
            for name, value in given.items():
                if name in parameters and value is not parameters[name].default:
                    _check_argument(name, value, given)
            return function(*args, **named)
        except (LookupError, AttributeError, TypeError, ArithmeticError, RecursionError, AssertionError):
            for value in given.values():
                if isinstance(value, Game | Record):
                    write(value)  # if it can't be written, this says why, and is the reason
            raise

    wrapper.__module__ = __package__ or ""  # where pickle finds it
    return wrapper


def _check_argument(name: str, value: Any, given: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError if a parameter can't have this value."""
    advice, kinds = PARAMETER_RULES[name]
    if not any(_fits(value, kind) for kind in kinds):
        numbers = isinstance(value, int) and isinstance(kinds[0], range)
        raise (ValueError if numbers else TypeError)(f"{name} can't be {short(value)}: {advice}")
    if name in _WORDS:
        home, words = _WORDS[name]
        if value not in (known := getattr(import_module(f".{home}", __package__), words)):
            raise ValueError(f"{name} can't be {short(value)}: give one of {', '.join(known)}")
    elif name == "rules":
        from .replay.rules.api import load_edition

        edition, *options = value.split(" ")
        load_edition(edition, tuple([(option, text) for option, _, text in (each.partition("=") for each in options)]))
    elif name == "seconds" and not value >= 0:
        raise ValueError(f"{name} can't be {value}: {advice}")
    elif name == "played":
        from .replay.engine.api import read_headers

        record, played = as_game(given["game"]).record, cast("Any", value)
        if played.record != record or played.run.edition != read_headers(record, given.get("rules", "")).edition:
            raise ValueError(f"this is the replay of another game: {advice}")
    elif isinstance(value, Game | Record):
        _check_game(value)
    elif name == "games" and iter(value) is not value:
        for each in value:
            _check_argument("game", each, given)


def _check_game(game: Game | Record) -> None:
    """Raise TypeError or ValueError for a game made by hand that could not be written. What was read always can."""
    record = game if isinstance(game, Record) else game.record
    whole = isinstance(game, Record) or (_fits(game.source, Source) and _fits(game.problems, list[Diagnostic]))
    if not isinstance(record, Record) or not whole:
        raise TypeError(f"this is not a game with a record and a source: {_GAME}")
    if not isinstance(record.turns, Movetext):
        write(record)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind: a class or its name, some numbers, or a collection of such values."""
    if isinstance(kind, str):
        return any(cls.__name__ == kind and cls.__module__.startswith(f"{__package__}.") for cls in type(value).__mro__)
    if isinstance(kind, range):
        return isinstance(value, int) and kind.start <= value < kind.stop  # “in” tries all for a Card
    home, parts = get_origin(kind) or kind, get_args(kind)
    if not isinstance(value, (int, float) if home is float else home):
        return False
    if isinstance(value, Mapping) and parts:
        return all(_fits(key, parts[0]) and _fits(value[key], parts[1]) for key in value)
    if len(parts) > 1 and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(map(_fits, value, parts))
    return all(_fits(each, parts[0]) for each in value) if parts else True
