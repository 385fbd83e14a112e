"""The time from a keystroke in an editor to the diagnostics, and to a list of completions.

python3 dev.py bench studio      # or: python -m benchmarks.studio [game …] [--keystrokes N] [--json]
[--check]

An editor's messages go through the language server in one process: a keystroke somewhere in the game, the
check of the whole game, its diagnostics; then completion and hover at the same place. The figures are
milliseconds of CPU time, without the 20 ms that the server waits for further keystrokes: the median, and
the value that 95 of 100 stay below.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from ludograph.lsp.server import EditorConnection

GAMES = Path(__file__).resolve().parents[1] / "src" / "ludograph" / "games"
MEASURED = ("tic-tac-toe", "chess", "hexil")
MUST = 150.0
"""The limit in milliseconds, for 95 of 100."""

TYPED = ("x", ".", " ", "1", ";", "{", "(", "seat", "if ")
SEED = 7


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="games of the shelf (default: tic-tac-toe, chess and hexil)")
    parser.add_argument("--keystrokes", type=int, default=100, help="for each game (default: 100)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if a figure is above the limit")
    options = parser.parse_args()
    found = {name: asyncio.run(measure(name, options.keystrokes)) for name in options.games or list(MEASURED)}
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
    late = [name for name, parts in found.items() if any(each["95 of 100"] > MUST for each in parts.values())]
    return 1 if options.check and late else 0


def show(found: dict[str, dict[str, dict[str, float]]]) -> None:
    print(f"{'':14}{'median':>10}{'95 of 100':>12}   ms of CPU time")
    for name, parts in found.items():
        print(name)
        for part, each in parts.items():
            print(f"  {part:12}{each['median']:>10.1f}{each['95 of 100']:>12.1f}")


async def measure(name: str, keystrokes: int) -> dict[str, dict[str, float]]:
    """The figures of one game, by what the editor waits for."""
    text = (GAMES / f"{name}.tgdl").read_text(encoding="utf-8")
    editor = _Editor(f"file:///games/{name}.tgdl")
    await editor.open(text)
    chance = random.Random(SEED)
    spent: dict[str, list[float]] = {"diagnostics": [], "completion": [], "hover": []}
    for _ in range(keystrokes):
        offset = chance.randrange(len(text))
        typed = chance.choice(TYPED)
        changed = text[:offset] + typed + text[offset:]
        before = text[: offset + len(typed)]
        place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        spent["diagnostics"].append(await editor.change(changed))
        spent["completion"].append(await editor.ask("textDocument/completion", place))
        spent["hover"].append(await editor.ask("textDocument/hover", place))
    return {part: _figures(each[1:] or each) for part, each in spent.items()}


def _figures(times: list[float]) -> dict[str, float]:
    high = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return {"median": round(median(times), 2), "95 of 100": round(high, 2)}


class _Editor:
    """A client in the same process. Mutable."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.version = 1
        self.messages: list[dict[str, Any]] = []
        self.connection = EditorConnection(lambda text: self.messages.append(json.loads(text)))

    async def open(self, text: str) -> None:
        await self._request("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
        document = {"uri": self.uri, "languageId": "tgdl", "version": self.version, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        await self._until(_is_diagnostics)

    async def change(self, text: str) -> float:
        """Milliseconds of CPU time until the diagnostics of a new text."""
        self.version += 1
        self.messages.clear()
        start = time.process_time()
        document = {"uri": self.uri, "version": self.version}
        self._tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        await self._until(_is_diagnostics)
        return (time.process_time() - start) * 1000

    async def ask(self, method: str, place: dict[str, int]) -> float:
        """Milliseconds of CPU time until the answer to a question about a place."""
        start = time.process_time()
        await self._request(method, {"textDocument": {"uri": self.uri}, "position": place})
        return (time.process_time() - start) * 1000

    async def _request(self, method: str, parameters: dict[str, Any]) -> None:
        number = f"{method} {self.version}"
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        self.connection.receive(json.dumps(request))
        await self._until(lambda one: one.get("id") == number)

    def _tell(self, method: str, parameters: dict[str, Any]) -> None:
        self.connection.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}))

    async def _until(self, fits: Callable[[dict[str, Any]], bool]) -> None:
        while not any(fits(one) for one in self.messages):
            await asyncio.sleep(0.001)


def _is_diagnostics(message: dict[str, Any]) -> bool:
    return message.get("method") == "textDocument/publishDiagnostics"


if __name__ == "__main__":
    raise SystemExit(main())
