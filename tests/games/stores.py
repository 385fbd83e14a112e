"""A place for objects that no test finds on disk."""

from dataclasses import dataclass, field


@dataclass
class MemoryStore:
    """A store in memory."""

    kept: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        self.kept[key] = data
