"""Presenter: texts, questions and views of the blocks of one engine, called from Python.

Native code writes; what it leaves to Python (`text.Insert`) is written here, from the same block. A caller
gets None where native code finds no answer: there is no room, or the rules are at fault.
"""

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct

from ludograph.play import CHANCE, Choice, Kind
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE, number_of_word, parts_offered
from ludograph.tgdl.native.layout.interface import QUESTIONS, TYPES_AT
from ludograph.tgdl.native.layout.plan import CONTEXT_AT
from ludograph.tgdl.native.layout.status import FAULT, FINE, GROW, NEED, STOPPED, Refused
from ludograph.tgdl.native.lower.actions.chance_types import find_chance_types
from ludograph.tgdl.native.lower.present.interface import UNWRITTEN, Insert, json_text, signature_columns
from ludograph.tgdl.native.run.choices import opener_of
from ludograph.tgdl.native.run.engine import Engine, ExecutionContext, Outgrown, TooLarge
from ludograph.tgdl.native.run.presentation_code import PresentationCode
from ludograph.tgdl.program import Input
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, Type
from ludograph.tgdl.reference.naming import action_text, name_of, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.faults import STOP
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Instance, Memory
from ludograph.tgdl.world.values import format_number

Words = tuple[int, ...]

EVERYBODY = (1 << 256) - 1
"""Those who see an answer that nobody hides."""
MOST_KEPT = 10_000
UTF_8 = ("utf-8", "surrogatepass")
"""A position may bring texts with halves of characters."""
_WRITTEN = struct.Struct("<5q")
"""Where the text ends now, where it starts, where its room ends; the same of insertions but for the last."""
_QUESTION = struct.Struct("<qqq")


class Asked(Struct, frozen=True):
    """A question that a run has come to, as native code puts it."""

    chooser: int
    number: int
    """The input, or what chance or the choice of effects is about."""
    index: int
    words: Words
    """The candidates."""
    weights: tuple[int, ...]
    seen: int
    """Who sees the answer, as bits; EVERYBODY, if nobody hides it."""
    key: str
    texts: tuple[str, ...] | None
    """The candidates as texts; None: native code does not write values of this type."""
    block: bytes
    """Where the run has come to."""


def split_lines(text: bytes) -> list[str]:
    """The lines of a text in which each has its end."""
    lines = text.decode(*UTF_8).split("\n")
    lines.pop()
    return lines


class Presenter:
    """Texts of one engine. May be used by many threads. Mutable in what it keeps."""

    def __init__(self, engine: Engine, take: Callable[[], Any], put_back: Callable[[Any], None]) -> None:
        self.engine = engine
        self.plan = engine.plan
        self.world = engine.world
        self._take, self._put_back = take, put_back
        self._columns = signature_columns(engine.plan)
        self._names: dict[tuple[bytes, int, int], bytes] = {}
        self._actions = self.world.program.actions
        self._parts: dict[tuple[int, int], int] = {}
        self._openers: dict[tuple[int, str], Choice] = {}
        self._looked: tuple[object, bool] = (None, False)
        """The block that was looked at last, and whether its names are those of the start."""
        self.name = json_text(self.world.program.name).encode()
        """The name of the game as JSON."""

    @cached_property
    def code(self) -> PresentationCode:
        return PresentationCode(self.engine)

    @cached_property
    def _start(self) -> bytes:
        """What names depend on, at the start."""
        assert self.world.start is not None
        return self._signature(self.engine.block(self.world.start))

    @cached_property
    def _chance_types(self) -> tuple[Type, ...]:
        return find_chance_types(self.world, self.plan)

    def _signature(self, block: Any) -> bytes:
        """What names depend on, in a block or where a run works."""
        return b"".join([block[start:end] for start, end in self._columns])

    # Calls

    def view(self, block: bytes, words: Words, viewer: int, *, is_open: bool) -> bytes | Refused | None:
        """What a viewer sees, as JSON without its braces, without the moves and who is asked.

        `is_open`: there is a question within a transaction, and the effects before it show.
        """
        desk = self._take()
        if desk is None:
            return None
        try:
            place: ExecutionContext = desk.place
            while True:
                at: Any = block
                if is_open:
                    if self._run(desk, block, words) != NEED:
                        return None
                    at = desk.work
                status = self._write(desk, at, self.code.view, self.code.long_view, viewer)
                if status != GROW or not desk.grow():
                    break
                place = desk.place
            if status == FAULT:
                return Refused(f"TG{place.get('fault', '<i'):04}")
            return self._text(place, None if is_open else block) if status == FINE else None
        except (Outgrown, TooLarge):
            desk.is_spent = True
            return None
        finally:
            self._put_back(desk)

    def move_texts(self, block: bytes, data: bytes, index: bytes, start: int) -> bytes | None:
        """The texts of the complete moves that `list_from` found in a block, each with a line end behind it.

        UNWRITTEN stands for a text that native code does not write.
        """
        return self._lines(block, self.code.move_texts, (data, index, start, len(index) // 8))

    def opener_texts(self, block: bytes, words: Words) -> list[str] | None:
        """The texts of actions, by the choices that start them."""
        packed = struct.pack(f"<{len(words)}q", *words)
        lines = self._lines(block, self.code.opener_texts, (packed, len(words)))
        return None if lines is None else split_lines(lines)

    def asked(self, block: bytes, words: Words, answers: Words | None = None) -> Asked | None:
        """The question that choices since a block lead to, with its candidates, or with given answers."""
        desk = self._take()
        if desk is None:
            return None
        try:
            while True:
                status = self._run(desk, block, words)
                if status != NEED:
                    return None
                place: ExecutionContext = desk.place
                found = self._question(place)
                given = found.words if answers is None else answers
                packed = struct.pack(f"<{len(given)}q", *given)
                status = self._write(
                    desk, desk.work, self.code.answer_texts, self.code.answer_texts, packed, len(given)
                )
                if status != GROW or not desk.grow():
                    break
            if status != FINE:
                return None
            text = self._text(place, None).decode(*UTF_8)
            key: str = ""
            texts: tuple[str, ...] | None = None
            if not text.startswith(chr(UNWRITTEN)):
                key, *lines = text.split("\n")
                texts = tuple(lines[:-1])
            return Asked(
                found.chooser,
                found.number,
                found.index,
                given,
                found.weights,
                found.seen,
                key,
                texts,
                self._block_of(place),
            )
        except (Outgrown, TooLarge):
            desk.is_spent = True
            return None
        finally:
            self._put_back(desk)

    def _run(self, desk: Any, block: bytes, words: Words) -> int:
        """Run choices from a block on, up to the question after them."""
        engine = self.engine
        if not desk.can_hold(block):
            return GROW
        packed = struct.pack(f"<{len(words)}q", *words) if words else b""
        while True:
            place: ExecutionContext = desk.place
            if engine.checked:
                desk.admit(block, packed)
            arguments = desk.context_at, desk.work_at, block, packed, len(words)
            status = int(engine.short_ask_from(*arguments))
            if status == STOPPED:
                status = desk.patiently(partial(engine.ask_from, *arguments))
            if engine.checked:
                place.check_beliefs()
            if status != GROW or not desk.grow():
                return status

    def _write(self, desk: Any, block: Any, short: Any, long: Any, *arguments: Any) -> int:
        place: ExecutionContext = desk.place
        looked, stands = self._looked
        if looked is not block or not isinstance(block, bytes):
            stands = self._signature(block) == self._start
            self._looked = block, stands
        place.put("names_stand", "<i", stands)
        status = int(short(desk.context_at, block, *arguments))
        if status == STOPPED:
            status = desk.patiently(partial(long, desk.context_at, block, *arguments))
        return status

    def _lines(self, block: bytes, function: Any, arguments: tuple[Any, ...]) -> bytes | None:
        desk = self._take()
        if desk is None:
            return None
        try:
            while True:
                status = self._write(desk, block, function, function, *arguments)
                if status != GROW or not desk.grow():
                    break
            if status != FINE:
                return None
            return self._text(desk.place, block)
        except (Outgrown, TooLarge):
            desk.is_spent = True
            return None
        finally:
            self._put_back(desk)

    def _question(self, place: ExecutionContext) -> Asked:
        context = place.context
        count, values, weights = _QUESTION.unpack_from(context, CONTEXT_AT["need_count"])
        chooser, number = struct.unpack_from("<ii", context, CONTEXT_AT["need_chooser"])
        index = place.get("need_index", "<i")
        words = struct.unpack(f"<{count}q", ctypes.string_at(values, 8 * count))
        shares: Words = ()
        if chooser == CHANCE and weights:
            shares = struct.unpack(f"<{count}q", ctypes.string_at(weights, 8 * count))
        at = CONTEXT_AT["need_seen"]
        seen = int.from_bytes(context[at : at + 32], "little")
        return Asked(chooser, number, index, words, shares, seen, "", None, b"")

    def _block_of(self, place: ExecutionContext) -> bytes:
        """The block that a run has worked on, up to the top of its heap."""
        return place.block_at(ctypes.addressof(place.blocks[1]))

    # Text

    def _text(self, place: ExecutionContext, block: bytes | None) -> bytes:
        """What was written about a block, or about where a run has come to, with what Python inserts."""
        end, start, _, last, first = _WRITTEN.unpack_from(place.context, CONTEXT_AT["text"])
        text = ctypes.string_at(start, end - start)
        size = last - first
        if not size:
            return text
        if block is None:
            block = self._block_of(place)
        parts: list[bytes] = []
        done = 0
        signature = self._signature(block)
        for offset, what, low, _ in struct.iter_unpack("<4q", ctypes.string_at(first, size)):
            parts += text[done:offset], self._inserted(what, low, block, signature)
            done = offset
        parts.append(text[done:])
        return b"".join(parts)

    def _inserted(self, what: int, low: int, block: bytes, signature: bytes) -> bytes:
        match what:
            case Insert.NUMBER:
                return format_number(number_of_word(low, "number")).encode()
            case Insert.STRING:
                return text_of(self._look(block), self.engine.known_texts()[low]).encode(*UTF_8)
            case Insert.JSON_STRING:
                return json_text(self.engine.known_texts()[low]).encode()
            case _:
                pass
        known = (signature, what, low)
        found = self._names.get(known)
        if found is None:
            if len(self._names) >= MOST_KEPT:
                self._names.clear()
            found = self._names[known] = self._name(what, low, block).encode()
        return found

    def _name(self, what: int, low: int, block: bytes) -> str:
        run = self._look(block)
        if what == Insert.OPENER:
            return action_text(run, opener_of(self.plan, run.memory, low)[1:])
        family = self.plan.families[low >> 32]
        return name_of(run, self.plan.members(run.memory, family)[low & 0xFFFFFFFF])

    def _look(self, block: bytes) -> Run:
        return Run(self.world, self._memory(block))

    def _memory(self, block: bytes) -> Memory:
        return self.engine.memory(block)

    # Choices

    def opener_choices(self, block: bytes, words: Sequence[int], texts: Sequence[str]) -> tuple[Choice, ...]:
        """Actions that a player starts, as choices; what is the same in every game is made once."""
        known = self._openers
        found = []
        for start in zip(words, texts, strict=True):
            choice = known.get(start)
            if choice is None:
                choice = self.opener_choice(block, *start)
                owner = self._actions[start[0] & 0xFFFF].owner
                if owner is None or not self.plan.family(owner).grows:
                    if len(known) >= MOST_KEPT:
                        known.clear()
                    known[start] = choice
            found.append(choice)
        return tuple(found)

    def opener_choice(self, block: bytes, word: int, text: str) -> Choice:
        """An action that a player starts, as a choice."""
        player, deed, number = word >> 16 & 0xFF, word & 0xFFFF, (word >> 32) - 1
        action = self._actions[deed]
        this = -1
        if action.owner is not None:
            this = self._creation(block, action.owner, number)
        known = deed, (word >> 24 & 0xFF) - 1
        part = self._parts.get(known)
        if part is None:
            part = self._parts[known] = self._part_number(*known)
        code = (deed, this, part)
        return Choice(player, Kind.ACTION, action.name, code, text)

    def values(self, block: bytes, memory: Memory, words: Words) -> tuple[Any, ...] | None:
        """Choices since a block, which is decoded to a memory, as the reference engine takes them.

        None if there are lists or objects among them: they are known by their place only.
        """
        found: list[Any] = []
        for place, word in enumerate(words):
            if not place and memory.cells[STAGE] == CHOOSING:
                found.append(opener_of(self.plan, memory, word))
                continue
            asked = self.asked(block, words[:place], (word,))
            if asked is None or asked.texts is None:
                return None
            found.append(self._meaning(asked))
        return tuple(found)

    def _meaning(self, asked: Asked) -> Any:
        """The only answer that a question was given, as the reference engine takes it."""
        (word,) = asked.words
        if word == STOP_CHOICE:
            return STOP
        _, kind, type = self._about(asked.number)
        if word == NONE_CHOICE:
            return None
        match type:
            case _ if kind is Kind.EFFECT:
                assert asked.texts is not None
                return asked.texts[0]
            case ConstructType(name):
                return self._thing(asked.block, name, word)
            case EnumType(name):
                return self.world.members[name][word]
            case _:
                return self._value(type, word, asked.block)

    def _thing(self, block: bytes, name: str, word: int) -> Instance:
        families = self.plan.families_of(name)
        family = families[0] if len(families) == 1 else self.plan.families[word >> 32]
        number = word & 0xFFFFFFFF
        members = self.engine.decoding.members[family.index]
        if number < len(members):
            return members[number]
        return self.plan.members(self._memory(block), family)[number]

    def _part_number(self, deed: int, part: int) -> int:
        """The place of a named part among all that are offered of an action."""
        offered = [offer.part for offer in self.world.offers if offer.deed == deed]
        wanted = None if part < 0 else parts_offered(self.world, deed)[part]
        return offered.index(wanted) if wanted in offered else 0

    def answer(self, asked: Asked, place: int) -> Choice:
        """The candidate at a place of a question, as a choice."""
        assert asked.texts is not None
        word, text = asked.words[place], asked.texts[place]
        name, kind, type = self._about(asked.number)
        if word == STOP_CHOICE:
            return Choice(asked.chooser, Kind.STOP, name, None, "", asked.index, asked.key)
        if word == NONE_CHOICE:
            return Choice(asked.chooser, Kind.INPUT, name, None, text, asked.index, asked.key)
        if kind is Kind.EFFECT:
            return Choice(asked.chooser, kind, name, text, text)
        value = self._value(type, word, asked.block)
        return Choice(asked.chooser, kind, name, value, text, asked.index, asked.key)

    def about(self, number: int) -> tuple[str, Kind]:
        """The name of a question, and of what kind it is as a whole."""
        name, kind, _ = self._about(number)
        return name, Kind.INPUT if kind is Kind.PICK else kind

    def _about(self, number: int) -> tuple[str, Kind, Type]:
        if number >= QUESTIONS["random"]:
            kind = number & (1 << TYPES_AT) - 1
            name = next(name for name, other in QUESTIONS.items() if other == kind)
            if name == "effect":
                return name, Kind.EFFECT, Basic.STRING
            return name, Kind.CHANCE, self._chance_types[number >> TYPES_AT]
        known: Input = self.engine.unit.inputs[number]
        if isinstance(known.type, ListType):
            return known.name, Kind.PICK, known.type.element
        return known.name, Kind.INPUT, known.type

    def _value(self, type: Type, word: int, block: bytes) -> Any:
        match type:
            case Basic.DECIMAL:
                return number_of_word(word, "number")
            case Basic.BOOL:
                return bool(word)
            case Basic.STRING:
                return self.engine.known_texts()[word]
            case ConstructType(name):
                return self._creation(block, name, word)
            case EnumType():
                return word
            case _:
                return word

    def _creation(self, block: bytes, name: str, word: int) -> int:
        """The number of a thing over all things."""
        families = self.plan.families_of(name)
        family = families[0] if len(families) == 1 else self.plan.families[word >> 32]
        number = word & 0xFFFFFFFF
        members = self.engine.decoding.members[family.index]
        if number < len(members):
            return members[number].number
        column = family.columns["number"]
        (found,) = struct.unpack_from("<i", block, column.offset + number * column.stride)
        return int(found)
