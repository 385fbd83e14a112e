"""The player who acts in the turn of another, with five and six players, which HSN cannot express.

A game in HAN that starts from such a position has the header `Acting`: `[Acting "4"]`.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from ludograph import settlers

HEADER = "Acting"
_PLAYERS = {str(number): settlers.Player(number) for number in range(1, 7)}


def hide_acting(record: settlers.Record) -> settlers.Record:
    """The record with the acting player of its start position in a header; unchanged if there is none.

    >>> start = settlers.fresh_position(settlers.BEGINNERS_ISLAND, 5).replace(acting=settlers.Player(4))
    >>> hidden = hide_acting(settlers.Record(start=start))
    >>> hidden.headers, hidden.start.acting, reveal_acting(hidden).start.acting
    ((('Acting', '4'),), None, 4)
    """
    if record.start is None or record.start.acting is None:
        return record
    headers = tuple(pair for pair in record.headers if pair[0] != HEADER)
    start = record.start.replace(acting=None)
    return replace(record, start=start, headers=((HEADER, str(record.start.acting)), *headers))


def reveal_acting(record: settlers.Record) -> settlers.Record:
    """The inverse of `hide_acting`; a header that names no player of the start position stays as it is."""
    player = _PLAYERS.get(dict(record.headers).get(HEADER, ""))
    if record.start is None or player is None or player > record.start.players:
        return record
    headers = tuple(pair for pair in record.headers if pair[0] != HEADER)
    return replace(record, start=record.start.replace(acting=player), headers=headers)


def acting_from_headers(headers: Mapping[str, str]) -> settlers.Player | None:
    """The acting player in header lines, if they name one; raises ValueError for anything but a player.

    >>> acting_from_headers({"Acting": "4"}), acting_from_headers({})
    (4, None)
    """
    value = headers.get(HEADER)
    if value is not None and value not in _PLAYERS:
        raise ValueError(f'the header {HEADER} is the number of a player, not "{value}"')
    return None if value is None else _PLAYERS[value]
