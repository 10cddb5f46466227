"""`python -m tournaments` is the command `tournament`."""

import sys

from tournaments.cli import main

if __name__ == "__main__":
    sys.exit(main())
