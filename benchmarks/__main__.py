"""Prints all tables, or those that are named: `python -m benchmarks [engine] [plays] [referee]`."""

import argparse
import subprocess
import sys

TABLES = {
    "engine": "The engine beside OpenSpiel's backgammon",
    "plays": "Questions answered by `referee plays`",
    "referee": "The referee beside a bare gRPC server",
}


def main() -> int:
    """Run each benchmark in a process of its own, so that none warms or slows another."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Print tables of ratios.")
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help=f"which: {', '.join(TABLES)} (default: all)"
    )
    tables = parser.parse_args().tables
    if unknown := [name for name in tables if name not in TABLES]:
        parser.error(f"there is no table {unknown[0]!r}: there are {', '.join(TABLES)}")
    failed = 0
    for name in tables or TABLES:
        print(f"\n{TABLES[name]}\n{'=' * len(TABLES[name])}\n", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
