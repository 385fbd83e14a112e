"""`ludograph fmt`: format the source files of games.

No file is written before all files have been read. A file with errors is left unchanged.
"""

from argparse import Namespace

from ludograph.cli.game_sources import print_diagnostics, read_source_file
from ludograph.cli.output import FAILURE, SUCCESS, parse_path
from ludograph.cli.streams import print_message
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError
from ludograph.tgdl.syntax.formatter import format_source


def run(arguments: Namespace) -> int:
    code = SUCCESS
    changes: list[tuple[str, str]] = []
    for file in arguments.files:
        try:
            source = read_source_file(file).source
        except SourceError as error:
            _report_errors(file, error.diagnostics)
            code = FAILURE
            continue
        formatted = format_source(source)
        if formatted.refused:
            _report_errors(file, formatted.diagnostics)
            code = FAILURE
            continue
        is_new = formatted.text != source.text
        if is_new or file == "-":
            changes.append((file, formatted.text))
        if is_new and arguments.check:
            print(file if file != "-" else "standard input")
            code = FAILURE
    if not arguments.check:
        for file, text in changes:
            if file == "-":
                print(text, end="")
            else:
                parse_path(file).write_bytes(text.encode())
    return code


def _report_errors(file: str, diagnostics: tuple[Diagnostic, ...]) -> None:
    print_diagnostics([one for one in diagnostics if one.severity == "error"])
    print_message(f"ludograph: {file if file != '-' else 'standard input'} has errors and is left unchanged")
