"""Pictures per second: scenes in full, changes between scenes, and SVG, for some shipped games.

The row `settlers` draws positions of a match with all hands, as `svg(position)` does.

    python3 dev.py bench scenes        # or: python -m benchmarks.scenes [--seconds S] [--json]

A state is at the end of a short random game. Every scene needs a view. Choices are left out: their time is
that of the rules. Processor time is measured, so that other programs do not matter.
"""

import argparse
import json
import time
from collections.abc import Callable
from itertools import cycle

import ludograph
from ludograph.hexil import Match
from ludograph.play import Generator
from ludograph.render import draw_scene, find_scene_changes, scene_message, scene_of
from ludograph.render.scenes.island.picture import island_scene

GAMES = ("chess", "go", "crazy-eights", "hexil")
MOVES = 40


def per_second(work: Callable[[], object], seconds: float) -> float:
    """How often some work is done in a second."""
    count, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        work()
        count += 1
    return count / (time.process_time() - start)


def measure(name: str, seconds: float) -> dict[str, float]:
    state, generator = ludograph.load(name).new(seed=1), Generator(1)
    before = state.copy()
    for _ in range(MOVES):
        moves = state.legal_moves
        if not len(moves):
            break
        before = state.copy()
        state.push(moves[generator.below(len(moves))])
    old = scene_of(before, 0)
    new = scene_of(state, 0, previous=old)
    message = scene_message(old)
    return {
        "view": per_second(lambda: state.view(0), seconds),
        "scene": per_second(lambda: scene_of(state, 0, choices=False), seconds),
        "message": per_second(lambda: scene_message(new), seconds),
        "changes": per_second(lambda: find_scene_changes(message, scene_message(new)), seconds),
        "svg": per_second(lambda: draw_scene(new), seconds),
    }


def measure_settlers(seconds: float) -> dict[str, float]:
    """The same figures for positions of a match of random actions."""
    match, generator = Match.new(players=4, seed=1), Generator(1)
    positions = [match.position()]
    while len(positions) < MOVES:
        moves = match.legal_moves
        match.push(moves[generator.below(len(moves))])
        positions.append(match.position())
    scenes = [island_scene(position) for position in positions]
    following = cycle(positions)
    messages = [scene_message(scene) for scene in scenes]
    pairs = cycle(zip(messages, scenes[1:], strict=False))

    def change() -> None:
        before, after = next(pairs)
        find_scene_changes(before, scene_message(after))

    drawn = cycle(scenes)
    return {
        "view": per_second(lambda: match.view(1), seconds),
        "scene": per_second(lambda: island_scene(next(following)), seconds),
        "message": per_second(lambda: scene_message(next(drawn)), seconds),
        "changes": per_second(change, seconds),
        "svg": per_second(lambda: draw_scene(next(drawn)), seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default: 1)")
    parser.add_argument("--json", action="store_true", help="write the result as JSON")
    arguments = parser.parse_args()
    found = {name: measure(name, arguments.seconds) for name in GAMES}
    found["settlers"] = measure_settlers(arguments.seconds)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(
        f"{'per second':14}"
        + "".join(f"{column:>10}" for column in ("view", "scene", "message", "changes", "svg"))
    )
    for name, figures in found.items():
        print(f"{name:14}" + "".join(f"{figure:10,.0f}" for figure in figures.values()))


if __name__ == "__main__":
    main()
