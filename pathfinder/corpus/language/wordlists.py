"""Lists of words, written as text so that they can be read and mended by eye."""


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """What each word before a colon stands for: "feet:foot mice:mouse"."""
    return dict(pair.split(":") for pair in text.split())


def phrases(text: str) -> frozenset[tuple[str, ...]]:
    """The phrases between the commas of `text`, each as its words."""
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))
