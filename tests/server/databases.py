"""Databases for the server's tests: a file of SQLite, and a PostgreSQL of our own in a temporary folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

DEBIAN_FOLDERS = "/usr/lib/postgresql"
OWNER = "postgres"
"""The user who runs PostgreSQL if the tests run as root, which PostgreSQL refuses."""


@cache
def find_programs() -> Path | None:
    """The folder of the programs of PostgreSQL; None if it is not installed."""
    found = [*sorted(Path(DEBIAN_FOLDERS).glob("*/bin"), reverse=True)]
    on_path = shutil.which("initdb")
    if on_path is not None:
        found.insert(0, Path(on_path).resolve().parent)
    needed = ("initdb", "postgres", "pg_ctl", "createdb")
    return next((folder for folder in found if all((folder / name).exists() for name in needed)), None)


def why_no_postgresql() -> str:
    """Why PostgreSQL cannot be used here; empty if it can."""
    if find_programs() is None:
        return "PostgreSQL is not installed"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(OWNER)
        except KeyError:
            return f"PostgreSQL does not run as root, and there is no user {OWNER}"
    return ""


class PostgreSQL:
    """A running server of PostgreSQL, in its folder. Mutable: it counts its databases."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._count = 0

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        self._count += 1
        name = f"test{self._count}"
        _run([self._programs / "createdb", "-h", self._folder, "-U", OWNER, name], self._folder)
        return f"postgresql://{OWNER}@/{name}?host={self._folder}"


@contextmanager
def running_postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server on a socket in a temporary folder."""
    programs = find_programs()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="ludograph-pg-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        data = folder / "data"
        initdb = [programs / "initdb", "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        _run([*initdb, "--locale=C"], folder)
        control = [programs / "pg_ctl", "-D", data, "-w"]
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        _run([*control, "-o", options, "-l", folder / "log", "start"], folder)
        try:
            yield PostgreSQL(programs, folder)
        finally:
            _run([*control, "-m", "immediate", "stop"], folder)


def _run(command: Sequence[object], folder: Path) -> None:
    """Run a program of PostgreSQL in its folder, as its owner."""
    user = pwd.getpwnam(OWNER) if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user=None if user is None else user.pw_uid,
        group=None if user is None else user.pw_gid,
        extra_groups=None if user is None else [],
    )
