"""Plays the programs of the corpus on any engine, as their comments describe, and reports the differences.

An engine is a function from a checked program and an amount of fuel to a game. The script uses only the
members that every game and state has. It also checks the laws of all games: a state that is saved and loaded,
copied or replayed is equal; taking back a move gives the state before; a listed move is legal by its text.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from msgspec import structs

from ludograph.play import CHANCE, Generator, IllegalMove, perft, replay
from ludograph.play.seats import CannotResample
from ludograph.tgdl.game.game import Fault, Game, Refusal, State
from ludograph.tgdl.program import Program
from tests.language.runner import DIAGNOSTICS, ON_LINES, Case, Expectation
from tests.language.things import Things, text_of

Engine = Callable[[Program, int | None], Game]
QUOTED = re.compile(r'(.*?)(?:\s+"([^"]*)")?')
SETTING = re.compile(r'([\w.]+)=("[^"]*"|\{.*\}|\S+)')


def reference(program: Program, fuel: int | None) -> Game:
    """The reference engine."""
    return Game(program) if fuel is None else Game(program, fuel=fuel)


class Unmet(Exception):
    """An unmet expectation; the message contains the actual result."""


@dataclass
class Play:
    """A running program (mutable)."""

    case: Case
    program: Program
    engine: Engine
    state: State | None = None
    faults: list[tuple[Fault, Expectation | None]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """Faults and refusals, as users read them."""

    def problems(self) -> list[str]:
        """All differences from the expectations of the program."""
        problems: list[str] = []
        steps = [one for one in self.case.expectations if one.kind not in (*DIAGNOSTICS, *ON_LINES)]
        if not steps or steps[0].kind != "new":
            begin = Expectation("new", self.case.files[0].name, self.case.line, "")
            steps = [begin, *steps]
        for step in steps:
            try:
                self._take(step)
            except Unmet as error:
                problems.append(f"line {step.line}: `{step.kind}: {step.text}`: {error}")
        problems += self._fault_problems()
        problems += self._value_problems()
        return problems

    # Steps

    def _take(self, step: Expectation) -> None:
        try:
            found = getattr(self, f"_{step.kind}")(step)
        except Fault as fault:
            self.faults.append((fault, step))
            self.said.append(picture_of(fault))
            return
        except IllegalMove as error:
            raise Unmet(f"this is no legal move: {error}") from None
        if found is not None:
            _compare(step.text, found)

    def _new(self, step: Expectation) -> None:
        self.state = None
        try:
            self.state = self._begin(step.text)
        except Fault:
            raise
        except ValueError as error:
            raise Unmet(f"there is no such game: {error}") from None

    def _begin(self, text: str) -> State:
        settings: dict[str, Any] = {}
        options: dict[str, Any] = {}
        fuel: int | None = None
        for name, value in SETTING.findall(text):
            known = _plain(value)
            if name == "fuel":
                fuel = int(known)
            elif name.startswith("option."):
                options[name.removeprefix("option.")] = known
            else:
                assert name in ("players", "seed", "setup", "position"), f"there is no setting '{name}'"
                settings[name] = known
        assert not SETTING.sub("", text).strip(), f"these are no settings: {text}"
        return self.engine(self.program, fuel).new(**settings, options=options or None)

    def _play(self, step: Expectation) -> None:
        state = self._now()
        before = state.copy()
        is_chance = state.asked == (CHANCE,)
        state.push(step.text)
        if not is_chance:
            back = state.copy()
            back.pop()
            if back != before:
                raise Unmet("taking it back does not give the state before")

    def _choose(self, step: Expectation) -> None:
        state = self._now()
        player = state.asked[0] if step.player is None else step.player
        for choice in state.question(player).candidates:
            if (choice.text or "stop") == step.text:
                state.choose(choice)
                return
        raise Unmet("this is no candidate")

    def _undo(self, step: Expectation) -> None:
        self._now().pop()

    def _moves(self, step: Expectation) -> str:
        state = self._now()
        if not state.asked:
            return ""
        moves = state.legal_moves if step.player is None else state.legal_moves_of(step.player)
        for move in moves:
            by_text, by_choices = state.copy(), state.copy()
            try:
                by_choices.push(move)
            except Fault:
                continue
            if step.player is None or step.player in state.asked[:1]:
                by_text.push(move.text)
                if by_text != by_choices:
                    raise Unmet(f"the text '{move.text}' plays another move")
                if state.why_not(move.text) is not None:
                    raise Unmet(f"'{move.text}' is listed, but refused: {state.why_not(move.text)}")
        return ", ".join(move.text for move in moves)

    def _candidates(self, step: Expectation) -> str:
        return ", ".join(choice.text or "stop" for choice in self._now().question(step.player).candidates)

    def _outcomes(self, step: Expectation) -> str:
        return ", ".join(f"{choice.text} {_fraction(chance)}" for choice, chance in self._now().outcomes())

    def _refused(self, step: Expectation) -> None:
        found = QUOTED.fullmatch(step.text)
        assert found is not None
        if found[1] == "new" or found[1].startswith("new "):
            try:
                self._begin(found[1].removeprefix("new"))
            except Fault:
                raise
            except ValueError as error:
                self.said.append(f"{found[1]}: {error}")
                return _contains(str(error), found[2])
            raise Unmet("the game begins")
        return _contains(str(self._refusal(found[1], step.player)), found[2])

    def _words(self, step: Expectation) -> None:
        found = QUOTED.fullmatch(step.text)
        assert found is not None
        _equals(self._refusal(found[1], step.player).words, found[2])

    def _explained(self, step: Expectation) -> None:
        found = QUOTED.fullmatch(step.text)
        assert found is not None
        _equals(self._refusal(found[1], step.player).explanation, found[2])

    def _refusal(self, move: str, player: int | None) -> Refusal:
        refusal = self._now().why_not(move, player)
        if refusal is None:
            raise Unmet("the move can be played")
        said = f"{move}: {refusal}"
        if refusal.words:
            said += f"\n{refusal.explanation}"
        if refusal.diagnostic is not None:
            said += "\n" + self.case.picture(refusal.diagnostic).partition("\n")[2]
        self.said.append(said)
        return refusal

    def _asked(self, step: Expectation) -> str:
        choosers = self._now().asked
        return ", ".join("chance" if who == CHANCE else str(who) for who in choosers)

    def _active(self, step: Expectation) -> str:
        return str(self._now().active())

    def _phase(self, step: Expectation) -> str:
        return self._now().phase() or ""

    def _turn(self, step: Expectation) -> str:
        return str(self._now().to_json().get("turn", ""))

    def _value(self, step: Expectation) -> None:
        path, _, expected = step.text.partition(" = ")
        try:
            _compare(expected, self._things().value(path.strip()))
        except LookupError as error:
            raise Unmet(str(error.args[0])) from None

    def _view(self, step: Expectation) -> None:
        assert step.player is not None, "say who looks: `view 1: …`"
        view: Any = self._now().view(step.player)
        path, equals, expected = step.text.partition(" = ")
        unseen = not equals
        path = path.strip() if equals else path.strip().removesuffix(" unseen")
        assert not unseen or step.text.endswith(" unseen"), "write `thing.attribute = value` or `… unseen`"
        found = _look(view, path)
        if unseen and found is not _NOTHING:
            raise Unmet(f"player {step.player} sees {text_of(found)}")
        if not unseen:
            if found is _NOTHING:
                raise Unmet(f"player {step.player} sees nothing of it")
            _compare(expected, text_of(found))

    def _resample(self, step: Expectation) -> None:
        """Go on with a state that looks the same to a player; the text is the seed, or part of a refusal."""
        assert step.player is not None, "say who looks: `resample 1: 7`"
        state = self._now()
        if step.text.isdigit():
            self.state = state.resample(step.player, Generator(int(step.text)))
            return None
        try:
            state.resample(step.player, Generator(0))
        except CannotResample as error:
            return _contains(str(error), step.text)
        raise Unmet("the state is resampled")

    def _result(self, step: Expectation) -> str:
        result = self._now().result
        return "unfinished" if result is None else result.text

    def _payoffs(self, step: Expectation) -> str:
        payoffs = self._now().payoffs
        return "none" if payoffs is None else ", ".join(_number(payoff) for payoff in payoffs)

    def _perft(self, step: Expectation) -> str:
        state = self._now()
        return " ".join(str(perft(state.copy(), depth + 1)) for depth in range(len(step.text.split())))

    def _record(self, step: Expectation) -> str:
        moves = self._now().record.moves
        return "; ".join(f"{'*' if move.chooser == CHANCE else move.chooser}: {move.text}" for move in moves)

    def _rules(self, step: Expectation) -> str:
        return self._now().game.rules

    # Checks at the end

    def _fault_problems(self) -> list[str]:
        missing = [one for one in self.case.expectations if one.kind == "fault"]
        problems: list[str] = []
        for fault, step in self.faults:
            met = next((one for one in missing if _is_met(one, fault, step)), None)
            if met is not None:
                missing.remove(met)
            else:
                where = "" if step is None else f"line {step.line}: `{step.kind}: {step.text}`: "
                problems.append(f"{where}an unexpected fault:\n{fault.picture()}")
        return problems + [f"line {one.line}: there was no fault: {one.text}" for one in missing]

    def _value_problems(self) -> list[str]:
        expected = [one for one in self.case.expectations if one.kind == "expect"]
        if self.state is None:
            return [f"line {one.line}: the game has not begun" for one in expected]
        problems: list[str] = []
        try:
            things = self._things()
            for one in expected:
                try:
                    _compare(one.text, ", ".join(things.declared_at(self.program, one.file, one.line)))
                except (Unmet, LookupError) as error:
                    problems.append(f"line {one.line}: `expect: {one.text}`: {error.args[0]}")
            problems += broken_laws(self.state)
        except Fault as fault:
            problems.append(f"a fault in looking at the end:\n{fault.picture()}")
        return problems

    def _now(self) -> State:
        if self.state is None:
            raise Unmet("the game has not begun")
        return self.state

    def _things(self) -> Things:
        state = self._now()
        return Things(self.program, state.to_json(), state.view(0))


def play_problems(case: Case, engine: Engine = reference) -> list[str]:
    """The differences from the expectations of a program when an engine plays it."""
    program, _ = case.check()
    if program is None or not case.is_played:
        return []
    return Play(case, program, engine).problems()


def fault_pictures(case: Case, code: str, engine: Engine = reference) -> list[str]:
    """The faults with a code that a program raises, as users read them."""
    program, _ = case.check()
    assert program is not None
    play = Play(case, program, engine)
    play.problems()
    return [picture_of(fault) for fault, _ in play.faults if fault.code == code]


def picture_of(fault: Fault) -> str:
    """A fault with lines counted from the start of the program."""
    sources = fault.sources
    fault.sources = tuple(structs.replace(source, first_line=1) for source in sources)
    try:
        return str(fault)
    finally:
        fault.sources = sources


def broken_laws(state: State) -> list[str]:
    """The laws of all games that a state violates."""
    game, broken = state.game, []
    if game.from_bytes(state.to_bytes()) != state:
        broken.append("a law is broken: bytes that are saved and loaded give another state")
    if game.from_json(state.to_json()) != state:
        broken.append("a law is broken: JSON that is saved and loaded gives another state")
    if state.copy() != state or state.copy().digest() != state.digest():
        broken.append("a law is broken: a copy is another state")
    broken += broken_resampling(state)
    if state.under_way() is not None:
        return broken  # a record has whole moves
    again = replay(game, state.record)
    if again.broken_at is not None:
        broken.append(f"a law is broken: the record cannot be replayed: {again.reason}")
    elif again.state != state:
        broken.append("a law is broken: the record replays to another state")
    return broken


def broken_resampling(state: State) -> list[str]:
    """The laws of resampling that a state violates."""
    if state.is_over or not state.has_secrets():
        return []
    broken = []
    for player in range(state.players):
        try:
            drawn = state.resample(player, Generator(player))
        except CannotResample:
            return []
        if _seen(drawn, player) != _seen(state, player):
            broken.append(f"a law is broken: a resampled state looks different to player {player}")
        if drawn.resample(player, Generator(5)) != state.resample(player, Generator(5)):
            broken.append(f"a law is broken: resampling knows what player {player} does not see")
    return broken


def _seen(state: State, player: int) -> dict[str, Any]:
    """What a player sees now, without the moves so far."""
    return {**state.view(player), "moves": None}


def _is_met(expected: Expectation, fault: Fault, step: Expectation | None) -> bool:
    if fault.site.span.end > 0 and fault.site.file < len(fault.sources):
        return expected.is_met_by(fault.diagnostic)
    line = None if step is None else step.line  # it has no place in the text: where it was asked for
    return expected.code == fault.code and expected.line == line and expected.message in fault.message


def _compare(expected: str, found: str) -> None:
    if " ".join(expected.split()) != " ".join(found.split()):
        raise Unmet(f"found {found or 'nothing'}")


def _equals(found: str, wanted: str | None) -> None:
    if found != (wanted or ""):
        raise Unmet(f"found {found}")


def _contains(found: str, part: str | None) -> None:
    if part is not None and part not in found:
        raise Unmet(f"found {found}")


def _plain(text: str) -> Any:
    """The value of a setting: a number, a boolean, JSON, or a string."""
    if text.startswith(("{", '"')):
        return json.loads(text)
    if text in ("true", "false"):
        return text == "true"
    return (float(text) if "." in text else int(text)) if re.fullmatch(r"-?\d+(\.\d+)?", text) else text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(Fraction(value).limit_denominator(1000))


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


class _Nothing:
    pass


_NOTHING = _Nothing()


def _look(view: Any, path: str) -> Any:
    """The part of a view at `thing.attribute`, at the name of a thing, or at a key such as `moves`."""
    if path in view:
        return view[path]
    things = view["things"]
    if path in things:
        return "seen"
    name, _, attribute = path.rpartition(".")
    return things.get(name, {}).get(attribute, _NOTHING)
