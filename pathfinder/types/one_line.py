"""Quotations from other programs in error messages: one short line each."""

MAX_QUOTE = 200
"""Maximum number of characters that an error quotes from a reply, a log or another error."""


def one_line(text: str) -> str:
    """Return the beginning of `text` on one line, as an error message quotes it."""
    return " ".join(text.split())[:MAX_QUOTE]
