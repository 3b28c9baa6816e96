"""Decides whether the whole abstract of a paper may be written into a file, and says why."""

from pathfinder.types import Paper

FILE = "file"
"""Name of the source of papers that come from the reader's own files."""


OPEN_LICENCES = ("CC-BY", "CC0", "CC-0", "PUBLIC")
"""Prefixes of the names of licences that let anyone show a text unchanged."""


def is_open_licence(licence: str | None) -> bool:
    """Return whether a full text may be shown to anyone; it may not if its licence is unknown."""
    return (licence or "").upper().startswith(OPEN_LICENCES)


def may_be_passed_on(paper: Paper) -> bool:
    """Return whether the whole abstract may be exported: it may if it comes from the reader's own file, or if one of
    its sources states a licence.
    """
    origins = paper.provenance
    return not origins or any(each.licence is not None or each.source == FILE for each in origins)


def terms(paper: Paper) -> str | None:
    """Return the licences stated by the sources of a paper, such as "arxiv: CC0-1.0", or the reason why its abstract is
    left out: "abstract left out: ads states no licence for it". `None` if neither applies.
    """
    if paper.has_abstract and not may_be_passed_on(paper):
        sources = list(dict.fromkeys(each.source for each in paper.provenance))
        *others, last = sources
        states = f"{', '.join(others)} and {last} state" if others else f"{last} states"
        return f"abstract left out: {states} no licence for it"
    licences = dict.fromkeys(f"{each.source}: {each.licence}" for each in paper.provenance if each.licence)
    return "; ".join(licences) or None
