"""The stages of the TGDL front end on one large source: megabytes per second, and memory.

    python3 dev.py bench                # or: python -m benchmarks.language [--megabytes 1] [--json]

Single thread, CPU time, the best of a few rounds. The source is generated: it repeats a few declarations with
other names, with comments, as dense as the shipped games. Checking ten megabytes (`--megabytes 10`) must take
well under a minute, and the time must grow linearly. `growth` is the time per megabyte of the whole source
divided by the time per megabyte of a quarter of it; 1 means linear.
"""

import argparse
import gc
import json
import platform
import resource
import time
from collections.abc import Callable

from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser import parse

ROUNDS = 3
STAGES: dict[str, Callable[[Source], object]] = {
    "lexer": tokenize,
    "parser": parse,
    "checker": check_source,
    "formatter": format_source,
}
"""Each stage is measured together with the stages before it."""

PART = """
enum kind{n} {{ brick{n}, lumber{n}, wool{n} }}
const decimal most{n} = 3 + {n};

// A field with seeds, from which some can be taken to a neighbour.
tile field{n}
{{
  decimal seeds = 4 from 0 to 48;
  kind{n} what = brick{n};

  action sow{n}
  {{
    input field{n} to in this.adjacent {{ to.seeds < 3 and to != this }}
    input decimal amount from 1 to most{n};
    trigger on player choice;
    require {{ this.player == player or seeds > 2 }}
    effect
    {{
      decimal left = seeds - amount;
      for field{n} near in this.adjacent
      {{
        if near.seeds > 3 and near.player != none {{ near.seeds += 1; left -= 1; }}
        else if near.seeds == left {{ near.seeds = worth{n}(near, left) * 2; }}
      }}
      to.seeds = min(left, 10);
      table{n}.heap[what] += 1;  // what is left over
      if table{n}.heap.sum() > 30 or this.adjacent.any(near: near.seeds > 10) {{ win player; }}
      pass;
    }}
  }}
}}

global state table{n} {{ decimal[kind{n}] heap = 0; }}

verb worth{n}(field{n} at, decimal limit)
{{
  decimal found = 0;
  while found < limit {{ found += at.seeds; if found > 100 {{ break; }} }}
  return found;
}}
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=1.0, help="size of the text (default 1)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    options = parser.parse_args()
    whole, quarter = game_text(options.megabytes), game_text(options.megabytes / 4)
    rates = {name: megabytes_per_second(stage, whole) for name, stage in STAGES.items()}
    growth = {name: megabytes_per_second(STAGES[name], quarter) / rates[name] for name in STAGES}
    figures = {
        "megabytes": len(whole.text) / 1e6,
        "megabytes_per_second": rates,
        "growth": growth,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if options.json:
        print(json.dumps(figures, indent=2))
        return 0
    print(f"Python {platform.python_version()}, {len(whole.text) / 1e6:.1f} MB of TGDL\n")
    for name, rate in rates.items():
        print(f"{name:<10} {rate:>7.2f} MB/s   growth {growth[name]:.2f}")
    print(f"\n{figures['peak_megabytes']:.0f} MB of memory at most")
    return 0


def game_text(megabytes: float) -> Source:
    """A source without errors, of about this size."""
    parts = [PART.format(n=number) for number in range(round(megabytes * 1e6 / len(PART.format(n=1000))))]
    groups = "".join(f"  group g{n} square 3 by 3 {{ field{n}; }}\n" for n in range(len(parts)))
    return Source(f'game "Large";\nplayers 2;\n{"".join(parts)}\nboard\n{{\n{groups}}}\n', "large.tgdl")


def megabytes_per_second(stage: Callable[[Source], object], source: Source) -> float:
    """The best of some rounds, because other processes disturb single rounds."""
    times = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        stage(source)
        times.append(time.process_time() - start)
    return len(source.text) / 1e6 / min(times)


if __name__ == "__main__":
    raise SystemExit(main())
