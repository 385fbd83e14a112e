"""Settlers games for `ludograph replay`: check every action, show faults with their place and the rule."""

import io
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludograph.cli.game_sources import read_bytes
from ludograph.cli.inputs import split_sources
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.record_faults import locate_fault, print_faults
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
from ludograph.cli.terminal import print_picture, supports_unicode
from ludograph.hexil import Match, Options, Unplayable
from ludograph.hexil.errors import format_action
from ludograph.hexil.replay.faults import RecordFault
from ludograph.hexil.replay.records import play_record
from ludograph.hexil.replay.variations import PlayedVariations, play_variations
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import Located, read_located
from ludograph.notation.notations import NOTATIONS, Feature, Notation
from ludograph.notation.results import Writing
from ludograph.render import draw_scene, terminal
from ludograph.settlers import Position
from ludograph.text import Diagnostic, Source, TextError


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """A record that was replayed, completely or in part."""

    located: Located
    match: Match
    faults: tuple[RecordFault, ...]
    actions: int
    """The number of checked actions of the record."""
    total: int
    """The number of actions of the record."""
    variations: PlayedVariations = PlayedVariations()

    def number_of(self, player: int) -> int:
        """The number that the record gives to a player; HAN numbers players in turn order."""
        row = NOTATIONS[self.located.notation]
        return self.match.recorded_number(player) if Feature.PLAYER_OF_ACTION in row.features else player

    def diagnostic(self, fault: RecordFault) -> Diagnostic:
        return locate_fault(fault, self.located)


def replay_settlers(raw: bytes, arguments: Namespace) -> int:
    """Replay every record of a file; the exit code is 1 if one of them has a fault."""
    options: Options = parse_settlers_options(arguments.option)  # type: ignore[assignment]
    start = _read_start(arguments)
    name = arguments.file if arguments.file != "-" else ""
    results: list[dict[str, Any]] = []
    notation: Notation | ImportFormat | None = None
    code = SUCCESS
    try:
        notation, sources = split_sources(io.BytesIO(raw), name, arguments)
        for source in sources:
            answer, fine = _replay(source, notation, arguments, start, options)
            results.append(answer)
            code = code if fine else FAILURE
    except TextError as error:  # the file is not text
        results.append({"error": error_json(error)})
        code = FAILURE
        if not arguments.json:
            print_error(error)
    if arguments.json:
        found = notation.value if notation is not None else arguments.source
        write_json({"notation": found, "fine": code == SUCCESS, "records": results})
    return code


def _replay(
    source: Source,
    notation: Notation | ImportFormat,
    arguments: Namespace,
    start: Position | str | None,
    options: Options,
) -> tuple[dict[str, Any], bool]:
    try:
        located = read_located(source, notation, lenient=arguments.lenient)
        try:
            replayed = _play(located, arguments, start, options)
        except Unplayable as error:
            raise located.nonsense(None, "NT2004", str(error)) from None
    except TextError as error:
        if not arguments.json:
            print_error(error)
        return {"error": error_json(error)}, False
    if arguments.json:
        return _json(replayed, arguments), not replayed.faults
    _print_report(replayed, arguments)
    return {}, not replayed.faults


def _play(
    located: Located, arguments: Namespace, start: Position | str | None, options: Options
) -> ReplayReport:
    # A seed samples what the record hides; without it, later events cannot be checked.
    checked = located.checked_part() if arguments.seed is None else located
    played = play_record(
        checked,
        start=start,
        seed=arguments.seed,
        lenient=arguments.lenient,
        last=arguments.last,
        **options,
    )
    variations = PlayedVariations()
    if arguments.last is None and located.record.variations:
        variations = play_variations(
            located, start=start, seed=arguments.seed, lenient=arguments.lenient, **options
        )
    faults = (*played.faults, *variations.faults)
    return ReplayReport(
        located, Match.from_played(played, **options), faults, played.number, played.total, variations
    )


def _read_start(arguments: Namespace) -> str | None:
    if arguments.start is None:
        return None
    try:
        return read_bytes(arguments.start).decode("utf-8")
    except UnicodeDecodeError:
        raise CommandError(f"{arguments.start} is not UTF-8 text", USAGE) from None


# For humans


def _print_report(replayed: ReplayReport, arguments: Namespace) -> None:
    """Print faults and warnings on standard error, and the summary too if something is printed."""
    print_warnings(replayed.located.warnings)
    print_faults(replayed.faults, replayed.located, lenient=arguments.lenient)
    if unreached := replayed.variations.unreached:
        what = "1 variation follows" if unreached == 1 else f"{unreached} variations follow"
        print_message(f"note: {what} a fault and cannot be checked")
    print_losses(replayed.located.losses)
    if replayed.located.checkable is not None and arguments.seed is None:
        hidden = replayed.located.diagnostic(replayed.located.checkable, "", "").place()
        print_message(f"note: checked up to {hidden}; later events depend on what the record does not say")
    summary = _summary(replayed)
    if not arguments.printed:
        print(summary)
        return
    print_message(summary)
    for kind in arguments.printed:
        if kind == "board":
            print_picture(terminal(replayed.match.position(), unicode=supports_unicode()))
        else:
            text, losses = _format_printed(replayed.match, kind, arguments)
            print_losses(losses)
            print(text.rstrip("\n"))


def _summary(replayed: ReplayReport) -> str:
    match, source = replayed.match, replayed.located.source
    where = source.name or "standard input"
    if source.record is not None:
        where += f" (record {source.record})"
    total, actions = replayed.total, replayed.actions
    counted = (
        f"{total} action{'' if total == 1 else 's'}" if actions == total else f"{actions} of {total} actions"
    )
    if checked := replayed.variations.played:
        counted += f", {checked} variation{'' if checked == 1 else 's'}"
    faults = len(replayed.faults)
    verdict = "all legal" if not faults else f"{faults} fault{'' if faults == 1 else 's'}"
    winner = match.winner()
    if winner is not None:
        state = f"player {replayed.number_of(winner)} has won with {match.scores()[winner - 1]} points"
    else:
        state = f"turn {match.position().turn}, player {replayed.number_of(match.turn())} in {match.phase()}"
    located = replayed.located
    notation = located.imported.value if located.imported else located.notation.value.upper()
    return f"{where}: {notation}, {match.players} players, {counted}, {verdict}; {state}"


def _format_printed(match: Match, kind: str, arguments: Namespace) -> Writing:
    if kind == "svg":
        return Writing(str(draw_scene(match.scene())), ())
    if kind == "board":
        return Writing(terminal(match.position(), unicode=True).plain(), ())
    return match.to(kind, dialect=arguments.dialect)


# For programs


def _json(replayed: ReplayReport, arguments: Namespace) -> dict[str, Any]:
    match = replayed.match
    printed = {kind: _format_printed(match, kind, arguments) for kind in arguments.printed}
    return {
        "players": match.players,
        "actions": replayed.total,
        "played": replayed.actions,
        "variations": replayed.variations.played,
        "faults": list(_faults_json(replayed)),
        "warnings": warnings_json(replayed.located.warnings),
        "turn": match.position().turn,
        "player": replayed.number_of(match.turn()),
        "phase": match.phase(),
        "points": _points_by_number(replayed),
        "winner": replayed.number_of(winner) if (winner := match.winner()) is not None else None,
        "printed": {kind: writing.text for kind, writing in printed.items()},
        "losses": {
            kind: [loss_json(loss) for loss in writing.losses]
            for kind, writing in printed.items()
            if writing.losses
        },
    }


def _points_by_number(replayed: ReplayReport) -> list[int]:
    """The points of the players in the order of their numbers in the record."""
    scores = replayed.match.scores()
    points = {replayed.number_of(player): score for player, score in enumerate(scores, start=1)}
    return [score for _, score in sorted(points.items())]


def _faults_json(replayed: ReplayReport) -> Iterator[dict[str, Any]]:
    for fault in replayed.faults:
        diagnostic, refusal = replayed.diagnostic(fault), fault.refusal
        rule = refusal.diagnostic if refusal is not None else None
        yield {
            "code": diagnostic.code,
            "message": fault.message,
            "line": diagnostic.line,
            "column": diagnostic.column,
            "record": replayed.located.source.record,
            "number": fault.number,
            "action": format_action(fault.action) if fault.action is not None else None,
            "rule": None
            if refusal is None or rule is None
            else {
                "file": rule.source.name,
                "line": rule.line,
                "column": rule.column,
                "condition": refusal.condition,
                "words": refusal.words,
                "explanation": refusal.explanation,
            },
        }
