"""Maximum length of a question, or of a text that results should resemble: a longer one would keep others waiting."""

from pathfinder.errors import UsageError

MAX_CHARACTERS = 20_000
"""Maximum number of characters in a question; an abstract has about 2,000."""


def check_length(what: str, text: str) -> None:
    """Raise `UsageError`, which calls the text `what`, if it is longer than `MAX_CHARACTERS`."""
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{what} has {len(text):,} characters, but at most {MAX_CHARACTERS:,} are allowed: shorten it")


# Text from other programs, shortened to one line so that an error message can quote it.

MAX_QUOTE = 200
"""Maximum number of characters that an error quotes from a reply, a log or another error."""


def one_line(text: str) -> str:
    """Return the beginning of `text` on one line, as an error message quotes it."""
    return " ".join(text.split())[:MAX_QUOTE]


# Control characters, which are removed from texts written by readers and models.


def without_control_characters(text: str) -> str:
    """Remove NUL and other control characters from `text`, along with characters that change the direction of the
    surrounding text; line breaks and tabs become spaces.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or not _is_control(c) else " " if c in "\n\r\t" else "" for c in text)


def _is_control(character: str) -> bool:
    code = ord(character)
    # Lone surrogates cannot be encoded: tokenizers and files reject them.
    turns_text = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or turns_text
