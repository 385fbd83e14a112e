"""The commands of the project. They use only the standard library: Python 3.11 with pip and venv is enough.

    python3 dev.py run                play Hexil against three random players
    python3 dev.py run [arguments]    run `ludograph` with these arguments
    python3 dev.py test               check format, lint and types, and run the tests
    python3 dev.py test --quick       the same with a selection of the tests; less than two minutes
    python3 dev.py test [arguments]   run pytest with these arguments
    python3 dev.py long [arguments]   run the tests that take minutes: deep perft, many games
    python3 dev.py golden             rewrite the golden files; review the diff
    python3 dev.py bench [name]       run the benchmarks, or one of them
    python3 dev.py vsix               build the extension for VS Code, dist/ludograph-….vsix
    python3 dev.py lock [--upgrade]   rewrite the lock files from pyproject.toml

Each command first sets up `.venv` from a hashed lock file and then writes a stamp file, so that the next call
installs nothing. An interrupted set-up leaves no stamp and starts again. A larger set-up keeps the packages
of a smaller one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "ludograph-stamp.json"
PROJECT = ROOT / "pyproject.toml"

LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock", "bench": "requirements-bench.lock"}

CHECKS = (
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("mypy", ("-m", "mypy")),
    ("pytest", ("-m", "pytest", f"-n{min(8, os.cpu_count() or 1)}", "--dist=worksteal")),
)

# The tests of `test --quick`: fast tests that cover every package, about two minutes of processor time.
# They are paths and not marked tests, because pytest takes long to collect all tests.
QUICK_TESTS = (
    *("tests/test_architecture.py", "tests/test_benchmarks.py", "tests/test_dev.py"),
    *("tests/text", "tests/play", "tests/geometry/test_plane.py"),
    *("tests/settlers/test_names.py", "tests/settlers/test_goods.py", "tests/settlers/test_findings_turn.py"),
    *(
        "tests/tgdl/syntax/test_lexer.py",
        "tests/tgdl/syntax/test_parser.py",
    ),
    *("tests/tgdl/check/test_checker.py", "tests/tgdl/syntax/test_formatter.py"),
    "tests/language/test_language.py",  # the corpus on the reference engine
    "tests/games/test_games.py",
    *(
        "tests/notation/han/test_action.py",
        "tests/notation/han/test_game.py",
        "tests/notation/hsn/test_hsn.py",
    ),
    *("tests/notation/ccn/test_ccn.py", "tests/notation/cgn/test_cgn.py", "tests/notation/sgn/test_sgn.py"),
    *("tests/render/test_descriptions.py", "tests/render/test_looks.py", "tests/render/test_svg_labels.py"),
    *("tests/hexil/test_layout.py", "tests/hexil/test_text_commands.py"),
    *("tests/cli/commands/test_check.py", "tests/cli/commands/test_fmt.py"),
    *("tests/cli/commands/test_games.py", "tests/cli/commands/test_validate.py"),
)


DEFAULT_ARGUMENTS = ("serve", "--open")
"""What `run` does without arguments: play in the browser."""


class SetupError(Exception):
    """The environment could not be set up; the message is for the user."""


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - users with an older Python run this file first
        print("Ludograph needs Python 3.11 or newer; this is " + sys.version.split()[0], file=sys.stderr)
        return 2
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("help", [])
    commands = {
        "run": run,
        "test": test,
        "long": long,
        "golden": golden,
        "bench": bench,
        "vsix": vsix,
        "lock": lock,
    }
    if command not in commands:
        asked = command in {"help", "--help", "-h"}
        print(__doc__, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked and arguments else 2
    try:
        return commands[command](rest)
    except SetupError as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(arguments: list[str]) -> int:
    set_up("run")
    return call([str(venv_program("ludograph")), *(arguments or DEFAULT_ARGUMENTS)])


def test(arguments: list[str]) -> int:
    """All checks, or with `--quick` all checks but most tests, or only pytest with other arguments."""
    is_quick = "--quick" in arguments
    if is_quick and len(arguments) > 1:
        print("dev.py: `test --quick` takes no other arguments", file=sys.stderr)
        return 2
    set_up("dev")
    python = str(venv_program("python"))
    if arguments and not is_quick:
        return call([python, "-m", "pytest", *arguments], folder=ROOT)
    failed = []
    for name, check in CHECKS:
        print(f"-- {name}", flush=True)
        selection = QUICK_TESTS if is_quick and name == "pytest" else ()
        code = call([python, *check, *selection], folder=ROOT)
        if code == 130:
            return code
        if code:
            failed.append(name)
    if failed:
        print(f"dev.py: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def long(arguments: list[str]) -> int:
    set_up("dev")
    command = [str(venv_program("python")), "-m", "pytest", "-m", "slow", "-v", "--durations=0", *arguments]
    return call(command, folder=ROOT)


def golden(arguments: list[str]) -> int:
    set_up("dev")
    environment = {**os.environ, "LUDOGRAPH_GOLDEN": "write"}
    return call(
        [str(venv_program("python")), "-m", "pytest", *arguments], folder=ROOT, environment=environment
    )


def bench(arguments: list[str]) -> int:
    """Run all benchmarks, or one: `bench language --megabytes 10`."""
    set_up("bench")
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    if arguments and arguments[0] in names:
        names, arguments = [arguments[0]], arguments[1:]
    python = str(venv_program("python"))
    codes = [call([python, "-m", f"benchmarks.{name}", *arguments], folder=ROOT) for name in names]
    return next((code for code in codes if code), 0)


def vsix(arguments: list[str]) -> int:
    """Build the extension for VS Code; npm downloads what editors/vscode/package-lock.json pins."""
    set_up("dev")
    return call([str(venv_program("python")), "-m", "editors.vscode.build", *arguments], folder=ROOT)


def lock(arguments: list[str]) -> int:
    """Resolve with uv for all platforms at once; the other locks use the versions of the lock of `run`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    with tempfile.TemporaryDirectory() as folder:
        run_quietly([base_python(), "-m", "venv", folder])
        run_quietly([str(venv_program("python", Path(folder))), "-m", "pip", "install", "uv"])
        compiler = [str(venv_program("uv", Path(folder))), "pip", "compile", "--no-config", "--quiet"]
        compiler += [
            "--universal",
            "--python-version=3.11",
            "--generate-hashes",
            "--no-header",
            "--no-annotate",
        ]
        for purpose, requirements in lock_inputs().items():
            wanted = Path(folder, f"{purpose}.in")
            wanted.write_text("\n".join(requirements) + "\n", encoding="utf-8")
            output = ROOT / LOCKS[purpose]
            bound = [] if purpose == "run" else ["--constraint", str(ROOT / LOCKS["run"])]
            command = [*compiler, *arguments, *bound, "--output-file", str(output), str(wanted)]
            run_quietly(command, environment=environment)
            pins = output.read_text(encoding="utf-8")
            output.write_text(lock_header(requirements) + pins, encoding="utf-8", newline="\n")
            print(f"{output.name}: {sum(line[:1].isalpha() for line in pins.splitlines())} packages")
    return 0


def lock_inputs() -> dict[str, tuple[str, ...]]:
    """The requirements of each lock file; each includes the build backend, to build the project offline."""
    import tomllib

    settings = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    extras = settings["project"]["optional-dependencies"]
    built = (*settings["build-system"]["requires"], *settings["project"]["dependencies"])
    needed = (*built, *extras["server"], *extras["lsp"])  # `dev.py run` starts the server and `lsp`
    everything = (*needed, *extras["postgresql"], *extras["adapters"])
    return {"run": needed, "dev": (*everything, *extras["dev"]), "bench": (*everything, *extras["bench"])}


def lock_header(requirements: Sequence[str]) -> str:
    """The first lines of a lock file: the command that rewrites it, and its requirements."""
    return f"# Written by `python3 dev.py lock` from pyproject.toml:\n# {', '.join(requirements)}\n"


def set_up(purpose: str) -> None:
    """Set up `.venv` for the purpose; two calls at once (both ends of a pipe) wait for each other."""
    if is_ready(purpose):
        return
    with setup_lock():
        if is_ready(purpose):
            return
        print("setting up .venv …", file=sys.stderr, flush=True)
        installed = installed_digests()
        STAMP.unlink(missing_ok=True)
        if installed is None:
            installed = {}
            make_venv()
        install(purpose)
        stamp = {"made_with": made_with(), "installed": {**installed, purpose: digest(purpose)}}
        unfinished = STAMP.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(stamp, indent=2), encoding="utf-8")
        unfinished.replace(STAMP)


def is_ready(purpose: str) -> bool:
    installed = installed_digests()
    if installed is None or not venv_program("ludograph").exists():
        return False
    # Every lock file contains the requirements of `run` in the same versions.
    enough = LOCKS if purpose == "run" else (purpose,)
    return any(installed.get(name) == digest(name) for name in enough if name in installed)


def installed_digests() -> dict[str, str] | None:
    """The installed lock files by the stamp; None if `.venv` is missing, broken or made elsewhere."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        installed = stamp["installed"] if stamp["made_with"] == made_with() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # `exists` follows links, so it also fails if the Python of the environment was removed.
    if not isinstance(installed, dict) or not venv_program("python").exists():
        return None
    return installed


def made_with() -> dict[str, str]:
    """The properties that an environment depends on: its scripts contain the folder and the Python."""
    return {"python": str(sys.implementation.cache_tag), "root": str(ROOT)}


def digest(purpose: str) -> str:
    content = hashlib.sha256()
    for path in (ROOT / LOCKS[purpose], PROJECT):
        try:
            content.update(hashlib.sha256(path.read_bytes()).digest())
        except FileNotFoundError as error:
            raise SetupError(f"{path.name} is missing") from error
    return content.hexdigest()


def make_venv() -> None:
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    try:
        run_quietly([base_python(), "-m", "venv", str(VENV)])
    except SetupError as error:
        raise SetupError(
            f"{error}\nThis Python cannot create environments; on Debian install python3-venv"
        ) from error


def install(purpose: str) -> None:
    """Install the lock file, then the project as an editable install with the locked build backend."""
    python = str(venv_program("python"))
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    uv = shutil.which("uv")
    locked = ["--require-hashes", "-r", str(ROOT / LOCKS[purpose])]
    project = ["--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    for wanted in (locked, project):
        if uv is not None:
            # If the network settings work only for pip (a proxy, a certificate), fall back to pip.
            with contextlib.suppress(SetupError):
                run_quietly([uv, "pip", "install", "--python", python, *wanted])
                continue
        run_quietly([*pip, *wanted])


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Hold the lock of the set-up; the system releases it even if the process is killed."""
    with (ROOT / ".venv.lock").open("a", encoding="utf-8") as held:
        if sys.platform == "win32":
            while True:
                with contextlib.suppress(OSError):  # it gives up after ten seconds; try again
                    msvcrt.locking(held.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def venv_program(name: str, folder: Path = VENV) -> Path:
    return folder / "Scripts" / f"{name}.exe" if os.name == "nt" else folder / "bin" / name


def base_python() -> str:
    """The Python outside of any environment, because `.venv` may be running this and about to be removed."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def run_quietly(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Run a step of the set-up; show its output only if it fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise SetupError(f"this command failed: {' '.join(command)}\n{done.stdout}")


def call(
    command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> int:
    """Run a program to its end and return its exit code, as a shell does."""
    with subprocess.Popen(command, cwd=folder, env=environment) as process:
        while True:
            try:
                code = process.wait()
                break
            except KeyboardInterrupt:
                continue  # The program received the signal too and decides.
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
