"""docs/language.md is complete: corpus folders, events, words, spellings, library members and codes."""

import re
from pathlib import Path

import pytest

from ludograph import games
from ludograph.play.appearance_words import COLOURS, NAMED_KEYS, STYLES, SYMBOLS
from ludograph.tgdl.check import frontend
from ludograph.tgdl.check.appearance.hints import HINTS
from ludograph.tgdl.program.events import EVENTS
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS, SPELLINGS
from ludograph.tgdl.reference import refused_conditions as explain
from ludograph.tgdl.syntax.parser.stream import RESERVED
from ludograph.tgdl.testing import running
from ludograph.tgdl.world import faults
from tests.markdown import FENCE

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
GRAMMAR = (ROOT / "docs" / "grammar.txt").read_text(encoding="utf-8")
FOLDERS = sorted(path.name for path in (ROOT / "tests" / "language").iterdir() if any(path.glob("*.tgdl")))
CASES = re.compile(r"\[\w+\]\(\.\./tests/language/(\w+)\)")

# Some receivers are named, all others have an article.
RECEIVERS = {Receiver.PLAYERS: "`players`", Receiver.GAME: "`game`", Receiver.NOTHING: "(nothing)"}

LISTED_WORDS = ("colours", "symbols")


def sections(level: str = "##") -> dict[str, str]:
    """The sections by their headings, without code blocks."""
    found: dict[str, str] = {}
    for part in re.split(rf"^{level} ", FENCE.sub("", TEXT), flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        found[heading] = body
    return found


def codes_in(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def rows(text: str) -> list[list[str]]:
    """The cells of the tables of a section, without the header rows."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if not all(set(cell) <= set("-") for cell in row)]


def test_every_section_names_the_cases_that_prove_it() -> None:
    reference = TEXT.partition("\n# Appendix\n")[0]
    headings = [heading for heading in sections() if f"\n## {heading}\n" in reference]
    assert [heading for heading in headings if not CASES.search(sections()[heading])] == []


def test_every_folder_of_cases_is_named() -> None:
    assert sorted(set(CASES.findall(TEXT))) == FOLDERS


def test_the_keywords_are_those_of_the_grammar() -> None:
    reserved, by_place, _ = sections()["Keywords"].split("\n\nThe")
    productions = GRAMMAR[GRAMMAR.index("\nfile = ") :]
    words = set(re.findall(r'"([a-z]\w*)"', productions))
    assert set(codes_in(reserved)) == RESERVED
    assert set(codes_in(by_place.partition(":")[2])) == words - RESERVED


def test_the_accepted_spellings_are_those_of_the_grammar_and_the_library() -> None:
    listed: dict[str, str] = {}
    for row in rows(sections()["Accepted spellings"])[1:]:
        listed |= {row[0]: row[1], row[3]: row[4]}
    documented = {
        re.sub(r"[`\\]", "", written): usual.strip("`") for written, usual in listed.items() if written
    }
    table = GRAMMAR.partition("Accepted with a hint")[2].partition("A row or link")[0]
    signs, usual = "&& || ! mod", "and or not %"
    expected = dict(zip(signs.split(), usual.split(), strict=True)) | SPELLINGS
    assert re.search(rf"{re.escape(signs)} +{re.escape(usual)}", table)
    for line in table.splitlines()[2:]:
        words = re.split(r" {2,}", line.strip())
        expected |= dict(zip(words[::2], words[1::2], strict=False))
    expected |= {"winner": "win"}
    expected.pop("return T; as a part of a verb", None)
    assert documented == expected


@pytest.mark.parametrize("receiver", Receiver, ids=lambda receiver: receiver.value)
def test_the_library_is_listed(receiver: Receiver) -> None:
    article = "an" if receiver.value[0] in "aeiou" else "a"
    label = RECEIVERS.get(receiver, f"{article} {receiver.value}")
    listed = {row[0]: row[1] for row in rows(sections()["Library"])}
    members = {
        name if any(member.least is None for member in forms) else f"{name}()"
        for name, forms in MEMBERS[receiver].items()
    }
    assert set(codes_in(listed[label])) == members


def test_the_events_are_listed_with_their_fields() -> None:
    events = {row[1]: row[2] for row in rows(sections("###")["Events"])[1:]}
    listed = {
        kind: [] if fields.startswith("–") else codes_in(fields)
        for kinds, fields in events.items()
        for kind in codes_in(kinds)
    }
    assert listed == {kind: [name for name, _ in event.fields] for (_, kind), event in EVENTS.items()}


def test_the_codes_are_listed_with_what_they_mean() -> None:
    listed = {row[0]: row[1] for row in rows(sections()["Diagnostics"])[1:]}
    codes = {**games.CODES, **frontend.CODES, **faults.CODES, **explain.CODES, **running.CODES}
    assert listed == {code: meaning.removeprefix("hint: ") for code, meaning in sorted(codes.items())}


def test_the_words_of_appearances_are_listed() -> None:
    text = sections()["Appearance"]
    listed = {row[0].strip("`"): row[1] for row in rows(text)}
    assert set(listed) - {"hint", "style"} == set(HINTS) - {"style"} | set(STYLES)
    assert {name: listed[name] for name in STYLES} == dict(STYLES)
    assert set(codes_in(listed["key"])) == NAMED_KEYS
    colours, symbols = (text.partition(f"The {words} are ")[2].partition(".\n")[0] for words in LISTED_WORDS)
    assert codes_in(colours) == list(COLOURS)
    assert codes_in(symbols) == sorted(SYMBOLS)
