"""Random games with boards, pieces, stacks, secrets, simultaneous phases and boards that change.

Unlike `writing`, which writes programs type by type, this writes whole games. Each has a board or cards or
both, actions that move things, and a turn that comes back to the players. Nearly all are valid, and their
games last. So they reach states with moved pieces, used stacks and changed boards.
"""

import random

BOARDS = (
    "group g square 4 by 4 { cell; }",
    "group g square around 3 by 5 { cell; }",
    "group g hex row 4 by 3 { cell; }",
    "group g adjacency { cell a, b, c, d, e; a <-> b; b <-> c; c <-> d; d <-> e; e <-> a; a <-> c; }",
)


def write_table_game(draws: random.Random) -> str:
    """A random game."""
    return _Writer(draws).write()


class _Writer:
    """Collects the declarations of one game. Mutable."""

    def __init__(self, draws: random.Random) -> None:
        self.draws = draws
        self.players = draws.choice((2, 2, 3, 4))
        self.has_board = draws.random() < 0.75
        self.has_cards = draws.random() < 0.6 or not self.has_board
        self.is_simultaneous = draws.random() < 0.3
        self.changes = self.has_board and draws.random() < 0.5
        self.secrecy = draws.choice(("", "private ", "hidden ")) if draws.random() < 0.6 else ""
        self.is_graph = False

    def one_of(self, *texts: str) -> str:
        return self.draws.choice(texts)

    def write(self) -> str:
        parts = [f"players {self.players} has seat;", self._turn(), self._table(), self._seat()]
        if self.has_board:
            parts += self._board()
        if self.has_cards:
            parts += self._cards()
        parts += self._triggers()
        return "\n".join([*parts, self._setup(), self._end()])

    # Declarations

    def _turn(self) -> str:
        if self.is_simultaneous:
            default = self.one_of(
                "pass to both;", "if phase == both pass to only; else pass player + 1 to both;"
            )
            only = "phase only { } " if "only" in default else ""
            return f"turn main {{ phase both simultaneous asks players.all; {only}default {{ {default} }} }}"
        return self.one_of(
            "",
            "turn main { phase act { } default { pass player + 1; } }",
            "turn main { phase act { } phase rest { effect { t.n += 1; } } default"
            " { if phase == act pass to rest; else pass player + 1 to act; } }",
        )

    def _table(self) -> str:
        return (
            "global state t { decimal n = 0; decimal[] log = {}; decimal[player] scores = 0;"
            f" {self.secrecy}decimal secret = {self.draws.randrange(5)}; object last; }}"
        )

    def _seat(self) -> str:
        hand = "private stack hand of card { } " if self.has_cards else ""
        return (
            f"local state seat {{ decimal gold = {self.draws.randrange(4)};"
            f" {self.secrecy}decimal bid = 0; {hand}"
            "action bid_on { trigger on player choice; input decimal amount from 0 to 2;"
            f" effect {{ bid = amount; {self._effect('amount')} {self._pass()} }} }}"
            " action rest { trigger on player choice;"
            f" effect {{ gold += 1; {self._effect('gold')} {self._pass()} }} }} }}"
        )

    def _board(self) -> list[str]:
        board = self.draws.choice(BOARDS)
        self.is_graph = "adjacency" in board
        limit = self.one_of("holds man", "")
        reach = self.one_of("this.tile.adjacent", "cell.all", "this.tile.region(c: c.mark < 3)")
        filter_ = self.one_of(
            "to != this.tile", "to.mark < 4", "to.placeables.length < 3", "not (to.mark > 5)"
        )
        full = " and to.placeables.length == 0" if limit else ""
        found = [
            f"tile cell {limit} {{ decimal mark = 0; {self.secrecy}decimal trap = 1; }}",
            f"board {{ {board} }}",
            (
                "interactable man placeable { decimal steps = 0;"
                " action step { trigger on player choice;"
                " require { this.tile != none and this.player == player }"
                f" input cell to in {reach} {{ filter {{ {filter_}{full} }} }}"
                f" effect {{ move this to to; steps += 1; to.mark += 1; {self._effect('to.mark')}"
                f" {self._pass()} }} }}"
                " }"
            ),
        ]
        if self.changes:
            ends = "g.a <-> g.c" if self.is_graph else "g[0][0] <-> g[0][1]"
            found.append(
                "action wall { trigger on player choice; require { t.n % 2 == 0 }"
                f" effect {{ t.n += 1; unlink {ends}; {self._pass()} }} }}"
            )
            found.append(
                "action bridge { trigger on player choice; input cell x in cell.all; input cell y in cell.all"
                f" {{ filter {{ y != x }} }} effect {{ t.n += 1; link x <-> y; {self._pass()} }} }}"
            )
        return found

    def _cards(self) -> list[str]:
        order = self.one_of("", "hidden ")
        return [
            "interactable card stackable { decimal rank = 0; }",
            (
                f"{order}stack deck of card {{ default {{ card[] all = {{}}; for decimal r from 1 to"
                f" {self.draws.randrange(3, 9)} all.add(new card {{ rank = r; }}); return all; }} }}"
            ),
            "stack pile of card { }",
            (
                "action take { trigger on player choice; require { deck.length > 0 }"
                f" effect {{ move deck.top to seat[player].hand; {self._effect('deck.length')}"
                f" {self._pass()} }} }}"
            ),
            (
                "action play_card { trigger on player choice; input card c in seat[player].hand;"
                f" effect {{ t.scores[player] += c.rank; move c to pile; {self._pass()} }} }}"
            ),
            (
                "action again { trigger on player choice; require { deck.length == 0 and pile.length > 0 }"
                f" effect {{ deck.reshuffle(pile); {self._pass()} }} }}"
            ),
        ]

    def _triggers(self) -> list[str]:
        found = []
        if self.draws.random() < 0.6:
            when = self.one_of("", " before", " fast", " after")
            found.append(f"action hear {{ trigger on t.n change{when}; effect {{ t.log.add(t.n); }} }}")
        if self.draws.random() < 0.4:
            found.append("action enough { trigger { t.n > 4 } effect { t.scores[player] += 1; } }")
        if self.draws.random() < 0.5:
            help_ = self.one_of("pass;", "t.n += 1; pass;", "win player + 1;")
            found.append(f"action help {{ trigger on player stuck; effect {{ {help_} }} }}")
        return found

    def _setup(self) -> str:
        body = ""
        if self.has_cards:
            body += "deck.shuffle(); " if self.draws.random() < 0.7 else ""
        if self.has_board:
            places = ("g.a", "g.b", "g.c") if self.is_graph else ("g[0][0]", "g[1][1]", "g[2][2]")
            for number, place in enumerate(places[: self.players]):
                body += f"move new man {{ player = {number}; }} to {place}; "
        return f"setup {{ {body}}}"

    def _end(self) -> str:
        limit = self.draws.randrange(6, 25)
        end = self.one_of("draw;", "win player;", "win players.all.most(p: t.scores[p]);")
        return f"goal done {{ trigger {{ t.n > {limit} }} effect {{ {end} }} }}"

    # Effects

    def _effect(self, number: str) -> str:
        return self.one_of(
            "",
            f"t.n += {number} % 3;",
            f"t.scores[player] += {number};",
            "t.n += random 3;",
            f"t.log.add({number}); if t.log.length > 5 t.log.clear();",
            f"t.last = {number};",
            f"if t.secret == {number} t.n += 1;",
            f'if t.n > 7 and {number} > 1 fail "not now";',
            "t.secret = (t.secret + 1) % 5;",
            "for player p in players.all t.scores[p] += 1;",
        )

    def _pass(self) -> str:
        return (
            ""
            if self.is_simultaneous
            else self.one_of("pass;", "pass;", "if t.n % 3 != 1 pass; else t.n += 1;")
        )
