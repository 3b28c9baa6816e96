"""The works of a draft's bibliography in the corpus, and what of them is here to be read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log1p

from pathfinder.answering.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource
from pathfinder.corpus.merging.identifiers import name_key, title_key
from pathfinder.corpus.merging.rule import Finder
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import CorpusDamaged
from pathfinder.fulltext.document import Reference
from pathfinder.fulltext.passages import cut_full_text
from pathfinder.fulltext.store import FullTexts
from pathfinder.fulltext.trails import SHORTEST_TITLE, is_reference_to
from pathfinder.types import Paper, Source

FULL_TEXT, ABSTRACT, TITLE, NOTHING = "full text", "abstract", "title", "nothing"
MOST_PASSAGES = 4
"""Number of passages of a full text that are read for a claim."""


class Records:
    """Finds the papers of a corpus that entries of a bibliography stand for, by the rule for merging records."""

    def __init__(self, papers: PaperTable) -> None:
        self._finder = Finder()
        self._papers: dict[str, Paper] = {}
        self._titles: list[tuple[str, str, str]] = []
        for paper in papers:
            self._finder.add(paper, 0)
            self._papers[paper.paper_id] = paper
            surname = name_key(paper.authors[0]) if paper.authors else ""
            self._titles.append((paper.paper_id, title_key(paper.title).letters, surname))

    def of_entry(self, entry: Paper) -> Paper | None:
        """Return the paper that an entry of a BibTeX file stands for; `None` if the corpus lacks it."""
        found = self._finder.same(entry, 1) if entry.title else None
        return None if found is None else self._papers[found[0].paper_id]

    def of_reference(self, reference: Reference) -> Paper | None:
        """Return the paper that a typed entry stands for; `None` if the corpus lacks it."""
        key = title_key(reference.text)
        words = set(key.words)
        for paper_id, letters, surname in self._titles:
            may_be = (len(letters) >= SHORTEST_TITLE and letters in key.letters) or surname in words
            if (may_be or reference.doi or reference.arxiv_id) and is_reference_to(self._papers[paper_id], reference):
                return self._papers[paper_id]
        return None

    def corrections_of(self, paper: Paper) -> Iterator[Paper]:
        """Yield the papers whose title says that they correct `paper`."""
        letters = title_key(paper.title).letters
        for paper_id, title, _ in self._titles:
            if (
                title.endswith(letters)
                and title.removesuffix(letters) in _CORRECTIONS
                and len(letters) > SHORTEST_TITLE
            ):
                yield self._papers[paper_id]


_CORRECTIONS = frozenset(
    "erratum erratumto correction correctionto authorcorrection publishercorrection corrigendum corrigendumto "
    "addendum addendumto".split()
)
"""What comes before the title of the paper that is corrected, in letters alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A piece of a work that is here."""

    paper: Paper
    text: str
    place: str
    """ "abstract", or the section and page of the full text."""
    stems: frozenset[str]


@dataclass
class Library:
    """The texts of the works that a draft cites, cut into passages."""

    passages: Mapping[str, Sequence[Passage]]
    """Passages by paper id: title and abstract first, then those of the full text, in order."""
    unreadable: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, papers: Sequence[Paper], full_texts: FullTexts) -> "Library":
        """Read what the corpus has of `papers`."""
        unreadable: list[str] = []
        passages = {paper.paper_id: tuple(_passages(paper, full_texts, unreadable)) for paper in papers}
        return cls(passages, unreadable)

    def source_of(self, paper: Paper) -> str:
        """Return what there is of a paper: `FULL_TEXT`, `ABSTRACT` or `TITLE`."""
        if len(self.passages[paper.paper_id]) > 1:
            return FULL_TEXT
        return ABSTRACT if paper.has_abstract else TITLE

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Weight of each stem: the rarer it is among the passages, the more it says."""
        all_passages = [passage for own in self.passages.values() for passage in own]
        counts = Counter(stem for passage in all_passages for stem in passage.stems)
        return {stem: log1p(len(all_passages) / n) for stem, n in counts.items()}

    def closeness(self, stems: frozenset[str], passage: Passage) -> float:
        """Return the weighted share of a claim's stems that a passage has, in [0, 1]."""
        rarest = max(self.weights.values(), default=1.0)
        total = sum(self.weights.get(stem, rarest) for stem in stems)
        return sum(self.weights[stem] for stem in stems & passage.stems) / total if total else 0.0

    def nearest(self, claim: ParsedSentence, paper: Paper) -> list[Passage]:
        """Return the abstract of a paper and the passages of its full text that are closest to a claim."""
        abstract, *others = self.passages[paper.paper_id]
        best = sorted(others, key=lambda passage: -self.closeness(claim.stems, passage))[:MOST_PASSAGES]
        return [abstract, *best]

    def read(self, claim: ParsedSentence, paper: Paper) -> ParsedSource:
        """Return a paper as a source for a claim: its title, its abstract and its closest passages."""
        near = self.nearest(claim, paper)
        text = "\n\f\n".join(passage.text for passage in near if passage.text)
        byline = ", ".join([*paper.authors, str(paper.known_year or "")])
        return ParsedSource(Source(paper.paper_id, paper.title, text), byline)

    def place_of(self, paper: Paper, sentence: str) -> str:
        """Return where a sentence of a paper stands."""
        own = self.passages[paper.paper_id]
        return next((passage.place for passage in own if sentence in passage.text), "title")


def _passages(paper: Paper, full_texts: FullTexts, unreadable: list[str]) -> Iterator[Passage]:
    yield Passage(paper, paper.abstract, "abstract", ParsedSentence(paper.text).stems)
    if paper.paper_id not in full_texts.texts:
        return
    try:
        document = full_texts.document(paper.paper_id)
    except CorpusDamaged as error:
        unreadable.append(str(error))
        return
    for passage in cut_full_text(document, has_abstract=paper.has_abstract):
        yield Passage(paper, passage.text, passage.address, ParsedSentence(passage.text).stems)
