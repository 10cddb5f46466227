"""`python -m referee` does what `referee` does."""

import sys

from referee.entry import main

sys.exit(main())
