"""The script of mutation tests: its mutants, and its list of survivors."""

import os
from pathlib import Path

import pytest

from tests.language import mutants
from tests.language.runner import cases

RULES = """
class Rules:
    def may(self, count: int = 0) -> bool:
        assert count >= 0
        if count < 3 and self.is_open:
            self.close()
        return True
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mutants, "PACKAGE", tmp_path)
    path = tmp_path / "rules.py"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_a_function_has_a_mutant_for_each_rule_and_none_for_assertions(rules: Path) -> None:
    found = list(mutants.mutants_of(rules))
    assert sorted(one.name.removeprefix("rules.py Rules.may: ") for one in found) == [
        "count < 3  =>  count < 4",
        "count < 3  =>  count <= 3",
        "count < 3 and self.is_open  =>  count < 3 or self.is_open",
        "count < 3 and self.is_open  =>  not (count < 3 and self.is_open)",
        "return True  =>  return False",
        "self.close()  =>  pass",
    ]


def test_the_code_of_a_mutant_contains_the_change(rules: Path) -> None:
    found = {one.name.split(": ", 1)[1]: one for one in mutants.mutants_of(rules)}
    code = found["return True  =>  return False"].code()
    assert code is not None
    assert (code.co_name, False in code.co_consts) == ("may", True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in forked processes")
def test_programs_detect_mutants_and_without_programs_all_survive() -> None:
    path = mutants.PACKAGE / "check" / "bodies" / "statements.py"
    corpus = [case for case in cases() if case.path.parent.name == "statements"]
    coverage = mutants.measure_coverage(corpus, [path])
    found = [one for one in mutants.mutants_of(path) if (path, one.line) in coverage][::20]
    assert len(list(mutants.survivors_among(found, coverage, 2))) < len(found)
    assert list(mutants.survivors_among(found, {}, 2)) == found


def test_the_listed_survivors_are_mutants_and_have_a_reason() -> None:
    known = mutants.known_survivors()
    paths = {mutants.PACKAGE / name.split(" ", 1)[0] for name in known}
    names = {one.name for path in paths for one in mutants.mutants_of(path)}
    assert [name for name in known if name not in names] == []
    assert [name for name, reason in known.items() if not reason.strip()] == []
