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
from ludograph.notation.convert import write_located
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import Located, read_located
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.notation.results import Writing
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
                located = read_located(source, notation, lenient=arguments.lenient)
                writing, faults = _write(located, arguments)
                print_warnings(located.warnings)
                if faults:
                    _print_faults(faults, located, arguments)
                print_losses(writing.losses, record=source.record)
                if faults and not arguments.lenient:
                    code = FAILURE
                    continue
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


def _write(located: Located, arguments: Namespace) -> tuple[Writing, tuple[Any, ...]]:
    """Write a record, and return the faults that the rules find; an option excludes the rules."""
    target = Notation(arguments.target)
    record, notation = located.record, located.notation
    is_same = notation is target and located.imported is None
    can_help = NOTATIONS[notation].content is Content.GAME and NOTATIONS[target].content is not Content.SETUP
    if arguments.without_rules or not can_help or is_same or not record.actions:
        return write_located(located, target, dialect=arguments.dialect), ()
    # Imported late: importing the rules takes longer than most conversions.
    conversion = import_module("ludograph.hexil.conversion")
    options = parse_settlers_options(arguments.option)
    try:
        converted = conversion.convert_located(
            located, target, lenient=arguments.lenient, dialect=arguments.dialect, **options
        )
    except conversion.Unplayable as error:
        raise located.nonsense(
            None, "NT2004", f"{error}; --without-rules converts it without the rules"
        ) from None
    # With lenient conversion the faults are among the losses.
    return converted.writing, () if arguments.lenient else converted.faults


def _print_faults(faults: tuple[Any, ...], located: Located, arguments: Namespace) -> None:
    import_module("ludograph.cli.record_faults").print_faults(faults, located, lenient=arguments.lenient)
    print_message("note: --lenient leaves such actions out; --without-rules does not check them")


def _where(source: Source) -> str:
    return f"record {source.record}: " if source.record is not None else ""


def _lines(writing: Writing) -> str:
    return writing.text.rstrip("\n") + "\n"


def _faults_json(faults: tuple[Any, ...], located: Located) -> list[dict[str, Any]]:
    locate = import_module("ludograph.cli.record_faults").locate_fault
    answers: list[dict[str, Any]] = warnings_json([locate(fault, located) for fault in faults])
    return answers


def _run_json(arguments: Namespace) -> int:
    results: list[dict[str, Any]] = []
    notation: Notation | ImportFormat | None = None
    code = SUCCESS
    try:
        with open_sources(arguments) as (notation, sources):
            for source in sources:
                located = read_located(source, notation, lenient=arguments.lenient)
                (text, losses), faults = _write(located, arguments)
                result = {
                    "text": text,
                    "losses": [loss_json(loss) for loss in losses],
                    "warnings": warnings_json(located.warnings),
                }
                if faults:
                    result["faults"] = _faults_json(faults, located)
                results.append(result)
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
