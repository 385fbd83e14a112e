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

from ludograph.play.generator import Generator

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
