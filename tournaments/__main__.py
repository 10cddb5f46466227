"""`python -m tournaments` is the command `tournament`."""

import sys

from tournaments.entry import main

if __name__ == "__main__":
    sys.exit(main())
