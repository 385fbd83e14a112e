"""The things of a state by name, read from its JSON, and their values as text.

Names are those of the JSON (`t`, `seat#1`, `grid[0][2]`, `track.a`, `man#3`); a player's local state is also
`seat[0]`. Beside its attributes a thing has what the language lets one ask of it: `tile`, `player`, `players`
and the `cards` of a stack, the bottom first.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ludograph.tgdl.program import Construct, Program
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type

STACK_PARTS = ("@bottom", "@shuffled", "@top")
IMPLIED = {"tile": "@at", "player": "@player", "players": "@players"}


class Things:
    """All things of a state; the view of player 0 tells what each is."""

    def __init__(self, program: Program, data: Mapping[str, Any], view: Mapping[str, Any]) -> None:
        self.constructs = {construct.name: construct for construct in program.constructs}
        self.data: dict[str, Mapping[str, Any]] = {}
        self.kinds: dict[str, str] = {}
        counts: Counter[str] = Counter()
        seen: Mapping[str, Any] = view["things"]
        for name, entry in data["instances"].items():
            kind = self._kind(name, seen)
            if kind is not None:
                counts[kind] += 1
                self._add(name, kind, entry)
        for entry in data["new"]:
            kind = entry["@is"]
            counts[kind] += 1
            self._add(f"{kind}#{counts[kind]}", kind, entry)

    def _kind(self, name: str, seen: Mapping[str, Any]) -> str | None:
        """What a thing is that was there from the beginning; only tiles do not say it with their name.

        A tile that is no longer on the board is nothing.
        """
        plain = name.partition("#")[0]
        if plain in self.constructs:
            return plain
        found = seen.get(name) or seen.get(name.rpartition(".")[2])
        return None if found is None else str(found["is"])

    def _add(self, name: str, kind: str, entry: Mapping[str, Any]) -> None:
        self.data[name] = entry
        self.kinds[name] = kind
        if entry.get("@player") is not None:
            self.data[f"{kind}[{entry['@player']}]"] = entry
            self.kinds[f"{kind}[{entry['@player']}]"] = kind

    def value(self, path: str) -> str:
        """The value of `thing.attribute` as text; a LookupError if there is none."""
        name, dot, attribute = path.rpartition(".")
        if not dot or name not in self.data:
            raise LookupError(f"there is nothing called '{name or path}', but {', '.join(self.data)}")
        return self.attribute(name, attribute)

    def attribute(self, name: str, attribute: str) -> str:
        entry, construct = self.data[name], self.constructs[self.kinds[name]]
        declared = _type_of(construct, attribute)
        if declared is not None:
            return text_of(entry[attribute], declared)
        if attribute == "cards":
            return text_of([card for part in STACK_PARTS for card in entry[part]])
        key = IMPLIED.get(attribute, attribute)
        if not key.startswith("@"):
            raise LookupError(f"{name} has no attribute '{attribute}', but {', '.join(entry)}")
        return text_of(entry.get(key))

    def declared_at(self, program: Program, file: str, line: int) -> list[str]:
        """The values of the attribute that a line declares, one for each thing that has it."""
        declared: dict[str, str] = {}
        for construct in program.constructs:
            for attribute in construct.attributes:
                source = program.sources[attribute.file]
                words = source.text[attribute.span.start : attribute.span.end]
                place, _ = source.line_and_column(attribute.span.start)
                if (source.name, place, words) == (file, line, attribute.name):
                    declared[construct.name] = attribute.name
        if not declared:
            raise LookupError("no attribute is declared on this line")
        return [
            self.attribute(name, declared[kind])
            for name, kind in self.kinds.items()
            if kind in declared and not self._is_second_name(name)
        ]

    def _is_second_name(self, name: str) -> bool:
        """Whether a name is the `seat[0]` of a state that has been counted as `seat#1`."""
        return name.startswith(f"{self.kinds[name]}[")


def _type_of(construct: Construct, name: str) -> Type | None:
    return next((each.type for each in construct.attributes if each.name == name), None)


def text_of(value: Any, type: Type | None = None) -> str:
    """A value of the JSON as the language writes it."""
    match value, type:
        case None, _:
            return "none"
        case bool(), _:
            return "true" if value else "false"
        case float(), _ if value == int(value) and abs(value) < 1e16:
            return str(int(value))
        case int() | float(), _:
            return str(value)
        case str(), Basic.STRING:
            return json.dumps(value, ensure_ascii=False)
        case str(), _:
            return value
        case list(), ListType(element) | TableType(_, element):
            return f"{{{', '.join(text_of(item, element) for item in value)}}}"
        case list(), _:
            return f"{{{', '.join(text_of(item, type) for item in value)}}}"
        case {"text": text}, _:
            return json.dumps(text, ensure_ascii=False)
        case {"member": name}, _:
            return str(name).rpartition(".")[2]
        case dict(), _ if len(value) == 1:
            return text_of(next(iter(value.values())))
        case _:
            raise AssertionError(f"{value!r} is no value of a state")
