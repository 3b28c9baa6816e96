"""Lists of words, written as text so that they can be read and mended by eye."""


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """What each word before a colon stands for: "feet:foot mice:mouse"."""
    return dict(pair.split(":") for pair in text.split())


def word_pairs(text: str) -> frozenset[tuple[str, str]]:
    """Pairs of neighbouring words: "main sequence, weak lensing"."""
    return frozenset((first, second) for first, second in (pair.split() for pair in text.split(",")))
