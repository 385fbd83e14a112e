"""Conversion: all pairs of notations, the losses that each must report, and the lossless claims."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import ludograph
from ludograph.notation import ccn, han, hsn, sgn
from ludograph.notation.convert import convert, read_record, write_record
from ludograph.notation.normal_form.record import normalise_actions
from ludograph.notation.normal_form.sgn import normalise_sgn, to_sgn
from ludograph.notation.notations import Notation
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Act,
    BuyCard,
    EndTurn,
    Event,
    Position,
    Record,
    Resource,
    Roll,
    Steal,
    UseMonopoly,
    fresh_position,
)
from ludograph.settlers.record import Commented
from ludograph.text import BadText, Nonsense, Source, TextError
from tests.notation.games import games, setups, starts

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.iterdir())}
START = hsn.format(fresh_position(BEGINNERS_ISLAND, 4))

SUITABLE = {
    Notation.HAN: FILES["game.han"],
    Notation.HSN: FILES["start.hsn"],
    Notation.CGN: FILES["game.cgn"],
    Notation.CCN: FILES["setup.ccn"],
    Notation.SGN: FILES["game.sgn"],
}


ALL_PAIRS = list(itertools.product(Notation, Notation))


def words(losses: tuple[Loss, ...]) -> list[str]:
    """The losses as people read them, each once."""
    return list(dict.fromkeys(f"{loss.kind.value}: {loss.message}" for loss in losses))


def actions_of(text: str) -> list[str]:
    """The actions of a HAN game, one by one, without the kinds of bought cards."""
    actions = han.parse_game(text).actions
    return [han.format(BuyCard() if isinstance(action, BuyCard) else action) for action in actions]


def record_of(text: str, notation: Notation) -> Record:
    return read_record(Source(text), notation).value


# All pairs.


@pytest.mark.parametrize(("source", "target"), ALL_PAIRS)
def test_every_pair_gives_a_text_that_the_target_reads(source: Notation, target: Notation) -> None:
    text, losses = convert(SUITABLE[source], source, target)
    assert text
    written = record_of(text, target)
    assert write_record(written, target, target).text == text
    assert all(loss.event is None or loss.event >= 0 for loss in losses)


@pytest.mark.parametrize("notation", Notation)
def test_into_its_own_notation_a_text_loses_nothing(notation: Notation) -> None:
    text, losses = convert(SUITABLE[notation], notation, notation)
    assert not losses
    assert record_of(text, notation) == record_of(SUITABLE[notation], notation)


@pytest.mark.parametrize(("source", "target"), [pair for pair in ALL_PAIRS if pair[0] != pair[1]])
def test_the_examples_are_the_same_game_or_its_beginning(source: Notation, target: Notation) -> None:
    game = actions_of(FILES["game.han"])
    told_here = actions_of(convert(convert(SUITABLE[source], source, target).text, target, "han").text)
    expected = {
        Notation.HAN: game,
        Notation.CGN: game,
        Notation.SGN: game[:-1],  # the end of the last turn is left to the reader
        Notation.CCN: game[:16],
        Notation.HSN: [],
    }
    known = min(expected[source], expected[target], key=len)
    bought = [word for word in known if word != "Bd"] if target is Notation.SGN else known
    assert [total(word) for word in told_here] == [total(word) for word in bought]


def total(word: str) -> str:
    """A roll as its sum, because most notations have no more."""
    action = han.parse(word)
    return f"R{action.total}" if isinstance(action, Roll) else word


def test_the_module_offers_conversion() -> None:
    assert ludograph.convert is convert
    assert ludograph.convert(FILES["start.ccn"], "ccn", "hsn").text + "\n" == FILES["start.hsn"]


# What each can say.

PAIRED = "R(2+3) R(4+4) E"


def expect(text: str, source: str, target: str, *losses: str) -> str:
    converted, found = convert(text, source, target)
    assert words(found) == list(losses)
    return converted


def test_a_start_position_alone_is_lossless_in_han_and_ccn() -> None:
    expect(START, "hsn", "han")
    expect(START, "hsn", "ccn")
    expect(START, "hsn", "cgn")


def test_sgn_does_not_know_how_many_play_before_they_act() -> None:
    expect(START, "hsn", "sgn", "lost: the number of players (4): SGN names only players who act")


@pytest.mark.parametrize("target", ["hsn", "ccn"])
def test_han_without_a_start_position_gives_no_position(target: str) -> None:
    text = expect(PAIRED, "han", target, "lost: everything: the record has no start position")
    assert text == ""


def test_a_position_has_no_actions_headers_or_comments() -> None:
    game = f'[Event "x"]\n{START}\n# hm\n{SETUP}\nR(2+3) # so\nE'
    text = expect(
        game,
        "han",
        "hsn",
        "lost: the header 'Event'",
        "lost: a comment",
        "missing: the cards that the second villages yield",
        "missing: the effect of the last 2 actions: it requires the rules",
    )
    assert hsn.parse(text).seats[0].villages


SETUP = " ".join(actions_of(FILES["game.han"])[:16])


def test_one_action_that_requires_the_rules_is_reported_in_the_singular() -> None:
    game = f"{START}\n{SETUP} R(2+3)"
    assert words(convert(game, "han", "hsn").losses)[-1] == (
        "missing: the effect of the last action: it requires the rules"
    )


@pytest.mark.parametrize("target", ["cgn", "sgn"])
def test_the_dice_pair_is_lost_where_only_the_sum_is_written(target: str) -> None:
    found = words(convert(f"{START}\n{SETUP} R(2+3) E R(1+1)", "han", target).losses)
    assert "lost: the dice 2+3, of which only the sum is written" in found
    assert "lost: the dice 1+1, of which only the sum is written" in found


@pytest.mark.parametrize(
    ("sum_of_dice", "pair"),
    [(2, "1+1"), (3, "1+2"), (6, "1+5"), (7, "1+6"), (8, "2+6"), (11, "5+6"), (12, "6+6")],
)
@pytest.mark.parametrize("source", ["cgn", "sgn"])
def test_a_dice_pair_is_invented_lowest_first_and_flagged(source: str, sum_of_dice: int, pair: str) -> None:
    text = {"cgn": f'R {{"P1":{sum_of_dice}}}', "sgn": f'["1","RD",{{"result":{sum_of_dice}}}]'}[source]
    converted, losses = convert(text, source, "han")
    assert converted == f"R({pair})"
    assert Loss(LossKind.INVENTED, f"the dice {pair} of a roll of {sum_of_dice}", 0) in losses


@pytest.mark.parametrize("target", ["cgn", "sgn"])
def test_unknown_rolls_and_steals_are_lost_outside_han(target: str) -> None:
    text, losses = convert(f"{START}\n{SETUP} R? M(d4) S?2", "han", target)
    assert {"lost: a roll whose result is unknown", "lost: a steal whose card is unknown"} <= {*words(losses)}
    assert "M" in text.splitlines()[-2 if target == "cgn" else -1]


def test_an_unknown_card_is_kept_in_cgn_and_lost_in_sgn() -> None:
    game = f"{START}\n{SETUP} R(1+2) Bd"
    assert '"DC":1' in convert(game, "han", "cgn").text
    assert "lost: the purchase of a card whose kind is unknown" in words(convert(game, "han", "sgn").losses)


def test_a_known_card_is_kept_in_a_header_of_cgn_and_in_sgn() -> None:
    game = f"{START}\n{SETUP} R(1+2) BDk"
    text, losses = convert(game, "han", "cgn")
    assert text.startswith('[\n# [Bought "Dk"]\n')
    assert not any("card" in loss.message for loss in losses)
    assert convert(text, "cgn", "han", dialect="2023").text.endswith("BDk")
    assert '"BD",{"cCode":"KN"}' in convert(game, "han", "sgn").text


def test_a_known_card_is_in_a_header_of_the_older_dialect_of_han() -> None:
    game = '["1","RD",{"result":5}]\n["1","BD",{"cCode":"MO"}]'
    older, newer = convert(game, "sgn", "han"), convert(game, "sgn", "han", dialect="2023")
    assert older.text == '[Bought "Dm"]\n\nR(1+4) Bd'
    assert newer.text == "R(1+4) BDm"
    assert not any("card" in loss.message for loss in (*older.losses, *newer.losses))


def test_a_monopoly_without_its_haul_is_missing_in_cgn() -> None:
    game = f"{START}\n{SETUP} R(1+2) Um(W) T(L4)(O)0"
    text, losses = convert(game, "han", "cgn")
    assert "missing: the wool cards that the monopoly took, and with them its resource" in words(losses)
    back, losses = convert(text, "cgn", "han")
    assert actions_of(back)[-2:] == ["R(1+2)", "T(L4)(O)0"]
    assert "lost: a monopoly card: no transfer after it shows its resources" in words(losses)


def test_a_monopoly_with_its_haul_names_its_resource() -> None:
    text = 'TS "P1"\nP {"P1":"MO"}\n# all of it\nT {"P1":{"W":3},"P2":{"W":-2},"P3":{"W":-1}}'
    assert actions_of(convert(text, "cgn", "han").text) == ["Um(W)"]


def test_missing_production_and_awards_are_reported_for_cgn() -> None:
    roads = "Br Pr(d4w) Br Pr(d4nw) Br Pr(d4ne)"
    knights = "Uk M(d4) Uk M(e4) Uk M(d4)"
    _, losses = convert(f"{START}\n{SETUP} R(1+2) {roads} {knights} E R(3+4)", "han", "cgn")
    assert [loss.message for loss in losses if loss.kind is LossKind.MISSING] == [
        "the production after a roll (RP): it requires the rules",
        "the holder of the largest army (LA): it requires the rules",
        "the holder of the longest road (LR): it requires the rules",
    ]


def test_a_game_without_rolls_misses_no_production() -> None:
    assert not convert(f"{START}\n{SETUP}", "han", "cgn").losses


TALK = """PS "Play"
TS "P1"
R {"P1":6}
# a comment
CH {"P1":"hello"}
O {"P1":{"B":-2,"W":1},"P2":{"B":2,"W":-1},"UUID":"x"}
A {"P2":{"UUID":"x"}}
T {"P1":{"B":-2,"W":1},"P2":{"B":2,"W":-1},"UUID":"x"}
O {"P1":{"B":-1,"W":1},"P2":{"B":1,"W":-1},"UUID":"y"}
W {"P1":{"UUID":"y"}}
Q "P2"
"""


@pytest.mark.parametrize("target", ["han", "sgn"])
def test_offers_and_chat_are_lost_and_their_trade_is_kept(target: str) -> None:
    text, losses = convert(TALK, "cgn", target)
    lost = [loss.event for loss in losses if loss.kind is LossKind.LOST and loss.event is not None]
    assert {4, 5, 6, 8, 9, 10} <= {*lost}
    assert {"chat", "an offer, its acceptance or withdrawal", "that a player leaves"} <= {
        loss.message for loss in losses
    }
    assert {"han": "T(B2)(W)2", "sgn": '"TR",[{"player":"1","resources":{"B":-2,"W":1}}'}[target] in text


def test_comments_are_kept_in_han_and_cgn_and_lost_elsewhere() -> None:
    assert "# a comment" in convert(TALK, "cgn", "han").text
    assert "# hm" in convert("R(1+2) # hm", "han", "cgn").text
    assert "lost: a comment" in words(convert(TALK, "cgn", "sgn").losses)
    assert "lost: a comment" in words(convert(f"{START}\n# hm", "han", "hsn").losses)
    assert "lost: a comment" in words(convert(f"{START}\n# hm", "han", "ccn").losses)


def test_a_small_board_is_lost_in_records_and_set_ups() -> None:
    small = "[SSS/SWS/SSS]\n[/6]\n[]\n\n[|] [|] [|] b2\n\n[|] [|] [0|0] 0 0\n\n1\n\n. P[V,R] . ."
    assert convert(small, "hsn", "ccn").text == ""
    assert any("an island with" in loss.message for loss in convert(small, "hsn", "cgn").losses)
    assert any(
        "an island of 9 tiles and 0 harbors" in loss.message for loss in convert(small, "hsn", "sgn").losses
    )
    assert convert(small, "hsn", "han").losses == ()


@pytest.mark.parametrize("target", ["cgn", "sgn", "ccn"])
def test_hands_and_pieces_of_a_position_are_lost_in_records_and_set_ups(target: str) -> None:
    _, losses = convert(FILES["seed.hsn"], "hsn", target)
    assert any("pieces, hands and turn of the start position" in loss.message for loss in losses)


def test_hands_are_kept_between_hsn_and_han() -> None:
    text, losses = convert(FILES["seed.hsn"], "hsn", "han")
    assert not losses
    assert convert(text, "han", "hsn") == (FILES["seed.hsn"].rstrip("\n"), ())


def test_the_result_is_a_header_in_han_and_a_message_in_cgn() -> None:
    text, losses = convert(f'[Result "3"]\n[Date "today"]\n{START}', "han", "cgn")
    assert '{"GO":"P3"}' in text
    assert not losses
    assert convert(text, "cgn", "han").text.startswith('[Date "today"]\n[Result "3"]\n')


def test_the_end_of_a_game_without_a_winner_is_lost() -> None:
    assert words(convert('TS "P1"\nGO null', "cgn", "han").losses) == [
        "lost: the end of the game without a winner"
    ]


def test_w_is_never_passed_on_as_w_between_ccn_and_han() -> None:
    island, _ = convert("2/" + "W5S6" + "D" * 17 + "/WSTTTTTTT", "ccn", "hsn")
    assert island.splitlines()[0].startswith("[3SSSS/2SGWDS/")
    assert island.splitlines()[2].startswith("[Gd2nw,We2ne,")
    assert convert(island, "hsn", "ccn").text.startswith("2/W5S6D")


# Turn order.


def test_players_are_counted_in_the_order_that_cgn_sets() -> None:
    text = (
        'PA "P1"\nPA "P2"\nPA "P3"\nSP ["P3","P1","P2"]\nPS "Play"\n'
        'TS "P3"\nR {"P3":5}\nT {"P3":{"B":-1,"W":1},"P2":{"B":1,"W":-1}}\nTE "P3"\n'
        'TS "P1"\nR {"P1":7}\nR!\nC {"P2":{"G":-4},"B":{"G":4}}\nM {"P1":37}\nS {"P1":{"G":1},"P3":{"G":-1}}'
    )
    converted, losses = convert(text, "cgn", "han")
    assert actions_of(converted) == "R(1+4) T(B)(W)3 E R(1+6) 3D(G4) M(d4) S(G)1".split()
    assert '[Order "3 1 2"]' in converted
    assert not any("names" in loss.message for loss in losses)


def test_players_are_counted_by_their_first_villages_in_sgn() -> None:
    corner = '{"intersection":[[0,0],[0,1],[-1,1]]}'
    road = '{"path":[[[0,0],[0,1],[-1,1]],[[1,0],[0,1],[0,0]]]}'
    lines = [
        f'["{player}","{code}",{value}]'
        for player in "2112"
        for code, value in (("BS", corner), ("BR", road))
    ]
    text = "\n".join(
        [
            *lines,
            '["2","RD",{"result":7}]',
            '["2","ST",[{"player":"2","resources":{"W":1}},{"player":"1","resources":{"W":-1}}]]',
            '["1","RD",{"result":3}]',
        ]
    )
    converted, losses = convert(text, "sgn", "han")
    assert actions_of(converted)[8:] == ["R(1+6)", "S(W)2", "E", "R(1+2)"]
    assert '[Order "2 1"]' in converted
    assert not any("number" in loss.message for loss in losses)
    assert convert(converted, "han", "sgn").text.splitlines()[-1] == '["1","RD",{"result":3}]'


def test_who_acts_out_of_turn_is_lost_in_han() -> None:
    _, losses = convert('["3","RD",{"result":5}]', "sgn", "han")
    assert "lost: the player of the action: HAN derives it from the turn order" in words(losses)


@pytest.mark.parametrize("target", ["cgn", "sgn"])
def test_actions_without_a_known_player_are_lost(target: str) -> None:
    text, losses = convert("R(2+3) T(B4)(O)0 Uy(LO)", "han", target)
    assert text.split() in ([], ["[", "]"])
    assert [(str(loss), loss.event) for loss in losses if "its player is unknown" in loss.message] == [
        ("lost: event 1: the action R(2+3): its player is unknown", 0),
        ("lost: event 2: the action T(B4)(O)0: its player is unknown", 1),
        ("lost: event 3: the action Uy(LO): its player is unknown", 2),
    ]


@pytest.mark.parametrize("target", ["cgn", "sgn"])
def test_an_action_that_han_cannot_express_is_named_in_the_loss(target: str) -> None:
    record = Record((Act(Roll(5)),))
    _, losses = write_record(record, Notation.HAN, Notation(target))
    assert losses[-1].message == "the action Roll(value=5): its player is unknown"


# Lenient reading and errors.


def test_lenient_conversion_accepts_what_strict_conversion_refuses() -> None:
    text = "\ufeff" + FILES["start.ccn"]
    with pytest.raises(BadText):
        convert(text, "ccn", "hsn")
    assert convert(text, "ccn", "hsn", lenient=True).text + "\n" == FILES["start.hsn"]


def test_a_turn_end_in_the_set_up_is_ignored_leniently() -> None:
    game = f"{START}\nPv(d4n) Pr(d4ne) E"
    with pytest.raises(Nonsense):
        convert(game, "han", "cgn")
    assert convert(game, "han", "cgn", lenient=True) == convert(game[:-2], "han", "cgn")


@pytest.mark.parametrize(
    ("text", "source", "kind", "code"),
    [
        ("R(0+7)", "han", BadText, "NT0102"),
        ("S?0", "han", Nonsense, "NT1102"),
        ("[", "hsn", BadText, "NT0205"),
        ("2/", "ccn", BadText, "NT0403"),
        ("XX 1", "cgn", BadText, "NT0316"),
        ('["9","RD",{"result":5}]', "sgn", BadText, "NT0503"),
    ],
)
@pytest.mark.parametrize("target", Notation)
def test_errors_of_the_reader_pass_through(
    text: str, source: str, kind: type[TextError], code: str, target: Notation
) -> None:
    with pytest.raises(kind) as caught:
        convert(text, source, target)
    assert caught.value.code == code


@pytest.mark.parametrize(("source", "target"), [("pgn", "han"), ("han", "pgn"), ("HAN", "han"), ("", "")])
def test_an_unknown_notation_is_a_value_error_that_names_the_known(source: str, target: str) -> None:
    with pytest.raises(ValueError, match="is not a notation; the notations are han, hsn, cgn, ccn, sgn"):
        convert("R(1+2)", source, target)


def test_an_unknown_dialect_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="not a dialect of HAN"):
        convert("R(1+2)", "han", "han", dialect="2024")  # type: ignore[arg-type]


# The lossless claims.


@given(starts())
def test_a_fresh_position_survives_ccn(position: Position) -> None:
    text = hsn.format(position)
    through, losses = convert(text, "hsn", "ccn")
    assert convert(through, "ccn", "hsn") == (text, ())
    assert losses == ()


@given(setups().map(lambda record: replace(record, events=())))
def test_a_set_up_without_placements_survives_hsn(record: Record) -> None:
    text = ccn.format(record)
    through, losses = convert(text, "ccn", "hsn")
    assert convert(through, "hsn", "ccn") == (text, ())
    assert losses == ()


@given(setups())
def test_a_set_up_with_placements_survives_han(record: Record) -> None:
    text = ccn.format(record)
    through, losses = convert(text, "ccn", "han")
    assert convert(through, "han", "ccn") == (text, ())
    assert losses == ()


@given(games(unknown=True), st.lists(st.text('abc #"\\[]é', max_size=8), max_size=3))
def test_a_start_in_hsn_with_actions_in_han_loses_nothing(record: Record, values: list[str]) -> None:
    model = Record(
        tuple(Act(event.action) if isinstance(event, Act) else event for event in record.events),
        record.start,
        tuple((f"Key{number}", value) for number, value in enumerate(values)),
    )
    assert han.parse_game(han.format_game(model, dialect="2023")) == model


def without_last_end(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return (
        events[:-1]
        if events and events[-1] == Act(EndTurn(), getattr(events[-1], "player", None))
        else events
    )


def with_sums(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(
        replace(event, action=Roll(event.action.total))
        if isinstance(event, Act) and isinstance(event.action, Roll)
        else event
        for event in events
    )


@settings(max_examples=30)
@given(games())
def test_sgn_loses_only_the_dice_and_the_last_turn_end(record: Record) -> None:
    text, losses = sgn.format_lenient(to_sgn(normalise_actions(record)).record)
    back = normalise_sgn(sgn.parse(text))
    assert back.record == replace(record, events=without_last_end(with_sums(record.events)))
    assert back.losses == ()
    assert all("of which only the sum is written" in loss.message for loss in losses)


@settings(max_examples=30)
@given(games())
def test_the_losses_on_the_way_to_sgn_are_the_dice_and_the_last_end(record: Record) -> None:
    _, losses = write_record(record, Notation.HAN, Notation.SGN)
    ends = [loss for loss in losses if "of which only the sum is written" not in loss.message]
    last = record.events[-1]
    ended = isinstance(last, Act) and isinstance(last.action, EndTurn)
    assert [loss.event for loss in ends] == [len(record.events) - 1] * ended
    assert len(losses) - len(ends) == sum(isinstance(action, Roll) for action in record.actions)


def after_cgn(events: tuple[Event, ...]) -> Iterator[Event]:
    """What is left of a game in HAN when it comes back from CGN."""
    for event in events:
        match event:
            case Act(Roll(None) | Steal(_, None) | UseMonopoly(), _):
                continue
            case Act(Roll() as roll, player):
                total = roll.total or 0
                low = max(1, total - 6)
                yield Act(Roll((low, total - low)), player)
            case _:
                yield event


@settings(max_examples=30)
@given(games(unknown=True))
def test_han_comes_back_from_cgn_but_for_the_named_losses(record: Record) -> None:
    # Without its first roll, HAN cannot tell the first turn from the set-up.
    assert record.start is not None
    first = 4 * record.start.players
    assume(not any(action == Roll(None) for action in record.actions[first : first + 1]))
    text = han.format_game(record, dialect="2023")
    through, losses = convert(text, "han", "cgn")
    back, more = convert(through, "cgn", "han")
    expected = replace(record, events=tuple(after_cgn(record.events)))
    assert back == han.format_game(expected)
    missing = sum(isinstance(action, UseMonopoly) for action in record.actions)
    assert sum("monopoly took" in loss.message for loss in losses) == missing
    assert sum("a monopoly card" in loss.message for loss in more) == missing
    invented = [loss for loss in more if loss.kind is LossKind.INVENTED]
    assert len(invented) == sum(
        isinstance(action, Roll) and action.total is not None for action in record.actions
    )


@settings(max_examples=30)
@given(games())
def test_sgn_and_cgn_lose_only_cards_and_chat(record: Record) -> None:
    record = replace(record, events=tuple(event for event in record.events if not _is_card(event)))
    text = han.format_game(record)
    by_cgn = convert(convert(text, "han", "cgn").text, "cgn", "sgn").text
    assert by_cgn == convert(text, "han", "sgn").text


def _is_card(event: Event) -> bool:
    return isinstance(event, Act) and isinstance(event.action, BuyCard | UseMonopoly)


# Any text.

ALPHABET = st.sampled_from(
    [
        *'[]{}",:#/|?.()0123456789-+ \n\r\t',
        *"BGLOWDSTVCREPAMUvcrdknsew",
        "P1",
        "PS",
        "MD",
        "\ufeff",
        "é",
        "\ud800",
        "\0",
    ]
)
TEXTS = st.lists(ALPHABET, max_size=30).map("".join) | st.text(max_size=30)


def check_converts_or_refuses(text: str, source: Notation, target: Notation, *, lenient: bool) -> None:
    """Nothing but the text errors leaves, and what is written can be read again."""
    try:
        converted, _ = convert(text, source, target, lenient=lenient)
    except TextError:
        return
    if converted and not lenient:
        record_of(converted, target)


@given(TEXTS, st.sampled_from(Notation), st.sampled_from(Notation), st.booleans())
def test_any_text_is_converted_or_refused(
    text: str, source: Notation, target: Notation, lenient: bool
) -> None:
    check_converts_or_refuses(text, source, target, lenient=lenient)


PIECES = {
    Notation.HAN: [*FILES["game.han"].split(), *"R? S?2 Uk Uo Um(W) Uy(LO) 2D(W3) BDk Bd".split(), START],
    Notation.SGN: [
        *FILES["game.sgn"].splitlines(),
        '["1","PD",{"cCode":"VP"}]',
        '["2","PD",{"cCode":"RB"}]',
        '["3","PD",{"cCode":"MO","rCodes":["W"]}]',
        '["5","PD",{"cCode":"YP","rCodes":["W","G"]}]',
        '["6","TR",[{"player":"6","resources":{"W":-4}},{"player":"B","resources":{"W":4}}]]',
        '["B","TR",[{"player":"2","resources":{"W":4}},{"player":"B","resources":{"W":-4}}]]',
    ],
    Notation.CGN: [
        *(line.rstrip(",") for line in FILES["game.cgn"].splitlines() if line not in ("[", "]")),
        *TALK.splitlines(),
        'SP ["P3","P1"]',
        "SP []",
        'R {"P1":3,"P2":4}',
        'P "KN"',
        'P {"P2":"MO"}',
        'P {"P2":"YP"}',
        'P {"P2":"VP"}',
        'T {"P2":{"W":2},"B":{"W":-2}}',
        'T {"P2":{"W":2},"P1":{"W":-2}}',
        'T {"P2":{"W":3},"P1":{"W":-2},"P3":{"W":-1}}',
        'T {}',
        'B {"P1":{"R":2,"DC":1}}',
        'GO "P2"',
        "GO null",
    ],
}  # fmt: skip


@settings(max_examples=100)
@given(st.data(), st.sampled_from([*PIECES]), st.sampled_from(Notation))
def test_records_of_jumbled_messages_are_converted_into_readable_text(
    data: st.DataObject, source: Notation, target: Notation
) -> None:
    pieces = data.draw(st.lists(st.sampled_from(PIECES[source]), max_size=12))
    check_converts_or_refuses("\n".join(pieces), source, target, lenient=False)


@settings(max_examples=30)
@given(games(unknown=True), st.sampled_from(Notation), st.sampled_from(Notation))
def test_every_game_is_converted_twice_into_readable_text(
    record: Record, first: Notation, second: Notation
) -> None:
    text = write_record(record, Notation.HAN, first).text
    assume(text)
    check_converts_or_refuses(text, first, second, lenient=False)
    assert record_of(text, first)


def test_origins_place_every_loss_at_its_event() -> None:
    text = f"# one\n{START}\n{SETUP}\nR(3+4) Um(W)"
    _, losses = convert(text, "han", "cgn")
    events = record_of(text, Notation.HAN).events
    assert isinstance(events[0], Commented)
    placed = {loss.event: loss.message for loss in losses if loss.event is not None}
    assert events[18] == Act(UseMonopoly(Resource.WOOL))
    assert placed == {
        17: "the dice 3+4, of which only the sum is written",
        18: "the wool cards that the monopoly took, and with them its resource",
    }


def test_a_record_of_which_nothing_can_be_written_has_no_text() -> None:
    text, losses = convert("M(b4) Bv Pv(c3n) E", "han", "cgn")
    assert text == ""
    assert [loss.message for loss in losses][:1] == ["the action M(b4): its player is unknown"]


def test_the_pieces_of_a_set_up_without_a_map_are_not_bought() -> None:
    lines = (
        '["1","MR",{"tile":["-2","0"]}]',
        '["1","BS",{"intersection":[["0","-2"],["-1","-1"],["-1","-2"]]}]',
        '["1","BR",{"path":[[["0","-2"],["-1","-1"],["-1","-2"]],[["0","-2"],["0","-1"],["-1","-1"]]]}]',
        '["2","BS",{"intersection":[["0","2"],["-1","3"],["-1","2"]]}]',
    )
    text, losses = convert("\n".join(lines), "sgn", "han")
    assert text.split() == ["Pv(c3n)", "Pr(c3ne)", "Pv(c7n)"]
    assert losses[0] == Loss(LossKind.LOST, "where the robber starts: the record has no map", 0)
    assert convert(lines[0], "sgn", "han").text == "M(b4)"
