"""Reports about a text: errors, warnings, losses and findings, for humans and as JSON."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ludograph.cli.output import FAILURE, INTERNAL, USAGE, CommandError
from ludograph.cli.streams import print_message
from ludograph.notation.results import Loss
from ludograph.settlers.findings import Finding
from ludograph.settlers.names import han_name, has_han_name
from ludograph.text import BadText, Diagnostic, TextError, split_lines

# Further warnings are counted, not shown.
MAX_WARNINGS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """The error that ended a command: as a message, as JSON, and its exit code."""

    message: str
    json: dict[str, Any]
    code: int


def describe_error(error: Exception) -> Problem:
    """Describe an exception that a command did not catch."""
    match error:
        case TextError():
            return Problem(str(error), error_json(error), FAILURE)
        case CommandError():
            kind = "usage" if error.code == USAGE else "refused"
            details = {"kind": kind, "message": str(error), **error.details}
            return Problem(f"ludograph: {error}", details, error.code)
        case OSError():
            message = f"{error.filename}: " if error.filename else ""
            message += error.strerror or str(error)
            return Problem(f"ludograph: {message}", {"kind": "file", "message": message}, USAGE)
        case _:
            message = f"internal error: {type(error).__name__}: {error}"
            please = "\nPlease report it with the output of LUDOGRAPH_DEBUG=1."
            return Problem(
                f"ludograph: {message}{please}", {"kind": "internal", "message": message}, INTERNAL
            )


def print_error(error: TextError) -> None:
    print_message(error.picture)


def print_warnings(warnings: Sequence[Diagnostic]) -> None:
    for warning in warnings[:MAX_WARNINGS]:
        print_message(warning.picture())
    if len(warnings) > MAX_WARNINGS:
        print_message(f"… and {len(warnings) - MAX_WARNINGS} more warnings")


def print_losses(losses: Iterable[Loss], *, record: int | None = None) -> None:
    """Print each loss on a line; a loss that occurs at several events is printed once, with their number."""
    groups: dict[str, list[Loss]] = {}
    for loss in losses:
        groups.setdefault(f"{loss.kind.value}: {loss.message}", []).append(loss)
    where = f"record {record}: " if record is not None else ""
    for message, group in groups.items():
        events = [loss.event + 1 for loss in group if loss.event is not None]
        if len(group) == 1:
            place = f" (event {events[0]})" if events else ""
        elif events:
            place = f" ({len(group)} times, first at event {events[0]})"
        else:
            place = f" ({len(group)} times)"
        print_message(f"note: {where}{message}{place}")


def error_json(error: TextError) -> dict[str, Any]:
    kind = "bad text" if isinstance(error, BadText) else "nonsense"
    return {"kind": kind} | _diagnostic_json(error.diagnostic, error.line, error.column)


def warnings_json(warnings: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """The warnings of one record as JSON; the lines are counted once, not for every warning."""
    if not warnings:
        return []
    source = warnings[0].source
    ends = list(accumulate(len(line) for line in split_lines(source.text)))
    answers = []
    for warning in warnings:
        before = bisect_right(ends, warning.span.start)
        column = warning.span.start - (ends[before - 1] if before else 0) + 1
        answers.append(_diagnostic_json(warning, source.first_line + before, column))
    return answers


def _diagnostic_json(diagnostic: Diagnostic, line: int, column: int) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "line": line,
        "column": column,
        "record": diagnostic.source.record,
    }


def loss_json(loss: Loss) -> dict[str, Any]:
    """A loss as JSON; its event is counted from 1, as lines and records are."""
    event = loss.event + 1 if loss.event is not None else None
    return {"kind": loss.kind.value, "message": loss.message, "event": event}


def finding_json(finding: Finding) -> dict[str, Any]:
    places = [han_name(place) if has_han_name(place) else repr(place) for place in finding.places]
    return {"flag": finding.flag.value, "message": finding.message, "places": places}
