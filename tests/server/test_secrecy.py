"""Nobody learns more than their view says: proven from the bytes that arrive at each seat and at a spectator.

A mirror plays the same steps. For each viewer it takes the state, draws everything anew that the viewer does
not see, and computes from this state what the viewer must have received. If a byte depended on something
hidden, the two would differ. Every event must contain exactly the difference, in known fields.
"""

import json
import random
import sqlite3
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ludograph.client import Client, RefusedByServer, SeatConnection
from ludograph.games import Game, load
from ludograph.games.sources import compile_source
from ludograph.play import Generator
from ludograph.play.seats import CannotResample
from ludograph.protocol.messages import ServerMessage, StreamEvent
from ludograph.protocol.tables import NewSeat, NewTable
from ludograph.render.scenes.building import build_scene
from ludograph.render.scenes.choices import find_choices, find_targets
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene, SceneChoices
from ludograph.render.scenes.messages import (
    SceneChanges,
    SceneMessage,
    apply_scene_changes,
    find_scene_changes,
    scene_message,
)
from ludograph.render.scenes.states import list_seat_moves
from ludograph.server.seat_queries.wording import name_players
from ludograph.server.stored_tables import StoredTable
from ludograph.server.styles.special_games import find_style
from ludograph.server.table_game import SPECTATOR, GameStep, TableGame
from tests.server.servers import RunningServer
from tests.tgdl.rules import SEALED_BIDS

SERVER_MESSAGES: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
EVENT_FIELDS = frozenset(StreamEvent.__struct_fields__) | {"type"}


class Viewer:
    """A viewer with everything that arrived. Mutable."""

    def __init__(self, client: Client, table: str, viewer: int) -> None:
        self.viewer = viewer
        self.client = client
        self.table = table
        self.texts: list[str] = []
        self.previous: Scene | None = None
        self.view: dict[str, Any] | None = None
        self.connection = self.connect()

    def connect(self) -> SeatConnection:
        seat = None if self.viewer == SPECTATOR else self.viewer
        return self.client.join(self.table, seat, watch=self.texts.append)

    def reconnect(self) -> None:
        """Connect without any memory, and see the whole position without what the last move did."""
        self.connection.close()
        self.connection = self.connect()


def stored_table(server: RunningServer, table: str) -> StoredTable:
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as connection:
        row = connection.execute("SELECT data FROM tables WHERE id = ?", (table,)).fetchone()
    return msgspec.json.decode(row[0], type=StoredTable)


class SecrecyTest:
    """A random game through sockets, with a mirror. Mutable."""

    def __init__(self, server: RunningServer, name: str, game: Game, players: int, seed: int) -> None:
        self.random = random.Random(seed)
        client = Client(server.address)
        source, shipped = UPLOADED.get(name, ""), "" if name in UPLOADED else name
        own = client.create_table(NewTable(shipped, source, seats=(NewSeat("me"),) * players))
        setup = stored_table(server, own.table.id).game_setup()
        self.mirror = TableGame(game, setup)
        self.style, self.names = find_style(shipped, game), setup.names
        self.hints = Hints(game.appearance)
        self.viewers = [Viewer(client, own.table.id, viewer) for viewer in (*range(players), SPECTATOR)]
        self.checks = 0

    def close(self) -> None:
        for viewer in self.viewers:
            viewer.connection.close()

    def run(self, steps: int) -> None:
        self.check()
        for number in range(steps):
            asked = self.mirror.standing().asked
            if not asked:
                break
            self.play(self.random.choice(asked))
            self.check()
            if not self.mirror.standing().asked:
                break
            nonsense, undo, chat = (self.random.random() < share for share in (0.15, 0.1, 0.1))
            if nonsense:
                self.try_nonsense()
            if undo and number:
                self.undo()
            if chat:
                self.viewers[0].connection.say(f"move {number}")
            if nonsense or undo or chat:
                self.check()

    def play(self, seat: int) -> None:
        connection = self.viewers[seat].connection
        connection.ping()
        moves = connection.choices.moves
        text = self.random.choice(moves).text
        if connection.choices.is_complete:
            connection.play(text, only_now=True)
            self.mirror.apply(GameStep("moves", seat, (text,)))
        else:
            connection.choose(text)
            self.mirror.apply(GameStep("choices", seat, (text,)))

    def undo(self) -> None:
        """All seats belong to one session, so nobody has to be asked."""
        seat = self.random.randrange(len(self.viewers) - 1)
        kept = self.mirror.find_undo(seat, "turn", 0)
        if kept is None:
            return
        self.viewers[seat].connection.undo_turn()
        self.mirror.apply(GameStep("undo", seat, kept=kept))

    def try_nonsense(self) -> None:
        """Try what is not possible: the refusal must not depend on anything hidden either."""
        seat = self.random.randrange(len(self.viewers) - 1)
        others = [viewer for viewer in self.viewers[:-1] if viewer.viewer != seat]
        moves = [move.text for other in others for move in other.connection.choices.moves]
        text = self.random.choice([*moves, "nonsense", "nonsense(x: 1)"])
        connection = self.viewers[seat].connection
        answer = connection.why_not(text)
        imagined = self.imagine(seat)
        expected = imagined.why_not(text, seat)
        words = "" if expected is None else name_players(expected.message, self.mirror.setup.names)
        assert answer.message == words
        if answer.message:
            with pytest.raises(RefusedByServer):
                connection.play(text)

    def imagine(self, viewer: int) -> Any:
        """A state that looks the same to a viewer, with everything hidden drawn anew."""
        state = self.mirror.position_of(viewer)
        if self.mirror.draft(viewer) or state.under_way() is not None:
            return state  # a state in the middle of a move cannot be drawn anew
        if state.view().get("chosen"):
            return state  # drawing anew forgets who has made a sealed choice, which everybody knows
        # A spectator knows less than any player; the first player stands for it.
        with suppress(CannotResample):  # then the scene must at least follow from the view alone
            return state.resample(max(viewer, 0), Generator(self.random.getrandbits(60)))
        return state

    def check(self) -> None:
        for viewer in self.viewers:
            viewer.connection.ping()
            if self.random.random() < 0.05:
                viewer.reconnect()
            self.check_viewer(viewer)

    def check_viewer(self, viewer: Viewer) -> None:
        state, seat = self.imagine(viewer.viewer), None if viewer.viewer == SPECTATOR else viewer.viewer
        real = self.mirror.position_of(viewer.viewer).view(seat)
        view = {**state.view(seat), "moves": real["moves"]}
        assert view == real
        if view != viewer.view:
            viewer.previous = self.draw(state, view, viewer)
            viewer.view = view
        assert viewer.previous is not None
        choices = SceneChoices()
        if seat is not None:
            moves = list_seat_moves(state, seat)
            items = (*viewer.previous.static.items, *viewer.previous.changing.items)
            if moves.moves:
                choices = find_choices(moves, find_targets(items), self.hints.seeing(view))
        expected = replace(scene_message(viewer.previous), choices=choices)
        assert viewer.connection.scene == expected
        counted = [entry for entry in viewer.connection.log if entry.kind == "move"]
        lines = [f"{'*' if entry.seat < 0 else entry.seat}: {entry.text}" for entry in counted]
        assert not view["moves"] or lines[-1] == view["moves"][-1] or viewer.connection.log[-1].kind == "undo"
        if self.style is not None and len(lines) == len(view["moves"]):
            notations = [entry.notation or "" for entry in counted]
            assert notations == list(self.style.notations(state, view["moves"], 0))
        check_texts(viewer.texts)
        self.checks += 1

    def draw(self, state: Any, view: dict[str, Any], viewer: "Viewer") -> Scene:
        """The scene of a view, which follows from the view alone."""
        if self.style is not None:
            known = None if viewer.previous is None else viewer.view
            return self.style.scene(state, view, known, self.names)
        return build_scene(
            state.material(),
            state.arrangement(),
            view,
            previous=viewer.previous,
            hints=self.hints,
            names=self.names,
        )


def check_texts(texts: list[str]) -> None:
    """Every message has known fields only, and every change of a scene is exactly the difference."""
    scene: SceneMessage | None = None
    for text in texts:
        message = SERVER_MESSAGES.decode(text)
        data = json.loads(text)
        if not isinstance(message, StreamEvent):
            assert json.loads(msgspec.json.encode(message)) == data
            continue
        assert data.keys() <= EVENT_FIELDS
        rest = {key: value for key, value in data.items() if key not in ("scene", "changes")}
        plain = json.loads(msgspec.json.encode(replace(message, scene=msgspec.UNSET, changes=msgspec.UNSET)))
        assert plain == rest
        if message.scene is not msgspec.UNSET:
            scene = msgspec.json.decode(message.scene, type=SceneMessage)
            assert json.loads(msgspec.json.encode(scene)) == data["scene"]
        if message.changes is not msgspec.UNSET:
            assert scene is not None
            changes = msgspec.json.decode(message.changes, type=SceneChanges)
            assert json.loads(msgspec.json.encode(changes)) == data["changes"]
            after = apply_scene_changes(scene, changes)
            assert find_scene_changes(scene, after) == changes
            scene = after
    if scene is not None:
        del texts[:]
        event = StreamEvent(None, 0, scene=msgspec.Raw(msgspec.json.encode(scene)))
        texts.append(msgspec.json.encode(event).decode())


GAMES = {"crazy-eights": 3, "liars-dice": 3, "two-lagoons": 2, "hexil": 3, "pig": 2, "sealed bids": 2}
UPLOADED = {"sealed bids": SEALED_BIDS}


def rules_of(name: str) -> Game:
    return compile_source(UPLOADED[name], name="game.tgdl") if name in UPLOADED else load(name)


@pytest.mark.parametrize("name", GAMES)
def test_no_byte_depends_on_what_a_viewer_may_not_know(name: str, server: RunningServer) -> None:
    game = rules_of(name)
    players = GAMES[name]
    test = SecrecyTest(server, name, game, players, seed=1)
    try:
        test.run(steps=12 if name == "hexil" else 30)
    finally:
        test.close()
    assert test.checks > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_byte_of_many_games_depends_on_secrets(name: str, server: RunningServer) -> None:
    """Most games are short, because what leaks mostly leaks early; some are played to the end."""
    game = rules_of(name)
    for seed in range(40 if name == "hexil" else 400):
        test = SecrecyTest(server, name, game, GAMES[name], seed)
        try:
            test.run(steps=300 if seed % 20 == 0 else 20)
        finally:
            test.close()
