"""The appearance of a checked program: the data for drawings, and that the rules do not depend on it."""

import pytest

from ludograph import games
from ludograph.play.appearance import Appearance, FixedValue, HintValue, evaluate, hint_table, view_lookup
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game

RULES = """
players 2 has seat;
enum suit { hearts, spades, stars }
interactable card stackable { suit of; decimal rank = 7; }
interactable joker stackable : card { bool wild = true; }
tile land { decimal number = 8; decimal[suit] price = { 1, 2, 3 }; }
board { group grid square 1 by 1 names a1 { land; } }
global state table { land robber; decimal n = 1; }
local state seat
{
  private decimal points = 3;
  action go { trigger on player choice; effect { table.n += 1; pass; } }
}
const decimal seven = 7;
setup { table.robber = a1; new card { of = spades; player = 1; }; new joker { of = hearts; }; }
"""


def looks(block: str) -> Appearance:
    return compile_source(Source(f"{RULES}appearance {{ {block} }}", "game.tgdl")).appearance


def values(block: str, target: str, hint: str) -> tuple[HintValue, ...]:
    return hint_table(looks(block))[target][hint]


def value(block: str, target: str, hint: str, thing: str, player: int = 0) -> object:
    """The value of a hint at the start of the game, as a player sees a thing."""
    (found,) = values(block, target, hint)
    view = Game(compile_source(Source(RULES, "game.tgdl"))).new(seed=1).view(player)
    return evaluate(found, view_lookup(view, thing))


def test_a_program_without_hints_has_an_empty_appearance() -> None:
    assert compile_source(Source(RULES, "game.tgdl")).appearance == Appearance()


def test_colours_become_six_digits() -> None:
    assert looks('players blue, "#ABC";').players == ("#0072b2", "#aabbcc")
    assert values('grid { colour "#FE4400", white; }', "grid", "colour")[0] == FixedValue("#fe4400")


@pytest.mark.parametrize(
    ("block", "target", "hint", "thing", "expected"),
    [
        ("land { pips 6 - abs(seven - number); }", "land", "pips", "a1", 5),
        ("land { label price[spades]; }", "land", "label", "a1", 2),
        ('land { label "{number}: {price.sum()}"; }', "land", "label", "a1", "8: 6"),
        ("land { hide not (table.robber == this); }", "land", "hide", "a1", False),
        ("land { scale (2 if table.n > 0 else 1); }", "land", "scale", "a1", 2),
        ("suit { spades { colour black; } } card { colour of; }", "card", "colour", "card#1", "#1f2328"),
        ("card { colour of; } suit { hearts { colour red; } }", "card", "colour", "card#1", None),
        ("card { symbol of; } suit.spades { symbol spade; }", "card", "symbol", "card#1", "spade"),
        ('card { label of; } suit.spades { label "Pik"; }', "card", "label", "card#1", "Pik"),
        ("card { label of; }", "card", "label", "card#1", "spades"),
        ("card { colour player; }", "card", "colour", "card#1", 1),
        ("card { label player; }", "card", "label", "card#1", "player 1"),
        ("card { colour (red if player == 1 else blue); }", "card", "colour", "card#1", "#c0271d"),
        ('card { symbol (star if rank > 7 else "X"); }', "card", "symbol", "card#1", "X"),
        ("card { pips (of as decimal) + 1; }", "card", "pips", "card#1", 2),
        ("table.robber { token pawn; }", "table.robber", "token", "table", "pawn"),
        ("seat { points { hide points == 3; } }", "seat.points", "hide", "seat#1", True),
    ],
)
def test_a_value_is_evaluated_over_the_view(
    block: str, target: str, hint: str, thing: str, expected: object
) -> None:
    assert value(block, target, hint, thing) == expected


def test_a_hint_that_needs_a_secret_does_not_apply_for_others() -> None:
    block = "seat { label points + 1; }"
    assert value(block, "seat", "label", "seat#1", player=0) == 4
    assert value(block, "seat", "label", "seat#1", player=1) is None


def test_a_derived_construct_has_the_hints_of_its_base() -> None:
    table = hint_table(looks("card { symbol card; scale 2; of { hide; } } joker { scale 3; }"))
    assert table["joker"] == {"symbol": (FixedValue("card"),), "scale": (FixedValue(3),)}
    assert "hide" in table["joker.of"]


def test_actions_are_found_by_their_name() -> None:
    for target in ("go", "seat.go"):
        assert values(f"{target} {{ key G; }}", "action go", "key") == (FixedValue("g"),)


def test_later_blocks_replace_hints_of_earlier_ones() -> None:
    block = "land { scale 1; pips 1; } } appearance { land { scale 2; }"
    assert hint_table(looks(block))["land"] == {"scale": (FixedValue(2),), "pips": (FixedValue(1),)}


def test_sprites_are_part_of_the_appearance() -> None:
    sprite = looks('card { sprite { "bp"; b black; p player; } }').sprite("card")
    assert sprite is not None
    assert sprite.rows == ("bp",)
    assert [letter for letter, _ in sprite.colours] == ["b", "p"]


def test_the_rules_do_not_depend_on_the_appearance() -> None:
    before = compile_source(Source(RULES, "game.tgdl"))
    block = "appearance { players red, blue; card { colour player; label rank; } go { key g; } }"
    for text in (f"{RULES}{block}", f"{block}{RULES}"):
        assert compile_source(Source(text, "game.tgdl")).rules == before.rules


def test_a_record_stays_valid_when_the_appearance_changes() -> None:
    state = Game(compile_source(Source(RULES, "game.tgdl"))).new(seed=1)
    state.push("go")
    other = Game(compile_source(Source(f"{RULES}appearance {{ land {{ pips number; }} }}", "game.tgdl")))
    assert other.rules == state.record.rules
    assert other.from_bytes(state.to_bytes()).to_json() == state.to_json()


def test_the_shipped_appearances_have_values_for_every_player() -> None:
    for name in ("chess", "crazy-eights", "kalah"):
        game = games.load(name)
        assert game.appearance.entries
        view = game.new(seed=1).view(0)
        table = hint_table(game.appearance)
        for thing, seen in view["things"].items():
            for hint, found in table.get(seen["is"], {}).items():
                shown = [evaluate(one, view_lookup(view, thing)) for one in found]
                assert all(one is not None for one in shown) or hint in ("colour", "label"), (thing, hint)
