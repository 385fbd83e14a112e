"""Changes of pieces, stacks, states and boards, with their events.

The cards of a shuffled stack have no order. Chance chooses a card when it is popped or read. Cards that are
pushed later lie in known order on top.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from ludograph.play.record import HIDDEN
from ludograph.tgdl.program import ConstructKind, When
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.reference.actions import fire
from ludograph.tgdl.reference.fuel_costs import pay, relatives_of, tile_count
from ludograph.tgdl.reference.instances import put_on_tile, remove_piece
from ludograph.tgdl.reference.naming import text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.visibility import all_saw_thing, all_see_stack
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import NEW_TILE
from ludograph.tgdl.world.memory import BOTTOM, EDITS, HELD, OWNER, PLACE, POOL, TOP, Instance
from ludograph.tgdl.world.topology import Edits
from ludograph.tgdl.world.world import Listener

Viewers = frozenset[int] | None


def _listeners(run: Run, event: Event, instance: Instance | None) -> tuple[Listener, ...]:
    if instance is None or not run.world.listeners:
        return ()
    return run.world.listeners.get((event.kind, instance.kind.name), ())


@contextmanager
def _event(
    run: Run, event: Event | None, about: Instance | None, fields: dict[str, Any], player: int | None
) -> Iterator[None]:
    """While something happens: `before` triggers first, the others when it has happened. None: no event."""
    listeners = () if event is None else _listeners(run, event, about)
    if event is not None and about is not None and about.kind.construct.kind is ConstructKind.GROUP:
        # The board receives the events of its groups. A listener of both receives an event once.
        board = _listeners(run, event, run.world.singletons.get("board"))
        listeners += tuple(each for each in board if each not in listeners)
    if listeners:
        fire(run, listeners, fields, about, player, When.BEFORE)
    yield
    if listeners:
        fire(run, listeners, fields, about, player, When.FAST)
        fire(run, listeners, fields, about, player, When.AFTER)


# Pieces


def move(run: Run, piece: Instance, to: Instance | None, player: int | None, site: Site) -> None:
    """`move x to y;`: to a tile, to a stack or off the board. A move to the same place does nothing."""
    if to is not None and to.kind.construct.kind is ConstructKind.STACK:
        push(run, to, piece, player, site)
        return
    start = run.cells[piece.extra + PLACE]
    if start is to:
        return
    if run.trace is not None:
        in_stack = start is not None and not _is_tile(start)
        name = _shown(run, piece, start) if in_stack and to is None else repr(piece)
        _note_card(run, "move", piece, name, f"to {text_of(run, to)}")
    fields = {"instance": piece, "from": start if _is_tile(start) else None, "to": to}
    with _event(run, board_event(start, to), piece, fields, player):
        _remove(run, piece, site)
        if to is not None:
            pay(run, _count_at(run, to), site)
            put_on_tile(run, piece, to, site)


def _remove(run: Run, piece: Instance, site: Site) -> None:
    """Remove a piece from its place."""
    place = run.cells[piece.extra + PLACE]
    if place is not None:
        pay(run, _count_at(run, place) - 1, site)
        remove_piece(run, piece)


def _count_at(run: Run, place: Instance) -> int:
    """The number of pieces on a tile or in a stack."""
    return len(run.cells[place.extra + HELD]) if _is_tile(place) else count_cards(run, place)


def board_event(start: Instance | None, to: Instance | None) -> Event | None:
    """What happens to a piece that comes to the board, leaves it, or goes from tile to tile."""
    if _is_tile(start):
        return Event.MOVEMENT if _is_tile(to) else Event.REMOVAL
    return Event.PLACEMENT if _is_tile(to) else None


def _is_tile(place: Instance | None) -> bool:
    return place is not None and place.kind.construct.kind is ConstructKind.TILE


# Stacks


def cards_of(run: Run, stack: Instance) -> tuple[Instance, ...]:
    """The cards of a stack. Shuffled cards are in order of creation."""
    at = stack.extra
    cards: tuple[Instance, ...] = run.cells[at + BOTTOM] + run.cells[at + POOL] + run.cells[at + TOP]
    return cards


def count_cards(run: Run, stack: Instance) -> int:
    at = stack.extra
    return len(run.cells[at + BOTTOM]) + len(run.cells[at + POOL]) + len(run.cells[at + TOP])


def push(
    run: Run,
    stack: Instance,
    what: Any,
    player: int | None,
    site: Site,
    *,
    back: bool = False,
    discarded: bool = False,
) -> None:
    """Push a card or a list of cards on top of a stack or under it.

    A card that was in no stack also fires the event `kept`.
    """
    cards = what if isinstance(what, tuple) else (what,)
    for card in cards:
        if card is None:
            continue
        start = run.cells[card.extra + PLACE]
        was_kept = discarded or (start is not None and not _is_tile(start))
        keeping = {"instance": card, "stack": stack, "player": player}
        with (
            _event(
                run, board_event(start, stack), card, {"instance": card, "from": start, "to": None}, player
            ),
            _event(run, Event.PUT, stack, {"stack": stack, "instance": card}, player),
            _event(run, None if was_kept else Event.KEPT, card, keeping, player),
        ):
            _remove(run, card, site)
            pay(run, count_cards(run, stack), site)
            _put(run, stack, card, back=back)


def _put(run: Run, stack: Instance, card: Instance, *, back: bool) -> None:
    at = stack.extra
    if not back:
        run.cells[at + TOP] += (card,)
    elif run.cells[at + POOL] or run.cells[at + BOTTOM]:
        run.cells[at + BOTTOM] = (card, *run.cells[at + BOTTOM])
    else:
        run.cells[at + TOP] = (card, *run.cells[at + TOP])
    run.cells[card.extra + PLACE] = stack
    if run.trace is not None:
        _note_card(run, "push", card, _shown(run, card, stack), f"on {text_of(run, stack)}")


def _shown(run: Run, card: Instance, stack: Instance) -> str:
    """The name of a card of a stack in a trace."""
    return repr(card) if all_see_stack(run, stack) else HIDDEN


def _note_card(run: Run, compiled: str, card: Instance, name: str, where: str) -> None:
    """Record a move of a card in the trace; without its name if it is hidden before and after the run."""
    note = run.note(f"{compiled} {name} {where}")
    if note is None or name is HIDDEN or not run.readers or not run.world.has_secrets:
        return

    def hide_name() -> None:
        if not all_saw_thing(run, card):
            note.text = f"{compiled} {HIDDEN} {where}"

    run.trace_edits.append(hide_name)


def reveal_top(run: Run, stack: Instance, site: Site, viewers: Viewers) -> Instance | None:
    """The card on top. If it is shuffled, chance chooses it, and it stays on top."""
    at = stack.extra
    if not run.cells[at + TOP]:
        pool = run.cells[at + POOL]
        if pool:
            pay(run, len(pool), site)
            card = pool[0] if len(pool) == 1 else run.chance(pool, None, site, viewers, "card")
            run.cells[at + POOL] = tuple([each for each in pool if each is not card])
            run.cells[at + TOP] = (card,)
        elif run.cells[at + BOTTOM]:
            run.cells[at + TOP], run.cells[at + BOTTOM] = run.cells[at + BOTTOM], ()
    top = run.cells[at + TOP]
    return top[-1] if top else None


def peek(run: Run, stack: Instance, site: Site) -> Instance | None:
    """`s.top` in a condition, where chance may not choose: a fault if the top card is shuffled."""
    at = stack.extra
    if run.cells[at + TOP]:
        known: Instance = run.cells[at + TOP][-1]
        return known
    if len(run.cells[at + POOL]) > 1:
        message = "the top card of a shuffled stack is not determined yet, and chance is not allowed here"
        run.fault("TG0513", message, site)
    rest = run.cells[at + POOL] or run.cells[at + BOTTOM]
    return rest[-1] if rest else None


def pop(run: Run, stack: Instance, player: int | None, site: Site, viewers: Viewers) -> Instance | None:
    """Remove the card on top."""
    card = reveal_top(run, stack, site, viewers)
    if card is not None:
        _take(run, stack, card, player, site)
    return card


def pop_back(run: Run, stack: Instance, player: int | None, site: Site, viewers: Viewers) -> Instance | None:
    """Remove the card at the bottom."""
    at = stack.extra
    card: Instance | None = None
    pool = run.cells[at + POOL]
    if run.cells[at + BOTTOM]:
        card = run.cells[at + BOTTOM][0]
    elif pool:
        card = pool[0] if len(pool) == 1 else run.chance(pool, None, site, viewers, "card")
    elif run.cells[at + TOP]:
        card = run.cells[at + TOP][0]
    if card is not None:
        _take(run, stack, card, player, site)
    return card


def _take(run: Run, stack: Instance, card: Instance, player: int | None, site: Site) -> None:
    with _event(run, Event.DRAW, stack, {"stack": stack, "instance": card}, player):
        _remove(run, card, site)
        if run.trace is not None:
            _note_card(run, "pop", card, _shown(run, card, stack), f"from {text_of(run, stack)}")


def pop_some(
    run: Run, stack: Instance, count: float, player: int | None, site: Site, viewers: Viewers
) -> tuple[Instance, ...]:
    """Remove up to `count` cards from the top."""
    cards: list[Instance] = []
    while len(cards) < int(count):
        card = pop(run, stack, player, site, viewers)
        if card is None:
            break
        cards.append(card)
    return tuple(cards)


def draw(run: Run, stack: Instance, to: int | None, site: Site, viewers: Viewers) -> Instance | None:
    """`s.draw(p)`: pop with the event that the player drew the card."""
    card = reveal_top(run, stack, site, viewers)
    if card is not None:
        with _event(run, Event.DRAWN, card, {"instance": card, "stack": stack, "player": to}, to):
            _take(run, stack, card, to, site)
    return card


def shuffle(run: Run, stack: Instance, player: int | None, site: Site) -> None:
    """Shuffle a stack: its order becomes unknown."""
    at = stack.extra
    pay(run, relatives_of(run, "stackable"), site)
    with _event(run, Event.SHUFFLE, stack, {"stack": stack, "instance": None}, player):
        cards = sorted(cards_of(run, stack), key=lambda card: card.number)
        run.cells[at + BOTTOM] = run.cells[at + TOP] = ()
        run.cells[at + POOL] = tuple(cards)
        run.note(f"shuffle {text_of(run, stack)}")


def discard_to(
    run: Run, stack: Instance, other: Instance, player: int | None, site: Site, viewers: Viewers
) -> Any:
    """Move the top card of a stack to another one, without a `drawn` event."""
    card = reveal_top(run, stack, site, viewers)
    if card is None:
        return None
    with (
        _event(run, Event.DISCARD, stack, {"stack": stack, "instance": card}, player),
        _event(run, Event.DISCARDED, card, {"instance": card, "stack": other, "player": player}, player),
    ):
        push(run, other, card, player, site, discarded=True)
    return card


def reshuffle(run: Run, stack: Instance, source: Instance, player: int | None, site: Site) -> None:
    """Move all cards of another stack into this one and shuffle it."""
    with _event(run, Event.RESHUFFLE, stack, {"stack": stack, "instance": None}, player):
        for card in cards_of(run, source):
            _remove(run, card, site)
            pay(run, count_cards(run, stack), site)
            run.cells[stack.extra + POOL] += (card,)
            run.cells[card.extra + PLACE] = stack
        shuffle(run, stack, player, site)


# States


def assign(
    run: Run, state: Instance, to: int | None, player: int | None, *, event: Event = Event.ATTACH
) -> None:
    """Assign a local state to a player; none removes it from its player."""
    old = run.cells[state.extra + OWNER]
    with _event(run, event, state, {"instance": state, "from": old, "to": to}, player):
        run.cells[state.extra + OWNER] = to
        run.note(f"{event.kind} {state!r} to {text_of(run, to)}")


def attach(run: Run, state: Instance, to: int, player: int | None) -> None:
    """Add a player to a group state."""
    members = run.cells[state.extra + OWNER]
    if to in members:
        return
    with _event(run, Event.ATTACH, state, {"instance": state, "from": None, "to": to}, player):
        run.cells[state.extra + OWNER] = tuple(sorted((*members, to)))


def detach(run: Run, state: Instance, who: int | None, player: int | None) -> None:
    """Remove a player from a group state."""
    members = run.cells[state.extra + OWNER]
    if who not in members:
        return
    with _event(run, Event.REMOVE, state, {"instance": state, "from": who, "to": None}, player):
        run.cells[state.extra + OWNER] = tuple(each for each in members if each != who)


# Boards


def groups_on_board(run: Run) -> tuple[Instance, ...]:
    """The groups of the board in the order of the source, without those that were removed."""
    absent, singletons = _edits(run).absent, run.world.singletons
    return tuple([singletons[plan.name] for plan in run.world.plans if plan.name not in absent])


def _edits(run: Run) -> Edits:
    edits = run.cells[EDITS]
    return edits if isinstance(edits, Edits) else Edits()


def count_changed_links(run: Run) -> int:
    """The number of links that play has added or removed."""
    return len(_edits(run).links) if run.world.changes else 0


def _set_edits(run: Run, edits: Edits, site: Site) -> None:
    """Set the changes of the board. The fuel cost depends on the number of tiles and links."""
    links = run.world.topology.link_count + len(edits.links)
    run.spend(NEW_TILE * tile_count(run) + links, site)
    run.cells[EDITS] = None if edits == Edits() else edits


def add_tile(
    run: Run, group: Instance, tile: Instance, row: float, column: float, player: int | None, site: Site
) -> Instance:
    """`group.add(tile, x, y)`."""
    if run.loading is not None:
        run.loading.append((tile.kind.name, int(row), int(column)))
        return tile
    name = group.kind.name
    topology = run.topology
    if tile in topology.group:
        run.fault("TG0514", f"{text_of(run, tile)} is on the board already", site)
    if _is_in_absent_group(run, tile):
        run.fault("TG0514", f"{text_of(run, tile)} belongs to a group that is not on the board", site)
    if topology.tile_at(name, row, column) is not None:
        run.fault("TG0514", f"there is a tile at {name}[{int(row)}][{int(column)}] already", site)
    with _event(run, Event.TILE_ADDED, group, {"tile": tile, "group": group}, player):
        edits = _edits(run)
        if tile in edits.taken:
            edits = replace(edits, taken=tuple(each for each in edits.taken if each is not tile))
            home = next(place for plan in run.world.plans for place in plan.tiles if place.tile is tile)
            if (home.row, home.column) != (int(row), int(column)):
                run.fault("TG0514", f"{home.name} can only come back to its own place", site)
            _set_edits(run, edits, site)
        else:
            _set_edits(run, edits.with_tile(tile, name, int(row), int(column)), site)
    return tile


def _is_in_absent_group(run: Run, tile: Instance) -> bool:
    """Whether a tile belongs to a group that is removed from the board."""
    edits = _edits(run)
    if any(place[0] is tile for place in edits.placed):
        return True
    return tile in run.world.topology.group and tile not in edits.taken


def remove_tile(run: Run, group: Instance, tile: Instance, player: int | None, site: Site) -> None:
    """`group.remove(tile)`: the pieces on it leave the board."""
    if tile not in run.topology.group:
        run.fault("TG0514", f"{text_of(run, tile)} is not on the board", site)
    with _event(run, Event.TILE_REMOVED, group, {"tile": tile, "group": group}, player):
        _clear_tile(run, tile, player, site)
        _set_edits(run, _edits(run).without_tile(tile), site)


def _clear_tile(run: Run, tile: Instance, player: int | None, site: Site) -> None:
    for piece in run.cells[tile.extra + HELD]:
        move(run, piece, None, player, site)


def set_group(run: Run, group: Instance, player: int | None, site: Site, *, present: bool) -> None:
    """`board.add(group)` and `board.remove(group)`: the pieces on a removed group leave the board."""
    event = Event.GROUP_ADDED if present else Event.GROUP_REMOVED
    with _event(run, event, group, {"tile": None, "group": group}, player):
        if not present:
            for tile in run.topology.tiles.get(group.kind.name, ()):
                _clear_tile(run, tile, player, site)
        edits = _edits(run)
        absent = {*edits.absent, group.kind.name}
        if present:
            absent.discard(group.kind.name)
        _set_edits(run, replace(edits, absent=tuple(sorted(absent))), site)


def link(run: Run, start: Instance, end: Instance, weight: float | None, site: Site) -> None:
    """`link a -> b;`, or without a weight `unlink a -> b;`."""
    _set_edits(run, _edits(run).with_link(start, end, weight), site)


SOURCES: dict[Event, Callable[..., object]] = {
    Event.PLACEMENT: board_event,
    Event.REMOVAL: board_event,
    Event.MOVEMENT: board_event,
    Event.PUT: push,
    Event.KEPT: push,
    Event.DRAW: _take,
    Event.DRAWN: draw,
    Event.SHUFFLE: shuffle,
    Event.DISCARD: discard_to,
    Event.DISCARDED: discard_to,
    Event.RESHUFFLE: reshuffle,
    Event.TILE_ADDED: add_tile,
    Event.TILE_REMOVED: remove_tile,
    Event.GROUP_ADDED: set_group,
    Event.GROUP_REMOVED: set_group,
}
"""The functions that raise events."""
