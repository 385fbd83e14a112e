"""`ludograph cache`: the compiled games that are kept on disk."""

from argparse import Namespace

from ludograph.cli.report import FINE, write_json
from ludograph.games.object_store import LIMIT_BYTES, open_object_store


def run(arguments: Namespace) -> int:
    store = open_object_store()
    if store is None:
        if arguments.json:
            write_json({"cache": None})
        else:
            print("compiled games are not kept: there is no folder for them, or LUDOGRAPH_CACHE is empty")
        return FINE
    if arguments.clear:
        store.clear()
    sizes = store.sizes()
    if arguments.json:
        facts = {"folder": str(store.folder), "files": len(sizes), "bytes": sum(sizes), "most": LIMIT_BYTES}
        write_json({"cache": facts})
    else:
        files = "1 file" if len(sizes) == 1 else f"{len(sizes)} files"
        size, most = _megabytes(sum(sizes)), _megabytes(LIMIT_BYTES)
        print(f"{store.folder}: {files} of compiled games, {size} of at most {most}")
    return FINE


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
