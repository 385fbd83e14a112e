"""One world on both engines: every operation runs on both, and the results are compared.

A `Twin` never plays by itself. Whoever plays shows it a memory and the choices made since; it runs them on
both engines and raises a `Difference` if anything is not the same: who is asked, what is offered and in which
order, how a run ends, every cell of the memory, codes of faults.
"""

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludograph.tgdl.game.game import Fault
from ludograph.tgdl.game.state_bytes import encode_state
from ludograph.tgdl.native.ir.nodes import F64, I64
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE, encode_opener
from ludograph.tgdl.native.layout.encoding import pack, players_in, unpack
from ludograph.tgdl.native.layout.interface import LIST, OFFTURN, QUESTIONS, TYPES_AT
from ludograph.tgdl.native.layout.plan import CONTEXT_AT, Plan
from ludograph.tgdl.native.layout.status import CANCELLED, FAILED, FAULT, FINE, GROW, NEED, NOTHING
from ludograph.tgdl.native.lower.driver.explore import EVENTS
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Outgrown
from ludograph.tgdl.native.run.regions import bytes_of
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.reference.inputs import Origin
from ludograph.tgdl.reference.transactions import (
    execute,
    explore,
    offers_to,
    who_is_asked,
)
from ludograph.tgdl.world.faults import STOP, NeedChoice
from ludograph.tgdl.world.memory import (
    ACTIVE,
    CHOOSING,
    HEADER,
    OVER,
    STAGE,
    STUCK,
    STUCK_STAGE,
    Instance,
    Memory,
)
from ludograph.tgdl.world.values import comparison_key, is_compound
from ludograph.tgdl.world.world import World

MAX_GROWTH = 4096
NOT_DONE = (FAILED, CANCELLED, NOTHING)


class Difference(AssertionError):
    """The engines disagree; the message says how."""


@dataclass(frozen=True, slots=True)
class Question:
    """The open question of a run, in a form that both engines share."""

    chooser: int
    name: str
    place: int
    """The index of the chosen element of a list."""
    words: tuple[int, ...]
    weights: tuple[int, ...]
    seen: tuple[int, ...]
    """The viewers of the answer."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends: `fine`, `failed`, `asks` or the code of a fault; and the memory where one is left."""

    status: str
    memory: Memory | None = None
    question: Question | None = None
    values: tuple[Any, ...] = ()
    """The candidates of the reference engine."""
    fuel: int = 0
    """The remaining fuel."""


class Twin:
    """One world on both engines. Mutable: it makes itself larger as states grow."""

    def __init__(self, world: World, sample: Memory, engine: Engine | None = None) -> None:
        self.world = world
        self._sample = sample
        self._take(engine or Engine(world, sample, level=0))

    def _take(self, engine: Engine) -> None:
        self.engine = engine
        self.place = ExecutionContext(engine)
        pointer, whole = ctypes.c_void_p, ctypes.c_int32
        function = self.engine.machine.function
        self._asked_now = function("asked_now", whole, pointer, pointer, pointer)
        self._offers_now = function("offers_now", whole, pointer, pointer, whole, whole)
        types = [known.type for known in engine.unit.inputs]
        elements = [each.element if isinstance(each, ListType) else each for each in types]
        # Lists and values of any type are chosen by their place among the candidates.
        self._goes_by_place = any(map(is_compound, elements))

    def _grow(self) -> None:
        try:
            self.place.grow()
        except Outgrown:
            if self.engine.growth >= MAX_GROWTH:
                raise
            checked = self.engine.checked
            growth = self.engine.growth * 8
            self._take(Engine(self.world, self._sample, growth=growth, level=0, checked=checked))

    # The native side

    def _ready(self, base: Memory, words: Sequence[int]) -> int:
        """Load a base and choices into the execution context; returns the address of the base."""
        while True:
            block = self.engine.block(base)
            place = self.place
            if len(block) <= len(place.blocks[0]) and 8 * len(words) + 64 <= len(place.buffers["choices"]):
                break
            self._grow()
        ctypes.memmove(place.blocks[0], block, len(block))
        at = ctypes.addressof(place.blocks[0])
        place.put("base", "<q", at)
        struct.pack_into(f"<{len(words)}q", place.buffers["choices"], 0, *words)
        for name, form, value in (
            ("choice_count", "<q", len(words)),
            ("draws_chance", "<i", 0),
            ("list_mode", "<i", LIST),
            ("chance_forbidden", "<i", 0),
            ("depth", "<q", 0),
            ("move_limit", "<q", 1 << 62),
            ("saved", "<q", ctypes.addressof(place.buffers["saved"])),
            ("fuel", "<q", self.world.fuel),
        ):
            place.put(name, form, value)
        return at

    def _fault(self) -> str:
        return f"TG{self.place.get('fault', '<i'):04}"

    def run_natively(self, base: Memory, words: Sequence[int], *, unhandled: bool = False) -> Ending:
        while True:
            self._ready(base, words)
            place = self.place
            place.put("unhandled", "<i", int(unhandled))
            work = ctypes.addressof(place.blocks[1])
            place.allow()
            status = self.engine.execute(ctypes.addressof(place.context), work)
            if status != GROW:
                break
            self._grow()
        self.place.check_assertions()
        if status == FAULT:
            return Ending(self._fault())
        if status in NOT_DONE:
            return Ending("failed")
        memory = self.engine.memory(place.blocks[1].raw)
        fuel = place.get("fuel", "<q")
        if status == FINE:
            return Ending("fine", memory, fuel=fuel)
        assert status == NEED, f"a run stopped with {status}"
        count = place.get("need_count", "<q")
        chooser = place.get("need_chooser", "<i")
        weights: tuple[int, ...] = ()
        at = place.get("need_weights", "<q")
        if at and chooser < 0:
            weights = _words_at(at, count)
        number = place.get("need_input", "<i")
        names = {number: name for name, number in QUESTIONS.items()}
        kind = number & (1 << TYPES_AT) - 1
        name = names[kind] if kind in names else self.engine.unit.inputs[number].name
        index = 0 if chooser < 0 else place.get("need_index", "<i")
        found = _words_at(place.get("need_values", "<q"), count)
        seen = int.from_bytes(bytes(place.context)[CONTEXT_AT["need_seen"] :][:32], "little")
        everybody = range(self.engine.shape.players)
        viewers = tuple(player for player in everybody if seen >> player & 1)
        question = Question(chooser, name, index, found, weights, viewers)
        return Ending("asks", memory, question, fuel=fuel)

    def explore_natively(
        self, base: Memory, words: Sequence[int], chooser: int, *, offturn: bool
    ) -> list[tuple[int, ...]] | str:
        while True:
            self._ready(base, words)
            place = self.place
            place.put("unhandled", "<i", 0)
            work = ctypes.addressof(place.blocks[1])
            way = OFFTURN if offturn else LIST
            place.allow()
            status = self.engine.explore(ctypes.addressof(place.context), work, len(words), chooser, way)
            if status != GROW:
                break
            self._grow()
        self.place.check_assertions()
        return self._fault() if status == FAULT else self._moves(status)

    def offers_natively(self, base: Memory, player: int, event: str) -> list[int] | str:
        while True:
            at = self._ready(base, ())
            context = ctypes.addressof(self.place.context)
            self.place.allow()
            status = self._offers_now(context, at, player, EVENTS.index(event))
            if status != GROW:
                break
            self._grow()
        self.place.check_assertions()
        if status == FAULT:
            return self._fault()
        return [words[0] for words in self._moves(status)]

    def _moves(self, status: int) -> list[tuple[int, ...]]:
        assert status == FINE, f"a run stopped with {status}"
        found = []
        index = self.place.get("index", "<q")
        for row in _words_at(index, self.place.get("move_count", "<q")):
            (head,) = _words_at(row, 1)
            found.append(_words_at(row + 8, head & 0xFFFFFFFF))
        return found

    def asked_natively(self, base: Memory) -> tuple[int, ...] | str:
        while True:
            at = self._ready(base, ())
            mask = (ctypes.c_char * self.engine.plan.seats.size)()
            self.place.allow(bytes_of(mask))
            context = ctypes.addressof(self.place.context)
            status = self._asked_now(context, at, ctypes.addressof(mask))
            if status != GROW:
                break
            self._grow()
        self.place.check_assertions()
        if status == FAULT:
            return self._fault()
        assert status == FINE, f"a run stopped with {status}"
        asked = players_in(int.from_bytes(mask, "little"))
        count = self.world.players
        around = [(base.cells[ACTIVE] + step) % count for step in range(count)]
        return tuple(player for player in around if player in asked)

    # The reference, in the same terms

    def run_by_reference(self, base: Memory, choices: Sequence[Any], *, unhandled: bool = False) -> Ending:
        try:
            ran = execute(self.world, base, choices, unhandled=unhandled)
        except Fault as fault:
            return Ending(fault.code)
        if ran.failed is not None:
            return Ending("failed")
        if ran.need is None:
            return Ending("fine", ran.memory, fuel=ran.run.fuel)
        question, values = self._question(ran.memory, ran.need), tuple(ran.need.values)
        return Ending("asks", ran.memory, question, values, ran.run.fuel)

    def _question(self, memory: Memory, need: NeedChoice) -> Question:
        plan = self.engine.plan
        things = [value for value in need.values if isinstance(value, Instance)]
        is_mixed = len({plan.family_of_kind[thing.kind.index].index for thing in things}) > 1
        words = []
        is_by_place = isinstance(need.origin, Origin) and need.origin.prompt.is_compound
        for at, value in enumerate(need.values):
            if is_by_place and value is not STOP:
                words.append(at)
                continue
            known = words_of_value(plan, memory, value, is_mixed=is_mixed)
            words.append(known[0] if known else at)
        index = 0 if need.chooser < 0 else need.index
        weights = tuple(need.weights or ())
        everybody = range(self.engine.shape.players)
        viewers = everybody if need.seen_by is None else sorted(need.seen_by)
        return Question(need.chooser, need.name, index, tuple(words), weights, tuple(viewers))

    # Comparing

    def run(self, base: Memory, choices: tuple[Any, ...], *, unhandled: bool = False) -> Ending:
        """Run choices from a base on both engines, one by one: every question on the way is compared."""
        words: list[int] = []
        if choices and base.cells[STAGE] == CHOOSING:
            words.append(self.opener_word(base, choices[0]))
        while True:
            ending = self._compared(base, choices[: len(words)], words, unhandled=unhandled)
            if len(words) == len(choices) or ending.question is None:
                return ending
            wanted = choices[len(words)]
            at = next(
                (
                    at
                    for at, value in enumerate(ending.values)
                    if comparison_key(value) == comparison_key(wanted)
                ),
                None,
            )
            if at is None:
                raise Difference(f"{wanted!r} is no candidate of {ending.question.name}")
            words.append(ending.question.words[at])

    def opener_word(self, base: Memory, choice: tuple[Any, ...]) -> int:
        player, deed, this, part = choice
        number = -1 if this is None else self.engine.plan.number_of(base, this)
        return encode_opener(player, deed, number, part, self.world)

    def _compared(
        self, base: Memory, choices: tuple[Any, ...], words: list[int], *, unhandled: bool
    ) -> Ending:
        expected = self.run_by_reference(base, choices, unhandled=unhandled)
        found = self.run_natively(base, words, unhandled=unhandled)
        what = f"after {choices!r}"
        self._must_agree(f"{what}: the run", expected.status, found.status)
        self._must_agree(f"{what}: the fuel that is left", expected.fuel, found.fuel)
        if expected.question is not None and found.question is not None:
            told = self._in_words_of(found.question, expected)
            self._must_agree(f"{what}: the question", told, found.question)
            # The words are those of the engine that is compared.
            expected = replace(expected, question=found.question)
        if expected.memory is not None and found.memory is not None:
            difference = self.memory_difference(expected.memory, found.memory)
            if difference:
                raise Difference(f"{what}: {difference}")
        return expected

    def _in_words_of(self, found: Question, ending: Ending) -> Question:
        """The question of the reference engine, with the matching choice word of each candidate."""
        expected = ending.question
        assert expected is not None and ending.memory is not None
        if len(expected.words) != len(found.words):
            return expected
        words = []
        for value, word, other in zip(ending.values, expected.words, found.words, strict=True):
            possible = {word, *words_of_value(self.engine.plan, ending.memory, value, is_mixed=False)}
            if isinstance(value, str):
                possible.add(self.engine.unit.strings.get(value, word))
            words.append(other if other in possible else word)
        return replace(expected, words=tuple(words))

    def asked(self, base: Memory) -> tuple[int, ...]:
        """The choosers between transactions."""
        expected: tuple[int, ...] | str
        try:
            expected = who_is_asked(self.world, base)
        except Fault as fault:
            expected = fault.code
        self._must_agree("who is asked", expected, self.asked_natively(base))
        return () if isinstance(expected, str) else expected

    def moves(
        self, base: Memory, prefix: tuple[Any, ...], chooser: int, *, offturn: bool = False
    ) -> list[tuple[Any, ...]]:
        """All complete moves, as choices that include the prefix."""
        expected: list[tuple[Any, ...]] | str
        try:
            ways = explore(self.world, base, prefix, chooser, offturn=offturn)
            expected = [choices for choices, _ in ways]
        except Fault as fault:
            expected = fault.code
        begun = self.words_of(base, prefix)
        found = self.explore_natively(base, begun, chooser, offturn=offturn)
        what = f"the moves of player {chooser}{' out of turn' if offturn else ''} after {prefix!r}"
        if expected == "TG0506" and isinstance(found, list):
            return []  # listing takes less fuel natively
        if isinstance(expected, str) or isinstance(found, str):
            self._must_agree(what, expected, found)
            return []
        self._must_agree(f"how many are {what}", len(expected), len(found))
        for at, (choices, words) in enumerate(zip(expected, found, strict=True)):
            self._must_agree(f"number {at} of {what}", self.words_of(base, choices), words)
        return expected

    def words_of(self, base: Memory, choices: tuple[Any, ...]) -> tuple[int, ...]:
        """Encode choices as words; if a word is only an index, the run up to there is compared too."""
        words: list[int] = []
        for at, value in enumerate(choices):
            if at == 0 and base.cells[STAGE] == CHOOSING:
                words.append(self.opener_word(base, value))
                continue
            if not isinstance(value, Instance) and not self._goes_by_place:
                known = words_of_value(self.engine.plan, base, value, is_mixed=False)
                if known:
                    words.append(known[0])
                    continue
            ending = self.run(base, choices[:at])
            place = next(
                place
                for place, each in enumerate(ending.values)
                if comparison_key(each) == comparison_key(value)
            )
            assert ending.question is not None
            words.append(ending.question.words[place])
        return tuple(words)

    def offers(self, base: Memory, player: int, *, offturn: bool) -> None:
        """The actions that a player may start, also those that are not listed."""
        for event, asides in (("offturn" if offturn else "choice", False), ("aside", True)):
            expected: list[int] | str
            try:
                listed = offers_to(self.world, base, player, offturn=offturn, asides=asides)
                if asides:
                    shown = [offer.action for offer in self.world.offers if offer.event == "aside"]
                    listed = [offer for offer in listed if offer[1] in shown]
                    if any(one.event != "aside" and one.action in shown for one in self.world.offers):
                        continue  # the same action is offered in both ways
                expected = [self.opener_word(base, offer) for offer in listed]
            except Fault as fault:
                if asides:
                    continue  # in which of the offers it lies, only the other list tells
                expected = fault.code
            found = self.offers_natively(base, player, event)
            self._must_agree(f"what player {player} may start ({event})", expected, found)

    def memory_difference(self, expected: Memory, found: Memory) -> str:
        """A description of the first cells that differ; empty if none does."""
        difference = cell_difference(expected, found)
        if difference:
            return difference
        if not expected.same_as(found):
            return "the memories differ"
        hashes = [encode_state(self.world, memory, (), None).digest for memory in (expected, found)]
        return "" if hashes[0] == hashes[1] else "the content hashes differ"

    def _must_agree(self, what: str, expected: object, found: object) -> None:
        if expected != found:
            raise Difference(f"{what}: natively {found}, by the reference {expected}")

    # Whole positions

    def inspect(self, base: Memory, choices: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Compare everything about a position; returns the moves of the first chooser."""
        if choices or base.cells[STAGE] not in (CHOOSING, OVER):
            ending = self.run(base, choices)
            if ending.question is None or ending.question.chooser < 0:
                return []
            return self.moves(base, choices, ending.question.chooser)
        if base.cells[STAGE] == OVER:
            return []
        asked = self.asked(base)
        first: list[tuple[Any, ...]] = []
        for player in range(self.world.players):
            offturn = player not in asked
            self.offers(base, player, offturn=offturn)
            found = self.moves(base, (), player, offturn=offturn)
            first = found if asked and player == asked[0] else first
        return first

    def settle(self, memory: Memory) -> None:
        """Resolve stuck players on both engines, up to the first choice."""
        for _ in range(20):
            if memory.cells[STAGE] != CHOOSING:
                return
            stuck = next(
                (player for player in self.asked(memory) if not self.moves(memory, (), player)), None
            )
            if stuck is None:
                return
            base = memory.copy()
            base.cells[STUCK] = (*base.cells[STUCK], stuck)
            base.cells[STAGE] = STUCK_STAGE
            ending = self.run(base, ())
            if ending.status == "failed":
                ending = self.run(base, (), unhandled=True)
            if ending.status != "fine" or ending.memory is None:
                return
            memory = ending.memory


def words_of_value(plan: Plan, base: Memory, value: Any, *, is_mixed: bool) -> tuple[int, ...]:
    """The possible words of a candidate; none if its word is its index."""
    if value is None:
        return (NONE_CHOICE,)
    if value is STOP:
        return (STOP_CHOICE,)
    if isinstance(value, float):
        return (int(unpack(I64, pack(F64, value), 0)),)
    if isinstance(value, Instance):
        # Where things of several families may be meant, the family is told as well.
        number = plan.number_of(base, value)
        told = plan.family_of_kind[value.kind.index].index << 32 | number
        return (told,) if is_mixed else (number, told)
    return (int(value),) if isinstance(value, int) else ()


def _words_at(at: int, count: int) -> tuple[int, ...]:
    return struct.unpack(f"<{count}q", ctypes.string_at(at, 8 * count)) if count else ()


def cell_difference(expected: Memory, found: Memory) -> str:
    """A description of the first cell that differs between two memories; empty if none does."""
    if list(map(repr, expected.instances)) != list(map(repr, found.instances)):
        return f"the things are {found.instances}, not {expected.instances}"
    for at, (one, other) in enumerate(zip(expected.cells, found.cells, strict=True)):
        if type(one) is not type(other) or repr(one) != repr(other):
            return f"{cell_name(expected, at)} is {other!r}, not {one!r}"
    return ""


def cell_name(memory: Memory, at: int) -> str:
    """A description of the content of a cell."""
    if at < HEADER:
        return f"header cell {at}"
    for instance in memory.instances:
        attributes = instance.kind.construct.attributes
        if instance.offset <= at < instance.offset + len(attributes):
            return f"{instance!r}.{attributes[at - instance.offset].name}"
        if at < instance.offset + instance.kind.width:
            return f"cell {at - instance.extra} behind the attributes of {instance!r}"
    return f"cell {at}"
