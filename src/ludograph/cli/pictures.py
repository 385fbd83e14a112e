"""Which picture a file asks for: the position that its data alone lead to, and the action after it."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAULTY, FINE, Complaint, write_json
from ludograph.cli.report import error_json, say_warnings, warnings_json
from ludograph.cli.streams import say
from ludograph.notation.convert import normalise, read_record
from ludograph.notation.normal_form.to_actions import count_placed, position_after_setup
from ludograph.notation.results import LossKind
from ludograph.settlers.actions import Action
from ludograph.settlers.position import Position
from ludograph.settlers.record import Act
from ludograph.text import Diagnostic, TextError


@dataclass(frozen=True, slots=True)
class Motif:
    """A position, or an action, or an action on a position."""

    position: Position | None
    action: Action | None
    player: int | None
    warnings: tuple[Diagnostic, ...]

    @property
    def subject(self) -> Position | Action:
        subject = self.position if self.position is not None else self.action
        assert subject is not None, "a motif has a position or an action"
        return subject

    @property
    def action_on_it(self) -> Action | None:
        return self.action if self.position is not None else None


def read_motif(arguments: Namespace) -> Motif:
    """Read the record that the arguments name, and find what to draw of it."""
    with open_sources(arguments) as (notation, sources):
        source = next(sources)
        record, warnings = read_record(source, notation, lenient=arguments.lenient)
    if source.record is not None and arguments.record is None:
        say("note: the file has more records; --record 2 draws the next")
    moves = normalise(record, notation)
    position, losses = position_after_setup(moves)
    acts = [event for event in moves.record.events if isinstance(event, Act)]
    left = acts[count_placed(moves) :]
    if position is None and not left:
        raise Complaint("there is neither a position nor an action to draw", FAULTY)
    for loss in losses:
        if loss.kind is LossKind.MISSING and "cards" in loss.message:
            say(f"note: not drawn, because that takes the rules: {loss.message}")
    if len(left) > 1:
        kind = "board" if arguments.command == "show" else "svg"
        more = "1 more action is" if len(left) == 2 else f"{len(left) - 1} more actions are"
        say(
            f"note: {more} not drawn: that takes the rules; `ludograph replay FILE --print {kind}` plays them"
        )
    first = left[0] if left else None
    return Motif(position, first.action if first else None, first.player if first else None, warnings)


def write_motif_json(arguments: Namespace, key: str, draw: Callable[[Motif], str]) -> int:
    """Draw for programs: the picture under its key, or the error."""
    try:
        motif = read_motif(arguments)
    except TextError as error:
        write_json({"error": error_json(error)})
        return FAULTY
    output = getattr(arguments, "output", None)
    write_json({key: draw(motif), "warnings": warnings_json(motif.warnings)}, output)
    return FINE


def read_motif_for_people(arguments: Namespace) -> Motif:
    motif = read_motif(arguments)
    say_warnings(motif.warnings)
    return motif
