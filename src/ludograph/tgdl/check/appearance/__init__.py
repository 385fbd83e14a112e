"""The appearance of a game: hints for drawing, checked and merged into plain data.

The passes: `targets` finds what the hints are for, `hints` checks the values of each hint, and `values` turns
checked expressions into the small expressions that a drawing evaluates over views. The blocks of imported
files come first; a later hint for the same target replaces an earlier one.
"""

from collections.abc import Iterator

from ludograph.play.appearance import Appearance, AppearanceEntry, HintValue, Sprite
from ludograph.tgdl import program as p
from ludograph.tgdl.check.appearance.hints import HINTS, HintChecker
from ludograph.tgdl.check.appearance.targets import Target, TargetKind, find_target
from ludograph.tgdl.check.appearance.values import HintContext
from ludograph.tgdl.check.scopes import Rules
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.syntax import tree

FoundHints = dict[str, "tuple[HintValue, ...] | Sprite"]
_Found = tuple[int, Target, tree.Hint | tree.SpriteGrid]


def check_appearance(world: SymbolTable, rules: Rules, constants: tuple[p.Constant, ...]) -> Appearance:
    """Check the appearance blocks of all files."""
    players: tuple[str, ...] = ()
    found: list[_Found] = []
    values = {constant.name: constant.value for constant in constants}
    checker = HintChecker(world, {})
    for file in world.order:
        for block in world.files[file].tree.declarations:
            if not isinstance(block, tree.AppearanceBlock):
                continue
            for part in block.parts:
                match part:
                    case tree.PlayerColours():
                        players = checker.check_players(HintContext(world, file, rules, values), part)
                    case tree.HintTarget():
                        found += _hints_of(world, file, part, None)
                    case tree.ErrorNode():
                        pass
    # Hints of other things may depend on those of the members of enums.
    found.sort(key=lambda one: one[1].kind is not TargetKind.MEMBER)
    for file, target, node in found:
        context = HintContext(world, file, rules, values, target)
        checked = checker.check_hint(context, target, node)
        if checked is not None:
            for key in target.keys:
                checker.found.setdefault(key, {})[node.name.text] = checked
    return Appearance(players, tuple(_entries(world, checker.found)))


def _hints_of(world: SymbolTable, file: int, node: tree.HintTarget, outer: Target | None) -> Iterator[_Found]:
    target = find_target(world, file, node.path, outer)
    if target is None:
        return
    named: dict[str, tree.Word] = {}
    for part in node.parts:
        match part:
            case tree.Hint(name=name) | tree.SpriteGrid(name=name):
                first = named.setdefault(name.text, name)
                if first is not name and name.text in HINTS:
                    notes = ((first.span, "the first one"),)
                    message = f"a second hint '{name.text}' for '{target.words}'"
                    world.error("TG0338", message, name.span, file, notes=notes)
                else:
                    yield file, target, part
            case tree.HintTarget():
                yield from _hints_of(world, file, part, target)
            case tree.ErrorNode():
                pass


def _entries(world: SymbolTable, found: dict[str, FoundHints]) -> Iterator[AppearanceEntry]:
    """The entries of all targets; derived constructs have the hints of their bases, too."""
    inherited = dict(found)
    for facts in world.constructs.values():
        chain = [base.name for base in world.bases(facts.name)][::-1]
        if len(chain) < 2:
            continue
        names = [base for base in chain if base in found]
        if names:
            inherited[facts.name] = _merged(found, names)
        for member in (*facts.attributes, *(f"{verb}()" for verb in facts.verbs)):
            names = [f"{base}.{member}" for base in chain if f"{base}.{member}" in found]
            if names:
                inherited[f"{facts.name}.{member}"] = _merged(found, names)
        for action in facts.actions:
            names = [f"action {base}.{action}" for base in chain if f"action {base}.{action}" in found]
            if names:
                inherited[f"action {facts.name}.{action}"] = _merged(found, names)
    for target, hints in inherited.items():
        plain = tuple((name, values) for name, values in hints.items() if not isinstance(values, Sprite))
        sprite = hints.get("sprite")
        yield AppearanceEntry(target, plain, sprite if isinstance(sprite, Sprite) else None)


def _merged(found: dict[str, FoundHints], names: list[str]) -> FoundHints:
    """The hints of several targets; the later ones replace the earlier ones."""
    merged: FoundHints = {}
    for name in names:
        merged |= found[name]
    return merged
