"""Questions of a seat that change nothing: forms of unlisted moves, reasons, earlier positions."""

from pathlib import Path

import msgspec
import pytest

import ludograph
from ludograph.client import Client, RefusedByServer
from ludograph.games.sources import compile_source
from ludograph.protocol.forms import SeatForm
from ludograph.protocol.messages import AskForms, AskWhyItem, ShowMoment
from ludograph.protocol.tables import NewSeat, NewTable
from ludograph.server.stored_tables import GUEST, StoredSeat, shown_name
from ludograph.server.table_game import SPECTATOR, GameSetup, GameStep, StepRefused, TableGame
from tests.server.servers import RunningServer

MARKET = Path(__file__).parent.parent / "pages" / "games" / "market.tgdl"
SOLE = """
players 2 has seat;

local state seat
{
  DECLARATION
  action go { trigger on player choice; effect { pass; } }
}
"""
OFFER = "propose(give: 2, give: 0, give: 0, get: 0, get: 1, get: 0, to: {1, 2})"


def game_of(name: str, players: int, *moves: tuple[int, str]) -> TableGame:
    return _played(TableGame(ludograph.load(name), GameSetup(players, {}, None, "00" * 32)), *moves)


def market(*moves: tuple[int, str]) -> TableGame:
    rules = compile_source(MARKET.read_text(encoding="utf-8"), name="market.tgdl")
    return _played(TableGame(rules, GameSetup(3, {}, None, "00" * 32)), *moves)


def _played(game: TableGame, *moves: tuple[int, str]) -> TableGame:
    for seat, text in moves:
        game.apply(GameStep("moves", seat, (text,)))
    return game


def forms(game: TableGame, seat: int) -> dict[str, SeatForm]:
    answer = msgspec.json.decode(game.answer(AskForms("1", seat)))
    found = msgspec.convert(answer["forms"], tuple[SeatForm, ...])
    return {form.action: form for form in found}


def why(game: TableGame, seat: int, item: str, begun: str = "") -> str:
    game.snapshot(seat)
    message: str = msgspec.json.decode(game.answer(AskWhyItem("1", seat, item, begun)))["message"]
    return message


def test_a_move_that_no_list_contains_has_a_form_with_its_bounds() -> None:
    fields = forms(market(), 0)["propose"].fields
    assert [(field.name, field.key, len(field.values)) for field in fields] == [
        ("give", "figs", 3),
        ("give", "salt", 3),
        ("give", "tea", 3),
        ("get", "figs", 5),
        ("get", "salt", 5),
        ("get", "tea", 5),
        ("to", "", 2),
    ]
    assert fields[-1].names_players and fields[-1].least == 1


def test_a_form_that_is_not_possible_now_says_why() -> None:
    found = forms(market(), 1)
    assert found["propose"].refusal == "it is not your turn" and found["propose"].is_trade
    assert found["counter"].refusal == "there is no offer to answer"


def test_an_answer_begins_with_the_offer_on_the_opposite_sides() -> None:
    game = market((0, OFFER))
    answer = forms(game, 1)["counter"].fields
    assert {(field.name, field.key): field.given for field in answer if field.given} == {
        ("give", "salt"): 1,
        ("want", "figs"): 2,
    }
    own = forms(game, 0)["propose"].fields
    assert {(field.name, field.key): field.given for field in own if field.given} == {
        ("give", "figs"): 2,
        ("get", "salt"): 1,
    }


def test_the_trades_of_hexil_are_found_from_its_rules() -> None:
    found = forms(game_of("hexil", 3), 0)
    assert found["propose"].is_trade and found["propose"].refusal == "place a village first"


def test_a_game_without_unlisted_moves_has_no_forms() -> None:
    assert forms(game_of("chess", 2), 0) == {}


def test_a_place_explains_itself_in_the_words_of_the_rules() -> None:
    assert why(game_of("hexil", 3), 0, "cell.island-2--4-") == "Move the robber: place a village first"
    assert "belongs to player 1" in why(game_of("chess", 2), 0, "cell.a8")


def test_a_target_of_the_action_that_was_begun_explains_itself() -> None:
    assert why(game_of("chess", 2), 0, "cell.e5", "e2.play").startswith("Move: 'e5' is not a value")


def test_a_card_explains_itself() -> None:
    game = game_of("crazy-eights", 2)
    game.snapshot(0)
    sent = game.snapshot(0).scene
    assert isinstance(sent, msgspec.Raw)
    scene = msgspec.json.decode(sent)
    hand = [item["id"] for item in scene["items"] if item["id"].startswith("card.")]
    reasons = {why(game, 0, item) for item in hand}
    assert any("the card must be one of" in reason for reason in reasons)


def test_an_unknown_item_has_no_reason() -> None:
    assert why(game_of("chess", 2), 0, "no such item") == ""


def test_an_earlier_position_can_be_shown() -> None:
    game = game_of("tic-tac-toe", 2, (0, "grid[0][0].mark"), (1, "grid[1][1].mark"), (0, "grid[2][2].mark"))
    marks = []
    for kept in range(4):
        scene = msgspec.json.decode(game.answer(ShowMoment("1", kept, 1)))["scene"]
        marks.append(sum(item["kind"] == "piece" for item in scene["items"]))
    assert marks == [0, 1, 2, 3]
    with pytest.raises(StepRefused):
        game.answer(ShowMoment("1", 9, 1))


def test_an_earlier_position_shows_no_more_than_the_viewer_saw_then() -> None:
    game = game_of("crazy-eights", 2, (0, "pick"))
    for viewer, faces in ((None, 1), (0, 8), (1, 8)):
        scene = msgspec.json.decode(game.answer(ShowMoment("1", 0, viewer)))["scene"]
        shown = [item for item in scene["items"] if item["id"].startswith("card.")]
        assert len(shown) == faces


def test_a_sole_choice_is_forced_unless_chance_or_a_secret_follows() -> None:
    last = [
        (0, "0][0"),
        (1, "0][1"),
        (0, "0][2"),
        (1, "1][1"),
        (0, "1][0"),
        (1, "2][0"),
        (0, "2][1"),
        (1, "2][2"),
    ]
    game = game_of("tic-tac-toe", 2, *((seat, f"grid[{place}].mark") for seat, place in last))
    question = game.snapshot(0).question
    assert question is not None and question.is_forced
    for name in ("pig", "chess"):
        first = game_of(name, 2).snapshot(0).question
        assert first is not None and not first.is_forced
    for declaration, is_forced in (("hidden decimal own = 1;", False), ("decimal own = 1;", True)):
        rules = compile_source(SOLE.replace("DECLARATION", declaration), name="sole.tgdl")
        sole = TableGame(rules, GameSetup(2, {}, None, "00" * 32)).snapshot(0).question
        assert sole is not None and sole.is_forced == is_forced
    spectator = game.snapshot(SPECTATOR).question
    assert spectator is None


def test_questions_are_answered_through_sockets_in_both_kinds_of_processes(server: RunningServer) -> None:
    ada = Client(server.address)
    source = MARKET.read_text(encoding="utf-8")
    for wanted in (NewTable(source=source), NewTable(game="hexil")):
        seats = (NewSeat("me"), NewSeat("me"))
        own = ada.create_table(msgspec.structs.replace(wanted, seats=seats, players=2))
        with ada.join(own.table.id, 0) as seat:
            assert any(form.action == "propose" for form in seat.forms())
            assert seat.why_not_item("no such item").message == ""
            assert seat.look_at(0).game
            with pytest.raises(RefusedByServer):
                seat.look_at(500)


def test_the_forms_say_whose_turn_it_is_whoever_answered_last() -> None:
    """Offers belong to the turn of a player, so that somebody can refuse all offers of that turn."""
    game = market((0, OFFER), (1, "counter(give: 0, give: 1, give: 0, want: 1, want: 0, want: 0)"))
    assert [msgspec.json.decode(game.answer(AskForms("1", seat)))["turn"] for seat in range(3)] == [0, 0, 0]


def test_reasons_name_the_players_as_the_boxes_do() -> None:
    named = GameSetup(2, {}, None, "00" * 32, names=("Ada", "Bea"))
    game = TableGame(ludograph.load("chess"), named)
    assert "belongs to Bea, not to Ada" in why(game, 0, "cell.a8")
    assert "belongs to Bea, not to Ada" in game.why_not(0, "e7.play(to: e5)")[0]
    with pytest.raises(StepRefused, match="belongs to Bea, not to Ada"):
        game.apply(GameStep("moves", 0, ("e7.play(to: e5)",)))
    with pytest.raises(StepRefused, match="belongs to Bea, not to Ada"):
        game.apply(GameStep("choices", 0, ("e7.play",)))


def test_a_form_that_is_refused_names_its_player() -> None:
    setup = GameSetup(2, {}, None, "00" * 32, names=("Ada", "Bea"))
    game = TableGame(ludograph.load("hexil"), setup)
    assert forms(game, 1)["counter_propose"].refusal == "Bea has no offer to answer"


def test_guests_are_numbered_as_on_the_page() -> None:
    seats = (
        StoredSeat("person", name=GUEST),
        StoredSeat("person", name="Ada"),
        StoredSeat("bot", name="bot 3", bot="easy"),
    )
    assert [shown_name(number, seat) for number, seat in enumerate(seats)] == [
        "Player 1",
        "Ada",
        "bot 3 (easy)",
    ]
