"""Checker: it turns the trees of a game's files into a checked program and diagnostics.

It runs in passes over the whole program: names (`declarations.names`), bases and members (`inheritance`), the
tiles of groups (`boards`), verbs with their results (`verbs`), all other bodies, and at last the checks that
need the whole program: purity, secrets, unused names.

One mistake gives one error. An expression with an error gets the error type, which fits everywhere. So does a
use of a name that an error node may declare.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from ludograph.text import Diagnostic
from ludograph.tgdl.check.appearance import check_appearance
from ludograph.tgdl.check.bodies.expressions import expression
from ludograph.tgdl.check.bodies.game_statements import state_name
from ludograph.tgdl.check.bodies.statements import block
from ludograph.tgdl.check.codes import CODES
from ludograph.tgdl.check.declarations.action_bases import resolve_top_level_actions
from ludograph.tgdl.check.declarations.actions import check_action
from ludograph.tgdl.check.declarations.boards import check_board, resolve_groups
from ludograph.tgdl.check.declarations.inheritance import fill_stacks, resolve_constructs, resolve_parameters
from ludograph.tgdl.check.declarations.names import LANGUAGE, collect, headers
from ludograph.tgdl.check.declarations.rule_tests import check_tests
from ludograph.tgdl.check.declarations.settings import (
    check_constants,
    check_construct,
    check_options,
    resolve_settings,
)
from ludograph.tgdl.check.declarations.turns import check_setup, check_turn, resolve_turns
from ludograph.tgdl.check.declarations.verbs import check_verbs, judge_pure_calls
from ludograph.tgdl.check.observations import Observations
from ludograph.tgdl.check.rules_hash import rules_hash
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import FileFacts, SymbolTable
from ludograph.tgdl.check.whole import check_whole
from ludograph.tgdl.check.whole.default_options import check_circles, check_defaults
from ludograph.tgdl.check.whole.unused_names import report_unused_declarations
from ludograph.tgdl.program import Board, Enumeration, Expression, Program
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.imports import Loaded

__all__ = ["CODES", "CheckedTrees", "analyse", "check"]


class CheckedTrees(Struct, frozen=True):
    """Everything that the checker knows about a game, for editors."""

    loaded: Loaded
    program: Program
    """With unknown parts after errors."""
    diagnostics: tuple[Diagnostic, ...]
    """Those of the checker; `loaded` has those of the parser."""
    symbols: SymbolTable
    observations: Observations


RULES = Rules(expression, block)


def _observed_expression(context: Context, node: tree.Expression, wanted: Type | None = None) -> Expression:
    value = expression(context, node, wanted)
    context.observe(node, value)
    return value


OBSERVING_RULES = Rules(_observed_expression, block)
"""The rules of a check whose observations an editor asks for."""


# The extra recursion depth for the deepest tree: some calls for each level.
CALLS = 20 * tree.TREE_DEPTH


def check(loaded: Loaded) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The checked program, with unknown parts after errors, and the diagnostics of the checker."""
    with _deep_recursion():
        return _check(loaded, SymbolTable(), RULES)


def analyse(loaded: Loaded) -> CheckedTrees:
    """Check as `check` does, and keep the symbol table and the observations about the trees."""
    world = SymbolTable()
    world.observations = Observations()
    with _deep_recursion():
        program, diagnostics = _check(loaded, world, OBSERVING_RULES)
    return CheckedTrees(loaded, program, diagnostics, world, world.observations)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow recursion over the deepest tree, and switch off the garbage collector."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + CALLS)
    try:
        with without_garbage_collection():
            yield
    finally:
        sys.setrecursionlimit(limit)


def _check(loaded: Loaded, world: SymbolTable, rules: Rules) -> tuple[Program, tuple[Diagnostic, ...]]:
    world.files = [FileFacts(file.source, file.tree, file.prefix) for file in loaded.files]
    world.order = loaded.order
    world.imports = dict(loaded.targets)
    collect(world, (file.unknown for file in loaded.files))
    name, world.players, given_paths = headers(world)
    resolve_turns(world)
    resolve_top_level_actions(world)
    resolve_constructs(world)
    resolve_groups(world)
    resolve_settings(world)
    fill_stacks(world)
    resolve_parameters(world)
    main = Context(world, 0, rules)
    given = tuple(one for path in given_paths if (one := state_name(main, path)) is not None)
    program = _check_bodies(world, rules, name or _name_of_file(loaded), given)
    judge_pure_calls(world)
    is_unreadable = any(one.severity == "error" for one in loaded.diagnostics)
    if not is_unreadable:  # these checks need the whole program
        check_whole(world, program)
        report_unused_declarations(world, program)
    tests = check_tests(world, rules)
    is_faulty = is_unreadable or world.reports.errors > 0
    diagnostics = world.reports.in_order(is_faulty=is_faulty, is_unreadable=is_unreadable)
    return replace(program, tests=tests, rules="" if is_faulty else rules_hash(program)), diagnostics


def _check_bodies(world: SymbolTable, rules: Rules, name: str, given: tuple[str, ...]) -> Program:
    """Check all expressions and statements, and build the program."""
    constants, options = check_constants(world, rules), check_options(world, rules)
    check_circles(world, constants, options)
    check_verbs(world, rules)
    constructs = tuple(check_construct(world, rules, facts) for facts in world.constructs.values())
    for action in world.actions:
        check_action(world, rules, action)
    turns = tuple(check_turn(world, rules, facts) for facts in world.turns.values())
    setups = tuple(check_setup(world, rules, file, node) for file, node in world.setups)
    board: Board = check_board(world, rules)
    check_defaults(world, constants, options, board)
    verbs = [verb.checked for verb in world.verbs]
    return Program(
        name=name,
        language=LANGUAGE,
        players=world.players,
        given=given,
        enums=tuple(
            Enumeration(facts.name, tuple(facts.members), facts.span, facts.file)
            for facts in world.enums.values()
        ),
        constants=constants,
        options=options,
        constructs=constructs,
        board=board,
        turns=turns,
        actions=tuple(action.checked for action in world.actions if action.checked is not None),
        verbs=tuple(
            replace(verb, is_pure=world.verbs[verb.index].side_effect is None)
            for verb in verbs
            if verb is not None
        ),
        setups=setups,
        sized_tables=tuple(world.sized_tables.values()),
        sources=tuple(file.source for file in world.files),
        rules="",
        appearance=check_appearance(world, rules, constants),
    )


def _name_of_file(loaded: Loaded) -> str:
    """The name of the main file, for a game without a name."""
    file = loaded.files[0].source.name.replace("\\", "/").rpartition("/")[2]
    return file.removesuffix(".tgdl") or "game"
