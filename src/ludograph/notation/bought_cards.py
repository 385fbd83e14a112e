"""The kinds of bought development cards, for notations whose purchases do not name them.

The seed's dialect of HAN and CGN hide which card is bought. The header `Bought` lists the kinds of all
purchases in order, so that a saved game comes back exactly: `[Bought "Dk Dv D?"]`. `D?` is an unknown card.
"""

import re

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.formulas import CARD_LETTERS, LETTER_OF_CARD
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.record import walk_variations
from ludograph.text import Diagnostic, Nonsense, Source, Span

HEADER = "Bought"
CODES: dict[str, str] = {
    "NT1009": "the header Bought lists the kind of each bought card (lenient parsing ignores it)",
}

_HEADER_LINE = re.compile(rf"\[{HEADER}[ \t][^\r\n]*")
_UNKNOWN = "D?"
_CARDS: dict[str, settlers.Card | None] = {
    _UNKNOWN: None,
    **{f"D{letter}": card for letter, card in CARD_LETTERS.items()},
}


def hide_cards(record: settlers.Record) -> settlers.Record:
    """The record with the kinds of bought cards in a header; unchanged if no purchase names its card.

    >>> hidden = hide_cards(settlers.Record((settlers.Act(settlers.BuyCard(settlers.Card.POINT)),)))
    >>> hidden.events, hidden.headers
    ((Act(action=BuyCard(card=None), player=None),), (('Bought', 'Dv'),))
    """
    cards = [action.card for action in _purchases(record)]
    if not any(cards):
        return record
    names = " ".join(_UNKNOWN if card is None else f"D{LETTER_OF_CARD[card]}" for card in cards)
    headers = tuple(pair for pair in record.headers if pair[0] != HEADER)
    return replace(_with_cards(record, [None] * len(cards)), headers=(*headers, (HEADER, names)))


def reveal_cards(record: settlers.Record) -> settlers.Record:
    """The inverse of `hide_cards`; a header that does not fit the purchases stays as it is.

    `check_fit` reports such a header.
    """
    given = [value.split() for key, value in record.headers if key == HEADER]
    purchases = _purchases(record)
    if len(given) != 1 or len(given[0]) != len(purchases) or not all(name in _CARDS for name in given[0]):
        return record
    if any(action.card is not None for action in purchases):
        return record
    headers = tuple(pair for pair in record.headers if pair[0] != HEADER)
    return replace(_with_cards(record, [_CARDS[name] for name in given[0]]), headers=headers)


def drop_misfit(record: settlers.Record) -> tuple[settlers.Record, tuple[Loss, ...]]:
    """The record without a header that does not fit the purchases, and the loss of the header."""
    if all(key != HEADER for key, _ in record.headers) or reveal_cards(record) is not record:
        return record, ()
    headers = tuple(pair for pair in record.headers if pair[0] != HEADER)
    loss = Loss(LossKind.LOST, f"the header {HEADER!r}: it does not fit the purchases of cards")
    return replace(record, headers=headers), (loss,)


def check_fit(record: settlers.Record, source: Source, *, lenient: bool) -> tuple[Diagnostic, ...]:
    """Raise Nonsense if a header does not fit the purchases; lenient parsing gets a warning."""
    fault = _find_misfit(record, source)
    if fault is not None and not lenient:
        raise Nonsense(fault)
    return () if fault is None else (fault,)


def _find_misfit(record: settlers.Record, source: Source) -> Diagnostic | None:
    """The fault of a header that `reveal_cards` has left in a record; None if there is none."""
    if all(key != HEADER for key, _ in record.headers):
        return None
    count = len(_purchases(record))
    what = "one purchase" if count == 1 else f"{count or 'no'} purchases"
    found = _HEADER_LINE.search(source.text)
    span = Span(found.start(), found.end()) if found is not None else Span(0, 1)
    message = f"the header {HEADER} does not fit the record, which has {what} of cards without a kind"
    if any(action.card is not None for action in _purchases(record)):
        message = f"the header {HEADER} does not fit the record, whose purchases name their cards"
    return Diagnostic(
        "NT1009", message, span, "write one kind for each purchase (D? is unknown), or leave it out", source
    )


def _purchases(record: settlers.Record) -> list[settlers.BuyCard]:
    """The purchases of cards: those of the main line, then those of the variations."""
    lines = [record.events, *(variation.events for variation in walk_variations(record.variations))]
    return [
        event.action
        for events in lines
        for event in events
        if isinstance(event, settlers.Act) and isinstance(event.action, settlers.BuyCard)
    ]


def _with_cards(record: settlers.Record, cards: list[settlers.Card | None]) -> settlers.Record:
    """The record with these cards in the order of `_purchases`."""
    remaining = iter(cards)

    def change(events: tuple[settlers.Event, ...]) -> tuple[settlers.Event, ...]:
        return tuple(
            replace(event, action=settlers.BuyCard(next(remaining)))
            if isinstance(event, settlers.Act) and isinstance(event.action, settlers.BuyCard)
            else event
            for event in events
        )

    def change_variation(variation: settlers.Variation) -> settlers.Variation:
        events = change(variation.events)
        return replace(
            variation,
            events=events,
            variations=tuple(change_variation(each) for each in variation.variations),
        )

    events = change(record.events)
    return replace(record, events=events, variations=tuple(change_variation(v) for v in record.variations))
