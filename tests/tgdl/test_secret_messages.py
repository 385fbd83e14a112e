"""Nobody is told a secret by a refusal, whatever way the value took to get there."""

import pytest

from tests.tgdl.rules import game

SEATS = """
players 2 has seat;
global state t { hidden decimal luck = 3; decimal open = 5; }
local state seat
{
  private decimal gold = 7;
  private decimal other = 1;
  visible to player { decimal mine = 6; }
  verb wealth() { gold + 1 }
  verb of_rival() { seat[player + 1].gold }
  public verb fame() { gold - 4 }
  action go { trigger on player choice; effect { %s } }
  action rest { trigger on player choice; effect { pass; } }
}
verb twice(decimal x) { return 2 * x; }
verb inner(decimal x) { fail "in {x}"; }
verb outer(decimal x) { inner(x: x + 1); }
action called { input decimal x from 0 to 9; require { x > 8 } effect { fail "called {x}"; } }
"""


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ('decimal v = seat[player + 1].gold; fail "{v}";', "?"),
        ('decimal v = gold; fail "{v}";', "7"),
        ('decimal v = mine; fail "{v} {seat[player + 1].mine}";', "6 ?"),
        ('decimal v = seat[player].gold; fail "{v}";', "7"),
        ('decimal v = t.luck; decimal w = v + 1; fail "{w} {t.open}";', "? 5"),
        ('decimal v = t.open; v = t.luck; fail "{v}";', "?"),
        ('decimal v = 1; v += t.luck; fail "{v}";', "?"),
        ('decimal[] l = {}; l.add(t.luck); fail "{l}";', "?"),
        ('decimal[] l = {t.open}; l[0] = t.luck; fail "{l.sum()}";', "?"),
        ('decimal v = 0; while v < t.luck v += 1; fail "{v}";', "?"),
        ('decimal v = 0; for decimal i from 1 to t.luck v = i; fail "{v}";', "?"),
        ('for decimal i from 1 to t.luck fail "{i}";', "?"),
        ('decimal v = 0; for decimal i from 1 to 9 { if i > t.luck break; v = i; } fail "{v}";', "?"),
        ('decimal v = 0; for decimal i from 1 to 9 { if i > t.open break; v = i; } fail "{v}";', "5"),
        ('fail "{twice(t.luck)} {twice(t.open)}";', "? 10"),
        ('fail "{wealth()} {seat[player + 1].wealth()}";', "8 ?"),
        ('fail "{of_rival()}";', "?"),
        ('fail "{seat[player + 1].fame()}";', "3"),
        ('decimal v = wealth(); fail "{v}";', "8"),
        ('decimal v = of_rival(); fail "{v}";', "?"),
        ("outer(x: seat[player + 1].gold);", "in ?"),
        ("called(x: seat[player + 1].gold);", "this is required: x > 8"),
        ('decimal[] l = {1, 2}; fail "{l.where(x: x > t.luck).length} {l.sum(x: x * t.luck)}";', "? ?"),
        ('decimal[] l = {1, 2}; fail "{l.sum(x: x)}";', "3"),
        ("gold = 1 / (t.luck - 3);", "the rules go wrong: division by zero"),
    ],
)
def test_a_message_tells_only_what_the_asker_may_see(effect: str, told: str) -> None:
    state = game(SEATS % effect).new(seed=1)
    refusal = state.why_not("go", 0)
    assert refusal is not None
    assert str(refusal) == told


def test_what_a_caller_gives_is_not_shown_where_it_is_tested() -> None:
    """The same require shows what a player gave, and not what another action did."""
    rules = game("""
    players 2 has seat;
    local state seat
    {
      private decimal gold = 5;
      action go { trigger on player choice; effect { pay(x: seat[player + 1].gold); } }
    }
    action pay { trigger on player choice; input decimal x from 0 to 9; require { x > 8 } effect { pass; } }
    """)
    refusal = rules.new().why_not("go", 0)
    assert str(refusal) == "this is required: x > 8"


def test_the_changes_of_a_secret_are_not_told() -> None:
    rules = game("""
    players 2 has seat;
    local state seat
    {
      private decimal gold = 5;
      decimal open = 1;
      action take { trigger on player choice; effect { seat[player + 1].gold -= 1; pass; } }
      action show { trigger on player choice; effect { open += 1; pass; } }
      action rest { trigger on player choice; effect { pass; } }
    }
    action hear priority 1 { trigger on seat.gold change; effect { fail "from {old} to {new}"; } }
    action see { trigger on seat.open change; effect { fail "from {old} to {new}"; } }
    """)
    state = rules.new()
    assert str(state.why_not("take", 0)) == "from ? to ?"
    assert str(state.why_not("show", 0)) == "from 1 to 2"


def test_cards_that_nobody_sees_are_not_told() -> None:
    rules = game("""
    interactable card stackable { decimal rank = 1; }
    hidden stack deck of card { default { return { new card { rank = 4; }, new card }; } }
    stack pile of card { default { return { new card { rank = 6; } }; } }
    action go
    {
      trigger on player choice;
      effect { card c = deck.cards[0]; decimal r = c.rank; fail "{c.rank} {r} {c}"; }
    }
    action see
    {
      trigger on player choice;
      effect { card c = pile.cards[0]; fail "{c.rank}, {deck.length}"; }
    }
    action rest { trigger on player choice; effect { pass; } }
    """)
    state = rules.new()
    assert str(state.why_not("go", 0)) == "? ? ?"
    assert str(state.why_not("see", 0)) == "6, 2"


def test_what_is_cancelled_is_told_to_readers_without_secrets() -> None:
    rules = game("""
    players 2 has seat;
    local state seat
    {
      private decimal gold = 5;
      action go { trigger on player choice; effect { decimal v = seat[player + 1].gold; inner(x: v); pass; } }
    }
    verb inner(decimal x) { probe(x: x); }
    action probe { input decimal x from 0 to 9; effect { cancel "it is {x}"; } }
    """)
    state = rules.new()
    assert "cancelled: it is 5" in state.trace("go")
    shown = state.trace("go", readers=(0,))
    assert "cancelled: it is ?" in shown
    assert "5" not in shown


def test_an_answer_that_only_some_saw_is_told_to_them() -> None:
    rules = game("""
    players 2 has seat;
    local state seat
    {
      private decimal gold = 5;
      action go
      {
        trigger on player choice;
        input decimal k from 1 to 3 visible to player;
        effect { decimal v = k + 1; fail "{k} {v}"; }
      }
      action ask
      {
        trigger on player choice;
        effect { input decimal k from 1 to 3 visible to player; show(k: k); pass; }
      }
    }
    action show { input decimal k from 1 to 3; effect { cancel "it is {k}"; } }
    """)
    state = rules.new()
    assert str(state.why_not("go(k: 2)", 0)) == "2 3"
    assert "it is ?" in state.trace("ask(k: 2)", readers=(0,))
    assert "it is 2" in state.trace("ask(k: 2)")


def test_rules_without_secrets_tell_everything() -> None:
    rules = game("""
    global state t { decimal n = 3; decimal[] l = {}; }
    action go { trigger on player choice; effect { decimal v = t.n; fail "{v}"; } }
    action wrong { trigger on player choice; effect { t.l[t.n - 9] = 1; } }
    """)
    assert str(rules.new().why_not("go", 0)) == "3"
    assert "-6" in str(rules.new().why_not("wrong", 0))
