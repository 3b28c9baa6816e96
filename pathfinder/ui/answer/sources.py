"""Sources that one can point at: each opens the sentence on which an answer rests, marked in its context."""

import html
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.answering.digest.values import byline
from pathfinder.corpus.links import paper_link
from pathfinder.facade import Pathfinder
from pathfinder.profile.profile import Bibliography
from pathfinder.text.latex.display import readable
from pathfinder.types import Answer, FullTextPassage, Paper, SearchResult
from pathfinder.ui import similar
from pathfinder.ui.papers.paper_lines import authors
from pathfinder.ui.shared.frame import component
from pathfinder.ui.stars import stars

KEY = "source-sheet"
SUMMARY = "Summary, not the paper's own words"
Numbered = Mapping[str, tuple[int, Paper]]
"""Citation number and paper of each source, by paper id."""


def numbered(answer: Answer) -> Numbered:
    """Return the sources of an answer with their citation numbers."""
    return {paper.paper_id: (n, paper) for n, paper in enumerate(answer.sources, start=1)}


def chip(paper_id: str, numbers: Numbered, start: int | None = None, passage: FullTextPassage | None = None) -> str:
    """Write a source as HTML: its first author, year and kind of text, and words of caution, if any. It leads to the
    sentence that begins at `start` in the abstract or in `passage`.
    """
    if paper_id not in numbers:
        return f'<span class="caution">{html.escape(readable(paper_id))}: not among the sources</span>'
    n, paper = numbers[paper_id]
    name = html.escape(readable(byline(paper)))
    at = "" if start is None else f' data-quote="{html.escape(_key(n, start, passage))}"'
    kind = html.escape(f", {readable(passage.address) if passage else paper.kind_of_text}")
    cautions = "".join(f' <span class="caution">{html.escape(words)}</span>' for words in cautions_on(paper))
    return f'<a class="source" href="#paper-{n}"{at} aria-haspopup="dialog">{name}<small>{kind}</small></a>{cautions}'


def cautions_on(paper: Paper) -> Iterator[str]:
    """Yield what a reader must know before relying on a paper, in words."""
    if paper.warning:
        yield paper.warning
    if paper.refereed is False:
        yield "not peer reviewed"


def panel(pf: Pathfinder, answer: Answer | None, result: SearchResult, listed: str) -> None:
    """Draw what opens when a link to a paper is pointed at or followed, anywhere on the page. `listed` is what the
    papers on the page were searched for: those of the question, or similar ones, from which Back leads to these.
    """
    live = {hit.paper.paper_id for hit in result.hits if hit.live}
    papers = answer.sources if answer is not None else tuple(hit.paper for hit in result.hits)
    shelf = stars.open_shelf()
    starred = None if shelf is None else frozenset(shelf.paper_ids)
    data = {
        "papers": {
            str(n): _paper_record(paper, pf.profile.services.bibliography, None if paper.paper_id in live else starred)
            for n, paper in enumerate(papers, start=1)
        },
        "quotes": {} if answer is None else dict(_quotes(answer)),
        "listed": listed,
    }

    def act(name: str) -> None:
        if shelf is None or (paper_id := st.session_state[KEY].get(name)) not in {each.paper_id for each in papers}:
            return
        if name == "star":
            stars.toggle(shelf.name, (paper_id,))
        else:
            similar.choose_beside(paper_id)

    draw = component(Path(__file__).with_name("sources.js"), SHEET, STYLES)
    draw(key=KEY, data=data, on_star_change=partial(act, "star"), on_similar_change=partial(act, "similar"))


def _paper_record(paper: Paper, bibliography: Bibliography, starred: frozenset[str] | None) -> dict[str, Any]:
    """`starred` is `None` for a paper that cannot be put on a shelf."""
    facts = (authors(paper), str(paper.year or "year unknown"), paper.venue or paper.journal or "")
    return {
        "id": paper.paper_id,
        "facts": {
            "title": readable(paper.title),
            "by": readable(" · ".join(filter(None, facts))),
            "caution": ", ".join(cautions_on(paper)),
        },
        "text": _in_context(paper, 0, 0, None),
        "star": None if starred is None else paper.paper_id in starred,
        "open": paper_link(paper, bibliography).url,
    }


def _quotes(answer: Answer) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the context of each sentence on which the answer rests, by the key that its link has."""
    numbers = numbered(answer)
    for ledger in (answer.ledger, answer.folded and answer.folded.ledger):
        for sentence in ledger.sentences if ledger else ():
            for evidence in sentence.evidence:
                if evidence.source_id in numbers:
                    n, paper = numbers[evidence.source_id]
                    start = (evidence.passage.text if evidence.passage else paper.abstract).find(evidence.sentence)
                    if start >= 0:
                        end = start + len(evidence.sentence)
                        yield _key(n, start, evidence.passage), _in_context(paper, start, end, evidence.passage)
    # A finding may have several sentences, the first of which is evidence, too.
    for finding in answer.digest.findings if answer.digest else ():
        if finding.paper_id in numbers:
            n, paper = numbers[finding.paper_id]
            yield (
                _key(n, finding.start, finding.passage),
                _in_context(paper, finding.start, finding.end, finding.passage),
            )


def _key(n: int, start: int, passage: FullTextPassage | None) -> str:
    return f"{n}-{start}" if passage is None else f"{n}-{passage.address}-{start}"


def _in_context(paper: Paper, start: int, end: int, passage: FullTextPassage | None) -> dict[str, str]:
    """Cut the text of a paper into what stands before the part from `start` to `end`, that part, and what follows."""
    text = paper.abstract if passage is None else passage.text
    before, quoted, after = (readable(part) for part in (text[:start], text[start:end], text[end:]))
    kind = SUMMARY if paper.is_summary else "Abstract"
    return {"kind": passage.address if passage else kind, "before": before, "quoted": quoted, "after": after}


SHEET = """
<div class="sheet" popover="auto" role="dialog" aria-labelledby="source-title" tabindex="-1">
  <button class="close" aria-label="Close">✕</button>
  <p class="what">Source of the sentence</p><h2 class="title" id="source-title"></h2>
  <p class="by"></p><p class="caution"></p><p class="kind"></p>
  <div class="context" tabindex="0"><span class="before"></span>
    <mark class="quoted"></mark> <span class="after"></span></div>
  <div class="row">
    <button class="star"></button>
    <a class="open" target="_blank" rel="noopener noreferrer">Open</a>
    <button class="similar">Similar papers</button>
    <button class="next">Next source ›</button>
  </div>
</div>
"""

STYLES = """
.sheet {
  box-sizing: border-box; position: fixed; inset: auto; margin: 0; padding: 16px; width: min(480px, 100vw - 16px);
  max-height: 80vh; overflow: auto; border: 1.5px solid light-dark(#7a828d, #77818d); border-radius: 8px;
  background: var(--st-background-color); color: var(--st-text-color); font: 15px/23px var(--st-font);
}
.sheet:focus { outline: none; }
.sheet:focus-within::backdrop { background: rgb(0 0 0 / 25%); }
h2 { font-size: 16px; line-height: 22px; margin: 0 32px 4px 0; }
p { margin: 0 0 4px; font-size: 13px; line-height: 18px; }
.what, .by, .context { color: light-dark(#555c66, #a8b0ba); }
.caution, .kind { color: light-dark(#8a4b00, #f0b35a); font-weight: 600; }
.context { max-height: 40vh; overflow: auto; }
mark { background: light-dark(#fff0c2, #4a3a10); color: var(--st-text-color); }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
button, a {
  font: 600 14px/20px var(--st-font); color: var(--st-text-color); background: none; text-decoration: none;
  border: 1px solid light-dark(#7a828d, #77818d); border-radius: 8px; padding: 6px 12px; cursor: pointer;
}
.close { position: absolute; top: 8px; right: 8px; border: none; }
@media (width < 640px) {
  .sheet { inset: auto 0 0; width: 100vw; max-width: none; border-radius: 16px 16px 0 0; }
  button, a { padding-block: 11px; min-width: 44px; }
}
"""
