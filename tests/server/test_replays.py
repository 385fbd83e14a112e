"""Replays through the API: texts in any notation, frames, variations, studies of others, analysis, limits."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from ludograph.client import Client, RequestFailed
from ludograph.games import load
from ludograph.play import format_record
from ludograph.protocol.replays import EditReplay, NewReplay, NewVariation, ReplayStatus
from ludograph.protocol.tables import NewSeat, NewTable
from ludograph.render.scenes.messages import SceneMessage
from ludograph.server.limits import Limits
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.studies import Studies
from ludograph.server.storage import Database, Storage
from tests.server.servers import RunningServer

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WIN = ("grid[1][1]", "grid[0][0]", "grid[0][1]", "grid[2][2]", "grid[2][1]")
BEGINNING = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
NIM = """game "Nim";
global state heap
{
  decimal left = 7;
  action take
  {
    trigger on player choice;
    input decimal number from 1 to 3 { number <= left }
    effect { left -= number; if left == 0 win player; pass; }
  }
}
"""


def _show(client: Client, text: str, **wanted: object) -> ReplayStatus:
    opened = client.open_replay(NewReplay(text=text, **wanted))  # type: ignore[arg-type]
    assert opened.replay is not None, opened.findings
    return opened.replay


def _record(moves: tuple[str, ...], game: str = "Tic-tac-toe") -> str:
    lines = [f"{number % 2}: {cell}.mark" for number, cell in enumerate(moves)]
    return "\n".join([f'[Game "{game}"]', '[Rules "?"]', '[Players "2"]', "", *lines, ""])


def _dealt(game: str) -> str:
    """The record of a game after its deal and one move."""
    state = load(game).new(seed=1)
    state.push(state.legal_moves[0])
    return format_record(state.record)


@pytest.fixture
def ada(server: RunningServer) -> Client:
    return Client(server.address)


@pytest.mark.parametrize(
    ("name", "given_as", "nodes"),
    [
        ("game.han", "han", 36),
        ("game.cgn", "cgn", 36),
        ("game.sgn", "sgn", 35),
        ("start.hsn", "hsn", 1),
        ("setup.ccn", "ccn", 17),
        ("game.catan", "catanlog", 20),
    ],
)
def test_a_settlers_game_is_shown_in_any_notation(name: str, given_as: str, nodes: int, ada: Client) -> None:
    replay = _show(ada, (EXAMPLES / name).read_text(encoding="utf-8"), name=name)
    assert (replay.game, replay.given_as, len(replay.nodes)) == ("hexil", given_as, nodes)
    assert [view.name for view in replay.views][:2] == ["open", "everybody"]
    if nodes > 1:
        assert (replay.nodes[1].notation[:3], replay.nodes[1].seat) == ("Pv(", 0)
        assert replay.nodes[1].words.startswith("player 1 places a village")
        assert replay.series[0] == "points" and replay.nodes[1].numbers[0][0] == 1
    scenes = ada.replay_scenes(replay.id, nodes - 1)
    assert len(scenes) == nodes
    # A page that begins later has the same pictures.
    later = ada.replay_scenes(replay.id, nodes - 1, first=nodes // 2)
    assert list(map(_shown, later)) == list(map(_shown, scenes[nodes // 2 :]))


def test_a_page_that_begins_later_shows_the_last_move_too(ada: Client) -> None:
    replay = _show(ada, _record(WIN))
    whole = ada.replay_scenes(replay.id, 5)
    assert whole[3].effects
    assert list(map(_shown, ada.replay_scenes(replay.id, 5, first=3))) == list(map(_shown, whole[3:]))


def _shown(scene: SceneMessage) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(scene, drawings={}))


def test_a_hand_is_open_in_one_view_and_hidden_in_another(ada: Client) -> None:
    replay = _show(ada, (EXAMPLES / "game.han").read_text(encoding="utf-8"))
    opened, hidden = (ada.replay_scenes(replay.id, 35, first=35, view=view)[0] for view in ("open", "0"))
    assert opened.description != hidden.description
    cards = _show(ada, _dealt("crazy-eights"))
    assert [view.name for view in cards.views] == ["mover", "everybody", "0", "1"]
    seen = ada.replay_scenes(cards.id, 1, first=1, view="mover")[0]
    assert seen.items == ada.replay_scenes(cards.id, 1, first=1, view="0")[0].items
    assert seen.items != ada.replay_scenes(cards.id, 1, first=1, view="everybody")[0].items
    with pytest.raises(RequestFailed, match="there is no view"):
        ada.replay_scenes(replay.id, 35, view="9")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (f"{BEGINNING} Pv(d4n)\nPr(d4q)", (2, 4), "expected a side"),
        ('[Game "X"]\n[Rules "1"]\n[Players "2"]\n0 grid', (0, 0), "line 4: expected a move"),
        ("What is this?", (0, 0), "the notation is not recognised"),
        ("Pv(d4n)", (0, 0), "start position"),
        (_record(("grid[1][1]",), "Chess of Mars"), (0, 0), "there is no shipped game"),
    ],
)
def test_an_error_in_a_text_has_its_place(
    text: str, place: tuple[int, int], message: str, ada: Client
) -> None:
    opened = ada.open_replay(NewReplay(text=text))
    assert opened.replay is None
    found = opened.findings[0]
    assert found.severity == "error" and message in found.message
    assert (found.line, found.column) == place


def test_an_illegal_action_ends_the_game_and_is_explained(ada: Client) -> None:
    replay = _show(ada, f"{BEGINNING} Pv(d4n) Pr(d4ne)\nPv(d4s) Pr(b5w)")
    assert [node.notation for node in replay.nodes[1:]] == ["Pv(d4n)", "Pr(d4ne)", "Pv(d4s)"]
    found = replay.findings[0]
    assert (found.severity, found.line, found.code) == ("error", 2, "NT2001") and found.hint


def test_comments_and_variations_of_a_text_are_kept(ada: Client) -> None:
    replay = _show(ada, f"{BEGINNING} Pv(d4n) # a good place\n(Pv(d5n) Pr(d5ne)) Pr(d4ne)")
    notes = {node.notation: node.note for node in replay.nodes}
    assert notes["Pv(d4n)"] == "a good place"
    varied = [(node.notation, node.parent) for node in replay.nodes if node.is_variation]
    assert varied[0] == ("Pv(d5n)", 0) and varied[1][0] == "Pr(d5ne)"


def test_a_game_of_the_server_is_replayed_when_it_is_over(server: RunningServer, ada: Client) -> None:
    own = ada.create_table(NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("me"))))
    wanted = NewReplay(table=own.table.id)
    with ada.join(own.table.id, 0) as first, ada.join(own.table.id, 1) as second:
        for number, cell in enumerate(WIN):
            seat = (first, second)[number % 2]
            seat.wait(lambda seat: seat.question is not None)
            if number == 2:
                with pytest.raises(RequestFailed, match="when it is over"):
                    ada.open_replay(wanted)
            seat.play(f"{cell}.mark")
        first.wait(lambda each: each.table is not None and each.table.stage == "over")
    replay = ada.open_replay(wanted).replay
    assert replay is not None and replay.is_own and replay.result == "win 0"
    assert [node.text for node in replay.nodes[1:]] == [f"{cell}.mark" for cell in WIN]
    stranger = Client(server.address)
    other = stranger.open_replay(wanted).replay
    assert other is not None and other.nodes == replay.nodes and other.id != replay.id
    with pytest.raises(RequestFailed, match="no such table"):
        stranger.open_replay(NewReplay(table="a" * 26))


def test_the_same_text_is_opened_once(ada: Client) -> None:
    one, two = (_show(ada, _record(WIN)) for _ in range(2))
    assert one.id == two.id
    assert [each.id for each in ada.replays().replays] == [one.id]


def test_a_variation_has_the_chance_that_is_wanted(ada: Client) -> None:
    text = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne) R(1+2) E"
    replay = _show(ada, f"{BEGINNING} {text}")
    asked = ada.play_variation(replay.id, NewVariation(8, text="roll"))
    assert asked.nodes == () and asked.choices is not None
    assert [each.words for each in asked.choices.outcomes] == ["1", "2", "3", "4", "5", "6"]
    played = ada.play_variation(replay.id, NewVariation(8, text="R?", outcomes=("4", "5")))
    rolled = played.nodes[-1]
    assert (rolled.notation, rolled.words, rolled.is_variation) == (
        "R(5+6)",
        "player 1 rolls 5 + 6 = 11",
        True,
    )
    drawn = ada.play_variation(replay.id, NewVariation(rolled.node, text="E")).nodes[-1]
    assert ada.play_variation(replay.id, NewVariation(drawn.node, text="R?", draw=True)).nodes
    # What was played there before is found again.
    assert ada.play_variation(replay.id, NewVariation(8, text="R?", outcomes=("0", "1"))).nodes[-1].node == 9
    with pytest.raises(RequestFailed, match="not one of the choices"):
        ada.play_variation(replay.id, NewVariation(8, text="R?", outcomes=("9", "9")))
    with pytest.raises(RequestFailed, match="does not decide so much"):
        ada.play_variation(replay.id, NewVariation(8, text="R?", outcomes=("1", "1", "1")))
    with pytest.raises(RequestFailed, match="roll"):
        ada.play_variation(replay.id, NewVariation(8, text="E"))
    with pytest.raises(RequestFailed, match="need"):  # a move of the rules is understood, too
        ada.play_variation(replay.id, NewVariation(9, text="buy_road"))


def test_a_card_that_is_drawn_can_be_another_one(ada: Client) -> None:
    client = ada.create_table(NewTable(game="pig", seats=(NewSeat("me"), NewSeat("me"))))
    assert client.table.stage == "playing"
    record = '[Game "Pig"]\n[Rules "?"]\n[Players "2"]\n\n0: roll\n*: random(2)\n'
    replay = _show(ada, record)
    asked = ada.play_variation(replay.id, NewVariation(0, text="roll")).choices
    assert asked is not None
    for outcome in asked.outcomes:
        nodes = ada.play_variation(replay.id, NewVariation(0, text="roll", outcomes=(outcome.text,))).nodes
        assert nodes[-1].text == f"roll; random({outcome.text})"
    assert len(ada.replay(replay.id).nodes) == 1 + len(asked.outcomes)
    choices = ada.replay_choices(replay.id, 1)
    assert choices.seat >= 0 and isinstance(choices.scene, msgspec.Raw)
    assert msgspec.json.decode(choices.scene, type=SceneMessage).choices.moves


def test_a_move_may_be_played_by_answers_to_questions(ada: Client) -> None:
    own = '[Game "Chess"]\n[Rules "?"]\n[Players "2"]\n\n0: e2.play(to: e4)\n'
    replay = _show(ada, own)
    asked = ada.play_variation(replay.id, NewVariation(0, choices=("d2.play",)))
    assert asked.choices is not None and asked.choices.chosen == ("d2.play",)
    played = ada.play_variation(replay.id, NewVariation(0, choices=("d2.play", "d4")))
    assert played.nodes[-1].text == "d2.play(to: d4)"
    with pytest.raises(RequestFailed):
        ada.play_variation(replay.id, NewVariation(0, text="e2.play(to: e5)"))
    with pytest.raises(RequestFailed, match="no node"):
        ada.play_variation(replay.id, NewVariation(50, text="e2.play(to: e4)"))


def test_a_study_is_seen_by_others_and_changed_by_its_owner(server: RunningServer, ada: Client) -> None:
    replay = _show(ada, _record(WIN[:3]))
    varied = ada.play_variation(replay.id, NewVariation(2, text="grid[2][0].mark")).nodes[-1].node
    ada.edit_replay(replay.id, EditReplay(node=varied, note="better"))
    ada.edit_replay(replay.id, EditReplay(title="A study"))
    bea = Client(server.address)
    seen = bea.replay(replay.id)
    assert (seen.is_own, seen.title, seen.nodes[varied].note) == (False, "A study", "better")
    for change in (
        lambda: bea.play_variation(replay.id, NewVariation(0, text="grid[0][0].mark")),
        lambda: bea.edit_replay(replay.id, EditReplay(title="Mine")),
        lambda: bea.delete_replay(replay.id),
    ):
        with pytest.raises(RequestFailed, match="somebody else"):
            change()
    copy = bea.open_replay(NewReplay(copy=replay.id)).replay
    assert copy is not None and copy.is_own and copy.nodes == seen.nodes and copy.id != replay.id
    left = bea.edit_replay(copy.id, EditReplay(node=varied, remove=True))
    assert varied not in {node.node for node in left.nodes}
    assert varied in {node.node for node in ada.replay(replay.id).nodes}
    with pytest.raises(RequestFailed, match="only variations"):
        bea.edit_replay(copy.id, EditReplay(node=1, remove=True))
    bea.delete_replay(copy.id)
    with pytest.raises(RequestFailed, match="no such replay"):
        bea.replay(copy.id)


def test_texts_to_save_lead_to_the_same_game(ada: Client) -> None:
    replay = _show(ada, (EXAMPLES / "game.han").read_text(encoding="utf-8"))
    end = len(replay.nodes) - 1
    for name in ("record", "han", "cgn"):
        again = _show(ada, ada.replay_text(replay.id, end, name).text)
        words = [(node.words[:14] if name == "cgn" else node.text) for node in again.nodes]  # CGN has sums
        assert words == [(node.words[:14] if name == "cgn" else node.text) for node in replay.nodes]
    assert "An example" in ada.replay_text(replay.id, end, "han").text  # with its headers
    assert ada.replay_text(replay.id, 2, "hsn").text.startswith("[3SSSS")
    assert ada.replay_text(replay.id, end, "ccn").text.count("V") == 8
    picture = ada.replay_text(replay.id, 4, "svg", view="everybody")
    assert picture.text.startswith("<svg") and picture.file_name == "hexil-4.svg"
    losses = ada.replay_text(replay.id, end, "sgn").losses
    assert any("dice" in loss for loss in losses)
    with pytest.raises(RequestFailed, match="cannot be written"):
        ada.replay_text(replay.id, end, "pgn")


def test_a_bot_finds_the_winning_move_and_evaluates_the_game(ada: Client) -> None:
    replay = _show(ada, _record(WIN))
    best = ada.best_moves(replay.id, 4, 0.2)
    assert (best.seat, best.moves[0].text, best.moves[0].payoff) == (0, "grid[2][1].mark", 1.0)
    assert best.moves[0].is_proven
    end = time.monotonic() + 60
    while (found := ada.evaluation(replay.id, 5)).done < found.total:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert found.payoffs["5"] == (1.0, -1.0) and found.payoffs["4"] == (1.0, -1.0)
    assert ada.best_moves(replay.id, 5, 0.2).moves == ()


def test_own_rules_are_played_in_a_process_of_their_own(ada: Client) -> None:
    record = '[Game "Nim"]\n[Rules "?"]\n[Players "2"]\n\n0: take(number: 3)\n1: take(number: 2)\n'
    replay = _show(ada, record, source=NIM)
    assert (replay.game, replay.game_title, len(replay.nodes)) == ("", "Nim", 3)
    assert ada.play_variation(replay.id, NewVariation(2, text="take(number: 1)")).nodes
    wrong = ada.open_replay(NewReplay(text=record, source="game"))
    assert wrong.replay is None and wrong.findings[0].line == 1


@pytest.fixture
def studies(tmp_path: Path) -> Storage:
    return Storage(Database(f"sqlite:///{tmp_path / 'replays.sqlite'}"))


def test_old_replays_make_room_but_studies_stay(studies: Storage) -> None:
    async def run() -> None:
        await studies.open()
        found = Studies(studies, Limits(replays_per_session=2))
        opened = [
            (await found.open_text("ada", NewReplay(text=_record(WIN[:count])))).replay for count in (1, 2)
        ]
        assert opened[0] is not None and opened[1] is not None
        await found.play(opened[0].id, "ada", NewVariation(0, text="grid[0][0].mark"))
        third = (await found.open_text("ada", NewReplay(text=_record(WIN[:3])))).replay
        assert third is not None
        assert {each.id for each in (await found.list_own("ada")).replays} == {opened[0].id, third.id}
        await found.edit(third.id, "ada", EditReplay(node=0, note="kept"))
        with pytest.raises(RequestRefused, match="too many studies"):
            await found.open_text("ada", NewReplay(text=_record(WIN[:4])))
        await found.close()

    asyncio.run(run())
    studies.close()


def test_a_text_that_takes_too_long_costs_its_author_an_error(studies: Storage) -> None:
    async def run() -> None:
        await studies.open()
        found = Studies(studies, Limits(replay_read_seconds=0.05))
        with pytest.raises(RequestRefused, match="more than"):
            await found.open_text("ada", NewReplay(text=_record(WIN)))
        await found.close()
        busy = Studies(studies, Limits(replay_jobs=0))
        with pytest.raises(RequestRefused, match="too many games"):
            await busy.open_text("ada", NewReplay(text=_record(WIN)))
        await busy.close()

    asyncio.run(run())
    studies.close()


def test_replays_are_there_after_a_restart(database: str) -> None:
    async def run() -> None:
        storage = Storage(Database(database))
        await storage.open()
        found = Studies(storage, Limits())
        replay = (await found.open_text("ada", NewReplay(text=_record(WIN[:2]), title="Kept"))).replay
        assert replay is not None
        await found.play(replay.id, "ada", NewVariation(1, text="grid[2][2].mark"))
        await found.close()
        again = Studies(storage, Limits())
        seen = await again.show(replay.id, "bea")
        assert (seen.title, len(seen.nodes), seen.is_own) == ("Kept", 4, False)
        await again.delete(replay.id, "ada")
        await again.close()
        storage.close()

    asyncio.run(run())
