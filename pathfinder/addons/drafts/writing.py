"""Writes sections: an answer mode answers each section's question from the papers on a shelf alone."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pathfinder.addons.drafts.checking import checked_sentences, in_time, sentences_of
from pathfinder.addons.drafts.draft import (
    DraftSentence,
    ReviewDraft,
    ReviewSection,
    SectionText,
    SentenceOrigin,
    papers_of,
)
from pathfinder.answering.digest.quoted_papers import is_on_the_object
from pathfinder.answering.grounding.readings import Readings
from pathfinder.answering.roles import SentenceRole, in_role
from pathfinder.llm.stopping import RecordedStream, drain
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import readable
from pathfinder.types import Answer, AnswerRequest, Claim, ModeName, Paper, SearchRequest, SearchResult, Step
from pathfinder.types.requests import MAX_TOP_K

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MAX_CANDIDATES = 5
"""Maximum number of papers from the corpus that are suggested to fill a gap."""
MAX_NAMED = 10
"""Maximum number of papers that a note names."""
MAX_SENTENCES_ALONE = 3
"""Maximum number of sentences quoted from a paper that is queried on its own."""
_WEAK = "no sentence in these papers answers the question well enough; the nearest are quoted"


def write_draft(
    pf: "Pathfinder",
    draft: ReviewDraft,
    shelf: Shelf,
    request: AnswerRequest | None = None,
    sections: Sequence[str] | None = None,
) -> ReviewDraft:
    """Write the sections with these keys, by default all: each answers its question from papers on the shelf alone.

    `request` sets the answer mode, by default RAG or, without a chat model, extractive. Every sentence has a verdict;
    those that no paper on the shelf supports are listed as dropped. Raises `UsageError` for an unknown key or mode.
    """
    return drain(stream_draft(pf, draft, shelf, request, sections))


def stream_draft(
    pf: "Pathfinder",
    draft: ReviewDraft,
    shelf: Shelf,
    request: AnswerRequest | None = None,
    sections: Sequence[str] | None = None,
) -> Generator[str | ReviewSection, None, ReviewDraft]:
    """Like `write_draft`, but yield descriptions of its progress, and each section as soon as it is written."""
    keys = [section.key for section in draft.sections] if sections is None else list(sections)
    draft_sections = [draft.section(key) for key in keys]
    for place, section in enumerate(draft_sections, start=1):
        yield f"section {place} of {len(draft_sections)}: {section.heading}"
        with RecordedStream(stream_section(draft, section.key, shelf.inside, pf, request)) as stream:
            for event in stream:
                if isinstance(event, Step):  # the checked sentences replace the words at the end
                    yield f"{event.kind.value}: {event.text}"
        draft = draft.with_text(section.key, stream.result)
        yield replace(section, text=stream.result)
    return draft


def stream_section(
    draft: ReviewDraft, key: str, shelf_ids: Sequence[str], pf: "Pathfinder", request: AnswerRequest | None = None
) -> Generator[str | Step, None, SectionText]:
    """Yield words and steps of the answer to the question of a section, and return the text with its verdicts.

    Only the section's papers that are among `shelf_ids` are searched, or all of `shelf_ids` if the section lists none.
    """
    section, question = draft.section(key), draft.question_asked(key)
    paper_ids = (
        [paper_id for paper_id in shelf_ids if paper_id in section.paper_ids] if section.paper_ids else shelf_ids
    )
    papers = papers_of(pf, paper_ids)
    searched_ids = tuple(paper.paper_id for paper in papers)
    if not papers:
        gap = "none of the papers in this section is both on the shelf and in the corpus: choose others"
        return SectionText(section.question, (), "none: no papers", gap=gap)
    result = pf.search(SearchRequest(question, within=searched_ids, top_k=min(max(len(searched_ids), 1), MAX_TOP_K)))
    request = request or AnswerRequest(ModeName.RAG if pf.chat is not None else ModeName.EXTRACTIVE)
    answer = yield from pf.stream_answer(result, request)
    readings = Readings().with_hits(result.hits)
    sentences, dropped_sentences = sentences_of(answer, papers, readings, pf.sentence_embedder)
    n_beside = 0
    silent: tuple[Paper, ...] = ()
    if sentences and not answer.abstained and not answer.is_written:
        if section.paper_ids:
            sentences, n_beside, silent = yield from _quotations(question, papers, answer, sentences, pf)
        else:
            sentences = in_time(sentences, papers)
    is_gap = answer.abstained or not sentences
    return SectionText(
        question=section.question,
        searched=searched_ids,
        ran="; ".join(stage.ran for stage in answer.stages if stage.name == "answer"),
        sentences=() if answer.abstained else sentences,
        dropped=() if answer.abstained else dropped_sentences,
        gap=_gap(question, papers, answer) if is_gap else None,
        candidates=_candidates(question, shelf_ids, pf) if is_gap else (),
        notes=(
            *([f"read as “{question}”"] if question != section.question else []),
            *_notes(answer, papers, n_beside),
            *_silence(silent),
        ),
    )


def _quotations(
    question: str,
    papers: Sequence[Paper],
    answer: Answer,
    sentences: tuple[DraftSentence, ...],
    pf: "Pathfinder",
) -> Generator[str | Step, None, tuple[tuple[DraftSentence, ...], int, tuple[Paper, ...]]]:
    """Return the quotations in an answer and from each of the section's other papers, sorted by the papers' years.
    Each of the other papers is queried on its own, because a reader put it under this heading.

    Also returns the number of papers that do not answer the question, so that their main result is quoted instead, and
    the papers that say nothing about the question.
    """
    quotations = [] if _is_weak(answer) else list(sentences)
    cited_ids = {paper_id for sentence in quotations for paper_id in sentence.citations}
    n_beside = 0
    silent: list[Paper] = []
    for paper in papers:
        if paper.paper_id in cited_ids or not paper.has_abstract:
            continue
        result = pf.search(SearchRequest(question, within=(paper.paper_id,), top_k=1))
        alone = yield from pf.stream_answer(result, generation=ModeName.EXTRACTIVE)
        if alone.abstained or (_is_weak(alone) and not is_on_the_object(question, paper, pf.profile)):
            silent.append(paper)
            continue
        if _is_weak(alone):
            n_beside += 1
            quotations += _main_result(paper, pf) or _nearest(alone, papers, result, pf)
        else:
            quotations += _nearest(alone, papers, result, pf)
    return in_time(quotations, papers), n_beside, tuple(silent)


def _is_weak(answer: Answer) -> bool:
    return answer.digest is not None and answer.digest.is_weak


def _nearest(alone: Answer, papers: Sequence[Paper], result: SearchResult, pf: "Pathfinder") -> Sequence[DraftSentence]:
    """Return the first sentences of an answer that quotes a single paper."""
    return sentences_of(alone, papers, Readings().with_hits(result.hits), pf.sentence_embedder)[0][:MAX_SENTENCES_ALONE]


def _main_result(paper: Paper, pf: "Pathfinder") -> Sequence[DraftSentence]:
    """Return the sentence of the abstract that states the main result, as in a comparison table; empty if none does."""
    result = in_role(paper, SentenceRole.RESULT)
    if result is None:
        return ()
    claim = Claim(result, (paper.paper_id,))
    return [
        DraftSentence(checked_sentence, SentenceOrigin.PAPER)
        for checked_sentence in checked_sentences([claim], [paper], Readings(), pf.sentence_embedder)
    ]


def _gap(question: str, papers: Sequence[Paper], answer: Answer) -> str:
    """Describe what is missing from a section that could not be written."""
    n_titles = sum(not paper.has_abstract for paper in papers)
    n = len(papers)
    those = "The only paper searched does not answer" if n == 1 else f"None of the {n} papers searched answers"
    parts = [f"{those} the question “{question}”"]
    if n_titles:
        have = "has" if n_titles == 1 else "have"
        parts.append("only its title is known" if n == 1 else f"{n_titles} of them {have} only a title, no abstract")
    if answer.redirect is not None:
        parts.append(answer.text)
    return "; ".join(parts)


def _candidates(question: str, shelf_ids: Sequence[str], pf: "Pathfinder") -> tuple[str, ...]:
    """Return papers in the corpus, but not on the shelf, that are relevant to a question, if any."""
    result = pf.search(SearchRequest(question, top_k=MAX_TOP_K))
    if result.assessment is not None and not result.assessment.is_relevant:
        return ()
    on_shelf = set(shelf_ids)
    others = (hit.paper.paper_id for hit in result.hits if hit.paper.paper_id not in on_shelf)
    return tuple(others)[:MAX_CANDIDATES]


def _notes(answer: Answer, papers: Sequence[Paper], n_beside: int) -> list[str]:
    notes = list(answer.notes)
    if n_beside:
        some = "1 paper does" if n_beside == 1 else f"{n_beside} papers do"
        notes.append(f"{some} not answer the question itself; the main result or the nearest sentences are quoted")
    elif _is_weak(answer) and not answer.is_written:
        notes.append(_WEAK)
    n_titles = sum(not paper.has_abstract for paper in papers)
    if n_titles:
        notes.append(
            f"only the titles of {n_titles} of the {len(papers)} papers are known, so nothing is quoted from them"
        )
    return notes


def _silence(silent: Sequence[Paper]) -> Iterator[str]:
    """Yield a note that names the papers in the section that say nothing about its question, if there are any."""
    if silent:
        n = len(silent)
        some = "1 paper says" if n == 1 else f"{n} papers say"
        titles = "; ".join(f"“{readable(paper.title)}”" for paper in silent[:MAX_NAMED])
        more = f"; and {n - MAX_NAMED} more" if n > MAX_NAMED else ""
        yield f"{some} nothing on the question and {'is' if n == 1 else 'are'} not quoted: {titles}{more}"
