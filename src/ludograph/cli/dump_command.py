"""`ludograph dump`: what a stage makes of a text."""

from argparse import Namespace

from ludograph.cli.game_starts import playing
from ludograph.cli.game_texts import find_game_text, has_errors, say_diagnostics
from ludograph.cli.output import FAULTY, FINE
from ludograph.cli.streams import say
from ludograph.games import Game, GameText
from ludograph.games.engines import NoNativeEngine
from ludograph.games.native_code import native_module
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError, check_source
from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.ir.nodes import show
from ludograph.tgdl.program.dump import dump_program
from ludograph.tgdl.syntax.dump import dump_tokens, dump_tree
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser import parse


def run(arguments: Namespace) -> int:
    try:
        dumped, diagnostics = _dump(find_game_text(arguments.file), arguments.stage)
    except NoNativeEngine as reason:
        say(f"ludograph: there is no such stage of this game: {reason}")
        return FAULTY
    except SourceError as error:  # not even text
        dumped, diagnostics = "", error.diagnostics
    print(dumped, end="")
    say_diagnostics([one for one in diagnostics if one.severity == "error"])
    return FAULTY if has_errors(diagnostics) else FINE


def _dump(text: GameText, stage: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The stage as text, as far as it came, and everything there is to say about it."""
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
    with playing(game.name):
        module = native_module(game, game.world())
    return show(module) if stage == "ir" else emit(module), diagnostics
