"""Prints all tables, or those that are named: `python -m benchmarks [engine] [referee]`."""

import subprocess
import sys

TABLES = {
    "engine": "The engine beside OpenSpiel's backgammon",
    "referee": "The referee beside a bare gRPC server",
}


def main() -> int:
    """Run each benchmark in a process of its own, so that none warms or slows another."""
    failed = 0
    for name in sys.argv[1:] or TABLES:
        print(f"\n{TABLES[name]}\n{'=' * len(TABLES[name])}\n", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
