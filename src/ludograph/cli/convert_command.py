"""`ludograph convert`: a file in one notation in, the same in another out."""

from argparse import Namespace
from importlib import import_module
from typing import Any

from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAULTY, FINE, write_json, write_text
from ludograph.cli.report import error_json, loss_json, say_error, say_losses, say_warnings, warnings_json
from ludograph.cli.settlers_options import settlers_options
from ludograph.cli.streams import say
from ludograph.notation.convert import read_record, write_record
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.notation.results import Writing
from ludograph.settlers.record import Record
from ludograph.text import Source, TextError


def run(arguments: Namespace) -> int:
    return _run_for_programs(arguments) if arguments.json else _run_for_people(arguments)


def _run_for_people(arguments: Namespace) -> int:
    """Write each record as soon as it is converted, or all into a file once all is well."""
    target = Notation(arguments.target)
    into_file = arguments.output not in (None, "-")
    parts: list[str] = []
    code = FINE
    try:
        with open_sources(arguments) as (notation, sources):
            is_first = True
            for source in sources:
                record, warnings = read_record(source, notation, lenient=arguments.lenient)
                writing = _write(record, notation, arguments)
                say_warnings(warnings)
                say_losses(writing.losses, record=source.record)
                if not writing.text:
                    say(f"error: {_where(source)}{target.value.upper()} can say nothing of this")
                    code = FAULTY
                    continue
                part = ("" if is_first else NOTATIONS[target].separator) + _lines(writing)
                is_first = False
                if into_file:
                    parts.append(part)
                else:
                    write_text(part, None)
    except TextError as error:
        say_error(error)
        code = FAULTY
    if into_file and code == FINE:
        write_text("".join(parts), arguments.output)
    elif into_file:
        say(f"ludograph: {arguments.output} was not written")
    return code


def _write(record: Record, notation: Notation, arguments: Namespace) -> Writing:
    """Write a record; a whole game with the rules' help, unless that is not wanted."""
    target = Notation(arguments.target)
    can_help = NOTATIONS[notation].content is Content.GAME and NOTATIONS[target].content is not Content.SETUP
    if arguments.without_rules or not can_help or notation is target or not record.actions:
        return write_record(record, notation, target, dialect=arguments.dialect)
    # Imported late: the rules take longer to come than most conversions.
    convert_record = import_module("ludograph.hexil.conversion").convert_record
    options = settlers_options(arguments.option)
    writing: Writing = convert_record(record, notation, target, dialect=arguments.dialect, **options)
    return writing


def _where(source: Source) -> str:
    return f"record {source.record}: " if source.record is not None else ""


def _lines(writing: Writing) -> str:
    return writing.text.rstrip("\n") + "\n"


def _run_for_programs(arguments: Namespace) -> int:
    results: list[dict[str, Any]] = []
    notation: Notation | None = None
    code = FINE
    try:
        with open_sources(arguments) as (notation, sources):
            for source in sources:
                record, warnings = read_record(source, notation, lenient=arguments.lenient)
                text, losses = _write(record, notation, arguments)
                results.append(
                    {
                        "text": text,
                        "losses": [loss_json(loss) for loss in losses],
                        "warnings": warnings_json(warnings),
                    }
                )
                code = code if text else FAULTY
    except TextError as error:
        results.append({"error": error_json(error)})
        code = FAULTY
    summary = {
        "from": notation.value if notation is not None else arguments.source,
        "to": arguments.target,
        "fine": code == FINE,
        "records": results,
    }
    write_json(summary, arguments.output)
    return code
