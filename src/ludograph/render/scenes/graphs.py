"""Positions for the nodes of a graph: names and links in, points in the plane out.

Nodes that are named like squares of chess are drawn on a grid, a long numbered track is folded in the middle,
nodes named after directions lie as on a map, and a ring is a circle. All other graphs are laid out by stress
majorisation: the distances in the plane approximate the distances in the graph. The result depends on nothing
else, so a game always looks the same.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin

PlanePoint = tuple[float, float]
NodeLinks = Mapping[str, set[str]]

MIN_TRACK_LENGTH = 10
MAX_BESIDE = 150
"""The number of nodes up to which those without a place of their own are placed beside their neighbours."""
MAX_MAJORISED = 150
"""The number of nodes up to which distances are approximated; larger graphs are drawn in rows."""
ROUNDS = 120
MAX_STEPS = 900_000
"""The number of pairs of nodes that are looked at in all rounds."""
SETTLED = 0.0005
"""The layout is good when no node moves farther than this in a round."""
COMPASS: Mapping[str, PlanePoint] = {
    "n": (0.0, -1.3),
    "ne": (1.4, -1.0),
    "e": (1.8, 0.0),
    "se": (1.4, 1.0),
    "s": (0.0, 1.3),
    "sw": (-1.4, 1.0),
    "w": (-1.8, 0.0),
    "nw": (-1.4, -1.0),
}


def lay_out_graph(names: Sequence[str], links: Sequence[tuple[str, str]]) -> dict[str, PlanePoint]:
    """A point for each node; close nodes are about 1 apart."""
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for start, end in links:
        if start in neighbours and end in neighbours and start != end:
            neighbours[start].add(end)
            neighbours[end].add(start)
    placed = chess_squares(names) or _folded_track(names)
    if placed:
        return _with_others(names, placed, neighbours)
    around = _compass_points(names)
    if around:
        return _with_others(names, around, neighbours, are_inside=True)
    ring = _ring(names, neighbours)
    if ring:
        return _circle(ring)
    if len(names) > MAX_MAJORISED:
        side = int(len(names) ** 0.5) + 1
        return {name: (float(index % side), float(index // side)) for index, name in enumerate(names)}
    return _majorise(names, neighbours)


def chess_squares(names: Sequence[str]) -> dict[str, PlanePoint]:
    """The points of nodes that are named as on a chess board, if most are."""
    found = {
        name: (float(ord(match[1]) - ord("a")), -float(match[2]))
        for name in names
        if (match := re.fullmatch(r"([a-z])([0-9]{1,2})", name))
    }
    columns = {x for x, _ in found.values()}
    rows = {y for _, y in found.values()}
    return found if len(columns) > 1 and len(rows) > 1 and 2 * len(found) > len(names) else {}


def _folded_track(names: Sequence[str]) -> dict[str, PlanePoint]:
    """The points of a numbered track: the first half from right to left, the second half above it."""
    tracks: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        if match := re.fullmatch(r"([A-Za-z_]+)([0-9]{1,4})", name):
            tracks.setdefault(match[1], []).append((int(match[2]), name))
    longest = max(tracks, key=lambda prefix: len(tracks[prefix]), default="")
    track = sorted(tracks.get(longest, []))
    if len(track) < MIN_TRACK_LENGTH or 2 * len(track) < len(names):
        return {}
    half = (len(track) + 1) // 2
    return {
        name: (float(half - 1 - index), 2.0) if index < half else (float(index - half), 0.0)
        for index, (_, name) in enumerate(track)
    }


def _compass_points(names: Sequence[str]) -> dict[str, PlanePoint]:
    """The points of nodes that are named after directions, if most are: `n`, `north`, `ne`."""
    found = {name: COMPASS[_direction(name)] for name in names if _direction(name) in COMPASS}
    is_whole = len(found) >= 4 and 2 * len(found) > len(names) and len(set(found.values())) == len(found)
    return found if is_whole else {}


def _direction(name: str) -> str:
    words = {"north": "n", "south": "s", "east": "e", "west": "w"}
    short = name.lower().replace("_", "")
    for word, letter in words.items():
        short = short.replace(word, letter)
    return short


def _with_others(
    names: Sequence[str],
    placed: Mapping[str, PlanePoint],
    neighbours: NodeLinks,
    *,
    are_inside: bool = False,
) -> dict[str, PlanePoint]:
    """Place the remaining nodes beside their neighbours, away from the middle unless they are inside."""
    points = dict(placed)
    left, right = min(x for x, _ in points.values()), max(x for x, _ in points.values())
    top, bottom = min(y for _, y in points.values()), max(y for _, y in points.values())
    middle = (left + right) / 2
    others = [name for name in names if name not in points]
    if len(others) > MAX_BESIDE:
        width = max(int(right - left), 1)
        rows = {name: divmod(index, width) for index, name in enumerate(others)}
        return {**points, **{name: (left + column, bottom + 1 + row) for name, (row, column) in rows.items()}}
    for name in others:
        known = [points[other] for other in sorted(neighbours[name]) if other in points] or [(right, bottom)]
        x = sum(x for x, _ in known) / len(known)
        y = sum(y for _, y in known) / len(known)
        if are_inside and all(hypot(x - a, y - b) >= 0.9 for a, b in points.values()):
            points[name] = (x, y)
            continue
        step = 1.0 if x >= middle else -1.0
        x = (right if step > 0 else left) + step
        y = min(max(y, top), bottom)
        while any(hypot(x - a, y - b) < 0.9 for a, b in points.values()):
            x += step
        points[name] = (x, y)
    return points


def _ring(names: Sequence[str], neighbours: NodeLinks) -> list[str]:
    """The nodes of a single cycle in order; empty if the graph is not one."""
    if len(names) < 3 or any(len(found) != 2 for found in neighbours.values()):
        return []
    ranks = {name: rank for rank, name in enumerate(names)}
    order = [names[0]]
    before = ""
    while True:
        following = sorted(neighbours[order[-1]] - {before}, key=ranks.__getitem__)
        before = order[-1]
        if following[0] == names[0]:
            break
        order.append(following[0])
    return order if len(order) == len(names) else []


def _circle(names: Sequence[str]) -> dict[str, PlanePoint]:
    count = len(names)
    radius = max(0.8, count / (2 * pi))
    turns = [2 * pi * index / count - pi / 2 for index in range(count)]
    return {name: (radius * cos(turn), radius * sin(turn)) for name, turn in zip(names, turns, strict=True)}


def _majorise(names: Sequence[str], neighbours: NodeLinks) -> dict[str, PlanePoint]:
    """Stress majorisation, each node in turn, from a circle in the order of a breadth-first search."""
    order = _breadth_first(names, neighbours)
    start = _circle(order)
    if len(order) < 3:
        return start
    distances = {name: _distances(name, order, neighbours) for name in order}
    points = dict(start)
    for _ in range(min(ROUNDS, 10 + MAX_STEPS // len(order) ** 2)):
        farthest = 0.0
        for name in order:
            x = y = total = 0.0
            here = points[name]
            for other in order:
                if other == name:
                    continue
                wanted = distances[name][other]
                there = points[other]
                apart = hypot(here[0] - there[0], here[1] - there[1]) or 1e-9
                weight = 1 / (wanted * wanted)
                x += weight * (there[0] + wanted * (here[0] - there[0]) / apart)
                y += weight * (there[1] + wanted * (here[1] - there[1]) / apart)
                total += weight
            points[name] = (x / total, y / total)
            farthest = max(farthest, abs(x / total - here[0]), abs(y / total - here[1]))
        if farthest < SETTLED:
            break
    closest = min(
        hypot(points[a][0] - points[b][0], points[a][1] - points[b][1])
        for index, a in enumerate(order)
        for b in order[:index]
    )
    if closest < 0.35:
        return start
    return {name: (round(x, 4), round(y, 4)) for name, (x, y) in points.items()}


def _breadth_first(names: Sequence[str], neighbours: NodeLinks) -> list[str]:
    ranks = {name: rank for rank, name in enumerate(names)}
    found: dict[str, None] = {}
    for first in names:
        queue = deque([first])
        while queue:
            name = queue.popleft()
            if name not in found:
                found[name] = None
                queue.extend(sorted(neighbours[name], key=ranks.__getitem__))
    return list(found)


def _distances(start: str, names: Sequence[str], neighbours: NodeLinks) -> dict[str, float]:
    """The number of links between nodes; nodes without a path are a little farther apart than the others."""
    found = {start: 0.0}
    queue = deque([start])
    while queue:
        name = queue.popleft()
        for other in neighbours[name]:
            if other not in found:
                found[other] = found[name] + 1
                queue.append(other)
    farthest = max(found.values()) + 1.5
    return {name: found.get(name, farthest) for name in names}
