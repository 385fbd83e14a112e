"""The cache of compiled games on disk: private, checked and limited in size. It never causes an error.

Each object is a file in the user's cache folder, named after the digest of its key. A file is trusted only if
it and its folders belong to the user, nobody else can write to them, and its digests are correct; otherwise
the object is created again and the file replaced. Nothing is stored in a folder that is not trusted, and
`ludograph cache` gives the reason. A new object is written to a temporary file, which is then renamed, so
that any number of processes may read and write at the same time. Other errors, such as a full disk or a
missing permission, mean that nothing is stored; they are not reported.
"""

import contextlib
import os
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path

LIMIT_BYTES = 200_000_000
SUFFIX = ".object"
UNFINISHED = ".unfinished"
UNFINISHED_SECONDS = 3600
"""The age at which a temporary file is abandoned: its writer has ended."""

# A file starts with the magic number, the format, the length of the object, and the digests of key and
# object.
MAGIC = b"ludograph object"
FORMAT = 1
DIGEST_BYTES = 32
HEADER = struct.Struct(f"<{len(MAGIC)}sIQ{DIGEST_BYTES}s{DIGEST_BYTES}s")

# The packages whose code decides the content of an object.
PACKAGE = Path(__file__).parent.parent
CODE_PACKAGES = ("text", "geometry", "play", "tgdl", "games")

# Do not follow links, and do not wait for the writer of a pipe.
READ_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | READ_FLAGS
DIRECTORY_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")

_started_seconds = time.time()


def open_object_store() -> "ObjectFolder | None":
    """The user's store, or None if there is no folder for it or LUDOGRAPH_CACHE is empty."""
    folder = cache_folder(os.environ, sys.platform)
    writer = _code_digest(PACKAGE, _started_seconds)
    if folder is None or writer is None:
        return None
    return ObjectFolder(folder / "objects", writer)


def cache_folder(environment: Mapping[str, str], platform: str) -> Path | None:
    """The folder of this program in the user's cache folder."""
    chosen = environment.get("LUDOGRAPH_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    if platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        return Path(local, "ludograph", "cache") if local else None
    home = Path(environment.get("HOME", ""))
    default = home / "Library" / "Caches" if platform == "darwin" else home / ".cache"
    xdg_folder = Path(environment.get("XDG_CACHE_HOME", ""))
    folder = xdg_folder if platform != "darwin" and xdg_folder.is_absolute() else default
    return folder / "ludograph" if folder.is_absolute() else None


class ObjectFolder:
    """A folder of objects that implements `tgdl.native.run.store`. Threads may share it."""

    def __init__(self, folder: Path, writer: bytes, *, limit_bytes: int = LIMIT_BYTES) -> None:
        """`writer` is a digest of the code that creates the objects; objects of other code are never read."""
        self.folder = folder
        self._writer = writer
        self._limit_bytes = limit_bytes

    def get(self, key: str) -> bytes | None:
        """The object of a key if it exists and is trusted; this counts as a use."""
        name, key_digest = self._file_of_key(key)
        try:
            with self._open_folder() as folder:
                return _unpack(self._read(folder, name), key_digest)
        except (OSError, Untrusted):
            return None

    def put(self, key: str, data: bytes) -> None:
        """Store an object; if the store is full, the least recently used ones are removed."""
        name, key_digest = self._file_of_key(key)
        content = HEADER.pack(MAGIC, FORMAT, len(data), key_digest, _digest(data)) + data
        if len(content) > self._limit_bytes:
            return
        with contextlib.suppress(OSError, Untrusted):
            self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._open_folder(create=True) as folder:
                self._write(folder, name, content)
                self._remove_excess(folder)

    def clear(self) -> None:
        """Remove all objects, including those of other versions."""
        with contextlib.suppress(OSError, Untrusted), self._open_folder() as folder:
            for name, _ in self._files(folder):
                self._remove(folder, name)

    def sizes(self) -> tuple[int, ...]:
        """The sizes of the trusted objects in bytes."""
        return tuple(
            status.st_size for status in self._objects() if _untrusted_reason(status, stat.S_ISREG) is None
        )

    def ignored(self) -> int:
        """The number of objects that are not read because of their owner or mode."""
        return sum(_untrusted_reason(status, stat.S_ISREG) is not None for status in self._objects())

    def untrusted_reason(self) -> str | None:
        """Why the folder is not trusted, or None."""
        try:
            with self._open_folder():
                return None
        except Untrusted as reason:
            return str(reason)
        except OSError:
            return None

    def _objects(self) -> list[os.stat_result]:
        with contextlib.suppress(OSError, Untrusted), self._open_folder() as folder:
            return [status for name, status in self._files(folder) if name.endswith(SUFFIX)]
        return []

    def _file_of_key(self, key: str) -> tuple[str, bytes]:
        """The file name of a key's object, and the digest that the file must have."""
        digest = _digest(self._writer, key.encode("utf-8", "surrogatepass"))
        return f"{digest.hex()}{SUFFIX}", digest

    @contextlib.contextmanager
    def _open_folder(self, *, create: bool = False) -> Iterator[int | None]:
        """Open a descriptor of the folder after checking that it and its parent are private.

        All file operations use this descriptor, so that a folder that another process puts in its place is
        not used. None if the system has no such descriptors; there the user's folders are private.
        """
        if not HAS_DESCRIPTORS:
            if create:
                self.folder.mkdir(mode=0o700, exist_ok=True)
            yield None
            return
        parent = os.open(self.folder.parent, DIRECTORY_FLAGS)  # may be a link to a folder of the user
        try:
            _check_private(os.fstat(parent), stat.S_ISDIR, self.folder.parent)
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self.folder.name, 0o700, dir_fd=parent)
            if stat.S_ISLNK(os.stat(self.folder.name, dir_fd=parent, follow_symlinks=False).st_mode):
                raise Untrusted(f"{self.folder} is a link")
            folder = os.open(self.folder.name, DIRECTORY_FLAGS | os.O_NOFOLLOW, dir_fd=parent)
            try:
                _check_private(os.fstat(folder), stat.S_ISDIR, self.folder)
                yield folder
            finally:
                os.close(folder)
        finally:
            os.close(parent)

    def _path(self, folder: int | None, name: str) -> str:
        """The path of a file, relative to the descriptor of its folder if there is one."""
        return str(self.folder / name) if folder is None else name

    def _read(self, folder: int | None, name: str) -> bytes:
        path = self._path(folder, name)
        with os.fdopen(os.open(path, READ_FLAGS, dir_fd=folder), "rb") as file:
            status = os.fstat(file.fileno())
            _check_private(status, stat.S_ISREG, self.folder / name)
            if status.st_size > self._limit_bytes:
                raise Untrusted(f"{self.folder / name} is too long")
            content = file.read()
            with contextlib.suppress(OSError):
                os.utime(path if folder is None else file.fileno())
        return content

    def _write(self, folder: int | None, name: str, content: bytes) -> None:
        unfinished = self._path(folder, f"{os.urandom(8).hex()}{UNFINISHED}")
        descriptor = os.open(unfinished, WRITE_FLAGS, 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(unfinished, self._path(folder, name), src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            self._remove(folder, unfinished)
            raise

    def _remove_excess(self, folder: int | None) -> None:
        """Remove the least recently used objects until the rest fits, and abandoned temporary files."""
        files = sorted(self._files(folder), key=lambda file: file[1].st_mtime_ns, reverse=True)
        kept_bytes = 0
        for name, status in files:
            if name.endswith(UNFINISHED):
                is_kept = status.st_mtime > time.time() - UNFINISHED_SECONDS
            else:
                kept_bytes += status.st_size
                is_kept = kept_bytes <= self._limit_bytes
            if not is_kept:
                self._remove(folder, name)

    def _remove(self, folder: int | None, name: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._path(folder, name), dir_fd=folder)

    def _files(self, folder: int | None) -> Iterator[tuple[str, os.stat_result]]:
        """The files of the store, without foreign files and files that were removed meanwhile."""
        with os.scandir(self.folder if folder is None else folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith((SUFFIX, UNFINISHED)))
        for name in names:
            with contextlib.suppress(OSError):
                yield name, os.stat(self._path(folder, name), dir_fd=folder, follow_symlinks=False)


class Untrusted(Exception):
    """A file or folder is not private, or was changed; the message gives the reason."""


def _unpack(content: bytes, key_digest: bytes) -> bytes:
    """The object in the content of a file, if no byte was changed."""
    data = content[HEADER.size :]
    if content[: HEADER.size] != HEADER.pack(MAGIC, FORMAT, len(data), key_digest, _digest(data)):
        raise Untrusted("the file was changed")
    return data


def _check_private(status: os.stat_result, is_kind: Callable[[int], bool], path: Path) -> None:
    """Raise Untrusted unless a file is the user's, of the right kind, and not writable by others."""
    reason = _untrusted_reason(status, is_kind)
    if reason is not None:
        raise Untrusted(f"{path} {reason}")


def _untrusted_reason(status: os.stat_result, is_kind: Callable[[int], bool]) -> str | None:
    """Why the kind, owner or mode of a file is not trusted, or None; Windows has no owner and mode."""
    if not is_kind(status.st_mode):
        return "is of another kind"
    if sys.platform != "win32" and status.st_uid != os.geteuid():
        return "belongs to another user"
    if sys.platform != "win32" and status.st_mode & 0o022:
        return "can be written by other users"
    return None


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


@cache
def _code_digest(package: Path, started_seconds: float) -> bytes | None:
    """A digest of the code that creates objects, from its files and their times.

    A version number is not enough, because the code changes between versions. None if the files cannot be
    found, or have changed since the code was loaded: then the running code is not the code in the files.
    """
    try:
        files = sorted(file for name in CODE_PACKAGES for file in _sources(package / name))
    except OSError:
        return None
    if not files or max(changed_ns for *_, changed_ns in files) >= started_seconds * 1e9:
        return None
    return _digest(repr(files).encode())


def _sources(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """The path, size, modification time and change time of every source file.

    The change time also differs if a file was replaced by one with the same modification time.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns
            elif entry.is_dir():
                yield from _sources(Path(entry.path))
