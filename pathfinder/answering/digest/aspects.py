"""The aspect of a subject that a question asks about, such as its origin, and the words that papers use for that
aspect.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aspect:
    """An aspect: the questions that ask about it, and the words found in a sentence about it."""

    in_question: re.Pattern[str]
    in_text: re.Pattern[str]


ORIGIN = Aspect(
    in_question=re.compile(
        r"\bhow (?:do|does|did|are|were|is|was|have|has)\b[^?]*\b(?:form|formed|arise|arisen|originate|born|"
        r"come (?:about|into being)|created|built)\b|\b(?:origins?|formation|birth) of\b|"
        r"\bwhere (?:do|does|did|are|were|is|was)\b[^?]*\b(?:come from|came from|originat\w+|arise|arose|form|formed|"
        r"made|born|produced|created|accelerated)\b",
        re.IGNORECASE,
    ),
    in_text=re.compile(
        r"\b(?:form(?:s|ed|ation|ing)?|origins?|originat\w+|births?|born|gr[eo]w(?:s|n|th|ing)?|condens\w+|coalesc\w+|"
        r"assembl\w+|buil[dt]\w*|ar(?:ise|ises|isen|ose|ising)|creat(?:es?|ed|ion|ing)|collaps\w+|accret\w+|"
        r"fragment(?:s|ed|ation)?|descend\w*|progenitors?|stems?|comes? from|came from|made (?:of|by|from|in)|"
        r"produc\w+|remnants?|left (?:over|behind)|remains of|merg\w+)\b",
        re.IGNORECASE,
    ),
)
"""The origin of something: how it came to be."""

ASPECTS = (ORIGIN,)


def aspects_of(question: str) -> tuple[Aspect, ...]:
    """Return the aspects that `question` asks about."""
    return tuple(aspect for aspect in ASPECTS if aspect.in_question.search(question))
