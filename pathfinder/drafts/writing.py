"""Writes sections: each question is answered by an answer mode from the papers of a shelf alone."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from pathfinder.drafts.checking import in_time, sentences_of
from pathfinder.drafts.draft import DraftSentence, ReviewSection, SectionText
from pathfinder.grounding.readings import Readings
from pathfinder.models.ports import Embedder
from pathfinder.types import Answer, Paper, SearchRequest, SearchResult, Step
from pathfinder.types.requests import MAX_TOP_K

MAX_CANDIDATES = 5
"""Maximum number of papers of the corpus that are named to fill a gap."""
MAX_SENTENCES_ALONE = 3
"""Maximum number of sentences of a paper that is asked on its own."""
_WEAK = "no sentence of these papers answers the question well enough; these are the nearest"


@dataclass(frozen=True, slots=True)
class WritingTools:
    """Search, answers and papers of an open corpus."""

    search: Callable[[SearchRequest], SearchResult]
    answer: Callable[[SearchResult], Generator[str | Step, None, Answer]]
    papers_of: Callable[[Sequence[str]], list[Paper]]
    """Returns those papers that the corpus has, in their order."""
    embedder: Embedder


def stream_section(
    section: ReviewSection, shelf_ids: Sequence[str], tools: WritingTools
) -> Generator[str | Step, None, SectionText]:
    """Yield words and steps of the answer to the section's question, and return the text with its verdicts.

    Only the section's papers that are among `shelf_ids` are searched, or all of these if the section lists none.
    """
    chosen = [paper_id for paper_id in shelf_ids if paper_id in section.paper_ids] if section.paper_ids else shelf_ids
    papers = tools.papers_of(chosen)
    searched = tuple(paper.paper_id for paper in papers)
    if not papers:
        gap = "none of the papers of this section is on the shelf and in the corpus: choose others"
        return SectionText(section.question, (), "none: no papers", gap=gap)
    result = tools.search(SearchRequest(section.question, within=searched, top_k=min(max(len(searched), 1), MAX_TOP_K)))
    answer = yield from tools.answer(result)
    readings = Readings().with_hits(result.hits)
    sentences, dropped = sentences_of(answer, papers, readings, tools.embedder)
    n_loose = 0
    if section.paper_ids and sentences and not answer.is_written:
        others, n_loose = yield from _quoted_alone(section.question, papers, sentences, tools)
        sentences = in_time((*sentences, *others), papers)
    is_gap = answer.abstained or not sentences
    return SectionText(
        question=section.question,
        searched=searched,
        ran="; ".join(stage.ran for stage in answer.stages if stage.name == "answer"),
        sentences=() if answer.abstained else sentences,
        dropped=() if answer.abstained else dropped,
        gap=_gap(section, papers, answer) if is_gap else None,
        candidates=_candidates(section, shelf_ids, tools) if is_gap else (),
        notes=tuple(_notes(answer, papers, n_loose)),
    )


def _quoted_alone(
    question: str, papers: Sequence[Paper], sentences: Sequence[DraftSentence], tools: WritingTools
) -> Generator[str | Step, None, tuple[list[DraftSentence], int]]:
    """Answer the question from each paper that is not quoted yet, on its own: a reader put it under this heading.

    Returns the sentences, and the number of papers whose nearest sentences do not answer the question.
    """
    cited = {paper_id for sentence in sentences for paper_id in sentence.citations}
    quoted: list[DraftSentence] = []
    n_loose = 0
    for paper in papers:
        if paper.paper_id in cited or not paper.has_abstract:
            continue
        result = tools.search(SearchRequest(question, within=(paper.paper_id,), top_k=1))
        answer = yield from tools.answer(result)
        if answer.abstained or answer.is_written:
            continue
        own, _ = sentences_of(answer, papers, Readings().with_hits(result.hits), tools.embedder)
        quoted += own[:MAX_SENTENCES_ALONE]
        n_loose += answer.digest is not None and answer.digest.is_weak
    return quoted, n_loose


def _gap(section: ReviewSection, papers: Sequence[Paper], answer: Answer) -> str:
    """Describe what is missing from a section that could not be written."""
    n_titles = sum(not paper.has_abstract for paper in papers)
    n = len(papers)
    those = "The only paper searched does not answer" if n == 1 else f"None of the {n} papers searched answers"
    parts = [f"{those} the question “{section.question}”"]
    if n_titles:
        parts.append(f"only the titles of {n_titles} of them are known")
    if answer.redirect is not None:
        parts.append(answer.text)
    return "; ".join(parts)


def _candidates(section: ReviewSection, shelf_ids: Sequence[str], tools: WritingTools) -> tuple[str, ...]:
    """Return papers of the corpus, off the shelf, that are relevant to the section's question; none if none is."""
    result = tools.search(SearchRequest(section.question, top_k=MAX_TOP_K))
    if result.assessment is not None and not result.assessment.is_relevant:
        return ()
    on_shelf = set(shelf_ids)
    others = (hit.paper.paper_id for hit in result.hits if hit.paper.paper_id not in on_shelf)
    return tuple(others)[:MAX_CANDIDATES]


def _notes(answer: Answer, papers: Sequence[Paper], n_loose: int) -> list[str]:
    notes = list(answer.notes)
    if answer.digest is not None and answer.digest.is_weak and not answer.is_written:
        notes.append(_WEAK)
    elif n_loose:
        each = "1 paper is" if n_loose == 1 else f"{n_loose} papers are"
        notes.append(f"{each} quoted with the nearest sentences, which may not answer the question")
    n_titles = sum(not paper.has_abstract for paper in papers)
    if n_titles:
        notes.append(
            f"only the titles of {n_titles} of the {len(papers)} papers are known, so nothing is quoted from them"
        )
    return notes
