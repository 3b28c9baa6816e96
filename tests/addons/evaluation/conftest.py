"""The collection of the tests of the core."""

from tests.operations.evaluation.conftest import folder

__all__ = ["folder"]
