"""Review drafts from an open corpus: outline, writing, editing and checking."""

from collections.abc import Generator, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.drafts.checking import checked_sentences, fault_of, read_edited, with_edit
from pathfinder.drafts.draft import DraftSentence, ReviewDraft, ReviewSection, SectionText, SentenceOrigin
from pathfinder.drafts.outline import outline_of
from pathfinder.drafts.records import DraftCoverage, citation_numbers, coverage_of
from pathfinder.drafts.writing import WritingTools, stream_section
from pathfinder.errors import UsageError
from pathfinder.grounding.readings import Readings
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.retrieval.citations.ties import groups_by_likeness
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import (
    Answer,
    AnswerRequest,
    CheckedSentence,
    Claim,
    Generation,
    Paper,
    SearchRequest,
    SearchResult,
    Step,
)
from pathfinder.types.requests import MAX_TOP_K

if TYPE_CHECKING:
    from pathfinder.fulltext.store import FullTexts

MAX_QUESTIONS = 12
PAPERS_OF_A_QUESTION = 8
"""Maximum number of papers that an outline puts under a reader's question."""


class AnsweringCorpus(Protocol):
    """An open corpus that can be searched and can answer questions: a `Pathfinder`."""

    corpus: Corpus
    chat: ChatModel | None

    @property
    def sentence_embedder(self) -> Embedder:
        """Embedder that compares sentences."""

    @property
    def full_texts(self) -> "FullTexts":
        """Full texts of the papers."""

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers."""

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[str | Step, None, Answer]:
        """Answer a question, yielding words and steps."""


def outline(pf: AnsweringCorpus, shelf: Shelf, questions: Sequence[str] = (), title: str | None = None) -> ReviewDraft:
    """Make the outline of a review of the papers on a shelf that are not out; see `Pathfinder.outline`."""
    papers = papers_of(pf, shelf.inside)
    if not papers:
        raise UsageError(
            f"the shelf {shelf.name!r} has no papers in this corpus, or all of them are out: star some papers first"
        )
    if len(questions) > MAX_QUESTIONS:
        raise UsageError(f"an outline cannot have {len(questions)} questions: ask up to {MAX_QUESTIONS}")
    ids = tuple(paper.paper_id for paper in papers)
    answering = [(question, _answering(pf, question, ids)) for question in questions]
    placed_ids = {paper.paper_id for _, of_question in answering for paper in of_question}
    rest = [paper for paper in papers if paper.paper_id not in placed_ids]
    rows = np.array(pf.corpus.papers.rows_of([paper.paper_id for paper in rest]), dtype=np.int64)
    groups = groups_by_likeness(rows, pf.corpus) if len(rest) > 1 else [[place] for place in range(len(rest))]
    of_groups = [[rest[place] for place in group] for group in groups]
    return outline_of(
        title or shelf.name, answering, of_groups, lambda question, ids: bool(_answering(pf, question, ids))
    )


def _answering(pf: AnsweringCorpus, question: str, ids: Sequence[str]) -> list[Paper]:
    """Return the papers on the shelf that best match a question, or no papers if none is relevant to it."""
    result = pf.search(SearchRequest(question, within=tuple(ids), top_k=PAPERS_OF_A_QUESTION))
    if result.assessment is not None and not result.assessment.is_relevant:
        return []
    return [hit.paper for hit in result.hits]


def stream_draft(
    pf: AnsweringCorpus,
    draft: ReviewDraft,
    shelf: Shelf,
    request: AnswerRequest | None = None,
    sections: Sequence[str] | None = None,
) -> Generator[str | ReviewSection, None, ReviewDraft]:
    """Write sections, by default all; yield descriptions of the progress, and each section as soon as it is written."""
    keys = [section.key for section in draft.sections] if sections is None else list(sections)
    draft_sections = [draft.section(key) for key in keys]
    for place, section in enumerate(draft_sections, start=1):
        yield f"section {place} of {len(draft_sections)}: {section.heading}"
        text = yield from _steps(stream_section(section, shelf.inside, _tools(pf, request)))
        draft = draft.with_text(section.key, text)
        yield replace(section, text=text)
    return draft


def _steps(writing: Generator[str | Step, None, SectionText]) -> Generator[str, None, SectionText]:
    """Yield the steps of an answer, without its words; the checked sentences replace the words at the end."""
    while True:
        try:
            event = next(writing)
        except StopIteration as end:
            text: SectionText = end.value
            return text
        if isinstance(event, Step):
            yield f"{event.kind.value}: {event.text}"


def _tools(pf: AnsweringCorpus, request: AnswerRequest | None) -> WritingTools:
    request = request or AnswerRequest(Generation.RAG if pf.chat is not None else Generation.EXTRACTIVE)
    return WritingTools(
        pf.search,
        lambda result: pf.stream_answer(result, request),
        lambda result: pf.stream_answer(result, generation=Generation.EXTRACTIVE),
        lambda ids: papers_of(pf, ids),
        pf.sentence_embedder,
    )


def edit_section(pf: AnsweringCorpus, draft: ReviewDraft, shelf: Shelf, key: str, text: str) -> ReviewDraft:
    """Replace the text of a section with what a reader wrote, in which [n] cites the nth paper on the shelf, and check
    it; see `Pathfinder.edit_section`.
    """
    section = draft.section(key)
    edited_sentences = read_edited(text, citation_numbers(draft, shelf))
    checked_sentences = _check_claims(pf, shelf, section, [claim for claim, _ in edited_sentences])
    before = section.text or SectionText(section.question, (), "none: written by hand")
    return draft.with_text(key, with_edit(before, edited_sentences, checked_sentences))


def check_draft(pf: AnsweringCorpus, draft: ReviewDraft, shelf: Shelf) -> ReviewDraft:
    """Compute the verdicts on all sentences again, because a draft may come from a file, which anyone may have written;
    see `Pathfinder.check_draft`.
    """
    for section in draft.sections:
        if section.text is not None:
            draft = draft.with_text(section.key, _checked_text(pf, shelf, section, section.text))
    return draft


def _checked_text(pf: AnsweringCorpus, shelf: Shelf, section: ReviewSection, text: SectionText) -> SectionText:
    """Return the text with new verdicts; a sentence that no paper on the shelf backs becomes the reader's own."""
    checked_sentences = _check_claims(pf, shelf, section, [Claim(each.text, each.citations) for each in text.sentences])
    on_shelf = {paper.paper_id for paper in papers_of(pf, shelf.inside)}
    is_backed = [_is_backed(pf, old, new, on_shelf) for old, new in zip(text.sentences, checked_sentences, strict=True)]
    sentences = tuple(
        DraftSentence(new, old.origin if keeps_origin else SentenceOrigin.READER, old.begins_paragraph)
        for old, new, keeps_origin in zip(text.sentences, checked_sentences, is_backed, strict=True)
    )
    if n := is_backed.count(False):
        some = "1 sentence in the file has" if n == 1 else f"{n} sentences in the file have"
        note = f"{some} no paper on the shelf behind {'it and counts' if n == 1 else 'them and count'} as your own"
        return replace(text, sentences=sentences, notes=(*text.notes, note))
    return replace(text, sentences=sentences)


def _is_backed(pf: AnsweringCorpus, old: DraftSentence, new: CheckedSentence, on_shelf: AbstractSet[str]) -> bool:
    """Return whether a sentence is the reader's own, or meets the demands that `stream_section` makes on the sentences
    that it writes.
    """
    if old.origin is SentenceOrigin.READER:
        return True
    if fault_of(new, old.origin) is not None or not on_shelf >= {*new.citations}:
        return False
    return old.origin is SentenceOrigin.MODEL or _is_quoted(pf, old)


def _is_quoted(pf: AnsweringCorpus, sentence: DraftSentence) -> bool:
    words = " ".join(sentence.text.split())
    sources = papers_of(pf, sentence.citations)
    texts = [" ".join(f"{paper.title} {paper.abstract}".split()) for paper in sources]
    return any(words in text for text in texts) or any(
        words in " ".join(passage_text.split()) for passage_text in _passages(pf, sentence)
    )


def _passages(pf: AnsweringCorpus, sentence: DraftSentence) -> list[str]:
    readings = _readings(pf, sentence.text, sentence.citations)
    return [passage.text for passages in readings.passages.values() for passage in passages]


def _check_claims(
    pf: AnsweringCorpus, shelf: Shelf, section: ReviewSection, claims: Sequence[Claim]
) -> tuple[CheckedSentence, ...]:
    """Check claims against the papers in the section or, if it has none, those on the shelf, and against the papers
    that the claims cite.
    """
    cited_ids = [paper_id for claim in claims for paper_id in claim.citations]
    ids = tuple(dict.fromkeys((*(section.paper_ids or shelf.inside), *cited_ids)))
    readings = _readings(pf, section.question, ids)
    return checked_sentences(claims, papers_of(pf, ids), readings, pf.sentence_embedder)


def _readings(pf: AnsweringCorpus, question: str, ids: Sequence[str]) -> Readings:
    """Return the passages that a question finds in the full texts of papers; none if the corpus has no full texts."""
    if not ids or not pf.full_texts.texts:
        return Readings()
    return Readings().with_hits(pf.search(SearchRequest(question, within=tuple(ids), top_k=MAX_TOP_K)).hits)


def draft_coverage(pf: AnsweringCorpus, draft: ReviewDraft, shelf: Shelf) -> DraftCoverage:
    """List papers on the shelf that the draft never cites, and cited papers that are not on the shelf or not in the
    corpus.
    """
    return coverage_of(draft, shelf, {paper.paper_id for paper in papers_of(pf, draft.cited_ids)})


def papers_of(pf: AnsweringCorpus, paper_ids: Iterable[str]) -> list[Paper]:
    """Return those of the papers that are in the corpus, in the same order."""
    rows = [row for row in pf.corpus.papers.rows_of(list(paper_ids)) if row >= 0]
    return list(pf.corpus.papers.take(np.array(rows, dtype=np.int64)))
