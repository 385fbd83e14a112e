"""Values in refusals: the values that a condition read, as far as a player may see them."""

from collections.abc import Iterator, Sequence
from typing import Any

from ludograph.play.record import HIDDEN
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.reference.instance_names import given_name, numbered, reader_of_message
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.visibility import evaluate_guards, may_read
from ludograph.tgdl.world.faults import Failed, Fault, NeedChoice
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.world import Frame, Guards, ReadValue


def may_see(run: Run, guards: Guards, frame: Frame, player: int) -> bool:
    """Whether a player may know a value with these guards."""
    holders = evaluate_guards(run, frame, guards)
    return holders is not None and all(may_read(run, *each, player) for each in holders)


def value_text(run: Run, value: Any, type: Type, player: int) -> str:
    """The text of a value that a condition read, for a player."""
    # The name of the tile under a piece would be no information here, so use the piece's own name.
    if isinstance(value, Instance) and value.kind.construct.kind is ConstructKind.INTERACTABLE:
        name = given_name(run, value, reader_of_message(run, (value,), player))
        return repr(value) if name is None else numbered(name, value)
    if value is not None and type is Basic.PLAYER:
        return f"player {value}"
    things = [each for each in value if isinstance(each, Instance)] if isinstance(value, tuple) else []
    return typed_text(run, value, type, reader_of_message(run, things, player))


def values_seen(run: Run, reads: Sequence[ReadValue], frame: Frame, player: int) -> Iterator[tuple[str, str]]:
    """The expressions and values that a condition read; `?` for a value that the player may not see."""
    for read in reads:
        if run.world.hides_values and not may_see(run, read.guards, frame, player):
            if not _is_missing(run, read.guards, frame, player):
                yield read.words, HIDDEN
            continue
        try:
            yield read.words, value_text(run, read.code(run, frame), read.type, player)
        except (Fault, Failed, NeedChoice):
            continue  # the value could not be read, because something on the path is none


def _is_missing(run: Run, guards: Guards, frame: Frame, player: int) -> bool:
    """Whether the player can see that a thing on the way to a value is none."""
    if guards is None:
        return False
    is_missing = False
    for guard in guards:
        holders = evaluate_guards(run, frame, (guard,))
        if holders is None or any(holder is None for holder, _ in holders):
            is_missing = True
        elif not all(may_read(run, *each, player) for each in holders):
            return False
    return is_missing
