"""Databases for the server's tests: a file of SQLite, and a PostgreSQL of our own in a temporary folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
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
    return next(
        (folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None
    )


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


@contextmanager
def running_postgresql() -> Iterator[str]:
    """A PostgreSQL server on a socket in a temporary folder; yields the URL of its database."""
    programs = find_programs()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="ludograph-pg-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        data = folder / "data"
        as_owner: dict[str, object] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(OWNER)
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_owner = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        run = {"cwd": folder, "check": True, "capture_output": True, **as_owner}
        initdb = [
            str(programs / "initdb"),
            "-D",
            str(data),
            "-U",
            OWNER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run([*initdb, "--locale=C"], **run)  # type: ignore[call-overload]
        control = [str(programs / "pg_ctl"), "-D", str(data), "-w"]
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        log = str(folder / "log")
        subprocess.run([*control, "-o", options, "-l", log, "start"], **run)  # type: ignore[call-overload]
        try:
            yield f"postgresql://{OWNER}@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **run)  # type: ignore[call-overload]
