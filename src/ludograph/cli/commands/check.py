"""`ludograph check`: all diagnostics of all files."""

from argparse import Namespace

from ludograph.cli.game_sources import diagnostic_json, find_game_source, has_errors, print_diagnostics
from ludograph.cli.output import FAILURE, SUCCESS, write_json
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError, check_source


def run(arguments: Namespace) -> int:
    found = [(file, _check(file)) for file in arguments.files]
    is_faulty = any(has_errors(diagnostics) for _, diagnostics in found)
    if arguments.json:
        files = [
            {"file": file, "diagnostics": [diagnostic_json(one) for one in diagnostics]}
            for file, diagnostics in found
        ]
        write_json({"fine": not is_faulty, "files": files})
        return FAILURE if is_faulty else SUCCESS
    for file, diagnostics in found:
        print_diagnostics(diagnostics)
        if not has_errors(diagnostics):
            print(f"{file if file != '-' else 'standard input'}: {_verdict(diagnostics)}")
    return FAILURE if is_faulty else SUCCESS


def _check(file: str) -> tuple[Diagnostic, ...]:
    try:
        text = find_game_source(file)
        return check_source(text.source, text.read)[1]
    except SourceError as error:  # the file is not text
        return error.diagnostics


def _verdict(diagnostics: tuple[Diagnostic, ...]) -> str:
    if not diagnostics:
        return "no errors or warnings"
    return (
        "no errors, 1 warning or hint"
        if len(diagnostics) == 1
        else f"no errors, {len(diagnostics)} warnings or hints"
    )
