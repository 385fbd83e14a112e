"""Reading: a text in any notation, or the record of a game, in; the game as a document with its nodes out.

A settlers game is played by the rules of Hexil, and stored as the moves of these rules. Its comments become
notes, and its variations are kept. What the rules do not allow ends the game, with a finding that says why.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from ludograph.games import Game, SourceError, find_source, list_games, load
from ludograph.games.catalog import read_headline
from ludograph.games.engines import AUTOMATIC
from ludograph.games.sources import compile_source
from ludograph.hexil import Unplayable
from ludograph.hexil.replay.faults import FaultKind, RecordFault
from ludograph.hexil.replay.records import play_record
from ludograph.hexil.replay.replaying import PlayedRecord
from ludograph.hexil.replay.variations import list_variation_records
from ludograph.hexil.starting import rules
from ludograph.notation.guess import guess_notation
from ludograph.notation.imports import ImportFormat, find_import_by_suffix, guess_import
from ludograph.notation.located import Located, find_format, read_located
from ludograph.notation.notations import Notation, find_by_suffix
from ludograph.notation.stream import sources
from ludograph.play import CHANCE, BadRecord, Record, RulesWrong, parse_record, replay
from ludograph.play.record import is_record
from ludograph.protocol.replays import MAX_NODES, MAX_NOTE, ReplayFinding
from ludograph.server.replays.documents import (
    RECORD,
    ReadReplay,
    ReplayDocument,
    ReplayNodes,
    StoredNode,
    WantedText,
    group_moves,
)
from ludograph.settlers.record import Commented
from ludograph.text import Diagnostic, Source, TextError

MAX_FINDINGS = 50
MAX_MAIN = MAX_NODES * 3 // 4
"""ReplayNodes of the game as it is given, so that some are left for variations."""
MAX_READ_VARIATIONS = 40
SETTLERS = "hexil"
DRAWN_SEED = 1
"""What a record leaves open is drawn with this seed."""


def read_text(wanted: WantedText) -> ReadReplay:
    """The game of a text, or the findings that say why there is none."""
    try:
        if wanted.notation in ("", RECORD) and (wanted.notation or is_record(wanted.text)):
            return _read_own_record(wanted)
        return _read_settlers(wanted)
    except SourceError as error:
        return _failed(*map(_finding_of, error.diagnostics))
    except TextError as error:
        return _failed(_finding_of(error.diagnostic))
    except (BadRecord, Unplayable, RulesWrong, ValueError) as error:
        return _failed(ReplayFinding("error", str(error).partition("\n")[0]))


def _failed(*findings: ReplayFinding) -> ReadReplay:
    return ReadReplay(None, (), findings[:MAX_FINDINGS])


def _finding_of(diagnostic: Diagnostic) -> ReplayFinding:
    severity: Any = diagnostic.severity if diagnostic.severity in ("error", "warning") else "note"
    return ReplayFinding(
        severity, diagnostic.message, diagnostic.code, diagnostic.line, diagnostic.column, diagnostic.hint
    )


# Records of any game


def _read_own_record(wanted: WantedText) -> ReadReplay:
    record = parse_record(wanted.text.removeprefix("\ufeff"))
    name, source, game = _find_game(wanted, record)
    findings: list[ReplayFinding] = []
    again = replay(game, record)
    if again.rules_changed:
        message = "the game was recorded under other rules"
        hint = "its moves are played by the present rules" if name else ""
        findings.append(ReplayFinding("warning", message, hint=hint))
    if again.broken_at is not None:
        reason = again.reason or "a move is not legal"
        findings.append(ReplayFinding("error", f"the record cannot be played to its end: {reason}"))
        if again.broken_at == 0:
            return _failed(*findings)
    played = again.state.record
    result = again.state.result
    if again.broken_at is None and record.result not in (None, None if result is None else result.text):
        findings.append(ReplayFinding("warning", f"the recorded result is {record.result}"))
    return _make(played, name, source, RECORD, "", findings)


def _find_game(wanted: WantedText, record: Record) -> tuple[str, str, Game]:
    """The name (if it is shipped), the source and the game of a record."""
    if wanted.source and not wanted.game:
        return "", wanted.source, compile_source(wanted.source, name="game.tgdl")
    names = [wanted.game] if wanted.game else _names_of(record.game)
    for name in names:
        if name in list_games():
            text = find_source(name).source.text
            if not wanted.source or wanted.source == text:
                return name, text, load_shipped(name)
            return name, wanted.source, compile_source(wanted.source, name=f"{name}.tgdl")
    raise BadRecord(f"there is no shipped game “{record.game}”; give its rules, too")


@cache
def load_shipped(name: str) -> Game:
    """A shipped game. It is loaded once, because its states run faster once it is compiled."""
    return rules() if name == SETTLERS else load(name, engine=AUTOMATIC)


def _names_of(title: str) -> list[str]:
    """The shipped games with a title."""
    return [name for name in list_games() if title in (name, read_headline(name).title)]


def _make(
    record: Record,
    name: str,
    source: str,
    given_as: str,
    original: str,
    findings: Sequence[ReplayFinding],
    names: tuple[str, ...] = (),
) -> ReadReplay:
    """The document of a record whose moves say all chance."""
    first = next((at for at, move in enumerate(record.moves) if move.chooser != CHANCE), len(record.moves))
    start = StoredNode(-1, CHANCE, "", tuple(move.text for move in record.moves[:first]))
    nodes = [start, *group_moves(record.moves[first:], 0, 1)]
    noted = list(findings)
    if len(nodes) > MAX_MAIN:
        noted.append(ReplayFinding("warning", f"only the first {MAX_MAIN:,} moves are shown"))
        nodes = nodes[:MAX_MAIN]
    document = ReplayDocument(
        name,
        source,
        record.game,
        record.rules,
        record.language,
        record.players,
        record.options,
        record.setup,
        record.position,
        len(nodes),
        given_as,
        original,
        names,
        tuple(noted[:MAX_FINDINGS]),
    )
    return ReadReplay(document, tuple(nodes), document.findings)


# Settlers games


def _read_settlers(wanted: WantedText) -> ReadReplay:
    located, others = _locate(wanted)
    part = located.checked_part()
    played = play_record(part, lenient=wanted.lenient)
    findings = [_finding_of(each) for each in located.warnings]
    if any(fault.kind is FaultKind.UNKNOWN for fault in played.faults):
        played = play_record(part, lenient=wanted.lenient, seed=DRAWN_SEED)
        findings.append(ReplayFinding("note", "what the text leaves open was drawn at random"))
    findings += (_finding_of_fault(fault, part, wanted.lenient) for fault in played.faults)
    if part is not located:
        message = "the later moves are not shown: they depend on what the text does not say"
        findings.append(ReplayFinding("note", message))
    findings += (ReplayFinding("note", str(loss)) for loss in located.losses)
    if others:
        findings.append(ReplayFinding("note", f"the text has several games; this is number {wanted.number}"))
    state = played.executor.state
    given_as = (located.imported or located.notation).value
    original = located.source.text
    source = find_source(SETTLERS).source.text
    read = _make(state.record, SETTLERS, source, given_as, original, findings, _names_in(located, played))
    if read.document is None:
        return read
    nodes = _add_variations(list(_with_comments(read.nodes, played)), part)
    return ReadReplay(read.document, tuple(nodes), read.findings)


def _locate(wanted: WantedText) -> tuple[Located, bool]:
    """The wanted game of a text, and whether there are others."""
    notation = _find_notation(wanted)
    if isinstance(notation, ImportFormat):
        return read_located(Source(wanted.text, wanted.name), notation, lenient=wanted.lenient), False
    found = None
    count = 0
    for source in sources(wanted.text.splitlines(keepends=True), notation, name=wanted.name):
        count += 1
        if count == wanted.number:
            found = source
        elif count > wanted.number:
            break
    if found is None:
        raise BadRecord(f"there is no game {wanted.number} in the text, only {count}")
    return read_located(found, notation, lenient=wanted.lenient), count > 1


def _find_notation(wanted: WantedText) -> Notation | ImportFormat:
    if wanted.notation:
        return find_format(wanted.notation)
    if not wanted.text.strip():
        raise BadRecord("there is no text: paste a game, or drop a file")
    found = (
        guess_import(wanted.text)
        or find_import_by_suffix(wanted.name)
        or guess_notation(wanted.text)
        or find_by_suffix(wanted.name)
    )
    if found is None:
        known = ", ".join(each.value for each in (*Notation, *ImportFormat))
        raise BadRecord(f"the notation is not recognised; it can be the record of a game, or one of {known}")
    return found


def _finding_of_fault(fault: RecordFault, located: Located, lenient: bool) -> ReplayFinding:
    """What the rules found, at its place, with the rule as the hint."""
    where = fault.where if fault.event is not None else ""
    message = f"{where}: {fault.message}" if where else fault.message
    refusal = fault.refusal
    hint = " ".join(refusal.condition.split()) if refusal is not None else ""
    found = _finding_of(
        located.diagnostic(fault.event, fault.kind.value, message, f"the rule: {hint}" if hint else "")
    )
    return ReplayFinding(
        "warning" if lenient else "error", found.message, found.code, found.line, found.column, found.hint
    )


def _names_in(located: Located, played: PlayedRecord) -> tuple[str, ...]:
    """The names of the players in the headers, such as `[Player1 "Ada"]`."""
    headers = dict(located.record.headers)
    names = tuple(headers.get(f"Player{number + 1}", "")[:40] for number in range(played.executor.players))
    return names if any(names) else ()


def _with_comments(nodes: ReplayNodes, played: PlayedRecord) -> list[StoredNode | None]:
    """The nodes with the comments of the text as notes."""
    found = list(nodes)
    ends = [0]
    for entry in played.log.entries:
        ends.append(ends[-1] + entry.moves)
    for place, event in played.log.side_events:
        if isinstance(event, Commented):
            number = min(ends[min(place, len(ends) - 1)], len(found) - 1)
            node = found[number]
            assert node is not None
            note = f"{node.note}\n{event.text}".strip()[:MAX_NOTE]
            found[number] = StoredNode(node.parent, node.seat, node.text, node.chance, note)
    return found


def _add_variations(nodes: list[StoredNode | None], located: Located) -> list[StoredNode | None]:
    """The nodes with those of the variations of the text, as far as the rules allow them."""
    for line in list_variation_records(located)[:MAX_READ_VARIATIONS]:
        try:
            played = play_record(line, seed=DRAWN_SEED)
        except Unplayable:
            continue
        record = played.executor.state.record
        first = next((at for at, move in enumerate(record.moves) if move.chooser != CHANCE), 0)
        nodes = add_line(nodes, group_moves(record.moves[first:], 0, 1))
    return nodes


def add_line(nodes: list[StoredNode | None], line: Sequence[StoredNode]) -> list[StoredNode | None]:
    """The nodes with a line from the start, without what they have already."""
    children: dict[tuple[object, ...], int] = {
        (node.parent, node.seat, node.text, node.chance): number
        for number, node in enumerate(nodes)
        if node is not None
    }
    found, at = list(nodes), 0
    for node in line:
        key = (at, node.seat, node.text, node.chance)
        known = children.get(key)
        if known is None:
            if len(found) >= MAX_NODES:
                break
            known = children[key] = len(found)
            found.append(StoredNode(at, node.seat, node.text, node.chance))
        at = known
    return found
