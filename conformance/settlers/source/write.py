"""Write the files of the suite from the cases: `python -m conformance.settlers.source.write`."""

from conformance.settlers.cases import FOLDER, Case, format_case
from conformance.settlers.source import (
    awards,
    bank,
    building,
    islands,
    opening,
    robber,
    secrets,
    six_players,
    trade,
    turns,
)

FILES: dict[str, tuple[Case, ...]] = {
    "opening": opening.CASES,
    "building": building.CASES,
    "turns": turns.CASES,
    "robber": robber.CASES,
    "bank": bank.CASES,
    "trade": trade.CASES,
    "awards": awards.CASES,
    "secrets": secrets.CASES,
    "islands": islands.CASES,
    "six_players": six_players.CASES,
}


def text_of(cases: tuple[Case, ...]) -> str:
    return "".join(f"{format_case(case)}\n" for case in cases)


if __name__ == "__main__":
    for name, cases in FILES.items():
        (FOLDER / f"{name}.jsonl").write_text(text_of(cases), encoding="utf-8", newline="\n")
