"""`ludograph validate`: check every record of a file."""

from argparse import Namespace
from collections import Counter
from typing import Any

from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAILURE, SUCCESS, write_json
from ludograph.cli.report import error_json, finding_json, print_error, print_warnings, warnings_json
from ludograph.cli.streams import print_message
from ludograph.notation.convert import normalise
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import read_located
from ludograph.notation.normal_form.to_actions import position_after_setup
from ludograph.notation.notations import NOTATIONS, Feature, Notation
from ludograph.settlers.findings import Finding, Flag, find_in_island
from ludograph.settlers.record import Record
from ludograph.text import Source, TextError

MAX_FAULTS = 100
"""After this number of unreadable records in a row the notation is probably another one."""


def run(arguments: Namespace) -> int:
    results: list[dict[str, Any]] = []
    flags: Counter[str] = Counter()
    name = arguments.file if arguments.file != "-" else "standard input"
    notation: Notation | ImportFormat | None = None
    try:
        with open_sources(arguments) as (notation, sources):
            for source in sources:
                results.append(_check(source, notation, arguments, flags))
                if sum("error" in result for result in results[-MAX_FAULTS:]) == MAX_FAULTS:
                    print_message(f"note: {MAX_FAULTS} unreadable records in a row; the rest is not read")
                    break
    except TextError as error:  # the file is not text
        flags[error.code] += 1
        results.append({"error": error_json(error)})
        if not arguments.json:
            print_error(error)
    if arguments.json:
        write_json(
            {
                "notation": notation.value if notation is not None else arguments.source,
                "fine": not flags,
                "records": results,
            }
        )
    elif not flags:
        number = f"{len(results)} records" if len(results) > 1 else "1 record"
        print(f"{name}: {notation.value.upper() if notation else '?'}, {number}, no errors or findings")
    return FAILURE if flags else SUCCESS


def _check(
    source: Source, notation: Notation | ImportFormat, arguments: Namespace, flags: Counter[str]
) -> dict[str, Any]:
    try:
        located = read_located(source, notation, lenient=arguments.lenient)
    except TextError as error:
        flags[error.code] += 1
        if not arguments.json:
            print_error(error)
        return {"error": error_json(error)}
    record, warnings = located.record, located.warnings
    findings = _findings(record, located.notation, strict=arguments.strict)
    flags.update(finding.flag.value for finding in findings)
    if not arguments.json:
        print_warnings(warnings)
        if record.variations:
            print_message(
                "note: findings concern the main line; `ludograph replay` checks the variations too"
            )
        where = f"{source.name or 'standard input'}" + (f" (record {source.record})" if source.record else "")
        for finding in findings:
            print_message(f"{where}: {finding.message} [{finding.flag.value}]")
    return {
        "findings": [finding_json(finding) for finding in findings],
        "warnings": warnings_json(warnings),
    }


def _findings(record: Record, notation: Notation, *, strict: bool) -> tuple[Finding, ...]:
    """Findings in the start position, and in the position after the pieces of the set-up.

    Findings that only the rules can decide are left out: the cards that second villages yield, and the number
    of players in SGN, which lists players only when they act.
    """
    moves = normalise(record, notation)
    start = moves.record.start
    if start is None:
        return ()
    if not start.seats:
        return find_in_island(start.island, strict=strict)
    position, _ = position_after_setup(moves)
    found = start.findings(strict=strict)
    if position is not None and position != start:
        later = position.findings(strict=strict)
        found += tuple(
            finding for finding in later if finding not in found and finding.flag is not Flag.HAND_BEFORE_ROLL
        )
    if Feature.IDLE_PLAYERS not in NOTATIONS[notation].features:
        return tuple(finding for finding in found if finding.flag is not Flag.PLAYER_COUNT)
    return found
