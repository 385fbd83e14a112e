"""Runs the examples of the documentation and checks its links.

In README.md and docs/*.md, blocks marked `python` are executed and `pycon` blocks are compared as doctests,
with one namespace for each file. In `console` blocks the lines after `$` are run and the lines after them are
compared; `...` matches anything. The examples of a file run in one temporary folder, a copy of docs/examples.
A command that fails must be followed by `$ echo $?`. tests/game_examples.py runs the blocks `tgdl`,
`diagnostics` and `play`. Blocks in other languages, such as `sh`, are not run.
"""

import doctest
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from ludograph.notation import hsn
from ludograph.render import svg
from tests.console import LUDOGRAPH, Console
from tests.game_examples import GameExamples
from tests.markdown import Block, anchors, blocks, links

ROOT = Path(__file__).resolve().parent.parent
WITH_EXAMPLES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run_examples(document: str, name: str, console: Console) -> list[str]:
    """Run the examples of a document in order; return all differences from the expected results."""
    module = types.ModuleType("example")
    sys.modules["example"] = module
    games = GameExamples(console.folder)
    found: list[str] = []
    all_blocks = blocks(document)
    for number, block in enumerate(all_blocks):
        place = f"{name}:{block.line}"
        if block.language == "python":
            # The blank lines before it make tracebacks point into the document.
            exec(compile("\n" * block.line + block.text, name, "exec"), module.__dict__)
        elif block.language == "pycon":
            found += _run_doctest(block, place, module)
        elif block.language == "console":
            found += [f"{place}: {problem}" for problem in console.differences(block.text)]
        elif block.language == "tgdl":
            after = all_blocks[number + 1] if number + 1 < len(all_blocks) else None
            shown = after.text if after is not None and after.language == "diagnostics" else None
            found += [f"{place}: {each}" for each in games.check(block.text, block.attributes, shown)]
        elif block.language == "play":
            found += [f"{place}: {problem}" for problem in games.play(block.text)]
        elif block.language == "diagnostics" and (not number or all_blocks[number - 1].language != "tgdl"):
            found.append(f"{place}: a diagnostics block must follow its program directly")
    return found


def _run_doctest(block: Block, place: str, module: types.ModuleType) -> list[str]:
    found: list[str] = []
    example = doctest.DocTestParser().get_doctest(block.text, module.__dict__, place, place, block.line)
    example.globs = module.__dict__  # doctest made a copy, but later blocks need the definitions of this one
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(example, out=found.append, clear_globs=False)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    examples = ROOT / "docs" / "examples"
    for path in examples.rglob("*") if examples.exists() else ():
        if path.is_file():
            copy = tmp_path / path.relative_to(examples)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "example", types.ModuleType("example"))
    return tmp_path


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name_of)
def test_the_examples_do_what_the_document_says(path: Path, folder: Path) -> None:
    found = run_examples(path.read_text(encoding="utf-8"), name_of(path), Console(folder))
    assert not found, "\n\n".join(found)


def test_the_picture_at_the_top_is_what_is_drawn_today() -> None:
    position = hsn.parse((ROOT / "docs" / "examples" / "settled.hsn").read_text(encoding="utf-8"))
    assert (ROOT / "docs" / "images" / "settled.svg").read_text(encoding="utf-8") == svg(position)


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    broken = []
    for target in links(path.read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        goal = (path.parent / file).resolve() if file else path
        if not goal.exists() or (anchor and anchor not in anchors(goal.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


# Tests of these tools

COUNTER = """global state table { decimal sum = 0; }

action add
{
  trigger on player choice;
  input decimal n from 1 to 2;
  effect { table.sum += n; pass; }
}
"""
COUNTER_AT_FIVE = "global state table { decimal sum = 5; }\n"
FAULTY = "setup { win plyers.active; }\n"
FAULTY_PICTURE = """error[TG0301]: undefined name 'plyers'
 --> 1:13
1 | setup { win plyers.active; }
  |             ^^^^^^
  = hint: did you mean 'players'?
"""


@pytest.fixture
def try_document(folder: Path) -> Callable[[str], list[str]]:
    program = (
        "import sys; sys.stdout.write(sys.stdin.read().upper() or 'usage\\n'); sys.exit(len(sys.argv) - 1)"
    )
    console = Console(folder, programs={"shout": [sys.executable, "-c", program], **LUDOGRAPH})
    return lambda document: run_examples(document, "page.md", console)


@pytest.mark.parametrize(
    "document",
    [
        "```python\nx = 2\n```\n\n```pycon\n>>> x + 1\n3\n>>> y = x\n```\n```python\nassert y\n```\n",
        "```console\n$ echo a | shout\nA\n\n$ shout <<< 'b  c'\nB  C\n```\n",
        "```console\n$ echo one > file.txt\n$ cat file.txt\none\n$ shout < file.txt\nO...\n```\n",
        "```console\n$ shout one two\nusage\n$ echo $?\n2\n```\n",
        "```console\n$ echo one \\\n    two | head -n 1\none two\n```\n",
        "1. In a list:\n\n   ```console\n   $ echo a\n   a\n   ```\n",
        "```sh\n$ rm -rf everything\n```\n```py\nraise SystemExit\n```\n",
        "```play\n2 + 3 * 4 → 14\n```\n",
        f"```tgdl\n{COUNTER}```\n```play\nmoves → add(n: 1), add(n: 2)\n0: add(n: 2)\ntable.sum → 2\n```\n",
        f"```tgdl\n{COUNTER}```\n```play\n0: add(n: 1)\n```\n```play\n1: add(n: 3) → '3' is not...\n\n```\n",
        f"```tgdl\n{COUNTER}```\n```tgdl more\n{COUNTER_AT_FIVE}```\n```play\ntable.sum → 5\n```\n",
        f"```tgdl sum.tgdl\n{COUNTER}```\n```console\n$ ludograph fmt --check sum.tgdl\n```\n",
        f"```tgdl\n{FAULTY}```\n```diagnostics\n{FAULTY_PICTURE}```\n",
    ],
)
def test_a_true_document_has_no_differences(document: str, try_document: Callable[[str], list[str]]) -> None:
    assert try_document(document) == []


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected:\n    3\nGot:\n    2"),
        ("\n```console\n$ echo a\nb\n```\n", r"page\.md:2: \$ echo a"),
        ("```console\n$ shout one\nusage\n```\n", r"ended with 1"),
        ("```console\n$ rm file\n```\n", "rm is not a command that examples run"),
        ("```console\n$ cat missing.txt\n```\n", "No such file"),
        ("```console\nno command\n```\n", "begins with a command"),
        ("```play\n2 + 3 * 4 → 20\n```\n", "Expected:\n20\nGot:\n14"),
        (f"```tgdl\n{FAULTY}```\n", "TG0301"),
        (f"```tgdl\n{FAULTY}```\n```diagnostics\nerror[TG0302]: other\n```\n", "TG0301"),
        ("```diagnostics\nerror[TG0302]: other\n```\n", "follow its program directly"),
        ("```tgdl\nverb two(){2}\n```\n", "fmt"),
        ("```tgdl loose\nverb two() { 2 }\n```\n", "loose"),
        (f"```tgdl\n{COUNTER}```\n```play\n0: add(n: 3)\n```\n", "can be chosen"),
        (f"```tgdl\n{COUNTER}```\n```play\n1: add(n: 1)\n```\n", "player 1 is not asked now"),
    ],
)
def test_a_false_document_is_found(
    document: str, expected: str, try_document: Callable[[str], list[str]]
) -> None:
    assert re.search(expected, "\n".join(try_document(document)))


def test_a_python_block_that_fails_points_into_the_document(try_document: Callable[[str], list[str]]) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        try_document("text\n\n```python\n\n1 / 0\n```\n")
    assert (str(caught.traceback[-1].path), caught.traceback[-1].lineno + 1) == ("page.md", 5)


def test_links_are_found_outside_of_code_only() -> None:
    text = "[a](one.md#x) ![b](pictures/two.svg) `[c](no.md)` <img src='three.png'> [d](https://e.org)\n```\n[f](no)\n```"
    assert links(text) == ["one.md#x", "pictures/two.svg", "three.png"]


def test_headings_are_anchors_as_on_the_usual_hosts() -> None:
    assert anchors("# A title, with `code`\n\n## A title, with `code`\n```\n# no\n```\n") == {
        "a-title-with-code",
        "a-title-with-code-1",
    }
