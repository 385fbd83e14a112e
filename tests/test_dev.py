"""`dev.py`: when it sets up the environment, and the content of the lock files."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dev

PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)", re.MULTILINE)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder with a fake set-up that only records its calls."""
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "STAMP", tmp_path / ".venv" / "ludograph-stamp.json")
    monkeypatch.setattr(dev, "PROJECT", tmp_path / "pyproject.toml")
    steps = tmp_path / "steps"

    def program(name: str) -> Path:
        return tmp_path / ".venv" / name

    def make_venv() -> None:
        program("x").parent.mkdir(exist_ok=True)
        program("python").touch()
        steps.write_text(steps.read_text() + "make ")

    def install(purpose: str) -> None:
        program("ludograph").touch()
        steps.write_text(steps.read_text() + purpose + " ")

    monkeypatch.setattr(dev, "venv_program", program)
    monkeypatch.setattr(dev, "make_venv", make_venv)
    monkeypatch.setattr(dev, "install", install)
    for name in (*dev.LOCKS.values(), "pyproject.toml", "steps"):
        (tmp_path / name).touch()
    return tmp_path


def steps(root: Path) -> str:
    return (root / "steps").read_text().strip()


def test_a_second_call_installs_nothing(root: Path) -> None:
    dev.set_up("run")
    dev.set_up("run")
    assert steps(root) == "make run"


def test_a_larger_set_up_adds_to_the_smaller_and_serves_it_too(root: Path) -> None:
    dev.set_up("run")
    dev.set_up("dev")
    dev.set_up("run")
    dev.set_up("dev")
    assert steps(root) == "make run dev"


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_or_project_is_installed_without_starting_over(root: Path, name: str) -> None:
    dev.set_up("run")
    (root / name).write_text("changed")
    dev.set_up("run")
    assert steps(root) == "make run run"


@pytest.mark.parametrize("stamp", ["", "[]", "null", '{"made_with": 1, "installed": {}}', '{"installed": 3}'])
def test_a_broken_stamp_means_a_new_environment(root: Path, stamp: str) -> None:
    dev.set_up("run")
    dev.STAMP.write_text(stamp)
    dev.set_up("run")
    assert steps(root) == "make run make run"


def test_an_environment_without_its_python_is_made_anew(root: Path) -> None:
    dev.set_up("run")
    (root / ".venv" / "python").unlink()
    dev.set_up("run")
    assert steps(root) == "make run make run"


def test_an_environment_of_another_python_is_made_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.set_up("run")
    monkeypatch.setattr(dev, "made_with", lambda: {"python": "cpython-399"})
    dev.set_up("run")
    assert steps(root) == "make run make run"


def test_an_interrupted_set_up_leaves_no_stamp(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_purpose: str) -> None:
        raise KeyboardInterrupt

    dev.set_up("run")
    monkeypatch.setattr(dev, "install", interrupt)
    with pytest.raises(KeyboardInterrupt):
        dev.set_up("dev")
    assert not dev.STAMP.exists()


def test_a_failed_step_shows_its_output_and_gives_exit_code_1(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    noisy = [sys.executable, "-c", "print('no such package'); raise SystemExit(9)"]
    monkeypatch.setattr(dev, "install", lambda _purpose: dev.run_quietly(noisy))
    assert dev.main(["run"]) == 1
    assert "no such package" in capfd.readouterr().err
    assert steps(root) == "make"


@pytest.mark.parametrize(("arguments", "command"), [([], "serve --open"), (["games"], "games")])
def test_run_without_arguments_starts_the_server(
    root: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], command: str
) -> None:
    called: list[list[str]] = []

    def call(words: list[str]) -> int:
        called.append(words)
        return 0

    monkeypatch.setattr(dev, "call", call)
    assert dev.main(["run", *arguments]) == 0
    assert " ".join(called[0][1:]) == command


@pytest.fixture
def calls(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that a command runs, without the path of Python; each of them succeeds."""
    found: list[list[str]] = []

    def call(command: list[str], folder: Path | None = None) -> int:
        assert folder == root
        found.append(command[1:])
        return 0

    monkeypatch.setattr(dev, "call", call)
    return found


def test_the_quick_part_runs_all_checks_but_only_selected_tests(calls: list[list[str]]) -> None:
    assert dev.main(["test"]) == 0
    complete = calls.copy()
    calls.clear()
    assert dev.main(["test", "--quick"]) == 0
    assert calls == [*complete[:-1], [*complete[-1], *dev.QUICK_TESTS]]


def test_the_quick_part_takes_no_other_arguments(
    calls: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["test", "--quick", "tests/geometry"]) == 2
    assert "takes no other arguments" in capsys.readouterr().err
    assert calls == []


def test_other_arguments_of_test_go_to_pytest_alone(calls: list[list[str]]) -> None:
    assert dev.main(["test", "tests/geometry", "-k", "ring"]) == 0
    assert calls == [["-m", "pytest", "tests/geometry", "-k", "ring"]]


@pytest.mark.parametrize("path", dev.QUICK_TESTS)
def test_the_quick_part_names_tests_that_exist(path: str) -> None:
    assert (dev.ROOT / path.partition("::")[0]).exists(), "update QUICK_TESTS of dev.py"


def test_exit_codes_pass_through() -> None:
    assert dev.call([sys.executable, "-c", "raise SystemExit(7)"]) == 7


def test_an_unknown_command_is_a_usage_error() -> None:
    script = Path(dev.__file__)
    done = subprocess.run([sys.executable, script, "fly"], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "python3 dev.py test" in done.stderr


@pytest.mark.parametrize("purpose", dev.LOCKS)
def test_a_lock_file_is_as_old_as_its_requirements(purpose: str) -> None:
    text = (dev.ROOT / dev.LOCKS[purpose]).read_text(encoding="utf-8")
    assert text.startswith(dev.lock_header(dev.lock_inputs()[purpose])), "run `python3 dev.py lock`"


@pytest.mark.parametrize("purpose", dev.LOCKS)
def test_a_lock_file_pins_everything_with_hashes_and_names_no_place(purpose: str) -> None:
    text = (dev.ROOT / dev.LOCKS[purpose]).read_text(encoding="utf-8")
    requirements = text.replace("\\\n", "").splitlines()[2:]
    assert requirements
    assert [line for line in requirements if not PIN.match(line) or "--hash=sha256:" not in line] == []
    assert "://" not in text


@pytest.mark.parametrize("purpose", ["dev", "bench"])
def test_the_larger_locks_hold_the_smaller_one(purpose: str) -> None:
    smaller, larger = (
        set(PIN.findall((dev.ROOT / dev.LOCKS[name]).read_text(encoding="utf-8")))
        for name in ("run", purpose)
    )
    assert smaller <= larger
