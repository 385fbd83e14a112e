"""Findings: all reasons why a position is impossible, from its data alone.

They correspond to the status flags of a chess library. No game is played: a finding compares the
numbers and places of one position. The documentation of a flag states whether it depends on an option or on
the standard set.
"""

from typing import TYPE_CHECKING

from ludograph.settlers.findings.facts import read_facts
from ludograph.settlers.findings.flags import Finding, Flag
from ludograph.settlers.findings.hands import find_in_awards, find_in_hands, find_in_income
from ludograph.settlers.findings.island import find_in_island
from ludograph.settlers.findings.pieces import find_in_pieces
from ludograph.settlers.findings.turn import find_in_turn

if TYPE_CHECKING:
    from ludograph.settlers.position import Position

__all__ = ["Finding", "Flag", "find_in_island", "find_in_position"]

FAULTY_NUMBERS = frozenset(
    {Flag.TILE_TWICE, Flag.NUMBER_TWICE, Flag.NUMBER_MISSING, Flag.NUMBER_MISPLACED, Flag.NUMBER_IMPOSSIBLE}
)
"""With one of these flags the production of a roll is undefined."""


def find_in_position(position: "Position", *, strict: bool = False) -> tuple[Finding, ...]:
    """Every finding about a position: island, pieces, hands, awards, turn, in this order."""
    facts = read_facts(position)
    island = find_in_island(position.island, strict=strict)
    are_numbers_sound = FAULTY_NUMBERS.isdisjoint(finding.flag for finding in island)
    return (
        *island,
        *find_in_pieces(facts),
        *find_in_hands(facts),
        *(find_in_income(facts) if are_numbers_sound else ()),
        *find_in_awards(facts),
        *find_in_turn(facts),
    )
