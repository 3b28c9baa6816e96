"""Renumbers the citations in an answer when its papers change places on the page."""

from collections.abc import Sequence
from dataclasses import replace

from pathfinder.grounding.marks import renumber
from pathfinder.types import Answer, Paper


def with_list_numbers(answer: Answer, papers: Sequence[Paper]) -> Answer:
    """Renumber the citations in `answer` so that `papers` are numbered by rank, followed by the other papers that
    the answer cites.
    """
    paper_ids = {paper.paper_id for paper in papers}
    sources = (*papers, *(paper for paper in answer.sources if paper.paper_id not in paper_ids))
    if not answer.sources or sources[: len(answer.sources)] == answer.sources:
        return replace(answer, sources=sources)
    place = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    number_of_mark = {n: place[paper.paper_id] for n, paper in enumerate(answer.sources, start=1)}
    text = renumber(answer.text, number_of_mark, answer.quotations)
    versions = tuple(replace(version, text=renumber(version.text, number_of_mark)) for version in answer.versions)
    folded_reply = answer.folded and replace(answer.folded, text=renumber(answer.folded.text, number_of_mark))
    return replace(answer, text=text, versions=versions, folded=folded_reply, sources=sources)
