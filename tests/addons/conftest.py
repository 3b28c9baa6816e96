"""What the tests of add-ons share with those of the core."""

from tests.cli.conftest import corpus, judged, run
from tests.places import ask, at, owner

__all__ = ["ask", "at", "corpus", "judged", "owner", "run"]
