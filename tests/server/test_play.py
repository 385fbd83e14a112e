"""Play at tables: unfinished moves, undo with consent, HAN, luck that anybody can verify."""

from pathlib import Path

import pytest
from msgspec import UNSET

from ludograph.cli import main
from ludograph.client import Client, RefusedByServer, SeatConnection
from ludograph.protocol.messages import AnswerUndo, PlayText
from ludograph.protocol.tables import NewSeat, NewTable
from tests.server.servers import RunningServer

ENTROPY = "0123456789abcdef" * 2


def table_for_two(each_server: RunningServer, game: str, **more: int) -> tuple[str, Client, Client]:
    ada, bea = Client(each_server.address), Client(each_server.address)
    seats = (NewSeat("me"), NewSeat("open"))
    own = ada.create_table(NewTable(game=game, seats=seats, options=dict(more), entropy=ENTROPY))
    bea.take_seat(own.table.id, 1, entropy=ENTROPY[::-1])
    return own.table.id, ada, bea


def is_asked(seat: SeatConnection) -> bool:
    return seat.question is not None and seat.question.is_asked


def test_an_unfinished_move_is_seen_by_nobody_else_and_taken_back_freely(each_server: RunningServer) -> None:
    table, ada, bea = table_for_two(each_server, "chess")
    with ada.join(table, 0) as white, bea.join(table, 1) as black:
        white.choose("e2.play")
        assert white.question is not None and white.question.chosen == ("e2.play",)
        assert all(move.text.startswith("(") for move in white.choices.moves)
        before = black.number
        white.take_back()
        assert not white.question.chosen
        black.ping()
        assert black.number == before
        white.choose("e2.play", "e4")
        black.wait(is_asked)
        assert [entry.text for entry in black.log] == ["e2.play(to: e4)"]


def test_an_answer_to_an_old_question_is_late(each_server: RunningServer) -> None:
    table, ada, _ = table_for_two(each_server, "chess")
    with ada.join(table, 0) as white:
        question = white.question
        assert question is not None
        white.play("e2.play(to: e4)")
        white.question = question
        with pytest.raises(RefusedByServer) as refused:
            white.choose("d2.play", "d4")
    assert refused.value.code == "late"


def test_an_undo_needs_the_consent_of_the_other_player(each_server: RunningServer) -> None:
    table, ada, bea = table_for_two(each_server, "chess")
    with ada.join(table, 0) as white, bea.join(table, 1) as black:
        white.play("e2.play(to: e4)")
        white.undo_turn()
        black.wait(lambda seat: seat.undo is not None)
        black.answer_undo(agrees=False)
        white.wait(lambda seat: seat.undo is None)
        assert [entry.kind for entry in white.log] == ["move"]
        white.undo_turn()
        black.wait(lambda seat: seat.undo is not None)
        black.answer_undo(agrees=True)
        white.wait(is_asked)
        assert [(entry.kind, entry.kept) for entry in white.log] == [("move", None), ("undo", 0)]
        white.play("d2.play(to: d4)")
        black.wait(is_asked)
        assert [entry.text for entry in black.log] == ["e2.play(to: e4)", "", "d2.play(to: d4)"]
    record = ada.record(table)
    assert "d2.play" in record.record and "e2.play" not in record.record


def test_a_repeated_answer_to_an_undo_is_answered_again_and_done_once(each_server: RunningServer) -> None:
    table, ada, bea = table_for_two(each_server, "chess")
    with ada.join(table, 0) as white, bea.join(table, 1) as black:
        white.play("e2.play(to: e4)")
        for number, agrees in enumerate((False, True)):
            white.undo_turn()
            black.wait(lambda seat: seat.undo is not None)
            assert black.undo is not None
            message = AnswerUndo(f"answer {number}", 1, black.undo.id, agrees)
            for _ in range(2):
                black.ask(message)
            white.wait(lambda seat: seat.undo is None)
        white.wait(is_asked)
        # The ids of one session say nothing about those of another.
        white.ask(PlayText("answer 1", 0, "d2.play(to: d4)"))
        assert [entry.text for entry in white.log] == ["e2.play(to: e4)", "", "d2.play(to: d4)"]


def test_an_undo_to_an_earlier_move(each_server: RunningServer) -> None:
    client = Client(each_server.address)
    own = client.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
    with client.join(own.table.id, 0) as white, client.join(own.table.id, 1) as black:
        for number, text in enumerate(("e2.play(to: e4)", "e7.play(to: e5)", "d2.play(to: d4)")):
            (white, black)[number % 2].play(text)
        white.undo_to(1)
        black.wait(is_asked)
        assert [entry.kept for entry in white.log if entry.kind == "undo"] == [1]


def test_hexil_reads_han(each_server: RunningServer) -> None:
    client = Client(each_server.address)
    seats = (NewSeat("me"), NewSeat("me"))
    own = client.create_table(NewTable(game="hexil", options={"beginners": True}, seats=seats))
    with client.join(own.table.id, 0) as first:
        with pytest.raises(RefusedByServer, match="place a village first"):
            first.play("E")
        with pytest.raises(RefusedByServer, match="expected a corner"):
            first.play("Pv(d4)")
        assert first.why_not("E").message == "place a village first"
        assert first.why_not("Pv(d4n)").message == ""
        first.play("Pv(d4n)")
        assert first.why_not("Pr(b5w)").message.startswith("no road or building of yours is next to it")
        first.play("Pr(d4ne)")
        own_moves = [entry for entry in first.log if entry.seat == 0]
        assert [entry.text.partition("(")[0] for entry in own_moves] == ["place_village", "place_road"]
        assert [entry.notation for entry in own_moves] == ["Pv(d4n)", "Pr(d4ne)"]


@pytest.mark.parametrize("name", ["pig", "hexil"])
def test_scenes_call_players_by_their_names(name: str, server: RunningServer) -> None:
    client = Client(server.address)
    seats = (NewSeat("me", name="Ann"), NewSeat("bot", bot="easy"))
    own = client.create_table(NewTable(game=name, seats=seats))
    with client.join(own.table.id, 0) as first:
        scene = first.scene
        assert scene is not None
        names = [item.drawing for item in scene.items if item.id.startswith("name.player")]
        assert [">Ann<" in scene.drawings[key] for key in names] == [True, False]
        assert [">bot 2 (easy)<" in scene.drawings[key] for key in names] == [False, True]
        assert "player 0" not in str(scene).lower()
        assert all(entry.notation is UNSET for entry in first.log) == (name == "pig")


def test_everybody_can_verify_the_luck_of_a_game(
    each_server: RunningServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, ada, bea = table_for_two(each_server, "pig")
    commitment = ada.table(table).table.luck.commitment
    with ada.join(table, 0) as first, bea.join(table, 1) as second:
        before = ada.table(table).table.luck
        assert before.secret is None and before.entropies == (ENTROPY, ENTROPY[::-1])
        first.play("roll")
        first.undo_turn()
        second.wait(lambda seat: seat.undo is not None)
        second.answer_undo(agrees=True)
        seats = [first, second]
        for _ in range(2000):
            for seat in seats:
                seat.ping()
            playing = [seat for seat in seats if is_asked(seat)]
            if not playing:
                break
            texts = [move.text for move in playing[0].choices.moves]
            playing[0].play(texts[0])
            if "hold" in texts and playing[0].question is not None and playing[0].question.is_asked:
                playing[0].play("hold")
    found = ada.record(table)
    assert found.is_complete and commitment in found.record
    path = tmp_path / "table.txt"
    path.write_text(found.record, encoding="utf-8")
    assert main(["replay", str(path), "--verify-luck"]) == 0
    assert "the luck is verified" in capsys.readouterr().out
    lines = found.record.splitlines()
    changed = next(number for number, line in enumerate(lines) if line.startswith("*: random("))
    value = lines[changed][10]
    lines[changed] = f"*: random({'3' if value != '3' else '4'})"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["replay", str(path), "--verify-luck"]) == 1
