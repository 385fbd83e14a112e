"""The material of a game as plain data: what a drawing needs to know and no position changes.

`Material` describes the kinds of things, their typed attributes, the enums and the actions of a game for its
players and options. A client may receive it once. `Arrangement` describes the board as it is now, because
play may add and remove tiles and links. Neither holds the value of an attribute: values are in views.
"""

from msgspec import Struct


class ValueType(Struct, frozen=True, omit_defaults=True):
    """The type of a value."""

    base: str
    """A basic type of the language (`decimal`, `bool`, …), or `enum`, `thing`, `list` or `table`."""
    name: str = ""
    """The name of the enum, or of the kind of thing."""
    element: "ValueType | None" = None
    """The type of the elements of a list or table."""
    key: "ValueType | None" = None
    """The type of the keys of a table; None if the entries are numbered."""


class AttributeMaterial(Struct, frozen=True, omit_defaults=True):
    """An attribute of a kind of thing."""

    name: str
    type: ValueType
    is_secret: bool = False
    """Whether some players may not see it."""
    is_dice: bool = False
    """Whether its numbers are thrown with `random 6`."""


class KindMaterial(Struct, frozen=True, omit_defaults=True):
    """A kind of thing: a construct of the game."""

    name: str
    role: str
    """`global state`, `local state`, `group state`, `tile`, `interactable`, `stack`, `group` or `board`."""
    ancestors: tuple[str, ...]
    """Its name and the names of the kinds that it is derived from."""
    attributes: tuple[AttributeMaterial, ...] = ()
    """The results of public verbs follow; their names end with `()`."""
    named_by: tuple[str, ...] = ()
    """The attributes that name a thing."""
    holds: str = ""
    """For a tile: the kind of things that stand on it."""
    element: str = ""
    """For a stack: the kind of its cards."""
    is_placeable: bool = False
    is_stackable: bool = False

    def attribute(self, name: str) -> AttributeMaterial | None:
        return next((each for each in self.attributes if each.name == name), None)


class EnumMaterial(Struct, frozen=True):
    name: str
    members: tuple[str, ...]


class InputMaterial(Struct, frozen=True, omit_defaults=True):
    """An input of an action."""

    name: str
    type: ValueType
    is_optional: bool = False


class ActionMaterial(Struct, frozen=True, omit_defaults=True):
    """An action that players choose."""

    name: str
    owner: str = ""
    """The kind of thing that has it; empty for an action of the game."""
    inputs: tuple[InputMaterial, ...] = ()


class Material(Struct, frozen=True, omit_defaults=True):
    """Everything that is known about a game before it starts, for one number of players and options."""

    game: str
    rules: str
    players: int
    enums: tuple[EnumMaterial, ...] = ()
    kinds: tuple[KindMaterial, ...] = ()
    actions: tuple[ActionMaterial, ...] = ()
    has_secrets: bool = False
    """Whether there is anything that not everybody may see."""
    throws_dice: bool = False
    """Whether every number that chance gives in play comes from `random 6`."""

    def kind(self, name: str) -> KindMaterial:
        return next(each for each in self.kinds if each.name == name)

    def members(self, enum: str) -> tuple[str, ...]:
        return next((each.members for each in self.enums if each.name == enum), ())


class TileMaterial(Struct, frozen=True, omit_defaults=True):
    """A tile of a group."""

    name: str
    kind: str
    row: int | None = None
    column: int | None = None
    cells: tuple[tuple[int, int], ...] = ()
    """Its cell, the cells beside a side, or the cells around a corner, some of which may be off the board.

    A square is (column, row), a hexagon (q, r) in axial coordinates. A node of a graph has none.
    """


class GroupMaterial(Struct, frozen=True, omit_defaults=True):
    """A group of tiles."""

    name: str
    shape: str
    """The words of the language: `square`, `hex row`, `adjacency`, `corners`, ..."""
    tiles: tuple[TileMaterial, ...]
    of: str = ""
    """For corners and sides: the group of their cells."""


class LinkMaterial(Struct, frozen=True, omit_defaults=True):
    """A connection between two tiles, or a wall where neighbours are not connected."""

    start: str
    end: str
    is_both_ways: bool = True


class HeldStack(Struct, frozen=True):
    """The holder of a stack, by its name in views, and the name of the stack there."""

    stack: str
    holder: str
    label: str


class Arrangement(Struct, frozen=True, omit_defaults=True):
    """The board as it is now, and the holders of stacks."""

    groups: tuple[GroupMaterial, ...] = ()
    links: tuple[LinkMaterial, ...] = ()
    """The links that no shape implies: those of graphs, those between groups, and added ones."""
    walls: tuple[LinkMaterial, ...] = ()
    """Neighbours that are not linked; not both ways: the link from `start` to `end` is missing."""
    stacks: tuple[HeldStack, ...] = ()
    """Only for things that a view contains: the list itself may name things that a player does not see."""


class ChoiceSubject(Struct, frozen=True):
    """What a choice names."""

    kind: str
    """`thing`, `member` (of an enum) or `player`."""
    name: str
    """The name of the thing in views, `enum.member`, or the number of the player."""
