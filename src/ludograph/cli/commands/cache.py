"""`ludograph cache`: the cache of compiled games."""

from argparse import Namespace

from ludograph.cli.output import SUCCESS, write_json
from ludograph.games.object_store import LIMIT_BYTES, open_object_store


def run(arguments: Namespace) -> int:
    store = open_object_store()
    if store is None:
        if arguments.json:
            write_json({"cache": None})
        else:
            print("compiled games are not cached: there is no cache folder, or LUDOGRAPH_CACHE is empty")
        return SUCCESS
    if arguments.clear:
        store.clear()
    sizes, ignored, reason = store.sizes(), store.ignored(), store.untrusted_reason()
    if arguments.json:
        facts = {
            "folder": str(store.folder),
            "files": len(sizes),
            "bytes": sum(sizes),
            "most": LIMIT_BYTES,
            "ignored": ignored,
            "untrusted": reason,
        }
        write_json({"cache": facts})
    elif reason is not None:
        print(f"compiled games are not cached: {reason}, so the folder is not trusted")
    else:
        size, most = _megabytes(sum(sizes)), _megabytes(LIMIT_BYTES)
        print(f"{store.folder}: {_files(len(sizes))} of compiled games, {size} of at most {most}")
        if ignored:
            are, them = ("is", "it") if ignored == 1 else ("are", "them")
            print(f"{_files(ignored)} {are} ignored, because other users own {them} or can write to {them}")
    return SUCCESS


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
