"""Adds citations after the text is written, if a passage supports a sentence that has none."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pathfinder.assessment.evidence.ledger import best_evidence, source_of
from pathfinder.grounding.citations import Checked
from pathfinder.types import Claim, Paper, Source, Verdict

_CLOSING = re.compile(r"[.!]+[\"'”’)\]]*$")
"""End of a statement; headings have no such end, and questions cannot be supported by a source."""


def cite_after_the_fact(checked: Checked, papers: Sequence[Paper]) -> Checked:
    """Add a mark to each sentence of `checked` that cites nothing but is supported by a paper.

    `papers` are in the order of their citation numbers. A sentence that is only partly supported gets no mark.
    """
    sources = [source_of(paper) for paper in papers]
    places = {paper.paper_id: place for place, paper in enumerate(papers, start=1)}
    text, claims, position = checked.text, list(checked.claims), 0
    for i, claim in enumerate(claims):
        start = text.find(claim.text, position)
        if start < 0:
            continue  # A mark inside the sentence makes its text differ from the claim's.
        position = start + len(claim.text)
        supporting = () if claim.citations else _supporting(claim, sources)
        if supporting:
            closing = start + len(_CLOSING.sub("", claim.text))
            mark = f" [{', '.join(str(places[paper_id]) for paper_id in supporting)}]"
            text, position = text[:closing] + mark + text[closing:], position + len(mark)
            claims[i] = Claim(claim.text, supporting)
    return replace(checked, text=text, claims=tuple(claims))


def _supporting(claim: Claim, sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the papers that support a claim, best first; none for a sentence that makes no statement."""
    if not _CLOSING.search(claim.text) or not sources:
        return ()
    checked_sentence = best_evidence(claim.text, sources)
    return checked_sentence.citations if checked_sentence.verdict is Verdict.SUPPORTED else ()
