"""Verifiable luck: everything that chance decides follows from a committed secret and the players' entropy.

Before a game, a server publishes the commitment to its secret. Then the players contribute entropy, and the
seed of the game is a hash of all. Each draw (all choices of chance after a move) has its own generator, so
that nobody can compute later draws from earlier ones. After the game the server publishes the secret.

    >>> secret = bytes(32)
    >>> seed = combine_luck(secret, ["00" * 16])
    >>> draw_generator(seed, 0).below(6) == draw_generator(seed, 0).below(6)
    True
"""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from ludograph.play.choices import CHANCE
from ludograph.play.game import Game, IllegalMove, RulesWrong
from ludograph.play.generator import Generator
from ludograph.play.record import BadRecord, Record, parse_headers

PREFIX = b"ludograph luck 1"


def commit_luck(secret: bytes) -> str:
    """The commitment to a secret: a hash, as hexadecimal digits."""
    return sha256(PREFIX + b" secret" + secret).hexdigest()


def combine_luck(secret: bytes, entropies: Sequence[str]) -> bytes:
    """The seed of a game from the secret and the entropy of each seat, as hexadecimal digits or empty."""
    digest = sha256(PREFIX + b" seed" + len(secret).to_bytes(4, "big") + secret)
    for entropy in entropies:
        data = entropy.encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def draw_generator(seed: bytes, number: int) -> Generator:
    """The generator of a draw; the draws of a game are counted from 0, undone ones too."""
    return Generator(
        int.from_bytes(sha256(PREFIX + b" draw" + seed + number.to_bytes(8, "big")).digest()[:8])
    )


# Records with their luck


class Luck(Struct, frozen=True):
    """What a record says about its luck."""

    commitment: str
    secret: bytes
    entropies: tuple[str, ...]
    draws: tuple[int, ...]
    """The numbers of the draws that count, in the order of the record."""


def add_luck(record: str, secret: str, entropies: Sequence[str], draws: Sequence[int]) -> str:
    """The text of a record with headers for its luck; secret and entropies are hexadecimal digits."""
    lines = (
        f'[Commitment "{commit_luck(bytes.fromhex(secret))}"]',
        f'[Secret "{secret}"]',
        f'[Entropy "{" ".join(entropy or "-" for entropy in entropies)}"]',
        f'[Draws "{" ".join(map(str, draws))}"]',
    )
    return "\n".join(lines) + "\n" + record


def read_luck(text: str) -> Luck:
    """The luck of a record; BadRecord if it has none."""
    headers = parse_headers(text)
    missing = [name for name in ("Commitment", "Secret", "Entropy", "Draws") if name not in headers]
    if missing:
        raise BadRecord(f'the header [{missing[0]} "…"] is missing, so the luck cannot be verified')
    try:
        secret = bytes.fromhex(headers["Secret"])
        draws = tuple(int(number) for number in headers["Draws"].split())
    except ValueError:
        raise BadRecord("the headers Secret and Draws are hexadecimal digits and whole numbers") from None
    if any(number < 0 or number >= 1 << 62 for number in draws):
        raise BadRecord("a draw has no such number")
    entropies = tuple("" if each == "-" else each for each in headers["Entropy"].split())
    return Luck(headers["Commitment"], secret, entropies, draws)


class LuckReport(Struct, frozen=True):
    """Whether the luck of a record is what the secret and the entropy decide."""

    problem: str
    """Empty if everything is as it must be."""
    draws: int
    undone: int
    """Draws that were undone."""


def verify_luck(game: Game, record: Record, luck: Luck) -> LuckReport:
    """Play a record again with the luck that its secret gives, and compare every outcome of chance."""
    undone = max(luck.draws, default=-1) + 1 - len(luck.draws)

    def report(problem: str) -> LuckReport:
        return LuckReport(problem, len(luck.draws), undone)

    if commit_luck(luck.secret) != luck.commitment:
        return report("the secret does not belong to the commitment")
    if list(luck.draws) != sorted(set(luck.draws)):
        return report("the draws are not in order")
    seed = combine_luck(luck.secret, luck.entropies)
    state = game.new(
        players=record.players, options=dict(record.options), setup=record.setup, position=record.position
    )
    draws = list(luck.draws)
    moves = [move for move in record.moves if move.chooser != CHANCE]
    for number in range(len(moves) + 1):
        while state.asked == (CHANCE,):
            if not draws:
                return report(f"after {number} moves chance decided something that has no draw")
            state.sample_chance(draw_generator(seed, draws.pop(0)))
        if number < len(moves):
            move = moves[number]
            try:
                state.push(move.text, move.chooser)
            except (IllegalMove, RulesWrong) as error:
                return report(f"move {number + 1} ({move.text}): {error}")
    for one, other in zip(record.moves, state.record.moves, strict=False):
        if one != other:
            return report(f"chance gave {one.text}, but the secret decides {other.text}")
    if len(record.moves) != len(state.record.moves) or draws:
        return report("the record has more or fewer outcomes of chance than the secret decides")
    return report("")
