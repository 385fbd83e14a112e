"""`ludograph fmt`: files of games in the one style.

Nothing is written before every file could be read; a file with errors stays as it is.
"""

from argparse import Namespace

from ludograph.cli.game_texts import read_text, say_diagnostics
from ludograph.cli.output import FAULTY, FINE, path_of
from ludograph.cli.streams import say
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError
from ludograph.tgdl.syntax.formatter import format_source


def run(arguments: Namespace) -> int:
    code = FINE
    changes: list[tuple[str, str]] = []
    for file in arguments.files:
        try:
            source = read_text(file).source
        except SourceError as error:
            _refuse(file, error.diagnostics)
            code = FAULTY
            continue
        formatted = format_source(source)
        if formatted.refused:
            _refuse(file, formatted.diagnostics)
            code = FAULTY
            continue
        is_new = formatted.text != source.text
        if is_new or file == "-":
            changes.append((file, formatted.text))
        if is_new and arguments.check:
            print(file if file != "-" else "standard input")
            code = FAULTY
    if not arguments.check:
        for file, text in changes:
            if file == "-":
                print(text, end="")
            else:
                path_of(file).write_bytes(text.encode())
    return code


def _refuse(file: str, diagnostics: tuple[Diagnostic, ...]) -> None:
    say_diagnostics([one for one in diagnostics if one.severity == "error"])
    say(f"ludograph: {file if file != '-' else 'standard input'} has errors and stays as it is")
