"""Logs of JSettlers: a whole game is read back from its messages; hidden cards are reported."""

from functools import cache

import pytest
from msgspec.structs import replace

from ludograph.hexil.replay.records import play_record
from ludograph.notation.imports import ImportFormat
from ludograph.notation.imports.jsettlers_places import CORNERS, SIDES, TILES
from ludograph.notation.located import Located, parse_located
from ludograph.settlers import (
    BANK,
    Act,
    BuyCard,
    Commented,
    Event,
    Goods,
    Player,
    Roll,
    Steal,
    Trade,
    UseRoads,
)
from ludograph.text import TextError
from tests.notation.imports.catanatron_games import play_game
from tests.notation.imports.soclog import write_log
from tests.notation.mutations import refused


@cache
def original() -> Located:
    return parse_located(play_game(7))


@cache
def log() -> str:
    return write_log(original().record)


@cache
def opening() -> str:
    """The log up to the first roll."""
    return log().partition("f3:SOCRollDice")[0]


def last_event(*lines: str) -> Event:
    return parse_located(opening() + "\n".join(lines)).record.events[-1]


def test_every_place_of_the_board_has_a_coordinate() -> None:
    assert (len(TILES), len(set(CORNERS.values())), len(set(SIDES.values()))) == (19, 54, 72)
    assert (len(CORNERS), len(SIDES)) == (54, 72)


def test_a_whole_game_is_read_back() -> None:
    def with_sums(events: tuple[Event, ...]) -> list[Event]:
        return [
            replace(event, action=Roll(event.action.total))
            if isinstance(event, Act) and isinstance(event.action, Roll)
            else event
            for event in events
        ]

    located = parse_located(log())
    assert located.imported is ImportFormat.JSETTLERS
    assert with_sums(original().record.events) == list(located.record.events)
    assert dict(located.record.headers) == {
        "Points": "10",
        "Player1": "p3",
        "Player2": "p0",
        "Player3": "p2",
    }
    assert play_record(located).faults == ()


def test_players_trade_in_the_turn_of_one_of_them() -> None:
    accept = (
        "all:SOCAcceptOffer:game=test|accepting={}|offering={}"
        "|toAccepting=clay=1|ore=0|sheep=0|wheat=0|wood=0|unknown=0"
        "|toOffering=clay=0|ore=0|sheep=0|wheat=0|wood=2|unknown=0"
    )
    gains, gives = Goods(lumber=2), Goods(brick=1)
    assert last_event(accept.format(0, 3)) == Act(Trade(gives, gains, Player(2)), Player(1))
    assert last_event(accept.format(3, 0)) == Act(Trade(gains, gives, Player(2)), Player(1))


def test_offers_and_chat_are_lost() -> None:
    text = (
        opening() + "all:SOCMakeOffer:game=test|from=3\nall:SOCGameTextMsg:game=test|nickname=a|text=hi: | 3"
    )
    assert [str(loss) for loss in parse_located(text).losses] == [
        "lost: an offer, its acceptance or refusal",
        "lost: chat",
    ]


def test_the_log_of_a_client_is_checked_up_to_the_first_hidden_card() -> None:
    hidden = "\n".join(
        line
        for line in log().splitlines()
        if not line.startswith(("p", "f", "0:00.012:f")) or "SOCSitDown" in line
    )
    located = parse_located(hidden)
    assert located.checkable is not None
    assert [str(loss) for loss in located.losses] == [
        "missing: cards that the log hides: it is the log of one player"
    ]
    kinds = [event.action for event in located.record.events if isinstance(event, Act)]
    assert BuyCard(None) in kinds
    assert any(isinstance(action, Steal) and action.resource is None for action in kinds)


def test_a_cancelled_village_of_the_set_up_is_left_out() -> None:
    lines = opening().splitlines()
    at = next(index for index, line in enumerate(lines) if "pieceType=1" in line)
    wrong = lines[at].rpartition("=")[0] + "=78"
    cancelled = [*lines[:at], wrong, "all:SOCCancelBuildRequest:game=test|pieceType=1", *lines[at:]]
    assert parse_located("\n".join(cancelled)).record == parse_located(opening()).record


def test_a_road_building_card_that_is_taken_back_is_left_out() -> None:
    played = "all:SOCDevCardAction:game=test|playerNum=3|actionType=PLAY|cardType=1"
    assert last_event(played) == Act(UseRoads(), Player(1))
    back = "all:SOCPlayerElement:game=test|playerNum=3|actionType=SET|elementType=19|amount=0"
    assert last_event(played, back) == parse_located(opening()).record.events[-1]


def test_a_trade_with_the_bank_that_is_taken_back_is_left_out() -> None:
    trade = "all:SOCBankTrade:game=test|give={}|get={}|pn={}"
    ores = "clay=0|ore=3|sheep=0|wheat=0|wood=0|unknown=0"
    brick = "clay=1|ore=0|sheep=0|wheat=0|wood=0|unknown=0"
    for player in (3, 0):
        made = trade.format(ores, brick, player)
        assert last_event(made, trade.format(brick, ores, player)) == last_event()
    assert last_event(trade.format(ores, brick, 3), trade.format(brick, ores, 0)) == Act(
        Trade(Goods(brick=1), Goods(ore=3), BANK), Player(2)
    )


def test_a_piece_that_is_taken_back_is_left_out_with_its_purchase() -> None:
    built = "all:SOC{}PutPiece:game=test|playerNumber=3|pieceType={}|coord={}"
    for piece, place in ((0, "56"), (1, "56"), (2, "56")):
        line = built.format("", piece, place)
        rolled = "all:SOCDiceResult:game=test|param=6"
        assert last_event(rolled, line, built.format("Undo", piece, place)) == last_event(rolled)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("all:SOCUndoPutPiece:game=test|playerNumber=3|pieceType=0|coord=56", "NT0705"),
        ("nonsense", "NT0703"),
        ("all:SOCBoardLayout2:game=test|bef=3", "NT0705"),
        ("all:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord=c06|toCoord=f06", "NT0705"),
        ("all:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord=56", "NT0705"),
        ("all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=zz", "NT0706"),
        ("all:SOCPutPiece:game=test|playerNumber=3|pieceType=0", "NT0706"),
        ("all:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=7", "NT1703"),
        ("all:SOCPutPiece:game=test|playerNumber=9|pieceType=0|coord=56", "NT1701"),
        ("all:SOCMoveRobber:game=test|playerNumber=3|coord=-90c", "NT1703"),
        ("p3:SOCDiscard:game=test|playerNum=3|resources=clay=1", "NT0706"),
        ("all:SOCSimpleAction:game=test|pn=3|actType=3|v1=6|v2=9", "NT0702"),
    ],
)
def test_a_wrong_message_is_refused_at_its_line(line: str, code: str) -> None:
    text = opening() + line + "\n"
    with pytest.raises(TextError) as caught:
        parse_located(text)
    assert (caught.value.code, caught.value.line) == (code, text.count("\n"))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("SOC game event log: ", "SOC log: ", "NT0704"),
        ("robberHex=0x77", "robberHex=0xffffffff", "NT0704"),
        (" }|robberHex=0x77", " -1 }|robberHex=0x77", "NT0705"),
    ],
)
def test_a_wrong_beginning_is_refused(old: str, new: str, code: str) -> None:
    error = refused(lambda text: parse_located(text, "jsettlers"), opening().replace(old, new))
    assert error is not None
    assert error.code == code


def test_comments_of_a_log_are_no_events() -> None:
    assert not [event for event in parse_located(opening()).record.events if isinstance(event, Commented)]
