"""What the tests of add-ons share with those of the core."""

from tests.cli.conftest import corpus, judged, run
from tests.ui.test_pages import ask

__all__ = ["ask", "corpus", "judged", "run"]
