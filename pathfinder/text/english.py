"""Closed classes of English words, from which modules that read English build their own lists and patterns."""

from collections.abc import Iterable, Sequence


def words(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())


def pairs(text: str) -> dict[str, str]:
    """Map each word before a colon to the word after it: "feet:foot mice:mouse"."""
    return dict(pair.split(":") for pair in text.split())


def phrases(text: str) -> frozenset[tuple[str, ...]]:
    """Return the comma-separated phrases of `text`, each as a tuple of its words."""
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))


MONTHS = tuple("January February March April May June July August September October November December".split())
BE, DO, HAVE = "is are was were".split(), "do does did".split(), "has have had".split()
MODALS = "can could will would should may might must".split()
AUXILIARIES = (*BE, *DO, *HAVE, *MODALS)
"""Verbs that can open a question."""
QUESTION_WORDS = "how what which why when where who whose".split()
PREPOSITIONS = "of in on at by for from to with".split()
SCIENTIST = r"(?:scientist|\w+onomer|\w*ologist|\w*physicist|\w*chemist|\w+ician)"
"""Pattern for the names of scientific professions, in lower case: "astronomer", "geologist"."""
ARTICLES = "a an the".split()
CONJUNCTIONS = "and or but".split()
OPENERS = (
    "The This These Those That We Our Here In It Its They Their However A An For To With From By As At On Both When "
    "While Although Thus Therefore Moreover Furthermore Finally Using Based I He She There Such If After Since"
).split()
"""Words that begin a sentence: their capital does not make them names, and a full stop before them ends a sentence."""


def any_of(*classes: Iterable[str]) -> str:
    """Return a pattern (a group) that matches any of the words in `classes`, with the capitals that they have there."""
    return f"(?:{'|'.join(word for each in classes for word in each)})"


def lower(words: Iterable[str]) -> frozenset[str]:
    """Return the words in lower case."""
    return frozenset(word.lower() for word in words)


def ordinal(rank: int) -> str:
    """Return "1st", "2nd", "3rd", "4th" ... "11th"."""
    suffix = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank:,}{suffix}"


def enumeration(names: Sequence[str]) -> str:
    """Return "one, two and three"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(n: int, noun: str) -> str:
    """Return "1 paper" or "2 papers"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
