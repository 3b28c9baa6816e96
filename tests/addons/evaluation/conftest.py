"""The collection of the tests of the core."""

from tests.evaluation.conftest import folder

__all__ = ["folder"]
