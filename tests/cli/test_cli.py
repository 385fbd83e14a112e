"""The door itself: exit codes, streams, help, start-up, and that nothing ends in a traceback."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludograph
from ludograph.cli import main
from ludograph.cli.output import INTERNAL
from ludograph.games import compiling
from tests.cli.command import COMMANDS, EXAMPLES, Result, call, example, spawn, text_of

NAMES = sorted(path.name for path in EXAMPLES.iterdir())


# Help and usage.


def test_help_shows_commands_and_examples() -> None:
    result = call("--help")
    assert result.code == 0
    assert result.err == ""
    for command in COMMANDS:
        assert f"\n    {command} " in result.out
    assert "examples:\n  ludograph show start.hsn" in result.out
    assert "Exit codes: 0 success, 1 findings or" in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_examples(command: str) -> None:
    result = call(command, "--help")
    assert (result.code, result.err) == (0, "")
    assert f"examples:\n  ludograph {command}" in result.out


@pytest.mark.parametrize("command", ["convert", "validate", "render", "show"])
def test_every_command_takes_the_common_options(command: str) -> None:
    text = call(command, "--help").out
    for option in ("--from", "--format", "--lenient", "--json", "--record"):
        assert option in text


def test_no_command_prints_the_help_as_a_usage_error() -> None:
    result = call()
    assert (result.code, result.out) == (2, "")
    assert result.err == call("--help").out


def test_the_version_is_printed() -> None:
    assert call("--version") == Result(0, f"ludograph {ludograph.__version__}\n", "")


@pytest.mark.parametrize(
    "argv",
    [
        ("covert",),
        ("--frm",),
        ("convert",),
        ("convert", "--to", "pgn"),
        ("convert", "--to", "han", "a", "b"),
        ("convert", "--to", "han", "--dialect", "1999"),
        ("convert", "--t", "han"),
        ("render", "--width", "0"),
        ("render", "--width", "nan"),
        ("render", "--width", "inf"),
        ("render", "--width", "wide"),
        ("render", "--coordinates", "hsn"),
        ("show", "--record", "0"),
        ("show", "--record", "-1"),
        ("show", "--record", "one"),
        ("show", "--record", "²"),
        ("show", "--record", "9" * 5000),
        ("tour", "--json"),
        ("check",),
        ("fmt",),
        ("dump", "tic-tac-toe"),
        ("dump", "tic-tac-toe", "--stage", "other"),
        ("games", "chess"),
        ("perft", "chess"),
        ("simulate",),
        ("play", "chess", "--seats", ""),
    ],
)
def test_wrong_usage_is_explained_and_ends_with_2(argv: tuple[str, ...]) -> None:
    result = call(*argv)
    assert (result.code, result.out) == (2, "")
    assert "usage: ludograph" in result.err
    assert "error: " in result.err


# Files that cannot be read or written.


@pytest.mark.parametrize("command", ["convert --to hsn", "validate", "render", "show"])
def test_a_missing_file_ends_with_2(command: str, tmp_path: Path) -> None:
    path = tmp_path / "nothing.hsn"
    result = call(*command.split(), str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err == f"ludograph: {path}: No such file or directory\n"


@pytest.mark.parametrize("command", ["convert --to hsn", "validate", "render", "show"])
def test_a_directory_is_no_file(command: str, tmp_path: Path) -> None:
    result = call(*command.split(), str(tmp_path))
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"ludograph: {tmp_path}: ")


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_ends_with_2(name: str) -> None:
    for argv in (["validate", name], ["convert", example("start.hsn"), "--to", "ccn", "-o", name]):
        result = call(*argv)
        assert (result.code, result.out) == (2, "")
        assert "is not a valid file name" in result.err


def test_an_output_that_cannot_be_written_ends_with_2(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such" / "folder.ccn"
    result = call("convert", example("start.hsn"), "--to", "ccn", "-o", str(path))
    assert (result.code, result.out) == (2, "")
    assert str(path) in result.err


# No traceback ever.


@pytest.mark.parametrize(
    ("argv", "given", "code", "kind", "words"),
    [
        ("validate --json {nowhere}", "", 2, "file", "No such file"),
        ("convert --to hsn --json {nowhere}", "", 2, "file", "No such file"),
        ("render --json {folder}", "", 2, "file", ""),
        ("render --json -o {folder} {start}", "", 2, "file", ""),
        ("show --json", "hello", 2, "usage", "cannot guess the notation"),
        ("validate --json", "hello", 2, "usage", "cannot guess the notation"),
        ("show --json --format han", "# nothing", 1, "refused", "neither a position nor an action"),
        ("show --json", b"\xff", 1, "bad text", "is not UTF-8"),
        ("check --json {nowhere}", "", 2, "file", "No such file"),
        ("perft --json nothing-of-this-name 2", "", 2, "usage", "nothing-of-this-name"),
        ("simulate --json {nowhere}.tgdl", "", 2, "file", "No such file"),
    ],
)
def test_programs_get_an_object_whatever_goes_wrong(
    argv: str, given: str | bytes, code: int, kind: str, words: str, tmp_path: Path
) -> None:
    text = argv.format(nowhere=tmp_path / "nowhere", folder=tmp_path, start=example("start.hsn"))
    result = call(*text.split(), given=given)
    assert result.code == code
    error = json.loads(result.out)["error"]
    assert error["kind"] == kind
    assert words in error["message"]


def test_what_should_not_happen_is_told_to_programs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludograph.cli.commands.validate.run", lambda _: 1 // 0)
    result = call("validate", "--json")
    assert result.code == INTERNAL
    assert json.loads(result.out)["error"]["kind"] == "internal"


def test_what_should_not_happen_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludograph.cli.commands.convert.open_sources", lambda _: 1 / 0)
    result = call("convert", "--to", "han")
    assert result.code == INTERNAL
    assert "internal error: ZeroDivisionError" in result.err
    assert "Traceback" not in result.err
    with pytest.raises(ZeroDivisionError):
        call("convert", "--to", "han", environment={"LUDOGRAPH_DEBUG": "1"})


def test_an_interruption_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ludograph.cli.commands.convert.open_sources", interrupt)
    assert call("convert", "--to", "han") == Result(130, "", "")


def test_an_interruption_ends_the_process_while_the_compiler_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(BaseException):
        pass

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    def end(code: int) -> None:
        raise Ended(code)

    monkeypatch.setattr("ludograph.cli.commands.convert.open_sources", interrupt)
    monkeypatch.setattr("os._exit", end)
    monkeypatch.setattr(sys, "argv", ["ludograph", "convert", "--to", "han"])
    assert main() == 130
    monkeypatch.setattr(compiling, "is_compiling", lambda: True)
    with pytest.raises(Ended, match="130"):
        main()


WORDS = st.sampled_from(
    [
        *COMMANDS,
        *("--from", "--to", "--format", "--lenient", "--json", "--strict", "--ascii", "--help", "--version"),
        *("--record", "--coordinates", "--names", "--width", "--dialect", "-", "--", "-x", "", "1", "2"),
        *("han", "hsn", "cgn", "ccn", "sgn", "tiles", "corners", "sides", "2023", "\0", "é", "\udcff"),
        *("tic-tac-toe", "--stage", "tokens", "tree", "program", "--seats", "random", "--trace", "--players"),
        *(example(name) for name in NAMES),
    ]
)
INPUTS = (
    st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.sampled_from(NAMES).map(lambda name: (EXAMPLES / name).read_bytes())
)


@st.composite
def spoiled_inputs(draw: st.DrawFn) -> bytes:
    """An example file with some bytes changed or cut away."""
    data = bytearray((EXAMPLES / draw(st.sampled_from(NAMES))).read_bytes())
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data) - 1))
        data[place : place + draw(st.integers(0, 5))] = draw(st.binary(max_size=3))
    return bytes(data[: draw(st.integers(0, len(data)))]) if draw(st.booleans()) else bytes(data)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS, max_size=6), INPUTS | spoiled_inputs())
def test_whatever_is_typed_and_piped_ends_with_0_1_or_2(argv: list[str], given: bytes) -> None:
    result = call(*argv, given=given)
    assert result.code in {0, 1, 2}
    assert "Traceback" not in result.err
    assert result.code == 0 or result.err or "--json" in argv


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(
        ["convert --to han", "convert --to hsn", "convert --to cgn", "convert --to sgn", "validate"]
    )
    | st.sampled_from(
        ["convert --to ccn --json", "validate --strict --json", "render", "show", "show --json"]
    ),
    st.sampled_from(["", "--lenient"]),
    st.sampled_from(["", "--from han", "--from hsn", "--from cgn", "--from ccn", "--from sgn"]),
    INPUTS | spoiled_inputs(),
)
def test_whatever_is_piped_into_a_command_ends_with_0_1_or_2(
    command: str, lenient: str, notation: str, given: bytes
) -> None:
    result = call(*f"{command} {lenient} {notation}".split(), given=given)
    assert result.code in {0, 1, 2}
    assert result.code == 0 or result.err or "--json" in command


@pytest.mark.parametrize("command", ["convert --to hsn", "validate", "validate --json", "show", "render"])
@pytest.mark.parametrize(
    "notation", ["", "--from han", "--from hsn", "--from cgn", "--from ccn", "--from sgn"]
)
def test_huge_garbage_is_refused_briefly(command: str, notation: str) -> None:
    garbage = b'[{"x": 1 # \xc3\xa9' * 200_000
    result = call(*f"{command} {notation}".split(), given=garbage)
    assert result.code in {1, 2}
    assert len(result.err) < 1000


@pytest.mark.parametrize(
    "unit", [b"x", b"\0", b"[", b"9", b"R(1+2)", b'{"', b"\xff", b"x" * 99 + b"\n", b" " * 99 + b"\n"]
)
def test_twenty_megabytes_of_one_kind_come_to_an_end(unit: bytes) -> None:
    result = call("validate", given=unit * (20_000_000 // len(unit)))
    assert result.code in {1, 2}


# In a process of its own.


def test_commands_are_joined_by_pipes() -> None:
    first = spawn("convert", "--from", "ccn", "--to", "hsn", given=text_of("start.ccn"))
    assert (first.returncode, first.stderr) == (0, b"")
    second = spawn("convert", "--to", "ccn", given=first.stdout)
    assert (second.returncode, second.stdout.decode()) == (0, text_of("start.ccn"))
    third = spawn("validate", given=first.stdout)
    assert third.stdout.decode() == "standard input: HSN, 1 record, no errors or findings\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
@pytest.mark.parametrize("argv", [("tour",), ("--help",), ("convert", "-", "--to", "hsn")])
def test_a_closed_pipe_is_quiet(argv: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ludograph", *argv]
    pipe = subprocess.PIPE
    with tempfile.TemporaryFile() as given:
        given.write(text_of("start.ccn").encode() * 2000)
        given.seek(0)
        with subprocess.Popen(command, stdin=given, stdout=pipe, stderr=pipe) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(60) == 0


@pytest.mark.skipif(os.name == "nt", reason="there is no such device there")
def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ludograph", "tour"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"ludograph: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
@pytest.mark.parametrize(("closing", "code"), [("<&-", 2), (">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 2)])
def test_closed_streams_end_in_no_traceback(closing: str, code: int) -> None:
    command = f'"$0" -m ludograph convert --to hsn {closing}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable],
        input=text_of("start.ccn").encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"should not happen" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
@pytest.mark.parametrize("closing", ["2>&-", "2>/dev/full"])
def test_what_cannot_be_said_is_said_nowhere_else(closing: str) -> None:
    command = f'"$0" -m ludograph validate nowhere.hsn {closing}'
    done = subprocess.run(["/bin/sh", "-c", command, sys.executable], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_output_is_utf8_with_plain_line_ends_whatever_the_system_says() -> None:
    given = '[{"CH":{"P1":"Grüße ✓"}}]\r\n'
    done = spawn("convert", "--to", "cgn", given=given, environment={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert done.stdout.decode() == '[\n{"CH":{"P1":"Grüße ✓"}}\n]\n'


# Start-up.

HEAVY = ("rich", "json", "ludograph.notation", "ludograph.settlers", "ludograph.render", "ludograph.text")


def imported_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "code",
    [
        "import ludograph",
        "import ludograph.cli\nludograph.cli.main(['--help'])",
        "import ludograph.cli\nludograph.cli.main(['convert', '--help'])",
        "import ludograph.cli\nludograph.cli.main(['--version'])",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_used(code: str) -> None:
    modules = imported_by(code)
    assert "ludograph" in modules
    assert not {heavy for heavy in HEAVY if heavy in modules}


def test_conversion_does_not_import_pictures() -> None:
    modules = imported_by(
        f"import ludograph.cli\nludograph.cli.main(['convert', {example('start.ccn')!r}, '--to', 'hsn'])"
    )
    assert "ludograph.notation.convert" in modules
    assert not {"rich", "ludograph.render"} & modules


def test_main_reads_the_arguments_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ludograph", "--version"])
    assert main() == 0
