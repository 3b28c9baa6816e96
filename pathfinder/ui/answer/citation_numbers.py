"""Renumbers the citations in an answer when its papers move on the page."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pathfinder.grounding.marks import SHOWN_BRACKETS, is_mark_shown
from pathfinder.types import Answer, Paper

NUMBER = re.compile(r"\b\d+\b(?!\\?\?)")
"""A number in a citation mark, unless a question mark after it marks the citation as invented."""


def placed(answer: Answer, papers: Sequence[Paper]) -> Answer:
    """Renumber the citations in `answer` so that `papers` are numbered by rank, followed by the other papers that
    the answer cites.
    """
    paper_ids = {paper.paper_id for paper in papers}
    sources = (*papers, *(paper for paper in answer.sources if paper.paper_id not in paper_ids))
    if not answer.sources or sources[: len(answer.sources)] == answer.sources:
        return replace(answer, sources=sources)
    place = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    moved = [place[paper.paper_id] for paper in answer.sources]
    versions = tuple(replace(version, text=_renumbered(version.text, moved)) for version in answer.versions)
    folded = answer.folded and replace(answer.folded, text=_renumbered(answer.folded.text, moved))
    return replace(answer, text=_renumbered(answer.text, moved), versions=versions, folded=folded, sources=sources)


def _renumbered(text: str, moved: Sequence[int]) -> str:
    """Replace the n of each [n] in `text` with the nth entry of `moved`."""

    def number(match: re.Match[str]) -> str:
        n = int(match[0])
        return str(moved[n - 1]) if 1 <= n <= len(moved) else match[0]

    return SHOWN_BRACKETS.sub(lambda mark: NUMBER.sub(number, mark[0]) if is_mark_shown(mark[0]) else mark[0], text)
