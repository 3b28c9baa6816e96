"""Maximum length of a question, or of a text that results should resemble: a longer one would keep others waiting."""

from pathfinder.errors import UsageError

MAX_CHARACTERS = 20_000
"""Maximum number of characters in a question; an abstract has about 2,000."""


def check_length(what: str, text: str) -> None:
    """Raise `UsageError`, which calls the text `what`, if it is longer than `MAX_CHARACTERS`."""
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{what} has {len(text):,} characters, but at most {MAX_CHARACTERS:,} are allowed: shorten it")
