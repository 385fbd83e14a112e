"""`ludograph check`: every diagnostic of every file."""

from argparse import Namespace

from ludograph.cli.game_texts import diagnostic_json, find_game_text, has_errors, say_diagnostics
from ludograph.cli.output import FAULTY, FINE, write_json
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
        return FAULTY if is_faulty else FINE
    for file, diagnostics in found:
        say_diagnostics(diagnostics)
        if not has_errors(diagnostics):
            print(f"{file if file != '-' else 'standard input'}: {_verdict(diagnostics)}")
    return FAULTY if is_faulty else FINE


def _check(file: str) -> tuple[Diagnostic, ...]:
    try:
        text = find_game_text(file)
        return check_source(text.source, text.read)[1]
    except SourceError as error:  # not even text
        return error.diagnostics


def _verdict(diagnostics: tuple[Diagnostic, ...]) -> str:
    if not diagnostics:
        return "nothing to complain about"
    return "no errors, 1 remark" if len(diagnostics) == 1 else f"no errors, {len(diagnostics)} remarks"
