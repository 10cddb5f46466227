"""Compare engine and slow checker on many positions: `make oracle`."""

import sys

from tests.oracle.campaign import main

if __name__ == "__main__":  # the processes that share the work import this file too
    sys.exit(main())
