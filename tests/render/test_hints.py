"""Hints in pictures: what the appearance of a game changes in its scene."""

from functools import cache
from xml.etree import ElementTree

import pytest

from ludograph.play.appearance_words import STYLES, SYMBOLS
from ludograph.render.scenes.board_styles import LAYOUTS, MATERIALS
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem
from ludograph.render.scenes.piece_symbols import ALIASES, PIECES, ROUND_SYMBOLS
from ludograph.render.scenes.states import draw_state, scene_of
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.state import State

RULES = """
players 2 has seat;
enum suit { hearts, bells }
interactable card stackable { suit of; decimal rank = 7; }
interactable man placeable { bool king = false; }
tile land holds man { suit grows = bells; decimal number = 8; decimal age = 0; }
board { group grid square 2 by 2 names a1 { land; } }
global state table
{
  land robber;
  decimal left = 4;
  decimal[suit] bank = 2;
  suit called = hearts;
  decimal face = 5;
}
local state seat
{
  private decimal points = 3;
  stack hand of card;
  action go { trigger on player choice; effect { pass; } }
}
stack deck of card { default { return { new card, new card, new card { of = hearts; } }; } }
setup { table.robber = b2; man m = new man { player = 1; king = true; }; move m to a1; }
"""


@cache
def state_with(block: str) -> State:
    return Game(compile_source(Source(f"{RULES}appearance {{ {block} }}", "game.tgdl"))).new(seed=1)


def scene(block: str, seat: int = 0) -> Scene:
    return scene_of(state_with(block), seat)


def item(block: str, id: str, seat: int = 0) -> SceneItem:
    """The item with an id; an error if there is none."""
    found = scene(block, seat)
    (one,) = [each for each in (*found.static.items, *found.changing.items) if each.id == id]
    return one


def ids(block: str, seat: int = 0) -> set[str]:
    return {each.id for each in scene(block, seat).changing.items}


def test_players_have_the_colours_of_the_hints_and_then_other_ones() -> None:
    colours = scene('players white, "#0072b2";').static.player_colours
    assert colours[:3] == ("#fbfaf6", "#0072b2", "#D55E00")


def test_a_checkered_board_has_two_colours() -> None:
    block = 'grid { style checkered, wood; colour "#111", "#222"; }'
    assert item(block, "cell.a2").colour == "#111111"
    assert item(block, "cell.b2").colour == "#222222"
    assert item(block, "board.grid").colour == MATERIALS["wood"]


def test_lines_go_through_the_middle_of_squares() -> None:
    assert item("grid { style lines; }", "cell.a1").style == "clear"


def test_a_tile_shows_its_hints_and_lists_the_other_values() -> None:
    block = "land { colour grows; label number; pips number - 3; } suit.bells { colour gold; }"
    assert item(block, "ground.a2").colour == "#d4a017"
    assert item(block, "number.a2").text == "8"
    assert len(item(block, "pips.a2").points) == 5
    assert "note.a2" not in ids(block)


def test_a_piece_has_a_symbol_a_colour_and_a_size() -> None:
    piece = item("man { symbol (crown if king else disc); colour (red if king else blue); }", "piece.man-1")
    assert (piece.symbol, piece.colour) == ("crown", "#c0271d")
    assert item("man { scale 0.5; }", "piece.man-1").width == item("", "piece.man-1").width / 2


def test_letters_can_be_the_symbol_of_a_piece() -> None:
    piece = item('man { symbol "♚"; }', "piece.man-1")
    assert (piece.symbol, piece.text) == ("", "♚")


def test_a_sprite_replaces_the_symbol_of_a_piece() -> None:
    block = 'players red, blue; man { sprite { "b."; "bp"; b black; p player; } }'
    assert item(block, "piece.man-1").pixels == (("#1f2328", ""), ("#1f2328", "#0072b2"))
    assert str(draw_state(state_with(block), 0)).count("#1f2328") == 2


def test_a_token_stands_on_the_tile_of_an_attribute_and_not_in_the_panel() -> None:
    block = 'table.robber { token rook; colour red; label "Robber"; }'
    marker = item(block, "marker.robber.b2")
    assert (marker.symbol, marker.colour, marker.title) == ("rook", "#c0271d", "Robber at b2")
    assert "value.table.robber" not in ids(block)


def test_labels_and_members_are_named_in_the_panel() -> None:
    block = 'table { left { label "Rounds left"; } bank { label "Bank"; } } suit { hearts { label "Herz"; } }'
    assert item(block, "value.table.left.label").text == "Rounds left"
    assert item(block, "value.table.bank.hearts").notes == ("Herz",)
    assert item(block, "value.table.called").text == "Herz"


def test_hidden_values_are_not_drawn() -> None:
    assert "value.table.left" in ids("table.left { hide left == 3; }")
    assert "value.table.left" not in ids("table.left { hide left == 4; }")


def test_hidden_things_are_not_drawn() -> None:
    assert "piece.man-1" not in ids("man { hide king; }")
    assert "piece.man-1" in ids("man { hide not king; }")
    assert "stack.deck" not in ids("deck { hide; }")
    assert "value.table.left" not in ids("table { hide; }")
    assert scene("grid { hide; }").static.items == ()


def test_a_board_has_a_size() -> None:
    assert item("grid { scale 0.5; }", "cell.a1").width == item("", "cell.a1").width / 2


def test_a_number_can_be_a_die_or_a_pile() -> None:
    assert item("table.face { dice; }", "value.table.face.0").kind is ItemKind.DIE
    pile = item("table.left { pile; colour purple; }", "value.table.left")
    assert (pile.kind, pile.text, pile.colour) == (ItemKind.CARD, "4", "#7b3f98")


def test_of_a_pile_only_the_top_card_is_drawn() -> None:
    assert len([each for each in ids("deck { cards; }") if each.startswith("card.")]) == 3
    assert len([each for each in ids("deck { pile; }") if each.startswith("card.")]) == 1


def test_a_card_has_the_symbol_and_the_colour_of_its_hints() -> None:
    card = item("card { symbol gem; colour of; label rank + 1; } suit.hearts { colour teal; }", "card.card-3")
    assert (card.symbol, card.colour, card.text) == ("gem", "#1b7f8c", "8")


def test_choices_have_the_words_and_keys_of_their_actions() -> None:
    (choice,) = scene('go { label "Go on"; key g; symbol arrow; colour red; }').changing.choices.steps
    assert (choice.label, choice.key, choice.symbol, choice.colour) == ("Go on", "g", "arrow", "#c0271d")


def test_a_group_without_hints_has_those_of_the_board() -> None:
    assert item("board { style felt; }", "board.grid").colour == MATERIALS["felt"]


def test_the_label_of_a_local_state_names_its_player() -> None:
    assert item('seat { label ("Red" if player == 0 else "Blue"); }', "name.player1").text == "Blue"


def test_a_hint_that_needs_a_secret_is_not_drawn_for_others() -> None:
    block = 'table.left { label "x"; } seat.points { label "{points} points"; }'
    assert item(block, "value.seat-1.points.label", seat=0).text == "3 points"
    assert "value.seat-1.points.label" in ids(block, seat=1)
    assert item(block, "value.seat-1.points.label", seat=1).text != "3 points"


def test_every_symbol_and_every_style_is_known_to_the_drawing() -> None:
    assert {ALIASES.get(name, name) for name in SYMBOLS} <= {*PIECES, *ROUND_SYMBOLS}
    assert set(STYLES) == {*LAYOUTS, *MATERIALS}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_gives_a_picture(style: str) -> None:
    drawn = str(
        draw_state(state_with(f"grid {{ style {style}; colour red, blue; }} board {{ style {style}; }}"), 0)
    )
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_every_symbol_can_be_drawn() -> None:
    state = state_with("")
    for name in sorted(SYMBOLS):
        hinted = state_with(
            f"man {{ symbol {name}; }} land {{ symbol {name}; }} table.left {{ symbol {name}; }}"
        )
        assert ElementTree.fromstring(str(draw_state(hinted, 0))) is not None
    assert state.game.appearance.entries == ()


def test_without_hints_nothing_is_found() -> None:
    hints = Hints()
    assert hints.find("land", "colour") is None
    assert hints.text("land", "label") == ""
    assert not hints.symbol("land")
    assert hints.pixels("land") == ()
