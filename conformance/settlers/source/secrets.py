"""What players know of each other (rows 11 and 38)."""

from dataclasses import replace

from conformance.settlers.cases import Case
from conformance.settlers.source.tables import (
    buys,
    first,
    gains,
    gives,
    legal,
    must_move_robber,
    nothing_due,
    pays,
    robber,
    second,
    table,
    third,
    uses,
)
from ludograph.settlers import MustDiscard, MustMoveRobber, Player


def seen(
    case: Case,
    actions: dict[str, str] | None = None,
    hands: dict[str, tuple[str, ...]] | None = None,
    cards: dict[str, tuple[str, ...]] | None = None,
    shown: tuple[int, ...] | None = None,
) -> Case:
    return replace(case, seen=actions, hands=hands, cards=cards, shown=shown)


CASES = (
    seen(
        legal(
            "11-point-cards-are-secret",
            "until they win, point cards count for nobody but their owner",
            table(first("GOW", cards="v"), second()),
            "BDv",
            buys("v"),
        ),
        {"1": "BDv", "2": "Bd"},
        shown=(2, 2),
    ),
    seen(
        legal(
            "11-point-cards-are-shown-when-they-win",
            "who wins by point cards shows them all",
            table(first("GOW", cards="v"), second()),
            "BDv",
            buys("v"),
            winner=1,
            options={"points": 4},
        ),
        {"1": "BDv", "2": "Bd"},
        shown=(4, 2),
    ),
    seen(
        legal(
            "38-stolen-card",
            "only thief and victim know which card was stolen; the others know that one was",
            table(first(), second("BO2"), third("G"), must=MustMoveRobber()),
            "M(b6) S(O)2",
            robber("b6"),
            nothing_due,
            gives(2, 1, "O"),
        ),
        {"1": "S(O)2", "2": "S(O)2", "3": "S?2"},
        {"1": ("O", "?2", "?1"), "2": ("?1", "BO", "?1"), "3": ("?1", "?2", "G")},
    ),
    seen(
        legal(
            "38-bought-card",
            "only the buyer knows which card was bought; the others know that one was",
            table(first("GOW", cards="k"), second(cards="vv")),
            "BDm",
            buys("m"),
        ),
        {"1": "BDm", "2": "Bd"},
        {"1": ("", "?0"), "2": ("?0", "")},
        {"1": ("DkDm", "?2"), "2": ("?2", "Dv2")},
    ),
    seen(
        legal(
            "38-discarded-cards",
            "discarded cards are put down openly, and how many cards are held is public",
            table(first("B2G3L3"), second("O3"), must=MustDiscard((Player(1),)), robber="b4"),
            "1D(BGL2)",
            pays(1, "BGL2"),
            must_move_robber,
        ),
        {"1": "1D(BGL2)", "2": "1D(BGL2)"},
        {"1": ("BG2L", "?3"), "2": ("?4", "O3")},
    ),
    seen(
        legal(
            "38-played-card",
            "a card that is played is seen by all",
            table(first(cards="yk"), second(cards="v")),
            "Uy(BW)",
            uses("y"),
            gains(1, "BW"),
        ),
        {"1": "Uy(BW)", "2": "Uy(BW)"},
        {"1": ("BW", "?0"), "2": ("?2", "")},
        {"1": ("Dk", "?1"), "2": ("?1", "Dv")},
    ),
)
