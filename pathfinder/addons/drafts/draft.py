"""A review draft and its sections, as frozen values: each change returns a new draft."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.routing.follow_up import depends_on_history, standalone_question
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import CheckedSentence, Paper

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MAX_SECTIONS, MAX_LINE, MAX_PAPERS = 40, 300, 500
"""Maximum numbers of sections, of characters in a heading or a question, and of papers in a section."""


class SentenceOrigin(StrEnum):
    """The writer of a sentence."""

    PAPER = "quoted"
    """A paper, from which the sentence is quoted verbatim."""
    MODEL = "chat model"
    READER = "edited by you"


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence in a section, with its verdict and evidence from the ledger."""

    checked: CheckedSentence
    """The sentence as checked, with citations that are ids of papers."""
    origin: SentenceOrigin
    begins_paragraph: bool = False

    @property
    def text(self) -> str:
        """The sentence without citation marks."""
        return self.checked.text

    @property
    def citations(self) -> tuple[str, ...]:
        """The ids of the papers that the sentence cites."""
        return self.checked.citations


@dataclass(frozen=True, slots=True)
class DroppedSentence:
    """A sentence that was left out because no paper on the shelf supports it."""

    text: str
    citations: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SectionText:
    """The text of a section, with a record of how it was made."""

    question: str
    """Question that the text answers; the section's question may have changed since."""
    searched: tuple[str, ...]
    """Ids of the papers that were searched."""
    ran: str
    """Name of the answer mode that ran, as shown on the badges of answers."""
    sentences: tuple[DraftSentence, ...] = ()
    dropped: tuple[DroppedSentence, ...] = ()
    gap: str | None = None
    """Description of what is missing, if the papers do not answer the question."""
    candidates: tuple[str, ...] = ()
    """Ids of papers in the corpus that were not searched, but may fill the gap."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewSection:
    """A heading with the question that the section answers and the papers that it is written from."""

    key: str
    """Name of the section within its draft; it never changes."""
    heading: str
    question: str
    paper_ids: tuple[str, ...] = ()
    """If empty, the section is written from the whole shelf."""
    text: SectionText | None = None
    """`None` until the section is written."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for a heading or a question that is not a single line, or for too many papers."""
        check_line(self.heading, "heading of a section")
        check_line(self.question, "question of a section")
        if len(self.paper_ids) > MAX_PAPERS or len(set(self.paper_ids)) < len(self.paper_ids):
            raise UsageError(
                f"the section {self.heading!r} lists {len(self.paper_ids):,} papers: list up to {MAX_PAPERS}, each once"
            )


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """A draft of a review: sections in order, first as an outline, then with text."""

    title: str
    sections: tuple[ReviewSection, ...] = ()
    last_key: int = field(default=0, compare=False)
    """Largest number ever used as the key of a section, so that no number is used again; 0 in older files."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for a title that is not a single line, too many sections, or two with the same key."""
        check_line(self.title, "title of a draft")
        if len(self.sections) > MAX_SECTIONS:
            raise UsageError(f"a draft of {len(self.sections)} sections is too long: the limit is {MAX_SECTIONS}")
        if len({section.key for section in self.sections}) < len(self.sections):
            raise UsageError("two sections of the draft have the same key: give them different keys")

    @property
    def sentences(self) -> tuple[DraftSentence, ...]:
        """All sentences, in order."""
        return tuple(sentence for section in self.sections if section.text for sentence in section.text.sentences)

    @property
    def unedited(self) -> tuple[str, ...]:
        """The keys of the sections in which no sentence is the reader's own."""
        return tuple(
            section.key
            for section in self.sections
            if all(
                each.origin is not SentenceOrigin.READER for each in (section.text.sentences if section.text else ())
            )
        )

    @property
    def cited_ids(self) -> tuple[str, ...]:
        """The ids of the papers cited, in the order of their first citation."""
        return tuple(dict.fromkeys(paper_id for sentence in self.sentences for paper_id in sentence.citations))

    def section(self, key: str) -> ReviewSection:
        """Return the section with this key. Raises `UsageError` if there is none."""
        for section in self.sections:
            if section.key == key:
                return section
        raise UsageError(f"the draft has no section {key!r}: it may have been removed in another tab")

    def question_asked(self, key: str) -> str:
        """Return the question of a section as it is searched: one that needs context ("How was its mass measured?")
        follows the last question before it that needs none.
        """
        place = self.sections.index(section := self.section(key))
        before = (each.question for each in self.sections[:place])
        earlier = [question for question in before if not depends_on_history(question)]
        return standalone_question(earlier, section.question, None).text

    def change(self, key: str, change: Callable[[ReviewSection], ReviewSection]) -> "ReviewDraft":
        """Change one section. Raises `UsageError` if there is none with this key."""
        before = self.section(key)
        return replace(self, sections=tuple(change(each) if each is before else each for each in self.sections))

    def add(self, heading: str, question: str, paper_ids: Iterable[str] = ()) -> "ReviewDraft":
        """Add a section at the end."""
        number = self._largest_key() + 1
        section = ReviewSection(str(number), heading, question, tuple(dict.fromkeys(paper_ids)))
        return replace(self, sections=(*self.sections, section), last_key=number)

    def remove(self, key: str) -> "ReviewDraft":
        """Remove a section, with its text."""
        leaving = self.section(key)
        others = tuple(each for each in self.sections if each is not leaving)
        return replace(self, sections=others, last_key=self._largest_key())

    def without_sections(self) -> "ReviewDraft":
        """Remove all sections, with their texts."""
        return replace(self, sections=(), last_key=self._largest_key())

    def in_place_of(self, before: "ReviewDraft") -> "ReviewDraft":
        """Return this draft with keys that no section of `before` has had, so that a text still being written for
        `before` is not put into any section of this draft.
        """
        first = before._largest_key() + 1  # noqa: SLF001 - of the same class
        sections = tuple(replace(each, key=str(number)) for number, each in enumerate(self.sections, start=first))
        return replace(self, sections=sections, last_key=first + len(sections) - 1)

    def sparing_keys_of(self, other: "ReviewDraft") -> "ReviewDraft":
        """Return this draft, changed so that no new section gets a key that `other` uses or has used."""
        return replace(self, last_key=max(self._largest_key(), other._largest_key()))  # noqa: SLF001

    def _largest_key(self) -> int:
        return max((self.last_key, *(int(each.key) for each in self.sections if each.key.isdecimal())))

    def move(self, key: str, places: int) -> "ReviewDraft":
        """Move a section down by `places`, or up if `places` is negative, but not beyond either end."""
        moving = self.section(key)
        others = [each for each in self.sections if each is not moving]
        place = max(0, min(len(others), self.sections.index(moving) + places))
        return replace(self, sections=(*others[:place], moving, *others[place:]))

    def with_text(self, key: str, text: SectionText) -> "ReviewDraft":
        """Replace the text of a section."""
        return self.change(key, lambda section: replace(section, text=text))


def check_line(text: str, noun: str) -> None:
    """Raise `UsageError` unless `text` is a single printable line of 1 to `MAX_LINE` characters, with no spaces around
    it.
    """
    if not text.strip() or text != text.strip() or not text.isprintable() or len(text) > MAX_LINE:
        raise UsageError(f"{text[:80]!r} cannot be the {noun}: write one line of up to {MAX_LINE} characters")


def draft_line(text: str) -> str:
    """Return `text` on one line, without control characters or surrounding spaces, cut to `MAX_LINE` characters."""
    words = " ".join(text.split())
    return "".join(filter(str.isprintable, words))[:MAX_LINE].strip()


def section_numbers(draft: ReviewDraft, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of the sections with these `numbers`, counted from 1; all keys if `numbers` is empty. Raises
    `UsageError` for a number that no section has.
    """
    for number in numbers:
        if not 1 <= number <= len(draft.sections):
            raise UsageError(f"the draft has no section {number}: choose a number from 1 to {len(draft.sections)}")
    return tuple(
        section.key for place, section in enumerate(draft.sections, start=1) if not numbers or place in numbers
    )


# The papers of a draft: those in the corpus, those that it never cites, and those that it cites although they are not
# on the shelf.


@dataclass(frozen=True, slots=True)
class DraftCoverage:
    """Comparison of a draft with a shelf, as ids of papers."""

    uncited: tuple[str, ...]
    """Papers on the shelf that are not marked as out and are never cited, in the order of the shelf."""
    off_shelf: tuple[str, ...]
    """Papers that are cited, but are no longer on the shelf, or are marked as out."""
    lost: tuple[str, ...]
    """Papers that are cited, but are not in the corpus: they were removed, or are dated later than the year as of which
    the corpus is read.
    """
    n_without_citation: int
    """Number of sentences that cite no paper; only the reader's own sentences may do so."""


def draft_coverage(pf: "Pathfinder", draft: ReviewDraft, shelf: Shelf) -> DraftCoverage:
    """Compare the citations in `draft` with `shelf` and the corpus."""
    ids = draft.cited_ids
    return DraftCoverage(
        uncited=tuple(paper_id for paper_id in shelf.inside if paper_id not in ids),
        off_shelf=tuple(paper_id for paper_id in ids if paper_id not in shelf.inside),
        lost=tuple(each for each, row in zip(ids, pf.corpus.papers.rows_of(ids), strict=True) if row < 0),
        n_without_citation=sum(not sentence.citations for sentence in draft.sentences),
    )


def papers_of(pf: "Pathfinder", paper_ids: Iterable[str]) -> list[Paper]:
    """Return those of the papers that are in the corpus, in the same order."""
    rows = [row for row in pf.corpus.papers.rows_of(list(paper_ids)) if row >= 0]
    return list(pf.corpus.papers.take(np.array(rows, dtype=np.int64)))


def citation_numbers(draft: ReviewDraft, shelf: Shelf) -> dict[str, int]:
    """Return the number by which citation marks refer to each paper, on the page as in the files: those cited come
    first, in the order of their first citation, then the others on the shelf that are not out.
    """
    ids = dict.fromkeys((*draft.cited_ids, *shelf.inside))
    return {paper_id: n for n, paper_id in enumerate(ids, start=1)}
