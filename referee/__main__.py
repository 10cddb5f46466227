"""`python -m referee` does what `referee` does."""

import sys

from referee.cli import main

sys.exit(main())
