"""Imports: each file once, in an order in which names are known, from inside the folder only."""

import pytest

from ludograph.text import Source
from ludograph.tgdl import check_source, compile_source
from ludograph.tgdl.syntax.imports import load


def test_every_file_is_read_once_and_before_those_that_need_it() -> None:
    texts = {"a.tgdl": 'import "lib/c.tgdl";', "b.tgdl": 'import "lib/c.tgdl";', "lib/c.tgdl": ""}
    asked: list[str] = []

    def read(path: str) -> str | None:
        asked.append(path)
        return texts.get(path)

    loaded = load(Source('import "a.tgdl"; import "b.tgdl";', "folder/main.tgdl"), read)
    assert asked == ["a.tgdl", "lib/c.tgdl", "b.tgdl"]
    assert [file.source.name for file in loaded.files] == [
        "folder/main.tgdl",
        "folder/a.tgdl",
        "folder/lib/c.tgdl",
        "folder/b.tgdl",
    ]
    assert loaded.order == (2, 1, 3, 0)
    assert loaded.diagnostics == ()


def test_a_path_is_taken_from_the_folder_of_its_file() -> None:
    texts = {"lib/a.tgdl": 'import "../b.tgdl"; import "c.tgdl";', "b.tgdl": "", "lib/c.tgdl": ""}
    loaded = load(Source('import "lib/a.tgdl";'), texts.get)
    assert loaded.diagnostics == ()
    assert len(loaded.files) == 4


@pytest.mark.parametrize(
    "path", ["../a.tgdl", "/a.tgdl", "a/../../b.tgdl", "C:/a.tgdl", "..\\\\a.tgdl", "~/a.tgdl", "."]
)
def test_a_path_that_leaves_the_folder_is_never_read(path: str) -> None:
    def read(path: str) -> str | None:
        raise AssertionError(path)

    loaded = load(Source(f'import "{path}";'), read)
    assert [one.code for one in loaded.diagnostics] == ["TG0393"]


def test_a_long_chain_of_imports_is_refused() -> None:
    def read(path: str) -> str:
        number = int(path.removesuffix(".tgdl"))
        return f'import "{number + 1}.tgdl";'

    _, found = check_source(Source('import "0.tgdl";'), read)
    assert [one.code for one in found] == ["TG0396"]


def test_spans_belong_to_the_file_of_their_declaration() -> None:
    library = "verb f() { 1 }"
    program = compile_source(
        Source('import "a.tgdl"; setup { if f() == 1 draw; }', "m.tgdl"), {"a.tgdl": library}.get
    )
    verb = program.verbs[0]
    assert program.sources[verb.file].text[verb.span.start : verb.span.end] == library
    assert program.sources[0].name == "m.tgdl"


def test_names_behind_an_import_do_not_clash() -> None:
    texts = {"a.tgdl": "tile cell { decimal n = 1; } verb f(cell c) { c.n }"}
    program = compile_source(
        Source(
            """import "a.tgdl" as lib; tile cell { } board { group g square { cell, lib.cell; } }
            setup { if lib.f(g[0][1] as lib.cell) == 1 draw; }"""
        ),
        texts.get,
    )
    assert [one.name for one in program.constructs if one.kind.value == "tile"] == ["lib.cell", "cell"]
