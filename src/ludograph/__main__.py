"""`python -m ludograph`: the same entry point as the command `ludograph`."""

import sys

from ludograph.cli import main

if __name__ == "__main__":
    sys.exit(main())
