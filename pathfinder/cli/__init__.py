"""The command line."""

from pathfinder.cli.app import main

__all__ = ["main"]
