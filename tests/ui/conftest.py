"""What the tests of the page share with those of add-ons."""

from tests.places import ask, at, owner

__all__ = ["ask", "at", "owner"]
