"""Phrases: moves read from their texts once, to be made on the native engine many times.

Only names that mean the same all the game are read: numbers, members, players, tiles, states that keep their
owners, and actions of the game, of a tile or of the player's own state. For every other text there is no
phrase, and the reference engine reads it. A phrase is no promise: each choice is checked when it is made.
"""

import ctypes
import re
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludograph.play import Choice, Kind, split_move
from ludograph.play.choices import MoveWord
from ludograph.play.choices import Value as PlainValue
from ludograph.tgdl import program as p
from ludograph.tgdl.native.layout.choice_words import (
    NONE_CHOICE,
    STOP_CHOICE,
    decode_opener,
    number_of_word,
    parts_offered,
    word_of_number,
)
from ludograph.tgdl.native.layout.interface import ACTIVE, ANY, OWN, WATCHES, request_of
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.values import format_number

MOST_KEPT = 100_000
_STATE = re.compile(r"(\w+)\[(\d+)\]")


class _Unknown(Exception):
    """A word that has no fixed meaning."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a move must do to a number in a table of the active player's own state, or it is not meant."""

    construct: str
    attribute: str
    key: int
    amount: float


@dataclass(frozen=True, slots=True)
class CompiledMove:
    """A move with what chance gives in it."""

    phrases: "MoveCompiler"
    """Where it was read."""
    words: tuple[int, ...]
    """The choices of the player; an action without who starts it."""
    questions: tuple[int, ...]
    """Which question each of them answers."""
    given: tuple[int, ...]
    """What chance gives."""
    by_seat: bool
    """It holds only where states belong to the players in their order."""
    packed: bytes
    """All as one call takes it, between transactions."""
    request: int
    """For the active player."""
    prepared: object
    """The same, as a call takes it without a conversion."""
    own: int
    """How many choices are the player's."""
    draws: bool
    """Whether chance draws what it gives."""
    full: "CompiledMove | None" = None
    """The same without the end of its list, which nobody asks for where the list is full."""
    brief_in: "MoveCompiler | None" = None
    """Where it can be said the shortest way, which has no generator at hand."""
    opened: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False)
    """All choices, when a player makes them."""

    def request_by(self, player: int) -> int:
        return self.request + (player - ACTIVE << 42)

    def script(self, player: int | None) -> bytes:
        """As a part of a `Script`, for a player or the one whose turn it is."""
        request = self.request if player is None else self.request_by(player)
        return struct.pack("<q", request) + self.packed

    def chance_text(self, word: int, enum: str | None) -> str:
        """An outcome as a text: a number, or a member of an enum."""
        return self.phrases.chance_text(word, enum)

    def made_by(self, player: int) -> tuple[int, ...]:
        found = self.opened.get(player)
        if found is None:
            first, *rest = self.words
            this = player + 1 if first >> 32 == OWN else first >> 32
            opener = (first & 0xFFFFFFFF) | player << 16 | this << 32
            found = self.opened[player] = (opener, *rest, *self.given)
        return found


@dataclass(frozen=True, slots=True)
class Script:
    """Moves one after the other, put together from the scripts of phrases. Nothing else may be in it."""

    phrases: "MoveCompiler"
    """Where the phrases were read."""
    packed: bytes


class MoveCompiler:
    """The phrases of one engine. Mutable: what was read is kept."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.plan = engine.plan
        self.world = engine.world
        program = self.world.program
        nodes = list(walk((program.actions, program.verbs, program.turns)))
        self._boards_stay = not any(
            isinstance(node, p.Apply) and node.operation.facts.changes_board
            for node in (*nodes, *walk(program.setups))
        )
        self._owners_stay = not _hands_on(nodes)
        self.setup_hands_on = _hands_on(walk(program.setups))
        """Whether a setup may give states to other players."""
        self.kept: dict[str, Any] = {}
        """For whoever makes more of phrases: what belongs to them, by a name."""
        self._tiles: dict[str, tuple[Family, int]] | None = None
        self._numbered: dict[tuple[int, int], tuple[Instance, str]] | None = None
        self._known: dict[tuple[str, tuple[str | None, ...], Change | None], CompiledMove | None] = {}
        names = {offer.deed: program.actions[offer.deed].name for offer in self.world.offers}
        self._same_name = Counter(names.values())
        self._deeds = {name: deed for deed, name in names.items()}

    def read(
        self, text: str, given: tuple[str | None, ...] = (), change: Change | None = None
    ) -> CompiledMove | None:
        """The phrase that a text means, chance giving that (None: what it draws); None if there is none."""
        key = (text, given, change)
        if key not in self._known:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            try:
                self._known[key] = self._phrase(text, given, change)
            except (_Unknown, ValueError):
                self._known[key] = None
        return self._known[key]

    def _phrase(self, text: str, given: tuple[str | None, ...], change: Change | None) -> CompiledMove:
        first, *rest = split_move(text)
        action, opener, by_seat = self._opener(first)
        inputs: dict[str, list[p.Input]] = {}
        for node in walk(action):
            if isinstance(node, p.Input):
                inputs.setdefault(node.name, []).append(node)
        words, questions = [opener], [ANY]
        for word in rest:
            found = inputs.get(word.name or "", [])
            if len(found) != 1:
                raise _Unknown
            known = found[0]
            is_state = isinstance(known.type, ConstructType) and _STATE.fullmatch(word.text) is not None
            words.append(self._choice(known, word))
            questions.append(self.engine.unit.number_of_input(known))
            by_seat = by_seat or is_state
        forced = tuple(self.chance_word(each) for each in given if each is not None)
        if forced and len(forced) != len(given):
            raise _Unknown
        full: CompiledMove | None = None
        ends = [place for place, word in enumerate(rest, 1) if word.kind is Kind.STOP]
        if len(ends) == 1:
            without = (
                words[: ends[0]] + words[ends[0] + 1 :],
                questions[: ends[0]] + questions[ends[0] + 1 :],
            )
            full = self._made(*without, forced, given, change, by_seat=by_seat, full=None)
        return self._made(words, questions, forced, given, change, by_seat=by_seat, full=full)

    def _made(
        self,
        words: list[int],
        questions: list[int],
        forced: tuple[int, ...],
        given: tuple[str | None, ...],
        change: Change | None,
        *,
        by_seat: bool,
        full: CompiledMove | None,
    ) -> CompiledMove:
        own, count = len(words), len(words) + len(forced)
        everything = (*words, *forced, *questions, *(ANY,) * len(forced))
        packed = struct.pack(f"<{2 * count}q", *everything)
        draws = bool(given) and not forced
        request = request_of(0, own, count, ACTIVE, draws=draws)
        if change is not None:
            place = self.watch(change.construct, change.attribute, change.key)
            if place is None:
                raise _Unknown
            packed += struct.pack("<qqd", *place, change.amount)
            request |= WATCHES
            by_seat = True
        prepared = ctypes.c_int64.from_param(request)
        asked, brief = tuple(questions), None if draws else self
        return CompiledMove(
            self, tuple(words), asked, forced, by_seat, packed, request, prepared, own, draws, full, brief
        )

    def _opener(self, word: MoveWord) -> tuple[p.Action, int, bool]:
        receiver, _, name = word.text.rpartition(".")
        if word.kind is not None or word.name is not None or self._same_name[name] != 1:
            raise _Unknown
        deed = self._deeds[name]
        action = self.world.program.actions[deed]
        if parts_offered(self.world, deed):
            raise _Unknown
        if action.owner is None:
            if receiver:
                raise _Unknown
            return action, deed, False
        family = self.plan.family(action.owner)
        if family.kind is p.ConstructKind.TILE:
            own, number = self._tile(receiver)
            if own is not family:
                raise _Unknown
            return action, deed | number + 1 << 32, False
        if family.kind is not p.ConstructKind.LOCAL or receiver or not self._owners_stay or family.is_mixed:
            raise _Unknown
        return action, deed | OWN << 32, True

    def _choice(self, known: p.Input, word: MoveWord) -> int:
        if isinstance(known.type, ListType):
            if word.kind is Kind.STOP:
                return STOP_CHOICE
            if word.kind is not Kind.PICK:
                raise _Unknown
            return self._value(known.type.element, word.text)
        if word.kind is not None:
            raise _Unknown
        if word.text == "none":
            if not known.optional:
                raise _Unknown
            return NONE_CHOICE
        return self._value(known.type, word.text)

    def _value(self, type: Type, text: str) -> int:
        match type:
            case Basic.DECIMAL:
                return _number(text)
            case Basic.BOOL if text in ("false", "true"):
                return int(text == "true")
            case Basic.PLAYER if text.isascii() and text.isdigit() and str(int(text)) == text:
                return int(text)
            case EnumType(name):
                members = [int(each) for each in self.world.members[name] if each.name == text]
                if len(members) == 1:
                    return members[0]
            case ConstructType():
                return self._thing(type, text)
            case _:
                pass
        raise _Unknown

    def _thing(self, type: ConstructType, text: str) -> int:
        families = self.plan.families_of(type.name)
        state = _STATE.fullmatch(text)
        if state is not None and len(families) == 1 and families[0].kind is p.ConstructKind.LOCAL:
            family, number = families[0], int(state[2])
            if family.is_mixed or state[1] != family.name or not self._owners_stay:
                raise _Unknown
            return number
        family, number = self._tile(text)
        if family not in families:
            raise _Unknown
        return family.index << 32 | number if len(families) > 1 else number

    def _tile(self, name: str) -> tuple[Family, int]:
        if self._tiles is None:
            self._tiles = self._name_tiles() if self._boards_stay else {}
        if name not in self._tiles:
            raise _Unknown
        return self._tiles[name]

    def _name_tiles(self) -> dict[str, tuple[Family, int]]:
        start = self.world.start
        assert start is not None
        names = Run(self.world, start).topology.name
        often = Counter(names.values())
        return {
            name: (self.plan.family_of_kind[tile.kind.index], self.plan.number_of(start, tile))
            for tile, name in names.items()
            if often[name] == 1
        }

    # Back

    def named(self, player: int, words: tuple[int, ...], *, in_order: bool) -> tuple[Choice, ...] | None:
        """The choices of a complete move between transactions; None if names may change in the game.

        `in_order` says that states belong to the players in their order.
        """
        _, deed, number = decode_opener(words[0])
        action = self.world.program.actions[deed]
        inputs = [known for known in action.inputs if known.mode is p.InputMode.ASKED]
        if len(inputs) != len(words) - 1 or any(known.optional for known in inputs):
            return None
        try:
            found = [self._named_opener(player, action, number, in_order=in_order)]
            for known, word in zip(inputs, words[1:], strict=True):
                value, text = self._named_value(known.type, word, in_order=in_order)
                found.append(Choice(player, Kind.INPUT, known.name, value, text))
        except _Unknown:
            return None
        return tuple(found)

    def _named_opener(self, player: int, action: p.Action, number: int, *, in_order: bool) -> Choice:
        if self._same_name[action.name] != 1 or parts_offered(self.world, action.index):
            raise _Unknown
        if action.owner is None:
            return Choice(player, Kind.ACTION, action.name, (action.index, -1, 0), action.name)
        family = self.plan.family(action.owner)
        if family.kind is p.ConstructKind.TILE:
            tile, name = self._tile_by_number(family, number)
            code, text = (action.index, tile.number, 0), f"{name}.{action.name}"
            return Choice(player, Kind.ACTION, action.name, code, text)
        code = (action.index, self._state(family, number, in_order=in_order).number, 0)
        return Choice(player, Kind.ACTION, action.name, code, action.name)

    def _state(self, family: Family, number: int, *, in_order: bool) -> Instance:
        """A state that has been a player's from the beginning."""
        start = self.world.start
        assert start is not None
        if (
            family.kind is not p.ConstructKind.LOCAL
            or family.is_mixed
            or not (in_order and self._owners_stay)
        ):
            raise _Unknown
        members = start.families[family.kinds[0].index]
        if not number < len(members) == self.world.players > 1:
            raise _Unknown
        return members[number]

    def _named_value(self, type: Type, word: int, *, in_order: bool) -> tuple[PlainValue, str]:
        match type:
            case Basic.DECIMAL:
                number = number_of_word(word, "number")
                return number, format_number(number)
            case Basic.BOOL:
                return bool(word), "true" if word else "false"
            case Basic.PLAYER:
                return word, str(word)
            case EnumType(name):
                return word, str(self.world.members[name][word].name)
            case ConstructType(name):
                families = self.plan.families_of(name)
                if len(families) == 1 and families[0].kind is p.ConstructKind.TILE:
                    tile, text = self._tile_by_number(families[0], word)
                    return tile.number, text
                if len(families) == 1:
                    state = self._state(families[0], word, in_order=in_order)
                    return state.number, f"{state.kind.name}[{word}]"
            case _:
                pass
        raise _Unknown

    def _tile_by_number(self, family: Family, number: int) -> tuple[Instance, str]:
        if self._numbered is None:
            start = self.world.start
            assert start is not None
            names = Run(self.world, start).topology.name if self._boards_stay else {}
            self._numbered = {
                (self.plan.family_of_kind[tile.kind.index].index, self.plan.number_of(start, tile)): (
                    tile,
                    name,
                )
                for tile, name in names.items()
            }
        found = self._numbered.get((family.index, number))
        if found is None:
            raise _Unknown
        return found

    # Chance

    def chance_word(self, text: str) -> int:
        """An outcome by its text: a number, or a member of the one enum that has it."""
        if text[:1].isdigit():
            return _number(text)
        everybody = (member for members in self.world.members.values() for member in members)
        found = {int(member) for member in everybody if member.name == text}
        if len(found) != 1:
            raise _Unknown
        return found.pop()

    def chance_text(self, word: int, enum: str | None) -> str:
        """An outcome as a text: a number, or a member of an enum."""
        if enum is None:
            (number,) = struct.unpack("<d", struct.pack("<q", word))
            return format_number(number)
        return str(self.world.members[enum][word].name)

    # States in the order of the players

    def has_seats_in_order(self, block: bytes) -> bool:
        """Whether the first state of each kind belongs to the first player, and so on."""
        for family in self.plan.families:
            if family.kind is not p.ConstructKind.LOCAL or family.is_mixed:
                continue
            column = family.columns["owner"]
            (count,) = struct.unpack_from("<i", block, family.count_at)
            for number in range(count):
                at = column.offset + number * column.stride
                owner = int.from_bytes(block[at : at + column.stride], "little", signed=True)
                if owner != number:
                    return False
        return True

    def watch(self, construct: str, attribute: str, key: int) -> tuple[int, int] | None:
        """Where blocks keep a number of a table of each thing: that of the first, and how far the next is."""
        family = self.plan.family(construct)
        kind = family.kinds[0]
        names = [known.name for known in kind.construct.attributes]
        column: Any = family.columns.get(self.plan.column_key(kind, names.index(attribute)))
        if family.is_mixed or not isinstance(column.type, TableType):
            return None
        if column.type.value is not Basic.DECIMAL:
            return None
        return column.offset + 8 * key, column.stride


def _hands_on(nodes: Iterable[Any]) -> bool:
    """Whether some of the nodes may give a state to another player."""
    return any(
        isinstance(node, p.Attach) or (isinstance(node, p.Apply) and node.operation.facts.changes_owner)
        for node in nodes
    )


def _number(text: str) -> int:
    number = float(text)
    if format_number(number) != text:
        raise _Unknown
    return word_of_number(number)
