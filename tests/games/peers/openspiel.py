"""OpenSpiel's games beside ours: the same legal moves at every step of a random game, and the same result.

A `Peer` says how one of its games is read: which of its actions, alone or one after the other, make which of
our moves. Where its rules are others, the peer says by which mark that is seen; the comparison of that game
then stops with the name of the difference. Everything else that differs is an error.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from ludograph.play.generator import Generator
from ludograph.tgdl.game.game import State
from tests.games.shipped import load

SAME = "played to the end"

Theirs = Any
"""A state of OpenSpiel, which has no types."""
Actions = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Peer:
    """A game of OpenSpiel without chance, and how to read it."""

    game: str
    moves: Callable[[Theirs], Mapping[str, Actions]]
    """Its complete legal moves by the text that they have with us, each with the actions that make it."""
    seats: tuple[int, int] = (0, 1)
    """Our number of its players."""
    difference: Callable[[State, Theirs], str] = lambda ours, theirs: ""
    """The name of a difference of the rules that shows in these states, if there is one."""


def compare(name: str, peer: Peer, seed: int) -> str:
    """Play one random game on both sides; the answer is SAME or the difference that stopped it."""
    ours = load(name).new()
    theirs = pyspiel.load_game(peer.game).new_initial_state()
    generator = Generator(seed)
    while not (difference := peer.difference(ours, theirs)):
        assert bool(ours.asked) != theirs.is_terminal(), f"only one goes on after\n{theirs}"
        if theirs.is_terminal():
            assert ours.result is not None
            returns = theirs.returns()
            assert ours.result.text == outcome([returns[seat] for seat in peer.seats])
            return SAME
        assert ours.asked == (peer.seats[theirs.current_player()],)
        moves = {move.text: move for move in ours.legal_moves}
        others = peer.moves(theirs)
        assert sorted(moves) == sorted(others), f"after\n{theirs}"
        text = sorted(moves)[generator.below(len(moves))]
        ours.push(moves[text])
        for action in others[text]:
            theirs.apply_action(action)
    return difference


def count(peer: Peer, theirs: Theirs, depth: int) -> int:
    """The sequences of so many moves, as it counts them."""
    if depth == 0 or theirs.is_terminal():
        return int(depth == 0)
    total = 0
    for actions in peer.moves(theirs).values():
        child = theirs.clone()
        for action in actions:
            child.apply_action(action)
        total += count(peer, child, depth - 1)
    return total


def count_from_start(peer: Peer, depth: int) -> int:
    return count(peer, pyspiel.load_game(peer.game).new_initial_state(), depth)


def outcome(returns: Sequence[float]) -> str:
    """Who has most, in our words: how much that is, is counted differently."""
    most = max(returns)
    return "draw" if returns.count(most) > 1 else f"win {returns.index(most)}"


def one_by_one(translate: Callable[[str], str]) -> Callable[[Theirs], Mapping[str, Actions]]:
    """Every action is a move, and its text is translated."""
    return lambda theirs: {translate(text): (action,) for text, action in texts(theirs).items()}


def texts(theirs: Theirs) -> dict[str, int]:
    return {theirs.action_to_string(action): action for action in theirs.legal_actions()}


def after(theirs: Theirs, action: int) -> Theirs:
    child = theirs.clone()
    child.apply_action(action)
    return child


def written(action: str, inputs: Sequence[str]) -> str:
    return f"{action}({', '.join(inputs)})" if inputs else action


# Tic-tac-toe: x(0,2); Connect Four: x3; Breakthrough: a7a6, black begins above; Hex: c4, x begins


def tic_tac_toe(text: str) -> str:
    return re.sub(r"[xo]\((.),(.)\)", r"grid[\1][\2].mark", text)


def connect_four(theirs: Theirs) -> Mapping[str, Actions]:
    rows = str(theirs).split()
    lowest = {
        column: max(row for row in range(6) if rows[row][column] == ".") for column in theirs.legal_actions()
    }
    return {f"grid[{row}][{column}].drop": (column,) for column, row in lowest.items()}


def breakthrough(text: str) -> str:
    start, end = (f"{square[0]}{9 - int(square[1])}" for square in (text[:2], text[2:4]))
    return f"{start}.step(to: {end})"


def hexes(text: str) -> str:
    return f"grid[{int(text[1:]) - 1}][{'abcdefghijk'.index(text[0])}].claim"


# Othello: c4, counted from above, black begins with e4 and d5 as with us; a pass is an action


def othello(theirs: Theirs) -> Mapping[str, Actions]:
    found: dict[str, Actions] = {}
    for text, action in texts(theirs).items():
        child = after(theirs, action)
        passes = not child.is_terminal() and list(texts(child)) == ["pass"]
        found[f"{text}.place"] = (action, *child.legal_actions()) if passes else (action,)
    return found


# Draughts: c3e5, a jump of several is one action after the other


def draughts(theirs: Theirs) -> Mapping[str, Actions]:
    found: dict[str, Actions] = {}

    def follow(state: Theirs, path: list[str], actions: Actions) -> None:
        for text, action in texts(state).items():
            start, end = text[:2], text[2:4]
            if abs(int(start[1]) - int(end[1])) == 1:
                found[f"{start}.step(to: {end})"] = (action,)
                continue
            child = after(state, action)
            way, made = [*(path or [start]), end], (*actions, action)
            if not child.is_terminal() and child.current_player() == state.current_player():
                follow(child, way, made)
            else:
                found[written(f"{way[0]}.jump", [f"to: {square}" for square in way[1:]])] = made

    follow(theirs, [], ())
    return found


def draughts_difference(ours: State, theirs: Theirs) -> str:
    is_drawn = theirs.is_terminal() and theirs.returns() == [0, 0]
    return "40 moves without a capture are a draw there" if is_drawn else ""


# Chess: the second player is white


def chess(theirs: Theirs) -> Mapping[str, Actions]:
    found: dict[str, Actions] = {}
    board = theirs.board()
    for text, action in texts(theirs).items():
        move = pyspiel.chess.action_to_move(action, board).to_lan()
        start, end, kind = move[:2], move[2:4], move[4:]
        if text.startswith("O-O"):
            found[f"{start}.castle(side: {6 if text.startswith('O-O-O') else 2})"] = (action,)
        else:
            promotion = f", promotion: {PROMOTIONS[kind]}" if kind else ""
            found[f"{start}.play(to: {end}{promotion})"] = (action,)
    return found


PROMOTIONS = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


def chess_difference(ours: State, theirs: Theirs) -> str:
    """Neither side can mate: kings alone, with one bishop or knight, or with bishops of one colour."""
    board = str(theirs).partition(" ")[0]
    pieces = re.sub(r"[/\d]", "", board)
    if not theirs.is_terminal() or re.search(r"[pqr]", pieces, re.IGNORECASE):
        return ""
    colours = {
        (rank + file) % 2
        for rank, row in enumerate(re.sub(r"\d", lambda gap: "." * int(gap[0]), board).split("/"))
        for file, letter in enumerate(row)
        if letter in "bB"
    }
    knights = pieces.lower().count("n")
    is_dead = len(pieces) <= 3 or (knights == 0 and len(colours) <= 1)
    return "a draw there by lack of material" if is_dead else ""


# Go: B e5; the columns leave out the i; a board that comes back ends the game there, with us it is not legal


def go(theirs: Theirs) -> Mapping[str, Actions]:
    found: dict[str, Actions] = {}
    for text, action in texts(theirs).items():
        point = text.split()[1]
        if point == "PASS":
            found["stand"] = (action,)
            continue
        child = after(theirs, action)
        if child.is_terminal():
            assert go_board(child) in go_boards(theirs), f"{text} ends the game for another reason"
            continue
        found[f"{'abcdefghi'['abcdefghj'.index(point[0])]}{point[1:]}.play"] = (action,)
    return found


def go_board(theirs: Theirs) -> str:
    return str(theirs).partition("\n")[2]


def go_boards(theirs: Theirs) -> set[str]:
    """All boards of the game up to this one."""
    state = theirs.get_game().new_initial_state()
    boards = {go_board(state)}
    for action in theirs.history():
        state.apply_action(action)
        boards.add(go_board(state))
    return boards


# Kalah: 1 to 6 and 8 to 13


def kalah(text: str) -> str:
    pit = int(text)
    return f"{' abcdef fedcba'[pit]}{1 if pit < 7 else 2}.sow"


# Nine men's morris: Point 5, Move 5 -> 13, and the man to be taken as Point once more

SPOTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def morris(theirs: Theirs) -> Mapping[str, Actions]:
    found: dict[str, Actions] = {}
    for text, action in texts(theirs).items():
        first, *to = (SPOTS[int(number)] for number in re.findall(r"\d+", text))
        verb, inputs = ("slide", [f"to: {to[0]}"]) if to else ("place", [])
        child = after(theirs, action)
        if "Capture time" not in str(child):
            found[written(f"{first}.{verb}", inputs)] = (action,)
            continue
        for taken in child.legal_actions():
            found[written(f"{first}.{verb}", [*inputs, f"taken: {SPOTS[taken]}"])] = (action, taken)
    return found


def morris_difference(ours: State, theirs: Theirs) -> str:
    if not theirs.is_terminal() and ours.result is not None and ours.result.text == "draw":
        table = ours.view(0)["things"]["table"]
        assert table["quiet"] == 100
        return "100 slides without a capture are a draw with us"
    found = re.search(r"Turn number: (\d+)", str(theirs))
    assert found is not None
    return "200 turns are a draw there" if int(found[1]) >= 200 else ""


PEERS = {
    "tic-tac-toe": Peer("tic_tac_toe", one_by_one(tic_tac_toe)),
    "connect-four": Peer("connect_four", connect_four),
    "breakthrough": Peer("breakthrough", one_by_one(breakthrough)),
    "hex": Peer("hex(board_size=11)", one_by_one(hexes)),
    "othello": Peer("othello", othello),
    "draughts": Peer("checkers", draughts, difference=draughts_difference),
    "chess": Peer("chess", chess, seats=(1, 0), difference=chess_difference),
    "go": Peer("go(board_size=9,komi=7.5,max_game_length=100000)", go),
    "kalah": Peer("mancala", one_by_one(kalah)),
    "nine-mens-morris": Peer("nine_mens_morris", morris, difference=morris_difference),
}
