"""Lenient parsing returns tolerated faults as warnings, in every notation."""

import pytest

import ludograph
from ludograph.notation import ccn, cgn, han, hsn, sgn
from ludograph.settlers import BEGINNERS_ISLAND, fresh_position
from ludograph.text import TextError
from tests.notation.case_files import cases

POSITION = hsn.format(fresh_position(BEGINNERS_ISLAND, 2))

ACTIONS = [" E ", "\ufeffR(2+3)"]
GAMES = [
    "\ufeffR? E",
    *(
        text
        for text, place, _ in cases("han/invalid_games.txt")
        if place[:6] in ("NT1107", "NT1108", "NT1109")
    ),
]
POSITIONS = [f"\ufeff{POSITION}", f'[Deck "k"]\n{POSITION}', f'\ufeff[Deck "k"]\n{POSITION}']

READINGS = [
    *((han.parse, han.parse_lenient, text) for text in ACTIONS),
    *((han.parse_game, han.parse_game_lenient, text) for text in GAMES),
    *((hsn.parse, hsn.parse_lenient, text) for text in POSITIONS),
    *((cgn.parse, cgn.parse_lenient, text) for text, *_ in cases("cgn/lenient.txt")),
    *((ccn.parse, ccn.parse_lenient, text) for text, *_ in cases("ccn/lenient.txt")),
    *((sgn.parse, sgn.parse_lenient, text) for text, *_ in cases("sgn/lenient.txt")),
]


@pytest.mark.parametrize(("parse", "parse_lenient", "text"), READINGS)
def test_a_warning_is_pictured_as_one(parse: object, parse_lenient: object, text: str) -> None:
    assert callable(parse)
    assert callable(parse_lenient)
    warnings: tuple[ludograph.Diagnostic, ...] = parse_lenient(text).warnings
    assert warnings
    assert {warning.severity for warning in warnings} == {"warning"}
    assert all(warning.picture().startswith(f"warning[{warning.code}]: ") for warning in warnings)
    with pytest.raises(TextError) as caught:
        parse(text)
    assert caught.value.picture.startswith(f"error[{caught.value.code}]: ")
