"""Parser of triggers: events, phases, names, timing, conditions and words for players."""

from ludograph.text.spelling import FOREIGN_EVENTS
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.messages import expect_words
from ludograph.tgdl.syntax.parser.statements import parse_block
from ludograph.tgdl.syntax.parser.stream import TokenStream, suggestion

EVENT_KINDS = {kind.value: kind for kind in tree.EventKind}
# Other words for events, and the usual ones.
RESPELT_KINDS = {"disactivation": "deactivation", "transfer": "transferred", "move": "movement"}
TIMINGS = {timing.value: timing for timing in tree.Timing}
# Words that may follow an event. Any other word belongs to the event.
EVENT_ENDS = frozenset(("in", "for", "else", *TIMINGS))
# Keywords of the constructs that may have actions.
CONSTRUCTS = ("state", "tile", "interactable", "stack", "group")


def parse_trigger(stream: TokenStream) -> tree.Trigger:
    """`trigger on … in phases for name timing`, with a block or a semicolon."""
    start = stream.start()
    stream.at += 1
    event = maybe_event(stream)
    phases: list[tree.Path] = []
    name = timing = None
    while stream.kinds[stream.at] is TokenKind.WORD:
        text = stream.texts[stream.at]
        if text == "in":
            stream.at += 1
            phases.append(stream.expect_path("a phase"))
            while stream.maybe(","):
                phases.append(stream.expect_path("a phase"))
        elif text == "for":
            once(stream, name)
            name = maybe_for(stream)
        elif text in TIMINGS:
            once(stream, timing)
            timing = TIMINGS[text]
            stream.at += 1
        else:
            break
    body = parse_block(stream, has_result=True) if stream.next_is("{") else None
    if body is None and event is None and not stream.is_broken:
        stream.error("TG0204", f"expected 'on' and an event, or '{{', found {stream.found()}")
    has_words = stream.next_is("else")
    words = expect_words(stream)
    if body is None and not has_words:
        stream.expect_semicolon()
    return tree.Trigger(event, tuple(phases), name, timing, body, stream.span_from(start), words)


def maybe_event(stream: TokenStream) -> tree.Event | None:
    """`on target kind`, or an old form; None if a trigger without an event begins here."""
    if stream.kinds[stream.at] is not TokenKind.WORD or stream.texts[stream.at] in EVENT_ENDS:
        return None
    start = stream.start()
    if stream.maybe("on"):
        return parse_event(stream, start)
    return _parse_old_event(stream, start)


def parse_event(stream: TokenStream, start: int) -> tree.Event | None:
    """An event after `on`."""
    is_kind = stream.texts[stream.at] in EVENT_KINDS or stream.texts[stream.at] in RESPELT_KINDS
    alone = is_kind and not _goes_on(stream, stream.at + 1)
    if alone or f"{stream.texts[stream.at]} {stream.text_at(stream.at + 1)}" in EVENT_KINDS:
        kind = maybe_event_kind(stream)
        assert kind is not None
        return tree.Event(None, kind, stream.span_from(start))
    target = stream.expect_path("the target of the event")
    kind = maybe_event_kind(stream)
    if kind is None and target.text == "action":
        kind = tree.EventKind.CALL
    if kind is None:
        _report_unknown_event(stream)
        return None
    return tree.Event(target, kind, stream.span_from(start))


def _goes_on(stream: TokenStream, index: int) -> bool:
    """Whether a word at `index` still belongs to the event."""
    return stream.text_at(index) == "." or (stream.is_word(index) and stream.text_at(index) not in EVENT_ENDS)


def maybe_event_kind(stream: TokenStream) -> tree.EventKind | None:
    """The kind of an event, in one or two words."""
    text = stream.texts[stream.at]
    two = f"{text} {stream.text_at(stream.at + 1)}"
    if two in EVENT_KINDS:
        stream.at += 2
        return EVENT_KINDS[two]
    if text in RESPELT_KINDS:
        stream.respell(stream.at, text := RESPELT_KINDS[text])
    if text not in EVENT_KINDS:
        return None
    stream.at += 1
    kind = EVENT_KINDS[text]
    if kind in (tree.EventKind.DRAW, tree.EventKind.PUT) and stream.next_is("card"):
        stream.spelling.instead[stream.at] = ""
        stream.report("TG0253", f"'card' is superfluous after '{text}'", stream.here(), "remove it", "hint")
        stream.at += 1
    return kind


def _report_unknown_event(stream: TokenStream) -> None:
    if not _goes_on(stream, stream.at):
        stream.error(
            "TG0211", f"expected an event, found {stream.found()}", hint="for example: choice, change"
        )
        return
    text = stream.texts[stream.at]
    meant = FOREIGN_EVENTS.get(text) or suggestion(text, EVENT_KINDS)
    hint = f"did you mean '{meant}'?" if meant else f"the events are {', '.join(EVENT_KINDS)}"
    stream.error("TG0211", f"unknown event {stream.found()}", hint=hint)
    while _goes_on(stream, stream.at):
        stream.at += 1


def _parse_old_event(stream: TokenStream, start: int) -> tree.Event | None:
    """`movement m`, `change seat.points`, `seat.play`, `seat.play.first`."""
    first, following = stream.at, stream.text_at(stream.at + 1)
    respelt: dict[int, str] = {}
    if stream.texts[stream.at] in EVENT_KINDS and stream.is_word(stream.at + 1):
        kind = maybe_event_kind(stream)
        assert kind is not None
        respelt = dict.fromkeys(range(first, stream.at), "") | {first: "on"}
        target = stream.expect_path("the target of the event")
    elif following == ".":
        target = stream.expect_path("the target of the event")
        is_phase = len(target.words) != 2 or _names_phase(stream, *target.words)
        kind = tree.EventKind.ACTIVE if is_phase else tree.EventKind.CALL
    else:
        hint = f"write trigger on {stream.texts[stream.at]}"
        stream.error("TG0204", f"expected 'on' before the event, found {stream.found()}", hint=hint)
        return parse_event(stream, start)
    stream.spelling.instead.update(respelt)
    if not respelt:
        stream.spelling.before[first] = "on"
    stream.spelling.after[stream.at - 1] = kind.value
    span = stream.span_from(start)
    usual = f"on {target.text} {kind.value}"
    stream.report("TG0253", "this old spelling of an event is accepted", span, f"write {usual}", "hint")
    return tree.Event(target, kind, span)


def _names_phase(stream: TokenStream, owner: tree.Word, phase: tree.Word) -> bool:
    """Whether `a.y` is a phase of a turn or of an action at the top, and not an action of a construct."""
    declared = stream.token_pairs()
    if ("phase", phase.text) not in declared or any((kind, owner.text) in declared for kind in CONSTRUCTS):
        return False
    return ("action", owner.text) in declared or ("turn", owner.text) in declared


def maybe_for(stream: TokenStream) -> tree.Word | None:
    """`for name`, or None; also `fro name` before the block of a part."""
    if stream.text_at(stream.at + 2) == "{" and suggestion(stream.texts[stream.at], ("for",)):
        stream.correct("TG0204", f"expected '{{', found {stream.found()}", "for")
        stream.texts[stream.at] = "for"
    return stream.expect_name("a group of parts") if stream.maybe("for") else None


def once(stream: TokenStream, before: object) -> None:
    if before is not None:
        stream.error_recovered("TG0214", f"{stream.found()} contradicts an earlier modifier")
