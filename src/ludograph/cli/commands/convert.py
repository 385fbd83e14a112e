"""`ludograph convert`: convert a file from one notation into another."""

from argparse import Namespace
from importlib import import_module
from typing import Any

from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAILURE, SUCCESS, write_json, write_text
from ludograph.cli.report import (
    error_json,
    loss_json,
    print_error,
    print_losses,
    print_warnings,
    warnings_json,
)
from ludograph.cli.settlers_options import parse_settlers_options
from ludograph.cli.streams import print_message
from ludograph.notation.convert import read_record, write_record
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.notation.results import Writing
from ludograph.settlers.record import Record
from ludograph.text import Source, TextError


def run(arguments: Namespace) -> int:
    return _run_json(arguments) if arguments.json else _run_text(arguments)


def _run_text(arguments: Namespace) -> int:
    """Print each record as soon as it is converted, or write all into a file once all are converted."""
    target = Notation(arguments.target)
    into_file = arguments.output not in (None, "-")
    parts: list[str] = []
    code = SUCCESS
    try:
        with open_sources(arguments) as (notation, sources):
            is_first = True
            for source in sources:
                record, warnings = read_record(source, notation, lenient=arguments.lenient)
                writing = _write(record, notation, arguments)
                print_warnings(warnings)
                print_losses(writing.losses, record=source.record)
                if not writing.text:
                    print_message(f"error: {_where(source)}{target.value.upper()} cannot express this record")
                    code = FAILURE
                    continue
                part = ("" if is_first else NOTATIONS[target].separator) + _lines(writing)
                is_first = False
                if into_file:
                    parts.append(part)
                else:
                    write_text(part, None)
    except TextError as error:
        print_error(error)
        code = FAILURE
    if into_file and code == SUCCESS:
        write_text("".join(parts), arguments.output)
    elif into_file:
        print_message(f"ludograph: {arguments.output} was not written")
    return code


def _write(record: Record, notation: Notation, arguments: Namespace) -> Writing:
    """Write a record; play a whole game by the rules, unless an option excludes it."""
    target = Notation(arguments.target)
    can_help = NOTATIONS[notation].content is Content.GAME and NOTATIONS[target].content is not Content.SETUP
    if arguments.without_rules or not can_help or notation is target or not record.actions:
        return write_record(record, notation, target, dialect=arguments.dialect)
    # Imported late: importing the rules takes longer than most conversions.
    convert_record = import_module("ludograph.hexil.conversion").convert_record
    options = parse_settlers_options(arguments.option)
    writing: Writing = convert_record(record, notation, target, dialect=arguments.dialect, **options)
    return writing


def _where(source: Source) -> str:
    return f"record {source.record}: " if source.record is not None else ""


def _lines(writing: Writing) -> str:
    return writing.text.rstrip("\n") + "\n"


def _run_json(arguments: Namespace) -> int:
    results: list[dict[str, Any]] = []
    notation: Notation | None = None
    code = SUCCESS
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
                code = code if text else FAILURE
    except TextError as error:
        results.append({"error": error_json(error)})
        code = FAILURE
    summary = {
        "from": notation.value if notation is not None else arguments.source,
        "to": arguments.target,
        "fine": code == SUCCESS,
        "records": results,
    }
    write_json(summary, arguments.output)
    return code
