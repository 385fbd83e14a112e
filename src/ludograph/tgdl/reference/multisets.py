"""Multisets: tables with a total, whose keys a player chooses one by one.

The keys are chosen in their order, so each multiset is chosen in one way. The next key is possible if some
allowed table has at least the chosen numbers. Filters that read only the number of their own key give the
allowed numbers of each key; from these follow the sums that the later keys can complete. Only other filters,
and filters of the whole table, need a search.
"""

from typing import Any

from ludograph.tgdl.program.types import TableType
from ludograph.tgdl.reference.fuel_costs import pay
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.values import MAX_LIST_LENGTH
from ludograph.tgdl.world.world import Closure, CompiledInput, Frame


class MultisetChoice:
    """The keys of a multiset that are chosen so far, and those that may follow. Mutable."""

    def __init__(self, run: Run, prompt: CompiledInput, frame: Frame, least: int, most: int) -> None:
        known = prompt.input
        assert isinstance(known.type, TableType)
        assert prompt.supply is not None, "enums and players are finite"
        self.run, self.prompt, self.frame = run, prompt, frame
        self.pool = prompt.supply(run)
        """All keys, in their order."""
        if most > MAX_LIST_LENGTH:
            run.fault("TG0505", f"the total of '{known.name}' is more than a million", prompt.site)
        self.least, self.most = least, most
        self.table = [0.0] * key_count(run.world, run.memory, known.type.key)
        self._searches = bool(prompt.other_filters or prompt.list_filters)
        self._last = 0
        """The index of the last chosen key."""
        self._before = 0
        """The sum of the numbers of the keys before it."""
        numbers = max(most, 0)
        run.spend(prompt.price * len(self.pool) * numbers, prompt.site)
        pay(run, len(self.pool) * (numbers + 1) ** 2, prompt.site)
        self._allowed = [self._numbers_of(key) for key in self.pool]
        self._ends = self._reachable_sums()
        """For each key, the sums before it that it and the later keys can complete, as bits."""

    @property
    def total(self) -> int:
        """The sum of the numbers so far."""
        return self._before + self._count

    @property
    def _count(self) -> int:
        """The number of the last key."""
        return int(self.table[self.pool[self._last]]) if self.pool else 0

    def add(self, key: Any) -> None:
        """Choose one more of a key."""
        place = self.pool.index(key)
        if place != self._last:
            self._before = self.total
            self._last = place
        self.table[key] += 1.0

    def next_values(self) -> list[Any]:
        """The keys that may be chosen next."""
        if self.total >= self.most:
            return []
        found = []
        for place in range(self._last, len(self.pool)):
            is_last = place == self._last
            if place == self._last + 1 and not self._is_closed():
                break
            first, before = (self._count + 1, self._before) if is_last else (1, self.total)
            if self._can_complete(place, first, before):
                found.append(self.pool[place])
        return found

    def result(self) -> tuple[float, ...]:
        return tuple(self.table)

    def may_stop(self) -> bool:
        """Whether the table so far is allowed."""
        return self.least <= self.total <= self.most and self._is_closed() and self._whole_passes()

    def _is_closed(self) -> bool:
        """Whether the number of the last key is allowed."""
        count = self._count
        return not count or (self._is_allowed(self._last, count) and self._others_pass(self._last))

    # Numbers of single keys

    def _numbers_of(self, key: int) -> list[bool]:
        """For each number from 0 to the total, whether the filters allow it for a key."""
        allowed = [True] * (max(self.most, 0) + 1)
        filters = self.prompt.own_filters
        if filters:
            self.run.is_pure += 1
            for number in range(1, len(allowed)):
                self.table[key] = float(number)
                allowed[number] = self._passes(filters, key)
            self.table[key] = 0.0
            self.run.is_pure -= 1
        return allowed

    def _passes(self, filters: tuple[Closure, ...], key: Any) -> bool:
        """Whether filters pass for a key and the table so far."""
        known, frame = self.prompt.input, self.frame
        frame[known.slot] = tuple(self.table)
        if known.filter_slot is not None:
            frame[known.filter_slot] = key
        passed = all(test(self.run, frame) for test in filters)
        frame[known.slot] = None
        if known.filter_slot is not None:
            frame[known.filter_slot] = None
        return passed

    def _is_allowed(self, place: int, number: int) -> bool:
        return self._allowed[place][number]

    def _reachable_sums(self) -> list[int]:
        most = max(self.most, -1)
        ends = [sum(1 << total for total in range(max(self.least, 0), most + 1))]
        for allowed in reversed(self._allowed):
            after = ends[-1]
            found = 0
            for number, is_allowed in enumerate(allowed):
                if is_allowed:
                    found |= after >> number
            ends.append(found)
        return ends[::-1]

    # Completion

    def _can_complete(self, place: int, first: int, before: int) -> bool:
        """Whether an allowed table has the numbers before a key, and at least `first` of the key."""
        if self._searches:
            return self._search(place, first, before)
        after = self._ends[place + 1] >> before
        return any(
            after >> number & 1 and self._is_allowed(place, number)
            for number in range(first, self.most - before + 1)
        )

    def _search(self, start: int, first: int, before: int) -> bool:
        """Search depth first for an allowed table, small numbers first."""
        table, keys = self.table, self.pool
        kept = table[keys[start]]
        place = start
        numbers, sums = [first - 1], [before]
        is_found = False
        while True:
            numbers[-1] += 1
            number, total = numbers[-1], sums[-1] + numbers[-1]
            if total > self.most:
                table[keys[place]] = 0.0
                if place == start:
                    break
                place -= 1
                numbers.pop()
                sums.pop()
                continue
            if not (self._ends[place + 1] >> total & 1 and self._is_allowed(place, number)):
                continue
            table[keys[place]] = float(number)
            if number and not self._others_pass(place):
                continue
            if place + 1 < len(keys):
                place += 1
                numbers.append(-1)
                sums.append(total)
            elif self._whole_passes():
                is_found = True
                break
        for key in keys[start:]:
            table[key] = 0.0
        table[keys[start]] = kept
        return is_found

    def _others_pass(self, place: int) -> bool:
        """Whether the filters that read more than one number pass for a key with its number."""
        if not self.prompt.other_filters:
            return True
        self.run.spend(self.prompt.price, self.prompt.site)
        self.run.is_pure += 1
        passed = self._passes(self.prompt.other_filters, self.pool[place])
        self.run.is_pure -= 1
        return passed

    def _whole_passes(self) -> bool:
        """Whether the table passes the filters of the whole table."""
        if not self.prompt.list_filters:
            return True
        self.run.spend(self.prompt.list_price, self.prompt.site)
        self.run.is_pure += 1
        passed = self._passes(self.prompt.list_filters, None)
        self.run.is_pure -= 1
        return passed
