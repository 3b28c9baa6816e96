"""Authors' names in bylines, split into family name, first names and suffix as far as their spelling allows."""

import re
from dataclasses import dataclass

_GROUP = re.compile(r"\b(collaboration|consortium|team|group|survey|project|et al\.?)$", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|[IVX]{2,4}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PersonName:
    """One author. A group, or a person with one name, has only `last`."""

    last: str
    first: str = ""
    suffix: str = ""


def parse_name(author: str) -> PersonName:
    """Parse `author` as "Last, First", "Last, First, Jr", "First von Last" or "The Collaboration"."""
    parts = [part.strip() for part in author.split(",") if part.strip()]
    if len(parts) > 1:
        return PersonName(parts[0], " ".join(parts[1:2]), " ".join(parts[2:]))
    words = author.replace(",", " ").split()
    if len(words) < 2 or _GROUP.search(author):
        return PersonName(" ".join(words))
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    # "van der Marel": the surname begins with the first word in lower case.
    start = next((n for n, word in enumerate(words[1:], start=1) if word[0].islower()), len(words) - 1)
    return PersonName(" ".join(words[start:]), " ".join(words[:start]), suffix)
