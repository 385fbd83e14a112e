"""The arguments of the commands for games: check, fmt, dump, games, perft, simulate, play and others."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

MAX_PLAYOUTS = 1_000_000_000
MAX_DEPTH = 1000
MAX_MOVES = 10_000_000
MAX_THREADS = 256
DEFAULT_LIMIT = 10_000
DEFAULT_PLAYOUTS = 100
DEFAULT_COVERED_GAMES = 20
DEFAULT_BALANCED_GAMES = 1000

# Copies of the table of notations, which takes too long to import for --help; a test compares them.
NOTATIONS = ("han", "hsn", "cgn", "ccn", "sgn")
IMPORTS = ("catanatron", "catanlog", "jsettlers")
DIALECTS = ("seed", "2023")

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
AddCommand: TypeAlias = Callable[[Commands, str, str, str], argparse.ArgumentParser]


def add_game_commands(commands: Commands, add_command: AddCommand) -> None:
    _add_check(commands, add_command)
    _add_test(commands, add_command)
    _add_coverage(commands, add_command)
    _add_balance(commands, add_command)
    _add_fmt(commands, add_command)
    _add_dump(commands, add_command)
    _add_games(commands, add_command)
    _add_perft(commands, add_command)
    _add_simulate(commands, add_command)
    _add_play(commands, add_command)
    _add_tournament(commands, add_command)
    _add_bot(commands, add_command)
    _add_analyse(commands, add_command)
    _add_replay(commands, add_command)
    _add_serve(commands, add_command)
    _add_lsp(commands, add_command)
    _add_cache(commands, add_command)


def _add_check(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "check",
        "check the source of games and report all diagnostics",
        """examples:
  ludograph check mygame.tgdl
  ludograph check games/*.tgdl --json
  cat mygame.tgdl | ludograph check -

Imports are read from the folder of the game. The exit code is 1 if there is an error; warnings and
hints do not change it.""",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="the files to check; - is standard input")
    add_json_option(command)


def _add_test(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "test",
        "run the tests in the source of games",
        """examples:
  ludograph test mygame.tgdl
  ludograph test mygame.tgdl --only "the bank" --json

A test is a block `test "name" { ... }` at the top level of a game. The exit code is 1 if a test fails
or if there is none.""",
    )
    command.add_argument("games", nargs="+", metavar="GAME", help="the games whose tests are run")
    command.add_argument(
        "--only", metavar="TEXT", default="", help="run the tests with this text in the name"
    )
    add_json_option(command)


def _add_coverage(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "coverage",
        "show which rules of a game are never reached in self-play",
        """examples:
  ludograph coverage mygame.tgdl
  ludograph coverage hexil -n 5 --seats settlers:medium
  ludograph coverage mygame.tgdl --json

The games are played and then replayed on the reference engine. Ctrl-C shows the coverage so far.
Conditions that never failed or never held are listed too.""",
    )
    _add_game(command)
    _add_self_play(command, DEFAULT_COVERED_GAMES)


def _add_balance(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "balance",
        "describe the balance of a game by self-play",
        """examples:
  ludograph balance mygame.tgdl
  ludograph balance hexil -n 50 --seats settlers:medium
  ludograph balance connect-four --skill 20 --json

It shows the results of each seat, the length of games, how many moves players have, how often the
leader changes and wins, and how often each action and value was offered, chosen and part of a win. Moves
and leaders come from a sample of the games. --skill lets mcts:200 play against mcts:100.""",
    )
    _add_game(command)
    command.add_argument(
        "--skill",
        type=_parse_whole(1, MAX_PLAYOUTS),
        metavar="N",
        help="also play so many games between a bot and the same bot with half of its budget",
    )
    _add_self_play(command, DEFAULT_BALANCED_GAMES)


def _add_self_play(command: argparse.ArgumentParser, games: int) -> None:
    """The arguments of a command that plays some games between bots."""
    command.add_argument(
        "-n",
        "--games",
        type=_parse_whole(1, MAX_PLAYOUTS),
        default=games,
        metavar="N",
        help=f"number of games (default: {games:,})",
    )
    _add_seed(command, "seed of the games (default: 0)")
    command.add_argument(
        "--seats",
        type=_parse_bots,
        metavar="BOT,…",
        help="the bots that play; the last one also fills the remaining seats (default: random)",
    )
    command.add_argument(
        "--limit",
        type=_parse_whole(1, MAX_MOVES),
        default=DEFAULT_LIMIT,
        metavar="MOVES",
        help=f"stop a game after this number of moves (default: {DEFAULT_LIMIT:,})",
    )
    add_json_option(command)


def _add_fmt(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "fmt",
        "format the source of games",
        """examples:
  ludograph fmt mygame.tgdl
  ludograph fmt --check games/*.tgdl
  cat mygame.tgdl | ludograph fmt -

Files are rewritten in place; standard input is written to standard output. A file with errors is left
unchanged, and the exit code is 1.""",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="the files to format; - is standard input")
    command.add_argument(
        "--check", action="store_true", help="write nothing; list the files that would change"
    )


def _add_dump(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "dump",
        "print the output of one stage of the compiler",
        """examples:
  ludograph dump --stage tokens mygame.tgdl
  ludograph dump --stage tree tic-tac-toe
  ludograph dump --stage ir tic-tac-toe
  echo 'players 3;' | ludograph dump --stage program -""",
    )
    command.add_argument("file", metavar="GAME", help="a shipped game or a file; - is standard input")
    command.add_argument(
        "--stage",
        choices=("tokens", "tree", "program", "ir", "llvm"),
        required=True,
        help="the stage to print; ir and llvm belong to the native engine",
    )


def _add_games(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "games",
        "list the shipped games",
        """examples:
  ludograph games
  ludograph games --json""",
    )
    add_json_option(command)


def _add_perft(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "perft",
        "count the sequences of a number of complete moves",
        """examples:
  ludograph perft tic-tac-toe 5
  ludograph perft chess 3 --json
  ludograph perft chess 2 --position kiwipete.json
  ludograph perft pig 2 --option target=20 --players 3
  ludograph perft crazy-eights 2 --seed 1

A finished game has no further moves. Each distinct outcome of chance counts as one. If the game begins
with chance, such as a shuffle, the number of deals is reported; --seed samples one of them. A terminal
shows the progress of a long count on standard error.""",
    )
    _add_game(command)
    command.add_argument("depth", metavar="DEPTH", type=_parse_whole(0, MAX_DEPTH), help="number of moves")
    _add_position(command, "start from a position in JSON")
    _add_seed(command, "sample chance before the first move with this seed (default: count every outcome)")
    _add_engine(command)
    add_json_option(command)


def _add_engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--engine",
        choices=("native", "reference"),
        help="the engine that runs the rules (default: native if it is available and faster)",
    )


def _add_simulate(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "simulate",
        "play random games and print statistics",
        """examples:
  ludograph simulate tic-tac-toe -n 1000
  ludograph simulate pig -n 100 --players 3 --seed 7 --json
  ludograph simulate pig --seed 7 -n 1 --trace         show the first game of a seed, move by move
  ludograph simulate pig --seed 7 --first 12 -n 1 --trace
  ludograph simulate connect-four --seats mcts:1000,greedy -n 20

The same seed gives the same games on the same engine, with any number of threads; the two engines draw
differently. Ctrl-C stops the run and prints the statistics so far. A game is stopped after --limit moves
and counted as unfinished. If the rules fail in a game, the record of that game is saved, and the message
says how to see it again. Progress is reported on standard error: as a bar in a terminal, otherwise as an
occasional line, and not at all with --json.""",
    )
    _add_game(command)
    command.add_argument(
        "-n",
        "--playouts",
        type=_parse_whole(1, MAX_PLAYOUTS),
        metavar="N",
        help=f"number of games (default: {DEFAULT_PLAYOUTS}; with --trace: 1)",
    )
    _add_seed(command, "seed of the games (default: 0)")
    command.add_argument(
        "--first",
        type=_parse_whole(1, MAX_PLAYOUTS),
        default=1,
        metavar="K",
        help="number of the first game among the games of the seed (default: 1)",
    )
    command.add_argument(
        "--trace", action="store_true", help="show each game move by move, with the effects of each move"
    )
    command.add_argument(
        "--seats",
        type=_parse_bots,
        metavar="BOT,…",
        help="the bots that play, such as mcts:1000,random; the last one also fills the remaining seats "
        "(default: random)",
    )
    _add_record(command)
    _add_engine(command)
    command.add_argument(
        "--threads",
        type=_parse_whole(1, MAX_THREADS),
        default=1,
        metavar="N",
        help="number of games to play at the same time (native engine; default: 1)",
    )
    command.add_argument(
        "--limit",
        type=_parse_whole(1, MAX_MOVES),
        default=DEFAULT_LIMIT,
        metavar="MOVES",
        help=f"stop a game as unfinished after this number of moves (default: {DEFAULT_LIMIT:,})",
    )
    add_json_option(command)


def _add_play(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "play",
        "play a game in the terminal",
        """examples:
  ludograph play tic-tac-toe
  ludograph play chess --seats human,human
  ludograph play connect-four --seats human,mcts:2s
  ludograph play pig --seats human,random,random --seed 7
  ludograph play mygame.tgdl --seats random --trace
  ludograph play hexil --position settled.hsn

Type the number of a choice, or the text of a move; `help` lists the other commands. The last seat in
--seats also fills the remaining seats. --trace shows only what every human player may see; without
human players it shows everything.""",
    )
    _add_game(command)
    command.add_argument(
        "--seats",
        type=_parse_seats,
        metavar="SEAT,…",
        help="who plays each seat, the first player first: human, random, greedy, flat, mcts or "
        "settlers; flat and mcts with a budget for each choice, as in mcts:2s or mcts:1000; settlers with a "
        "level, as in settlers:hard (default: human,random)",
    )
    _add_position(
        command, "start from a position in JSON; hexil also reads a position or a game in any notation"
    )
    _add_seed(command, "seed of chance and of random players (default: a new one each time)")
    _add_engine(command)
    command.add_argument("--open", action="store_true", help="show the hands of all players")
    command.add_argument("--trace", action="store_true", help="show the effects of each move, step by step")
    _add_record(command)


def _add_bot(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "bot",
        "play a seat for another program, in JSON lines",
        """examples:
  ludograph bot mcts:1s
  ludograph play chess --seats human,exec:"ludograph bot mcts:1s"

Reads the messages of a game from standard input and writes the moves to standard output; docs/programs.md
describes them. A bot that looks ahead needs the rules: those of a shipped game, or --game.""",
    )
    command.add_argument("bot", type=_parse_own_bot, metavar="BOT", help="such as random or mcts:1s")
    command.add_argument("--game", metavar="FILE", help="the rules, if the game is not shipped")
    _add_seed(command, "seed of the bot (default: 0)")


def _parse_own_bot(text: str) -> str:
    found = parse_bot_name(text)
    if found.startswith("exec:"):
        raise argparse.ArgumentTypeError("the bot is one of Ludograph's own")
    return found


def _add_tournament(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "tournament",
        "let bots play a game against each other",
        """examples:
  ludograph tournament mcts:1000 flat:1000 --game connect-four -n 100
  ludograph tournament random greedy mcts:0.1s --game breakthrough -n 20 --json

Each combination of bots plays N games, and the bots change seats after each game. The score is one point a
game, shared by those who won or drew together. The ratings are Elo ratings with the mean 0.""",
    )
    command.add_argument("bots", nargs="+", type=parse_bot_name, metavar="BOT", help="such as mcts:1000")
    command.add_argument(
        "--game", required=True, metavar="GAME", help="a shipped game (see `ludograph games`) or a file"
    )
    _add_configuration(command)
    command.add_argument(
        *("-n", "--playouts"),
        type=_parse_whole(1, MAX_PLAYOUTS),
        default=DEFAULT_PLAYOUTS,
        metavar="N",
        help=f"number of games of each combination (default: {DEFAULT_PLAYOUTS})",
    )
    _add_seed(command, "seed of the games (default: 0)")
    _add_engine(command)
    command.add_argument(
        "--threads",
        type=_parse_whole(1, MAX_THREADS),
        metavar="N",
        help="number of games to play at the same time (default: the number of processors)",
    )
    command.add_argument(
        "--limit",
        type=_parse_whole(1, MAX_MOVES),
        default=DEFAULT_LIMIT,
        metavar="MOVES",
        help=f"end a game as a draw after this number of moves (default: {DEFAULT_LIMIT:,})",
    )
    add_json_option(command)


def _add_analyse(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "analyse",
        "search the best moves of a position",
        """examples:
  ludograph analyse connect-four --budget 2s
  ludograph analyse tic-tac-toe --move 'grid[0][0].mark' --budget 5000 --line 4
  ludograph analyse chess --position kiwipete.json --json

The payoff is the mean payoff of the player in the iterations with this move. It is certain if it is
proven.""",
    )
    _add_game(command)
    command.add_argument(
        "--move", action="append", default=[], metavar="MOVE", help="play this move first (repeatable)"
    )
    _add_position(command, "start from a position in JSON")
    command.add_argument(
        "--budget",
        default="1s",
        metavar="BUDGET",
        help="iterations, or seconds such as 2s; on threads with 2s:threads=2 (default: 1s)",
    )
    command.add_argument(
        "--best", type=_parse_whole(1, 1000), default=5, metavar="N", help="number of moves (default: 5)"
    )
    command.add_argument(
        "--line", type=_parse_whole(0, 100), default=3, metavar="N", help="length of the line (default: 3)"
    )
    _add_seed(command, "seed of the search and of chance before the position (default: 0)")
    _add_engine(command)
    add_json_option(command)


def _add_replay(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "replay",
        "replay a recorded game, check every action, and report the first illegal one",
        """examples:
  ludograph replay game.han
  ludograph replay game.cgn --to 20 --print board
  ludograph replay game.sgn --lenient --print hsn
  ludograph replay moves.han --start start.ccn --json
  ludograph replay saved.txt --game mygame.tgdl
  ludograph replay table.txt --verify-luck

A record is a settlers game in HAN, CGN or SGN, or a file that `save` in `ludograph play` wrote. The
command detects which. It shows the first illegal action with its place and the rule. With --lenient
it skips illegal actions and plays the rest. The exit code is 1 if an action is illegal, or if the
result differs from the recorded one. A record of `play` that still replays after a change of the
rules succeeds with a note.""",
    )
    command.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the record; - is standard input (default)"
    )
    command.add_argument("--game", metavar="GAME", help="the game (default: the shipped game of that name)")
    command.add_argument(
        "--verify-luck",
        action="store_true",
        help="check that the committed secret decides every roll and shuffle of a record of the server",
    )
    command.add_argument(
        *("--format", "--from"),
        dest="source",
        choices=(*NOTATIONS, *IMPORTS),
        help="notation of a settlers game, or the program that wrote it (default: guessed)",
    )
    command.add_argument("--start", metavar="FILE", help="the start position, in HSN or CCN")
    command.add_argument(
        "--record", type=_parse_whole(1, MAX_PLAYOUTS), metavar="N", help="only this record of the file"
    )
    command.add_argument(
        "--to",
        dest="last",
        type=_parse_whole(0, MAX_PLAYOUTS),
        metavar="N",
        help="play only the first N actions",
    )
    command.add_argument(
        "--print",
        action="append",
        default=[],
        dest="printed",
        choices=("board", "svg", *NOTATIONS),
        help="print the position (hsn, board, svg) or the game so far (repeatable)",
    )
    command.add_argument(
        "--dialect", choices=DIALECTS, default="seed", help="dialect of HAN to print (default: seed)"
    )
    _add_seed(command, "sample what the record leaves to chance, such as R? (default: report it as a fault)")
    add_settlers_option(command)
    command.add_argument(
        "--lenient", action="store_true", help="skip illegal actions; accept common misspellings"
    )
    add_json_option(command)


def _parse_seats(text: str) -> tuple[str, ...]:
    seats = _split_seats(text)
    return tuple(seat if seat == "human" else parse_bot_name(seat, "human, ") for seat in seats)


def _parse_bots(text: str) -> tuple[str, ...]:
    """Bots for `simulate`, which no human can play."""
    return tuple(parse_bot_name(seat) for seat in _split_seats(text))


def _split_seats(text: str) -> list[str]:
    """Split at commas; a command in `exec:` with commas stands in quotes: exec:"./bot a,b"."""
    parts, quote = [""], ""
    for character in text:
        if character == "," and not quote:
            parts.append("")
            continue
        if character in "\"'" and parts[-1].lstrip().startswith("exec:"):
            quote = "" if quote == character else quote or character
        parts[-1] += character
    return [_unquote(part.strip()) for part in parts]


def _unquote(seat: str) -> str:
    """`exec:"./bot --fast"` without the quotes around the whole command."""
    prefix, command = seat[:5], seat[5:]
    is_quoted = len(command) > 1 and command[0] == command[-1] and command[0] in "\"'"
    return prefix + command[1:-1] if prefix == "exec:" and is_quoted else seat


def parse_bot_name(text: str, others: str = "") -> str:
    """The text of a bot in its usual form; `others` are the other words that are allowed."""
    from ludograph.bots.specifications import BOTS  # only if there are seats
    from ludograph.programs import parse_player

    try:
        return parse_player(text)
    except ValueError as error:
        is_named = text.partition(":")[0].strip() in (*BOTS, "exec")
        message = str(error) if is_named else f"a seat is {others}{', '.join(BOTS)}, not '{text}'"
        raise argparse.ArgumentTypeError(message) from None


def _add_serve(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "serve",
        "play in the browser: start the server",
        """examples:
  ludograph serve
  ludograph serve --port 8000 --db sqlite:///games.sqlite
  ludograph serve --host 0.0.0.0 --allow-host games.example.org --db postgresql://user@host/games

Without --db, tables are kept in a file in your data folder. The server listens on this computer only
unless --host gives another address; behind a proxy with TLS, name the host that browsers use.""",
    )
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    command.add_argument(
        "--port",
        type=_parse_whole(0, 65535),
        help="the port (default: 8400, or a free one if it is taken); 0 takes a free one",
    )
    command.add_argument("--db", metavar="URL", help="the database: sqlite:///FILE or postgresql://…")
    command.add_argument(
        "--allow-host", action="append", metavar="NAME", help="a name of the server (repeatable)"
    )
    command.add_argument(
        "--rate",
        type=_parse_whole(1, 1_000_000),
        default=20,
        metavar="N",
        help="messages and requests per second that one client may send (default: 20)",
    )
    command.add_argument("--open", action="store_true", help="open a browser")


def _add_lsp(commands: Commands, add_command: AddCommand) -> None:
    add_command(
        commands,
        "lsp",
        "serve an editor: the language server for games",
        """examples:
  ludograph lsp

An editor starts this command and talks to it over standard input and output. docs/editors.md tells how
to set up VS Code and Neovim.""",
    )


def _add_cache(commands: Commands, add_command: AddCommand) -> None:
    command = add_command(
        commands,
        "cache",
        "show or clear the cache of compiled games",
        """examples:
  ludograph cache
  ludograph cache --clear
  LUDOGRAPH_CACHE= ludograph simulate pig        compile without the cache

The cache is in the user's cache folder, or in the folder that LUDOGRAPH_CACHE names. When the cache is
full, the files that were not used for the longest time are removed.""",
    )
    command.add_argument("--clear", action="store_true", help="remove all cached games")
    add_json_option(command)


def _add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="a shipped game (see `ludograph games`) or a file")
    _add_configuration(command)


def _add_configuration(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=_parse_whole(1, 1000), metavar="N", help="number of players")
    command.add_argument(
        "--option",
        "--options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game (repeatable)",
    )
    command.add_argument("--setup", metavar="NAME", help="start with this setup of the game")


def add_scene_options(command: argparse.ArgumentParser) -> None:
    """The options of `render` for games that are drawn as scenes."""
    command.add_argument("--moves", metavar="MOVES", help="play these moves first, separated by `;`")
    command.add_argument(
        "--seat",
        type=_parse_whole(0, 1000),
        metavar="N",
        help="draw what this player sees (default: what everybody sees)",
    )
    command.add_argument("--choices", action="store_true", help="mark what the seat can choose")
    command.add_argument("--frames", action="store_true", help="write one picture for each move")
    command.add_argument("--game", metavar="GAME", help="the game of a saved record (default: by its name)")
    _add_seed(command, "sample chance with this seed (default for games: 0)")
    _add_configuration(command)


def _add_record(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--record",
        metavar="FILE",
        help="where to save the record of a game in which the rules fail (default: fault-GAME.txt); "
        "an existing file is kept, and a number is added to the name",
    )


def _add_position(command: argparse.ArgumentParser, words: str) -> None:
    command.add_argument("--position", metavar="FILE", help=words)


def add_json_option(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="write the result as JSON")


def add_settlers_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option",
        "--options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the settlers game, if the record does not give it (repeatable)",
    )


def _add_seed(command: argparse.ArgumentParser, words: str) -> None:
    command.add_argument("--seed", type=_parse_whole(0, 2**64 - 1), metavar="S", help=words)


def _parse_whole(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers in a range."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 25 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {least} to {most}, found '{text}'"
            )
        return int(text)

    return read
