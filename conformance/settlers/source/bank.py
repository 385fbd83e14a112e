"""Bank, deck and progress cards (rows 18 to 23 and 37)."""

from conformance.settlers.source.tables import (
    buys,
    first,
    fourth,
    free_roads,
    gains,
    gives,
    illegal,
    legal,
    road,
    rolled,
    seat,
    second,
    table,
    third,
    turn_ends,
    uses,
)

# An eight: the mountains f4 and the forest b5.
MINER = seat("f3s c3n", "f4nw c3ne")
# What the others hold when the bank has almost nothing, or nothing but these.
PLENTY = first(cards="y")
HOPING = table(PLENTY, second())
ONE_WOOL_LEFT = (PLENTY, second("B19G19L9"), third("L10O19W18"))
ONE_BRICK_ONE_WOOL_LEFT = (PLENTY, second("B18G19L9"), third("L10O19W18"))
TWO_WOOL_LEFT = (PLENTY, second("B19G19L9"), third("L10O19W17"))
# All roads but one, and all.
FOURTEEN = "d4ne e4w d5nw c5ne d4w d4nw e3w e3nw f2w d5ne d5w c5nw c4ne e4nw"
PAVING = first(cards="r")
# The whole deck is held or played.
NO_DECK = (
    first("GOW", cards="mmvv", knights=5),
    second(cards="rrvv", knights=4),
    third(cards="yyv", knights=5),
)
# The first can build nothing but d2nw, and nothing from there on.
ENCLOSED = (
    seat("d2n f5n", "d2ne f5nw g4w", cards="r"),
    seat("c3n d3n", "d2w e2w e2nw"),
    seat("e6n f4n", "f5w e5ne f4ne"),
)

CASES = (
    # The bank
    legal(
        "18-bank-is-empty",
        "there are nineteen cards of each kind: what the bank does not have it does not pay",
        table(MINER, second("O19"), rolled=False),
        "R(4+4)",
        rolled,
        gains(2, "L"),
    ),
    legal(
        "18-last-card",
        "the bank pays its last card",
        table(MINER, second("O18"), rolled=False),
        "R(4+4)",
        rolled,
        gains(1, "O"),
        gains(2, "L"),
    ),
    legal(
        "19-two-claimants-none-gets-it",
        "if the bank cannot pay a kind to all of several claimants, nobody gets it; other kinds are paid",
        table(MINER, second("O10"), third("O8"), rolled=False),
        "R(4+4)",
        rolled,
        gains(2, "L"),
    ),
    legal(
        "19-enough-for-two",
        "if the bank can pay all, it does",
        table(MINER, second("O10"), third("O7"), rolled=False),
        "R(4+4)",
        rolled,
        gains(1, "O"),
        gains(2, "L"),
        gains(3, "O"),
    ),
    legal(
        "20-one-claimant-gets-the-rest",
        "if only one player is short, that player gets what is left",
        table(seat("c3n", "f4nw c3ne", cities="f3s"), second("O18"), rolled=False),
        "R(4+4)",
        rolled,
        gains(1, "O"),
        gains(2, "L"),
    ),
    legal(
        "20-one-claimant-with-several-buildings",
        "one claimant is one player, with however many buildings: four are owed, three are left",
        table(seat("c3n", "f4w e5ne c3ne", cities="f3s f4s"), second("O16"), rolled=False),
        "R(4+4)",
        rolled,
        gains(1, "O3"),
        gains(2, "L"),
    ),
    # Year of plenty
    legal(
        "21-two-kinds",
        "two cards from the bank",
        table(PLENTY, second()),
        "Uy(BG)",
        uses("y"),
        gains(1, "BG"),
    ),
    legal(
        "21-one-kind", "both may be of one kind", table(PLENTY, second()), "Uy(O2)", uses("y"), gains(1, "O2")
    ),
    illegal("21-only-one", "two cards, not one, while the bank has more", HOPING, "Uy(B)"),
    illegal("21-three", "two cards, not three", HOPING, "Uy(BGL)"),
    legal(
        "21-last-card-of-all",
        "one card only if the bank has no more",
        table(*ONE_WOOL_LEFT),
        "Uy(W)",
        uses("y"),
        gains(1, "W"),
    ),
    illegal("21-not-in-the-bank", "the bank must have the cards", table(*ONE_WOOL_LEFT), "Uy(W2)"),
    legal(
        "21-last-two-cards",
        "with two cards in the bank both are taken",
        table(*ONE_BRICK_ONE_WOOL_LEFT),
        "Uy(BW)",
        uses("y"),
        gains(1, "BW"),
    ),
    illegal(
        "21-one-of-the-last-two",
        "with two cards in the bank both are taken",
        table(*ONE_BRICK_ONE_WOOL_LEFT),
        "Uy(W)",
    ),
    illegal(
        "21-one-of-two-equal", "with two cards in the bank both are taken", table(*TWO_WOOL_LEFT), "Uy(W)"
    ),
    illegal("21-no-card", "who has no year of plenty plays none", table(first(), second()), "Uy(BG)"),
    # Monopoly
    legal(
        "22-all-of-a-kind",
        "a monopoly takes all cards of a kind from all others",
        table(first("OW", cards="m"), second("O3W"), third("GO2"), fourth("B")),
        "Um(O)",
        uses("m"),
        gives(2, 1, "O3"),
        gives(3, 1, "O2"),
    ),
    legal(
        "22-none-of-a-kind",
        "a monopoly may take nothing",
        table(first("OW", cards="m"), second("O3W"), third("GO2")),
        "Um(B)",
        uses("m"),
    ),
    illegal("22-no-card", "who has no monopoly plays none", table(first(cards="k"), second("O3")), "Um(O)"),
    # Road building
    legal(
        "23-two-roads",
        "two roads for nothing; the second may extend the first",
        table(PAVING, second()),
        "Uo Pr(e4w) Pr(d5ne)",
        uses("r"),
        road(1, "e4w"),
        road(1, "d5ne"),
    ),
    legal(
        "23-free-roads-cost-nothing",
        "the cards for a road stay in the hand",
        table(first("BL", cards="r"), second()),
        "Uo Pr(e4w) Pr(d5ne)",
        uses("r"),
        road(1, "e4w"),
        road(1, "d5ne"),
    ),
    legal(
        "23-begun",
        "up to two roads may be placed now",
        table(PAVING, second()),
        "Uo",
        uses("r"),
        free_roads(2),
    ),
    legal(
        "23-one-road-is-enough",
        "up to two: any other action gives up the second",
        table(PAVING, second()),
        "Uo Pr(e4w) E",
        uses("r"),
        road(1, "e4w"),
        turn_ends,
    ),
    legal(
        "23-another-purchase-ends-it",
        "up to two: any other action gives up the second",
        table(first("GOW", cards="r"), second()),
        "Uo Pr(e4w) BDk",
        uses("r"),
        road(1, "e4w"),
        buys("k"),
    ),
    illegal(
        "23-given-up",
        "any other action gives up what was not placed",
        table(first("GOW", cards="r"), second()),
        "Uo Pr(e4w) BDk Pr(d5ne)",
    ),
    illegal(
        "23-three-roads", "two roads, not three", table(PAVING, second()), "Uo Pr(e4w) Pr(d5ne) Pr(d5nw)"
    ),
    illegal(
        "23-free-road-on-its-own",
        "a free road joins an own road or building as any other",
        table(PAVING, second()),
        "Uo Pr(d5ne)",
    ),
    legal(
        "23-last-piece",
        "with one road left one is placed",
        table(seat("d4n d5n", FOURTEEN, cards="r"), second(), longest=1),
        "Uo Pr(e3ne)",
        uses("r"),
        road(1, "e3ne"),
    ),
    legal(
        "23-last-piece-begun",
        "with one road left only one may be placed",
        table(seat("d4n d5n", FOURTEEN, cards="r"), second(), longest=1),
        "Uo",
        uses("r"),
        free_roads(1),
    ),
    illegal(
        "23-no-piece",
        "without a road left the card is not played",
        table(seat("d4n d5n", f"{FOURTEEN} e3ne", cards="r"), second(), longest=1),
        "Uo",
    ),
    legal(
        "23-one-edge",
        "with room for one road only, one is placed",
        table(*ENCLOSED),
        "Uo Pr(d2nw)",
        uses("r"),
        road(1, "d2nw"),
    ),
    illegal(
        "23-no-edge-left",
        "with room for one road only, there is no second",
        table(*ENCLOSED),
        "Uo Pr(d2nw) Pr(d2w)",
    ),
    # The deck
    legal(
        "37-card-bought",
        "a development card costs a grain, an ore and a wool",
        table(first("GOW"), second()),
        "BDr",
        buys("r"),
    ),
    illegal(
        "37-card-without-ore",
        "a development card costs a grain, an ore and a wool",
        table(first("B2G2L2W2"), second()),
        "Bd",
    ),
    illegal(
        "37-deck-is-empty",
        "there are 25 development cards; without any left none is bought",
        table(*NO_DECK, largest=1),
        "Bd",
    ),
    illegal(
        "37-played-cards-do-not-come-back",
        "played cards are never shuffled in again",
        table(*NO_DECK, largest=1),
        "Um(B) Bd",
    ),
    legal(
        "37-last-card",
        "the last card of the deck is bought like any other: here it is the fourteenth knight",
        table(*NO_DECK[:2], third(cards="yyv", knights=4), largest=1),
        "BDk",
        buys("k"),
    ),
    illegal(
        "37-no-third-monopoly",
        "there are two monopolies: with both held, no third is drawn",
        table(first("GOW", cards="m"), second(cards="m")),
        "BDm",
    ),
    illegal(
        "37-no-sixth-point",
        "there are five points: with all held, no sixth is drawn",
        table(first("GOW", cards="vvv"), second(cards="vv")),
        "BDv",
    ),
)
