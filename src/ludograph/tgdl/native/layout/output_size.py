"""How many values are written about a block: in views, JSON and bytes."""

from struct import unpack_from

from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.world.output_size import written_values


class OutputSize:
    """Counts the values of the blocks of one layout. Instances of related constructs count as the widest."""

    def __init__(self, plan: Plan) -> None:
        self._families = tuple(
            (family.count_at, max(written_values(plan.world, kind) for kind in family.kinds))
            for family in plan.families
        )
        self.largest = sum(
            family.capacity * values
            for family, (_, values) in zip(plan.families, self._families, strict=True)
        )
        """The values of a block in which no family can grow."""

    def of(self, block: bytes) -> int:
        return sum(unpack_from("<i", block, at)[0] * values for at, values in self._families)
