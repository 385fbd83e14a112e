"""Does the corpus bite? Break the rules of checker and interpreter one at a time, and see who notices.

    .venv/bin/python -m tests.language.mutants checker            every mutant of a room of ludograph/tgdl
    .venv/bin/python -m tests.language.mutants interpreter/lists --every 5 --jobs 2

A mutant is one small change in one function: a condition turned round, a comparison or an operator replaced,
a call left out, a constant changed. A first run of all programs notes who passes which line; then each mutant
lives in a forked process, where only the programs that pass its line are run until one of them notices.
What no program notices is a survivor: either a case is missing, or the change means the same. Those that mean
the same are listed in survivors.txt with the reason; the script prints all others and fails if there are any.
It forks, so it needs Linux or macOS.
"""

import argparse
import ast
import copy
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import ludograph.tgdl
from tests.language.runner import FOLDER, Case, cases
from tests.language.script import play_problems

ROOM = Path(ludograph.tgdl.__file__).parent
SURVIVORS = FOLDER / "survivors.txt"
SECONDS_A_MUTANT = 60

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in which function, on which line, what stood there and what stands there now."""

    path: Path
    function: str
    line: int
    tree: ast.Module
    node: ast.expr | ast.stmt
    changed: ast.AST

    @property
    def name(self) -> str:
        """How the mutant is listed: without its line number, which every edit above it would change."""
        place = f"{self.path.relative_to(ROOM).as_posix()} {self.function}"
        return f"{place}: {_text(self.node)}  =>  {_text(self.changed)}"

    def code(self) -> CodeType | None:
        """The code of the changed function."""
        return _code_of(
            compile(_with(self.tree, self.node, self.changed), str(self.path), "exec"), self.function
        )


def main() -> int:
    options = _options()
    paths = sorted(path for room in options.rooms for path in _paths(room))
    corpus = list(cases())
    passes = passing(corpus, paths)
    mutants = [one for path in paths for one in mutants_of(path)][:: options.every]
    print(f"{len(mutants)} mutants in {len(paths)} files, {len(corpus)} programs", flush=True)
    survivors = survivors_among(mutants, passes, options.jobs)
    known = known_survivors()
    unknown = [one for one in survivors if one.name not in known]
    for one in unknown:
        programs = len(passes.get((one.path, one.line), []))
        print(f"{one.path.relative_to(ROOM).as_posix()}:{one.line} ({programs} programs)\n  {one.name}")
    noticed = len(mutants) - len(survivors)
    print(f"{noticed} noticed, {len(survivors) - len(unknown)} mean the same, {len(unknown)} survive")
    return 1 if unknown else 0


def known_survivors() -> dict[str, str]:
    """The mutants that mean the same as what they replace, each with the reason."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines() if SURVIVORS.exists() else []
    pairs: list[list[str]] = [line.split("  # ", 1) for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def passing(corpus: list[Case], paths: list[Path]) -> dict[tuple[Path, int], list[Case]]:
    """For every line of the files, the programs that pass it."""
    files = {str(path): path for path in paths}
    lines: set[tuple[Path, int]] = set()

    def enter(frame: FrameType, event: str, argument: object) -> Any:
        path = files.get(frame.f_code.co_filename)
        if path is None:
            return None

        def step(frame: FrameType, event: str, argument: object) -> Any:
            if event == "line":
                lines.add((path, frame.f_lineno))
            return step

        return step

    passed: list[tuple[int, Case, frozenset[tuple[Path, int]]]] = []
    for case in corpus:
        lines.clear()
        sys.settrace(enter)
        try:
            problems = case.problems() + play_problems(case)
        finally:
            sys.settrace(None)
        if problems:
            raise SystemExit(f"{case.name} fails before anything is broken: " + "\n".join(problems))
        passed.append((len(lines), case, frozenset(lines)))
    found: dict[tuple[Path, int], list[Case]] = {}
    # Those that pass fewest lines first: they are quick, and mostly there for just this rule.
    for _, case, its_lines in sorted(passed, key=lambda one: one[0]):
        for line in its_lines:
            found.setdefault(line, []).append(case)
    return found


def survivors_among(
    mutants: list[Mutant], passes: dict[tuple[Path, int], list[Case]], jobs: int
) -> list[Mutant]:
    """The mutants that no program notices, several tried at once."""
    survivors: list[Mutant] = []
    running: dict[int, Mutant] = {}
    waiting = iter(mutants)
    while True:
        one = next(waiting, None) if len(running) < jobs else None
        if one is not None:
            programs = passes.get((one.path, one.line), [])
            if programs:
                running[_try(one, programs)] = one
            else:
                survivors.append(one)
        elif running:
            child, status = os.wait()
            tried = running.pop(child)
            if status == 0:
                survivors.append(tried)
        else:
            return survivors


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function, name in _functions(tree, ""):
        for node, changed in _changes(function):
            yield Mutant(path, name, node.lineno, tree, node, changed)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Functions of a module and methods of its classes; what stands inside a function belongs to it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child, prefix + child.name
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, prefix + child.name + ".")


def _changes(function: ast.FunctionDef) -> Iterator[tuple[Any, ast.AST]]:
    """Every node of a function that can be changed, with what it becomes."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, (ast.Assert, ast.Raise)) or _is_annotation_holder(node):
            skipped.update(_unchanged_parts(node))
    for node in ast.walk(function):
        if node in skipped:
            continue
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            turned = ast.UnaryOp(ast.Not(), node.test)
            yield node.test, ast.copy_location(turned, node.test)
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield test, ast.copy_location(ast.Constant(True), test)
        elif isinstance(node, ast.Compare):
            for at, operator in enumerate(node.ops):
                changed = copy.copy(node)
                changed.ops = [*node.ops[:at], COMPARISONS[type(operator)](), *node.ops[at + 1 :]]
                yield node, changed
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, ast.copy_location(ast.BoolOp(other, node.values), node)
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            changed_operator = OPERATORS[type(node.op)]()
            yield node, ast.copy_location(ast.BinOp(node.left, changed_operator, node.right), node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node, ast.copy_location(ast.Pass(), node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, ast.copy_location(ast.Constant(not node.value), node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node, ast.copy_location(ast.Constant(node.value + 1), node)


def _is_annotation_holder(node: ast.AST) -> bool:
    return isinstance(node, (ast.AnnAssign, ast.arg, ast.FunctionDef))


def _unchanged_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Our own assertions are no rules, and types are no values."""
    match node:
        case ast.Assert() | ast.Raise():
            yield from ast.walk(node)
        case ast.AnnAssign(annotation=annotation):
            yield from ast.walk(annotation)
        case ast.arg(annotation=annotation) if annotation is not None:
            yield from ast.walk(annotation)
        case ast.FunctionDef(returns=returns) if returns is not None:
            yield from ast.walk(returns)


def _with(tree: ast.Module, node: ast.AST, changed: ast.AST) -> ast.Module:
    """The tree with one node replaced; everything else is shared."""

    class Replace(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> Any:
            if one is node:
                return ast.fix_missing_locations(ast.copy_location(changed, node))
            return self.generic_visit(one)

    mutated: ast.Module = Replace().visit(copy.deepcopy(tree, {id(node): node}))
    return ast.fix_missing_locations(mutated)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:160]


def _code_of(module: CodeType, name: str) -> CodeType | None:
    """The code of a function by its qualified name."""
    code = module
    for part in name.split("."):
        inner = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part]
        if not inner:
            return None
        code = inner[-1]
    return code


def _try(mutant: Mutant, programs: list[Case]) -> int:
    """A process of its own where the mutant lives; it ends with 0 if no program noticed."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS_A_MUTANT)
        os._exit(_fails(mutant, programs))
    return child


def _fails(mutant: Mutant, programs: list[Case]) -> int:
    try:
        code = mutant.code()
        if code is not None:
            _live_function(mutant).__code__ = code
        return int(any(case.problems() or play_problems(case) for case in programs))
    except BaseException:  # whatever goes wrong now is the mutant's doing
        return 1


def _live_function(mutant: Mutant) -> FunctionType:
    relative = mutant.path.relative_to(ROOM.parent.parent).with_suffix("")
    module: ModuleType = importlib.import_module(".".join(relative.parts).removesuffix(".__init__"))
    found: Any = module
    for part in mutant.function.split("."):
        found = vars(found)[part]
    while not isinstance(found, FunctionType):
        found = getattr(found, "__wrapped__", None) or getattr(found, "fget", None) or found.__func__
    return found


def _paths(room: str) -> list[Path]:
    place = ROOM / room
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    if not all(path.exists() for path in found):
        raise SystemExit(f"there is no {place}")
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", default=["checker", "interpreter"])
    parser.add_argument("--every", type=int, default=1, help="take only every nth mutant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
