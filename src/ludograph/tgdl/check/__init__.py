"""Checker: the trees of a game's files in, the checked program and everything there is to say about it out.

It goes in stages, each over the whole program: names (`declarations`), bases and members (`inheritance`), the
tiles of groups (`boards`), verbs with their results (`verbs`), then all other bodies, and at the end what
needs the whole: purity, secrets, what is never used. After one error in an expression it goes on with an
unknown value that fits everywhere, so a mistake is reported once.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from ludograph.text import Diagnostic
from ludograph.tgdl.check.bodies.expressions import expression
from ludograph.tgdl.check.bodies.game_statements import state_name
from ludograph.tgdl.check.bodies.statements import block
from ludograph.tgdl.check.codes import CODES
from ludograph.tgdl.check.declarations.actions import check_action
from ludograph.tgdl.check.declarations.boards import check_board, resolve_groups
from ludograph.tgdl.check.declarations.inheritance import fill_stacks, resolve_constructs, resolve_parameters
from ludograph.tgdl.check.declarations.names import LANGUAGE, collect, headers
from ludograph.tgdl.check.declarations.settings import (
    check_constants,
    check_construct,
    check_options,
    resolve_settings,
)
from ludograph.tgdl.check.declarations.turns import check_setup, check_turn, resolve_turns
from ludograph.tgdl.check.declarations.verbs import check_verbs, judge_pure_calls
from ludograph.tgdl.check.rules_hash import rules_hash
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import FileFacts, SymbolTable
from ludograph.tgdl.check.whole import check_whole
from ludograph.tgdl.check.whole.default_options import check_circles, check_defaults
from ludograph.tgdl.check.whole.unused_names import report_unused_declarations
from ludograph.tgdl.program import Board, Enumeration, Program
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.imports import Loaded

__all__ = ["CODES", "check"]

RULES = Rules(expression, block)


# Nested nodes and the calls that each of them takes, beside those that are there already.
CALLS = 20 * tree.TREE_DEPTH


def check(loaded: Loaded) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The program as far as it can be understood, and all diagnostics of the checker."""
    with _room_to_work():
        return _check(loaded)


@contextmanager
def _room_to_work() -> Iterator[None]:
    """Recursion as deep as a tree can be, and no garbage collector that walks the growing program."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + CALLS)
    try:
        with without_garbage_collection():
            yield
    finally:
        sys.setrecursionlimit(limit)


def _check(loaded: Loaded) -> tuple[Program, tuple[Diagnostic, ...]]:
    world = SymbolTable()
    world.files = [FileFacts(file.source, file.tree, file.prefix) for file in loaded.files]
    world.order = loaded.order
    world.imports = dict(loaded.targets)
    collect(world, (file.unknown for file in loaded.files))
    name, world.players, given_paths = headers(world)
    resolve_turns(world)
    resolve_constructs(world)
    resolve_groups(world)
    resolve_settings(world)
    fill_stacks(world)
    resolve_parameters(world)
    main = Context(world, 0, RULES)
    given = tuple(one for path in given_paths if (one := state_name(main, path)) is not None)
    program = _bodies(world, name or _name_of_file(loaded), given)
    judge_pure_calls(world)
    is_unreadable = any(one.severity == "error" for one in loaded.diagnostics)
    if not is_unreadable:  # these checks need the whole program
        check_whole(world, program)
        report_unused_declarations(world)
    is_faulty = is_unreadable or world.reports.errors > 0
    diagnostics = world.reports.in_order(is_faulty=is_faulty, is_unreadable=is_unreadable)
    return replace(program, rules="" if is_faulty else rules_hash(program)), diagnostics


def _bodies(world: SymbolTable, name: str, given: tuple[str, ...]) -> Program:
    """Everything that is made of expressions and statements."""
    constants, options = check_constants(world, RULES), check_options(world, RULES)
    check_circles(world, constants, options)
    check_verbs(world, RULES)
    constructs = tuple(check_construct(world, RULES, facts) for facts in world.constructs.values())
    for action in world.actions:
        check_action(world, RULES, action)
    turns = tuple(check_turn(world, RULES, facts) for facts in world.turns.values())
    setups = tuple(check_setup(world, RULES, file, node) for file, node in world.setups)
    board: Board = check_board(world, RULES)
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
            replace(verb, is_pure=world.verbs[verb.index].deed is None) for verb in verbs if verb is not None
        ),
        setups=setups,
        sized_tables=tuple(world.sized_tables.values()),
        sources=tuple(file.source for file in world.files),
        rules="",
    )


def _name_of_file(loaded: Loaded) -> str:
    """A game without a name is called like its file."""
    file = loaded.files[0].source.name.replace("\\", "/").rpartition("/")[2]
    return file.removesuffix(".tgdl") or "game"
