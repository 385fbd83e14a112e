"""Nobody is told a secret that went through an attribute, or lay open, in what is undone again."""

import pytest

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


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ('t.pub = t.h; fail "{t.pub} {t.clean}";', "? 2"),
        ('t.pub += t.h; fail "{t.pub}";', "?"),
        ('t.pub = t.h; t.pub = 0; fail "{t.pub}";', "?"),
        ('t.pub = t.h; decimal v = t.pub; t.pub = 0; fail "{v}";', "?"),
        ('while t.pub < t.h t.pub += 1; fail "it is {t.pub}";', "it is ?"),
        ('for decimal i from 1 to t.h t.pub = i; fail "{t.pub}";', "?"),
        ('if t.h > 5 t.pub = 9; fail "{t.pub}";', "?"),
        ('if t.h > 5 mark(); fail "{t.pub}";', "?"),
        ('for decimal i from 1 to 9 { t.pub = i; if i == t.h break; } fail "{t.pub}";', "?"),
        ('for decimal i from 1 to 9 { if i > t.h continue; t.pub = i; } fail "{t.pub}";', "?"),
        ('for decimal i from 1 to 9 { if i > 3 break; t.pub = i; } fail "{t.pub}";', "3"),
        ('count_up(); fail "{t.pub} {t.clean}";', "? 2"),
        ('for decimal i from 1 to 9 if i == t.h break; t.clean = 5; fail "{t.clean}";', "5"),
        ('put(x: t.h); fail "{t.pub}";', "?"),
        ('t.pub = t.h; t.second = t.pub; fail "{t.second}";', "?"),
        ('t.second = t.h; t.heard += 0; fail "{t.heard}";', "?"),
        ('t.l.add(t.h); fail "{t.l} {t.l.sum()}";', "? ?"),
        ('t.l.add(t.pub); fail "{t.l}";', "{0}"),
        ('seat[t.h - 7].score = 0; fail "{seat[player].score}";', "?"),
        ("t.pub = t.h; bank(x: t.pub);", "this is required of what 'x' is given: x from 0 to 1"),
        ('seat s = seat[player + 1]; s.score = s.gold; s = this; decimal v = s.score; fail "{v}";', "?"),
        ('seat s = seat[player + 1]; decimal v = s.score; fail "{v}";', "5"),
        ('score = gold; fail "{score} {points()}";', "3 3"),
        ('score = seat[player + 1].gold; fail "{score} {points()} {seat[player + 1].points()}";', "? ? 5"),
        ('score += pile.top.r; fail "{score}";', "9"),
        ('t.clean += 1; fail "{t.clean} {t.pub}";', "3 0"),
        ('peek(); fail "{t.pub}";', "0"),
        ('move deck.top to pile; fail "{pile.top.r} {pile.top}";', "? ?"),
        ('for decimal i from 1 to t.h - 6 move pile.top to other; fail "{other.length} {pile.top}";', "? ?"),
        ('if t.h > 5 { card c = pile.pop(); other.push(c); } fail "{other.length} {t.clean}";', "? 2"),
        ('if t.clean > 1 move pile.top to other; fail "{other.length} {other.top.r}";', "1 4"),
        ('hand.push(deck.pop()); fail "{hand.length} {deck.length}";', "1 8"),
        ('seat[player].transfer_to((t.h - 6) as player); fail "{seat.all[0].player}";', "?"),
        ('card c = deck.pop(); fail "{c.r}";', "?"),
        ('fail "{deck.pop().r} {pile.top.r}";', "? 4"),
        ('card c = new card { r = t.h; }; fail "{c.r}";', "?"),
        ('pile.push(new card { r = t.h; note = 2; }); fail "{pile.top.r} {pile.top.note}";', "? 2"),
        ('fail "{seat.all.sum(s: s.gold)}";', "?"),
    ],
)
def test_what_is_undone_tells_no_secret_that_was_open_in_between(effect: str, told: str) -> None:
    refusal = game(RULES % effect).new(seed=1).why_not("go", 0)
    assert refusal is not None
    assert str(refusal) == told


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        ('fail "{seat.all.sum(s: s.gold)}";', "?"),
        ('fail "{seat.all.where(s: s.gold > 2).length} {seat.all.any(s: s.gold > 4)}";', "? ?"),
        ('fail "{players.all.sum(p: seat[p].gold)} {seat.all.sum(s: s.score)}";', "? 10"),
        ('fail "{seat.all.sum(s: s.riches())} {seat.all.sum(s: s.points())}";', "? 10"),
        ('fail "{pile.sum(c: c.r)} {deck.sum(c: c.r)}";', "4 ?"),
        ('seat[] own = {this}; fail "{own.sum(s: s.gold)}";', "3"),
    ],
)
def test_a_query_is_told_to_those_who_see_all_elements(effect: str, told: str) -> None:
    """Also to the last player, whose own state is the last element."""
    state = game(RULES % effect).new(seed=1)
    first = state.why_not("go", 0)
    state.push("rest")
    assert (str(first), str(state.why_not("go", 1))) == (told, told)


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
