"""Shrinking: from a list that shows a fault to a smaller one that still does."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def shrink_list(items: list[T], shows: Callable[[list[T]], bool], *, seconds: float = 60) -> list[T]:
    """Leave out what is not needed, in ever smaller pieces, as long as time allows."""
    end = time.monotonic() + seconds
    size = max(1, len(items) // 2)
    while True:
        at, shorter = 0, False
        while at < len(items):
            if time.monotonic() > end:
                return items
            trial = items[:at] + items[at + size :]
            if shows(trial):
                items, shorter = trial, True
            else:
                at += size
        if not shorter or size > 1:
            if size == 1:
                return items
            size //= 2


def shrink_numbers(
    numbers: list[int], shows: Callable[[list[int]], bool], *, seconds: float = 60
) -> list[int]:
    """A shorter list of smaller numbers."""
    end = time.monotonic() + seconds
    numbers = shrink_list(numbers, shows, seconds=seconds / 2)
    for at, number in enumerate(numbers):
        for smaller in dict.fromkeys((0, number % 8, number % (1 << 16), number >> 16 << 16)):
            if smaller >= number or time.monotonic() > end:
                continue
            trial = [*numbers[:at], smaller, *numbers[at + 1 :]]
            if shows(trial):
                numbers = trial
                break
    return numbers
