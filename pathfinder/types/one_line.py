"""Text from other programs, shortened to one line so that an error message can quote it."""

MAX_QUOTE = 200
"""Maximum number of characters that an error quotes from a reply, a log or another error."""


def one_line(text: str) -> str:
    """Return the beginning of `text` on one line, as an error message quotes it."""
    return " ".join(text.split())[:MAX_QUOTE]
