"""Nothing of the language is without a program: the grammar, its words, the events and the library."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

import ludograph.games
from ludograph.text import Source
from ludograph.tgdl.program import Trigger, When
from ludograph.tgdl.program.events import EVENTS, OFFERS, About
from ludograph.tgdl.program.operations import MEMBERS, SPELLINGS, Operation
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser.stream import RESERVED
from ludograph.tgdl.world.faults import CODES as FAULTS
from tests.language.derivations import WRITTEN, Page, Used
from tests.language.runner import Case, cases
from tests.tgdl.syntax.grammar_texts import PAGE, Chain, Choice, Literal, Repeat, Rule, read_grammar

GRAMMAR = read_grammar(PAGE.read_text(encoding="utf-8"))
SHELF = sorted(Path(ludograph.games.__file__).parent.glob("*.tgdl"))


@cache
def sound_cases() -> tuple[Case, ...]:
    """The programs without errors."""
    return tuple(case for case in cases() if case.check()[0] is not None)


def parts_of(node: object) -> Iterator[object]:
    """A node of a checked program and all that is in it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from parts_of(item)
    elif isinstance(node, Struct):
        for name in node.__struct_fields__:
            yield from parts_of(getattr(node, name))


@cache
def played_parts() -> tuple[frozenset[Operation], tuple[Trigger, ...]]:
    """The operations and the triggers of all programs that are played."""
    operations: set[Operation] = set()
    triggers: list[Trigger] = []
    for case in sound_cases():
        program, _ = case.check()
        if program is None or not case.is_played:
            continue
        for part in parts_of(program):
            if isinstance(part, Operation):
                operations.add(part)
            elif isinstance(part, Trigger):
                triggers.append(part)
    return frozenset(operations), tuple(triggers)


# The grammar


@cache
def used() -> Used:
    """What the programs use of the page; no more are looked at when that is everything."""
    page = Page(GRAMMAR)
    found: Used = set()
    for case in reversed(sound_cases()):  # the folder `text` has one for every rare form
        for file in case.files:
            found |= page.derive(file.text)
        if found >= everything():
            break
    return found


def everything() -> Used:
    choices = (choice for rule in GRAMMAR.values() for choice in choices_of(rule))
    return {*GRAMMAR, *((id(choice), index) for choice in choices for index in range(len(choice.options)))}


def choices_of(rule: Rule) -> Iterator[Choice]:
    match rule:
        case Choice(options):
            yield rule
            for option in options:
                yield from choices_of(option)
        case Chain(items):
            for item in items:
                yield from choices_of(item)
        case Repeat(item):
            yield from choices_of(item)
        case _:
            pass


def literals_of(rule: Rule) -> Iterator[Literal]:
    match rule:
        case Literal():
            yield rule
        case Choice(items) | Chain(items):
            for item in items:
                yield from literals_of(item)
        case Repeat(item):
            yield from literals_of(item)
        case _:
            pass


def spelling_of(rule: Rule) -> str:
    """The words and signs of a rule, one behind the other."""
    return " ".join(literal.text for literal in literals_of(rule))


def forms() -> dict[str, set[tuple[int, int]]]:
    """Every word of the page that may be a name too, every event and arrow: where it stands on the page."""
    found: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for rule in GRAMMAR.values():
        for literal in literals_of(rule):
            if literal.text.isidentifier() and literal.text not in RESERVED:
                found[literal.text].add((id(literal), WRITTEN))
    for name in ("event_kind", "arrow"):
        choice = GRAMMAR[name]
        assert isinstance(choice, Choice)
        for index, option in enumerate(choice.options):
            found[f"{name}: {spelling_of(option)}"].add((id(choice), index))
    return found


def test_a_text_uses_what_it_is_derived_by() -> None:
    page = Page(GRAMMAR)
    found = {each for each in page.derive("setup { draw; }") if isinstance(each, str)}
    assert found == {"file", "declaration", "setup", "block", "statements", "statement", "draw"}
    assert page.derive("setup { draw draw; }") == set()


def test_every_production_of_the_grammar_is_used() -> None:
    assert [name for name in GRAMMAR if name not in used()] == []


def test_every_choice_of_the_grammar_is_used() -> None:
    missing = [
        f"{name}: {option}"
        for name, rule in GRAMMAR.items()
        for choice in choices_of(rule)
        for index, option in enumerate(choice.options)
        if (id(choice), index) not in used()
    ]
    assert missing == []


def test_every_word_of_the_language_is_used_in_two_sections_or_games() -> None:
    texts = [(case.path.parent.name, file) for case in sound_cases() for file in case.files]
    texts += [(path.name, Source(path.read_text(encoding="utf-8"))) for path in SHELF]
    page, known = Page(GRAMMAR), forms()
    words = {literal.text for rule in GRAMMAR.values() for literal in literals_of(rule)}
    places: dict[str, set[str]] = {form: set() for form in {*words, *known}}
    for place, source in sorted(texts, key=lambda one: len(one[1].text)):  # short ones are quickly derived
        pieces = set(tokenize(source).pieces)
        for word in pieces & (words - known.keys()):
            places[word].add(place)
        sought = {
            form: uses
            for form, uses in known.items()
            if len(places[form]) < 2
            and place not in places[form]
            and pieces.issuperset(form.rpartition(": ")[2].split())
        }
        if sought:  # a name that is spelt like a word does not count: the derivation tells
            used_here = page.derive(source.text)
            for form, uses in sought.items():
                if used_here & uses:
                    places[form].add(place)
    assert {form: found for form, found in places.items() if len(found) < 2} == {}


# Events


def about_of(trigger: Trigger) -> set[About]:
    """What an event is about; only phases are of two kinds."""
    found = {about for about, kind in EVENTS if kind == trigger.event}
    if len(found) > 1:
        return {About.ACTION_PHASE if trigger.actions else About.TURN_PHASE}
    return found


def test_every_event_is_heard_and_each_of_its_fields_read() -> None:
    _, triggers = played_parts()
    heard: dict[tuple[About, str], set[str]] = {}
    for trigger in triggers:
        for about in about_of(trigger):
            heard.setdefault((about, trigger.event), set()).update(name for name, _ in trigger.fields)
    assert [key for key in EVENTS if key not in heard] == []
    unread = [
        (about.value, kind, name)
        for (about, kind), event in EVENTS.items()
        for name, _ in event.fields
        if name not in heard[about, kind]
    ]
    assert unread == []


def test_every_event_that_runs_actions_is_heard_before_at_once_and_after() -> None:
    _, triggers = played_parts()
    heard = {(trigger.event, trigger.when) for trigger in triggers}
    expected = {
        (kind, when)
        for _, kind in EVENTS
        for when in When
        if kind not in OFFERS and kind not in ("stuck", "start", "end")
    }
    assert sorted((kind, when.value) for kind, when in expected - heard) == []


# The library


def test_every_operation_of_the_library_is_played() -> None:
    operations, _ = played_parts()
    assert [operation.name for operation in Operation if operation not in operations] == []


def test_every_name_of_the_library_is_written_in_a_played_program() -> None:
    words: set[str] = set()
    for case in sound_cases():
        if case.is_played:
            for file in case.files:
                words.update(tokenize(file).pieces)
    names = {name for members in MEMBERS.values() for name in members} | set(SPELLINGS)
    assert sorted(names - words) == []


# What goes wrong


def test_every_runtime_error_is_expected_somewhere() -> None:
    expected = {one.code for case in sound_cases() for one in case.expectations if one.kind == "fault"}
    assert sorted(set(FAULTS) - expected) == []
