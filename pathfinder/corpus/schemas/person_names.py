"""Converts the names of authors in arXiv's free text to the form "Last, First", as in its dump."""

import re

_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_SEPARATOR = re.compile(r"\s*(?:[,;:]|&|\band\b)\s*")
_SUFFIX = re.compile(r"(?:jr|sr|[ivx]{2,4})\.?", re.IGNORECASE)
_PARTICLES = frozenset("da de del dela della dem den der di dos du la le ten ter van vande von zu zum zur".split())
_GROUPS = re.compile(r"\b(?:collaborations?|consortium|team|group|project|survey|network)\b", re.IGNORECASE)


def split_authors(written: str) -> tuple[str, ...]:
    """Return the names in a list such as "A. Smith (MIT), C. van Dyk and the X Collaboration", without affiliations."""
    before, plain = None, written
    while plain != before:
        before, plain = plain, _IN_PARENTHESES.sub(" ", plain)
    names: list[str] = []
    for part in _SEPARATOR.split(plain):
        name = " ".join(part.split())
        if _SUFFIX.fullmatch(name) and names:
            names[-1] += f", {name}"
        elif name and name.lower() not in {"et al", "et al."}:
            names.append(last_name_first(name))
    return tuple(dict.fromkeys(names))


def last_name_first(name: str) -> str:
    """Return "van Dyk, C." for "C. van Dyk"; the names of groups stay as they are."""
    words = name.split()
    if "," in name or len(words) < 2 or _GROUPS.search(name):
        return name
    suffix = f", {words.pop()}" if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    first_of_last = len(words) - 1
    while first_of_last > 1 and words[first_of_last - 1].lower() in _PARTICLES:
        first_of_last -= 1
    return f"{' '.join(words[first_of_last:])}, {' '.join(words[:first_of_last])}{suffix}"
