"""Groups the lines of a digest under phrases that their papers share."""

from collections.abc import Sequence

from pathfinder.answering.digest.features import content_stems
from pathfinder.answering.digest.lines import Line

FEWEST_LINES = 4
"""Minimum number of lines for them to be grouped."""

OTHERS = "Further findings"
"""Heading of the lines that share no phrase with others."""

_WORDS_OF_A_PHRASE = range(1, 4)


def headings_of(question: str, lines: Sequence[Line]) -> list[str | None]:
    """Return a heading for each of `lines`; `None` for all if no phrase is shared by some of them and not by others.

    A heading is a keyword of one of the papers that occurs in the sentence or the title of at least two of them. The
    keyword that covers the most lines is taken first; in a tie, the longer one.
    """
    papers = {line.paper.paper_id for line in lines}
    if len(lines) < FEWEST_LINES or len(papers) < FEWEST_LINES:
        return [None] * len(lines)
    texts = [content_stems(f"{line.paper.title} {line.sentence}") for line in lines]
    phrases = _phrases(question, lines)
    headings: list[str | None] = [None] * len(lines)
    while True:
        free = [place for place, heading in enumerate(headings) if heading is None]
        covers = {
            phrase: covered
            for phrase, stems in phrases.items()
            if 1 < len(covered := [place for place in free if stems <= texts[place]]) < len(lines)
            and len({lines[place].paper.paper_id for place in covered}) > 1
        }
        if not covers:
            break
        best = max(covers, key=lambda phrase: (len(covers[phrase]), len(phrases[phrase])))
        for place in covers[best]:
            headings[place] = best
    if not any(headings):
        return headings
    return [heading or OTHERS for heading in headings]


def _phrases(question: str, lines: Sequence[Line]) -> dict[str, frozenset[str]]:
    """Return the keywords of the papers with their stems, without those that only repeat the question."""
    asked_stems = content_stems(question)
    by_stems: dict[frozenset[str], str] = {}
    for line in lines:
        for keyword in line.paper.keywords:
            stems = frozenset(content_stems(keyword))
            if stems and len(keyword.split()) in _WORDS_OF_A_PHRASE and not stems <= asked_stems:
                by_stems.setdefault(stems, keyword[:1].upper() + keyword[1:])
    return {phrase: stems for stems, phrase in by_stems.items()}


def grouped(headings: Sequence[str | None]) -> list[int]:
    """Return the positions of the lines in the order in which they are shown: each group comes where its first line
    was, and the lines without a shared phrase come last.
    """
    order = list(dict.fromkeys(heading for heading in headings if heading != OTHERS))
    ranks = {heading: rank for rank, heading in enumerate([*order, OTHERS])}
    return sorted(range(len(headings)), key=lambda place: (ranks[headings[place]], place))
