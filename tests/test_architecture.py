"""The rules of ARCHITECTURE.md as code: allowed imports, pure packages, and the module of each library.

The rules cover imports inside functions and under TYPE_CHECKING. Where late imports are allowed, they also
cover names that are passed to `import_module`. A test compares this table with ARCHITECTURE.md.
"""

import ast
import functools
import graphlib
import re
import sys
from collections import Counter
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
    "games": {"text", "play", "tgdl", "render"},
    "bots": {"play", "settlers"},
    "hexil": {"play", "games", "settlers", "notation", "render", "bots"},
    "programs": {"play", "bots", "games"},
    "lab": {"play", "bots", "games", "programs"},
    "protocol": set(),
}
ENTRY_POINTS = ("server", "client", "lsp", "cli", "adapters")
PACKAGES: dict[str, set[str]] = INNER | {entry_point: set(INNER) for entry_point in ENTRY_POINTS}
PACKAGES["cli"] = {*INNER, "server", "lsp"}  # its commands start them
PACKAGES["server"] = {*INNER, "lsp"}  # its studio page is an editor

# The stages of the language, each with the stages that it may import.
STAGES: dict[str, set[str]] = {
    "syntax": set(),
    "program": {"syntax"},
    "flow": {"syntax", "program"},
    "check": {"syntax", "program", "flow"},
    "world": {"syntax", "program"},
    "reference": {"syntax", "program", "flow", "world"},
    "native": {"syntax", "program", "world", "reference"},
    "game": {"syntax", "program", "world", "reference", "native"},
    "testing": {"syntax", "program", "world", "reference", "game"},
}
NATIVE_STAGES: dict[str, set[str]] = {
    "ir": set(),
    "layout": {"ir"},
    "optimise": {"ir", "layout"},
    "lower": {"ir", "layout", "optimise"},
    "run": {"ir", "layout", "optimise", "lower"},
}
# The modules of the reference engine that may use the package that compiles programs to closures.
MAY_USE_COMPILE = frozenset({"building", "event_sources"})
# The parts of the native engine that may use the reference engine, which words faults and names things.
MAY_USE_REFERENCE = ("tgdl/native/run/", "tgdl/native/lower/present/")

# The modules beside the packages.
MODULES_BESIDE: dict[str, set[str]] = {"__init__": set(INNER), "__main__": {"cli"}}

PURE = frozenset({"text", "geometry", "play", "tgdl", "settlers", "notation", "render", "bots", "protocol"})

# Packages that may import late, for start-up time; `cli` dispatches the commands.
MAY_IMPORT_LATE = frozenset({"__init__", "cli"})

# Modules that import a stage late, also for start-up time, with the names that they import.
# ARCHITECTURE.md gives the reasons.
LATE_STAGES: dict[str, frozenset[str]] = {
    "server/styles/special_games.py": frozenset({"ludograph.hexil.tables.style.HexilTable"}),
    "tgdl/__init__.py": frozenset({"ludograph.tgdl.check.frontend.check"}),
    "tgdl/native/run/engine.py": frozenset({"ludograph.tgdl.native.lower.lowering.lower"}),
    "tgdl/native/run/presentation_code.py": frozenset(
        {"ludograph.tgdl.native.lower.present.lowering.lower_presentation"}
    ),
    "tgdl/native/run/environment_code.py": frozenset(
        {"ludograph.tgdl.native.lower.environments.lowering.lower_environments"}
    ),
    "tgdl/native/run/search_code.py": frozenset({"ludograph.tgdl.native.lower.search.lowering.lower_search"}),
    "tgdl/native/run/machine.py": frozenset({"llvmlite.binding"}),
    "games/catalog.py": frozenset({"importlib.resources.files"}),
    "games/sources.py": frozenset({"ludograph.render.scenes.states.draw_state"}),
    "games/engines.py": frozenset({"concurrent.futures.ThreadPoolExecutor"}),
    "server/commands.py": frozenset(
        {"ludograph.hexil.errors.IllegalAction", "ludograph.hexil.typed_moves.list_typed_moves"}
    ),
}

# Packages that import a module when one of its names is first used, as `ludograph/__init__.py` does.
LATE_PACKAGES = frozenset({"games/__init__.py", "play/__init__.py", "render/__init__.py"})

# Each library and the one module of src/ludograph that imports it.
LIBRARIES = {
    "catanatron": "adapters/catanatron.py",
    "rich": "cli/terminal.py",
    "llvmlite": "tgdl/native/run/machine.py",
    "pygls": "lsp/server.py",
    "lsprotocol": "lsp/server.py",
    "starlette": "server/app.py",
    "uvicorn": "server/app.py",
    "sqlalchemy": "server/storage.py",
    "websockets": "client/connections.py",
    "numpy": "adapters/arrays.py",
    "pyspiel": "adapters/openspiel.py",
    "gymnasium": "adapters/gymnasium.py",
    "pettingzoo": "adapters/pettingzoo.py",
}

# It defines classes as `dataclasses` does, so every module may import it.
USED_EVERYWHERE = frozenset({"msgspec"})

# The nodes of a game at its stages. A node has the same name at each stage, and other stages write its stage.
NODES = ("tgdl/syntax/tree/", "tgdl/program/", "tgdl/native/ir/")

# Other names of several classes or type aliases, with the reason.
SHARED_NAMES: dict[str, str] = {
    "Action": "a node, and an action of the settlers data, which others write as `settlers.Action`",
    "Event": "a node, and an event of a settlers record, which others write as `settlers.Event`",
    "Game": "the protocol of every game, and the game of the language, which implements it",
    "LegalMoves": "the same list for any game and for settlers actions, documented as `hexil.LegalMoves`",
    "Move": "a move of a player, and the node of the statement `move`",
    "Place": "a place of an island, and the node of the target of an assignment",
    "Record": "the record of any game, and a settlers record, which others write as `settlers.Record`",
    "Seat": "what a player may know of a state, and the things of a player in a settlers position",
    "Shape": "the node of the shape of a board, and the shape of a compiled world",
    "State": "a node; the protocol of every state, and the state of the language, which implements it",
    "Tile": "a node, and a tile of an island, which others write as `settlers.Tile`",
    "Words": "aliases for machine words in three modules of the native engine",
}

# Modules for files, network, clock, chance and processes; pure packages get these as arguments.
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

MEANINGLESS_NAMES = frozenset("utils util common core base helpers helper misc manager shared".split())
MAX_FILE_LENGTH = 800
MAX_FILES = 25  # Python files in a folder


@dataclass(frozen=True, slots=True)
class Import:
    target: str  # dotted, such as "ludograph.geometry.hexes" or "os.path"
    line: int
    late: bool
    for_types: bool


def problems(path: PurePosixPath, source: str) -> list[str]:
    """All violations in one file; its path is relative to src/ludograph."""
    tree = parse(source)
    found = [*_problems_of_shape(path, source, tree), *_problems_of_imports(path, tree)]
    if package_of(path) in PURE:
        found += _problems_of_purity(path, tree)
    return list(dict.fromkeys(found))  # one line may import several names from the same wrong place


def package_of(path: PurePosixPath) -> str:
    """The package of a file; for a module beside the packages, its own name."""
    return path.parts[0] if len(path.parts) > 1 else path.stem


def _problems_of_shape(path: PurePosixPath, source: str, tree: ast.Module) -> Iterator[str]:
    if package_of(path) not in PACKAGES | MODULES_BESIDE:
        yield f"{path}: there is no package {package_of(path)} in ARCHITECTURE.md"
    for name in (*path.parts[:-1], path.stem):
        if name.strip("_") in MEANINGLESS_NAMES:
            yield f"{path}: the name {name} does not describe its content"
    if not (ast.get_docstring(tree) or "").strip():
        yield f"{path}: a module begins with a docstring"
    if len(source.splitlines()) > MAX_FILE_LENGTH:
        yield f"{path}: more than {MAX_FILE_LENGTH} lines; split it by the thing it handles"


def _problems_of_imports(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    package = package_of(path)
    allowed = (PACKAGES | MODULES_BESIDE).get(package, set())
    may_import_late = package in MAY_IMPORT_LATE or path.as_posix() in LATE_PACKAGES
    for found in imports(tree, texts_count=may_import_late):
        place = f"{path}:{found.line}"
        top, *rest = found.target.split(".")
        if top == "":
            yield f"{place}: write the full path instead of {found.target}"
        elif top != "ludograph":
            yield from _problems_of_library(path, place, top)
        elif rest == ["__version__"] and package in ENTRY_POINTS:
            pass
        elif not rest or (rest[0] != package and rest[0] not in PACKAGES):
            yield f"{place}: import from the package that defines it, not from ludograph ({found.target})"
        elif rest[0] != package and rest[0] not in allowed:
            yield f"{place}: {package} may not import {rest[0]}"
        elif rest[0] == package == "tgdl":
            yield from _problems_of_stages(path, place, rest)
        is_declared = found.target in LATE_STAGES.get(path.as_posix(), frozenset())
        if found.late and not may_import_late and not is_declared:
            yield f"{place}: import {found.target} at the top, not inside a function"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func).endswith(("import_module", "__import__")):
            if not may_import_late:
                yield f"{path}:{node.lineno}: imports are written as imports"


def _problems_of_stages(path: PurePosixPath, place: str, target: list[str]) -> Iterator[str]:
    """Check an import inside the language; `target` begins with `tgdl`."""
    _, *own = path.parts[:-1]
    if not own or len(target) < 2:
        return
    stage, other = own[0], target[1]
    if other in STAGES and other != stage and other not in STAGES.get(stage, set()):
        yield f"{place}: the stage {stage} may not import {other}"
    if stage == "native" and other == "reference" and not path.as_posix().startswith(MAY_USE_REFERENCE):
        yield f"{place}: only {', '.join(MAY_USE_REFERENCE)} use the reference engine"
    if stage == "reference" and own == ["reference"] and target[1:3] == ["reference", "compile"]:
        if path.stem not in MAY_USE_COMPILE:
            yield f"{place}: only {', '.join(sorted(MAY_USE_COMPILE))} use reference/compile"
    if stage == other == "native" and len(own) > 1 and len(target) > 2:
        part, used = own[1], target[2]
        if used in NATIVE_STAGES and used != part and used not in NATIVE_STAGES.get(part, set()):
            yield f"{place}: native/{part} may not import native/{used}"


def _problems_of_library(path: PurePosixPath, place: str, library: str) -> Iterator[str]:
    if library in sys.stdlib_module_names or library in USED_EVERYWHERE:
        return
    home = LIBRARIES.get(library)
    if home is None:
        yield f"{place}: {library} is not in LIBRARIES"
    elif path.as_posix() != home:
        yield f"{place}: only {home} may import {library}"


def _problems_of_purity(path: PurePosixPath, tree: ast.Module) -> Iterator[str]:
    package = package_of(path)
    for found in imports(tree):
        if found.target == "importlib.import_module" and path.as_posix() in LATE_PACKAGES:
            continue
        if found.target.split(".")[0] in IMPURE_MODULES or found.target in IMPURE_ATTRIBUTES:
            yield f"{path}:{found.line}: {package} is pure and may not import {found.target}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func) in IMPURE_CALLS:
            yield f"{path}:{node.lineno}: {package} is pure and may not call {_dotted(node.func)}"
        if isinstance(node, ast.Attribute) and ".".join(_dotted(node).split(".")[-2:]) in IMPURE_ATTRIBUTES:
            yield f"{path}:{node.lineno}: {package} is pure and may not use {_dotted(node)}"


def imports(tree: ast.Module, *, texts_count: bool = False) -> Iterator[Import]:
    """All imports of a module, also nested ones; `from a import b` is a.b."""

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


LOADED_LATER = frozenset({"__init__.py", "games/__init__.py", "render/__init__.py"})
"""Packages whose members load on demand; they name them for type checkers."""
KNOWN_FOR_TYPES = {
    "ludograph.tgdl.game.state": {"ludograph.tgdl.game.game"},
    "ludograph.settlers.findings": {"ludograph.settlers.position"},
    "ludograph.settlers.findings.facts": {"ludograph.settlers.position"},
    "ludograph.settlers.standings": {"ludograph.settlers.position"},
}
"""Types that two modules know of each other."""


def import_cycle(sources: dict[PurePosixPath, str]) -> list[str]:
    """Modules that import each other, also for types only; without the pairs in `KNOWN_FOR_TYPES`."""
    names = {_module_name(path): path for path in sources}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        needed = {
            found.target
            for found in imports(parse(sources[path]))
            if not found.late and not (found.for_types and path.as_posix() in LOADED_LATER)
        }
        modules = {target if target in names else target.rpartition(".")[0] for target in needed}
        modules -= KNOWN_FOR_TYPES.get(name, set())
        graph[name] = {module for module in modules if module in names and module != "ludograph"}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def _module_name(path: PurePosixPath) -> str:
    parts = ("ludograph", *path.with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


parse = functools.cache(ast.parse)


@functools.cache
def source_files() -> dict[PurePosixPath, str]:
    files = sorted(SOURCE.rglob("*.py"))
    return {
        PurePosixPath(path.relative_to(SOURCE).as_posix()): path.read_text(encoding="utf-8") for path in files
    }


# The source files


def test_every_source_file_follows_the_rules() -> None:
    found = [problem for path, source in source_files().items() for problem in problems(path, source)]
    assert not found, "\n".join(found)


def test_no_modules_import_each_other() -> None:
    assert import_cycle(source_files()) == []


def test_every_late_stage_is_imported_late_and_explained() -> None:
    sources = source_files()
    written = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [path for path in LATE_PACKAGES if f"`{path}`" not in written] == []
    for path, targets in LATE_STAGES.items():
        late = {found.target for found in imports(ast.parse(sources[PurePosixPath(path)])) if found.late}
        assert late == targets
        assert f"`{path}`" in written


def test_the_docstring_of_a_package_names_what_exists() -> None:
    files = list(SOURCE.rglob("*.py"))
    names = {path.stem for path in files} | {path.name for path in SOURCE.rglob("*") if path.is_dir()}
    sources = {path: path.read_text(encoding="utf-8") for path in files if path.name == "__init__.py"}
    code = [path.read_text(encoding="utf-8") for path in files if path not in sources]
    names |= set(re.findall(r"\w+", "\n".join(code)))
    missing = []
    for path, source in sources.items():
        text = ast.get_docstring(parse(source)) or ""
        for name in re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)`", text):
            if not set(name.split(".")) <= names:
                missing.append(f"{path.relative_to(SOURCE)}: {name}")
    assert missing == []


def test_no_file_around_the_package_is_too_long() -> None:
    files = [ROOT / "dev.py", *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    long = [
        path.name for path in files if len(path.read_text(encoding="utf-8").splitlines()) > MAX_FILE_LENGTH
    ]
    assert long == []


def test_no_folder_has_too_many_files() -> None:
    paths = (path for top in ("src", "tests", "benchmarks") for path in (ROOT / top).rglob("*.py"))
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in paths)
    assert {folder: count for folder, count in counts.items() if count > MAX_FILES} == {}


def test_a_name_has_one_meaning() -> None:
    homes: dict[str, list[str]] = {}
    for path, source in source_files().items():
        for name in defined_types(parse(source)):
            homes.setdefault(name, []).append(path.as_posix())
    several = {name: paths for name, paths in homes.items() if len(set(map(_meaning, paths))) > 1}
    assert {name: paths for name, paths in several.items() if name not in SHARED_NAMES} == {}
    assert [name for name in SHARED_NAMES if name not in several] == []


def defined_types(tree: ast.Module) -> Iterator[str]:
    """The public classes and type aliases at the top of a module; type variables are local to it."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if re.match("[A-Z]+[a-z]", name):
                if not (isinstance(value, ast.Call) and _dotted(value.func) == "TypeVar"):
                    yield name
            case _:
                pass


def _meaning(path: str) -> str:
    """The nodes of tree, program and IR are one concept at several stages: `tree.If`, `p.If`, `ir.If`."""
    return "node" if path.startswith(NODES) else path


def test_the_table_of_packages_has_no_cycle() -> None:
    assert list(graphlib.TopologicalSorter(PACKAGES).static_order())


def test_architecture_md_has_the_same_table() -> None:
    row = re.compile(r"^\| `(\w+)` \| (built|planned) \|[^|]*\| ([^|]*) \|$", re.MULTILINE)
    rows = row.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    every = ", ".join(f"`{package}`" for package in INNER)
    written = {
        package: set(re.findall(r"`(\w+)`", allowed.replace("any inner package", every)))
        for package, _, allowed in rows
    }
    assert written == PACKAGES
    assert {package for package, state, _ in rows if state == "built"} == {
        path.parent.name for path in _package_modules()
    }


def _package_modules() -> list[Path]:
    return sorted(SOURCE.glob("*/__init__.py"))


# Tests of these checks: small files that break one rule each

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
    "cli may not import client": ("cli/a.py", "NAME = 'ludograph.client.connections'"),
    "__init__ may not import cli": ("__init__.py", "def f():\n    from ludograph.cli import main"),
    "at the top, not inside a function": ("notation/a.py", "def f():\n    from ludograph.text import cursor"),
    "import ludograph.tgdl.syntax.parser.parse at the top": (
        "tgdl/__init__.py",
        "def check():\n    from ludograph.tgdl.syntax.parser import parse",
    ),
    "imports are written as imports": ("lab/a.py", "importlib.import_module(name)"),
    "not from ludograph (ludograph.convert)": ("cli/a.py", "from ludograph import convert"),
    "not from ludograph (ludograph.__version__)": ("render/a.py", "from ludograph import __version__"),
    "not from ludograph (ludograph)": ("render/a.py", "import ludograph"),
    "write the full path": ("geometry/a.py", "from . import hexes"),
    "write the full path instead of ..text.cursor": ("notation/a.py", "from ..text import cursor"),
    "only cli/terminal.py may import rich": ("cli/a.py", "from rich.console import Console"),
    "only tgdl/native/run/machine.py may import llvmlite": (
        "tgdl/native/ir/nodes.py",
        "import llvmlite.binding",
    ),
    "only building, event_sources use reference/compile": (
        "tgdl/reference/run.py",
        "from ludograph.tgdl.reference.compile.compiler import Compiler",
    ),
    "pandas is not in LIBRARIES": ("lab/a.py", "import pandas"),
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
    "there is no package tools": ("tools/a.py", ""),
    "there is no package convert": ("convert.py", ""),
    "the name utils does not": ("text/utils.py", ""),
    "the name _helpers does not": ("text/_helpers/a.py", ""),
    "more than 800 lines": ("text/a.py", "\n" * 800),
}


@pytest.mark.parametrize("path", FINE)
def test_a_file_that_follows_the_rules_has_no_problems(path: str) -> None:
    assert problems(PurePosixPath(path), f'"""Module."""\n{FINE[path]}') == []


@pytest.mark.parametrize("expected", BROKEN)
def test_a_file_that_breaks_a_rule_is_found(expected: str) -> None:
    path, source = BROKEN[expected]
    found = problems(PurePosixPath(path), f'"""Module."""\n{source}')
    assert [problem for problem in found if expected in problem], found


@pytest.mark.parametrize("source", ["", "import re", '""" """', "# Module."])
def test_a_module_without_a_docstring_is_found(source: str) -> None:
    assert problems(PurePosixPath("text/a.py"), source) == ["text/a.py: a module begins with a docstring"]


def test_classes_and_aliases_are_names_but_type_variables_and_constants_are_not() -> None:
    source = """
class Body: ...
class _Own: ...
Key = tuple[str, int]
Cell = TypeVar("Cell", bound=Hashable)
ROWS = 8
"""
    assert list(defined_types(ast.parse(source))) == ["Body", "Key"]


def test_an_import_cycle_is_found() -> None:
    sources = {
        PurePosixPath("text/a.py"): "from ludograph.text import b",
        PurePosixPath("text/b.py"): "from ludograph.text.a import A",
    }
    assert set(import_cycle(sources)) == {"ludograph.text.a", "ludograph.text.b"}


def test_a_type_only_import_makes_a_cycle() -> None:
    sources = {
        PurePosixPath("text/a.py"): "if TYPE_CHECKING:\n    from ludograph.text.b import B",
        PurePosixPath("text/b.py"): "from ludograph.text.a import A",
    }
    assert set(import_cycle(sources)) == {"ludograph.text.a", "ludograph.text.b"}
