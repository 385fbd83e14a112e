"""Views: the visible part of a state for one viewer, as JSON.

The rules of visibility are those of `reference/views.py`. Python writes the choosers and the moves so far,
which are not in the block.
"""

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.board.pieces import cards_of, count_cards, part_of
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import json_text
from ludograph.tgdl.native.lower.present.names import members_at_start, put_json_name
from ludograph.tgdl.native.lower.present.text import (
    make_strings,
    put,
    put_decimal,
    put_entry,
    put_whole,
    remove_trailing_comma,
)
from ludograph.tgdl.native.lower.present.values import put_json
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.player_sets import has
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of
from ludograph.tgdl.native.lower.things.visibility import sees_attribute, sees_instance, sees_stack
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference
from ludograph.tgdl.native.lower.values.verbs import call_one
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ConstructType
from ludograph.tgdl.world.analysis import depends_on_viewer
from ludograph.tgdl.world.memory import ConstructInfo

ENDS = {1: "win", 2: "draw", 3: "finish"}


@routine("view", (I32,), exported=True)
def make_views(b: Emitter, viewer: Local) -> None:
    """Emit the exported function that writes a view."""
    b.put("arena", b.get("arena_start", PTR))
    b.put("text", b.get("text_start", PTR))
    b.put("insertion", b.get("insertion_start", PTR))
    b.refuel()
    b.put("depth", const(0))
    _put_header(b)
    put(b, ',"things":{')
    for family in _in_order(b.unit):
        b.run(_family_function(b.unit, family), (viewer,))
    remove_trailing_comma(b)
    put(b, "}")
    b.done()


def _put_header(b: Emitter) -> None:
    """Write the active player, turn, phase, eliminated players, result, and players with sealed choices."""
    world = b.world
    put(b, '"active":')
    put_whole(b, b.head("active", I32))
    for key, names in (
        ("turn", [one.turn.name for one in world.turns]),
        ("phase", [one.phase.name for one in world.phases]),
    ):
        if names:
            number = b.head(key, I32)
            table = make_strings(b.unit, [json_text(name).encode() for name in names], key)
            with b.when(number >= 0):
                put(b, f',"{key}":')
                put_entry(b, table, number)
    out = b.head("out", b.plan.seats)
    with b.when(out.ne(0)):
        put(b, ',"out":')
        _put_players(b, out)
    _put_result(b)
    _put_chosen(b)


def _put_players(b: Emitter, players: Expression) -> None:
    put(b, "[")
    with b.count(const(b.world.players, I32)) as (player, _):
        with b.when(has(players, player)):
            put_whole(b, player)
            put(b, ",")
    remove_trailing_comma(b)
    put(b, "]")


def _put_result(b: Emitter) -> None:
    ended = b.head("ended", I32)
    for number, name in ENDS.items():
        with b.when(ended.eq(number)):
            put(b, f',"result":["{name}",')
            if name == "finish":
                put(b, "[")
                for player in range(b.world.players):
                    put(b, "," if player else "")
                    put_decimal(b, b.load(BLOCK, b.plan.payoffs + 8 * player, F64))
                put(b, "]")
            else:
                _put_players(b, b.head("winners", b.plan.seats))
            put(b, "]")


def _put_chosen(b: Emitter) -> None:
    """Write the players with sealed choices, in the order of their choices."""
    if not any(scene.phase.simultaneous for scene in b.world.phases):
        return
    place = b.plan.header["sealed"]
    offset = b.load(BLOCK, place, I32)
    total = b.let(widen(b.load(BLOCK, place + 4, I32), I64))
    with b.when(total > 0):
        put(b, ',"chosen":[')
        start = b.let(Op("ptrtoint", (BLOCK,), I64) + widen(offset, I64, signed=False))
        at = b.variable(const(0), "at")
        with b.loop("sealed") as label:
            b.leave_if(at >= total, label)
            words = Op("inttoptr", (start + at * 8,), PTR)
            word = b.load(words, 0, I64)
            put_whole(b, b.let(word >> 32))
            put(b, ",")
            length = b.let(word & 0xFFFFFFFF)
            b.set(at, at + length + 1)
        remove_trailing_comma(b)
        put(b, "]")


# Things


def _in_order(unit: CompilationUnit) -> list[Family]:
    """The families in the order of creation of their first instances."""

    def first(family: Family) -> int:
        members = members_at_start(unit, family)
        return members[0].number if members else 1 << 31

    return sorted(unit.plan.families, key=first)


def _family_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"view.{family.index}", (I32,))
    def make(b: Emitter, viewer: Local) -> None:
        with b.count(b.let(count_of(b, family))) as (number, _):
            with b.when(sees_instance(b, family, number, viewer)):
                put_json_name(b, family, number)
                for kind in family.kinds:
                    with b.when(is_one_of(b, family, number, (kind.index,))):
                        b.run(_kind_function(unit, family, kind), (number, viewer))
        b.done()

    return make(unit)


def _kind_function(unit: CompilationUnit, family: Family, kind: ConstructInfo) -> str:
    @routine(f"view.{family.index}.{kind.index}", (I32, I32))
    def make(b: Emitter, number: Local, viewer: Local) -> None:
        put(b, f':{{"is":{json_text(kind.name)}')
        _put_place(b, family, number, viewer)
        for attribute in kind.construct.attributes:
            column = family.columns[b.plan.column_key(kind, attribute.slot)]
            with b.when(sees_attribute(b, family, kind, number, attribute, viewer)):
                put(b, f",{json_text(attribute.name)}:")
                value = b.read_column(column, number, attribute.type)
                put_json(b, value)
        _put_verbs(b, kind, number, viewer)
        put(b, "},")
        b.done()

    return make(unit)


def _put_place(b: Emitter, family: Family, number: Expression, viewer: Expression) -> None:
    """Write the place of a piece, the owners of a state, or the cards of a stack."""
    match family.kind:
        case ConstructKind.INTERACTABLE:
            place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
            put(b, ',"at":')
            with b.when(is_no_reference(place)):
                put(b, "null")
            with b.otherwise():
                for other, at in cases(b, b.plan.place_families(), place):
                    put_json_name(b, other, at)
        case ConstructKind.LOCAL:
            put(b, ',"player":')
            put_json(b, b.read_column(family.columns["owner"], number, Basic.PLAYER))
        case ConstructKind.GROUP_STATE:
            put(b, ',"players":')
            _put_players(b, b.read_column(family.columns["owner"], number, Basic.PLAYER).only)
        case ConstructKind.STACK:
            put(b, ',"length":')
            put_whole(b, count_cards(b, family, number))
            with b.when(sees_stack(b, family, number, viewer)), b.arena_scope():
                put(b, ',"cards":[')
                with each(b, cards_of(b, family, number)) as (card, _):
                    assert isinstance(card.type, ConstructType)
                    for cards, place in cases(b, b.plan.families_of(card.type.name), card.only):
                        put_json_name(b, cards, place)
                    put(b, ",")
                remove_trailing_comma(b)
                put(b, '],"known":')
                put_whole(b, part_of(b, family, number, "top").parts[1])
        case _:
            pass


def _put_verbs(b: Emitter, kind: ConstructInfo, number: Expression, viewer: Expression) -> None:
    """Write the results of the public verbs without parameters, called by the viewer."""
    for name, verb in b.world.public_verbs[kind.name]:
        known = b.world.program.verbs[verb]
        if known.parameters:
            continue
        b.player = viewer
        this = Value(ConstructType(kind.name), (number,), certain=True)
        is_shown: Expression = const(1, I1)
        if depends_on_viewer(b.world, verb):  # a spectator is no player
            is_shown = b.let(viewer >= 0)
        with b.when(is_shown), b.arena_scope(), b.forbidding_chance():
            value = call_one(b, verb, this, [], known.result)
            put(b, f",{json_text(name + '()')}:")
            put_json(b, value)
