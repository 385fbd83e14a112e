"""Traces for readers contain no secrets; `tests/language/secrets` tests messages and refusals."""

from tests.tgdl.rules import game


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
