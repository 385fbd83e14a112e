"""Tests of the main file: settings, moves and expectations. The texts of moves are read when a test runs."""

from collections.abc import Iterator

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import boolean
from ludograph.tgdl.check.declarations.verbs import judge_pure_calls
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import Meaning, SymbolTable
from ludograph.tgdl.syntax import tree

MAIN = 0
ONCE = (
    tree.StartPlayers,
    tree.StartSetup,
    tree.StartSeed,
    tree.StartPosition,
    tree.ForcedChance,
)
"""The settings that a test has at most once."""
MAX_SEED = 2**53
"""Greater whole numbers are not exact as decimals."""


def check_tests(world: SymbolTable, rules: Rules) -> tuple[p.RuleTest, ...]:
    """Check the tests, after everything that they may use. What only tests use counts as unused."""
    world.pure_calls.clear()
    tests: list[p.RuleTest] = []
    seen: dict[str, Span] = {}
    for node in world.files[MAIN].tree.declarations:
        if isinstance(node, tree.RuleTest):
            name = node.name.value
            if name in seen:
                notes = ((seen[name], "first declared here"),)
                world.error("TG0302", f"there is already a test '{name}'", node.name.span, MAIN, notes=notes)
            seen.setdefault(name, node.name.span)
            tests.append(_check_test(Context(world, MAIN, rules), node))
    judge_pure_calls(world)
    return tuple(tests)


def _check_test(context: Context, node: tree.RuleTest) -> p.RuleTest:
    context.rights.asks = False
    for name, type in p.EXPECTED_NAMES.items():
        local = context.declare(name, type, node.name.span, "name of a test")
        if _is_declared(context, name):
            del context.names[-1][name]  # the game's own name has priority
        local.read = True
    settings = _check_settings(context, node)
    steps = tuple(_check_steps(context, node, settings))
    return p.RuleTest(node.name.value, settings, steps, context.frame.size, node.span, node.name.span)


def _is_declared(context: Context, name: str) -> bool:
    return context.world.find(context.file, (name,)) is not None or name in context.world.members


def _check_settings(context: Context, node: tree.RuleTest) -> p.GameSettings:
    """Check the settings of a test. `_check_steps` reports settings after the first step."""
    players = setup = seed = position = outcomes = None
    options: dict[str, float | bool | str] = {}
    seen: dict[type, Span] = {}
    for part in node.parts:
        if isinstance(part, ONCE):
            if type(part) in seen:
                notes = ((seen[type(part)], "first written here"),)
                context.error("TG0338", "a test can have this setting only once", part.span, notes=notes)
            seen[type(part)] = part.span
        match part:
            case tree.StartPlayers(count):
                players = int(count.value)
                if players not in context.world.players or players != count.value:
                    message = f"the game is never played by {count.value:g} players"
                    context.error("TG0335", message, count.span)
                    players = None
            case tree.StartSetup(word):
                setup = word.text
                _check_setup_name(context, word)
            case tree.StartSeed(number):
                seed = int(number.value)
                if seed != number.value or seed > MAX_SEED:
                    context.error("TG0337", f"a seed is a whole number up to {MAX_SEED}", number.span)
            case tree.StartPosition(text):
                position = text.text
            case tree.StartOption(word, value):
                if word.text in options:
                    context.error("TG0302", f"the option '{word.text}' has a value already", word.span)
                options[word.text] = _check_option(context, word, value)
            case tree.ForcedChance(texts):
                outcomes = tuple(each.text for each in texts if isinstance(each, tree.RawText))
            case _:
                pass
    return p.GameSettings(players, tuple(options.items()), setup, seed, position, outcomes)


def _check_setup_name(context: Context, word: tree.Word) -> None:
    names = {
        effect.name.text
        for _, node in context.world.setups
        for effect in node.effects
        if effect.name is not None
    }
    if word.text and word.text not in names:
        near = context.world.reports.closest(word.text, names)
        hint = f"did you mean '{near}'?" if near else ""
        context.error("TG0301", f"no setup has an effect '{word.text}'", word.span, hint)


def _check_option(context: Context, word: tree.Word, node: tree.Expression) -> float | bool | str:
    """The value of an option. The game checks its type and its range when it starts."""
    symbol = context.world.find(context.file, (word.text,))
    if word.text and (symbol is None or symbol.meaning is not Meaning.OPTION):
        known = [each.name for each, _ in context.world.options]
        near = context.world.reports.closest(word.text, known)
        hint = f"did you mean '{near}'?" if near else ""
        context.error("TG0301", f"there is no option '{word.text}'", word.span, hint)
    match node:
        case tree.Number(value) | tree.Boolean(value) | tree.Text(value):
            return value
        case tree.Unary(tree.UnaryOperator.MINUS, tree.Number(value)):
            return -value
        case tree.Name(text):
            return text
        case tree.ErrorNode():
            return False
        case _:
            hint = "write a number, true, false, or a member of an enum"
            context.error("TG0340", "the value of an option must be constant", node.span, hint)
            return False


def _check_steps(context: Context, node: tree.RuleTest, settings: p.GameSettings) -> Iterator[p.TestStep]:
    has_begun = False
    for part in node.parts:
        match part:
            case tree.PlayedMove(chooser, move, span):
                yield p.PlayedMove(_check_chooser(context, chooser, settings), move.text, span)
            case tree.RefusedMove(chooser, move, words, span):
                number = _check_chooser(context, chooser, settings)
                yield p.RefusedMove(number, move.text, None if words is None else words.value, span)
            case tree.Expectation(condition, span):
                yield p.Expectation(boolean(context.child("a test"), condition), span)
            case tree.ErrorNode():
                continue
            case _:
                if has_begun:
                    message = "the settings of a test come before its moves and expectations"
                    context.error("TG0351", message, part.span)
                continue
        has_begun = True


def _check_chooser(context: Context, chooser: tree.Number | None, settings: p.GameSettings) -> int:
    if chooser is None:
        return p.CHANCE_CHOOSER
    count = settings.players or max(context.world.players)
    if chooser.value != int(chooser.value) or chooser.value >= count:
        last = count - 1
        message = (
            f"there is no player {chooser.value:g}: the players are 0 to {last}"
            if last
            else (f"there is no player {chooser.value:g}: the only player is 0")
        )
        context.error("TG0336", message, chooser.span)
        return 0
    return int(chooser.value)
