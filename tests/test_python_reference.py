"""docs/python.md describes every exported name and every member of the public API, each with an example.

The heading of a section is the name that it describes: `### State`, `### hexil.Match`. Its table has a row
for each member, with the parameters of methods. `tests/test_docs.py` runs the examples.
"""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import is_typeddict

import pytest

import ludograph
from ludograph import hexil
from tests.markdown import blocks

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")

EXPORTED: dict[str, object] = {
    **{name: getattr(ludograph, name) for name in ludograph.__all__ if name != "hexil"},
    **{f"hexil.{name}": getattr(hexil, name) for name in hexil.__all__},
}

INTERNAL: dict[str, set[str]] = {
    "BadOption": {"site"},
    "Game": {"fuel", "program", "sample", "world"},
    "Move": {"named_later", "source"},
    "hexil.Match": {"from_played"},
}
"""Members for engines and commands only."""

PROPERTIES = {"asked", "is_over", "legal_moves", "payoffs", "record", "result"}


@dataclass(frozen=True, slots=True)
class Section:
    """The description of one name on the page."""

    text: str
    signature: str | None
    """The parameters of a function."""
    members: dict[str, str | None]
    """By name: the parameters of a method, None for any other member."""
    examples: str


def sections() -> dict[str, Section]:
    parts = re.split(r"^#{2,3} (.+)$", PAGE, flags=re.MULTILINE)
    return {
        heading: _section(heading, text)
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
        if f"\n### {heading}\n" in PAGE
    }


def _section(heading: str, text: str) -> Section:
    rows = re.findall(r"^\| `(\w+)(?:\((.*?)\))?` \|", text, re.MULTILINE)
    calls = re.findall(r"^\| `\w+\(", text, re.MULTILINE)
    members = dict(rows)
    methods = {call.removeprefix("| `").removesuffix("(") for call in calls}
    signature = re.search(rf"`{re.escape(heading)}\(([^`]*)\)`", text)
    return Section(
        text,
        None if signature is None else " ".join(signature[1].split()),
        {name: given if name in methods else None for name, given in members.items()},
        "\n".join(block.text for block in blocks(text) if block.language == "pycon"),
    )


def public_members(kind: type) -> set[str]:
    """Methods, properties and attributes of a class and of its base classes in Ludograph."""
    found: set[str] = set()
    for each in kind.__mro__:
        if each.__module__.startswith("ludograph."):
            found |= {name for name in vars(each) if not name.startswith("_")}
            found |= set(_attributes(each))
    return found


def _attributes(kind: type) -> Iterator[str]:
    if dataclasses.is_dataclass(kind):
        yield from (field.name for field in dataclasses.fields(kind))
    elif inspect.isfunction(vars(kind).get("__init__")):
        source = textwrap.dedent(inspect.getsource(vars(kind)["__init__"]))
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Attribute(ast.Name("self"), name, ast.Store()) if not name.startswith("_"):
                    yield name
                case _:
                    pass


_STARS: dict[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def parameters(function: object) -> list[str]:
    """The names of the parameters with their stars, and a star before keyword-only parameters."""
    assert callable(function)
    written: list[str] = []
    for each in inspect.signature(function).parameters.values():
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and "*" not in written:
            written.append("*")
        written.append(_STARS.get(each.kind, "") + each.name)
    return written


def written_parameters(text: str) -> list[str]:
    arguments = ast.parse(f"def call({text}): pass").body[0]
    assert isinstance(arguments, ast.FunctionDef)
    given = arguments.args
    names = [each.arg for each in given.args]
    if given.vararg is not None:
        names.append(f"*{given.vararg.arg}")
    if given.kwonlyargs:
        names += ["*", *(each.arg for each in given.kwonlyargs)]
    return [*names, f"**{given.kwarg.arg}"] if given.kwarg is not None else names


SECTIONS = sections()
CLASSES = [name for name, value in EXPORTED.items() if inspect.isclass(value) and not is_typeddict(value)]
FUNCTIONS = [name for name, value in EXPORTED.items() if inspect.isfunction(value)]


def test_the_page_describes_what_is_exported_and_nothing_else() -> None:
    assert sorted(SECTIONS) == sorted(EXPORTED)


@pytest.mark.parametrize("name", CLASSES)
def test_the_page_describes_every_member_of_a_class(name: str) -> None:
    kind = EXPORTED[name]
    assert isinstance(kind, type)
    wanted = public_members(kind) - INTERNAL.get(name, set())
    described = set(SECTIONS[name].members)
    inherited = {each for each in wanted if each not in vars(kind)}
    if not described and "members of `TextError`" in SECTIONS[name].text:
        assert wanted == inherited
    else:
        assert described == wanted


@pytest.mark.parametrize("name", CLASSES)
def test_methods_are_described_with_their_parameters_and_nothing_else_is(name: str) -> None:
    kind = EXPORTED[name]
    for member, given in SECTIONS[name].members.items():
        value = getattr(kind, member, None)
        is_method = inspect.isfunction(value) or inspect.ismethod(value)
        assert (given is not None) == is_method, f"{name}.{member}"
        if given is not None:
            assert written_parameters(given) == parameters(value), f"{name}.{member}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_described_with_their_parameters(name: str) -> None:
    signature = SECTIONS[name].signature
    assert signature is not None, f"the section of {name} says how to call it"
    assert written_parameters(signature) == parameters(EXPORTED[name])


@pytest.mark.parametrize("name", EXPORTED)
def test_everything_has_an_example(name: str) -> None:
    section, kind = SECTIONS[name], EXPORTED[name]
    assert section.examples
    if not (inspect.isclass(kind) and issubclass(kind, Enum)):
        missing = [each for each in section.members if not re.search(rf"\.{each}\b", section.examples)]
        assert missing == []


@pytest.mark.parametrize("name", ["State", "hexil.Match"])
def test_a_running_game_has_these_properties_and_no_others(name: str) -> None:
    kind = EXPORTED[name]
    assert isinstance(kind, type)
    members = public_members(kind) - INTERNAL.get(name, set())
    found = {each for each in members if isinstance(inspect.getattr_static(kind, each, None), property)}
    assert found == PROPERTIES


def test_a_running_game_has_no_hash() -> None:
    for state in (ludograph.load("tic-tac-toe").new(), hexil.Match.new(players=2, beginners=True)):
        with pytest.raises(TypeError, match="unhashable"):
            hash(state)


def test_a_state_and_a_match_share_their_main_members() -> None:
    shared = {*PROPERTIES, "copy", "legal_moves_of", "pop", "push", "question", "view", "why_not"}
    assert shared <= public_members(ludograph.State) & public_members(hexil.Match)


def test_what_is_exported_can_be_found() -> None:
    assert set(ludograph.__all__) <= set(dir(ludograph))
    with pytest.raises(AttributeError, match="module 'ludograph' has no attribute 'nothing'"):
        _ = ludograph.nothing


def test_old_names_are_gone() -> None:
    state, match = public_members(ludograph.State), public_members(hexil.Match)
    assert not state & {"play", "undo", "moves", "choosers", "settle", "plans"}
    assert not match & {"play", "undo", "legal_actions", "actions_of"}
    assert not hasattr(hexil, "Game") and not hasattr(hexil, "LegalActions")
