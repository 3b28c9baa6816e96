"""Sentences of a section as HTML, each with its verdict and citations; quotations follow the name of their paper."""

import html
from collections.abc import Mapping, Sequence
from itertools import groupby

from pathfinder.drafts.document import lead_of
from pathfinder.drafts.draft import DraftSentence, SentenceOrigin
from pathfinder.types import Paper
from pathfinder.ui.answer.ledger import ledger_html

_LEAD = '<div style="margin-top:.7rem;font-weight:600">{lead}</div>'
_GAP = '<div style="margin-top:.9rem"></div>'


def sentences_html(sentences: Sequence[DraftSentence], numbers: Mapping[str, int], papers: Mapping[str, Paper]) -> str:
    """Write the sentences in order; no text in them can become a tag, a link or an image."""
    names = {paper_id: str(n) for paper_id, n in numbers.items()}
    titles = {paper_id: paper.title for paper_id, paper in papers.items()}
    parts = []
    for source, group in groupby(
        sentences, lambda each: each.citations[:1] if each.origin is SentenceOrigin.PAPER else None
    ):
        of_source = list(group)
        if source and source[0] in papers:
            parts.append(_LEAD.format(lead=html.escape(f"{lead_of(papers[source[0]])}:")))
        elif of_source[0].begins_paragraph:
            parts.append(_GAP)
        labels = {each.text: each.origin.value for each in of_source if each.origin is SentenceOrigin.READER}
        checked = [each.checked for each in of_source]
        parts.append(ledger_html(checked, names, titles, are_papers=False, labels=labels))
    return "".join(parts)
