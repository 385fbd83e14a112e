"""Refusals of conditions: their words, their places, the failed parts and the values that these read."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.reference.inputs import Origin, unfiltered
from ludograph.tgdl.reference.naming import choice_of, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.seen_values import values_seen
from ludograph.tgdl.reference.transactions import Budget, TransactionOutcome, execute
from ludograph.tgdl.reference.visibility import may_name
from ludograph.tgdl.world.faults import Failed, Fault, NeedChoice, NothingToChoose, Site
from ludograph.tgdl.world.memory import Instance, Memory
from ludograph.tgdl.world.world import CompiledRequire, Explain, Explanation, Frame, World

REFUSED = "TG0520"
CODES = {REFUSED: "a move is refused"}
REQUIRED = "this is required"
MAX_TRIALS = 200
"""The greatest number of continuations that are tried to find out why all of them fail."""
MAX_FUEL = 1_000_000
MAX_REASONS = 4
MAX_EXAMPLES = 3
"""The greatest number of different reasons, and of values with the same reason, in one message."""


class Refusal(Struct, frozen=True):
    """The reason for a refusal: the words for players, the condition with its place, and an explanation."""

    message: str
    """What a player reads: the author's words, or else the reason."""
    words: str = ""
    """The author's words for this condition; "" if there are none."""
    reason: str = ""
    """The part of the condition that failed; with words, `message` does not contain it."""
    condition: str = ""
    """The source text of the condition."""
    span: Span | None = None
    """The place of the condition; `diagnostic` has it with its file."""
    seen: tuple[tuple[str, str], ...] = ()
    """The expressions that the failed part read, with their values; `?` if the player may not see one."""
    diagnostic: Diagnostic | None = None
    depth: int = 0
    """The number of choices of the move that were possible."""

    @property
    def explanation(self) -> str:
        """The reason with the values that the condition read."""
        values = ", ".join(f"{name} is {value}" for name, value in self.seen)
        reason = self.reason or self.message
        return f"{reason} ({values})" if values else reason

    def __str__(self) -> str:
        return self.words or self.explanation


def refused(outcome: TransactionOutcome, player: int) -> Refusal:
    """The refusal for a failed run: its message, and the values that its require read."""
    failed = outcome.failed
    assert failed is not None
    if failed.test is not None:
        lead = failed.message.removesuffix(f": {failed.test.words}")
        return refused_by(outcome.run, failed.test, failed.frame, player, lead)
    if isinstance(failed, NothingToChoose) and isinstance(failed.origin, Origin):
        return _nothing_fits(outcome.run, failed, failed.origin, player)
    message = failed.message if failed.messages is None else failed.messages[player]
    return at(outcome.run, message, failed.site)


def refused_by(
    run: Run, test: CompiledRequire, frame: Frame, player: int, lead: str, whole: str = ""
) -> Refusal:
    """The refusal of a condition: its words for players, and the part that failed.

    `whole` is the message if no part can be named and the condition is a block of statements, which is not
    readable on one line.
    """
    run.is_pure += 1
    found = Explanation() if test.explain is None else test.explain()(run, frame, player)
    seen = found.seen
    if seen is None:
        seen = tuple(values_seen(run, test.reads(), frame, player))
    run.is_pure -= 1
    reason = f"{lead}: {found.reason or test.words}"
    if whole and not found.reason and ";" in test.words:
        reason = whole
    refusal = at(run, found.words or reason, test.site, found.site)
    return replace(refusal, words=found.words, reason=reason, condition=test.words, seen=seen)


def with_words(
    run: Run,
    refusal: Refusal,
    words: Callable[[], Explain] | None,
    site: Site,
    frame: Frame,
    player: int,
) -> Refusal:
    """A refusal with the words of the input or the trigger at `site`, unless it has words already."""
    if words is None or refusal.words:
        return refusal
    text = words()(run, frame, player).words
    placed = at(run, text, site)
    return replace(
        refusal,
        message=text,
        words=text,
        reason=refusal.message,
        span=placed.span,
        diagnostic=placed.diagnostic,
    )


def at(run: Run, message: str, site: Site, part: Site | None = None) -> Refusal:
    """A refusal with the place of the condition, and of the part that failed if it is in a verb."""
    sources = run.world.program.sources
    source = sources[site.file] if site.file < len(sources) else Source("")
    notes: tuple[tuple[Span, str], ...] = ()
    if part is not None and part.file == site.file and not _contains(site.span, part.span):
        notes = ((part.span, "this part fails"),)
    diagnostic = Diagnostic(REFUSED, message, site.span, source=source, notes=notes)
    return Refusal(message, span=site.span, diagnostic=diagnostic)


def _contains(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


# All values fail


def incomplete(
    world: World, base: Memory, made: tuple[Any, ...], run: Run, need: NeedChoice, player: int, known: int
) -> Refusal:
    """The refusal of a move that lacks choices: why every way to complete it fails, if none can be played."""
    lacking = Refusal(f"the move is not complete: '{need.name}' is still to be chosen")
    budget = Budget(world)
    budget.left = min(budget.left, MAX_FUEL)
    found: list[tuple[str, Refusal]] = []
    waiting = [(choice_of(run, player, need, value).text, (*made, value)) for value in reversed(need.values)]
    for _ in range(MAX_TRIALS):
        if not waiting:
            return _common(f"every '{need.name}' fails", found) or lacking
        text, tried = waiting.pop()
        try:
            outcome = execute(world, base, tried, known=known, budget=budget)
        except Fault:
            return lacking  # playing the move shows the fault
        if outcome.failed is not None:
            found.append((text, refused(outcome, player)))
        elif outcome.need is None or outcome.need.chooser != player:
            return lacking
        else:
            waiting += [(text, (*tried, value)) for value in reversed(outcome.need.values)]
    return lacking


def _nothing_fits(run: Run, failed: Failed, origin: Origin, player: int) -> Refusal:
    """The refusal of an input without candidates: why its filters refuse every value."""
    prompt, frame = origin.prompt, list(origin.frame)
    plain = at(run, failed.message, failed.site)
    plain = with_words(run, plain, prompt.refusal, prompt.site, frame, player)
    # A secret list of candidates must not show.
    if prompt.input.is_picked or (prompt.source is not None and run.world.hides_values):
        return plain
    run.is_pure += 1
    try:
        found = list(_refused_values(run, origin, frame, player))
    except Fault:
        return plain
    finally:
        run.is_pure -= 1
    refusal = _common(failed.message, found)
    if refusal is None:
        return plain
    return with_words(run, refusal, prompt.refusal, prompt.site, frame, player)


def _refused_values(run: Run, origin: Origin, frame: Frame, player: int) -> Iterator[tuple[str, Refusal]]:
    prompt = origin.prompt
    slot = prompt.input.slot if prompt.input.filter_slot is None else prompt.input.filter_slot
    values = unfiltered(run, prompt, frame)
    if len(values) > MAX_TRIALS:
        return
    for value in values:
        frame[slot] = value
        test = next((test for test in prompt.conditions if not test.code(run, frame)), None)
        if test is not None:
            is_named = not isinstance(value, Instance) or may_name(run, value, player)
            text = text_of(run, value) if is_named else ""
            yield text, refused_by(run, test, frame, player, f"'{prompt.input.name}' must pass")


def _common(lead: str, found: Sequence[tuple[str, Refusal]]) -> Refusal | None:
    """One refusal for values that all fail: their common reason, or the reasons of some of them."""
    reasons: dict[str, list[str]] = {}
    for text, refusal in found:
        texts = reasons.setdefault(refusal.message, [])
        if text not in texts:
            texts.append(text)
    if not reasons:
        return None
    first = found[0][1]
    if len(reasons) == 1:
        reason = f"{lead}: {first.reason or first.message}"
        return replace(first, message=first.words or reason, reason=reason)
    if any(not text for texts in reasons.values() for text in texts):
        return None  # a value that the player may not see
    listed = [f"{_examples(texts)}: {message}" for message, texts in reasons.items()]
    more = "; …" if len(listed) > MAX_REASONS else ""
    return Refusal(f"{lead}: {'; '.join(listed[:MAX_REASONS])}{more}")


def _examples(texts: list[str]) -> str:
    return ", ".join(texts[:MAX_EXAMPLES]) + (", …" if len(texts) > MAX_EXAMPLES else "")
