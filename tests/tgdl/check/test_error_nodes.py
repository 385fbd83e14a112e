"""Error nodes: an unreadable part gives one error, and the rest is checked."""

import random

import pytest

from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.syntax.parser import parse
from ludograph.tgdl.syntax.traversal import walk
from ludograph.tgdl.syntax.tree.expressions import Word
from tests.tgdl.syntax.test_any_text import PROGRAMS, mutated

HEAD = 'game "g"; tile cell { } board { group grid square around 2 by 2 { cell; } }\n'


def told(middle: str) -> list[tuple[int, str]]:
    """The line, counted in `middle`, and the code of everything that is said."""
    text = HEAD + middle
    found = check_source(Source(text, "game.tgdl"))[1]
    return [(text.count("\n", 0, one.span.start), one.code) for one in found]


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        # Nothing is said of the meaning of a statement that cannot be read …
        ("setup {\n  decimal n = nosuch + ;\n}", [(2, "TG0201")]),
        ("setup {\n  decimal[] l = { 1, 2 3 };\n  if l.length == 3 draw;\n}", [(2, "TG0203")]),
        # … nor of what it may have declared …
        ("global state t {\n  decimal = 3;\n  decimal m = 1;\n}\nsetup { t.m = 2; }", [(2, "TG0207")]),
        ("const decimal most 3;\nsetup { if most == 3 draw; }", [(1, "TG0204")]),
        # … nor of what is torn apart by braces that do not match, nor of what uses it …
        (
            "global state t {\n  decimal m = 1;\n\nsetup { t.m = 2; bool b = t.m; nosuch = 3; }",
            [(1, "TG0203"), (4, "TG0301")],
        ),
        (
            "verb f() {\n  if nosuch { return 1;\n}\nverb g() { 2 }\nsetup { bool b = f(); bool c = g(); }",
            [(2, "TG0203"), (5, "TG0310")],
        ),
        (
            "tile t {\n}\n  decimal m = 1;\n}\nsetup { for t c in t.all c.m = 2; nosuch = 3; }",
            [(2, "TG0205"), (5, "TG0301")],
        ),
        # … nor of what hangs on a board that is torn …
        (
            "board {\n  group g square 2 by 2 { cell; }\nsetup { cell c = g.no; nosuch = 3; bool b = 3; }",
            [(1, "TG0203"), (3, "TG0301"), (3, "TG0310")],
        ),
        # … nor of unknown names, where something lacks its own …
        ("tile {\n  decimal m = 1;\n}\nsetup { for cell c in cell.all c.m = 2; }", [(1, "TG0207")]),
        (
            "action {\n  trigger on player choice;\n}\nsetup { go(); bool b = 3; }",
            [(1, "TG0207"), (4, "TG0310")],
        ),
        (
            "local state {\n  decimal m;\n}\nsetup { seat[0].m = 1; bool b = 3; }",
            [(1, "TG0207"), (4, "TG0310")],
        ),
        ("tile t {\n  action { effect { } }\n}\nverb f(t c) { c.go() }", [(2, "TG0207")]),
        # … nor of what a string without its end has swallowed.
        ('setup {\n  decimal "n = 1;\n  n = 2; nosuch = 3;\n}', [(2, "TG0102"), (3, "TG0301")]),
        ('setup {\n  decimal n = "abc; bool b = 3; } }\nverb f() { nosuch }', [(2, "TG0102"), (3, "TG0301")]),
        (
            'action a {\n  trigger on player choice; effect { fail "no; } }\nverb f() { nosuch }',
            [(2, "TG0102"), (3, "TG0301")],
        ),
        # A require that is torn hides the names around it, and nothing else.
        (
            "action a {\n  input bool n;\n  require { not n effect { pass; }\n}\nsetup { bool b = 3; }",
            [(3, "TG0203"), (5, "TG0310")],
        ),
        # What is only used in it is what it was, and so are its types, and names that only verbs use.
        (
            'state s { decimal n = 0;\n action a { require n > 1; }\n verb f() { n = "a"; }\n}',
            [(2, "TG0204"), (3, "TG0310")],
        ),
        (
            "action a {\n  on player choice; effect { pass; }\n}\nsetup { player = 1; }",
            [(2, "TG0209"), (4, "TG0317")],
        ),
        (
            'verb f(decimal a decimal bb) { a }\nsetup { decimal n = "a"; decimal a = "c"; n = f("d"); }',
            [(1, "TG0203"), (2, "TG0310"), (2, "TG0310")],
        ),
        # What does not follow is told, and what could be read in spite of the error.
        (
            "setup {\n  decimal n = 1 + ;\n  decimal m = nosuch;\n  bool b = 3;\n}",
            [(2, "TG0201"), (3, "TG0301"), (4, "TG0310")],
        ),
        (
            "setup {\n  nosuch = 1; decimal n = random(1, 6); other = 1;\n}",
            [(2, "TG0301"), (2, "TG0203"), (2, "TG0301")],
        ),
        ("setup {\n  nosuch = 1\n}", [(2, "TG0301"), (2, "TG0202")]),
        (
            "action a {\n  trigger on player choice;\n  effect { pass }\n",
            [(1, "TG0203"), (3, "TG0202")],
        ),
        ("setup {\n  whlie nosuch draw;\n}", [(2, "TG0212"), (2, "TG0301")]),
        ("setup {\n  3 = nosuch;\n}", [(2, "TG0218"), (2, "TG0301")]),
        # Warnings wait until the text can be read.
        ("setup {\n  decimal n = ;\n  return;\n  draw;\n}", [(2, "TG0201")]),
        ("setup {\n  return;\n  draw;\n}", [(3, "TG0403")]),
    ],
)
def test_what_only_follows_from_an_error_of_syntax_is_not_told(
    middle: str, expected: list[tuple[int, str]]
) -> None:
    assert told(middle) == expected


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        # The groups, their places and directions, if the board or a tile cannot be read.
        ("board {\n  group g square 8 by 8 names a1 { cell; }\nsetup { cell c = a1; c = e4; }", ["TG0203"]),
        ("tile pit 3 {\n}\nsetup { for pit p in pit.all p.next(north).n = 1; }", ["TG0204"]),
        # The number of players, if the header cannot be read.
        (
            "players 2..;\nglobal state t { decimal[player] n = { 1, 2, 3 }; }\nsetup { win player 3; }",
            ["TG0204"],
        ),
        # The inputs of an action, the result of a verb and the names of parts.
        ("action a {\n  input decimal from 1 to 3;\n  effect { pass; }\n}\nsetup { a(3); }", ["TG0207"]),
        ("verb f() {\n  if 1 > 2 return 1 2;\n  return true;\n}\nsetup { decimal n = f(); }", ["TG0204"]),
        ("action a {\n  trigger on player choce for X;\n  trigger { X }\n}", ["TG0211"]),
        ("verb f {\n  input decimal n verb;\n  efect { n }\n}\nsetup { f(3); }", ["TG0204"]),
        ("verb f {\n  input decimal n verb;\n  on { n }\n}\nsetup { bool b = f(true); }", ["TG0204"]),
        # The variable of a loop whose list cannot be read is known, and so is the body of a condition.
        ("setup {\n  for cell c in cell. { c.n = 1; }\n}", ["TG0207", "TG0306"]),
        ("setup {\n  if 1 > {\n    nosuch = 1;\n  }\n}", ["TG0201", "TG0301"]),
        # An unreadable local variable hides a member of the same name.
        ("tile t {\n  verb f() {\n    t[] row = t.all + ;\n    row.pop();\n  }\n}", ["TG0201"]),
        # A statement of which a part was taken for the condition of an if.
        ("setup {\n  decimal n = 1;\n  if n n > 1 draw;\n}", ["TG0202"]),
    ],
)
def test_an_error_node_hides_what_it_may_declare(middle: str, expected: list[str]) -> None:
    assert [code for _, code in told(middle)] == expected


def test_only_error_nodes_lack_names() -> None:
    chance = random.Random(1)
    for _ in range(200):
        tree = parse(Source(mutated(chance, chance.choice(PROGRAMS)))).tree
        assert all(node.text for node in walk(tree) if isinstance(node, Word))


MANY = {
    "statements of one effect": "action a {{ trigger on player choice; effect {{\n{}pass; }} }}\n".format(
        "t.n += 1\n" * 120
    ),
    "statements of many effects": (
        "action a {{ trigger on player choice; effect {{\n{}pass; }} }}\n".format("t.n += 1\n" * 5) * 24
    ),
    "attributes of one state": "global state u {\n" + "decimal n = 1\n" * 120 + "}\n",
}


@pytest.mark.parametrize("middle", MANY.values(), ids=MANY)
def test_the_errors_before_the_rest_that_is_not_read_are_told(middle: str) -> None:
    behind = "global state t { decimal n = 0; }\nglobal state last { decimal n = 0; }"
    found = told(f"setup {{ last.n = 1; nosuch = 1; }}\n{middle}{behind}")
    assert [code for _, code in found] == ["TG0301", *["TG0202"] * 100, "TG0217"]


def test_a_text_of_faults_that_follow_from_one_has_one_error() -> None:
    found = check_source(Source("fail;" * 2_000, "game.tgdl"))[1]
    assert found[-1].message == "one error; the parser skipped the rest of the source"


@pytest.mark.parametrize("text", ["/* x */", "/*", "\ufeff/* */", "// x\n/* y */\n"])
def test_a_text_of_nothing_but_comments_has_its_error(text: str) -> None:
    assert [one.code for one in check_source(Source(text, "game.tgdl"))[1]] == ["TG0104"]


def test_an_error_in_one_file_hides_the_names_it_may_declare_from_the_others() -> None:
    imported = {"other.tgdl": "const decimal most 3;\nconst decimal least = nosuch;"}
    text = HEAD + 'import "other.tgdl";\nsetup { if most == 3 draw; bool b = 2; }'
    found = check_source(Source(text, "game.tgdl"), imported.get)[1]
    assert sorted(one.code for one in found) == ["TG0204", "TG0301", "TG0310"]


def test_a_missing_brace_leaves_what_was_read_whole_its_errors() -> None:
    imported = {"other.tgdl": "const decimal most = nosuch;"}
    action = "action {} {{ trigger on player choice; effect {{ {} pass; }} {}\n"
    text = (
        HEAD
        + 'import "other.tgdl";\nglobal state t { decimal n = 0; }\n'
        + action.format("before", "t.n = t.first;", "}")
        + action.format("torn", "decimal v = t.second;", "")
        + "".join(action.format(f"behind{number}", f"thing{number}();", "}") for number in range(50))
    )
    found = check_source(Source(text, "game.tgdl"), imported.get)[1]
    assert sorted(one.code for one in found) == ["TG0203", *["TG0301"] * 51, "TG0306"]
    assert all("'second'" not in one.message for one in found)


@pytest.mark.parametrize(
    ("first", "files", "expected"),
    [
        # No name is unknown while nobody knows which names there are …
        ('import "no.tgdl";', {}, ["TG0392", "TG0310"]),
        ('import "../other.tgdl";', {}, ["TG0393", "TG0310"]),
        ('import "game.tgdl";', {}, ["TG0394", "TG0310"]),
        ("import ;", {}, ["TG0204", "TG0310"]),
        # … except those that a name before them shows not to come from there …
        ('import "no.tgdl" as lib;', {}, ["TG0392", "TG0305", "TG0301", "TG0310"]),
        # … and what is known in spite of an error in the file.
        (
            'import "other.tgdl";',
            {"other.tgdl": "enum e { a }\nverb go() { 1 }\nsetup { x = ; }"},
            ["TG0305", "TG0310", "TG0201"],
        ),
    ],
)
def test_an_import_that_cannot_be_read_is_told_and_not_what_it_would_have_given(
    first: str, files: dict[str, str], expected: list[str]
) -> None:
    text = f"{first}\nglobal state t {{ card c; }}\nsetup {{ go(); bool b = 3; }}"
    found = check_source(Source(text, "game.tgdl"), files.get)[1]
    assert [one.code for one in found] == expected


def test_what_comes_through_the_name_of_a_lost_import_is_not_told() -> None:
    text = 'import "no.tgdl" as lib;\nglobal state t : lib.base { lib.card c; override decimal n = 1; }\n'
    found = check_source(Source(text + "setup { lib.go(); t.m = 1; t.c.m = 1; }", "game.tgdl"))[1]
    assert [one.code for one in found] == ["TG0392"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A base that does not exist, and its members.
        (
            "state s : no { override decimal n = 1; verb f() { m + base.f() + n } }\nsetup { s[0].m = 2; }",
            ["TG0301"],
        ),
        ("state a { }\nstate s : a { override action go { effect { base(); } } }", ["TG0332"]),
        # An event that does not exist, and its fields.
        (
            "action a { trigger on nosuch change; effect { if old == new or instance == none draw; } }",
            ["TG0381"],
        ),
        # One name, however often and however it is used.
        (
            "interactable crad stackable;\nstack d of card { default { new card[2] } }\nstate s { card c; }",
            ["TG0301"],
        ),
        ("tile t { decimal nn = 1; verb f() { n } }\nverb g(t c) { c.n }", ["TG0301", "TG0306"]),
        ("tile t { decimal seeds = 1; verb f() { sedes } }\nverb g(t c) { c.sedes }", ["TG0301"]),
    ],
)
def test_what_only_follows_from_an_error_of_meaning_is_not_told(text: str, expected: list[str]) -> None:
    found = check_source(Source(text, "game.tgdl"))[1]
    assert [one.code for one in found if one.severity == "error"] == expected


def test_the_places_of_one_wrong_name_are_shown_together() -> None:
    text = "setup {\n  nosuch = 1;\n  nosuch = 2;\n}"
    (found,) = check_source(Source(text, "game.tgdl"))[1]
    assert found.line == 2
    assert [(found.source.line_and_column(span.start)[0], words) for span, words in found.notes] == [
        (3, "and here")
    ]
