"""The objects of the native engine on disk: private, checked, limited in size, and never in the way.

Each object is a file of its own in the user's cache folder, named after the digest of its key. A file is
believed only if it is ours, nobody else could have written it, and its digests are right; otherwise the
object is made again and the file replaced. A new one is written beside its place and moved there in one step,
so that any number of processes may read and write at once without knowing of each other. Whatever else goes
wrong, such as a full disk or a folder without permission, means that nothing is kept, and nobody needs to
hear of it.
"""

import contextlib
import os
import stat
import struct
import sys
import tempfile
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
        path, key_digest = self._place(key)
        try:
            _check_private(self.folder.lstat(), stat.S_ISDIR)
            content = self._read(path)
            found = _unpack(content, key_digest)
        except (OSError, _Untrusted):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return found

    def put(self, key: str, data: bytes) -> None:
        """Keep an object, in place of the longest unused ones if there is no more room."""
        path, key_digest = self._place(key)
        content = HEADER.pack(MAGIC, FORM, len(data), key_digest, _digest(data)) + data
        if len(content) > self._limit_bytes:
            return
        with contextlib.suppress(OSError, _Untrusted):
            self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            _check_private(self.folder.lstat(), stat.S_ISDIR)
            self._write(path, content)
            self._make_room()

    def clear(self) -> None:
        """Remove all objects, those of other versions too."""
        for path, _ in self._files():
            with contextlib.suppress(OSError):
                path.unlink()

    def sizes(self) -> tuple[int, ...]:
        """How many bytes each of the objects takes."""
        return tuple(status.st_size for path, status in self._files() if path.suffix == SUFFIX)

    def _place(self, key: str) -> tuple[Path, bytes]:
        """Where a key's object is, and the digest that the file must bear."""
        digest = _digest(self._writer, key.encode("utf-8", "surrogatepass"))
        return self.folder / f"{digest.hex()}{SUFFIX}", digest

    def _read(self, path: Path) -> bytes:
        # Neither through a link nor waiting for whoever writes into a pipe.
        flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
        with os.fdopen(os.open(path, os.O_RDONLY | sum(flags)), "rb") as file:
            status = os.fstat(file.fileno())
            _check_private(status, stat.S_ISREG)
            if status.st_size > self._limit_bytes:
                raise _Untrusted
            return file.read()

    def _write(self, path: Path, content: bytes) -> None:
        descriptor, name = tempfile.mkstemp(UNFINISHED, dir=self.folder)  # for us alone to read and write
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def _make_room(self) -> None:
        """Remove what has not been used for longest until the rest fits, and what nobody will finish."""
        files = sorted(self._files(), key=lambda file: file[1].st_mtime_ns, reverse=True)
        kept_bytes = 0
        for path, status in files:
            if path.suffix == UNFINISHED:
                is_kept = status.st_mtime > time.time() - UNFINISHED_SECONDS
            else:
                kept_bytes += status.st_size
                is_kept = kept_bytes <= self._limit_bytes
            if not is_kept:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Our files, and none that somebody else put into the folder or that went away meanwhile."""
        with contextlib.suppress(OSError):
            for path in sorted(self.folder.iterdir()):
                with contextlib.suppress(OSError):
                    status = path.lstat()
                    if path.suffix in {SUFFIX, UNFINISHED}:
                        yield path, status


class _Untrusted(Exception):
    """Not written by us, or changed since."""


def _unpack(content: bytes, key_digest: bytes) -> bytes:
    """The object in a file's content, if each byte of the file is as it was written."""
    data = content[HEADER.size :]
    if content[: HEADER.size] != HEADER.pack(MAGIC, FORM, len(data), key_digest, _digest(data)):
        raise _Untrusted
    return data


def _check_private(status: os.stat_result, is_kind: Callable[[int], bool]) -> None:
    """Ours, of the right kind, and for nobody else to write. On Windows the user's folders are private."""
    if not is_kind(status.st_mode):
        raise _Untrusted
    if sys.platform != "win32" and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        raise _Untrusted


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
