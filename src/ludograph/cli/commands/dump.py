"""`ludograph dump`: print the output of one stage of the compiler."""

from argparse import Namespace

from ludograph.cli.game_opening import report_rule_faults
from ludograph.cli.game_sources import find_game_source, has_errors, print_diagnostics
from ludograph.cli.output import FAILURE, SUCCESS
from ludograph.cli.streams import print_message
from ludograph.games import Game, GameSource
from ludograph.games.engines import NoNativeEngine
from ludograph.games.native_code import native_module
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError, check_source
from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.ir.printer import show
from ludograph.tgdl.program.dump import dump_program
from ludograph.tgdl.syntax.dump import dump_tokens, dump_tree
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser import parse


def run(arguments: Namespace) -> int:
    try:
        dumped, diagnostics = _dump(find_game_source(arguments.file), arguments.stage)
    except NoNativeEngine as reason:
        print_message(f"ludograph: this game has no such stage: {reason}")
        return FAILURE
    except SourceError as error:  # the file is not text
        dumped, diagnostics = "", error.diagnostics
    print(dumped, end="")
    print_diagnostics([one for one in diagnostics if one.severity == "error"])
    return FAILURE if has_errors(diagnostics) else SUCCESS


def _dump(text: GameSource, stage: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The output of a stage as far as it got, and all diagnostics."""
    if stage == "tokens":
        lexed = tokenize(text.source)
        return dump_tokens(lexed), lexed.diagnostics
    if stage == "tree":
        parsed = parse(text.source)
        return dump_tree(parsed.tree), parsed.diagnostics
    program, diagnostics = check_source(text.source, text.read)
    if program is None:
        return "", diagnostics
    if stage == "program":
        return dump_program(program), diagnostics
    game = Game(program)
    with report_rule_faults(game.name):
        module = native_module(game, game.world())
    return show(module) if stage == "ir" else emit(module), diagnostics
