"""Everyday words for which the field of a corpus has a term: "meteor" for "shooting star".

The table is the profile's. Words are compared by their stems, the longest expression first, so that "crashed into" is
"crash into".
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from pathfinder.index.words import stems
from pathfinder.text.spelling import fold

MAX_WORDS = 60
"""Number of words above which a question is a pasted text, to which nothing is added."""

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|\|")
_QUOTED = re.compile(r"[\"“][^\"“”]{0,1000}[\"”]")


def terms_for(question: str, everyday: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the field's terms for the everyday expressions of `question`, in their order; `everyday` has a term and
    its expressions, separated by bars, in each row. What stands in quotation marks is a name.
    """
    tokens = _TOKEN.findall(_QUOTED.sub(" | ", question))
    if not everyday or len(tokens) > MAX_WORDS:
        return ()
    terms, longest = _by_stems(everyday)
    keys = [_stem(token) for token in tokens]
    found: dict[str, None] = {}
    place = 0
    while place < len(tokens):
        for end in range(min(len(tokens), place + longest), place, -1):
            if (term := terms.get(tuple(keys[place:end]))) is not None:
                found[term] = None
                place = end
                break
        else:
            place += 1
    return tuple(found)


@lru_cache(maxsize=8)
def _by_stems(everyday: tuple[tuple[str, str], ...]) -> tuple[Mapping[tuple[str, ...], str], int]:
    terms: dict[tuple[str, ...], str] = {}
    for term, expressions in everyday:
        for expression in expressions.split("|"):
            terms.setdefault(tuple(_stem(token) for token in _TOKEN.findall(expression)), term)
    terms.pop((), None)
    return terms, max(map(len, terms))


def _stem(token: str) -> str:
    return " ".join(stems([fold(token)], frozenset()))
