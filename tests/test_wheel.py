"""Builds the wheel offline, checks its content, installs it in a new environment and runs it there."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from ludograph import __version__

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Installed:
    wheel: Path
    folder: Path
    scripts: Path

    def run(self, *command: str) -> str:
        """Run a program of the environment outside of the source folder; it must succeed."""
        away = self.folder / "elsewhere"
        away.mkdir(exist_ok=True)
        program = str(self.scripts / command[0])
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment = {**clean, "PYTHONUTF8": "1"}
        return output([program, *command[1:]], away, environment)


def output(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    output([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    output([python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel)], folder)
    # The dependencies come from the environment of the tests. The editable install there is not used: it is a
    # path entry too, and Python does not follow path entries of path entries.
    purelib = output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder)
    Path(purelib.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Installed(wheel, folder, scripts)


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(installed: Installed) -> None:
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    expected = {path.relative_to(source).as_posix() for path in files}
    expected.add("ludograph/lsp/language.md")  # the reference, for the language server
    with zipfile.ZipFile(installed.wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == expected
    assert "ludograph/py.typed" in packed


def test_the_wheel_carries_the_licence_and_works_on_every_platform(installed: Installed) -> None:
    assert installed.wheel.name == f"ludograph-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(installed.wheel) as archive:
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())


def test_the_installed_package_is_imported_from_the_wheel(installed: Installed) -> None:
    place = installed.run("python", "-c", "import ludograph; print(ludograph.__file__)").strip()
    assert Path(place).resolve().is_relative_to(installed.folder.resolve())


def test_every_module_of_the_wheel_can_be_imported(installed: Installed) -> None:
    modules = (
        "import pkgutil, importlib, ludograph\n"
        "for module in pkgutil.walk_packages(ludograph.__path__, 'ludograph.'):\n"
        "    importlib.import_module(module.name)\n"
        "print('all')"
    )
    assert installed.run("python", "-c", modules).strip() == "all"


def test_the_installed_command_prints_help(installed: Installed) -> None:
    assert "usage: ludograph" in installed.run("ludograph", "--help")


def test_the_installed_command_and_the_module_tell_the_same_version(installed: Installed) -> None:
    assert __version__ in installed.run("ludograph", "--version")
    assert installed.run("python", "-m", "ludograph", "--version") == installed.run("ludograph", "--version")
