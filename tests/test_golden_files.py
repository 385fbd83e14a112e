"""Tests of the test tools: golden files, and skips that fail in CI."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.golden_files import Golden

SKIPPING = """
import pytest

@pytest.mark.optional
@pytest.mark.skip(reason="no browser here")
def test_in_a_browser() -> None: ...

@pytest.mark.xfail(reason="known")
def test_known_to_fail() -> None:
    assert False
"""


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[bool], Golden]:
    return lambda write: Golden(tmp_path, write)


def test_a_golden_file_is_written_and_then_compared(folder: Callable[[bool], Golden]) -> None:
    folder(True)("pictures/one.svg", "first\r\nsecond\n")
    folder(False)("pictures/one.svg", "first\r\nsecond\n")


def test_a_different_text_fails_and_shows_the_difference(folder: Callable[[bool], Golden]) -> None:
    folder(True)("one.txt", "road\nvillage\n")
    with pytest.raises(pytest.fail.Exception, match=r"-village\n\+city"):
        folder(False)("one.txt", "road\ncity\n")


def test_a_missing_golden_file_fails_and_says_what_to_do(folder: Callable[[bool], Golden]) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"dev\.py golden"):
        folder(False)("none.txt", "")


def test_a_golden_file_outside_of_its_folder_is_refused(folder: Callable[[bool], Golden]) -> None:
    with pytest.raises(AssertionError, match="outside"):
        folder(True)("../escaped.txt", "")


def test_files_nobody_asked_for_are_unused(folder: Callable[[bool], Golden], tmp_path: Path) -> None:
    golden = folder(True)
    golden("asked.txt", "")
    (tmp_path / "forgotten.txt").write_text("", encoding="utf-8")
    assert [path.name for path in golden.unused()] == ["forgotten.txt"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "golden_files.py"):
        shutil.copy(Path(__file__).with_name(name), tmp_path / "tests" / name)
    settings = '[pytest]\nmarkers = ["optional"]\npythonpath = ["."]\n'
    (tmp_path / "pytest.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "README.md").write_text("`test_in_a_browser` needs a browser.\n", encoding="utf-8")
    return tmp_path


def run_pytest(project: Path, ci: str, source: str) -> str:
    (project / "tests" / "test_sample.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"]
    environment = {**os.environ, "CI": ci}
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout


def test_outside_of_ci_a_test_may_be_skipped(project: Path) -> None:
    assert "1 skipped" in run_pytest(project, "", SKIPPING.replace("@pytest.mark.optional", ""))


def test_in_ci_an_optional_test_named_in_the_readme_may_be_skipped(project: Path) -> None:
    assert "1 skipped, 1 xfailed" in run_pytest(project, "1", SKIPPING)


def test_in_ci_a_skipped_test_fails(project: Path) -> None:
    output = run_pytest(project, "1", SKIPPING.replace("@pytest.mark.optional", ""))
    assert "1 xfailed, 1 error" in output
    assert "in CI that is a failure: Skipped: no browser here" in output


def test_in_ci_an_optional_test_that_the_readme_does_not_name_fails(project: Path) -> None:
    assert "1 xfailed, 1 error" in run_pytest(project, "1", SKIPPING.replace("browser()", "cellar()"))


def test_in_ci_a_module_that_skips_itself_fails(project: Path) -> None:
    assert "1 error" in run_pytest(
        project, "1", 'import pytest\npytest.skip("not today", allow_module_level=True)'
    )


GOLDEN_TESTS = """
def test_first(golden): golden("first.txt", "")
def test_second(golden): golden("second.txt", "")
def test_every_golden_file_is_used(golden): assert golden.unused() == []
"""


def test_several_processes_share_the_list_of_used_golden_files(project: Path) -> None:
    with (project / "pytest.toml").open("a", encoding="utf-8") as settings:
        settings.write('testpaths = ["tests"]\n')
    (project / "tests" / "golden").mkdir()
    for name in ("first", "second", "third"):
        (project / "tests" / "golden" / f"{name}.txt").write_text("", encoding="utf-8")
    (project / "tests" / "test_sample.py").write_text(GOLDEN_TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n2"]
    done = subprocess.run(command, cwd=project, capture_output=True, encoding="utf-8", check=False)
    assert re.findall(r"no test uses \S*?(\w+\.txt);", done.stdout) == ["third.txt"]
    assert done.returncode == 1
    (project / "tests" / "golden" / "third.txt").unlink()
    assert subprocess.run(command, cwd=project, capture_output=True, check=False).returncode == 0


def test_every_golden_file_is_used(golden: Golden, request: pytest.FixtureRequest) -> None:
    """This test runs last, and only with the whole suite; `dev.py golden` removes unused files."""
    failed_earlier = request.session.testsfailed > 0  # a failed test may not have reached its golden file
    unused = [] if failed_earlier else golden.unused()
    for path in unused if golden.write else []:
        path.unlink()
    assert golden.write or unused == [], "no test uses these; `python3 dev.py golden` removes them"
