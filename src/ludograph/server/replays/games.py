"""Replayed games: the nodes of a document in, their states, pictures, choices and texts out."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw

from ludograph.games import Game, State, find_source, list_games
from ludograph.games.sources import compile_source
from ludograph.hexil.conversion import convert_located
from ludograph.notation.located import parse_located
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.play import CHANCE, Choice, Generator, IllegalMove, RulesWrong, format_record
from ludograph.protocol.replays import (
    MAX_FRAMES,
    NewVariation,
    ReplayChoices,
    ReplayFormat,
    ReplayFrame,
    ReplayFrames,
    ReplayNode,
    ReplayOutcome,
    ReplayText,
)
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.items import Scene
from ludograph.render.scenes.messages import find_scene_changes, scene_message
from ludograph.server.replays.documents import (
    RECORD,
    DescribedGame,
    ReplayDocument,
    ReplayNodes,
    StoredNode,
    VariedGame,
    group_moves,
    line_record,
    path_to,
)
from ludograph.server.replays.painters import AnyPainter, Moment, Painter, SettlersPainter
from ludograph.server.replays.reading import SETTLERS, load_shipped
from ludograph.server.table_game import StepRefused

KEPT_EVERY = 8
"""Every so many nodes of a line, the state is kept; others are played again from there."""
MAX_KEPT = 2_000
MAX_OUTCOMES = 200
SVG = "svg"


class CannotShow(Exception):
    """A replay cannot do what is asked: a message for people."""


class ReplayGame:
    """A game that is replayed. Mutable: it keeps states that were asked for."""

    def __init__(self, document: ReplayDocument, nodes: ReplayNodes) -> None:
        self.document = document
        self.nodes = nodes
        self._rules = _load(document)
        self._states: dict[int, State] = {}
        self._described: dict[int, ReplayNode] = {}
        start = self.state(0)
        self.painter: Painter
        is_settlers = document.name == SETTLERS and start.asked != (CHANCE,)
        self.painter = SettlersPainter(start) if is_settlers else AnyPainter(start)

    def renew(self, nodes: ReplayNodes) -> None:
        """Take over the present nodes; a number always means the same move, but notes change."""
        if nodes != self.nodes:
            changed = [
                number
                for number, node in self._described.items()
                if nodes[number : number + 1] != self.nodes[number : number + 1]
            ]
            for number in changed:
                del self._described[number]
            self.nodes = nodes

    # States

    def path(self, node: int) -> list[int]:
        try:
            return path_to(self.nodes, node)
        except LookupError as error:
            raise CannotShow(str(error)) from None

    def state(self, node: int) -> State:
        """The state at a node. Do not change it."""
        found = self._states.get(node)
        if found is not None:
            return found
        path = self.path(node)
        at = next((place for place in range(len(path) - 1, -1, -1) if path[place] in self._states), -1)
        state = self._states[path[at]].copy() if at >= 0 else self._begin()
        for place in range(at + 1, len(path)):
            if place > 0:
                self._play(state, path[place])
            if place % KEPT_EVERY == 0 or place == len(path) - 1:
                self._keep(path[place], state)
        return self._states[node]

    def _keep(self, node: int, state: State) -> None:
        if len(self._states) >= MAX_KEPT:
            self._states = {0: self._states[0]}
        self._states[node] = state.copy()

    def _begin(self) -> State:
        document, start = self.document, self.nodes[0]
        assert start is not None
        state = self._rules.new(
            players=document.players,
            options=dict(document.options),
            setup=document.setup,
            position=document.position,
        )
        for text in start.chance:
            state.push(text, CHANCE)
        return state

    def _play(self, state: State, node: int) -> None:
        stored = self.nodes[node]
        assert stored is not None
        try:
            if stored.text:
                state.push(stored.text, stored.seat)
            for text in stored.chance:
                state.push(text, CHANCE)
        except IllegalMove as error:
            raise CannotShow(f"the move {stored.text} is not possible here: {error}") from None

    def moment(self, node: int) -> Moment:
        stored = self.nodes[node]
        assert stored is not None
        after = self.state(node)
        if stored.parent < 0:
            return Moment(stored, after, after, is_start=True)
        return Moment(stored, self.state(stored.parent), after)

    # Descriptions

    def describe(self, first: int = 0) -> DescribedGame:
        """Everything but the pictures; the nodes from a number on."""
        nodes = [
            self._describe(number)
            for number, node in enumerate(self.nodes)
            if node is not None and number >= first
        ]
        start = self.state(0)
        end = self.state(self.document.main - 1).result
        return DescribedGame(
            tuple(nodes),
            tuple(self.painter.numbers(start)),
            self.painter.views(start),
            (*self.painter.formats(), *self._extra_formats()),
            None if end is None else end.text,
        )

    def _extra_formats(self) -> tuple[ReplayFormat, ...]:
        document = self.document
        original = (
            [ReplayFormat("original", f"The text as it was given ({document.given_as})")]
            if document.original
            else []
        )
        return (*original, ReplayFormat(SVG, "Picture (SVG)"))

    def _describe(self, number: int) -> ReplayNode:
        found = self._described.get(number)
        if found is None:
            moment = self.moment(number)
            node = moment.node
            worded = self.painter.word(moment)
            numbers = tuple(tuple(each) for each in self.painter.numbers(moment.after).values())
            text = "; ".join(filter(None, (node.text, *node.chance))) if number else ""
            found = self._described[number] = ReplayNode(
                number,
                node.parent,
                node.seat,
                text,
                worded.words,
                worded.notation,
                node.note,
                number >= self.document.main,
                numbers,
            )
        return found

    # Pictures and texts

    def frames(self, node: int, first: int, count: int, view: str) -> ReplayFrames:
        """Frames of the line to a node, from the place `first` of this line on."""
        path = self.path(node)
        wanted = path[first : first + min(count, MAX_FRAMES)]
        found: list[ReplayFrame] = []
        scene = self._paint(path[first - 1], view, None) if wanted and first > 0 else None
        message = None
        for number in wanted:
            scene = self._paint(number, view, scene)
            after = scene_message(scene)
            changes = None if message is None else find_scene_changes(message, after)
            if changes is None:
                found.append(ReplayFrame(number, scene=_encode(after)))
            else:
                found.append(ReplayFrame(number, changes=_encode(changes)))
            message = after
        return ReplayFrames(tuple(found))

    def _paint(self, node: int, view: str, previous: Scene | None) -> Scene:
        self._check_view(view)
        return self.painter.paint(self.moment(node), view, previous)

    def _check_view(self, view: str) -> None:
        if view not in {each.name for each in self.painter.views(self.state(0))}:
            raise CannotShow(f"there is no view {view!r}")

    def text(self, node: int, wanted: str, view: str) -> ReplayText:
        """The line to a node, the position there, or its picture, as text."""
        stem = "-".join(filter(str.isalnum, self.document.game_title.lower().split())) or "game"
        path = self.path(node)
        if wanted == SVG:
            previous = self._paint(path[-2], view, None) if len(path) > 1 else None
            return ReplayText(
                str(draw_scene(self._paint(node, view, previous))), f"{stem}-{len(path) - 1}.svg"
            )
        if wanted == RECORD:
            result = self.state(node).result
            line = [self.nodes[each] for each in path]
            record = line_record(
                self.document,
                [each for each in line if each is not None],
                None if result is None else result.text,
            )
            return ReplayText(format_record(record), f"{stem}.txt")
        if wanted == "position":
            return ReplayText(
                msgspec.json.encode(self.state(node).to_json()).decode(), f"{stem}-{len(path) - 1}.json"
            )
        if wanted == "original" and self.document.original:
            return ReplayText(self.document.original, f"{stem}-{self.document.given_as}.txt")
        notation = next((each for each in Notation if each.value == wanted), None)
        if notation is None or not isinstance(self.painter, SettlersPainter):
            raise CannotShow(f"this game cannot be written as {wanted!r}")
        written = self._convert(node, notation)
        text, losses = written or self.painter.write([self.moment(each) for each in path], notation)
        if not text:
            raise CannotShow(f"{notation.name} cannot express this: {'; '.join(losses) or 'nothing is left'}")
        return ReplayText(text, f"{stem}{NOTATIONS[notation].suffixes[0]}", losses)

    def _convert(self, node: int, notation: Notation) -> tuple[str, tuple[str, ...]] | None:
        """The whole game from its own text, with comments and headers; None where that is not possible."""
        document = self.document
        is_whole = node == document.main - 1 and NOTATIONS[notation].content is Content.GAME
        if (
            not document.original
            or not is_whole
            or any(each.severity == "error" for each in document.findings)
        ):
            return None
        try:
            located = parse_located(document.original, document.given_as, lenient=True)
            text, losses = convert_located(located, notation, lenient=True).writing
        except ValueError:
            return None
        return (text, tuple(map(str, losses))) if text else None

    # Variations

    def choices(self, node: int, seat: int | None, answers: Sequence[str]) -> ReplayChoices:
        """What a seat can do at a node, after some answers."""
        state = self.state(node).copy()
        chooser = self._chooser(state, seat)
        if chooser is None:
            return ReplayChoices(-1)
        for text in answers:
            state.choose(_candidate(state, chooser, text))
        return self._ask(state, chooser, answers, "")

    def _chooser(self, state: State, seat: int | None) -> int | None:
        """Who chooses: the wanted seat, or the first; None if the game is over."""
        asked = state.asked
        if not asked:
            return None
        if seat is None or asked == (CHANCE,):
            return asked[0]
        if seat not in asked:
            raise CannotShow(f"player {seat + 1} has no choice here")
        return seat

    def _ask(self, state: State, chooser: int, answers: Sequence[str], text: str) -> ReplayChoices:
        if state.asked == (CHANCE,):
            found = [choice.text for choice, _ in state.outcomes()[:MAX_OUTCOMES]]
            outcomes = tuple(ReplayOutcome(each, self.painter.label_outcome(text, each)) for each in found)
            return ReplayChoices(chooser, chosen=tuple(answers), outcomes=outcomes)
        scene = self.painter.paint_choices(state, chooser)
        return ReplayChoices(chooser, _encode(scene_message(scene)), tuple(answers))

    def vary(self, wanted: NewVariation, seed: int) -> VariedGame:
        """Play another move at a node; with a seed for the chance that is drawn."""
        state = self.state(wanted.node).copy()
        known = len(state.record.moves)
        chooser = self._chooser(state, wanted.seat)
        if chooser is None:
            raise CannotShow("the game is over here")
        action = wanted.text
        try:
            if chooser != CHANCE:
                if wanted.choices:
                    for text in wanted.choices:
                        state.choose(_candidate(state, chooser, text))
                    action = wanted.choices[0]
                    if state.under_way() == chooser and state.asked != (CHANCE,):
                        return VariedGame(choices=self._ask(state, chooser, wanted.choices, action))
                elif not wanted.text.strip():
                    raise CannotShow("write a move, or choose one on the board")
                else:
                    for text in self.painter.read_moves(state, chooser, wanted.text.strip()):
                        state.push(text, chooser)
                        action = text
            asked = self._bring(state, wanted, seed)
        except IllegalMove as error:
            raise CannotShow(_words_of(error)) from None
        except StepRefused as error:
            raise CannotShow(error.message) from None
        except RulesWrong as error:
            message = str(error).partition("\n")[0]
            raise CannotShow(f"the rules of this game have a fault there: {message}") from None
        except ValueError as error:
            raise CannotShow(str(error).partition("\n")[0]) from None
        if asked:
            return VariedGame(choices=self._ask(state, chooser, (), action))
        return self._graft(wanted.node, group_moves(state.record.moves[known:], wanted.node, len(self.nodes)))

    def _bring(self, state: State, wanted: NewVariation, seed: int) -> bool:
        """Let chance bring what is wanted; whether something is left open."""
        left = list(wanted.outcomes)
        while state.asked == (CHANCE,):
            if left:
                state.choose(_candidate(state, CHANCE, left.pop(0)))
            elif wanted.draw:
                state.sample_chance(Generator(seed))
            else:
                return True
        if left:
            raise CannotShow("chance does not decide so much here")
        return False

    def _graft(self, parent: int, line: list[StoredNode]) -> VariedGame:
        """The nodes of a line that are new at a node."""
        known = {
            (node.parent, node.seat, node.text, node.chance): number
            for number, node in enumerate(self.nodes)
            if node is not None
        }
        added: list[StoredNode] = []
        at = parent
        for node in line:
            key = (at, node.seat, node.text, node.chance)
            if key in known:
                at = known[key]
                continue
            added.append(StoredNode(at, node.seat, node.text, node.chance))
            at = len(self.nodes) + len(added) - 1
        return VariedGame(tuple(added), at)


def _candidate(state: State, chooser: int, text: str) -> Choice:
    found = state.candidate(text, chooser)
    if found is None:
        raise CannotShow(f"“{text}” is not one of the choices here")
    return found


def _words_of(error: IllegalMove) -> str:
    return getattr(error.refusal, "message", "") or str(error)


def _load(document: ReplayDocument) -> Game:
    """The game of a document: the shipped one, or one with the rules of the document if these differ."""
    name = document.name
    if name in list_games() and find_source(name).source.text == document.source:
        return load_shipped(name)
    return compile_source(document.source, name=f"{name or 'game'}.tgdl")


def _encode(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))
