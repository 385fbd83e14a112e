"""Moves of the rules as actions of settlers games: the states of a game in, its actions and texts out.

A game that was played by the rules (at a table of the server, for example) has moves such as `buy_card` and
`random(knight)`. Here they become actions in HAN, and a game in any notation.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph import settlers
from ludograph.games import State, world_of
from ludograph.hexil.captions import describe_step, read_rules_action, split_move
from ludograph.hexil.deals import Accept, Counter, Deal, Offer, Refuse
from ludograph.hexil.execution import ActionExecutor, ExecutedAction
from ludograph.hexil.layout import Layout, decode_shape, layout_of
from ludograph.hexil.log import Log
from ludograph.hexil.moves import fill_chance
from ludograph.hexil.options import options_to_headers
from ludograph.hexil.positions import facts_to_headers, read_facts, read_island
from ludograph.hexil.starting import read_options
from ludograph.hexil.writing import write_log
from ludograph.notation import han, hsn
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.notation.results import Writing
from ludograph.render.descriptions import Sentence, Who
from ludograph.render.scenes.island.picture import step_scene
from ludograph.render.scenes.items import Scene
from ludograph.settlers import BANK, Discard, Goods, Island, Player, Position, Resource, Trade
from ludograph.settlers.goods import goods_of
from ludograph.settlers.places import frame_of

_OUTCOMES = re.compile(r"random\((.*)\)")
_KINDS = {kind.value: kind for kind in Resource}


class RulesMove(Struct, frozen=True):
    """A move of the rules with the chance after it, by their texts."""

    player: int
    """Counted from 0."""
    text: str
    chance: tuple[str, ...] = ()


class Ground(Struct, frozen=True):
    """What stays the same in a game: the places and the island."""

    layout: Layout
    island: Island


class LineStep(Struct, frozen=True):
    """A move of a line: its action, its words, and its text in HAN, which is empty for deals."""

    entry: ExecutedAction | None
    """None for a move that is no action."""
    caption: Sentence
    han: str


def read_ground(state: State) -> Ground:
    """The places and the island of a state whose island is known."""
    players = state.players
    layout = layout_of(decode_shape(int(world_of(state).options["shape"]), players), players)
    sea = tuple(tile for tile in frame_of(players) if tile not in layout.land)
    return Ground(layout, read_island({**state.things("land"), **state.things("path")}, layout, sea))


def position_of(state: State, ground: Ground) -> Position:
    """The position of a state, with all hands."""
    return ActionExecutor(state, ground.layout, None).position(ground.island)


def read_step(before: State, after: State, move: RulesMove, ground: Ground) -> LineStep:
    """The action of a move, from the states before and after it."""
    executor = ActionExecutor(before, ground.layout, None)
    player = Player(move.player + 1)
    action = _read_action(executor, after, move, player)
    if action is None:
        words = " ".join((*move.text.replace("_", " ").split(), *move.chance))
        return LineStep(None, (Who(player), f"– {words}"), "")
    trade = executor.find_trade(action)
    actor = player if isinstance(action, Discard) else executor.turn
    entry = ExecutedAction(actor, action, trade, 1, None)
    caption = describe_step(action, player)
    written = trade or action
    if isinstance(written, settlers.BuyCard):
        written = settlers.BuyCard()  # HAN hides the kind
    return LineStep(entry, caption, "" if isinstance(written, Deal) else han.format(written))


def _read_action(
    executor: ActionExecutor, after: State, move: RulesMove, player: Player
) -> settlers.Action | Deal | None:
    name, values = split_move(move.text)
    match name, *values:
        case "bank_trade", give, take if give in _KINDS and take in _KINDS:
            paid = _hand(executor.state, player)[_KINDS[give]] - _hand(after, player)[_KINDS[give]]
            return Trade(goods_of(_KINDS[give], paid), goods_of(_KINDS[take]), BANK)
        case "offer", give, count, take if give in _KINDS and take in _KINDS and count.isdigit():
            others = tuple(Player(each) for each in range(1, executor.players + 1) if each != player)
            return Offer(goods_of(_KINDS[give], int(count)), goods_of(_KINDS[take]), others)
        case "counter", take if take in _KINDS:
            wanted = Goods(*map(int, executor.table("get")["get"]))
            return Counter(player, wanted, goods_of(_KINDS[take]))
        case "counter_propose", *counts if len(counts) == 2 * len(_KINDS) and all(map(str.isdigit, counts)):
            numbers = [int(count) for count in counts]
            return Counter(player, Goods(*numbers[: len(_KINDS)]), Goods(*numbers[len(_KINDS) :]))
        case "accept", *_:
            return Accept(player)
        case "refuse", *_:
            return Refuse(player)
    action = read_rules_action(name, values, player, move.chance, executor.layout)
    outcomes = [
        outcome
        for text in move.chance
        if (found := _OUTCOMES.fullmatch(text))
        for outcome in found[1].split(", ")
    ]
    return fill_chance(action, outcomes) if action is not None and outcomes else action


def _hand(state: State, player: Player) -> Goods:
    return Goods(*_counts(state, f"seat#{player}", "hand"))


def scene_of_step(
    before: State, after: State, step: LineStep | None, ground: Ground, *, player: int | None = None
) -> Scene:
    """The scene after a step, with all hands; without a step, that of the start of a line.

    The player is counted from 0.
    """
    result = after.result
    winner = None if result is None or not result.winners else Player(result.winners[0] + 1)
    action = None if step is None or step.entry is None else step.entry.action
    return step_scene(
        position_of(before, ground),
        position_of(after, ground),
        None if isinstance(action, Deal) else action,
        ("the start of the game",) if step is None else step.caption,
        player=None if player is None else player + 1,
        winner=winner,
        cards_left=(_count_unsold(before), _count_unsold(after)),
    )


def _count_unsold(state: State) -> int:
    return sum(_counts(state, "table", "deck"))


def write_line(
    start: State, end: State, steps: Sequence[LineStep], ground: Ground, notation: Notation
) -> Writing:
    """A line of moves from its start to its end in a notation; HSN has the position at its end only.

    The end has the history of the line, so that its moves can be undone.
    """
    if NOTATIONS[notation].content is Content.POSITION:
        return hsn.format_lenient(position_of(end, ground))
    executor = ActionExecutor(end.copy(), ground.layout, None)
    entries = [step.entry for step in steps if step.entry is not None]
    beginning = position_of(start, ground)
    facts = read_facts(start.thing("table", "played", "deck"), beginning.acting)
    result = end.result
    winner = () if result is None or not result.winners else (("Result", str(result.winners[0] + 1)),)
    headers = (*options_to_headers(read_options(executor)), *facts_to_headers(facts), *winner)
    return write_log(executor, Log(entries), replace(beginning, acting=None), headers, notation, "seed")


def _counts(state: State, thing: str, name: str) -> list[int]:
    """A table of numbers of a thing."""
    found: Any = state.thing(thing, name)[name]
    return [int(count) for count in found]
