"""The objects of the native engine on disk: private, checked, limited in size, and never in the way.

Each object is a file of its own in the user's cache folder, named after the digest of its key. A file is
trusted only if it and its folders belong to the user, nobody else could have written them, and its digests
are right; otherwise the object is made again and the file replaced. In a folder that cannot be trusted
nothing is kept, and `ludograph cache` says why. A new object is written beside its place and moved there in
one step, so that any number of processes may read and write at once without knowing of each other. Whatever
else goes wrong, such as a full disk or a folder without permission, means that nothing is kept, and nobody
needs to hear of it.
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
UNFINISHED_SECONDS = 3600  # after that, whoever was writing has gone

# A file begins with magic, its form, the length of the object, and the digests of key and object.
MAGIC = b"ludograph object"
FORM = 1
DIGEST_BYTES = 32
HEADER = struct.Struct(f"<{len(MAGIC)}sIQ{DIGEST_BYTES}s{DIGEST_BYTES}s")

# The rooms whose code decides what is in an object.
PACKAGE = Path(__file__).parent.parent
WRITERS = ("text", "geometry", "play", "tgdl", "games")

# Neither through a link nor waiting for whoever writes into a pipe.
READING = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | READING
DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")

_started_seconds = time.time()


def open_object_store() -> "ObjectFolder | None":
    """The user's store, or None if there is no place for one or LUDOGRAPH_CACHE is empty."""
    folder = cache_folder(os.environ, sys.platform)
    writer = _writer(PACKAGE, _started_seconds)
    if folder is None or writer is None:
        return None
    return ObjectFolder(folder / "objects", writer)


def cache_folder(environment: Mapping[str, str], platform: str) -> Path | None:
    """Our folder among those of the programs that keep what they can make again."""
    chosen = environment.get("LUDOGRAPH_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    if platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        return Path(local, "ludograph", "cache") if local else None
    home = Path(environment.get("HOME", ""))
    usual = home / "Library" / "Caches" if platform == "darwin" else home / ".cache"
    told = Path(environment.get("XDG_CACHE_HOME", ""))
    folder = told if platform != "darwin" and told.is_absolute() else usual
    return folder / "ludograph" if folder.is_absolute() else None


class ObjectFolder:
    """A folder of objects, as `tgdl.native.store` wants it. Threads may share it."""

    def __init__(self, folder: Path, writer: bytes, *, limit_bytes: int = LIMIT_BYTES) -> None:
        """`writer` stands for the code that makes the objects; none reads what another has made."""
        self.folder = folder
        self._writer = writer
        self._limit_bytes = limit_bytes

    def get(self, key: str) -> bytes | None:
        """The object of this key if it is there and can be trusted, which counts as a use of it."""
        name, key_digest = self._place(key)
        try:
            with self._opened() as folder:
                return _unpack(self._read(folder, name), key_digest)
        except (OSError, Untrusted):
            return None

    def put(self, key: str, data: bytes) -> None:
        """Keep an object, in place of the longest unused ones if there is no more room."""
        name, key_digest = self._place(key)
        content = HEADER.pack(MAGIC, FORM, len(data), key_digest, _digest(data)) + data
        if len(content) > self._limit_bytes:
            return
        with contextlib.suppress(OSError, Untrusted):
            self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened(makes=True) as folder:
                self._write(folder, name, content)
                self._make_room(folder)

    def clear(self) -> None:
        """Remove all objects, those of other versions too."""
        with contextlib.suppress(OSError, Untrusted), self._opened() as folder:
            for name, _ in self._files(folder):
                self._remove(folder, name)

    def sizes(self) -> tuple[int, ...]:
        """How many bytes each of the objects takes that can be trusted."""
        return tuple(status.st_size for status in self._objects() if _distrust(status, stat.S_ISREG) is None)

    def ignored(self) -> int:
        """How many objects are not used because of their owner or mode."""
        return sum(_distrust(status, stat.S_ISREG) is not None for status in self._objects())

    def untrusted_reason(self) -> str | None:
        """Why the folder is not used, if it is there and cannot be trusted."""
        try:
            with self._opened():
                return None
        except Untrusted as reason:
            return str(reason)
        except OSError:
            return None

    def _objects(self) -> list[os.stat_result]:
        with contextlib.suppress(OSError, Untrusted), self._opened() as folder:
            return [status for name, status in self._files(folder) if name.endswith(SUFFIX)]
        return []

    def _place(self, key: str) -> tuple[str, bytes]:
        """The name of the file of a key's object, and the digest that the file must bear."""
        digest = _digest(self._writer, key.encode("utf-8", "surrogatepass"))
        return f"{digest.hex()}{SUFFIX}", digest

    @contextlib.contextmanager
    def _opened(self, *, makes: bool = False) -> Iterator[int | None]:
        """A descriptor of the folder, once it and the one above it are known to be ours.

        All that is done with files goes by this descriptor: whatever somebody puts in place of the folder
        meanwhile is not used. None where the system has no such descriptors; there the user's folders are
        private.
        """
        if not HAS_DESCRIPTORS:
            if makes:
                self.folder.mkdir(mode=0o700, exist_ok=True)
            yield None
            return
        above = os.open(self.folder.parent, DIRECTORY)  # may be a link, to a folder of ours
        try:
            _check_private(os.fstat(above), stat.S_ISDIR, self.folder.parent)
            if makes:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self.folder.name, 0o700, dir_fd=above)
            if stat.S_ISLNK(os.stat(self.folder.name, dir_fd=above, follow_symlinks=False).st_mode):
                raise Untrusted(f"{self.folder} is a link")
            folder = os.open(self.folder.name, DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
            try:
                _check_private(os.fstat(folder), stat.S_ISDIR, self.folder)
                yield folder
            finally:
                os.close(folder)
        finally:
            os.close(above)

    def _path(self, folder: int | None, name: str) -> str:
        """How to call a file, by itself where there is a descriptor of its folder."""
        return str(self.folder / name) if folder is None else name

    def _read(self, folder: int | None, name: str) -> bytes:
        path = self._path(folder, name)
        with os.fdopen(os.open(path, READING, dir_fd=folder), "rb") as file:
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
        descriptor = os.open(unfinished, WRITING, 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(unfinished, self._path(folder, name), src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            self._remove(folder, unfinished)
            raise

    def _make_room(self, folder: int | None) -> None:
        """Remove what has not been used for longest until the rest fits, and what nobody will finish."""
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
        """Our files, and none that somebody else put into the folder or that went away meanwhile."""
        with os.scandir(self.folder if folder is None else folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith((SUFFIX, UNFINISHED)))
        for name in names:
            with contextlib.suppress(OSError):
                yield name, os.stat(self._path(folder, name), dir_fd=folder, follow_symlinks=False)


class Untrusted(Exception):
    """Not written by us, or changed since; the message says what is wrong."""


def _unpack(content: bytes, key_digest: bytes) -> bytes:
    """The object in a file's content, if each byte of the file is as it was written."""
    data = content[HEADER.size :]
    if content[: HEADER.size] != HEADER.pack(MAGIC, FORM, len(data), key_digest, _digest(data)):
        raise Untrusted("the file was changed")
    return data


def _check_private(status: os.stat_result, is_kind: Callable[[int], bool], path: Path) -> None:
    """Ours, of the right kind, and for nobody else to write."""
    reason = _distrust(status, is_kind)
    if reason is not None:
        raise Untrusted(f"{path} {reason}")


def _distrust(status: os.stat_result, is_kind: Callable[[int], bool]) -> str | None:
    """What is wrong with the kind, owner or mode of a file; owner and mode count where there are such."""
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
def _writer(package: Path, started_seconds: float) -> bytes | None:
    """The code that makes objects, told from any other by its files and when they were written.

    A version would not do, since between two versions the code changes too. None if the files are not to be
    found, or have changed since the code was loaded: what runs is then not what is written there.
    """
    try:
        files = sorted(file for room in WRITERS for file in _sources(package / room))
    except OSError:
        return None
    if not files or max(changed_ns for *_, changed_ns in files) >= started_seconds * 1e9:
        return None
    return _digest(repr(files).encode())


def _sources(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """Path, bytes, and when written and changed; the last is new for a replaced file whatever its date."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns
            elif entry.is_dir():
                yield from _sources(Path(entry.path))
