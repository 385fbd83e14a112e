"""The content of a picture: the position that the data of a record gives, and the action after it."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAILURE, SUCCESS, CommandError, write_json
from ludograph.cli.report import error_json, print_warnings, warnings_json
from ludograph.cli.streams import print_message
from ludograph.notation.convert import normalise
from ludograph.notation.located import read_located
from ludograph.notation.normal_form.to_actions import count_placed, position_after_setup
from ludograph.notation.results import LossKind
from ludograph.settlers.actions import Action
from ludograph.settlers.position import Position
from ludograph.settlers.record import Act
from ludograph.text import Diagnostic, TextError


@dataclass(frozen=True, slots=True)
class PictureContent:
    """The content of a picture: a position, an action, or an action on a position."""

    position: Position | None
    action: Action | None
    player: int | None
    warnings: tuple[Diagnostic, ...]

    @property
    def subject(self) -> Position | Action:
        subject = self.position if self.position is not None else self.action
        assert subject is not None, "a picture shows a position or an action"
        return subject

    @property
    def overlaid_action(self) -> Action | None:
        return self.action if self.position is not None else None


def read_content(arguments: Namespace) -> PictureContent:
    """Read the record that the arguments name, and find what to draw."""
    with open_sources(arguments) as (notation, sources):
        source = next(sources)
        located = read_located(source, notation, lenient=arguments.lenient)
    record, warnings = located.record, located.warnings
    if source.record is not None and arguments.record is None:
        print_message("note: the file has more records; --record 2 draws the next one")
    if record.variations:
        print_message("note: the main line is drawn, without the variations")
    moves = normalise(record, located.notation)
    position, losses = position_after_setup(moves)
    acts = [event for event in moves.record.events if isinstance(event, Act)]
    left = acts[count_placed(moves) :]
    if position is None and not left:
        raise CommandError("there is neither a position nor an action to draw", FAILURE)
    for loss in losses:
        if loss.kind is LossKind.MISSING and "cards" in loss.message:
            print_message(f"note: not drawn, because only the rules know it: {loss.message}")
    if len(left) > 1:
        kind = "board" if arguments.command == "show" else "svg"
        more = "1 more action is" if len(left) == 2 else f"{len(left) - 1} more actions are"
        print_message(
            f"note: {more} not drawn, because only the rules know the result; "
            f"`ludograph replay FILE --print {kind}` plays them"
        )
    first = left[0] if left else None
    return PictureContent(
        position, first.action if first else None, first.player if first else None, warnings
    )


def write_picture_json(arguments: Namespace, key: str, draw: Callable[[PictureContent], str]) -> int:
    """Write the picture as JSON under a key, or the error."""
    try:
        content = read_content(arguments)
    except TextError as error:
        write_json({"error": error_json(error)})
        return FAILURE
    output = getattr(arguments, "output", None)
    write_json({key: draw(content), "warnings": warnings_json(content.warnings)}, output)
    return SUCCESS


def read_content_for_people(arguments: Namespace) -> PictureContent:
    content = read_content(arguments)
    print_warnings(content.warnings)
    return content
