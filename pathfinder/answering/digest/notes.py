"""Notes on a digest as a whole: which hits it quotes, how old they are, and what language they are in."""

from collections.abc import Sequence
from statistics import median_low

from pathfinder.text.languages import languages_of
from pathfinder.types import Hit, Paper


def notes_on(question: str, hits: Sequence[Hit], quoted_papers: Sequence[Paper]) -> tuple[str, ...]:
    """Describe a digest of `hits` that quotes `quoted_papers`."""
    papers = list({paper.paper_id: paper for paper in quoted_papers}.values())
    notes = (_share(hits, papers), _left_out(hits, papers), _language(question, papers))
    return tuple(note for note in notes if note)


def _share(hits: Sequence[Hit], papers: Sequence[Paper]) -> str:
    ids = {hit.paper.paper_id for hit in hits}
    n_quoted = sum(paper.paper_id in ids for paper in papers)
    n_further = len(papers) - n_quoted
    years = sorted(paper.year for paper in papers if paper.year is not None)
    text = f"Quotes {n_quoted or 'none'} of the {_count(len(hits), 'paper')} found"
    if n_further:
        text += f" and {n_further} ranked below {'it' if len(hits) == 1 else 'them'}"
    if not years:
        return f"{text}; their years are unknown."
    if years[0] == years[-1]:
        return f"{text}, published in {years[0]}."
    return f"{text}, published from {years[0]} to {years[-1]}, half of them by {median_low(years)}."


def _left_out(hits: Sequence[Hit], papers: Sequence[Paper]) -> str:
    quoted_ids = {paper.paper_id for paper in papers}
    others = [hit.paper for hit in hits if hit.paper.paper_id not in quoted_ids]
    if not others:
        return ""
    n_bare = sum(not paper.has_abstract for paper in others)
    n_weaker = len(others) - n_bare
    weaker = "matches the question less well or adds" if n_weaker == 1 else "match the question less well or add"
    if quoted_ids - {hit.paper.paper_id for hit in hits}:  # only values and names are taken from papers below the hits
        unsuitable = "in which no such value or name was recognised"
    else:
        unsuitable = f"that {weaker} nothing new"
    reasons = [
        f"{n_bare} of which only the title is available" if n_bare else "",
        f"{n_weaker} {unsuitable}" if n_weaker else "",
    ]
    which = _count(len(others), "paper") if len(others) < len(hits) else f"all {_count(len(hits), 'paper')} found"
    return f"Leaves out {which}: {' and '.join(reason for reason in reasons if reason)}."


def _language(question: str, papers: Sequence[Paper]) -> str:
    """Name the language of the quotations if stop words show that the question is in a different one."""
    of_question = languages_of([question])
    of_papers = languages_of([paper.abstract for paper in papers])
    if len(of_papers) != 1 or not of_question or of_papers[0] in of_question:
        return ""
    return (
        f"The quotations are in {of_papers[0]}, the language of the papers. "
        f"The question seems to be in {' or '.join(of_question)}."
    )


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
