"""Citations put in after the writing, where a passage bears a sentence out that cites nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pathfinder.answering.citations import Checked
from pathfinder.assessment.evidence.ledger import best_evidence, source_of
from pathfinder.types import Claim, Paper, Source, Verdict

_CLOSING = re.compile(r"[.!]+[\"'”’)\]]*$")
"""The end of a statement; a heading has none, and no source bears a question out."""


def cite_after_the_fact(checked: Checked, papers: Sequence[Paper]) -> Checked:
    """`checked` with a mark on each sentence that cites nothing and that a paper supports.

    `papers` stand in the order of their places. A sentence that is partly supported stays without a mark.
    """
    sources = [source_of(paper) for paper in papers]
    places = {paper.paper_id: place for place, paper in enumerate(papers, start=1)}
    text, claims, position = checked.text, list(checked.claims), 0
    for i, claim in enumerate(claims):
        start = text.find(claim.text, position)
        if start < 0:
            continue  # It has a mark within, so that it stands there in other characters.
        position = start + len(claim.text)
        supporting = () if claim.citations else _supporting(claim, sources)
        if supporting:
            closing = start + len(_CLOSING.sub("", claim.text))
            mark = f" [{', '.join(str(places[paper_id]) for paper_id in supporting)}]"
            text, position = text[:closing] + mark + text[closing:], position + len(mark)
            claims[i] = Claim(claim.text, supporting)
    return replace(checked, text=text, claims=tuple(claims))


def _supporting(claim: Claim, sources: Sequence[Source]) -> tuple[str, ...]:
    """The papers that bear a claim out, best first; none for what states nothing."""
    if not _CLOSING.search(claim.text) or not sources:
        return ()
    found = best_evidence(claim.text, sources)
    return found.citations if found.verdict is Verdict.SUPPORTED else ()
