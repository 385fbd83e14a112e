"""Pictures of any game for `ludograph render`: the state after some moves, or all steps of a record.

The input is the name or path of a game, a record that `save` in `ludograph play` wrote, or a settlers game in
a notation, which the rules of Hexil replay.
"""

from argparse import Namespace
from collections.abc import Sequence

from ludograph.cli.game_opening import open_game, report_rule_faults, start_game
from ludograph.cli.game_sources import read_bytes
from ludograph.cli.inputs import open_sources
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError, parse_path, write_json, write_text
from ludograph.cli.record_faults import print_faults
from ludograph.cli.saved_records import find_shipped_name, parse_saved_record
from ludograph.cli.streams import escape_line, print_message
from ludograph.games.loading import load
from ludograph.hexil import Unplayable
from ludograph.hexil.replay.records import play_record
from ludograph.hexil.scenes import SettlersViews, list_steps
from ludograph.notation import hsn
from ludograph.notation.located import read_located
from ludograph.play import CHANCE, Generator, IllegalMove, Record, parse_moves, replay
from ludograph.play import State as PlayedState
from ludograph.render.descriptions import format_plain
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.page import PageFrame, draw_page
from ludograph.render.scenes.states import scene_of
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.state_json_values import compact_json
from ludograph.tgdl.world.faults import Fault


def render_game(arguments: Namespace) -> int:
    """Draw a game that is given by its name or path, after some moves or a record."""
    game = open_game(arguments.file)
    if isinstance(arguments.record, str):
        if arguments.moves is not None:
            raise CommandError("give either --moves or --record", USAGE)
        record = parse_saved_record(read_bytes(arguments.record), arguments.record)
        return _write(game, record, arguments)
    if arguments.record is not None:
        raise CommandError("--record names a file here, because the input is a game", USAGE)
    state = _play_moves(game, arguments)
    return _write(game, state.record, arguments)


def render_saved_record(raw: bytes, arguments: Namespace) -> int:
    """Draw a record that `save` in `ludograph play` wrote."""
    record = parse_saved_record(raw, arguments.file)
    game = open_game(arguments.game or find_shipped_name(record.game))
    return _write(game, record, arguments)


def render_settlers_record(arguments: Namespace) -> int:
    """Draw the steps of a settlers game in a notation."""
    with open_sources(arguments) as (notation, sources):
        located = read_located(next(sources), notation, lenient=arguments.lenient)
    try:
        played = play_record(located, seed=arguments.seed, lenient=arguments.lenient)
    except Unplayable as error:
        raise located.nonsense(None, "NT2004", str(error)) from None
    print_faults(played.faults, located, lenient=arguments.lenient)
    state, start = played.executor.state, played.moves.record.start
    assert start is not None, "a replayed record has a start position"
    if arguments.seat is None:
        steps = list_steps(played.executor, played.log, start)
        frames = [
            PageFrame(
                each.scene,
                format_plain(each.caption) if number else "",
                hsn.format_lenient(each.position).text,
            )
            for number, each in enumerate(steps)
        ]
        code = _write_pictures(frames, arguments)
    else:
        code = _write(state.game, state.record, arguments)
    return FAILURE if played.faults else code


def _play_moves(game: Game, arguments: Namespace) -> State:
    """The state after the moves of the arguments; a seed samples chance unless the moves contain it."""
    moves = parse_moves(arguments.moves or "")
    gives_chance = any(chooser == CHANCE for chooser, _ in moves)
    seed = arguments.seed if arguments.seed is not None or gives_chance else 0
    state = start_game(game, arguments, seed=None if gives_chance else seed)
    with report_rule_faults(game.name):
        for number, (chooser, text) in enumerate(moves, 1):
            try:
                state.push(text, chooser)
            except IllegalMove as error:
                raise CommandError(f"move {number} ({escape_line(text)}): {error}", FAILURE) from None
        if gives_chance and arguments.seed is not None:
            state.sample_chance(Generator(arguments.seed))
    return state


def _write(game: Game, record: Record, arguments: Namespace) -> int:
    frames = _collect_frames(game, record, arguments.seat, wants_choices=arguments.choices)
    return _write_pictures(frames, arguments)


def _write_pictures(frames: Sequence[PageFrame], arguments: Namespace) -> int:
    output = arguments.output
    if arguments.frames:
        return _write_frames(frames, output)
    if output is not None and output.endswith((".html", ".htm")):
        write_text(draw_page(frames), output)
        return SUCCESS
    picture = draw_scene(frames[-1].scene, choices=arguments.choices, width=arguments.width)
    if arguments.json:
        write_json({"svg": str(picture), "warnings": []}, output)
    else:
        write_text(picture, output)
    return SUCCESS


def _write_frames(frames: Sequence[PageFrame], output: str | None) -> int:
    """One SVG for each step: `chess.svg` becomes `chess-000.svg`, `chess-001.svg`, …"""
    if output is None or output == "-":
        raise CommandError("--frames writes several files: name them with -o, such as -o game.svg", USAGE)
    path = parse_path(output)
    digits = max(3, len(str(len(frames) - 1)))
    for number, frame in enumerate(frames):
        name = path.with_name(f"{path.stem}-{number:0{digits}}.svg")
        write_text(draw_scene(frame.scene), str(name))
    print_message(f"{len(frames)} pictures: {path.stem}-{0:0{digits}}.svg and the following")
    return SUCCESS


def _collect_frames(game: Game, record: Record, seat: int | None, *, wants_choices: bool) -> list[PageFrame]:
    """The steps of a record: its start, and the state after each move with the chance that follows it."""
    if seat is not None and seat >= record.players:
        raise CommandError(f"there is no seat {seat}: the game has {record.players} players", USAGE)
    frames: list[PageFrame] = []
    seen: list[str] = []
    following = iter(record.moves)
    views = SettlersViews(seat) if game.rules == load("hexil").rules else None

    def watch(state: PlayedState) -> None:
        assert isinstance(state, State)
        move = next(following, None)
        if move is not None and move.chooser == CHANCE:
            return  # the frame follows when chance has decided
        lines: list[str] = state.view(seat)["moves"]
        caption = "; ".join(lines[len(seen) :]) if frames else ""
        seen[:] = lines
        if views is not None:
            scene, words = views.scene(state, lines, wants_choices=wants_choices)
            caption = format_plain(words) if frames else ""
        else:
            previous = frames[-1].scene if frames else None
            scene = scene_of(state, seat, previous=previous, choices=wants_choices)
        frames.append(PageFrame(scene, caption, _position_text(state, seat)))

    with report_rule_faults(game.name):
        try:
            again = replay(game, record, watch)
        except Fault as fault:
            if fault.code != "TG0518":
                raise
            raise _mismatch(fault.message) from None
        except ValueError as error:
            raise _mismatch(str(error)) from None
    if again.broken_at is not None:
        raise CommandError(f"the record cannot be replayed: {escape_line(again.reason)}", FAILURE)
    return frames


def _mismatch(reason: str) -> CommandError:
    return CommandError(f"the record cannot be played under these rules: {escape_line(reason)}", FAILURE)


def _position_text(state: State, seat: int | None) -> str:
    """The position for copying; in a game with secrets, only what the seat sees."""
    if state.material().has_secrets:
        return state.view_json(seat).decode()
    return compact_json(state.to_json())
