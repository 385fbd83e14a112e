"""Explaining a refusal: why a move cannot be played now, with the condition that says so and what it saw."""

from dataclasses import dataclass
from typing import Any

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.interpreter.actions import new_frame
from ludograph.tgdl.interpreter.asking import unfiltered
from ludograph.tgdl.interpreter.faults import Failed, Fault, NeedChoice, Site
from ludograph.tgdl.interpreter.instances import in_play, owner_of
from ludograph.tgdl.interpreter.naming import action_text, text_of
from ludograph.tgdl.interpreter.run import Run
from ludograph.tgdl.interpreter.world import Offer
from ludograph.tgdl.memory import PHASE, SWITCHED, SWITCHES, Instance
from ludograph.tgdl.program import ConstructKind


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not: a message, the condition in the author's words, where it stands, and the values it saw."""

    message: str
    words: str = ""
    span: Span | None = None
    seen: tuple[tuple[str, str], ...] = ()
    diagnostic: Diagnostic | None = None

    @staticmethod
    def of(run: Run, failed: Failed) -> "Refusal":
        return Refusal(
            failed.message,
            failed.words,
            failed.site.span,
            failed.seen,
            _diagnostic(run, failed.message, failed.site),
        )

    def __str__(self) -> str:
        values = ", ".join(f"{name} is {value}" for name, value in self.seen)
        return f"{self.message} ({values})" if values else self.message


def refusal_of(
    run: Run, text: str, choosers: tuple[int, ...], message: str, known: Refusal | None
) -> Refusal:
    """Look for the action that a text means, and say what stands against it."""
    head = text.partition("(")[0].strip()
    for chooser in choosers:
        for offer in run.world.offers:
            deed = run.world.deeds[offer.deed]
            owners: tuple[Instance | None, ...] = (
                (None,) if deed.action.owner is None else in_play(run, deed.action.owner)
            )
            for this in owners:
                if this is not None and this.kind.construct.kind is ConstructKind.LOCAL:
                    if owner_of(run, this) != chooser:
                        continue
                if action_text(run, (offer.deed, this, offer.part)) == head:
                    found = _against(run, offer, this, chooser)
                    if found is not None:
                        return found
    return known or Refusal(message)


def refused_by_filter(run: Run, need: NeedChoice, text: str) -> Refusal | None:
    """The filter that refuses a value; None if it is no candidate for another reason."""
    if need.origin is None:
        return None
    asker, frame = need.origin
    slot = asker.input.slot if asker.input.filter_slot is None else asker.input.filter_slot
    run.is_pure += 1
    try:
        for value in unfiltered(run, asker, frame):
            if text_of(run, value) != text:
                continue
            frame[slot] = value
            for test in asker.conditions:
                if not test.code(run, frame):
                    seen = tuple((name, text_of(run, code(run, frame))) for name, code in test.reads)
                    message = f"'{asker.input.name}' must pass: {test.words}"
                    return Refusal(
                        message, test.words, test.site.span, seen, _diagnostic(run, message, test.site)
                    )
    except Fault:
        return None  # what it reads may be none; then the plain words must do
    finally:
        frame[slot] = None
        run.is_pure -= 1
    return None


def _against(run: Run, offer: Offer, this: Instance | None, player: int) -> Refusal | None:
    """What keeps a player from starting an action; None if nothing does."""
    deed = run.world.deeds[offer.deed]
    name = deed.action.name
    if offer.phases is not None and run.cells[PHASE] not in offer.phases:
        allowed = ", ".join(run.world.scenes[index].phase.name for index in sorted(offer.phases))
        now = run.world.scenes[run.cells[PHASE]].phase.name if run.cells[PHASE] is not None else "no phase"
        return Refusal(f"'{name}' is for the phase {allowed}; this is {now}", span=deed.call.site.span)
    if this is not None:
        owner = owner_of(run, this)
        if owner is not None and owner != player:
            return Refusal(f"{text_of(run, this)} belongs to player {owner}, not to player {player}")
    switched = run.cells[SWITCHED] if this is None else run.cells[this.extra + SWITCHES]
    if deed.action.index in switched:
        return Refusal(f"'{name}' is not allowed now")
    frame: list[Any] = new_frame(deed, this, player)
    run.is_pure += 1
    try:
        for test in deed.tests:
            if test.needs == 0 and test.name in (None, offer.part) and not test.code(run, frame):
                seen = tuple((word, text_of(run, code(run, frame))) for word, code in test.reads)
                message = f"this is required: {test.words}"
                return Refusal(
                    message, test.words, test.site.span, seen, _diagnostic(run, message, test.site)
                )
    finally:
        run.is_pure -= 1
    return None


def _diagnostic(run: Run, message: str, site: Site) -> Diagnostic:
    sources = run.world.program.sources
    source = sources[site.file] if site.file < len(sources) else Source("")
    return Diagnostic("TG0520", message, site.span, source=source)
