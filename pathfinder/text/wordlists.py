"""Word lists written as plain text, so that they are easy to read and correct."""


def words(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Map each word before a colon to the word after it: "feet:foot mice:mouse"."""
    return dict(pair.split(":") for pair in text.split())


def phrases(text: str) -> frozenset[tuple[str, ...]]:
    """Return the comma-separated phrases of `text`, each as a tuple of its words."""
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))
