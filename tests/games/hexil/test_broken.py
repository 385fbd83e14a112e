"""Hexil with one rule broken at a time: the tests of that row must notice."""

from collections.abc import Callable
from types import ModuleType

import pytest

from ludograph.hexil import starting
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game as Rules
from tests.games.hexil import test_awards, test_building, test_goods, test_secrets, test_turns
from tests.games.shipped import source_of

MODULES: tuple[ModuleType, ...] = (
    test_awards,
    test_building,
    test_goods,
    test_secrets,
    test_turns,
)

# A test, some text of the rules, and what stands there instead.
BROKEN: tuple[tuple[str, str, str], ...] = (
    ("row_01_set", "else pass player - 1 to settle;", "else pass player + 1 to settle;"),
    ("row_01_set", "else if villages == 3\n", "else if villages >= 3\n"),
    ("row_01_a_village_at", "if t.yields != none gain(t.yields, 1);", "gain(brick, 1);"),
    ("row_02", "phase != pave or s.leaves_new_village(player)", "true"),
    ("row_03_distance", "built == none and adjacent.all(c: c.built == none)", "built == none"),
    ("row_03_a_city", "adjacent.all(c: c.built == none)", "adjacent.all(c: c.built != village)"),
    ("row_04_later", "(phase == settle or c.reached(player))", "true"),
    ("row_04_a_village", "require { corner.all.any(c: c.reached(player) and c.open()) }", ""),
    ("row_05_a_road_joins", "c.player == none and c.reached(p)", "false"),
    ("row_05_a_road_never", "(c.player == none and c.reached(p))", "c.reached(p)"),
    ("row_06_fifteen", "verb can_pave() { streets > 0 and", "verb can_pave() {"),
    ("row_06_five", "require { table.rolled and villages > 0 and", "require { table.rolled and"),
    ("row_06_five", "cities -= 1; villages += 1;", "cities -= 1;"),
    ("row_06_four", "cities > 0 and villages < 5", "villages < 5"),
    ("row_06_a_city", "c.player == player and c.built == village", "c.built == village"),
    (
        "row_07",
        "input corner c { c.player == player",
        "input corner c { not c.reached(player) and c.player == player",
    ),
    (
        "row_08_rolling",
        "trigger on player choice in build, paving;\n    trigger on player offturn",
        "trigger on player choice in build, paving, roll;\n    trigger on player offturn",
    ),
    (
        "row_08_rolling",
        "trigger on player choice in roll, paving;",
        "trigger on player choice in roll, paving, build;",
    ),
    ("row_08_free", "require { table.rolled and table.cards_left()", "require { table.cards_left()"),
    ("row_09_at_most", "cards[c] -= 1; table.played = true;", "cards[c] -= 1;"),
    ("row_09_a_card", "not table.played and cards[c] > 0", "cards[c] > 0"),
    ("row_10", "fresh[c] += 1;", "cards[c] += 1;"),
    (
        "row_11_victory",
        "verb score() { built_points() + cards[point] + fresh[point] }",
        "verb score() { built_points() + cards[point] }",
    ),
    ("row_11_victory", "s.revealed = s.cards[point] + s.fresh[point];", ""),
    ("row_11_until", "public verb shown() { built_points() + revealed }", "public verb shown() { score() }"),
    (
        "row_12_development_cards_do_not",
        "s.owes = s.held() > limit",
        "s.owes = s.held() + s.unplayed() > limit",
    ),
    (
        "row_12_development_cards_are",
        "this.player != player and held() > 0",
        "this.player != player and held() + unplayed() > 0",
    ),
    ("row_13_on_a_seven", "s.held() > limit", "s != this and s.held() > limit"),
    ("row_13_on_a_seven", "decimal left = floor(held() / 2);", "decimal left = ceil(held() / 2);"),
    ("row_13_a_discard", "min(left, hand[r]);", "max(0, left - behind);"),
    (
        "row_14",
        "table.largest = player;\n      pass to robber;",
        "table.largest = player; for seat s in seat.all s.owes = s.held() > limit; pass to discard;",
    ),
    ("row_15", "land.all.where(t: t != table.robber)", "land.all.where(t: true)"),
    (
        "row_15",
        "land.all.where(t: t != table.robber)",
        "land.all.where(t: t != table.robber and t.yields != none)",
    ),
    ("row_16_steal", "table.robber.corners.any(c: c.player == this.player)", "true"),
    (
        "row_16_every",
        "random weights victim.hand visible to { player, victim.player }",
        "resource.all[random 5]",
    ),
    ("row_16_nothing", "this.player != player and held() > 0", "held() > 0"),
    ("row_17", "t.number == total and t != table.robber", "t.number == total"),
    ("row_17", "t != table.robber\n", "t.number != table.robber.number\n"),
    ("row_18", "min(due[r][p], table.stock[r])", "due[r][p]"),
    ("row_19", "due[r].sum() <= table.stock[r] or due[r].count(n: n > 0) == 1", "true"),
    (
        "row_19",
        "due[r].sum() <= table.stock[r] or due[r].count(n: n > 0) == 1",
        "resource.all.all(k: due[k].sum() <= table.stock[k])",
    ),
    ("row_20", " or due[r].count(n: n > 0) == 1", ""),
    ("row_21_year", "second >= first", "second > first"),
    ("row_21_fewer", "if resource.all.any(r: r >= first and table.stock[r] > 0)", "if table.stock.sum() > 1"),
    (
        "row_22",
        "if s != this { hand[r] += s.hand[r]; s.hand[r] = 0; }",
        "if s != this and s.hand[r] > 0 { hand[r] += 1; s.hand[r] -= 1; }",
    ),
    ("row_23_road", "table.free = min(2, streets);", "table.free = min(1, streets);"),
    ("row_23_playable_with_one_piece", "table.free = min(2, streets);", "table.free = 2;"),
    (
        "row_23_any",
        "trigger on player choice in pave, put_road, paving;",
        "trigger on player choice in pave, put_road, paving, build;",
    ),
    (
        "row_23_playable_with_one_piece",
        "require { can_use(roads) and can_pave() }",
        "require { can_use(roads) and streets > 1 }",
    ),
    (
        "row_23_playable_with_one_legal",
        "or table.free == 0 or not can_pave() pass;",
        "or table.free == 0 pass;",
    ),
    ("row_24_bank", "best = min(best, 3);", "best = min(best, 2);"),
    ("row_24_bank", "else if s.wants == r best = 2;", "else best = 2;"),
    ("row_08_free", "require { table.rolled and trades != nobody }", "require { trades != nobody }"),
    (
        "row_24_own",
        "trigger on player choice in build, paving;\n    require { table.rolled and trades != nobody }",
        "trigger on player choice in build, paving, roll;\n    require { trades != nobody }",
    ),
    ("row_24_lots", "gain(give, -rate(give)); gain(get, 1);", "gain(give, -rate(give)); gain(get, 2);"),
    ("row_25", "get != give and table.stock[get] > 0", "table.stock[get] > 0"),
    ("row_25", "get != give and table.stock[get] > 0", "get != give"),
    ("row_26_players", "trades == everyone and player == players.active", "trades == everyone"),
    ("row_26_no_gifts", 'if give.sum() == 0 or get.sum() == 0 fail "a trade is no gift";', ""),
    (
        "row_27",
        "require { holds(table.get) }\n    effect { seat[players.active]",
        "effect { seat[players.active]",
    ),
    ("row_28_longest", "const decimal long_road = 5;", "const decimal long_road = 4;"),
    (
        "row_28_branches",
        "return best;\n}\n\nverb road_of",
        "return best + c.sides.count(s: s.player == p and not s.walked);\n}\n\nverb road_of",
    ),
    ("row_28_no_edge", "s.walked = true;\n      best = max(best, 1 + trail", "best = max(best, 1 + trail"),
    (
        "row_29",
        "decimal length = 1 + trail(p, s.corners[0], s.corners[1]);",
        "decimal length = min(5, 1 + trail(p, s.corners[0], s.corners[1]));",
    ),
    ("row_30_own", "if c.player != none and c.player != p return best;", "if c.player != none return best;"),
    ("row_30_the_building", "if c.player != none and c.player != p return best;", ""),
    (
        "row_31",
        "if s.player == p and not s.walked\n",
        "if s.player == p and not s.walked and not s.corners.any(e: e.player != none and e.player != p)\n",
    ),
    ("row_32", "else if length > road_of(table.longest)", "else if length >= road_of(table.longest)"),
    (
        "row_33_after_a_cut_a_tied",
        "if table.longest != none and roads_of[table.longest] == best and best >= long_road return;",
        "",
    ),
    ("row_33_after_a_cut_a_single", "if p != c.player and c.sides", "if p == c.player and c.sides"),
    (
        "row_33_after_a_cut_a_tie_among",
        "if best >= long_road and roads_of.count(n: n == best) == 1",
        "if best >= long_road",
    ),
    ("row_33_after_a_cut_nobody", "if best >= long_road and roads_of.count", "if roads_of.count"),
    (
        "row_33_set_aside_it",
        "if table.longest == none award_road();",
        "if table.longest == none table.longest = p;",
    ),
    (
        "row_33_set_aside_a_cut",
        "and c.sides.count(s: s.player == p) > 1 award_road();",
        "and table.longest == p and c.sides.count(s: s.player == p) > 1 award_road();",
    ),
    ("row_34", "if phase == put_village check_cut(c);\n      else if", "if phase != put_village and"),
    ("row_35_largest_army_needs", "const decimal large_army = 3;", "const decimal large_army = 2;"),
    (
        "row_35_largest_army_is",
        "knights > seat[table.largest].knights",
        "knights >= seat[table.largest].knights",
    ),
    ("row_36_points", "phase roll { effect { claim(player); } }", "phase roll;"),
    (
        "row_36_points",
        "{ seat[players.active].score() >= points }\n  effect { claim(players.active); }",
        "{ seat.all.any(s: s.score() >= points) }\n  effect { for player p in players.all claim(p); }",
    ),
    ("row_36_a_player", "require { seat[players.active].score() >= points }", "require { false }"),
    ("row_37_the_deck", "{ 14, 2, 2, 5, 2 }", "{ 14, 2, 2, 5, 3 }"),
    ("row_37_the_deck", "table.rolled and table.cards_left() > 0 and", "table.rolled and"),
    (
        "row_37_the_deck_is",
        "cards[c] -= 1; table.played = true;",
        "cards[c] -= 1; table.played = true; table.deck[c] += 1;",
    ),
    ("row_37_each", "random weights table.deck visible to player", "card.all[random 5]"),
    ("row_38_card", "private decimal[card] fresh", "decimal[card] fresh"),
    ("row_38_card", "private decimal[resource] hand", "decimal[resource] hand"),
    ("row_38_only_thief", "visible to { player, victim.player }", "visible to players.all"),
    (
        "row_38_only_the_buyer",
        "random weights table.deck visible to player",
        "random weights table.deck visible to players.all",
    ),
    ("row_38_the_deck", "hidden decimal[card] deck", "decimal[card] deck"),
    ("row_40_sixes", "(is_red(n) and is_red(u.number)) or", ""),
    ("row_40_strict", "or (strict and u.number == n)", ""),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row, text, instead", BROKEN, ids=[f"{n}-{row}" for n, (row, _, _) in enumerate(BROKEN)]
)
def test_a_broken_rule_is_noticed(monkeypatch: pytest.MonkeyPatch, row: str, text: str, instead: str) -> None:
    assert text in source_of("hexil").text
    play_by(rules_with(text, instead), monkeypatch)
    assert any(fails(test) for test in cases_of(row))


def test_unbroken_rules_are_not_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    play_by(rules_with("", ""), monkeypatch)
    assert not any(fails(test) for test in cases_of("row_07"))


def test_every_row_of_the_rules_is_broken_once() -> None:
    rows = {row[:6] for row, _, _ in BROKEN}
    assert rows == {f"row_{number:02}" for number in (*range(1, 39), 40)}


def rules_with(text: str, instead: str) -> Rules:
    """The rules with a text of theirs replaced."""
    return Rules(compile_source(Source(source_of("hexil").text.replace(text, instead), "hexil.tgdl")))


def play_by(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all games be played by other rules, on whatever engine."""

    def loaded(engine: str | None = None) -> Rules:
        return rules

    monkeypatch.setattr(starting, "rules", loaded)


def cases_of(row: str) -> list[Callable[[], None]]:
    """The tests of a row, each with its parameters."""
    found: list[Callable[[], None]] = []
    for module in MODULES:
        for name, test in vars(module).items():
            if name.startswith(f"test_{row}"):
                marks = getattr(test, "pytestmark", [])
                cases = marks[0].args[1] if marks else [()]
                found += [_bound(test, case) for case in cases]
    assert found, f"there is no test_{row}…"
    return found


def _bound(test: Callable[..., None], case: object) -> Callable[[], None]:
    values = case if isinstance(case, tuple) else (case,)
    return lambda: test(*values)


def fails(test: Callable[[], None]) -> bool:
    try:
        test()
    except (Exception, pytest.fail.Exception):
        return True
    return False
