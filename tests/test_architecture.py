"""The flow goes one way, and the house measures hold: read from the source, and from what an import loads."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest
import tironian
from house import FILES, ROW, counted, mapped
from imports import (
    PACKAGES,
    ROOT,
    SOURCES,
    circles,
    doors,
    imported,
    importers,
    imports_of,
    mounted,
    name_of,
    passed,
    picture,
    room_of,
    rooms,
    tree_of,
    within,
)
from test_build import MODULES
from tironian.notation.language import ENGLISH
from tironian.tools.event.facts import KINDS
from tironian.tools.event.words import SENTENCES

EDITION_NAME = re.compile("2024|1997|taylor|fr")

TABLE_TOOLS = ("pyarrow", "duckdb", "zstandard", "fsspec", "distributed")

RULES = [path for path in SOURCES if ROOT / "replay" / "rules" in path.parents]
PROGRAMS = [*SOURCES, *sorted((ROOT / "benchmarks").rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def strings_of(path: Path) -> Iterator[ast.Constant]:
    """String literals that are no docstrings; a string that stands alone as a statement is one."""
    alone = {id(node.value) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node


def listed(problems: list[object]) -> str:
    return "\n".join(map(str, problems))


def test_relative_imports_are_spelt_out() -> None:
    node = ast.parse("from ..notation.cards import ROME").body[0]
    assert list(imported(node, ROOT / "replay" / "edition.py")) == ["tironian.notation.cards.ROME"]
    assert list(imported(node, ROOT / "replay" / "__init__.py")) == ["tironian.notation.cards.ROME"]


@pytest.mark.parametrize("package", PACKAGES)
def test_folders_are_imported_under_the_common_name(package: str) -> None:
    """The bare folder, importable from the root, would make a second set of classes."""
    bare = importers(package, [*PROGRAMS, *TESTS])
    assert not bare, listed(bare)


MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_rooms_import_only_rooms_that_stand_above_them_on_the_map() -> None:
    order = [row[1] for row in ROW.finditer(MAP) if row[1] not in ("pages", "tests", "library")]
    assert len({room.partition("/")[0] for room in order} - {"grammar", "schemas", "notation"}) <= 22
    order += ["replay", "tools", "library"]
    graph = rooms()
    assert sorted(order) == sorted(graph)
    wrong = [
        f"{room} imports {other}" for room in graph for other in graph[room] if order.index(other) >= order.index(room)
    ]
    assert not wrong, listed(wrong)


def test_arrays_are_handed_to_functions_by_compiled_modules_alone() -> None:
    """A compiled function keeps an array for ever that Python hands to it."""
    others = [path for path in SOURCES if ".".join(mounted(path)) not in MODULES]
    assert not [str(each) for each in importers("tironian.notation.arrays", others)]


def test_no_files_import_each_other_in_a_circle() -> None:
    """Not even for types alone: what two files need of each other has its place in one of them, or in a third."""
    assert not circles()


def test_the_map_shows_the_rooms_and_the_files() -> None:
    """``make map`` writes both."""
    assert f"```mermaid\n{picture()}\n```" in MAP
    assert FILES.read_text(encoding="utf-8") == mapped()


def test_no_room_costs_more_than_the_map_allows() -> None:
    """Nor much less: whoever takes lines out lowers the number with them."""
    now, allowed = counted(), {row[1]: row.groups()[2:] for row in ROW.finditer(MAP)}
    assert now.keys() - {"replay", "tools"} == allowed.keys()
    for room, limits in allowed.items():
        for number, limit in zip(now[room], limits, strict=True):
            most = int(limit.replace(",", ""))
            assert number <= most, f"{room}/ has grown from {limit} to {number}"
            assert number >= 0.97 * most - 20, f"{room}/ has shrunk: lower its {limit} by make map"


def test_rooms_are_entered_by_their_doors() -> None:
    """A tool, and the library, import from another room only what one of its doors gives."""
    past = [f"{name_of(file)}: {', '.join(sorted(names))}" for file, names in passed().items() if file not in doors()]
    assert not past, listed(past)


def test_no_door_gives_more_than_the_map_allows() -> None:
    """Nor what nobody takes."""
    for door, most in doors().items():
        used = passed().get(door, set())
        assert len(used) == most, f"{name_of(door)} gives {len(used)} names, not {most}: make map"
        if not any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree_of(door).body):
            given = {each.module.rpartition(".")[2] for each in imports_of(door)} - {"annotations"}
            assert not given - used, f"{name_of(door)} gives what nobody takes: {', '.join(sorted(given - used))}"


def test_nothing_lies_loose_in_replay_or_tools() -> None:
    for folder in ("replay", "tools"):
        files = {path.name for path in (ROOT / folder).iterdir() if path.is_file()}
        assert files == {"__init__.py"}


def test_what_the_game_is_knows_nothing_of_what_people_do_with_it() -> None:
    core = [path for path in SOURCES if path.relative_to(ROOT).parts[0] in ("grammar", "notation", "replay", "schemas")]
    assert not importers("tironian.tools", core)
    for heavy in ("jinja2", "rich", "click", "numpy"):
        assert not importers(heavy, core)
    assert not [name_of(path) for path in core for each in strings_of(path) if "tironian.tools" in str(each.value)]


def test_notation_knows_nothing_of_the_rules() -> None:
    paths = [path for path in SOURCES if not {ROOT / "replay", ROOT / "tools", ROOT / "library"} & {*path.parents}]
    assert not importers("tironian.replay", paths)


def test_the_rules_know_nothing_that_stands_on_them() -> None:
    known = tuple(f"tironian.replay.{name}" for name in ("rules", "editions"))
    strangers = [
        found for found in importers("tironian.replay", RULES) if not any(within(found.module, name) for name in known)
    ]
    assert RULES
    assert not strangers, listed(strangers)


@pytest.mark.parametrize("package", ["law", "mechanics", "moves"])
def test_law_mechanics_and_moves_are_three_readings_of_the_rules(package: str) -> None:
    """What may come next is made without asking whether it may; the tests hold them equal."""
    paths = [path for path in RULES if path.parent.name in {"law", "mechanics", "moves"} - {package}]
    assert paths
    strangers = importers(f"tironian.replay.rules.{package}", paths)
    assert not strangers, listed(strangers)


def test_what_is_due_is_said_without_the_law() -> None:
    paths = [path for path in RULES if path.parent.name == "game"]
    assert paths
    assert not importers("tironian.replay.rules.law", paths)


def test_nothing_but_the_command_line_imports_the_command_line() -> None:
    start = ROOT / "library" / "__main__.py"
    paths = [path for path in SOURCES if ROOT / "tools" / "cli" not in path.parents and path != start]
    assert not importers("tironian.tools.cli", paths)


@pytest.mark.parametrize("package", ["click", "tironian.tools.cli.screen"])
def test_recording_knows_no_screen(package: str) -> None:
    """So that a game can be recorded from anywhere."""
    paths = [path for path in SOURCES if ROOT / "tools" / "recorder" in path.parents]
    assert paths
    assert not importers(package, paths)


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("lark", ("notation/parser.py",)),
        ("click", ("tools/cli/",)),
        ("jsonschema", ("notation/jsonform.py", "schemas/", "tools/cli/")),
        ("jinja2", ("tools/render/",)),
        ("markupsafe", ("tools/render/",)),
        ("fsrs", ("tools/insight/drill.py",)),
        *((name, ("tools/archive/", "tools/storage/", "tools/cli/export.py")) for name in TABLE_TOOLS),
    ],
)
def test_a_dependency_has_its_place(package: str, allowed: tuple[str, ...]) -> None:
    strangers = [found for found in importers(package, SOURCES) if not name_of(found.path).startswith(allowed)]
    assert not strangers, listed(strangers)


@pytest.mark.parametrize("package", ["jsonschema", "jinja2", "markupsafe", "fsrs", *TABLE_TOOLS])
def test_what_is_heavy_waits_until_it_is_needed(package: str) -> None:
    early = [found for found in importers(package, SOURCES) if not found.late]
    assert not early, listed(early)


# They mix numbers of their own: seeds, hashes, words of eight bytes, labels of turns.
BITS_OF_THEIR_OWN = {
    "notation/lines.py", "notation/packed.py", "notation/reader.py", "notation/scanner.py", "replay/simulation/dice.py",
    "tools/insight/match.py",
}  # fmt: skip


def is_inside(path: Path, shift: ast.BinOp) -> bool:
    """Whether a shift of a number by a number is a part of a larger one: a bit put into a code."""
    wholes = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.BinOp | ast.UnaryOp))
    bits = ast.BitOr | ast.BitAnd | ast.Invert
    return any(isinstance(whole.op, bits) and shift in ast.walk(whole) and whole is not shift for whole in wholes)


def test_the_bits_of_a_code_are_named() -> None:
    """Where a field of a token lies is said in ``codes``, and read by that name."""
    wounds = []
    for path in SOURCES:
        if name_of(path) in BITS_OF_THEIR_OWN:
            continue
        for node in ast.walk(tree_of(path)):
            by: ast.expr | None = None
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.RShift | ast.BitAnd):
                by = node.right
                if isinstance(by, ast.BinOp) and not ast.unparse(by.right).isupper():
                    by = by.left
                if isinstance(node.left, ast.Constant) and not is_inside(path, node):
                    continue  # a number of its own, such as the size of a cache
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.LShift | ast.RShift | ast.BitAnd):
                by = node.value
            if isinstance(by, ast.Constant) and by.value not in (1, 2, 3, 20):
                wounds.append(f"{name_of(path)}:{node.lineno} {ast.unparse(node)}")
    assert not wounds, listed(wounds)


def test_people_are_told_through_one_function() -> None:
    """It makes visible what strangers wrote; files and pipes get what a command writes to its stream."""
    direct = re.compile(r"print|click\.s?echo")
    calls = ((path, node) for path in SOURCES for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))
    assert {name_of(path) for path, call in calls if direct.fullmatch(ast.unparse(call.func))} == {
        "tools/cli/common.py"
    }


SLICERS = {"split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix", "index", "find", "replace"}
SLICERS |= {"strip", "lstrip", "rstrip", "splitlines"}
PROSE = {"words", "sentence", "head", "action", "title", "signed", "summary", "verdict", "written", "play"}
PROSE |= {"detail"}
TELLING = {
    "story",
    "words",
    "render",
    "cli",
    "cli/screen",
    "desk",
    "desk/serving",
    "club",
    "event",
    "recorder",
    "merge",
    "insight",
}
"""The rooms that show people what was said."""
CUT = {
    "tools/insight/position.py": "words of bits",
    "tools/insight/snapshots.py": "words of bits",
    "tools/recorder/menu.py": "the menu puts what its lines have in common above them, word by word",
}
"""Where our own words are cut apart, and why."""


def is_prose(node: ast.expr, spoken: set[str], kept: set[str]) -> bool:
    """Whether an expression is a text that we said: of a function of ``words``, or kept in a field of that kind."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in spoken
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in PROSE - {"title"}
    if isinstance(node, ast.Attribute):
        return node.attr in PROSE
    return isinstance(node, ast.Name) and node.id in kept


def test_words_of_our_own_are_not_cut_apart() -> None:
    """What a renderer needs apart is told apart: the parts of a description, a scene's words, a row of an outline."""
    homes = [ROOT / "replay" / "diagnostics" / "names.py", *(ROOT / "replay" / "words").glob("*.py")]
    said = (node for home in homes for node in ast.walk(tree_of(home)) if isinstance(node, ast.FunctionDef))
    spoken = {node.name for node in said if node.returns and ast.unparse(node.returns) == "str"} - {"join"}
    wounds = []
    for path in SOURCES:
        if name_of(path) in CUT or room_of(path) not in TELLING:
            continue
        functions = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            kept = {
                name.id
                for node in ast.walk(function)
                if isinstance(node, ast.Assign | ast.NamedExpr) and node.value and is_prose(node.value, spoken, set())
                for name in (node.targets if isinstance(node, ast.Assign) else [node.target])
                if isinstance(name, ast.Name)
            }
            for node in ast.walk(function):
                cut: list[ast.expr] = []
                if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
                    cut = [node.value]
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    whole, by = node.func.value, node.func.attr
                    cut = [whole] if by in SLICERS else node.args if ast.unparse(whole) == "re" else []
                wounds += [
                    f"{name_of(path)}:{each.lineno} cuts {ast.unparse(each)}"
                    for each in cut
                    if is_prose(each, spoken, kept)
                ]
    assert not wounds, listed(sorted(set(wounds)))


def test_sentences_about_the_game_are_whole() -> None:
    """In ``words`` no sentence is glued together, so a language can have it in its own order."""
    glued = [
        f"{name_of(path)}:{node.lineno} {ast.unparse(node)}"
        for path in (ROOT / "replay" / "words").glob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.JoinedStr)
        and any(isinstance(part, ast.Constant) and re.search("[A-Za-z]", str(part.value)) for part in node.values)
    ]
    spoken = [each for each in glued if not re.search(r"\{name\}'s|is not a move|has no form", each)]
    assert not spoken, listed(spoken)


def fields_of(sentence: str) -> set[str]:
    """The fields of a sentence, with their forms."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_a_phrase_is_given_its_fields() -> None:
    """And each form that it asks for is there in English."""
    forms = {form for kinds in ENGLISH.forms.values() for form in kinds}
    wrong = []
    for path in (ROOT / "replay" / "words").glob("*.py"):
        for call in ast.walk(tree_of(path)):
            if not isinstance(call, ast.Call) or ast.unparse(call.func) != "phrase":
                continue
            texts = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            given = {keyword.arg for keyword in call.keywords}
            for text in texts:
                asked = {name.partition(".")[0] for name in fields_of(text)} - ({"group"} if len(texts) > 1 else set())
                fits = None in given or asked == given
                if not fits or not {name.partition(".")[2] for name in fields_of(text)} <= forms | {""}:
                    wrong.append(f"{name_of(path)}:{call.lineno} {text}")
    assert not wrong, listed(wrong)


def test_a_fact_of_an_event_is_given_the_fields_of_its_sentence() -> None:
    """And no sentence is left over."""
    wrong, used = [], {*KINDS}
    for path in (ROOT / "tools" / "event").glob("*.py"):
        for call in ast.walk(tree_of(path)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "fact":
                given = {keyword.arg for keyword in call.keywords} | {"file", "most"}
                kinds = {getattr(node, "value", None) for node in ast.walk(call.args[0])} & SENTENCES.keys()
                names = {kind: fields_of(SENTENCES[kind]) for kind in kinds}
                wrong += [f"{name_of(path)}:{call.lineno} {kind}" for kind in kinds if not names[kind] <= given]
                used |= kinds
    assert not wrong, listed(wrong)
    assert used == SENTENCES.keys()


def test_nothing_goes_unsaid() -> None:
    """In ``words`` each sentence is said by ``phrase``, or is given to it."""
    silent = []
    for path in (ROOT / "replay" / "words").glob("*.py"):
        told: set[int] = set()
        for node in ast.walk(tree_of(path)):
            is_table = isinstance(node, ast.AnnAssign) and "Messages" in ast.unparse(node.annotation)
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if is_table or is_text or isinstance(node, ast.Call | ast.Raise | ast.Assign | ast.Compare):
                told |= {id(each) for each in ast.walk(node) if isinstance(each, ast.Constant)}
        silent += [
            f"{name_of(path)}:{node.lineno} {node.value}"
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search("[a-z] [a-z]", node.value)
            and id(node) not in told
        ]
    assert not silent, listed(silent)


def test_what_to_install_is_said_by_one_function() -> None:
    """It knows which Python is running, and under which names what is missing can be found."""
    assert [name_of(path) for path in SOURCES if "pip install" in path.read_text(encoding="utf-8")] == [
        "notation/build.py"
    ]


def test_json_beyond_ascii_is_written_by_one_function() -> None:
    """Elsewhere ``json`` escapes all that is not ASCII, so that nothing invisible is written raw."""
    raw = [name_of(path) for path in SOURCES if "ensure_ascii=False" in path.read_text(encoding="utf-8")]
    assert raw == ["notation/safe_text.py"]


def test_no_edition_is_named_outside_editions() -> None:
    named = [
        f"{name_of(path)}:{node.lineno} says {node.value!r}"
        for path in SOURCES
        if room_of(path) != "editions"
        for node in strings_of(path)
        if EDITION_NAME.fullmatch(str(node.value))
    ]
    assert not named, listed(named)


def test_tests_and_benchmarks_import_public_names_from_tironian() -> None:
    """So that what is public is used as users use it."""
    deep = []
    for path in [*TESTS, *(ROOT / "benchmarks").rglob("*.py")]:
        for found in imports_of(path):
            module, _, name = found.module.rpartition(".")
            if name in tironian.__all__ and module != "tironian" and within(module, "tironian"):
                value = getattr(tironian, name)
                if getattr(import_module(module), name, None) is value:
                    deep.append(found)
    assert not deep, listed(deep)


def test_tests_use_public_modules() -> None:
    private = [
        found
        for path in TESTS
        for found in imports_of(path)
        if within(found.module, "tironian") and any(part.startswith("_") for part in found.module.split("."))
    ]
    assert not private, listed(private)


@pytest.mark.process
def test_the_library_loads_nothing_heavy() -> None:
    loaded = "{name.partition('.')[0] for name in sys.modules}"
    code = f"import sys, tironian.replay, tironian.tools; dir(tironian); print(*{loaded})"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"lark", "click", "rich", "jsonschema", "jinja2", *TABLE_TOOLS} & set(run.stdout.split())


LOADS_STARTERS = re.compile(
    r"^(import subprocess|from (moments|terminals|browser|distributed|bombs) import)|importorskip\(.terminals",
    re.MULTILINE,
)
STARTERS = {"subprocess", "terminal", "tiro_where", "launched", "browser", "LocalCluster"}
"""Whatever starts processes for tests, or is a command that they start."""


def starting(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the tests of a file that reach a starter, by whatever functions and fixtures of the file."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    words = {
        each.name: {getattr(node, name, "") for node in ast.walk(each) for name in ("id", "attr", "arg")}
        for each in functions
    }
    known, reached = set(), STARTERS
    while reached - known:
        known |= reached
        reached = {name for name, mentioned in words.items() if mentioned & known}
    return [each for each in functions if each.name.startswith("test_") and each.name in known]


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("test_*.py")), ids=lambda path: path.stem)
def test_tests_that_start_processes_say_so(path: Path) -> None:
    """So that ``pytest -m process`` runs all that could depend on how fast a machine is."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    everywhere = [node.value for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in ast.dump(node)]
    for test in starting(tree) if LOADS_STARTERS.search(text) else ():
        marks = {getattr(node, "attr", "") for each in (*everywhere, *test.decorator_list) for node in ast.walk(each)}
        assert "process" in marks, test.name


ANY_ORDER = {"sorted", "min", "max", "sum", "any", "all", "len", "set", "frozenset", "bool", "lcm"}
"""What comes to the same in any order; the least and the greatest, as long as no key makes two of them equal."""
IN_ORDER = {"list", "tuple", "next", "iter", "enumerate", "map", "filter", "zip", "chain", "join", "fromkeys", "extend"}
LOOKED_UP = "what is made of it is looked up by name, or added up"
NUMBERS = "small whole numbers, whose hashes are the same in every process"
NO_ORDER = {
    "replay/story/instead.py": {"{*combinations(sorted(names), unknown)}": NUMBERS},
    "tools/event/records.py": {"one.players - {name}": "one of two is left"},
    "tools/event/site.py": {"known.keys() - there.keys()": "files are removed"},
    "tools/event/standings.py": {"names": LOOKED_UP, "away": "they are sorted right after"},
    "tools/render/page.py": {"done": NUMBERS},
    "replay/knowledge/ledger.py": {"{origin for card in cards for origin in card.origins}": NUMBERS},
    "replay/knowledge/outlook.py": {"set(numbers)": NUMBERS},
    "replay/knowledge/verdict.py": {"set(cards)": NUMBERS},
    "notation/codes.py": {"set(cards)": NUMBERS},
    "tools/recorder/completion.py": {"{*unseen_lines(frame)} - {turn.side for turn in lines}": NUMBERS},
    "replay/rules/law/base.py": {"set(cards)": NUMBERS},
    "replay/rules/law/setup.py": {"set(cards)": NUMBERS},
    "tools/cli/screen/pick_list.py": {"alone": "only a union is made of it"},
}
"""Sets that are gone through all the same, by files → why no order shows."""


def is_a_set(node: ast.AST | None, named: set[str]) -> bool:
    """Whether an expression is a set, as far as it can be seen: ``named`` are the local sets."""
    match node:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.BinOp(op=ast.Sub() | ast.BitAnd() | ast.BitXor() | ast.BitOr(), left=left, right=right):
            return any(
                is_a_set(each, named) or (isinstance(each, ast.Call) and getattr(each.func, "attr", "") == "keys")
                for each in (left, right)
            )
        case ast.Call(func=ast.Attribute(value=of, attr="intersection" | "union" | "difference")):
            return is_a_set(of, named)
        case ast.Name(id=name):
            return name in named
    return False


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions in it."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node
            left += ast.iter_child_nodes(node)


def gone_through(function: ast.FunctionDef) -> Iterator[str]:
    """The sets that a function goes through, where the order may show."""
    nodes = [*own_nodes(function)]
    bound = [(node.targets[0], node.value) for node in nodes if isinstance(node, ast.Assign)]
    bound += [(node.target, node.value) for node in nodes if isinstance(node, ast.AnnAssign)]
    named = {name.id for name, value in bound if isinstance(name, ast.Name) and is_a_set(value, set())}
    named -= {name.id for name, value in bound if isinstance(name, ast.Name) and not is_a_set(value, named)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    name_of_call = {id(call): getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls}
    args = [each for call in calls if name_of_call[id(call)] in ANY_ORDER for each in call.args]
    free = {id(node) for each in args for node in (each, getattr(each, "value", each))}
    for node in nodes:
        through: list[ast.expr] = []
        match node:
            case ast.For():
                through = [node.iter]
            case ast.GeneratorExp() | ast.ListComp() | ast.DictComp() if id(node) not in free:
                through = [each.iter for each in node.generators]
            case ast.Starred() if id(node) not in free:
                through = [node.value]
            case ast.Call() if name_of_call[id(node)] in IN_ORDER and id(node) not in free:
                through = node.args
        yield from (ast.unparse(each) for each in through if is_a_set(each, named))


def sets_gone_through(path: Path) -> set[str]:
    tree = tree_of(path)
    return {each for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for each in gone_through(node)}


def test_no_set_decides_an_order() -> None:
    """The order of a set of texts is another in each process: it is sorted, or a dict is used instead."""
    wrong = [
        f"{name}: {each}"
        for name, path in ((str(path.relative_to(ROOT)), path) for path in SOURCES)
        for each in sorted(sets_gone_through(path) - NO_ORDER.get(name, {}).keys())
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize(
    ("line", "shows"),
    [
        ("names = {word for word in line}\n    for name in names: print(name)", True),
        ("return [*{*line}]", True),
        ("return ', '.join(set(line))", True),
        ("return list(one.keys() - {*line})", True),
        ("names = sorted({*line})\n    return [name for name in names]", False),
        ("return max({*line})", False),
        ("return any(name for name in {*line})", False),
    ],
)
def test_a_set_that_decides_an_order_is_seen(line: str, shows: bool) -> None:
    (function,) = ast.parse(f"def made(line, one):\n    {line}").body
    assert isinstance(function, ast.FunctionDef)
    assert bool([*gone_through(function)]) is shows


def test_what_tests_set_in_another_process_is_there() -> None:
    """A name in a string, such as ``from tironian.tools.cli import common as p; p.STEP = 0``, is renamed by nobody."""
    arranged = re.compile(r"(?:from (tironian[\w.]*) )?import ([\w.]+) as (\w+); ((?:\w+\.\w+ = )+)")
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for package, module, alias, names in arranged.findall(path.read_text(encoding="utf-8")):
            there = import_module(f"{package}.{module}" if package else module)
            found += [(path.name, name, hasattr(there, name)) for name in re.findall(rf"{alias}\.(\w+) = ", names)]
    assert len(found) > 3
    assert not [each for each in found if not each[-1]]
