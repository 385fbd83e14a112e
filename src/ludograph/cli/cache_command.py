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
        facts = {"folder": str(store.folder), "games": len(sizes), "bytes": sum(sizes), "most": LIMIT_BYTES}
        write_json({"cache": facts})
    else:
        games = "1 compiled game" if len(sizes) == 1 else f"{len(sizes)} compiled games"
        print(f"{store.folder}: {games}, {_megabytes(sum(sizes))} of at most {_megabytes(LIMIT_BYTES)}")
    return FINE


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
