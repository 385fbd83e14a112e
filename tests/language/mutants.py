"""Mutation testing of the checker and the reference engine with the programs of the corpus.

    .venv/bin/python -m tests.language.mutants check              every mutant of a stage of ludograph/tgdl
    .venv/bin/python -m tests.language.mutants reference/compile/lists --every 5 --jobs 2

A mutant is one small change in one function: a negated condition, another comparison or operator, a removed
call, a changed constant. The first run of all programs records which program executes which line. Then each
mutant runs in a forked process with the programs that execute its line, until one of them detects it. If a
mutant of the checker compiles a program to the same result as before, the program is not played. A mutant of
the engine plays the programs that the unchanged checker compiled.

A mutant that no program detects is a survivor: either the corpus lacks a case, or the change has no effect.
survivors.txt lists all survivors with the reason. The script fails if another mutant survives, or if a
program detects a listed one. It forks, so it needs Linux or macOS.
"""

import argparse
import ast
import copy
import gc
import importlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import ludograph.tgdl.check.frontend
from ludograph.text import Source
from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax.imports import Loaded
from tests.language.runner import FOLDER, Case, cases
from tests.language.script import Play, reference

PACKAGE = Path(ludograph.tgdl.__file__).parent
PLAYED = ("world", "reference")
"""The stages that play a program; the others compile it."""
SHARED = "flow"
"""The stage that both use."""
SURVIVORS = FOLDER / "survivors.txt"
SLOW_SECONDS, ENOUGH_PROGRAMS = 0.4, 100
"""A slow program is not run for a line that enough fast programs execute."""
TIMEOUT_FACTOR = 4
"""A mutant is detected if its programs take so many times as long as without it: it may loop for ever."""

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
TRACING = (
    *("note", "open_note", "close_note", "note_input", "note_write"),
    *("all_see_attribute", "all_see_stack"),
)
"""Functions that write the trace. Their own tests check it, not the corpus."""
NEGATED_BY_OPERATOR = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a function: its line, the old node and the new node."""

    path: Path
    function: str
    line: int
    name: str
    """The name in survivors.txt. It has no line number, because every edit above would change it."""
    tree: ast.Module
    """A module with only the function and its classes."""
    node: ast.AST
    changed: ast.AST

    def code(self) -> CodeType | None:
        """The code of the changed function."""
        return _code_of(
            compile(_with(self.tree, self.node, self.changed), str(self.path), "exec"), self.function
        )


@dataclass(frozen=True, slots=True)
class Baseline:
    """A program of the corpus with its results on the unchanged code."""

    case: Case
    program: Program | None
    checked: list[str]
    played: list[str]
    """The messages of the checker, and those of the play."""
    seconds: float
    """The time of both."""

    def detects(self, mutant: Mutant) -> bool:
        """Whether the program has other results while the mutant is active."""
        program = self.program
        if not any(mutant.path.is_relative_to(PACKAGE / stage) for stage in PLAYED):
            program, found = self.case.check()
            if self.case.problems_of(program, found) or self.case.said(found) != self.checked:
                return True
            if program == self.program and not mutant.path.is_relative_to(PACKAGE / SHARED):
                return False
        problems, said = _play(self.case, program)
        return bool(problems) or said != self.played


def main() -> int:
    options = _options()
    paths = sorted(path for part in options.parts for path in _paths(part))
    corpus = list(cases())
    parse_once()
    coverage = measure_coverage(corpus, paths)
    mutants = [one for path in paths for one in mutants_of(path)][:: options.every]
    if options.again is not None:
        again = {line.strip() for line in options.again.read_text(encoding="utf-8").splitlines()}
        mutants = [one for one in mutants if one.name in again]
    print(f"{len(mutants)} mutants in {len(paths)} files, {len(corpus)} programs", flush=True)
    known = known_survivors()
    listed: Counter[Path] = Counter()
    unknown: Counter[Path] = Counter()
    detected = {one.name for one in mutants}
    for one in survivors_among(mutants, coverage, options.jobs):
        detected.remove(one.name)
        if one.name in known:
            listed[one.path] += 1
            continue
        unknown[one.path] += 1
        programs = len(coverage.get((one.path, one.line), []))
        print(f"line {one.line} ({programs} programs)\n  {one.name}", flush=True)
    wrong = [name for name in known if name in detected]
    for name in wrong:
        print(f"listed as a survivor, but detected\n  {name}")
    print("file, mutants, detected, listed survivors, other survivors")
    tried = Counter(one.path for one in mutants)
    for path, count in tried.items():
        killed = count - listed[path] - unknown[path]
        print(f"{path.relative_to(PACKAGE).as_posix()}, {count}, {killed}, {listed[path]}, {unknown[path]}")
    print(f"all, {tried.total()}, {len(detected)}, {listed.total()}, {unknown.total()}")
    return 1 if unknown or wrong else 0


def parse_once() -> None:
    """Cache the trees of the programs, because no mutant changes the parser."""
    parse: Callable[..., Loaded] = vars(ludograph.tgdl.check.frontend)["load"]
    trees: dict[int, tuple[Source, Loaded]] = {}

    def load(source: Source, read: Callable[[str], str | None]) -> Loaded:
        if id(source) not in trees:
            trees[id(source)] = source, parse(source, read)
        return trees[id(source)][1]

    vars(ludograph.tgdl.check.frontend)["load"] = load


def known_survivors() -> dict[str, str]:
    """The survivors that survivors.txt lists, each with the reason."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines() if SURVIVORS.exists() else []
    pairs: list[list[str]] = [line.split("  # ", 1) for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def measure_coverage(corpus: list[Case], paths: list[Path]) -> dict[tuple[Path, int], list[Baseline]]:
    """For every line of the files, the programs that execute it, the fastest first."""
    files = {str(path): path for path in paths}
    only_checked = all(
        path.is_relative_to(PACKAGE / "check") for path in paths
    )  # playing executes none of it
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

    measured: list[tuple[Baseline, frozenset[tuple[Path, int]]]] = []
    for case in corpus:
        began = time.process_time()
        program, found = case.check()
        problems, said = _play(case, program)
        problems += case.problems_of(program, found)
        if problems:
            raise SystemExit(f"{case.name} fails on the unchanged code: " + "\n".join(problems))
        baseline = Baseline(case, program, case.said(found), said, time.process_time() - began)
        lines.clear()
        sys.settrace(enter)
        try:
            case.check()
            if not only_checked:
                _play(case, program)
        finally:
            sys.settrace(None)
        measured.append((baseline, frozenset(lines)))
    programs: dict[tuple[Path, int], list[Baseline]] = {}
    for baseline, executed in sorted(measured, key=lambda one: one[0].seconds):
        for line in executed:
            programs.setdefault(line, []).append(baseline)
    return programs


def _play(case: Case, program: Program | None) -> tuple[list[str], list[str]]:
    """The differences from the expectations of a program, and the messages."""
    if program is None or not case.is_played:
        return [], []
    play = Play(case, program, reference)
    return play.problems(), play.said


def survivors_among(
    mutants: list[Mutant], coverage: dict[tuple[Path, int], list[Baseline]], jobs: int
) -> Iterator[Mutant]:
    """The mutants that no program detects. `jobs` processes run at once."""
    # The collector ignores frozen objects, so the children share their memory and fork faster.
    gc.collect()
    gc.freeze()
    running: dict[int, Mutant] = {}
    waiting = iter(mutants)
    while True:
        one = next(waiting, None) if len(running) < jobs else None
        if one is not None:
            programs = _to_run(coverage.get((one.path, one.line), []))
            if programs:
                running[_try(one, programs)] = one
            else:
                yield one
        elif running:
            child, status = os.wait()
            tried = running.pop(child)
            if status == 0:
                yield tried
        else:
            return


def _to_run(programs: list[Baseline]) -> list[Baseline]:
    quick = [one for one in programs if one.seconds < SLOW_SECONDS]
    return quick if len(quick) > ENOUGH_PROGRAMS else programs


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: Counter[str] = Counter()
    for function, classes in _functions(tree, ()):
        alone = _alone(function, classes)
        executable = _executable_lines(compile(alone, str(path), "exec"))
        qualified = ".".join([*(one.name for one in classes), function.name])
        place = f"{path.relative_to(PACKAGE).as_posix()} {qualified}: "
        for change in _changes(function):
            name = place + change.text
            names[name] += 1
            if names[name] > 1:
                name += f" ({names[name]})"
            line = change.node.lineno if change.node.lineno in executable else change.statement.lineno
            yield Mutant(path, qualified, line, name, alone, change.node, change.changed)


def _functions(
    node: ast.AST, classes: tuple[ast.ClassDef, ...]
) -> Iterator[tuple[ast.FunctionDef, tuple[ast.ClassDef, ...]]]:
    """The functions of a module and the methods of its classes, without functions inside of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            if child.name not in ("__repr__", *TRACING):
                yield child, classes
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*classes, child))


def _alone(function: ast.FunctionDef, classes: tuple[ast.ClassDef, ...]) -> ast.Module:
    """A module with only a function and its classes."""
    inner: ast.stmt = function
    for one in reversed(classes):
        inner = ast.copy_location(ast.ClassDef(one.name, [], [], [inner], []), one)
    return ast.Module([inner], [])


def _executable_lines(code: CodeType) -> set[int]:
    """The lines that a trace of a run can contain."""
    lines = {line for _, _, line in code.co_lines() if line is not None}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            lines |= _executable_lines(inner)
    return lines


@dataclass(frozen=True, slots=True)
class Change:
    """A node and its replacement, with the statement and the larger expression that contain the node."""

    node: Any
    changed: ast.AST
    statement: ast.stmt
    around: ast.AST

    @property
    def text(self) -> str:
        """The source before and after the change."""
        return f"{_text(self.around)}  =>  {_text(_with(self.around, self.node, self.changed))}"


def _changes(function: ast.FunctionDef) -> Iterator[Change]:
    """Every node of a function that can be changed, with its replacement."""
    # Defaults are evaluated outside of the function.
    defaults = [one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None]
    skipped = {part for default in defaults for part in ast.walk(default)}
    parents: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(function):
        skipped.update(_unchanged_parts(node))
        for child in ast.iter_child_nodes(node):
            parents[child] = node
    for node in ast.walk(function):
        if node in skipped:
            continue
        for target, changed in _changes_of(node):
            statement = around = target
            while not isinstance(statement, ast.stmt):
                statement = parents[statement]
            # A number alone would not identify the change.
            if isinstance(target, ast.Constant):
                around = parents[target]
                while not isinstance(around, (ast.expr, ast.stmt)) or isinstance(around, ast.UnaryOp):
                    around = parents[around]
                if isinstance(around, (ast.FunctionDef, ast.If, ast.For, ast.While, ast.Match, ast.With)):
                    around = target
            yield Change(target, changed, statement, around)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        # A change of its operator negates a single comparison.
        if not (isinstance(node.test, ast.Compare) and type(node.test.ops[0]) in NEGATED_BY_OPERATOR):
            yield node.test, ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
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


def _unchanged_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that no mutant changes: assertions, traces, types and the words of messages."""
    match node:
        case ast.Assert() | ast.Raise() | ast.JoinedStr():
            yield from ast.walk(node)
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) if name in TRACING:
            yield from ast.walk(node)
        case ast.If(test=ast.Compare(left=ast.Attribute(attr="trace"))):
            yield from ast.walk(node)
        case ast.keyword(arg="strict"):  # an assertion about equal lengths
            yield from ast.walk(node)
        case ast.AnnAssign(annotation=annotation):
            yield from ast.walk(annotation)
        case ast.arg(annotation=annotation) if annotation is not None:
            yield from ast.walk(annotation)
        case ast.FunctionDef(returns=returns) if returns is not None:
            yield from ast.walk(returns)
        case ast.Call(func=ast.Name(id="cast"), args=[type_, _]):
            yield from ast.walk(type_)


def _with(tree: Any, node: ast.AST, changed: ast.AST) -> Any:
    """A copy of the tree with one node replaced."""

    class Replace(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> Any:
            if one is node:
                return ast.fix_missing_locations(ast.copy_location(changed, node))
            return self.generic_visit(one)

    return ast.fix_missing_locations(Replace().visit(copy.deepcopy(tree, {id(node): node})))


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


def _try(mutant: Mutant, programs: list[Baseline]) -> int:
    """Start a process with the mutant. It ends with 0 if no program detects the mutant."""
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, 1 + TIMEOUT_FACTOR * sum(one.seconds for one in programs))
        os._exit(_is_detected(mutant, programs))
    return child


def _is_detected(mutant: Mutant, programs: list[Baseline]) -> bool:
    try:
        code = mutant.code()
        if code is not None:
            _live_function(mutant).__code__ = code
        return any(program.detects(mutant) for program in programs)
    except BaseException:  # the mutant caused it
        return True


def _live_function(mutant: Mutant) -> FunctionType:
    relative = mutant.path.relative_to(PACKAGE.parent.parent).with_suffix("")
    module: ModuleType = importlib.import_module(".".join(relative.parts).removesuffix(".__init__"))
    found: Any = module
    for part in mutant.function.split("."):
        found = vars(found)[part]
    while not isinstance(found, FunctionType):
        found = getattr(found, "__wrapped__", None) or getattr(found, "fget", None) or found.__func__
    return found


def _paths(part: str) -> list[Path]:
    place = PACKAGE / part
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    if not all(path.exists() for path in found):
        raise SystemExit(f"there is no {place}")
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["check", SHARED, *PLAYED])
    parser.add_argument("--every", type=int, default=1, help="try only every nth mutant")
    parser.add_argument("--again", type=Path, help="try only the mutants that this file lists, one on a line")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
