"""Traces contain no secret that was public only in changes that are undone."""

from tests.tgdl.rules import game

RULES = """
players 2 has seat;
interactable card stackable { decimal r = 1; decimal note = 0; }
hidden stack deck of card
{
  default { card[] l = {}; for decimal i from 1 to 9 l.add(new card { r = i; }); return l; }
}
stack other of card;
stack pile of card { default { return {new card { r = 4; }}; } }
global state t
{
  hidden decimal h = 7;
  decimal pub = 0;
  decimal second = 1;
  decimal clean = 2;
  decimal[] l = {};
  decimal heard = 0;
}
local state seat
{
  private decimal gold = 3;
  private stack hand of card;
  decimal score = 5;
  verb points() { score + 0 }
  verb riches() { gold + 0 }
  action go { trigger on player choice; effect { %s } }
  action rest { trigger on player choice; effect { pass; } }
}
verb put(decimal x) { t.pub = x; }
verb mark() { t.pub = 1; }
verb count_up() { for decimal i from 1 to 9 { if i > t.h { return; } t.pub = i; } }
action bank { input decimal x from 0 to 1; effect { t.second = x; } }
action peek { effect { t.pub = t.h; cancel "saw {t.pub}"; } }
action copy { trigger on t.second change fast { new > 1 } effect { t.heard = t.second; } }
"""


def test_a_trace_tells_no_value_that_nobody_could_ever_see() -> None:
    effect = "t.pub = t.h; t.pub = 0; move deck.top to pile; deck.push(pile.pop()); t.second = t.h; pass;"
    state = game(RULES % effect).new(seed=1)
    shown = state.trace("go", readers=(0,))
    assert "t.pub: 0 → ?\n" in shown
    assert "t.pub: ? → 0\n" in shown
    assert "t.second: 1 → 7\n" in shown
    assert "card#" not in shown
    assert "t.pub: 0 → 7\n" in state.trace("go")


def test_a_cancelled_part_tells_readers_no_secret() -> None:
    state = game(RULES % "peek(); pass;").new(seed=1)
    assert "cancelled: saw ?" in state.trace("go", readers=(0,))
    assert "cancelled: saw 7" in state.trace("go")
