"""Positions as text: grids of squares and hexes, graphs, hands, and nothing that is not seen."""

from collections import Counter
from itertools import product

import pytest

from ludograph.cli.board.position_text import describe_cards, format_position
from ludograph.games import list_games, load
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State


def start(group: str, more: str = "") -> State:
    text = f"tile cell {{ }} board {{ group grid {group} }} {more}"
    return Game(compile_source(Source(text))).new(seed=1)


def test_a_square_board_has_rows_and_columns() -> None:
    state = load("tic-tac-toe").new()
    state.push("grid[1][1].mark")
    state.push("grid[0][2].mark")
    assert format_position(state, 0) == "   0 1 2\n0  · · 1\n1  · 0 ·\n2  · · ·\n"


def test_pieces_have_letters_of_their_own_and_a_legend() -> None:
    lines = format_position(load("chess").new(), 0).splitlines()
    assert lines[:3] == ["   a b c d e f g h", "8  r n b q k b n r", "7  p p p p p p p p"]
    assert lines[8] == "1  R N B Q K B N R"
    assert "K king, N knight" in lines[10]


@pytest.mark.parametrize(
    ("group", "picture"),
    [
        ("hex rhombus 2 by 3 { cell; }", "   0 1 2\n0  · · ·\n1   · · ·\n"),
        ("hex row 3 by 2 { cell; }", "   0 1\n0  · ·\n1   · ·\n2  · ·\n"),
        ("hex hexagon 2 { cell; }", "[-1][0]   · ·\n[0][-1]  · · ·\n[1][-1]   · ·\n"),
        ("hex col 3 by 2 { cell; }", "   0 1 2\n0  ·   ·\n0    ·\n1  ·   ·\n1    ·\n"),
        ("hex col names a1 { 2 cell; cell, b; }", "   a b\n2  ·\n2    ·\n1  ·\n"),
        ("adjacency { a <-> b <-> c; }", "a ·   b ·   c ·\n"),
    ],
)
def test_other_boards_keep_their_shape(group: str, picture: str) -> None:
    assert format_position(start(group), 0) == picture


def test_a_tile_shows_its_numbers_behind_the_pieces_on_it() -> None:
    rules = """
    tile cell { decimal v = 0; action tap { trigger on player choice; effect { v += 1; pass; } } }
    board { group row square 1 by 3 { cell; } }
    interactable coin placeable { decimal worth = 1; }
    setup { for cell c in row.tiles move new coin { worth = c.column; } to c; }
    """
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 0) == "   0  1  2\n0  C0 C1 C2\n\nC coin\nafter a letter: worth\n"
    state.push("row[0][1].tap")
    assert format_position(state, 0) == (
        "   0     1     2\n"
        "0  C0    C1/:1 C2\n"
        "\n"
        "C coin\n"
        "after a letter: worth\n"
        "after a colon: v\n"
        "after a slash: the tile itself\n"
    )


def test_several_pieces_come_before_the_owner_and_the_numbers_of_their_tile() -> None:
    rules = "interactable man placeable { } setup { PLACES }"
    places = "grid[0][0].player = 1; move new man { player = 0; } to grid[0][0];"
    state = start("square 1 by 2 { cell; }", rules.replace("PLACES", places * 2))
    assert format_position(state, 0).startswith("   0     1\n0  0+0/1 ·\n")


def test_a_long_numbered_track_is_folded_in_the_middle() -> None:
    text = format_position(load("backgammon").new(seed=1), 0)
    assert text.startswith(
        "p13  p14  p15  p16  p17  p18  p19  p20  p21  p22  p23  p24\n"
        "0:5  ·    ·    ·    1:3  ·    1:5  ·    ·    ·    ·    0:2\n"
        "\n"
        "1:5  ·    ·    ·    0:3  ·    0:5  ·    ·    ·    ·    1:2\n"
        "p12  p11  p10  p9   p8   p7   p6   p5   p4   p3   p2   p1\n"
        "\n"
        "bar1 ·   bar0 ·\n"
    )
    assert "after a colon: men\n" in text


def test_a_short_or_broken_track_is_listed() -> None:
    assert format_position(start("adjacency { p1 <-> p2 <-> p3; }"), 0) == "p1 ·   p2 ·   p3 ·\n"
    links = " <-> ".join(f"p{n}" for n in (*range(1, 12), 14))
    assert format_position(start(f"adjacency {{ {links}; }}"), 0).startswith("p1 ·    p2 ·    p3 ·")


DOTS = """
players 2;
tile box { }
tile line { }
tile dot { }
board
{
  group boxes SHAPE { box; }
  group lines sides of boxes { line; }
  group dots corners of boxes { dot; }
}
action draw_line
{
  trigger on player choice;
  input line l { l.player == none }
  effect { l.player = player; for box b in l.cells b.player = player; pass; }
}
"""


def dots(shape: str) -> State:
    return Game(compile_source(Source(DOTS.replace("SHAPE", shape)))).new()


def test_corners_and_sides_of_squares_stand_between_them() -> None:
    state = dots("square 1 by 2")
    state.push("draw_line(l: lines[3])")
    assert format_position(state, 0) == (
        "boxes, lines, dots:\n"
        "        0       1\n"
        "    ·  ·0   ·  ·2   ·\n"
        "0  ·1   0   0   0  ·4\n"
        "    ·  ·5   ·  ·6   ·\n"
        "·5 is on a side lines[5]\n"
    )


def test_corners_and_sides_of_hexes_stand_around_them() -> None:
    state = dots("hex rhombus 1 by 1")
    state.push("draw_line(l: lines[2])")
    assert format_position(state, 0) == (
        "boxes, lines, dots:\n"
        "              ·\n"
        "          ·1    ·0\n"
        "        ·           ·\n"
        "[0][0]  0     0    ·3\n"
        "        ·           ·\n"
        "          ·4    ·5\n"
        "              ·\n"
        "·5 is on a side lines[5]\n"
    )


def test_cards_in_a_hand_say_their_kind_and_whose_they_are_if_that_is_not_known() -> None:
    rules = """
    players 2 has side;
    interactable man stackable { decimal worth = 0; }
    interactable king stackable : man { }
    stack box of man;
    local state side { stack hand of man; }
    setup
    {
      for player p in players.all { king k = new king; k.player = p; k.worth = 3; move k to box; }
      man m = new man;
      m.player = 1;
      move m to side[1].hand;
    }
    action go { trigger on player choice; effect { pass; } }
    """
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 0) == (
        "box: 2 (king 3 of player 0, king 3 of player 1)\n"
        "player 0, side: hand 0\n"
        "player 1, side: hand 1 (man 0)\n"
    )


PIECES = """
players 2;
interactable piece placeable { bool tall = false; bool dark = false; decimal worth = 0; }
tile cell { }
global state table { piece given = none; piece[] spare = {}; bool open = true; }
board { group grid square 1 by 2 { cell; } }
setup
{
  move new piece { tall = true; } to grid[0][0];
  table.given = new piece { dark = true; };
  table.spare.add(new piece { tall = true; dark = true; worth = 3; });
}
action go { trigger on player choice; effect { pass; } }
"""


def test_empty_lists_of_a_thing_are_left_out() -> None:
    state = start(
        "square 1 by 1 { cell; }",
        "interactable man placeable { decimal[] seen; decimal n = 2; } global state t { man m = new man; }"
        " setup { move t.m to grid[0][0]; }",
    )
    assert "t: m man#1 (2)\n" in format_position(state, 0)


def test_the_legend_says_where_numbers_stand() -> None:
    text = """players 2; enum metal { gold, tin }
      tile cell { metal of = none; decimal worth = 0; decimal held = 0; }
      board { group grid square 1 by 2 { cell; } }
      setup { grid[0][0].of = gold; grid[0][0].worth = 7; grid[0][1].player = 1; grid[0][1].held = 4; }
      action go { trigger on player choice; effect { pass; } }"""
    picture = format_position(Game(compile_source(Source(text))).new(), 0)
    assert picture == "   0     1\n0  G:7:0 1:0:4\n\nG gold\nafter a colon: worth, held\n"


LAND = """
players COUNT;
enum terrain { plain, wood }
tile land
{
  terrain kind = plain;
  decimal walls = 0;
  action take { trigger on player choice; effect { this.player = player; pass; } }
  action wall { trigger on player choice; effect { walls += 1; pass; } }
}
board { group map GROUP { land; } }
"""


def land(players: int, group: str, *moves: str) -> str:
    rules = LAND.replace("COUNT", str(players)).replace("GROUP", group)
    state = Game(compile_source(Source(rules))).new()
    for move in moves:
        state.push(move)
    return format_position(state, 0)


@pytest.mark.parametrize("players", [2, 3])
def test_a_tile_shows_what_it_is_whose_it_is_and_its_numbers(players: int) -> None:
    group = "square 1 by 4 names a1"
    assert land(players, group) == "   a b c d\n1  P P P P\n\nP plain\n"
    assert land(players, group, "a1.wall") == (
        "   a  b  c  d\n1  P1 P0 P0 P0\n\nP plain\nafter a letter: walls\n"
    )
    assert land(players, group, "a1.take", "b1.take") == (
        "   a  b  c  d\n1  P0 P1 P  P\n\nP plain\nafter a letter: player\n"
    )
    assert land(players, group, "b1.wall", "b1.take", "c1.wall") == (
        "   a    b    c    d\n1  P    P1:1 P:1  P\n\nP plain\nafter a letter: player\nafter a colon: walls\n"
    )


def test_owners_of_hexes_and_of_places_in_a_graph_are_shown() -> None:
    assert land(2, "hex rhombus 2 by 2", "map[0][1].take").startswith("   0   1\n0  P   P0\n1    P   P\n")
    graph = "group map adjacency { land x, y; x <-> y; }"
    rules = LAND.replace("COUNT", "2").replace("group map GROUP { land; }", graph)
    state = Game(compile_source(Source(rules))).new()
    state.push("x.take")
    assert format_position(state, 0).startswith("x P0   y P\n")


GEMS = """
enum suit { sun, moon }
enum size { tiny, vast }
interactable gem placeable { suit s; size z; bool lit = false; }
tile pad
{
  bool fly = true;
  suit s = sun;
  size z = vast;
  action eat { trigger on player choice; effect { fly = false; pass; } }
  action grow { trigger on player choice; effect { z = tiny; pass; } }
  action lose { trigger on player choice; effect { s = none; pass; } }
}
board { group pond square 1 by 3 names a1 { pad; } }
setup
{
  move new gem { s = sun; z = tiny; } to pond[0][1];
  move new gem { s = sun; z = vast; lit = true; } to pond[0][2];
}
"""


def test_all_words_and_truths_are_shown_and_only_marks_on_the_board_explained() -> None:
    state = Game(compile_source(Source(GEMS))).new()
    assert format_position(state, 0) == (
        "   a       b       c\n"
        "1  /SV!    ST/SV!  SV*/SV!\n"
        "\n"
        "S sun, T tiny, V vast\n"
        "after a slash: the tile itself\n"
        "*: lit, !: fly\n"
    )
    for move in ("a1.eat", "b1.grow", "c1.lose"):
        state.push(move)
    assert format_position(state, 0).splitlines()[1] == "1  /SV     ST/ST!  SV*/-V!"


def test_a_truth_of_a_tile_is_a_sign() -> None:
    rules = """tile pad { bool fly = true; bool wet = false;
        action eat { trigger on player choice; effect { fly = false; pass; } }
        action rain { trigger on player choice; effect { wet = true; pass; } } }
      board { group pond square 1 by 3 names a1 { pad; } }"""
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 0) == "   a b c\n1  * * *\n\n*: fly\n"
    for move in ("a1.eat", "b1.rain"):
        state.push(move)
    assert format_position(state, 0) == "   a  b  c\n1  ·  *! *\n\n*: fly, !: wet\n"


def test_a_truth_that_is_not_seen_is_not_one_that_does_not_hold() -> None:
    rules = """players 2; tile pad { private bool trap = false; }
      board { group path square 1 by 3 { pad; } }
      setup { path[0][0].player = 0; path[0][1].player = 1; path[0][2].player = 1; path[0][2].trap = true; }
      action go { trigger on player choice; effect { pass; } }"""
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 0) == "   0   1   2\n0  0   1?* 1?*\n\n*: trap, ?: not known\n"
    assert format_position(state, 1).splitlines()[1] == "0  0?* 1   1*"


def test_pieces_of_two_players_and_of_nobody_are_told_apart() -> None:
    rules = """players 2; interactable man placeable { } interactable rock placeable { } tile cell { }
      board { group row square 1 by 4 { cell; } }
      setup
      {
        move new man { player = 0; } to row[0][0];
        move new man { player = 1; } to row[0][1];
        move new rock to row[0][2];
        MORE
      }
      action go { trigger on player choice; effect { pass; } }"""
    state = Game(compile_source(Source(rules.replace("MORE", "")))).new()
    assert format_position(state, 0) == (
        "   0 1 2 3\n0  M m R ·\n\nM man; capital: player 0, small: player 1\nR rock\n"
    )
    state = Game(compile_source(Source(rules.replace("MORE", "move new man to row[0][3];")))).new()
    assert format_position(state, 0) == (
        "   0  1  2  3\n0  M0 M1 R  M\n\nM man, R rock\nafter a letter: player\n"
    )


def test_what_a_public_verb_gives_may_be_a_word_here_and_a_number_or_list_there() -> None:
    rules = """enum terrain { plain, wood }
      tile land { object found = none; public verb seen() { this.found } }
      board { group map square 1 by 3 { land; } }
      setup { map[0][0].found = plain; map[0][1].found = 3; map[0][2].found = { 1, 2 }; }"""
    text = format_position(Game(compile_source(Source(rules))).new(), 0)
    assert text == "   0    1    2\n0  P    :3:3 ·\n\nP plain\nafter a colon: found, seen()\n"


def test_kinds_of_tiles_in_one_group_are_told_apart() -> None:
    rules = """tile water { } tile isle { }
      board { group sea square { 2 water, isle; } group lake square { 2 isle; } }"""
    assert format_position(Game(compile_source(Source(rules))).new(), 0) == (
        "sea:\n   0 1 2\n0  · · I\n\nlake:\n   0 1\n0  I I\n\nI isle\n"
    )


def test_letters_stay_when_words_leave_the_board() -> None:
    rules = """enum colour { gold, green }
      tile cell { colour fly = green; action eat { trigger on player choice; effect { fly = none; pass; } } }
      board { group row square 1 by 2 names a1 { cell; } }
      setup { row[0][0].fly = gold; }"""
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 0) == "   a b\n1  G R\n\nG gold, R green\n"
    state.push("a1.eat")
    assert format_position(state, 0) == "   a b\n1  · R\n\nR green\n"


MANY = """
players COUNT;
enum terrain { plain, wood }
enum arm { wood_man, foot }
interactable unit placeable { arm kind; terrain home; decimal steps = 0; bool tired = false; }
interactable mule placeable { terrain home; bool tired = false; }
tile land { terrain kind; terrain under; decimal walls; bool wet = false; }
board { group map square 1 by SIZE { land; } }
setup { CONTENT }
action go { trigger on player choice; effect { pass; } }
"""


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("has_pieces", [False, True])
@pytest.mark.parametrize("owners", [("none", "0", "1"), ("0", "1"), ("none",)])
def test_what_differs_has_different_marks(players: int, has_pieces: bool, owners: tuple[str, ...]) -> None:
    terrains = ("none", "plain", "wood")
    grounds = [
        f"player = {owner}; kind = {kind}; under = {under}; walls = {walls}; wet = {wet};"
        for owner, kind, under in product(owners, terrains, terrains)
        for walls, wet in product(("none", "0", "1"), ("true", "false"))
    ]
    pieces = [
        f"unit {{ player = {owner}; kind = {kind}; home = {home}; steps = {steps}; tired = {tired}; }}"
        for owner, kind, home in product(owners, ("none", "wood_man", "foot"), terrains)
        for steps, tired in product(("0", "1"), ("true", "false"))
    ]
    pieces += [f"mule {{ player = {owner}; home = {home}; }}" for owner, home in product(owners, terrains)]
    setup = [
        " ".join(f"map[0][{place}].{each.strip()};" for each in ground.split(";")[:-1])
        for place, ground in enumerate(grounds)
    ]
    if has_pieces:
        first = len(grounds)
        setup += [f"move new {piece} to map[0][{first + place}];" for place, piece in enumerate(pieces)]
    size = len(grounds) + (len(pieces) if has_pieces else 0)
    rules = MANY.replace("COUNT", str(players)).replace("SIZE", str(size))
    state = Game(compile_source(Source(rules.replace("CONTENT", "\n".join(setup))))).new()
    marks = format_position(state, 0).splitlines()[1].split()[1:]
    assert len(marks) == size
    assert {mark: count for mark, count in Counter(marks).items() if count > 1} == {}


def test_numbers_stand_in_the_order_of_the_legend() -> None:
    text = """players 2;
      interactable man placeable { decimal left = 0; decimal steps = 2; decimal no = 0; decimal rank = none; }
      tile cell { }
      tile hill : cell { decimal cost = 3; }
      board { group row square { 3 cell, hill; } }
      setup
      {
        move new man { player = 0; } to row[0][0];
        move new man { player = 1; left = 2; steps = 0; rank = 1; } to row[0][1];
        move new man { player = 0; steps = 0; } to row[0][2];
      }
      action go { trigger on player choice; effect { pass; } }"""
    assert format_position(Game(compile_source(Source(text))).new(), 0) == (
        "   0       1       2       3\n"
        "0  0:0:2:- 1:2:0:1 0:0:0:- H:3\n"
        "\n"
        "H hill\n"
        "after a colon: left, steps, rank (man); cost (hill)\n"
    )


def test_lettered_pieces_show_all_of_their_numbers_or_none() -> None:
    text = """players 2; enum arm { foot, horse }
      interactable unit placeable { arm kind; decimal left = 0; decimal steps = 0; }
      tile cell { }
      board { group row square 1 by 3 { cell; } }
      setup
      {
        move new unit { player = 0; kind = foot; left = 2; } to row[0][0];
        move new unit { player = 1; kind = foot; steps = 2; } to row[0][1];
        move new unit { player = 1; kind = horse; } to row[0][2];
      }
      action go { trigger on player choice; effect { pass; } }"""
    assert format_position(Game(compile_source(Source(text))).new(), 0) == (
        "   0     1     2\n"
        "0  F:2:0 f:0:2 h\n"
        "\n"
        "F foot, H horse; capital: player 0, small: player 1\n"
        "after a colon: left, steps\n"
    )


def test_several_states_of_one_kind_go_by_their_names() -> None:
    text = """players 2 has seat;
      group state team { decimal n = 2; }
      local state seat { decimal m = 1; }
      setup { team.attach(0); team other = new team; other.attach(1); }
      action go { trigger on player choice; effect { pass; } }"""
    assert format_position(Game(compile_source(Source(text))).new(), 0) == (
        "team: players {0}, n 2\nplayer 0, seat: m 1\nplayer 1, seat: m 1\nteam#2: players {1}, n 2\n"
    )


def test_the_entries_of_a_table_have_the_words_that_they_are_for() -> None:
    text = """players 2;
      enum colour { green, gold }
      tile cell { }
      board { group row square 1 by 1 names a1 { cell; } }
      global state table { decimal[colour] eaten = 1; cell[colour] home; decimal[player] left = 9; }
      setup { table.home[gold] = a1; }
      action go { trigger on player choice; effect { pass; } }"""
    assert format_position(Game(compile_source(Source(text))).new(), 0).endswith(
        "\ntable: eaten {green 1, gold 1}, home {gold a1}, left {player 0: 9, player 1: 9}\n"
    )


def test_pieces_of_nobody_are_told_apart_by_their_truths() -> None:
    assert format_position(Game(compile_source(Source(PIECES))).new(), 0) == (
        "   0  1\n"
        "0  Td ·\n"
        "\n"
        "T tall, D dark; capital: yes, small: no\n"
        "\n"
        "table: given piece#2 (not tall dark 0), spare {piece#3 (tall dark 3)}, open yes\n"
    )


def test_a_graph_with_names_as_in_chess_is_drawn_like_a_board() -> None:
    picture = "   a b c\n2    ·\n1  · · ·\n\nhome ·\n"
    assert format_position(start("adjacency { a1 <-> b1 <-> c1 <-> b2 <-> home; }"), 0) == picture


def test_a_piece_shows_what_it_carries() -> None:
    state = load("two-lagoons").new()
    state.push("west[0][1].sail(to: nw)")
    assert "nw S:1 " in format_position(state, 1)


def test_a_hand_that_is_closed_stands_with_its_owner() -> None:
    assert "player 1, seat: hand 7\n" in format_position(load("crazy-eights").new(seed=1), 0)


def test_of_a_large_pile_only_the_upper_cards_are_shown() -> None:
    text = """interactable card stackable { decimal n; } stack pile of card;
      setup { for decimal i from 1 to 9 pile.push(new card { n = i; }); }"""
    state = Game(compile_source(Source(text))).new()
    assert "pile: 9 (…, 4, 5, 6, 7, 8, 9)\n" in format_position(state, 0)


def test_a_mark_for_kings_is_explained() -> None:
    king = {"@is": "man", "@at": "grid.a1", "player": 0, "king": True}
    data = {"format": 1, "stage": "play", "active": 1, "instances": {}, "new": [king]}
    assert format_position(load("draughts").new(position=data), 0).endswith("\n\n*: king\n")


def test_states_are_listed_with_their_owner() -> None:
    state = load("pig").new(seed=1)
    state.push("roll")
    assert format_position(state, 0) == "player 0, seat: kept 5\nplayer 1, seat: kept 0\n"


def test_nobody_sees_the_cards_of_others() -> None:
    state = load("crazy-eights").new(seed=1)
    mine, theirs = format_position(state, 0), format_position(state, 1)
    (hand,) = [line for line in mine.splitlines() if line.startswith("player 0, seat: hand")]
    assert hand not in theirs
    assert not set(describe_cards(state, 0).values()) >= set(describe_cards(state, 1).values())
    assert "deck: " in mine


@pytest.mark.parametrize("name", list_games())
def test_every_game_of_the_shelf_can_be_shown(name: str) -> None:
    state = load(name).new(seed=1)
    assert all(len(line) <= 110 for line in format_position(state, 0).splitlines())


def test_a_board_that_grows_and_shrinks_is_drawn_as_it_is_now() -> None:
    more = """
    interactable man placeable { }
    action grow
    {
      trigger on player choice;
      effect
      {
        grid.add(cell, 1, 2);
        grid.add(cell, -1, 0);
        move new man { player = 1; } to grid[1][2];
        pass;
      }
    }
    action shrink { trigger on player choice; effect { grid.remove(grid[0][1]); pass; } }
    """
    state = start("square 1 by 2 { cell; }", more)
    assert format_position(state, 0) == "   0 1\n0  · ·\n"
    state.push("grow")
    assert format_position(state, 0).startswith("    0 1 2\n-1  ·\n 0  · ·\n 1      1\n")
    state.push("shrink")
    assert format_position(state, 0).startswith("    0   2\n-1  ·\n 0  ·\n 1      1\n")


def test_group_states_that_play_creates_show_their_hidden_stacks() -> None:
    rules = """
    players 4;
    interactable card stackable { decimal rank = 7; }
    group state team
    {
      private stack hand of card { default { return new card[2]; } }
      hidden stack reserve of card { default { return new card[3]; } }
    }
    action wait { trigger on player choice; effect { pass; } }
    setup
    {
      team.attach(0); team.attach(2);
      team second = new team;
      second.attach(1); second.attach(3);
    }
    """
    state = Game(compile_source(Source(rules))).new()
    assert format_position(state, 2) == (
        "team: reserve 3, players {0, 2}, hand 2 (7, 7)\nteam#2: hand 2, reserve 3, players {1, 3}\n"
    )


STACKS = """
players 2 has seat;
enum row { low, high }
interactable card stackable { decimal rank = 7; }
stack[row] market of card { default { return { new card }; } }
tile pit { stack seeds of card; private stack[2] deep of card; }
board { stack bag of card { default { return new card[2]; } } group street square 1 by 2 names a1 { pit; } }
local state seat
{
  private stack[row] hand of card;
  stack[2] laid of card;
  hidden stack[player] back of card;
}
setup
{
  a1.player = 0;
  a1.seeds.push(new card[2]);
  a1.deep[1].push(new card);
  seat[0].hand[high].push(new card);
  seat[0].laid[1].push(new card);
  seat[1].hand[low].push(new card);
  seat[1].back[0].push(new card);
  market[low].pop();
}
action wait { trigger on player choice; effect { pass; } }
"""


def test_tables_of_stacks_and_stacks_of_tiles_are_listed() -> None:
    state = Game(compile_source(Source(STACKS))).new()
    assert format_position(state, 0).splitlines()[-8:] == [
        "",
        "seeds: a1 2 (7, 7)",
        "deep[1]: a1 1 (7)",
        "market[low]: 0",
        "market[high]: 1 (7)",
        "player 0, seat: hand {high 1 (7)}, laid {1: 1 (7)}",
        "player 1, seat: hand[low] 1, back[0] 1",
        "board.bag: 2 (7, 7)",
    ]
    assert "deep[1]: a1 1\n" in format_position(state, 1)
    assert "player 0, seat: hand[high] 1, laid {1: 1 (7)}" in format_position(state, 1)


BLANKS = """players 2 has seat;
enum crop { corn, rice }
local state seat { decimal gold = 0; bool ready = false; player ally; decimal[] log = {}; }
global state table
{
  decimal[crop] price = 0;
  decimal[player] left = 0;
  player first = 0;
  crop asked = corn;
}
action go { trigger on player choice; effect { seat[player].gold += 1; table.price[rice] = 2; pass; } }
"""


def test_zeros_and_empty_tables_are_left_out() -> None:
    state = Game(compile_source(Source(BLANKS))).new()
    assert format_position(state, 0) == "table: first 0, asked corn\n"
    state.push("go")
    # A zero is shown if the same number of another player is not zero.
    assert format_position(state, 0) == (
        "table: price {rice 2}, first 0, asked corn\nplayer 0, seat: gold 1\nplayer 1, seat: gold 0\n"
    )


def test_long_lines_are_broken_to_the_width() -> None:
    state = load("crazy-eights").new(seed=1)
    for width in (40, 60, 100):
        assert max(map(len, format_position(state, 0, width=width).splitlines())) <= width
    narrow = " ".join(format_position(state, 0, width=40).split())
    assert narrow == " ".join(format_position(state, 0).split())


WALLS = """players 2;
tile cell { }
board { group grid square 2 by 3 { cell; } MORE }
setup { unlink grid[0][0] <-> grid[0][1]; unlink grid[0][2] <-> grid[1][2]; unlink grid[0][1] -> grid[1][1]; }
action go { trigger on player choice; effect { link grid[0][0] -> grid[0][1]; pass; } }
"""


def test_removed_links_between_squares_are_walls() -> None:
    state = Game(compile_source(Source(WALLS.replace("MORE", "")))).new()
    assert format_position(state, 0) == "   0 1 2\n0  ·│· ·\n       ─\n1  · · ·\n"
    state.push("go")
    assert format_position(state, 0) == "   0 1 2\n0  · · ·\n       ─\n1  · · ·\n"


def test_walls_are_drawn_between_corners_too() -> None:
    more = "group posts corners of grid { cell; }"
    state = Game(compile_source(Source(WALLS.replace("MORE", more)))).new()
    assert format_position(state, 0).splitlines()[1:5] == [
        "       0       1       2",
        "   ·       ·       ·       ·",
        "0      ·   │   ·       ·",
        "   ·       ·       ·  ───  ·",
    ]


def test_the_players_who_are_out_are_shown() -> None:
    text = """players 3;
      action leave { trigger on player choice; effect { out player; pass; } }"""
    state = Game(compile_source(Source(text))).new()
    state.push("leave")
    assert format_position(state, 1) == "player 0: out of the game\n"


def test_open_hands_are_shown_to_all() -> None:
    state = load("crazy-eights").new(seed=1)
    (hand,) = [line for line in format_position(state, 1).splitlines() if line.startswith("player 1")]
    assert "player 1, seat: hand 7\n" in format_position(state, 0)
    both = format_position(state, 0, is_open=True)
    assert f"{hand}\n" in both
    assert "deck: 37\n" in both  # nobody sees the deck
