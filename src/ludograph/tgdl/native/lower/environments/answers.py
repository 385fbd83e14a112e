"""The actions of answers: a choice word in, the number of its action out, by a table that Python fills.

The number of an action depends on the text of a choice (`adapters/action_ids.py`). A key is as good as the
text: two choices with the same key have the same text. Python numbers the first choice with a key. A choice
without a key has a text that depends on more than the key, and Python numbers it each time.

The rules of names are those of `present/names.py` and `present/moves.py`.
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import (
    I1,
    I8,
    I32,
    I64,
    PTR,
    Expression,
    Local,
    MachineType,
    Statement,
    wrapped,
)
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE, parts_offered
from ludograph.tgdl.native.layout.environments import (
    ACTION_KEY,
    ANSWER_KEY,
    BY_NAME,
    ENTRY_SIZE,
    NO_KEY,
    ON_TILE,
    UNKNOWN,
)
from ludograph.tgdl.native.layout.interface import QUESTIONS
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.representations import WIDE
from ludograph.tgdl.native.lower.actions.questions import fits_in_word, from_word
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import has_unique_names
from ludograph.tgdl.native.lower.present.names import (
    has_given_names,
    holds_one,
    is_new,
    is_on_tile_of,
    is_readable,
)
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference, tagged
from ludograph.tgdl.program import Action, ConstructKind, InputMode
from ludograph.tgdl.program.types import Basic, ConstructType, Type

HASH_FACTOR = 0x9E3779B97F4A7C15
HASH_SHIFT = 32


@routine("answer.action", (PTR, I64, I64, I64), gives=(I64,), often=True)
def find_action_function(b: Emitter, table: Local, mask: Local, first: Local, second: Local) -> None:
    """Emit the lookup of a key in the hash table of actions. It returns UNKNOWN for a missing key."""
    mixed = b.let((first ^ (second * wrapped(HASH_FACTOR, I64))) * wrapped(HASH_FACTOR, I64))
    place = b.variable((mixed >> HASH_SHIFT) & mask, "place")
    with b.loop("probe"):
        entry = b.let(address(table, place * ENTRY_SIZE))
        known = b.load(entry, 0, I64)
        b.done_if(known.eq(NO_KEY), const(UNKNOWN))
        with b.when(known.eq(first)):
            with b.when(b.load(entry, 8, I64).eq(second)):
                b.done(b.load(entry, 16, I64))
        b.set(place, (place + 1) & mask)


@routine("answer.opener_key", (I64,), gives=(I64, I64))
def opener_key_function(b: Emitter, word: Local) -> None:
    """The function that gives the key of an action that a player starts, in the block."""
    this = b.let(widen((word >> 32) - 1, I32))
    plain = b.let(word & 0xFF00FFFF)
    rows: list[tuple[int, list[Statement]]] = []
    for index in dict.fromkeys(offer.action for offer in b.world.offers):
        action = b.world.program.actions[index]
        for number in range(1 + len(parts_offered(b.world, index))):
            with b.apart() as row:
                _give_opener_key(b, action, b.let(plain | ACTION_KEY), this)
            rows.append((index | number << 24, row))
    b.switch(plain, rows, [])
    b.done(const(NO_KEY), const(0))


def _give_opener_key(b: Emitter, action: Action, key: Expression, this: Expression) -> None:
    if action.owner is None:
        b.done(key, const(0))
        return
    family = b.plan.family(action.owner)
    if family.kind is ConstructKind.INTERACTABLE:
        if has_given_names(family):
            b.done(const(NO_KEY), const(0))
            return
        rivals = _tiles_with_action(b, action)
        if rivals:
            with b.when(is_on_tile_of(b, family, this, rivals)):
                _give_permanent_key(b, family, key, this)
    _give_key(b, family, key, this)


def _tiles_with_action(b: Emitter, action: Action) -> tuple[int, ...]:
    """The constructs of tiles that have an action of the same name."""
    actions = b.world.program.actions
    return tuple(
        kind.index
        for kind in b.world.kinds
        if kind.construct.kind is ConstructKind.TILE
        and any(actions[index].name == action.name for index in kind.construct.actions)
    )


def _give_key(
    b: Emitter, family: Family, key: Expression, number: Expression, type: Type | None = None
) -> None:
    """Give the key of an instance as an answer, or as the receiver of an action."""
    match family.kind:
        case ConstructKind.TILE:
            if b.plan.changes:
                b.done(const(NO_KEY), const(0))
            else:
                b.done(key, tagged(b, family, number, WIDE))
        case ConstructKind.INTERACTABLE:
            _give_key_by_tile(b, family, key, number)
            if has_given_names(family):
                assert type is not None
                if not b.world.names_things or not has_unique_names(b.plan, type):
                    b.done(const(NO_KEY), const(0))
                    return
                # Elsewhere two things may have the same name.
                with b.when(b.get("name_form", I32).eq(0) | b.get("has_start_names", I32).eq(0)):
                    b.done(const(NO_KEY), const(0))
                for kind in family.kinds:
                    named_by = [kind.construct.attributes[slot] for slot in kind.construct.names]
                    if named_by:
                        with b.when(is_one_of(b, family, number, (kind.index,))):
                            with b.when(is_readable(b, family, kind, number, named_by)):
                                b.done(b.let(key | BY_NAME), tagged(b, family, number, WIDE))
            _give_permanent_key(b, family, key, number)
        case _:
            if family.kind is ConstructKind.STACK and b.plan.changes:
                b.done(const(NO_KEY), const(0))
            else:
                with b.when(b.get("has_start_names", I32).eq(0), unlikely=True):
                    b.done(const(NO_KEY), const(0))
                _give_permanent_key(b, family, key, number)


def _give_permanent_key(b: Emitter, family: Family, key: Expression, number: Expression) -> None:
    if family.is_mixed and family.kind is ConstructKind.INTERACTABLE:
        # The name of a thing that play has created depends on the constructs of the things before it.
        with b.when(is_new(b, family, number)):
            b.done(const(NO_KEY), const(0))
    b.done(key, tagged(b, family, number, WIDE))


def _give_key_by_tile(b: Emitter, family: Family, key: Expression, number: Expression) -> None:
    """Give the key of the tile, if a piece is alone on a tile."""
    places = b.plan.place_families()
    if not any(each.kind is ConstructKind.TILE for each in places):
        return
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    with b.when(~is_no_reference(place)):
        for other, at in cases(b, places, place):
            if other.kind is ConstructKind.TILE:
                with b.when(holds_one(b, other, at)):
                    if b.plan.changes:
                        b.done(const(NO_KEY), const(0))
                    else:
                        b.done(b.let(key | ON_TILE), tagged(b, other, at, WIDE))


@routine("answer.key", (I64,), gives=(I64, I64))
def answer_key_function(b: Emitter, word: Local) -> None:
    """The function that gives the key of an answer to the question of the context, in the block."""
    question = b.let(widen(b.get("need_input", I32), I64))
    key = b.let(question | ANSWER_KEY)
    with b.when(word.eq(STOP_CHOICE) | word.eq(NONE_CHOICE)):
        b.done(key, word)
    secret_keys = b.world.secret_keys()
    rows: list[tuple[int, list[Statement]]] = []
    for number, known in enumerate(b.unit.inputs):
        type = known.element if known.is_picked else known.type
        if known.mode is not InputMode.ASKED or not fits_in_word(b, type) or id(known) in secret_keys:
            continue
        with b.apart() as row:
            if isinstance(type, ConstructType):
                for family, member in cases(b, b.plan.families_of(type.name), from_word(b, word, type).only):
                    _give_key(b, family, key, member, type)
            else:
                b.done(key, word)
        rows.append((number, row))
    with b.apart() as row:
        b.done(key, word)
    rows.append((QUESTIONS["effect"], row))
    b.switch(question, rows, [])
    b.done(const(NO_KEY), const(0))


@routine("answer.names", (PTR, PTR, I64))
def check_names_function(b: Emitter, signature: Local, ranges: Local, count: Local) -> None:
    """The function that notes whether names in the block are those for which keys were learnt.

    They are if some ranges of the block have the same bytes as another block.
    """
    same = b.variable(const(1, I1), "same")
    with b.count(count) as (index, _):
        row = b.let(address(ranges, index * 16))
        start, end = b.load(row, 0, I64), b.load(row, 8, I64)
        at = b.variable(start, "at")
        with b.loop("words") as words:
            b.leave_if(at + 8 > end, words)
            b.set(same, same & _same_at(b, signature, at, I64))
            b.set(at, at + 8)
        with b.loop("bytes") as bytes_:
            b.leave_if(at >= end, bytes_)
            b.set(same, same & _same_at(b, signature, at, I8))
            b.set(at, at + 1)
    b.put("has_start_names", select(same, const(1, I32), const(0, I32)))
    b.done()


def _same_at(b: Emitter, other: Expression, at: Expression, kind: MachineType) -> Expression:
    return b.load(BLOCK, at, kind).eq(b.load(other, at, kind))
