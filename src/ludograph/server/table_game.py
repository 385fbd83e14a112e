"""The game of one table: steps of the seats in, what each viewer gets to see out.

It runs in the server for shipped games, and in a process of its own for uploaded ones. It is deterministic:
the same steps give the same game, so that storing the steps stores the game.

An unfinished move of a seat is a draft: nobody else sees it, and it can be taken back freely. A draft becomes
part of the game when the move is complete, or when chance has to decide something inside it.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ludograph.games import Game, State, asides_of
from ludograph.play import CHANCE, Choice, IllegalMove, RulesWrong, format_record
from ludograph.play.luck import add_luck, combine_luck, draw_generator
from ludograph.protocol.messages import (
    AskForms,
    AskWhy,
    AskWhyItem,
    FormsAnswer,
    LogChange,
    MomentAnswer,
    QueryAnswer,
    SeatQuery,
    SeatQuestion,
    ShowMoment,
    WhyAnswer,
)
from ludograph.protocol.tables import TableLogEntry
from ludograph.render.scenes.building import build_scene
from ludograph.render.scenes.choices import find_choices, find_targets
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene, SceneChoices
from ludograph.render.scenes.messages import SceneChanges, SceneMessage, find_scene_changes, scene_message
from ludograph.render.scenes.states import list_seat_moves
from ludograph.server.seat_queries.forms import describe_forms
from ludograph.server.seat_queries.reasons import find_reasons
from ludograph.server.seat_queries.wording import name_players
from ludograph.server.styles.table_styles import TableStyle
from ludograph.server.table_log import ViewerLog, find_log_change

SPECTATOR = -1
"""The viewer who is not at the table."""
MAX_CHECKPOINTS = 100
"""The number of earlier states that are kept for undo; older ones are replayed."""


NO_CHOICES = SceneChoices()
NO_CHANGES = SceneChanges()


class GameSetup(Struct, frozen=True):
    """How a game starts."""

    players: int
    options: dict[str, bool | int | float | str]
    setup: str | None
    secret: str
    """What decides the luck together with the entropies, as hexadecimal digits; see `play.luck`."""
    entropies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """What the players are called."""


class GameStep(Struct, frozen=True, omit_defaults=True):
    """A step of a seat, as it is stored.

    `choices`: answers to questions; `moves`: whole moves by their texts; `retract`: the last answer of the
    draft is taken back; `undo`: the game goes back to its first `kept` moves.
    """

    kind: Literal["choices", "moves", "retract", "undo"]
    seat: int
    texts: tuple[str, ...] = ()
    kept: int = 0


class StepRefused(Exception):
    """The step is not possible; nothing has changed."""

    def __init__(
        self, code: Literal["illegal", "fault", "late"], message: str, explanation: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.explanation = explanation


class GameStanding(Struct, frozen=True, tag=True):
    """What the table needs to know of the game."""

    asked: tuple[int, ...]
    """The seats that the game waits for; none if it is over."""
    steps: int
    result: str | None
    is_open: bool
    """Whether the game waits for the rest of a move whose beginning cannot be taken back."""


class ViewerUpdate(Struct, frozen=True, tag=True):
    """What has changed for a viewer; in a snapshot, everything."""

    scene: Raw | UnsetType = UNSET
    changes: Raw | UnsetType = UNSET
    question: SeatQuestion | None = None
    has_question: bool = False
    """Whether `question` is a change."""
    log: LogChange | None = None


class _Seen:
    """What a viewer has seen. Mutable."""

    __slots__ = ("choices", "log", "message", "question", "scene", "view")

    def __init__(
        self,
        view: dict[str, Any],
        scene: Scene,
        message: SceneMessage,
        choices: SceneChoices,
        log: tuple[TableLogEntry, ...],
        question: SeatQuestion | None,
    ) -> None:
        self.view = view
        self.scene = scene
        self.message = message
        """The scene for clients, without choices."""
        self.choices = choices
        self.log = log
        self.question = question


class TableGame:
    """A running game. Mutable: `apply` changes it."""

    def __init__(
        self,
        game: Game,
        setup: GameSetup,
        read_command: "CommandReader | None" = None,
        style: TableStyle | None = None,
        *,
        is_trusted: bool = True,
    ) -> None:
        """Start a game; ValueError or RulesWrong if it cannot start like this.

        `read_command` reads texts in another notation than that of the rules. A style replaces the usual one.
        The moves of a game that is not trusted are never tried without being played, for they may be slow.
        """
        self._read_command = read_command
        self._style = style
        self._is_trusted = is_trusted
        self.game = game
        self.setup = setup
        self.players = setup.players
        self._luck = combine_luck(bytes.fromhex(setup.secret), setup.entropies)
        self._draws = 0
        """The number of draws so far; undone ones count, so that no draw happens twice."""
        self._kept_draws: list[int] = []
        """The numbers of the draws that count."""
        state = game.new(players=setup.players, options=setup.options, setup=setup.setup)
        self._state = self._settle(state)
        self._steps: list[int] = []
        """The seats of the moves that count, in order."""
        self._checkpoints: list[State] = [self._state.copy()]
        self._draws_before: list[int] = []
        """For each move that counts: the number of draws that counted before it."""
        self._drafts: dict[int, tuple[str, ...]] = {}
        self._draft_states: dict[int, State] = {}
        write = None if style is None else self._write_moves
        self._logs = {viewer: ViewerLog(write) for viewer in (*range(self.players), SPECTATOR)}
        self._seen: dict[int, _Seen] = {}
        self._public: tuple[State, _Look] | None = None
        """What everybody sees of the state, if nobody has secrets."""
        self._hints = Hints(game.appearance)
        self._has_secrets = self._state.has_secrets()
        self._has_asides = bool(asides_of(self._state))

    # Queries

    def standing(self) -> GameStanding:
        result = self._state.result
        return GameStanding(
            tuple(seat for seat in self._state.asked if seat != CHANCE),
            len(self._steps),
            None if result is None else result.text,
            self._state.under_way() is not None,
        )

    def position_of(self, seat: int) -> State:
        """The state as a seat sees it: with its own draft."""
        return self._draft_states.get(seat, self._state)

    def state(self) -> State:
        """The state without drafts. Do not change it."""
        return self._state

    def draft(self, seat: int) -> tuple[str, ...]:
        return self._drafts.get(seat, ())

    def record(self, viewer: int | None) -> str:
        """The record for a viewer; None: everything, with the luck."""
        if viewer is None:
            return add_luck(
                format_record(self._state.record), self.setup.secret, self.setup.entropies, self._kept_draws
            )
        return format_record(self._state.record_for(_player(viewer)))

    def question_id(self, seat: int) -> str | None:
        """The id of the open question to a seat; None if there is none."""
        seen = self._seen.get(seat)
        if seen is None:
            self.snapshot(seat)
            seen = self._seen[seat]
        return None if seen.question is None else seen.question.id

    def read_text(self, seat: int, text: str) -> tuple[str, ...]:
        """The moves that a text means; with another notation it may be several."""
        if self._read_command is None or text.lstrip().startswith("("):
            return (text,)
        try:
            return self._read_command(self._state, seat, text)
        except IllegalMove as error:
            raise self._refusal(error) from None

    # Steps

    def apply(self, step: GameStep) -> None:
        """Make a step; StepRefused if it is not possible."""
        if not 0 <= step.seat < self.players:
            raise StepRefused("illegal", f"there is no seat {step.seat}")
        draws, kept_draws, is_done = self._draws, len(self._kept_draws), False
        try:
            match step.kind:
                case "choices":
                    self._choose(step)
                case "moves":
                    self._play(step)
                case "retract":
                    self._retract(step)
                case "undo":
                    self._undo(step)
            is_done = True
        except IllegalMove as error:
            raise self._refusal(error) from None
        except RulesWrong as error:
            message = self._words(str(error).partition("\n")[0])
            raise StepRefused("fault", f"the rules of this game have a fault: {message}") from None
        finally:
            if not is_done:
                self._draws = draws
                del self._kept_draws[kept_draws:]

    def _choose(self, step: GameStep) -> None:
        seat = step.seat
        trial = self.position_of(seat).copy()
        texts = [*self._drafts.get(seat, ()), *step.texts]
        for number, text in enumerate(step.texts):
            trial.choose(_find_candidate(trial, seat, text))
            if trial.under_way() != seat and number + 1 < len(step.texts):
                raise StepRefused("illegal", "the move is complete before its last answer")
        if trial.under_way() == seat:
            self._drafts[seat], self._draft_states[seat] = tuple(texts), trial
            return
        self._commit(seat, trial, len(self._kept_draws))

    def _play(self, step: GameStep) -> None:
        """Play whole moves by their texts."""
        is_rest = step.texts[0].lstrip().startswith("(")  # the rest of a draft
        trial = (self.position_of(step.seat) if is_rest else self._state).copy()
        draws = len(self._kept_draws)
        for text in step.texts:
            if trial.is_over:
                raise StepRefused("illegal", "the game is over")
            trial.push(text, step.seat)
            trial = self._settle(trial)
        self._commit(step.seat, trial, draws)

    def _commit(self, seat: int, trial: State, draws: int) -> None:
        """Make a completed move part of the game. Drafts of others stay if they are still possible."""
        self._state = self._settle(trial)
        self._steps.append(seat)
        self._draws_before.append(draws)
        self._checkpoints.append(self._state.copy())
        if len(self._checkpoints) > MAX_CHECKPOINTS:
            del self._checkpoints[0]
        self._drop_draft(seat)
        self._renew_drafts()

    def _settle(self, state: State) -> State:
        """Let chance decide what is open."""
        if state.asked == (CHANCE,):
            number = self._draws
            self._draws += 1
            self._kept_draws.append(number)
            state.sample_chance(draw_generator(self._luck, number))
        return state

    def _renew_drafts(self) -> None:
        """Make the drafts again in the new state; drop those that are not possible any more."""
        for seat, texts in list(self._drafts.items()):
            trial = self._state.copy()
            try:
                for text in texts:
                    trial.choose(_find_candidate(trial, seat, text))
            except (IllegalMove, RulesWrong, StepRefused):
                self._drop_draft(seat)
                continue
            if trial.under_way() == seat:
                self._draft_states[seat] = trial
            else:
                self._drop_draft(seat)

    def _drop_draft(self, seat: int) -> None:
        self._drafts.pop(seat, None)
        self._draft_states.pop(seat, None)

    def _retract(self, step: GameStep) -> None:
        texts = self._drafts.get(step.seat)
        if not texts:
            raise StepRefused("illegal", "you have no unfinished move to take back")
        self._drop_draft(step.seat)
        if len(texts) > 1:
            trial = self._state.copy()
            for text in texts[:-1]:
                trial.choose(_find_candidate(trial, step.seat, text))
            self._drafts[step.seat], self._draft_states[step.seat] = texts[:-1], trial

    def _undo(self, step: GameStep) -> None:
        if not 0 <= step.kept < len(self._steps):
            raise StepRefused("illegal", "there is nothing to undo")
        before = {viewer: self._moves(self._state, viewer) for viewer in self._logs}
        self._drafts.clear()
        self._draft_states.clear()
        self._state = self._state_after(step.kept)
        undone = len(self._steps) - step.kept
        del self._steps[step.kept :]
        del self._kept_draws[self._draws_before[step.kept] :]
        del self._draws_before[step.kept :]
        del self._checkpoints[max(0, len(self._checkpoints) - undone) :]
        if not self._checkpoints:
            self._checkpoints.append(self._state.copy())
        for viewer, log in self._logs.items():
            log.undo(before[viewer], len(self._moves(self._state, viewer)), step.seat)

    def _state_after(self, kept: int) -> State:
        """The state after the first steps."""
        index = len(self._checkpoints) - 1 - (len(self._steps) - kept)
        if index >= 0:
            return self._checkpoints[index].copy()
        raise StepRefused("illegal", f"only the last {MAX_CHECKPOINTS - 1} moves can be undone")

    def _moves(self, state: State, viewer: int) -> list[str]:
        moves: list[str] = state.view(_player(viewer))["moves"]
        return moves

    # Undo policy

    def find_turn(self, seat: int) -> int | None:
        """The number of steps before the last turn of a seat: its last steps in a row, and all after them."""
        kept = len(self._steps)
        while kept and self._steps[kept - 1] != seat:
            kept -= 1
        if not kept:
            return None
        while kept and self._steps[kept - 1] == seat:
            kept -= 1
        return kept

    def find_undo(self, seat: int, scope: str, lines: int) -> int | None:
        """The number of moves that an undo of a turn, or back to so many lines of the log, keeps."""
        return self.find_turn(seat) if scope == "turn" else self.find_moment(lines, seat)

    def find_moment(self, lines: int, viewer: int) -> int | None:
        """The number of moves that count when the log of a viewer had at most so many lines that count."""
        first = len(self._steps) - len(self._checkpoints) + 1
        for kept in range(len(self._steps) - 1, first - 1, -1):
            if len(self._moves(self._checkpoints[kept - first], viewer)) <= lines:
                return kept
        return None

    # Questions that change nothing

    def answer(self, query: SeatQuery) -> str:
        """The answer to a question, as JSON; StepRefused if there is none."""
        answer: QueryAnswer
        match query:
            case AskWhy(id, seat, text):
                answer = WhyAnswer(id, *self.why_not(seat, text))
            case AskWhyItem(id, seat, item, begun):
                answer = WhyAnswer(id, self._why_not_item(seat, item, begun))
            case AskForms(id, seat):
                answer = self._forms(id, seat)
            case ShowMoment(id, kept, chosen_seat):
                viewer = SPECTATOR if chosen_seat is None else chosen_seat
                answer = MomentAnswer(id, self._moment(viewer, kept))
        return msgspec.json.encode(answer).decode()

    def _why_not_item(self, seat: int, item: str, begun: str) -> str:
        look = self._look(seat)
        seen = self._seen.get(seat)
        scene = self._scene(look.view) if seen is None else seen.scene
        hints = self._hints.seeing(look.view)
        return self._words(find_reasons(look.state, seat, scene, item, begun, look.view, hints))

    def _forms(self, id: str, seat: int) -> FormsAnswer:
        if seat in self._drafts or not self._state.asked:
            return FormsAnswer(id, ())
        view = self._look(seat).view
        try:
            found = describe_forms(self._state, seat, view, self._hints.seeing(view))
        except RulesWrong:
            found = ()  # a trial run found a fault of the rules; the moves can still be typed
        forms = tuple(replace(form, refusal=self._words(form.refusal)) for form in found)
        return FormsAnswer(id, forms, view["active"])

    def _moment(self, viewer: int, kept: int) -> Raw:
        """The scene after the first moves of a viewer's log, with what the last of them did."""
        lines = (len(self._moves(state, viewer)) for state in self._checkpoints)
        found = next((index for index, count in enumerate(lines) if count >= kept), None)
        is_first = len(self._checkpoints) == len(self._steps) + 1
        if found is None or (found == 0 and not is_first):
            raise StepRefused("illegal", f"only the last {MAX_CHECKPOINTS - 2} moves can be shown")
        previous: Scene | None = None
        previous_view: dict[str, Any] | None = None
        for state in self._checkpoints[max(0, found - 1) : found + 1]:
            view = _view_of(state, viewer)
            previous = self._draw(state, view, previous, previous_view)
            previous_view = view
        assert previous is not None
        return encode_json(scene_message(previous))

    def why_not(self, seat: int, text: str) -> tuple[str, str]:
        """Why a move or an answer is not possible, with the condition; empty texts if it is."""
        state = self.position_of(seat) if text.lstrip().startswith("(") else self._state
        try:
            refusal = state.why_not(self.read_text(seat, text)[0], seat)
        except StepRefused as error:  # in the notation of the game
            return error.message, error.explanation
        except RulesWrong as error:
            return self._words(str(error).partition("\n")[0]), ""
        if refusal is None:
            return "", ""
        found = self._refusal(IllegalMove(refusal.message, refusal))
        return found.message, found.explanation

    # Words

    def _words(self, text: str) -> str:
        """A text of the rules for people, with the names of the players."""
        return name_players(text, self.setup.names)

    def _refusal(self, error: IllegalMove) -> StepRefused:
        """Why the rules do not allow a step, for people."""
        explanation = getattr(error.refusal, "explanation", "")
        message = getattr(error.refusal, "message", "") or str(error)
        shown = "" if explanation == message else self._words(explanation)
        return StepRefused("illegal", self._words(message), shown)

    # What viewers see

    def forget(self, viewer: int) -> None:
        """Forget what a viewer has seen: nobody looks any more."""
        self._seen.pop(viewer, None)

    def snapshot(self, viewer: int) -> ViewerUpdate:
        """Everything that a viewer sees. Later updates are relative to it."""
        seen = self._seen.get(viewer)
        if seen is None:
            seen = self._seen[viewer] = self._see(self._look(viewer))
        return ViewerUpdate(
            scene=encode_json(replace(seen.message, choices=seen.choices)),
            question=seen.question,
            has_question=True,
            log=LogChange(0, seen.log),
        )

    def _see(self, look: "_Look") -> _Seen:
        """What a new viewer sees. If nobody has secrets, viewers share their scenes."""
        same = None
        if not self._has_secrets:
            same = next((each for each in self._seen.values() if each.view == look.view), None)
        scene = self._scene(look.view) if same is None else same.scene
        message = scene_message(scene) if same is None else same.message
        choices = self._choices(look, scene)
        return _Seen(look.view, scene, message, choices, look.log, self._question(look, choices))

    def updates(self) -> dict[int, ViewerUpdate]:
        """What has changed for the viewers who had a snapshot, since their last update."""
        found: dict[int, ViewerUpdate] = {}
        shared: list[_SharedChange] = []
        for viewer, seen in self._seen.items():
            update = self._update(viewer, seen, shared)
            if update is not None:
                found[viewer] = update
        return found

    def _update(self, viewer: int, seen: _Seen, shared: "list[_SharedChange]") -> ViewerUpdate | None:
        look = self._look(viewer)
        changes: SceneChanges | None = SceneChanges()
        if look.view != seen.view:
            change = self._change(look.view, seen, shared)
            seen.view, seen.scene, seen.message, changes = (
                look.view,
                change.scene,
                change.message,
                change.changes,
            )
        choices = self._choices(look, seen.scene)
        question = self._question(look, choices)
        log = find_log_change(seen.log, look.log)
        has_choices, has_question = choices != seen.choices, question != seen.question
        seen.choices, seen.question, seen.log = choices, question, look.log
        scene: Raw | UnsetType = UNSET
        if changes is None:  # the client needs the whole scene
            scene = encode_json(replace(seen.message, choices=choices))
        elif has_choices:
            changes = replace(changes, choices=choices)
        if scene is UNSET and changes == NO_CHANGES and log is None and not has_question:
            return None
        return ViewerUpdate(
            scene=scene,
            changes=UNSET if changes is None or changes == NO_CHANGES else encode_json(changes),
            question=question,
            has_question=has_question,
            log=log,
        )

    def _change(self, view: dict[str, Any], seen: _Seen, shared: "list[_SharedChange]") -> "_SharedChange":
        """The new scene of a viewer; viewers who saw the same and see the same share it."""
        for change in shared:
            if change.old is seen.message and change.view == view:
                return change
        scene = self._scene(view, seen)
        message = scene_message(scene)
        changes = find_scene_changes(seen.message, message)
        shared.append(_SharedChange(seen.message, view, scene, message, changes))
        return shared[-1]

    def _look(self, viewer: int) -> "_Look":
        state = self.position_of(viewer)
        if self._has_secrets or state is not self._state:
            return self._look_alone(viewer, state)
        if self._public is None or self._public[0] is not state:
            self._public = state, self._look_alone(SPECTATOR, state)
        return self._public[1]._replace(viewer=viewer)

    def _look_alone(self, viewer: int, state: State) -> "_Look":
        view = _view_of(state, viewer)
        return _Look(viewer, state, view, self._logs[viewer].entries(view["moves"]))

    def _question(self, look: "_Look", choices: SceneChoices) -> SeatQuestion | None:
        """What the seat is asked, or may do without being asked; None if it can do nothing."""
        if not choices.moves:
            return None
        viewer, chosen = look.viewer, self.draft(look.viewer)
        digest = blake2b(digest_size=9)
        for part in (str(len(look.view["moves"])), *chosen, "", *(move.text for move in choices.moves)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        is_asked = viewer in look.state.asked
        is_forced = is_asked and len(choices.moves) == 1 and self._is_forced(look, choices)
        return SeatQuestion(digest.hexdigest(), chosen, is_asked, is_forced)

    def _is_forced(self, look: "_Look", choices: SceneChoices) -> bool:
        """Whether the only choice may be taken at once: neither chance nor a secret nor an aside is near."""
        if self._has_secrets or self._has_asides or not self._is_trusted:
            return False
        trial, text = look.state.copy(), choices.moves[0].text
        try:
            if choices.is_complete:
                trial.push(text, look.viewer)
            else:
                trial.choose(_find_candidate(trial, look.viewer, text))
        except (IllegalMove, RulesWrong, StepRefused):
            return False
        return trial.asked != (CHANCE,)

    def _choices(self, look: "_Look", scene: Scene) -> SceneChoices:
        if look.viewer == SPECTATOR:
            return NO_CHOICES
        moves = list_seat_moves(look.state, look.viewer)
        if not moves.moves:
            return NO_CHOICES
        items = (*scene.static.items, *scene.changing.items)
        return find_choices(moves, find_targets(items), self._hints.seeing(look.view))

    def _scene(self, view: dict[str, Any], seen: _Seen | None = None) -> Scene:
        """The scene of a view, with what is new for a viewer who has seen another one."""
        if seen is None:
            return self._draw(self._state, view, None, None)
        return self._draw(self._state, view, seen.scene, seen.view)

    def _draw(
        self,
        state: State,
        view: dict[str, Any],
        previous: Scene | None,
        previous_view: dict[str, Any] | None,
    ) -> Scene:
        names = self.setup.names
        if self._style is not None:
            return self._style.scene(state, view, previous_view, names)
        material, arrangement = state.material(), state.arrangement()
        return build_scene(material, arrangement, view, previous=previous, hints=self._hints, names=names)

    def _write_moves(self, moves: Sequence[str], first: int) -> tuple[str, ...]:
        assert self._style is not None
        return self._style.notations(self._state, moves, first)


class _Look(NamedTuple):
    """What a viewer sees now."""

    viewer: int
    state: State
    view: dict[str, Any]
    """Without the number of the viewer."""
    log: tuple[TableLogEntry, ...]


class _SharedChange(NamedTuple):
    """A change of the scene that several viewers may see."""

    old: SceneMessage
    view: dict[str, Any]
    scene: Scene
    message: SceneMessage
    changes: SceneChanges | None


CommandReader = Callable[[State, int, str], tuple[str, ...]]
"""Returns the moves that a seat means by a text; StepRefused if it means none, IllegalMove by the rules."""


def _find_candidate(state: State, seat: int, text: str) -> Choice:
    """The candidate with a text; IllegalMove with the reason if there is none."""
    if seat not in state.asked:
        raise IllegalMove("it is not your turn")
    found = state.candidate(text, seat)
    if found is not None:
        return found
    is_first = state.under_way() != seat
    refusal = state.why_not(text if is_first else f"({text})", seat)
    raise IllegalMove("this is not one of the choices now", refusal)


def _view_of(state: State, viewer: int) -> dict[str, Any]:
    """What a viewer sees, without the number of the viewer."""
    view: dict[str, Any] = msgspec.json.decode(state.view_json(_player(viewer)))
    view.pop("you", None)
    return view


def _player(viewer: int) -> int | None:
    return None if viewer == SPECTATOR else viewer


def encode_json(data: object) -> Raw:
    return Raw(msgspec.json.encode(data))
