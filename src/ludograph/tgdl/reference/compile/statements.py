"""Compiles statements. Each becomes a closure that returns None, RETURN, BREAK or CONTINUE."""

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from ludograph.play.log import ALL, Viewer
from ludograph.play.record import HIDDEN
from ludograph.text import cut
from ludograph.tgdl import program as p
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.reference import moving
from ludograph.tgdl.reference.actions import run_named_effects
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.compile.targets import assignment
from ludograph.tgdl.reference.fuel_costs import pay
from ludograph.tgdl.reference.inputs import note_input, resolve
from ludograph.tgdl.reference.instance_names import reader_of_message
from ludograph.tgdl.reference.instances import create, local_state
from ludograph.tgdl.reference.naming import text_of, typed_text
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.turns import BARE, FIRST
from ludograph.tgdl.reference.visibility import evaluate_guards, may_name, may_read
from ludograph.tgdl.world.faults import Cancelled, Failed, GameEnded
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.limits import MAX_LETTERS, MAX_MESSAGE_LENGTH
from ludograph.tgdl.world.memory import OUT, Instance
from ludograph.tgdl.world.world import BREAK, CONTINUE, PLAYER, RESULT_SLOT, RETURN, Closure, Frame, Guards


def compile_statements(c: Compiler, statements: Sequence[p.Statement]) -> Closure:
    """Compile a list of statements to one closure."""
    codes = [compile_statement(c, statement) for statement in statements]
    match codes:
        case []:
            return lambda run, frame: None
        case [only]:
            return only
        case [first, second]:

            def pair(run: Run, frame: Frame) -> Any:
                return first(run, frame) or second(run, frame)

            return pair
        case _:

            def row(run: Run, frame: Frame) -> Any:
                for code in codes:
                    signal = code(run, frame)
                    if signal:
                        return signal
                return None

            return row


def compile_statement(c: Compiler, node: p.Statement) -> Closure:
    code, hide = c.observed(node, _compile(c, node)), c.taint_places(node)
    if hide is None:
        return code

    def hiding(run: Run, frame: Frame) -> Any:
        hide(run, frame)
        return code(run, frame)

    return hiding


def _compile(c: Compiler, node: p.Statement) -> Closure:
    match node:
        case p.Evaluate(expression):
            return _silent(c.expression(expression))
        case p.Assign():
            return assignment(c, node)
        case p.Declare(slot, _, value):
            return _declare(c.copied(value), slot)
        case p.Return(value):
            return _return(c, value)
        case p.If():
            return _if(c, node)
        case p.While():
            return _while(c, node)
        case p.ForEach():
            return _for_each(c, node)
        case p.ForRange():
            return _for_range(c, node)
        case p.Break():
            return lambda run, frame: BREAK
        case p.Continue():
            return lambda run, frame: CONTINUE
        case p.Ask(known):
            prompt = c.prompt(known)
            return lambda run, frame: _ask(run, frame, prompt)
        case p.Fail():
            return _fail(c, node)
        case p.Cancel():
            return _cancel(c, node)
        case p.Pass():
            return _pass(c, node)
        case p.UseTurn(turn):
            return _use_turn(c, turn)
        case p.Move():
            return _move(c, node)
        case p.RunEffects(action, phase, names):
            return lambda run, frame: run_named_effects(run, action, phase, names, frame)
        case p.End():
            return _end(c, node)
        case p.BackIn():
            return _back_in(c, node)
        case p.Out():
            return _out(c, node)
        case p.Link():
            return _link(c, node)
        case p.Attach():
            return _attach(c, node)
        case _:
            assert_never(node)


def _silent(code: Closure) -> Closure:
    def evaluate(run: Run, frame: Frame) -> None:
        code(run, frame)

    return evaluate


def _ask(run: Run, frame: Frame, prompt: Any) -> None:
    resolve(run, prompt, frame)
    note_input(run, prompt, frame)


def _declare(value: Closure, slot: int) -> Closure:
    def declare(run: Run, frame: Frame) -> None:
        frame[slot] = value(run, frame)

    return declare


def _return(c: Compiler, value: Any) -> Closure:
    if value is None:
        return lambda run, frame: RETURN
    given = c.expression(value)

    def code(run: Run, frame: Frame) -> int:
        frame[RESULT_SLOT] = given(run, frame)
        return RETURN

    return code


def _if(c: Compiler, node: p.If) -> Closure:
    condition = c.judged(node.condition, c.boolean(node.condition))
    then = compile_statements(c, node.then)
    if not node.otherwise:
        return lambda run, frame: then(run, frame) if condition(run, frame) else None
    otherwise = compile_statements(c, node.otherwise)
    return lambda run, frame: then(run, frame) if condition(run, frame) else otherwise(run, frame)


def _while(c: Compiler, node: p.While) -> Closure:
    condition = c.boolean(node.condition)
    body = compile_statements(c, node.body)
    step = compile_statements(c, node.step) if node.step else None
    cost, site = price(node.condition, node.body, node.step), c.site(node.span)

    def code(run: Run, frame: Frame) -> Any:
        while condition(run, frame):
            run.fuel -= cost
            if run.fuel < 0:
                run.spend(0, site)
            signal = body(run, frame)
            if signal == BREAK:
                break
            if signal == RETURN:
                return RETURN
            if step is not None:
                step(run, frame)
        return None

    return code


def _for_each(c: Compiler, node: p.ForEach) -> Closure:
    source = c.value(node.source)
    body = compile_statements(c, node.body)
    slot, cost, site = node.slot, price(node.body), c.site(node.span)

    def code(run: Run, frame: Frame) -> Any:
        items = source(run, frame)
        pay(run, len(items), site)
        for item in items:
            run.fuel -= cost
            if run.fuel < 0:
                run.spend(0, site)
            frame[slot] = item
            signal = body(run, frame)
            if signal:
                if signal == BREAK:
                    break
                if signal == RETURN:
                    return RETURN
        return None

    return code


def _for_range(c: Compiler, node: p.ForRange) -> Closure:
    low, high = c.value(node.low), c.value(node.high)
    body = compile_statements(c, node.body)
    slot, cost, site = node.slot, price(node.body), c.site(node.span)

    def code(run: Run, frame: Frame) -> Any:
        at, last = low(run, frame), high(run, frame)
        while at <= last:
            run.fuel -= cost
            if run.fuel < 0:
                run.spend(0, site)
            frame[slot] = at
            signal = body(run, frame)
            if signal:
                if signal == BREAK:
                    break
                if signal == RETURN:
                    return RETURN
            at += 1.0
        return None

    return code


def message(c: Compiler, node: p.Message) -> Closure:
    """Compile the message of a failure: literal parts with values between them."""
    parts = [part if isinstance(part, str) else (c.expression(part), part.type) for part in node.parts]

    def code(run: Run, frame: Frame) -> str:
        words = []
        for part in parts:
            if isinstance(part, str):
                words.append(part)
            else:
                value = part[0](run, frame)
                words.append(_value_text(run, value, part[1], ALL))
        return cut("".join(words), MAX_MESSAGE_LENGTH)

    return code


def _value_text(run: Run, value: Any, type: Type, reader: Viewer) -> str:
    """The text of a value in a message to a reader: a string without quotes."""
    return cut(value, MAX_LETTERS) if isinstance(value, str) else typed_text(run, value, type, reader)


MessageForPlayers = Callable[[Run, Frame], tuple[str, tuple[str, ...] | None]]
"""Returns a message, and for each player the message with hidden values; None: all may read all of it."""


def _message_for_players(c: Compiler, node: p.Message) -> MessageForPlayers:
    if not c.world.hides_values or all(isinstance(part, str) for part in node.parts):
        words = message(c, node)
        return lambda run, frame: (words(run, frame), None)
    parts = [
        part if isinstance(part, str) else (c.expression(part), part.type, c.guards_of_secrets(part))
        for part in node.parts
    ]

    def tell(run: Run, frame: Frame) -> tuple[str, tuple[str, ...]]:
        texts: list[str] = []
        messages = [""] * run.world.players
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
                for player in range(run.world.players):
                    if len(messages[player]) <= MAX_MESSAGE_LENGTH:
                        messages[player] += part
                continue
            code, type, guards = part
            value = code(run, frame)
            text = _value_text(run, value, type, ALL)
            texts.append(text)
            reads = _readers(run, frame, value, guards)
            for player in range(run.world.players):
                if len(messages[player]) > MAX_MESSAGE_LENGTH:
                    continue
                its_text = text
                if run.world.names_things:
                    its_text = _value_text(run, value, type, reader_of_message(run, _things(value), player))
                messages[player] += its_text if reads(player) else HIDDEN
        return cut("".join(texts), MAX_MESSAGE_LENGTH), tuple(
            cut(each, MAX_MESSAGE_LENGTH) for each in messages
        )

    return tell


def _readers(run: Run, frame: Frame, value: Any, guards: Guards) -> Callable[[int], bool]:
    """Who may read a value in a message: whoever sees all its sources, and the things that it names."""
    holders = evaluate_guards(run, frame, guards)
    if holders is None:
        return lambda player: False
    things = _things(value)

    def reads(player: int) -> bool:
        return all(may_read(run, *each, player) for each in holders) and all(
            may_name(run, each, player) for each in things
        )

    return reads


def _things(value: Any) -> list[Instance]:
    """The instances that a value of a message names."""
    named = value if isinstance(value, tuple) else (value,)
    return [each for each in named if isinstance(each, Instance)]


def _fail(c: Compiler, node: p.Fail) -> Closure:
    tell, site = _message_for_players(c, node.message), c.site(node.span)

    def code(run: Run, frame: Frame) -> Any:
        words, messages = tell(run, frame)
        raise Failed(words, site, messages=messages)

    return code


def _cancel(c: Compiler, node: p.Cancel) -> Closure:
    tell, effect, site = _message_for_players(c, node.message), node.effect, c.site(node.span)
    if effect is None or effect == "all":

        def stop(run: Run, frame: Frame) -> Any:
            # Without an action, in a verb that a turn or a setup calls, nothing but the transaction can fail.
            key = run.running[-1].unnamed if effect is None and run.running else "all"
            if key != "all" and key in run.running[-1].cancelled:
                return
            words, messages = tell(run, frame)
            raise Cancelled(key, words, site, messages)

        return stop

    def code(run: Run, frame: Frame) -> None:
        if not run.running:
            return
        running = run.running[-1]
        # A verb may name an effect that the calling action does not have.
        if effect not in running.names or effect in running.cancelled:
            return
        if effect in running.begun:
            words, messages = tell(run, frame)
            raise Cancelled(effect, words, site, messages)
        running.cancelled.add(effect)

    return code


def _pass(c: Compiler, node: p.Pass) -> Closure:
    player = None if node.player is None else c.value(node.player)
    phase = None if node.phase is None else c.expression(node.phase)
    if player is None and phase is None:

        def bare(run: Run, frame: Frame) -> None:
            run.pending = BARE

        return bare

    def code(run: Run, frame: Frame) -> None:
        who = None if player is None else player(run, frame)
        where = FIRST if phase is None else phase(run, frame)
        run.pending = (who, where)

    return code


def _use_turn(c: Compiler, turn: str) -> Closure:
    index = next(place for place, each in enumerate(c.world.program.turns) if each.name == turn)

    def code(run: Run, frame: Frame) -> None:
        run.use_turn = index

    return code


def _move(c: Compiler, node: p.Move) -> Closure:
    with c.storing_in(node.to):
        what, to = c.value(node.what), c.expression(node.to)
    site = c.site(node.span)

    def code(run: Run, frame: Frame) -> None:
        piece = what(run, frame)
        moving.move(run, piece, to(run, frame), frame[PLAYER], site)

    return code


def _end(c: Compiler, node: p.End) -> Closure:
    values = [c.expression(value) for value in node.values]
    kind, site = node.kind, c.site(node.span)

    def code(run: Run, frame: Frame) -> None:
        given: list[Any] = []
        for value in values:
            item = value(run, frame)
            if isinstance(item, tuple):
                pay(run, len(item), site)
            given += item if isinstance(item, tuple) else [item]
        if None in given:
            word = "payoff" if kind == "finish" else "player"
            run.fault("TG0501", f"the result has a {word} that is none", site)
        if kind == "draw" and not given:
            given = list(range(run.world.players))
        if kind == "win" and not given:
            run.fault("TG0515", "`win` names no player", site)
        if run.ended is not None:
            return  # an action triggered by the end of the game
        run.ended = (kind, tuple(given) if kind == "finish" else tuple(sorted(set(given))))
        if run.trace is not None:
            run.note(f"{kind} {text_of(run, run.ended[1])}")
        raise GameEnded

    return code


def _out(c: Compiler, node: p.Out) -> Closure:
    player = c.value(node.player)

    def code(run: Run, frame: Frame) -> None:
        run.cells[OUT] = tuple(sorted({*run.cells[OUT], player(run, frame)}))

    return code


def _back_in(c: Compiler, node: p.BackIn) -> Closure:
    player = c.value(node.player)

    def code(run: Run, frame: Frame) -> None:
        back = player(run, frame)
        run.cells[OUT] = tuple([each for each in run.cells[OUT] if each != back])

    return code


def _link(c: Compiler, node: p.Link) -> Closure:
    first, second = c.value(node.first), c.value(node.second)
    there = None if node.there is None else c.value(node.there)
    back = None if node.back is None else c.value(node.back)
    site = c.site(node.span)

    def code(run: Run, frame: Frame) -> None:
        start, end = first(run, frame), second(run, frame)
        cost = (1.0 if there is None else there(run, frame)) if node.adds else None
        moving.link(run, start, end, cost, site)
        if node.both_ways:
            cost = (1.0 if back is None else back(run, frame)) if node.adds else None
            moving.link(run, end, start, cost, site)

    return code


def _attach(c: Compiler, node: p.Attach) -> Closure:
    player, kind = c.value(node.player), c.world.kind[node.construct]
    site = c.site(node.span)

    def code(run: Run, frame: Frame) -> None:
        to = player(run, frame)
        if kind.construct.kind is p.ConstructKind.GROUP_STATE:
            moving.attach(run, run.memory.families[kind.index][0], to, frame[PLAYER])
        elif local_state(run, kind.name, to, site) is None:
            moving.assign(run, create(run, kind, site, (), to), to, frame[PLAYER])

    return code
