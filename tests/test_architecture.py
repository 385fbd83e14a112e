"""The house plan as code: who may import whom, what stays pure, and where each library lives.

Every import counts: inside functions, under TYPE_CHECKING, and, where late imports are allowed, as text
handed to `import_module`. ARCHITECTURE.md shows the same table; a test holds the two together.
"""

import ast
import graphlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "ludograph"

INNER: dict[str, set[str]] = {
    "text": set(),
    "geometry": set(),
    "play": set(),
    "tgdl": {"text", "geometry", "play"},
    "settlers": {"geometry"},
    "notation": {"text", "settlers"},
    "render": {"geometry", "play", "settlers"},
    "games": {"text", "play", "tgdl"},
    "bots": {"play", "settlers"},
    "hexil": {"play", "games", "settlers", "notation", "render", "bots"},
    "lab": {"play", "bots", "games"},
}
DOORS = ("server", "lsp", "cli")
ROOMS: dict[str, set[str]] = INNER | {door: set(INNER) for door in DOORS}

# The stages inside the language: each imports only those before it that are named here.
STAGES: dict[str, set[str]] = {
    "syntax": set(),
    "program": {"syntax"},
    "flow": {"syntax", "program"},
    "check": {"syntax", "program", "flow"},
    "world": {"syntax", "program"},
    "reference": {"syntax", "program", "flow", "world"},
    "native": {"syntax", "program", "world", "reference"},
    "game": {"syntax", "program", "world", "reference", "native"},
}
NATIVE_STAGES: dict[str, set[str]] = {
    "ir": set(),
    "layout": {"ir"},
    "optimise": {"ir", "layout"},
    "lower": {"ir", "layout", "optimise"},
    "run": {"ir", "layout", "optimise", "lower"},
}
# The parts of the native engine that may use the reference engine: it puts faults and names into words.
MAY_USE_REFERENCE = ("tgdl/native/run/", "tgdl/native/lower/present/")

# The files beside the rooms.
FRONT: dict[str, set[str]] = {"__init__": set(INNER), "__main__": {"cli"}}

PURE = frozenset({"text", "geometry", "play", "tgdl", "settlers", "notation", "render", "bots"})

# For start-up time only; `cli` is the dispatch of the command line.
MAY_IMPORT_LATE = frozenset({"__init__", "cli"})

# Borders between stages, also for start-up time: a file, and what it imports when that stage is first needed.
# ARCHITECTURE.md has the reasons.
LATE_STAGES: dict[str, frozenset[str]] = {
    "tgdl/__init__.py": frozenset({"ludograph.tgdl.check.frontend.check"}),
    "tgdl/native/run/engine.py": frozenset({"ludograph.tgdl.native.lower.lowering.lower"}),
    "tgdl/native/run/presentation_code.py": frozenset(
        {"ludograph.tgdl.native.lower.present.lowering.lower_presentation"}
    ),
    "tgdl/native/run/machine.py": frozenset({"llvmlite.binding"}),
    "games/catalog.py": frozenset({"importlib.resources.files"}),
    "games/engines.py": frozenset({"concurrent.futures.ThreadPoolExecutor"}),
}

# Fronts of rooms that import a file when one of its names is first used, as `ludograph/__init__.py` does.
LATE_FRONTS = frozenset({"games/__init__.py", "render/__init__.py"})

# A library and the one file of src/ludograph that knows it.
LIBRARIES = {
    "rich": "cli/terminal.py",
    "llvmlite": "tgdl/native/run/machine.py",
    "pygls": "lsp/server.py",
    "lsprotocol": "lsp/server.py",
    "starlette": "server/app.py",
    "uvicorn": "server/app.py",
}

# It defines classes as `dataclasses` does, so that no one file could keep it.
USED_EVERYWHERE = frozenset({"msgspec"})

# Files, network, clock, chance and processes; pure rooms get what they need of these as arguments.
IMPURE_MODULES = frozenset(
    "asyncio bz2 concurrent dbm fileinput ftplib getpass glob gzip http importlib linecache locale logging "
    "lzma mmap multiprocessing os pathlib pkgutil platform random runpy sched secrets select selectors "
    "shelve shutil signal smtplib socket socketserver sqlite3 ssl subprocess tarfile tempfile threading time "
    "urllib uuid webbrowser zipfile".split()
)
IMPURE_CALLS = frozenset("open print input breakpoint eval exec __import__".split())
IMPURE_ATTRIBUTES = frozenset(
    "io.open io.FileIO io.open_code codecs.open sys.stdin sys.stdout sys.stderr sys.argv sys.exit "
    "datetime.now datetime.today datetime.utcnow date.today".split()
)

SAYS_NOTHING = frozenset("utils util common core base helpers helper misc manager shared".split())
LONGEST_FILE = 800


@dataclass(frozen=True, slots=True)
class Import:
    target: str  # dotted, such as "ludograph.geometry.hexes" or "os.path"
    line: int
    late: bool
    for_types: bool


def problems(path: PurePosixPath, source: str) -> list[str]:
    """Everything wrong with one file, whose path is given from src/ludograph."""
    tree = ast.parse(source)
    found = [*_problems_of_shape(path, source, tree), *_problems_of_imports(path, tree)]
    if room_of(path) in PURE:
        found += _problems_of_purity(path, tree)
    return list(dict.fromkeys(found))  # one line may import several names from the same wrong place


def room_of(path: PurePosixPath) -> str:
    """The folder a file is in, or for a file beside the rooms its own name."""
    return path.parts[0] if len(path.parts) > 1 else path.stem


def _problems_of_shape(path: PurePosixPath, source: str, tree: ast.Module) -> Iterator[str]:
    if room_of(path) not in ROOMS | FRONT:
        yield f"{path}: there is no room {room_of(path)} in the plan"
    for name in (*path.parts[:-1], path.stem):
        if name.strip("_") in SAYS_NOTHING:
            yield f"{path}: {name} says nothing about what is inside"
    if not (ast.get_docstring(tree) or "").strip():
        yield f"{path}: a module begins with a docstring"
    if len(source.splitlines()) > LONGEST_FILE:
        yield f"{path}: more than {LONGEST_FILE} lines; split it by the thing it handles"


def _problems_of_imports(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    room = room_of(path)
    allowed = (ROOMS | FRONT).get(room, set())
    may_import_late = room in MAY_IMPORT_LATE or path.as_posix() in LATE_FRONTS
    for found in imports(tree, texts_count=may_import_late):
        place = f"{path}:{found.line}"
        top, *rest = found.target.split(".")
        if top == "":
            yield f"{place}: write the full path instead of {found.target}"
        elif top != "ludograph":
            yield from _problems_of_library(path, place, top)
        elif rest == ["__version__"] and room in DOORS:
            pass
        elif not rest or (rest[0] != room and rest[0] not in ROOMS):
            yield f"{place}: import from the room that has it, not from the front ({found.target})"
        elif rest[0] != room and rest[0] not in allowed:
            yield f"{place}: {room} may not import {rest[0]}"
        elif rest[0] == room == "tgdl":
            yield from _problems_of_stages(path, place, rest)
        is_declared = found.target in LATE_STAGES.get(path.as_posix(), frozenset())
        if found.late and not may_import_late and not is_declared:
            yield f"{place}: import {found.target} at the top, not inside a function"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func).endswith(("import_module", "__import__")):
            if not may_import_late:
                yield f"{path}:{node.lineno}: imports are written as imports"


def _problems_of_stages(path: PurePosixPath, place: str, target: list[str]) -> Iterator[str]:
    """An import inside the language; `target` begins with `tgdl`."""
    _, *own = path.parts[:-1]
    if not own or len(target) < 2:
        if (own and len(target) == 1) or target[1:2] == ["compile_source"]:
            pass
        return
    stage, other = own[0], target[1]
    if other in STAGES and other != stage and other not in STAGES.get(stage, set()):
        yield f"{place}: the stage {stage} may not import {other}"
    if stage == "native" and other == "reference" and not path.as_posix().startswith(MAY_USE_REFERENCE):
        yield f"{place}: only {', '.join(MAY_USE_REFERENCE)} use the reference engine"
    if stage == other == "native" and len(own) > 1 and len(target) > 2:
        part, used = own[1], target[2]
        if used in NATIVE_STAGES and used != part and used not in NATIVE_STAGES.get(part, set()):
            yield f"{place}: native/{part} may not import native/{used}"


def _problems_of_library(path: PurePosixPath, place: str, library: str) -> Iterator[str]:
    if library in sys.stdlib_module_names or library in USED_EVERYWHERE:
        return
    home = LIBRARIES.get(library)
    if home is None:
        yield f"{place}: {library} is in no row of LIBRARIES; a library lives in one file"
    elif path.as_posix() != home:
        yield f"{place}: {library} lives in {home}"


def _problems_of_purity(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    room = room_of(path)
    for found in imports(tree):
        if found.target == "importlib.import_module" and path.as_posix() in LATE_FRONTS:
            continue
        if found.target.split(".")[0] in IMPURE_MODULES or found.target in IMPURE_ATTRIBUTES:
            yield f"{path}:{found.line}: {room} is pure and may not import {found.target}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func) in IMPURE_CALLS:
            yield f"{path}:{node.lineno}: {room} is pure and may not call {_dotted(node.func)}"
        if isinstance(node, ast.Attribute) and ".".join(_dotted(node).split(".")[-2:]) in IMPURE_ATTRIBUTES:
            yield f"{path}:{node.lineno}: {room} is pure and may not use {_dotted(node)}"


def imports(tree: ast.Module, *, texts_count: bool = False) -> Iterator[Import]:
    """Every import of a module, however deep; `from a import b` as a.b."""

    def walk(node: ast.AST, late: bool, for_types: bool) -> Iterator[Import]:
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield Import(name.name, node.lineno, late, for_types)
            case ast.ImportFrom(module=module, names=names, level=level):
                for name in names:
                    yield Import(f"{'.' * level}{module or ''}.{name.name}", node.lineno, late, for_types)
            case ast.Constant(value=str(text)) if texts_count and re.fullmatch(r"ludograph(\.\w+)+", text):
                yield Import(text, node.lineno, late, for_types)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                late = True
            case ast.If(test=test) if _dotted(test).endswith("TYPE_CHECKING"):
                for statement in node.body:
                    yield from walk(statement, late, True)
                for statement in node.orelse:
                    yield from walk(statement, late, for_types)
                return
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            yield from walk(child, late, for_types)

    return walk(tree, late=False, for_types=False)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case _:
            return ""


def import_cycle(sources: dict[PurePosixPath, str]) -> list[str]:
    """Files that need each other to be imported; what only the type checker reads does not count."""
    names = {_module_name(path): path for path in sources}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        needed = {
            found.target
            for found in imports(ast.parse(sources[path]))
            if not found.late and not found.for_types
        }
        modules = {target if target in names else target.rpartition(".")[0] for target in needed}
        graph[name] = {module for module in modules if module in names and module != "ludograph"}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def _module_name(path: PurePosixPath) -> str:
    parts = ("ludograph", *path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def source_files() -> dict[PurePosixPath, str]:
    files = sorted(SOURCE.rglob("*.py"))
    return {
        PurePosixPath(path.relative_to(SOURCE).as_posix()): path.read_text(encoding="utf-8") for path in files
    }


# The house as it stands


def test_every_source_file_follows_the_plan() -> None:
    found = [problem for path, source in source_files().items() for problem in problems(path, source)]
    assert not found, "\n".join(found)


def test_files_are_read_in_the_order_of_their_imports() -> None:
    assert import_cycle(source_files()) == []


def test_every_late_stage_is_imported_late_and_explained() -> None:
    sources = source_files()
    written = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [path for path in LATE_FRONTS if f"`{path}`" not in written] == []
    for path, targets in LATE_STAGES.items():
        late = {found.target for found in imports(ast.parse(sources[PurePosixPath(path)])) if found.late}
        assert late == targets
        assert f"`{path}`" in written


def test_no_file_around_the_package_is_too_long() -> None:
    files = [ROOT / "dev.py", *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    long = [path.name for path in files if len(path.read_text(encoding="utf-8").splitlines()) > LONGEST_FILE]
    assert long == []


def test_the_table_of_rooms_itself_goes_one_way() -> None:
    assert list(graphlib.TopologicalSorter(ROOMS).static_order())


def test_the_written_plan_shows_the_same_table() -> None:
    row = re.compile(r"^\| `(\w+)` \| (built|planned) \|[^|]*\| ([^|]*) \|$", re.MULTILINE)
    rows = row.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    every = ", ".join(f"`{room}`" for room in INNER)
    written = {
        room: set(re.findall(r"`(\w+)`", allowed.replace("any inner package", every)))
        for room, _, allowed in rows
    }
    assert written == ROOMS
    assert {room for room, state, _ in rows if state == "built"} == {
        path.parent.name for path in _room_doors()
    }


def _room_doors() -> list[Path]:
    return sorted(SOURCE.glob("*/__init__.py"))


# The tests of the tests: small files that break one rule each

FINE = {
    "geometry/hexes.py": "from dataclasses import dataclass\nfrom ludograph.geometry.plane import Point",
    "settlers/names.py": "from ludograph.geometry import hexes",
    "notation/han.py": "import io\nbuffer = io.StringIO()\nfrom ludograph.text.cursor import Cursor",
    "cli/__init__.py": "from ludograph import __version__\ndef main():\n    from ludograph.render import svg",
    "cli/terminal.py": "import os\nimport rich.console\nprint(open)",
    "tgdl/native/run/machine.py": "try:\n    import llvmlite.binding\nexcept ImportError: ...",
    "__init__.py": "HOMES = {'a': 'ludograph.notation.han'}\ndef f(name):\n    import_module(HOMES[name])",
    "__main__.py": "from ludograph.cli import main",
    "games/__init__.py": "from pathlib import Path\nfrom ludograph.tgdl import compile_source",
    "tgdl/syntax/tree/expressions.py": "from msgspec import Struct",
    "render/__init__.py": "from importlib import import_module\nWHERE = {'Style': 'ludograph.render.looks'}",
    "tgdl/__init__.py": "def check():\n    from ludograph.tgdl.check.frontend import check",
}

BROKEN = {
    "geometry may not import settlers": ("geometry/a.py", "from ludograph.settlers.island import Island"),
    "settlers may not import notation": ("settlers/a.py", "from ludograph import notation"),
    "settlers may not import text": ("settlers/a.py", "import ludograph.text.cursor"),
    "notation may not import geometry": ("notation/a.py", "def f():\n    import ludograph.geometry"),
    "text may not import geometry": (
        "text/a.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ludograph.geometry import hexes",
    ),
    "render may not import cli": (
        "render/a.py",
        "try:\n    from ludograph.cli import main\nexcept ImportError: ...",
    ),
    "cli may not import server": ("cli/a.py", "NAME = 'ludograph.server.app'"),
    "__init__ may not import cli": ("__init__.py", "def f():\n    from ludograph.cli import main"),
    "at the top, not inside a function": ("notation/a.py", "def f():\n    from ludograph.text import cursor"),
    "import ludograph.tgdl.syntax.parser.parse at the top": (
        "tgdl/__init__.py",
        "def check():\n    from ludograph.tgdl.syntax.parser import parse",
    ),
    "imports are written as imports": ("lab/a.py", "importlib.import_module(name)"),
    "not from the front (ludograph.convert)": ("cli/a.py", "from ludograph import convert"),
    "not from the front (ludograph.__version__)": ("render/a.py", "from ludograph import __version__"),
    "not from the front (ludograph)": ("render/a.py", "import ludograph"),
    "write the full path": ("geometry/a.py", "from . import hexes"),
    "write the full path instead of ..text.cursor": ("notation/a.py", "from ..text import cursor"),
    "rich lives in cli/terminal.py": ("cli/a.py", "from rich.console import Console"),
    "llvmlite lives in tgdl/native/run/machine.py": ("tgdl/native/ir/nodes.py", "import llvmlite.binding"),
    "numpy is in no row": ("lab/a.py", "import numpy as np"),
    "may not import os.path": ("render/a.py", "from os import path"),
    "may not import pathlib.Path": ("settlers/a.py", "from pathlib import Path"),
    "may not import random": ("bots/a.py", "def f():\n    import random"),
    "may not import io.open": ("text/a.py", "from io import open"),
    "may not use io.open": ("text/a.py", "import io\nio.open('a')"),
    "may not use sys.stdout": ("render/a.py", "import sys\nsys.stdout.write('a')"),
    "may not use datetime.datetime.now": ("play/a.py", "import datetime\ndatetime.datetime.now()"),
    "may not call print": ("notation/a.py", "def f():\n    print('a')"),
    "may not call open": ("tgdl/a.py", "text = open('a').read()"),
    "may not call input": ("play/a.py", "class A:\n    answer = input()"),
    "there is no room tools": ("tools/a.py", ""),
    "there is no room convert": ("convert.py", ""),
    "utils says nothing": ("text/utils.py", ""),
    "_helpers says nothing": ("text/_helpers/a.py", ""),
    "more than 800 lines": ("text/a.py", "\n" * 800),
}


@pytest.mark.parametrize("path", FINE)
def test_a_file_that_follows_the_plan_has_no_problems(path: str) -> None:
    assert problems(PurePosixPath(path), f'"""Sign."""\n{FINE[path]}') == []


@pytest.mark.parametrize("expected", BROKEN)
def test_a_file_that_breaks_a_rule_is_found(expected: str) -> None:
    path, source = BROKEN[expected]
    found = problems(PurePosixPath(path), f'"""Sign."""\n{source}')
    assert [problem for problem in found if expected in problem], found


@pytest.mark.parametrize("source", ["", "import re", '""" """', "# Sign."])
def test_a_module_without_a_docstring_is_found(source: str) -> None:
    assert problems(PurePosixPath("text/a.py"), source) == ["text/a.py: a module begins with a docstring"]


def test_files_that_need_each_other_are_found() -> None:
    sources = {
        PurePosixPath("text/a.py"): "from ludograph.text import b",
        PurePosixPath("text/b.py"): "from ludograph.text.a import A",
    }
    assert set(import_cycle(sources)) == {"ludograph.text.a", "ludograph.text.b"}


def test_a_file_that_names_a_later_one_for_types_only_is_no_cycle() -> None:
    sources = {
        PurePosixPath("text/a.py"): "if TYPE_CHECKING:\n    from ludograph.text.b import B",
        PurePosixPath("text/b.py"): "from ludograph.text.a import A",
    }
    assert import_cycle(sources) == []
