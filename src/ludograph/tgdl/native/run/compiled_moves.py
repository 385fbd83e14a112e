"""Compiled moves: a move is parsed from its text once and played on the native engine many times.

Only names with a fixed meaning can be compiled: numbers, enum members, players, tiles, states with fixed
owners, and actions of the game, of a tile or of the player's own state. The reference engine parses every
other text. A compiled move need not be legal: each choice is checked when the move is played.
"""

import ctypes
import re
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludograph.play import Choice, Kind, split_move
from ludograph.play.choices import ChoiceValue as PlainValue
from ludograph.play.choices import MoveWord
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
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, TableType, Type
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.values import format_number

MAX_KEPT = 100_000
_STATE = re.compile(r"(\w+)\[(\d+)\]")


class _Unknown(Exception):
    """A name without a fixed meaning."""


@dataclass(frozen=True, slots=True)
class Change:
    """A condition on a move: the change of a number in a table of the active player's own state."""

    construct: str
    attribute: str
    key: int
    amount: float


@dataclass(frozen=True, slots=True)
class CompiledMove:
    """A move, with the choices of chance in it."""

    compiler: "MoveCompiler"
    """The compiler that made it."""
    words: tuple[int, ...]
    """The choices of the player; the action has no player in it."""
    questions: tuple[int, ...]
    """The question that each of these choices answers."""
    chance_words: tuple[int, ...]
    """The given choices of chance."""
    needs_seat_order: bool
    """Whether the move is valid only where state number n belongs to player n."""
    packed: bytes
    """The choices and questions, packed for a call between transactions."""
    request: int
    """The request word for the active player."""
    prepared: object
    """The request word as a C argument, which needs no conversion in a call."""
    own_count: int
    """The number of choices of the player."""
    draws: bool
    """Whether a generator draws the choices of chance."""
    without_stop: "CompiledMove | None" = None
    """The same move without the end of its list: a full list does not ask for an end."""
    fast_compiler: "MoveCompiler | None" = None
    """The compiler, if the move can take the fast path, which has no generator."""
    words_by_player: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False)
    """A cache of `words_for`."""

    def request_for(self, player: int) -> int:
        return self.request + (player - ACTIVE << 42)

    def script(self, player: int | None) -> bytes:
        """A part of a `Script`: this move, by a player or by the active one."""
        request = self.request if player is None else self.request_for(player)
        return struct.pack("<q", request) + self.packed

    def chance_text(self, word: int, enum: str | None) -> str:
        """An outcome of chance as text: a number, or a member of an enum."""
        return self.compiler.chance_text(word, enum)

    def words_for(self, player: int) -> tuple[int, ...]:
        """All choices of the move when a player makes it."""
        found = self.words_by_player.get(player)
        if found is None:
            first, *rest = self.words
            this = player + 1 if first >> 32 == OWN else first >> 32
            opener = (first & 0xFFFFFFFF) | player << 16 | this << 32
            found = self.words_by_player[player] = (opener, *rest, *self.chance_words)
        return found


@dataclass(frozen=True, slots=True)
class Script:
    """A sequence of moves, joined from the scripts of compiled moves only."""

    compiler: "MoveCompiler"
    packed: bytes


class MoveCompiler:
    """Compiles the moves of one engine. Its cache is mutable."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.plan = engine.plan
        self.world = engine.world
        program = self.world.program
        nodes = list(walk((program.actions, program.verbs, program.turns)))
        self._board_is_fixed = not any(
            isinstance(node, p.Apply) and node.operation.facts.changes_board
            for node in (*nodes, *walk(program.setups))
        )
        self._owners_are_fixed = not _transfers_state(nodes)
        self.setup_transfers_states = _transfers_state(walk(program.setups))
        """Whether a setup may give states to other players."""
        self.extras: dict[str, Any] = {}
        """Data that callers attach to the compiled moves, by name."""
        self._tiles: dict[str, tuple[Family, int]] | None = None
        self._tiles_by_number: dict[tuple[int, int], tuple[Instance, str]] | None = None
        self._cache: dict[tuple[str, tuple[str | None, ...], Change | None], CompiledMove | None] = {}
        names = {offer.action: program.actions[offer.action].name for offer in self.world.offers}
        self._name_counts = Counter(names.values())
        self._action_indexes = {name: action_index for action_index, name in names.items()}

    def compile(
        self, text: str, given: tuple[str | None, ...] = (), change: Change | None = None
    ) -> CompiledMove | None:
        """Compile the text of a move; None if a name in it has no fixed meaning.

        `given` has the outcomes of chance in the move; None for an outcome that a generator draws.
        """
        key = (text, given, change)
        if key not in self._cache:
            if len(self._cache) >= MAX_KEPT:
                self._cache.clear()
            try:
                self._cache[key] = self._compile(text, given, change)
            except (_Unknown, ValueError):
                self._cache[key] = None
        return self._cache[key]

    def _compile(self, text: str, given: tuple[str | None, ...], change: Change | None) -> CompiledMove:
        first, *rest = split_move(text)
        action, opener, needs_seat_order = self._opener(first)
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
            needs_seat_order = needs_seat_order or is_state
        forced = tuple(self.chance_word(each) for each in given if each is not None)
        if forced and len(forced) != len(given):
            raise _Unknown
        without_stop: CompiledMove | None = None
        ends = [place for place, word in enumerate(rest, 1) if word.kind is Kind.STOP]
        if len(ends) == 1:
            end = ends[0]
            shorter = words[:end] + words[end + 1 :], questions[:end] + questions[end + 1 :]
            without_stop = self._build(
                *shorter, forced, given, change, needs_seat_order=needs_seat_order, without_stop=None
            )
        return self._build(
            words,
            questions,
            forced,
            given,
            change,
            needs_seat_order=needs_seat_order,
            without_stop=without_stop,
        )

    def _build(
        self,
        words: list[int],
        questions: list[int],
        forced: tuple[int, ...],
        given: tuple[str | None, ...],
        change: Change | None,
        *,
        needs_seat_order: bool,
        without_stop: CompiledMove | None,
    ) -> CompiledMove:
        own, count = len(words), len(words) + len(forced)
        everything = (*words, *forced, *questions, *(ANY,) * len(forced))
        packed = struct.pack(f"<{2 * count}q", *everything)
        draws = bool(given) and not forced
        request = request_of(0, own, count, ACTIVE, draws=draws)
        if change is not None:
            column = self.find_number_column(change.construct, change.attribute, change.key)
            if column is None:
                raise _Unknown
            packed += struct.pack("<qqd", *column, change.amount)
            request |= WATCHES
            needs_seat_order = True
        prepared = ctypes.c_int64.from_param(request)
        answered, fast = tuple(questions), None if draws else self
        return CompiledMove(
            self,
            tuple(words),
            answered,
            forced,
            needs_seat_order,
            packed,
            request,
            prepared,
            own,
            draws,
            without_stop,
            fast,
        )

    def _opener(self, word: MoveWord) -> tuple[p.Action, int, bool]:
        receiver, _, name = word.text.rpartition(".")
        if word.kind is not None or word.name is not None or self._name_counts[name] != 1:
            raise _Unknown
        action_index = self._action_indexes[name]
        action = self.world.program.actions[action_index]
        if parts_offered(self.world, action_index):
            raise _Unknown
        if action.owner is None:
            if receiver:
                raise _Unknown
            return action, action_index, False
        family = self.plan.family(action.owner)
        if family.kind is p.ConstructKind.TILE:
            own, number = self._tile(receiver)
            if own is not family:
                raise _Unknown
            return action, action_index | number + 1 << 32, False
        if (
            family.kind is not p.ConstructKind.LOCAL
            or receiver
            or not self._owners_are_fixed
            or family.is_mixed
        ):
            raise _Unknown
        return action, action_index | OWN << 32, True

    def _choice(self, known: p.Input, word: MoveWord) -> int:
        if known.is_picked:
            if word.kind is Kind.STOP:
                return STOP_CHOICE
            if word.kind is not Kind.PICK and not (word.kind is Kind.ADD and known.is_multiset):
                raise _Unknown
            return self._value(known.element, word.text)
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
                return _encode_number(text)
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
            if family.is_mixed or state[1] != family.name or not self._owners_are_fixed:
                raise _Unknown
            return number
        family, number = self._tile(text)
        if family not in families:
            raise _Unknown
        return family.index << 32 | number if len(families) > 1 else number

    def _tile(self, name: str) -> tuple[Family, int]:
        if self._tiles is None:
            self._tiles = self._name_tiles() if self._board_is_fixed else {}
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

    # Decompiling

    def name_choices(
        self, player: int, words: tuple[int, ...], *, in_order: bool
    ) -> tuple[Choice, ...] | None:
        """The choices of a complete move between transactions; None if a name has no fixed meaning.

        `in_order`: state number n belongs to player n.
        """
        _, action_index, number = decode_opener(words[0])
        action = self.world.program.actions[action_index]
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
        if self._name_counts[action.name] != 1 or parts_offered(self.world, action.index):
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
        """A state whose owner never changes."""
        start = self.world.start
        assert start is not None
        if (
            family.kind is not p.ConstructKind.LOCAL
            or family.is_mixed
            or not (in_order and self._owners_are_fixed)
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
        if self._tiles_by_number is None:
            start = self.world.start
            assert start is not None
            names = Run(self.world, start).topology.name if self._board_is_fixed else {}
            self._tiles_by_number = {
                (self.plan.family_of_kind[tile.kind.index].index, self.plan.number_of(start, tile)): (
                    tile,
                    name,
                )
                for tile, name in names.items()
            }
        found = self._tiles_by_number.get((family.index, number))
        if found is None:
            raise _Unknown
        return found

    # Chance

    def chance_word(self, text: str) -> int:
        """Parse an outcome of chance: a number, or a member of the only enum that has it."""
        if text[:1].isdigit():
            return _encode_number(text)
        everybody = (member for members in self.world.members.values() for member in members)
        found = {int(member) for member in everybody if member.name == text}
        if len(found) != 1:
            raise _Unknown
        return found.pop()

    def chance_text(self, word: int, enum: str | None) -> str:
        """An outcome of chance as text: a number, or a member of an enum."""
        if enum is None:
            (number,) = struct.unpack("<d", struct.pack("<q", word))
            return format_number(number)
        return str(self.world.members[enum][word].name)

    # Seats

    def has_seats_in_order(self, block: bytes) -> bool:
        """Whether state number n of each construct belongs to player n."""
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

    def find_number_column(self, construct: str, attribute: str, key: int) -> tuple[int, int] | None:
        """The offset of a number in the table of the first instance, and the stride between instances."""
        family = self.plan.family(construct)
        kind = family.kinds[0]
        names = [known.name for known in kind.construct.attributes]
        column: Any = family.columns.get(self.plan.column_key(kind, names.index(attribute)))
        if family.is_mixed or not isinstance(column.type, TableType):
            return None
        if column.type.value is not Basic.DECIMAL:
            return None
        return column.offset + 8 * key, column.stride


def _transfers_state(nodes: Iterable[Any]) -> bool:
    """Whether a node may give a state to another player."""
    return any(
        isinstance(node, p.Attach) or (isinstance(node, p.Apply) and node.operation.facts.changes_owner)
        for node in nodes
    )


def _encode_number(text: str) -> int:
    number = float(text)
    if format_number(number) != text:
        raise _Unknown
    return word_of_number(number)
