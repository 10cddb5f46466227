"""Write the golden games anew: `make golden`."""

from tests.golden.make import main

main()
