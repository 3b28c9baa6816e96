"""The page and the API in one process, from a checkout: `python server.py`, which is `pathfinder app --no-open`."""

import sys

from pathfinder.cli import main

if __name__ == "__main__":
    sys.exit(main(["app", "--no-open", *sys.argv[1:]]))
