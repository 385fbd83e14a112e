"""Numbers for choices: a game with its players and options in, one number for each possible choice out.

Reinforcement learning wants a fixed set of actions. Names of tiles, things, enum members and actions are
known before a game starts. Numbers and everything else that only play shows are collected in random games
from fixed seeds, so that the same game always has the same actions. A choice that no sample contained gets
one of the spare actions at the end, by its place in the question; so every legal choice has an action.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from ludograph.games import State
from ludograph.play.choices import CHANCE, Choice, Kind
from ludograph.play.game import IllegalMove, RulesWrong
from ludograph.play.generator import Generator
from ludograph.play.material import KindMaterial, Material, ValueType

SAMPLED_GAMES = 40
SAMPLED_CHOICES = 10_000
"""The sample ends with the game in which this number is reached."""
MAX_SAMPLED_LENGTH = 1_000
"""The choices of one sampled game."""
SPARE_ACTIONS = 32
MAX_ACTIONS = 200_000

ActionKey = tuple[str, str, str]
"""The kind of a choice, the name of its action or input, and its text."""


class TooManyActions(ValueError):
    """The game has more choices than an environment can number."""


class ActionTable(Struct, frozen=True):
    """The actions of an environment. The number of an action is its index."""

    actions: tuple[ActionKey, ...]
    numbers: Mapping[ActionKey, int]
    max_outcomes: int
    """The most candidates that chance had in the sample."""
    longest: int
    """The most choices of a sampled game, of players and of chance."""
    payoffs: tuple[float, float]
    """The least and the greatest payoff in the sample."""
    payoff_sum: float | None
    """The sum of the payoffs of all players, if every sampled game had the same."""

    @property
    def size(self) -> int:
        return len(self.actions) + SPARE_ACTIONS

    def number_candidates(self, candidates: Sequence[Choice]) -> dict[int, Choice]:
        """The candidates of a question by the numbers of their actions, in the order of the numbers."""
        found: dict[int, Choice] = {}
        spare = len(self.actions)
        for choice in candidates:
            number = self.numbers.get(_key(choice))
            if number is None or number in found:
                number, spare = spare, spare + 1
                if number >= self.size:
                    raise TooManyActions(
                        f"a question has more than {SPARE_ACTIONS} answers that the table of actions lacks, "
                        f"such as {choice.text!r}"
                    )
            found[number] = choice
        return dict(sorted(found.items()))

    def find(self, choice: Choice) -> int | None:
        """The number of a choice by its text; None if the sample lacked it."""
        return self.numbers.get(_key(choice))

    def describe(self, number: int) -> str:
        """An action in words."""
        if number >= len(self.actions):
            return f"spare {number - len(self.actions)}"
        kind, name, text = self.actions[number]
        return text if kind == Kind.ACTION.value else f"{name}: {text or 'done'}"


def build_action_table(start: State) -> ActionTable:
    """The actions of the game of a state, from its material and from sampled games."""
    sample = _sample(start)
    keys = set(_named_choices(start.material(), _names(start))) | set(sample.keys)
    keys |= set(_between_numbers(sample.keys))
    if len(keys) > MAX_ACTIONS:
        raise TooManyActions(
            f"the game has {len(keys):,} possible choices; an environment has {MAX_ACTIONS:,}"
        )
    actions = tuple(sorted(keys, key=_order))
    return ActionTable(
        actions,
        {key: number for number, key in enumerate(actions)},
        sample.max_outcomes,
        sample.longest,
        (min(sample.payoffs, default=-1.0), max(sample.payoffs, default=1.0)),
        sample.payoff_sum,
    )


def _key(choice: Choice) -> ActionKey:
    return choice.kind.value, choice.name, choice.text


def _order(key: ActionKey) -> tuple[str, str, float, str]:
    """Actions first, then inputs; numbers in their order."""
    kind, name, text = key
    number = _maybe_integer(text)
    return kind, name, float("-inf") if number is None else float(number), text


# Choices by name


def _named_choices(material: Material, names: Mapping[str, list[str]]) -> Iterator[ActionKey]:
    """The choices that the material names: actions of places and things, and inputs of types with members."""
    for action in material.actions:
        role = material.kind(action.owner).role if action.owner else "global state"
        if role in ("tile", "interactable"):
            for name in names.get(action.owner, ()):
                yield Kind.ACTION.value, action.name, f"{name}.{action.name}"
        else:
            yield Kind.ACTION.value, action.name, action.name
        for each in action.inputs:
            kind = {"list": Kind.PICK, "table": Kind.ADD}.get(each.type.base, Kind.INPUT)
            inner = {Kind.PICK: each.type.element, Kind.ADD: each.type.key}.get(kind, each.type)
            for text in _texts_of_type(inner, material, names) if inner is not None else ():
                yield kind.value, each.name, text
            if kind is not Kind.INPUT:
                yield Kind.STOP.value, each.name, ""


def _texts_of_type(type: ValueType, material: Material, names: Mapping[str, list[str]]) -> Sequence[str]:
    match type.base:
        case "bool":
            return ("false", "true")
        case "enum":
            return material.members(type.name)
        case "player":
            return tuple(str(player) for player in range(material.players))
        case "thing":
            return names.get(type.name, ())
        case _:
            return ()


def _names(start: State) -> dict[str, list[str]]:
    """The possible names of the things of each kind: places for pieces, attributes or numbers for cards."""
    material = start.material()
    tiles = {tile.name: tile.kind for group in start.arrangement().groups for tile in group.tiles}
    instances = start.to_json()["instances"]
    assert isinstance(instances, dict)
    found: dict[str, list[str]] = {}
    for kind in material.kinds:
        if kind.role == "tile":
            names = [name for name, of in tiles.items() if kind.name in (of, *_ancestors(material, of))]
        elif kind.role == "interactable":
            names = list(_product_names(kind, material)) if kind.named_by else []
            names += [name for name in instances if name.startswith(f"{kind.name}#")]
            names += list(tiles) if kind.is_placeable else []
        else:
            names = []
        found[kind.name] = names
    return found


def _ancestors(material: Material, kind: str) -> tuple[str, ...]:
    return material.kind(kind).ancestors


def _product_names(kind: KindMaterial, material: Material) -> Iterator[str]:
    """The names of things that enums name, such as `hearts-ace`. Numbers are left to the sample."""
    members: list[tuple[str, ...]] = []
    for name in kind.named_by:
        attribute = kind.attribute(name)
        if attribute is None or attribute.type.base != "enum":
            return
        members.append(material.members(attribute.type.name))
    for parts in product(*members):
        yield "-".join(parts)


# Choices by play


class _Sample(Struct, frozen=True):
    keys: tuple[ActionKey, ...]
    max_outcomes: int
    longest: int
    payoffs: tuple[float, ...]
    payoff_sum: float | None


def _sample(start: State) -> _Sample:
    """Random games from fixed seeds, choice by choice."""
    keys: dict[ActionKey, None] = {}
    outcomes = longest = total = 0
    payoffs: list[float] = []
    sums: set[float] = set()
    for game in range(SAMPLED_GAMES):
        state, generator, length = start.copy(), Generator(game), 0
        while state.asked and length < MAX_SAMPLED_LENGTH:
            question = state.question()
            length += 1
            if question.chooser == CHANCE:
                outcomes = max(outcomes, len(question.candidates))
            else:
                keys.update((_key(choice), None) for choice in question.candidates)
            try:
                state.choose(question.candidates[generator.below(len(question.candidates))])
            except (IllegalMove, RulesWrong):
                break
        total, longest = total + length, max(longest, length)
        if state.payoffs is not None:
            payoffs += state.payoffs
            sums.add(sum(state.payoffs))
        if total >= SAMPLED_CHOICES:
            break
    return _Sample(
        tuple(keys), outcomes, longest, tuple(payoffs), next(iter(sums)) if len(sums) == 1 else None
    )


def _between_numbers(keys: Sequence[ActionKey]) -> Iterator[ActionKey]:
    """All whole numbers between the least and the greatest that an input had."""
    ranges: dict[tuple[str, str], tuple[int, int]] = {}
    for kind, name, text in keys:
        number = _maybe_integer(text)
        if number is not None and kind == Kind.INPUT.value:
            low, high = ranges.get((kind, name), (number, number))
            ranges[kind, name] = (min(low, number), max(high, number))
    for (kind, name), (low, high) in ranges.items():
        if high - low <= MAX_ACTIONS:
            for number in range(low, high + 1):
                yield kind, name, str(number)


def _maybe_integer(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None
