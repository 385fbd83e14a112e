"""Texts, questions and views of the blocks of one engine.

Native code writes the text. Python inserts the parts that native code leaves out (`Insert`), from the same
block. A method returns None if native code has no memory for the answer, or if the rules have a fault.
"""

import ctypes
import struct
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph.play import CHANCE, Choice, Kind
from ludograph.play.choices import PICKS
from ludograph.play.log import ALL, Viewer
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE, number_of_word, parts_offered
from ludograph.tgdl.native.layout.interface import QUESTIONS, TYPES_AT
from ludograph.tgdl.native.layout.output_size import OutputSize
from ludograph.tgdl.native.layout.plan import CONTEXT_AT, Family
from ludograph.tgdl.native.layout.status import FAULT, FINE, GROW, NEED, STOPPED, Refused
from ludograph.tgdl.native.lower.actions.chance_types import find_chance_types
from ludograph.tgdl.native.lower.present.interface import (
    UNWRITTEN,
    Insert,
    NameForm,
    has_tiles,
    has_unique_names,
    json_text,
    may_be_named,
    signature_columns,
)
from ludograph.tgdl.native.run.call_buffers import BufferPool, CallBuffers
from ludograph.tgdl.native.run.choices import opener_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Outgrown, TooLarge
from ludograph.tgdl.native.run.presentation_code import PresentationCode
from ludograph.tgdl.program import Input
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, Type
from ludograph.tgdl.reference.instance_names import distinct_texts, name_viewers
from ludograph.tgdl.reference.naming import action_text, name_of, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.faults import STOP
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Instance, Memory
from ludograph.tgdl.world.values import format_number

Words = tuple[int, ...]

EVERYBODY = (1 << 256) - 1
"""The viewers of an answer that is not hidden, as bits."""
MAX_KEPT = 10_000
UTF_8 = ("utf-8", "surrogatepass")
"""A position may contain strings with lone surrogates."""
_WRITTEN = struct.Struct("<5q")
"""The end, start and limit of the text; the end and start of the insertions."""
_QUESTION = struct.Struct("<qqq")
_NAMING = struct.Struct("<iii")
"""Whether the names of the start are valid, the form of names, and their reader."""


class NativeQuestion(Struct, frozen=True):
    """An open question, in the words of native code."""

    chooser: int
    number: int
    """The number of the input, or the kind of the choice of chance or effects."""
    index: int
    words: Words
    """The candidates."""
    weights: tuple[int, ...]
    seen: int
    """The viewers of the answer, as bits; EVERYBODY if it is not hidden."""
    key: str
    texts: tuple[str, ...] | None
    """The texts of the candidates; None: native code does not write values of this type."""
    plain_texts: tuple[str, ...] | None
    """The texts of the candidates without names by attributes, if the texts have such names and some players
    may not read them."""
    block: bytes
    """The block at the question, with the effects before it."""


class Receivers(Struct, frozen=True):
    """The instances that have an action."""

    action: str
    family: Family | None
    """None: the action belongs to the game."""
    start_count: int
    """The number of these instances at the start; their numbers among all instances never change."""


def split_lines(text: bytes) -> list[str]:
    """The lines of a text in which each line has a line end."""
    lines = text.decode(*UTF_8).split("\n")
    lines.pop()
    return lines


class Presenter:
    """Writes the texts of one engine. Several threads may use it at the same time. Its caches are mutable."""

    def __init__(self, engine: Engine, pool: BufferPool) -> None:
        self.engine = engine
        self.plan = engine.plan
        self.world = engine.world
        self._pool = pool
        self._columns = signature_columns(engine.plan)
        self._names: dict[tuple[bytes, int, int], bytes] = {}
        self._actions = self.world.program.actions
        self._parts: dict[int, int] = {}
        """The indexes of parts of actions, by the bits of an opener that hold the action and the part."""
        self._openers: dict[tuple[int, str], Choice] = {}
        self._last_checked: tuple[object, bool] = (None, False)
        """The last block, and whether its instances have the same names as at the start."""
        self._questions: dict[int, tuple[str, Kind, Type]] = {}
        """The name, the kind and the type of each question that was asked, by its number."""
        self._unique_names: dict[str, bool] = {}
        self._plain_openers: dict[int, str] = {}
        self._chance_texts: dict[tuple[str, int], tuple[str, str]] = {}
        """Plain texts and names; these two caches hold texts that never change."""
        self._last_run: tuple[bytes, Run] | None = None
        """The last block that was decoded for a name."""
        self.name = json_text(self.world.program.name).encode()
        """The name of the game as JSON."""

    @cached_property
    def code(self) -> PresentationCode:
        known = self.engine.presentation
        return known if isinstance(known, PresentationCode) else PresentationCode(self.engine)

    @cached_property
    def output_size(self) -> OutputSize:
        return OutputSize(self.plan)

    @cached_property
    def _start(self) -> bytes:
        """The columns that names depend on, at the start."""
        assert self.world.start is not None
        return self._signature(self.engine.block(self.world.start))

    @cached_property
    def _chance_types(self) -> tuple[Type, ...]:
        return find_chance_types(self.world, self.plan)

    def _signature(self, block: Any) -> bytes:
        """The columns that names depend on, in a block."""
        return b"".join([block[start:end] for start, end in self._columns])

    # Calls

    def view(self, block: bytes, words: Words, viewer: int, *, is_open: bool) -> bytes | Refused | None:
        """The members of the JSON object that a viewer sees, without the moves and the choosers.

        `is_open`: a question of a transaction is open; the view shows the effects before it.
        """
        buffers = self._pool.take()
        if buffers is None:
            return None
        try:
            while True:
                at: Any = block
                if is_open:
                    if self._run_to_question(buffers, block, words) != NEED:
                        return None
                    at = buffers.work
                status = self._write(buffers, at, self.code.view, self.code.long_view, viewer)
                if status != GROW or not buffers.grow():
                    break
            if status == FAULT:
                return buffers.refusal()
            return self._text(buffers.execution, None if is_open else block) if status == FINE else None
        except (Outgrown, TooLarge):
            buffers.is_unusable = True
            return None
        finally:
            self._pool.give_back(buffers)

    def move_texts(self, block: bytes, data: bytes, index: bytes, start: int, player: int) -> bytes | None:
        """The texts of the complete moves of a player that `list_from` found in a block, one per line.

        UNWRITTEN replaces a text that native code does not write.
        """
        arguments = data, index, start, len(index) // 8
        return self._lines(block, self.code.move_texts, arguments, reader=player)

    def opener_texts(self, block: bytes, words: Words, form: NameForm = NameForm.NAME) -> list[str] | None:
        """The texts of actions, by the choices that start them."""
        packed = struct.pack(f"<{len(words)}q", *words)
        lines = self._lines(block, self.code.opener_texts, (packed, len(words)), form)
        return None if lines is None else split_lines(lines)

    def plain_opener_text(self, block: bytes, word: int, text: str) -> str | None:
        """The text of an action without the name that its thing has by attributes; `text` is with it."""
        receivers = self._receivers[word & 0xFFFF]
        if receivers.family is None or not any(kind.construct.names for kind in receivers.family.kinds):
            return text
        plain = self._plain_openers.get(word)
        if plain is None:
            lines = self.opener_texts(block, (word,), NameForm.PLAIN)
            if lines is None:
                return None
            (plain,) = lines
            if not self._has_tiles and (word >> 32) <= receivers.start_count:
                self._plain_openers[word] = plain
        return plain

    def name_viewers(self, block: bytes, numbers: Sequence[int]) -> list[frozenset[Viewer]]:
        """The viewers who may read the names of instances, by their numbers among all instances."""
        words, lines = [self._words_of_instances.get(number) for number in numbers], None
        if None not in words:
            packed = struct.pack(f"<{len(words)}q", *words)
            lines = self._lines(block, self.code.given_names, (packed, len(words)))
        if lines is None:  # one of them was created in play, or a rule has a fault
            run = self._run_at(block)
            return [name_viewers(run, run.memory.instances[number]) for number in numbers]
        names, viewers = split_lines(lines), self._viewers
        count = len(viewers)
        return [
            frozenset([viewer for viewer, name in zip(viewers, names[at : at + count], strict=True) if name])
            for at in range(0, len(names), count)
        ]

    @cached_property
    def _viewers(self) -> tuple[Viewer, ...]:
        return None, *range(self.world.players)

    @cached_property
    def _words_of_instances(self) -> dict[int, int]:
        """The family and number of each instance that exists from the start, by its number among all."""
        members = self.engine.decoding.members
        return {
            member.number: family.index << 32 | number
            for family in self.plan.families
            for number, member in enumerate(members[family.index])
        }

    def question_after(
        self, block: bytes, words: Words, answers: Words | None = None
    ) -> NativeQuestion | None:
        """The question after some choices since a block, with its candidates or with given answers."""
        buffers = self._pool.take()
        if buffers is None:
            return None
        try:
            while True:
                if self._run_to_question(buffers, block, words) != NEED:
                    return None
                found = self._write_answers(buffers, words, answers)
                if found != GROW or not buffers.grow():
                    break
            return found if isinstance(found, NativeQuestion) else None
        except (Outgrown, TooLarge):
            buffers.is_unusable = True
            return None
        finally:
            self._pool.give_back(buffers)

    def _write_answers(
        self, buffers: CallBuffers, made: Words, answers: Words | None
    ) -> NativeQuestion | int:
        """The question of the context with the texts of its answers; a status if that is not possible."""
        question = self._question(buffers.execution)
        given = question.words if answers is None else answers
        if self.world.names_things and may_be_named(self.plan, self._describe(question.number)[2]):
            return self._write_named_answers(buffers, question, made, given)
        written = self._answer_lines(buffers, given)
        if isinstance(written, int):
            return written
        key, texts = written
        at = self._block_of(buffers.execution)
        return replace(question, words=given, key=key, texts=texts, block=at)

    def _write_named_answers(
        self, buffers: CallBuffers, question: NativeQuestion, made: Words, given: Words
    ) -> NativeQuestion | int:
        """The same for candidates that may have names by their attributes.

        A name is alone if no other candidate, and no element that the list already has, has the same text.
        """
        taken = made[len(made) - question.index :]
        reader = ALL if question.chooser == CHANCE else question.chooser
        type = self._describe(question.number)[2]
        assert isinstance(type, ConstructType)
        if self._has_unique_names(type) and self._signature(buffers.work) == self._start:
            return self._write_unique_answers(buffers, question, given, reader, type)
        everything = (*question.words, *taken)
        key, forms = "", []
        for form in (NameForm.NAME, NameForm.NUMBERED, NameForm.PLAIN):
            written = self._answer_lines(buffers, everything, form, reader)
            if isinstance(written, int):
                return written
            key, texts = written
            at = self._block_of(buffers.execution)
            if texts is None:
                return replace(question, words=given, key=key, block=at)
            forms.append(texts)
        rows = [row if row[0] != row[2] else row[2:] for row in zip(*forms, strict=True)]
        count = len(question.words)
        others = [
            row
            for row, word in zip(rows[count:], taken, strict=True)
            if not self._instance(at, type.name, word).kind.construct.interchangeable
        ]
        named = dict(zip(question.words, distinct_texts(rows[:count], others), strict=True))
        plain = dict(zip(question.words, forms[2], strict=False))
        return replace(
            question,
            words=given,
            key=key,
            texts=tuple(named[word] for word in given),
            plain_texts=tuple(plain[word] for word in given),
            block=at,
        )

    def _write_unique_answers(
        self, buffers: CallBuffers, question: NativeQuestion, given: Words, reader: int, type: ConstructType
    ) -> NativeQuestion | int:
        """The same if no two instances have the same name, and their names are those of the start."""
        at = self._block_of(buffers.execution)
        is_known = reader == ALL and question.number >= QUESTIONS["random"]
        known = self._known_answers(type, given) if is_known else None
        if known is not None:
            plain, names = zip(*known, strict=True)
            return replace(question, words=given, texts=names, plain_texts=plain, block=at)
        plain_texts: tuple[str, ...] | None = None
        if self.world.has_secrets:
            written = self._answer_lines(buffers, given, NameForm.PLAIN, reader)
            if isinstance(written, int):
                return written
            plain_texts = written[1]
        written = self._answer_lines(buffers, given, NameForm.NAME, reader)
        if isinstance(written, int):
            return written
        key, texts = written
        if is_known and texts is not None and plain_texts is not None and not self._has_tiles:
            for word, *both in zip(given, plain_texts, texts, strict=True):
                self._chance_texts[type.name, word] = both[0], both[1]
        return replace(question, words=given, key=key, texts=texts, plain_texts=plain_texts, block=at)

    def _known_answers(self, type: ConstructType, words: Words) -> list[tuple[str, str]] | None:
        """The plain texts and the names of answers of chance, if all of them were written before."""
        known = self._chance_texts
        try:
            return [known[type.name, word] for word in words]
        except KeyError:
            return None

    @cached_property
    def _has_tiles(self) -> bool:
        return has_tiles(self.plan)

    def _has_unique_names(self, type: ConstructType) -> bool:
        known = self._unique_names.get(type.name)
        if known is None:
            known = self._unique_names[type.name] = has_unique_names(self.plan, type)
        return known

    def _answer_lines(
        self, buffers: CallBuffers, words: Words, form: NameForm = NameForm.PLAIN, reader: int = ALL
    ) -> tuple[str, tuple[str, ...] | None] | int:
        """The key of the question of the context, and the texts of choices as answers to it; or a status.

        The texts are None if native code does not write values of this type.
        """
        packed, function = struct.pack(f"<{len(words)}q", *words), self.code.answer_texts
        status = self._write(
            buffers, buffers.work, function, function, packed, len(words), form=form, reader=reader
        )
        if status != FINE:
            return status
        text = self._text(buffers.execution, None).decode(*UTF_8)
        if text.startswith(chr(UNWRITTEN)):
            return "", None
        key, *lines = text.split("\n")
        return key, tuple(lines[:-1])

    def _run_to_question(self, buffers: CallBuffers, block: bytes, words: Words) -> int:
        """Run choices since a block, up to the question after them."""
        engine = self.engine
        if not buffers.reserve(block):
            return GROW
        packed = struct.pack(f"<{len(words)}q", *words) if words else b""
        return buffers.run(engine.short_ask_from, engine.ask_from, (block, packed, len(words)))

    def _write(
        self,
        buffers: CallBuffers,
        block: Any,
        short: Any,
        long: Any,
        *arguments: Any,
        form: NameForm = NameForm.PLAIN,
        reader: int = ALL,
    ) -> int:
        last_block, has_start_names = self._last_checked
        if last_block is not block or not isinstance(block, bytes):
            has_start_names = self._signature(block) == self._start
            self._last_checked = block, has_start_names
        _NAMING.pack_into(
            buffers.execution.context, CONTEXT_AT["has_start_names"], has_start_names, form, reader
        )
        status = int(short(buffers.context_at, block, *arguments))
        if status == STOPPED:
            status = buffers.run_interruptibly(partial(long, buffers.context_at, block, *arguments))
        return status

    def _lines(
        self,
        block: bytes,
        function: Any,
        arguments: tuple[Any, ...],
        form: NameForm = NameForm.NAME,
        reader: int = ALL,
    ) -> bytes | None:
        buffers = self._pool.take()
        if buffers is None:
            return None
        try:
            while True:
                status = self._write(buffers, block, function, function, *arguments, form=form, reader=reader)
                if status != GROW or not buffers.grow():
                    break
            return self._text(buffers.execution, block) if status == FINE else None
        except (Outgrown, TooLarge):
            buffers.is_unusable = True
            return None
        finally:
            self._pool.give_back(buffers)

    def _question(self, execution: ExecutionContext) -> NativeQuestion:
        context = execution.context
        count, values, weights = _QUESTION.unpack_from(context, CONTEXT_AT["need_count"])
        chooser, number = struct.unpack_from("<ii", context, CONTEXT_AT["need_chooser"])
        index = execution.get("need_index", "<i")
        words = struct.unpack(f"<{count}q", ctypes.string_at(values, 8 * count))
        shares: Words = ()
        if chooser == CHANCE and weights:
            shares = struct.unpack(f"<{count}q", ctypes.string_at(weights, 8 * count))
        at = CONTEXT_AT["need_seen"]
        seen = int.from_bytes(context[at : at + 32], "little")
        return NativeQuestion(chooser, number, index, words, shares, seen, "", None, None, b"")

    def _block_of(self, execution: ExecutionContext) -> bytes:
        """The work block of a run, up to the top of its heap."""
        return execution.block_at(ctypes.addressof(execution.blocks[1]))

    # Text

    def _text(self, execution: ExecutionContext, block: bytes | None) -> bytes:
        """The text about a block (None: the work block), with the insertions of Python."""
        end, start, _, last, first = _WRITTEN.unpack_from(execution.context, CONTEXT_AT["text"])
        text = ctypes.string_at(start, end - start)
        size = last - first
        if not size:
            return text
        if block is None:
            block = self._block_of(execution)
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
                return text_of(self._run_at(block), self.engine.known_texts()[low]).encode(*UTF_8)
            case Insert.JSON_STRING:
                return json_text(self.engine.known_texts()[low]).encode()
            case Insert.NAMED_OPENER:
                return self._named_opener(low, block).encode(*UTF_8)
            case _:
                pass
        known = (signature, what, low)
        found = self._names.get(known)
        if found is None:
            if len(self._names) >= MAX_KEPT:
                self._names.clear()
            found = self._names[known] = self._name(what, low, block).encode()
        return found

    def _name(self, what: int, low: int, block: bytes) -> str:
        run = self._run_at(block)
        if what == Insert.OPENER:
            return action_text(run, opener_of(self.plan, run.memory, low)[1:])
        family = self.plan.families[low >> 32]
        return name_of(run, self.plan.members(run.memory, family)[low & 0xFFFFFFFF])

    def _named_opener(self, word: int, block: bytes) -> str:
        last = self._last_run
        if last is None or last[0] != block:
            last = self._last_run = block, self._run_at(block)
        player, *value = opener_of(self.plan, last[1].memory, word)
        return action_text(last[1], tuple(value), player)

    def _run_at(self, block: bytes) -> Run:
        return Run(self.world, self.engine.memory(block))

    # Choices

    def opener_choices(self, block: bytes, words: Sequence[int], texts: Sequence[str]) -> tuple[Choice, ...]:
        """Actions that a player starts, as choices; choices that are the same in every game are cached."""
        known = self._openers
        found = []
        for start in zip(words, texts, strict=True):
            choice = known.get(start)
            if choice is None:
                choice = self.opener_choice(block, *start)
                if (start[0] >> 32) - 1 < self._receivers[start[0] & 0xFFFF].start_count:
                    if len(known) >= MAX_KEPT:
                        known.clear()
                    known[start] = choice
            found.append(choice)
        return tuple(found)

    def opener_choice(self, block: bytes, word: int, text: str) -> Choice:
        """An action that a player starts, as a choice."""
        player, action_index, number = word >> 16 & 0xFF, word & 0xFFFF, (word >> 32) - 1
        receivers = self._receivers[action_index]
        this = -1
        if receivers.family is not None:
            this = self._member_number(block, receivers.family, number)
        part = self._parts.get(word & 0xFF00FFFF)
        if part is None:
            part = self._part_number(action_index, (word >> 24 & 0xFF) - 1)
            self._parts[word & 0xFF00FFFF] = part
        return Choice(player, Kind.ACTION, receivers.action, (action_index, this, part), text)

    @cached_property
    def _receivers(self) -> list[Receivers]:
        """The receivers of each action, by its index."""
        found = []
        for action in self._actions:
            family = None if action.owner is None else self.plan.family(action.owner)
            count = 0 if family is None else len(self.engine.decoding.members[family.index])
            found.append(Receivers(action.name, family, count))
        return found

    def values(self, block: bytes, memory: Memory, words: Words) -> tuple[Any, ...] | None:
        """Choices since a block, decoded for the reference engine; `memory` is the decoded block.

        None if one of them is a list or an object: native code knows only its index among the candidates.
        """
        found: list[Any] = []
        for place, word in enumerate(words):
            if not place and memory.cells[STAGE] == CHOOSING:
                found.append(opener_of(self.plan, memory, word))
                continue
            question = self.question_after(block, words[:place], (word,))
            if question is None or question.texts is None:
                return None
            found.append(self._decode_answer(question))
        return tuple(found)

    def _decode_answer(self, question: NativeQuestion) -> Any:
        """The only answer of a question, decoded for the reference engine."""
        (word,) = question.words
        if word == STOP_CHOICE:
            return STOP
        _, kind, type = self._describe(question.number)
        if word == NONE_CHOICE:
            return None
        match type:
            case _ if kind is Kind.EFFECT:
                assert question.texts is not None
                return question.texts[0]
            case ConstructType(name):
                return self._instance(question.block, name, word)
            case EnumType(name):
                return self.world.members[name][word]
            case _:
                return self._value(type, word, question.block)

    def _instance(self, block: bytes, name: str, word: int) -> Instance:
        family, number = self._family_and_number(name, word)
        members = self.engine.decoding.members[family.index]
        if number < len(members):
            return members[number]
        return self.plan.members(self.engine.memory(block), family)[number]

    def _family_and_number(self, name: str, word: int) -> tuple[Family, int]:
        families = self.plan.families_of(name)
        family = families[0] if len(families) == 1 else self.plan.families[word >> 32]
        return family, word & 0xFFFFFFFF

    def _part_number(self, action_index: int, part: int) -> int:
        """The index of a named part among all offered parts of an action."""
        offered = [offer.part for offer in self.world.offers if offer.action == action_index]
        wanted = None if part < 0 else parts_offered(self.world, action_index)[part]
        return offered.index(wanted) if wanted in offered else 0

    def answer(self, question: NativeQuestion, index: int) -> Choice:
        """A candidate of a question, as a choice."""
        assert question.texts is not None
        word, text = question.words[index], question.texts[index]
        name, kind, type = self._describe(question.number)
        if word == STOP_CHOICE:
            return Choice(question.chooser, Kind.STOP, name, None, "", question.index, question.key)
        if word == NONE_CHOICE:
            return Choice(question.chooser, Kind.INPUT, name, None, text, question.index, question.key)
        if kind is Kind.EFFECT:
            return Choice(question.chooser, kind, name, text, text)
        value = self._value(type, word, question.block)
        return Choice(question.chooser, kind, name, value, text, question.index, question.key)

    def describe_question(self, number: int) -> tuple[str, Kind]:
        """The name and the kind of a question."""
        name, kind, _ = self._describe(number)
        return name, Kind.INPUT if kind in PICKS else kind

    def _describe(self, number: int) -> tuple[str, Kind, Type]:
        known = self._questions.get(number)
        if known is None:
            known = self._questions[number] = self._find_question(number)
        return known

    def _find_question(self, number: int) -> tuple[str, Kind, Type]:
        if number >= QUESTIONS["random"]:
            kind = number & (1 << TYPES_AT) - 1
            name = next(name for name, other in QUESTIONS.items() if other == kind)
            if name == "effect":
                return name, Kind.EFFECT, Basic.STRING
            return name, Kind.CHANCE, self._chance_types[number >> TYPES_AT]
        known: Input = self.engine.unit.inputs[number]
        if known.is_picked:
            return known.name, Kind.ADD if known.is_multiset else Kind.PICK, known.element
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
                return self._instance_number(block, name, word)
            case _:
                return word

    def _instance_number(self, block: bytes, name: str, word: int) -> int:
        """The number of an instance among all instances of the game."""
        return self._member_number(block, *self._family_and_number(name, word))

    def _member_number(self, block: bytes, family: Family, number: int) -> int:
        """The number of a member of a family among all instances of the game."""
        members = self.engine.decoding.members[family.index]
        if number < len(members):
            return members[number].number
        column = family.columns["number"]
        (found,) = struct.unpack_from("<i", block, column.offset + number * column.stride)
        return int(found)
