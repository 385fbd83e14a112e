"""Which attributes of a program are secret, by the type of the thing that has them."""

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import ConstructType, Type

AttributeKey = tuple[str, int]
"""An attribute: the name of a construct, and a slot."""


class Secrecies(Struct):
    """The secrets of a program. Mutable: it caches results."""

    constructs: dict[str, p.Construct]
    derived: dict[str, list[p.Construct]]
    """Each construct with all constructs derived from it."""
    has_secret_stacks: bool
    _keys: dict[tuple[Type, int], frozenset[AttributeKey]] = field(default_factory=dict)
    _may_be_hidden: dict[AttributeKey, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, program: p.Program) -> "Secrecies":
        constructs = {construct.name: construct for construct in program.constructs}
        derived: dict[str, list[p.Construct]] = {name: [] for name in constructs}
        for construct in program.constructs:
            name, seen = construct.name, set[str]()
            while name in constructs and name not in seen:
                seen.add(name)
                derived[name].append(construct)
                name = constructs[name].base or ""
        return cls(constructs, derived, any(_has_secret_stack(one) for one in program.constructs))

    @property
    def has_secrets(self) -> bool:
        return any(
            one.secrecy is not p.Secrecy.PUBLIC or any(p.is_secret(one, each) for each in one.attributes)
            for one in self.constructs.values()
        )

    def constructs_of(self, type: Type) -> list[p.Construct]:
        """The possible constructs of a thing of a static type."""
        return self.derived.get(type.name, []) if isinstance(type, ConstructType) else []

    def keys_of(self, node: p.AttributeOf) -> frozenset[AttributeKey]:
        """The attributes that a node may read or write."""
        known = self._keys.get((node.target.type, node.slot))
        if known is None:
            known = frozenset((one.name, node.slot) for one in self.constructs_of(node.target.type))
            self._keys[node.target.type, node.slot] = known
        return known

    def may_be_hidden(self, construct: str, slot: int) -> bool:
        """Whether some player may not see an attribute, or the thing itself (a card in a stack)."""
        known = self._may_be_hidden.get((construct, slot))
        if known is None:
            known = any(
                p.is_secret(one, one.attributes[slot]) or (self.has_secret_stacks and one.stackable)
                for one in self.derived.get(construct, ())
            )
            self._may_be_hidden[construct, slot] = known
        return known

    def is_secret(self, construct: str, slot: int) -> bool:
        """Whether some player may not see an attribute of exactly this construct."""
        found = self.constructs[construct]
        return p.is_secret(found, found.attributes[slot])

    def secret_stack(self, node: p.Expression) -> str | None:
        """The construct of the top-level stack that an expression names, if its cards are secret."""
        root, _ = p.table_of_entry(node)
        if not isinstance(root, p.Singleton) or root.construct not in self.constructs:
            return None
        found = self.constructs[root.construct]
        is_secret = found.kind is p.ConstructKind.STACK and found.secrecy is not p.Secrecy.PUBLIC
        return root.construct if is_secret else None

    def describe_stack(self, construct: str) -> str:
        return f"the {self.constructs[construct].secrecy.value} stack '{construct}'"

    def secrecy_of(self, construct: str, slot: int) -> p.Secrecy:
        """The secrecy of an attribute, or of the whole state that it belongs to."""
        found = self.constructs[construct]
        own = found.attributes[slot].secrecy
        return found.secrecy if own is p.Secrecy.PUBLIC else own

    def describe(self, construct: str, slot: int) -> str:
        """An attribute as warnings name it; "" if everybody sees it."""
        attribute, secrecy = self.constructs[construct].attributes[slot], self.secrecy_of(construct, slot)
        if secrecy is not p.Secrecy.PUBLIC:
            return f"the {secrecy.value} '{attribute.name}' of {construct}"
        return f"'{attribute.name}' of {construct}, which only some see," if attribute.visible else ""


def _has_secret_stack(construct: p.Construct) -> bool:
    is_stack = construct.kind is p.ConstructKind.STACK
    return (is_stack and construct.secrecy is not p.Secrecy.PUBLIC) or any(
        each.makes_stack and p.is_secret(construct, each) for each in construct.attributes
    )
