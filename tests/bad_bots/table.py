"""Shows all bad bots and prints what came of each: python tests/bad_bots/table.py [NAME …]"""

import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bad_bots.arena import show
from tests.bad_bots.cases import BAD_BOTS


def main(names: list[str]) -> None:
    print(
        f"{'bot':28} {'fault':10} {'judged after':>13} {'allowed':>9} {'peak growth':>12}  fair bot beside it"
    )
    for bad in BAD_BOTS:
        if names and bad.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shown = asyncio.run(show(bad, Path(folder)))
        kinds = ", ".join(dict.fromkeys(fault.kind.value for fault in shown.faults)) or "none"
        delays = shown.delays
        judged = f"{shown.judged / 1000:.1f} ms" if shown.faults else "-"
        allowed = f"{shown.allowed / 1000:.0f} ms" if shown.faults else "-"
        print(
            f"{bad.name:28} {kinds:10} {judged:>13} {allowed:>9} {shown.grown / 2**20:>8.1f} MiB  "
            f"worst {delays[-1] / 1000:.1f} ms, p99 {delays[len(delays) * 99 // 100] / 1000:.1f} ms"
            + (f", {len(shown.others)} faults of others" if shown.others else "")
            + (f", processes left: {shown.left}" if shown.left else ""),
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
