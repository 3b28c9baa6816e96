"""A draft as a document: headings, paragraphs with quotations and citations, and references in order of citation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from pathfinder.addons.drafts.draft import DraftCoverage, DraftSentence, ReviewDraft, ReviewSection, SentenceOrigin
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.export.references import authors_in_text
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, Verdict

LEFT_OUT = "[…]"
"""Mark that shows where words in a quotation are left out."""


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Words in the document, with the papers that they cite."""

    text: str
    citations: tuple[str, ...]
    lead: str | None = None
    """Authors and year before a quotation; `None` for words that are not quoted."""
    remark: str | None = None
    """Reason to check a sentence once more; `None` if its papers support it."""


Paragraph = tuple[DocumentPart, ...]


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of the document."""

    heading: str
    paragraphs: tuple[Paragraph, ...]
    missing: str | None = None
    """Reason why the section has no text; `None` if it has some."""


@dataclass(frozen=True, slots=True)
class DraftDocument:
    """A draft, ready to be written in any format."""

    title: str
    sections: tuple[DocumentSection, ...]
    references: tuple[Paper, ...]
    """Papers cited, in the order of their first citation."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Number of each reference, counted from 1, by the id of its paper."""

    def cited_numbers(self, part: DocumentPart) -> list[int]:
        """Return the numbers of the references that a part cites, in ascending order."""
        return sorted(self.numbers[paper_id] for paper_id in part.citations)

    def mark(self, part: DocumentPart) -> str:
        """Return the citation mark of a part: "[1, 4]"; empty if it cites nothing."""
        numbers = self.cited_numbers(part)
        return f"[{', '.join(map(str, numbers))}]" if numbers else ""

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """Each sentence to check once more, with the reason."""
        parts = (p for section in self.sections for paragraph in section.paragraphs for p in paragraph)
        return tuple((part.text, part.remark) for part in parts if part.remark is not None)


def document_of(draft: ReviewDraft, papers: Mapping[str, Paper]) -> DraftDocument:
    """Lay out a draft. `papers` holds the papers in the corpus by id; a cited paper that is not among them is listed by
    its id.
    """
    references = tuple(
        papers.get(paper_id) or Paper(paper_id, f"{paper_id} (not in the corpus)", "") for paper_id in draft.cited_ids
    )
    papers_by_id = {paper.paper_id: paper for paper in references}
    sections = tuple(_section(section, papers_by_id) for section in draft.sections)
    return DraftDocument(draft.title, sections, references, {key: n for n, key in enumerate(papers_by_id, start=1)})


def _section(section: ReviewSection, papers: Mapping[str, Paper]) -> DocumentSection:
    sentences = section.text.sentences if section.text else ()
    missing = None if sentences else (section.text.gap if section.text else None) or "not written yet"
    return DocumentSection(section.heading, tuple(_paragraphs(sentences, papers)), missing)


def _paragraphs(sentences: Sequence[DraftSentence], papers: Mapping[str, Paper]) -> Iterator[Paragraph]:
    paragraph: list[DocumentPart] = []
    for source, group in groupby(sentences, _source):
        of_source = list(group)
        if of_source[0].begins_paragraph and paragraph:
            yield tuple(paragraph)
            paragraph = []
        if source is not None:
            paragraph.append(_quotation(of_source, papers[source]))
            continue
        for sentence in of_source:
            if sentence.begins_paragraph and paragraph:
                yield tuple(paragraph)
                paragraph = []
            paragraph.append(DocumentPart(sentence.text, sentence.citations, remark=_remark(sentence)))
    if paragraph:
        yield tuple(paragraph)


def _source(sentence: DraftSentence) -> str | None:
    """Return the paper that a sentence is quoted from; `None` for a sentence that is not a quotation."""
    return sentence.citations[0] if sentence.origin is SentenceOrigin.PAPER and sentence.citations else None


def _quotation(sentences: Sequence[DraftSentence], paper: Paper) -> DocumentPart:
    """Join sentences from one paper, and mark where words between them are left out."""
    words = " ".join(paper.abstract.split())
    text = sentences[0].text
    for before, sentence in pairwise(sentences):
        is_next = f"{_plain(before.text)} {_plain(sentence.text)}" in words
        text += f" {sentence.text}" if is_next else f" {LEFT_OUT} {sentence.text}"
    return DocumentPart(text, sentences[0].citations, lead_of(paper))


def _plain(text: str) -> str:
    return " ".join(text.split())


def lead_of(paper: Paper) -> str:
    """Return the words before a quotation: "Riess et al. (2022)", preceded by "Summary of" if somebody else wrote the
    text.
    """
    lead = f"{authors_in_text(paper)} ({paper.known_year or 'no year'})"
    return f"Summary of {lead}" if paper.is_summary else lead


def _remark(sentence: DraftSentence) -> str | None:
    verdict = sentence.checked.verdict
    if verdict is Verdict.SUPPORTED and sentence.citations:
        return None
    words = "partly supported" if verdict is Verdict.PARTLY else verdict.value
    return "; ".join((words, *sentence.checked.reasons))


# A draft as JSON for programs.


def draft_record(shelf: str, draft: ReviewDraft, coverage: DraftCoverage, papers: Mapping[str, Paper]) -> JsonObject:
    """Describe a draft: shelf, title, sections and coverage (uncited, off_shelf, lost, n_without_citation).

    Each section has number (counted from 1), heading, question, papers (id, title) and text: null until it is written,
    or question, ran, gap, candidates, notes, dropped (text, citations, reason) and sentences, each with text,
    citations, origin ("quoted", "chat model" or "edited by you"), verdict, reasons and evidence (id, sentence, score).
    """
    titles = {paper_id: readable(paper.title) for paper_id, paper in papers.items()}
    sections = [
        {
            "number": number,
            **select(section, same_names("heading question")),
            "papers": [{"id": paper_id, "title": titles.get(paper_id)} for paper_id in section.paper_ids],
            "text": section.text
            and {
                **select(section.text, same_names("question ran gap candidates notes dropped")),
                "sentences": [_sentence_record(sentence) for sentence in section.text.sentences],
            },
        }
        for number, section in enumerate(draft.sections, start=1)
    ]
    return {"shelf": shelf, "title": draft.title, "sections": sections, "coverage": as_json(coverage)}


def _sentence_record(sentence: DraftSentence) -> JsonObject:
    return {
        **select(sentence, same_names("text citations origin")),
        **select(sentence.checked, same_names("verdict reasons")),
        "evidence": [
            select(each, {"id": "source_id", **same_names("sentence score")}) for each in sentence.checked.evidence
        ],
    }
