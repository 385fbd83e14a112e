"""What catanatron answers to the suite: `python -m conformance.settlers.catanatron_report`.

Prints a table of the rows and a list of every case that it fails, as they stand in README.md.
"""

import random
import sys
from collections import Counter
from dataclasses import dataclass
from enum import Enum

from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap

from conformance.settlers.cases import Case, read_cases
from conformance.settlers.catanatron_engine import (
    AtRandom,
    Inexpressible,
    Progress,
    Refused,
    carry_out,
    game_of,
)
from conformance.settlers.catanatron_peer import Theirs, comparable, island_of, position_of
from ludograph.notation import han, hsn
from ludograph.settlers import Action, Flag, Pieces, Player, Position, find_in_island
from ludograph.text import Nonsense


class Verdict(Enum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class Answer:
    verdict: Verdict
    words: str = ""
    """What went wrong, or why it cannot be asked."""


def main() -> None:
    sys.stdout.write(report(read_cases()))


def report(cases: list[Case]) -> str:
    """The table and the lists, in Markdown."""
    cases = sorted(cases, key=lambda case: case.id)
    answers = {case.id: answer(case) for case in cases}
    rows = sorted({case.rows[0] for case in cases})
    lines = ["| row | cases | passed | failed | not asked |", "|---|---|---|---|---|"]
    for row in rows:
        lines.append(_table_row(str(row), [answers[case.id] for case in cases if case.rows[0] == row]))
    lines.append(_table_row("all", list(answers.values())))
    for verdict, title in ((Verdict.FAILED, "Failed:"), (Verdict.NOT_ASKED, "Not asked:")):
        lines += ["", title, ""]
        lines += [f"- `{name}`: {found.words}" for name, found in answers.items() if found.verdict is verdict]
    return "\n".join(lines) + "\n"


def _table_row(name: str, answers: list[Answer]) -> str:
    found = Counter(each.verdict for each in answers)
    counts = (len(answers), *(found[verdict] for verdict in Verdict))
    return f"| {name} | {' | '.join(str(count) for count in counts)} |"


def answer(case: Case) -> Answer:
    """What it says to a case."""
    options = dict(case.options or {})
    limits = {name: int(options.pop(name)) for name in ("points", "limit") if name in options}
    if options:
        return Answer(Verdict.NOT_ASKED, f"it has no option {', '.join(options)}")
    if case.seen is not None or case.shown is not None:
        return Answer(Verdict.NOT_ASKED, "it has no view of a player")
    if case.action is None:
        return _answer_about_island(case)
    position = hsn.parse(case.position)
    if position.players > 4:
        return Answer(Verdict.NOT_ASKED, "it has two to four players")
    game = game_of(position, **limits)
    try:
        progress = carry_out(game, _actions(case, position.players))
    except AtRandom as error:
        return _failed(str(error), case) if case.legal else Answer(Verdict.NOT_ASKED, str(error))
    except Inexpressible as error:
        return Answer(Verdict.NOT_ASKED, str(error))
    except Nonsense:
        return PASSED
    except Refused as error:
        if case.legal:
            return _failed("refused", case)
        return Answer(Verdict.NOT_ASKED, "refused before it comes to that") if error.left else PASSED
    if not case.legal:
        return _failed("allowed", case)
    return PASSED if progress is Progress.HALFWAY else _compare(game, position, case)


def _compare(game: Theirs, position: Position, case: Case) -> Answer:
    """Whether all is as the case expects it after its action."""
    assert case.after is not None
    color = game.winning_color()
    winner = game.state.colors.index(color) + 1 if color is not None else None
    if winner != case.winner:
        return _failed(f"player {winner} has won" if winner is not None else "nobody has won", case)
    found, expected = position_of(game, position.island), comparable(hsn.parse(case.after))
    if winner is not None:
        # Nothing is due any more; it does not know.
        found = found.replace(must=None, may_place=Pieces())
    return PASSED if found == expected else _failed(_difference(found, expected), case)


def _failed(what: str, case: Case) -> Answer:
    return Answer(Verdict.FAILED, f"{what}; the rule: {case.why}")


PASSED = Answer(Verdict.PASSED)


def _actions(case: Case, players: int) -> list[Action]:
    assert case.action is not None
    return [han.parse(text, players=players) for text in (*case.before, case.action)]


def _difference(found: Position, expected: Position) -> str:
    """The first thing that differs, in words."""
    if found.longest_road != expected.longest_road:
        return f"the longest road is {_owned(found.longest_road)}"
    if found.largest_army != expected.largest_army:
        return f"the largest army is {_owned(found.largest_army)}"
    for number, (seat, wanted) in enumerate(zip(found.seats, expected.seats, strict=True), 1):
        if seat.goods != wanted.goods:
            return f"player {number} holds {seat.goods.total} cards and not {wanted.goods.total}"
        if seat != wanted:
            return f"pieces or cards of player {number} are others"
    if found.must != expected.must:
        return f"{found.must} is due and not {expected.must}"
    return "the position is another"


def _owned(player: Player | None) -> str:
    return "nobody's" if player is None else f"player {player}'s"


def _answer_about_island(case: Case) -> Answer:
    """Whether it would deal such an island: judged by a few hundred that it deals."""
    if case.legal:
        return PASSED
    random.seed(1)
    for _ in range(300):
        island = island_of(CatanMap.from_template(BASE_MAP_TEMPLATE))
        if Flag.RED_NUMBERS_ADJACENT in {finding.flag for finding in find_in_island(island, strict=True)}:
            return _failed("it deals such islands", case)
    return PASSED


if __name__ == "__main__":
    main()
