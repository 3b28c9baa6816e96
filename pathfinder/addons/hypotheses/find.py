"""Finds the hypotheses of a corpus, or of a topic in it."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import hypergeom

from pathfinder.addons.hypotheses.concepts import (
    MIN_AMONG,
    MIN_PAPERS,
    Concepts,
    HypothesisTopic,
    choose_concepts,
    concepts_of_topic,
    topic_of,
)
from pathfinder.addons.hypotheses.hypothesis import (
    MAX_LISTED,
    ConceptPlace,
    Hypotheses,
    Hypothesis,
    LinkingConcept,
    LinkingPaper,
)
from pathfinder.addons.hypotheses.statement import statement
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import UsageError
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.layer import Layer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import layer
from pathfinder.landscape.layers.bridges import BRIDGES
from pathfinder.landscape.layers.gaps import DistrictScores, score
from pathfinder.landscape.statistics.districts import too_few_papers
from pathfinder.landscape.statistics.keywords import distinct, name_districts
from pathfinder.landscape.statistics.significance import FDR, benjamini_hochberg
from pathfinder.llm.stopping import drain
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Floats, Paper, Rows, SearchResult

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


Mask = NDArray[np.bool_]

MOST_EACH = 3
"""Maximum number of times that any one concept may occur in a list of hypotheses."""
N_LINKING = 5
"""Number of linking concepts that are shown with their papers."""
N_READ = 12
"""Maximum number of papers that are read to find a sentence with both concepts."""
N_STEM = 3
"""Number of letters at the beginning of each word in a term; only texts that contain all these beginnings are
lemmatised.
"""


def find_hypotheses(
    pf: "Pathfinder", about: SearchResult | None = None, *, paper_ids: Sequence[str] = (), n: int = 20
) -> Hypotheses:
    """Find up to `n` (1 to 200) pairs of concepts that are never keywords of the same paper although they share
    more associated concepts than chance would explain; highest score first.

    No paper with one of the two among its keywords mentions the other in its title or abstract; papers with neither
    keyword, and full texts, are not read.

    The pairs come from the whole corpus, or include a concept from the best 50 matches of `about`, or from
    `paper_ids`. Raises `UsageError` if both are given, or if a paper is not in the corpus.
    """
    return drain(stream_hypotheses(pf, about, paper_ids=paper_ids, n=n))


def stream_hypotheses(
    pf: "Pathfinder", about: SearchResult | None = None, *, paper_ids: Sequence[str] = (), n: int = 20
) -> Generator[str, None, Hypotheses]:
    """Like `find_hypotheses`, but yield descriptions of its progress."""

    if about is not None and paper_ids:
        raise UsageError("hypotheses are about a question or about papers: give one or the other")
    own = pf if about is None else pf.of(about)
    papers, terms = own.corpus.papers, own.corpus.terms
    topic = topic_of(papers, about, paper_ids)
    return (yield from stream_among(papers, terms, own.map_data, topic, n))


def stream_among(
    papers: PaperTable, index: KeywordIndex, map_data: MapData | None, topic: HypothesisTopic | None, n: int
) -> Generator[str, None, Hypotheses]:
    """Yield descriptions of the progress, and return up to `n` hypotheses of the corpus, or of a topic in it.

    Raises `UsageError` unless `n` is from 1 to `MAX_LISTED`.
    """
    if not 1 <= n <= MAX_LISTED:
        raise UsageError(f"{n} hypotheses cannot be listed: ask for 1 to {MAX_LISTED}")
    yield "choosing concepts"
    concepts = choose_concepts(index, papers)
    yield f"comparing {len(concepts):,} concepts"
    pairs = unlinked_pairs(associations_of(concepts, len(papers)))
    is_of_topic = None if topic is None else concepts_of_topic(concepts, topic.rows)
    scores = np.where(pairs.q <= FDR, pairs.scores, np.nan)
    if is_of_topic is not None:
        scores[~(is_of_topic[pairs.first] | is_of_topic[pairs.second])] = np.nan
    yield "reading papers"
    search = _Search(papers, concepts, pairs)
    best = tuple(islice(search.pairs_without_mention(scores), n))
    yield "reading the map"
    concept_places, notes = concept_map(map_data) if best else (None, ())
    hypotheses = []
    for number, place in enumerate(best, start=1):
        yield f"choosing sentences: {number} of {len(best)}"
        hypotheses.append(search.hypothesis(place, is_of_topic, concept_places))
    n_of_topic = None if is_of_topic is None else int(is_of_topic.sum())
    return Hypotheses(
        None if topic is None else topic.name,
        len(papers),
        len(concepts),
        len(pairs),
        int((pairs.q <= FDR).sum()),
        tuple(hypotheses),
        (*notes, *(() if best else (_why_none(concepts, pairs, n_of_topic),))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Associations:
    """Pairs of concepts that occur together in more papers than chance would explain."""

    together: NDArray[np.int32]
    """Number of papers with both concepts, shape (n, n); on the diagonal, the number with that concept."""
    is_associated: NDArray[np.bool_]
    """Mask of the associated pairs, shape (n, n), symmetric."""
    is_comparable: NDArray[np.bool_]
    """Mask of the pairs that share no word, shape (n, n), symmetric."""

    @property
    def degrees(self) -> Rows:
        """Number of concepts associated with each, shape (n,)."""
        return np.asarray(self.is_associated.sum(axis=1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class UnlinkedPairs:
    """Pairs of concepts that are never keywords of the same paper, although at least one other concept is associated
    with both.
    """

    associations: Associations
    first: Rows
    second: Rows
    """Positions of the two concepts of each pair, shape (n,); `first` is the more frequent."""
    n_shared: Rows
    """Number of concepts associated with both, shape (n,)."""

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def q(self) -> Floats:
        """Lowest false discovery rate at which sharing so many concepts is significant, [0, 1], shape (n,).

        Exact hypergeometric test for each pair: as many concepts as are associated with the first one are drawn from
        all concepts, and those associated with the second are counted. Benjamini and Hochberg's method corrects for the
        number of pairs.
        """
        degrees = self.associations.degrees.astype(np.float64)
        first, second = degrees[self.first], degrees[self.second]
        p = hypergeom.sf(self.n_shared - 1, len(degrees), first, second)
        return benjamini_hochberg(p)

    @cached_property
    def scores(self) -> Floats:
        """Sum of `1 / log(degree)` over the shared concepts (Adamic & Adar 2003) times the logarithm of the product of
        the numbers of papers with each concept of the pair, shape (n,).

        A shared concept that is associated with few others counts more. Among the scores that
        `benchmarks/hypotheses.py` compares, this one did best in the years that were used to choose it.
        """
        n_of = np.diag(self.associations.together).astype(np.float64)
        closeness = adamic_adar(self.associations)[self.first, self.second]
        return np.asarray(closeness * np.log(n_of[self.first] * n_of[self.second]), dtype=np.float64)


def _why_none(concepts: Concepts, pairs: UnlinkedPairs, n_of_topic: int | None) -> str:
    if n_of_topic == 0:
        return (
            f"no concept that occurs in at least {MIN_AMONG} of these papers is more common among them than in the "
            "corpus: ask more broadly, or name more papers"
        )
    if not len(pairs):
        return (
            f"{len(concepts)} terms of several words occur in at least {MIN_PAPERS} papers, and no two of them that "
            "are never keywords of the same paper share a third one: a corpus needs some hundreds of papers; add more"
        )
    return "no two concepts that are never keywords of the same paper share more concepts than chance would explain"


@dataclass(frozen=True, eq=False)
class ConceptMap:
    """Regions and bridges of a map, as its layers of gaps and bridges show them."""

    map_data: MapData
    regions: DistrictScores
    bridges: frozenset[int]
    """Rows of the papers marked as bridges."""
    _names: dict[int, str] = field(default_factory=dict)

    def place_of(self, rows: Rows) -> ConceptPlace:
        """Find the region that contains the largest number of the papers at `rows`, which must not be empty."""
        n_in = np.bincount(self.regions.districts.of[rows], minlength=len(self.regions.districts))
        region = int(n_in.argmax())
        x, y = self.regions.districts.middles[region].tolist()
        return ConceptPlace(self._name(region), x, y, int(n_in[region]), bool(self.regions.is_gap[region]))

    def bridges_among(self, rows: Rows) -> tuple[Paper, ...]:
        """Return the papers among `rows` that are bridges."""
        return tuple(self.map_data.papers[row] for row in rows.tolist() if row in self.bridges)

    def _name(self, region: int) -> str:
        if region not in self._names:
            districts = self.regions.districts
            self._names[region] = name_districts(self.map_data, districts.of, len(districts), {region})[region]
        return self._names[region]


@dataclass(frozen=True, slots=True)
class _Search:
    """Concepts and their pairs, with the papers that are read for them."""

    papers: PaperTable
    concepts: Concepts
    pairs: UnlinkedPairs

    def pairs_without_mention(self, scores: Floats) -> Iterator[int]:
        """Yield the pairs that have a score, highest first, but leave out a pair if a paper that has one of the two
        concepts among its keywords mentions the other in its title or abstract.
        """
        for place in rank_pairs(self.pairs, np.nan_to_num(scores, nan=-np.inf), MOST_EACH):
            if np.isnan(scores[place]):
                return
            first, second = int(self.pairs.first[place]), int(self.pairs.second[place])
            if not (self._is_named(first, second) or self._is_named(second, first)):
                yield place

    def _is_named(self, concept: int, by: int) -> bool:
        """Return whether the title or the abstract of a paper with `by` has the lemmas of `concept` side by side."""
        term = self.concepts.terms[concept]
        # Finding lemmas takes a thousand times as long as looking for the beginnings of words, which lemmatisation
        # hardly changes.
        stems = [word[:N_STEM] for word in term.split()]
        papers = (self.papers[row] for row in self.concepts.rows_with(by).tolist())
        texts = (f"{paper.title}\n{paper.abstract}" for paper in papers)
        likely = (text for text in texts if all(stem in text.casefold() for stem in stems))
        return any(_has_term(sentence, term) for text in likely for sentence in _sentences(text))

    def hypothesis(self, place: int, is_of_topic: Mask | None, concept_places: ConceptMap | None) -> Hypothesis:
        """Describe a pair; a concept of the topic comes first."""
        first, second = int(self.pairs.first[place]), int(self.pairs.second[place])
        if is_of_topic is not None and not is_of_topic[first]:
            first, second = second, first
        concepts = self.concepts
        linking = tuple(self._linking(first, second))
        names = concepts.names[first], concepts.names[second]
        n_papers = int(concepts.n_papers[first]), int(concepts.n_papers[second])
        n_shared, q = int(self.pairs.n_shared[place]), float(self.pairs.q[place])
        rows = concepts.rows_with(first), concepts.rows_with(second)
        return Hypothesis(
            names,
            n_papers,
            n_shared,
            q,
            float(self.pairs.scores[place]),
            linking,
            statement(names, n_papers, n_shared, q, linking),
            None if concept_places is None else (concept_places.place_of(rows[0]), concept_places.place_of(rows[1])),
            () if concept_places is None else concept_places.bridges_among(np.union1d(*rows)),
        )

    def _linking(self, first: int, second: int) -> Iterator[LinkingConcept]:
        """Yield linking concepts with their papers, in decreasing order of the smaller of two numbers: the papers
        shared with the first concept of the pair, and those shared with the second.
        """
        associations, concepts = self.pairs.associations, self.concepts
        shared_concepts = np.flatnonzero(associations.is_associated[first] & associations.is_associated[second])
        n_papers = np.minimum(
            associations.together[first, shared_concepts], associations.together[second, shared_concepts]
        )
        order = shared_concepts[np.lexsort((associations.degrees[shared_concepts], -n_papers))]
        for middle in islice(distinct(order.tolist(), lambda place: concepts.terms[place].split()), N_LINKING):
            n_with = int(associations.together[first, middle]), int(associations.together[second, middle])
            sides = self._side(first, middle), self._side(second, middle)
            yield LinkingConcept(concepts.names[middle], n_with, sides)

    def _side(self, side: int, middle: int) -> LinkingPaper:
        """Choose the newest of the papers with both concepts that has a sentence that mentions both.

        Failing that, choose the newest paper, with a sentence that mentions either concept or else with its title.
        """
        rows = self.concepts.rows_with(side, middle)
        newest = rows[np.argsort(-np.nan_to_num(self.papers.years()[rows]), kind="stable")][:N_READ]
        terms = self.concepts.terms[side], self.concepts.terms[middle]
        read = [(*_best(paper, terms), paper) for paper in (self.papers[row] for row in newest.tolist())]
        n, sentence, paper = max(read, key=lambda each: each[0] == len(terms))
        return LinkingPaper(paper, sentence, n == len(terms))


def _best(paper: Paper, terms: tuple[str, str]) -> tuple[int, str]:
    """Return the sentence that mentions the largest number of `terms`, and that number; the title comes after the
    abstract.
    """
    counts = [
        (sum(_has_term(sentence, term) for term in terms), sentence)
        for sentence in (*_sentences(paper.abstract), paper.title)
    ]
    n, sentence = max(counts, key=lambda each: each[0])
    return (n, sentence) if n else (0, paper.title)


def _has_term(text: str, term: str) -> bool:
    """Return whether `text` has the lemmas of `term` side by side."""
    return f" {term} " in f" {' '.join(lemmas(text))} "


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))


# Pairs of concepts that are never keywords of the same paper, and what links them (Swanson 1986).

MIN_TOGETHER = 2
"""Minimum number of papers in which two associated concepts occur together."""


def associations_of(concepts: Concepts, n_papers: int) -> Associations:
    """Test every pair of concepts that share no word: they are associated if at least `MIN_TOGETHER` of the `n_papers`
    papers have both, and more than chance would explain (exact hypergeometric test, false discovery rate 5%).
    """
    together = (concepts.papers.T @ concepts.papers).toarray()
    is_comparable = ~_shares_a_word(concepts)
    first, second = np.nonzero(np.triu(is_comparable & (together > 0), 1))
    n_of = np.diag(together).astype(np.float64)
    both = together[first, second]
    q = benjamini_hochberg(hypergeom.sf(both - 1, n_papers, n_of[first], n_of[second]))
    is_one = (q <= FDR) & (both >= MIN_TOGETHER)
    is_associated = np.zeros(together.shape, dtype=np.bool_)
    is_associated[first[is_one], second[is_one]] = is_associated[second[is_one], first[is_one]] = True
    return Associations(together, is_associated, is_comparable)


def _shares_a_word(concepts: Concepts) -> NDArray[np.bool_]:
    """Return a mask of the pairs of concepts with a lemma in common; each concept shares its lemmas with itself."""
    numbers: dict[str, int] = {}
    words = [
        (row, numbers.setdefault(lemma, len(numbers)))
        for row, term in enumerate(concepts.terms)
        for lemma in set(term.split())
    ]
    rows, columns = (np.array([pair[side] for pair in words], dtype=np.int64) for side in (0, 1))
    has_word = csr_array((np.ones(len(words), dtype=np.int32), (rows, columns)), shape=(len(concepts), len(numbers)))
    return np.asarray((has_word @ has_word.T).toarray() > 0)


def adamic_adar(associations: Associations) -> NDArray[np.float32]:
    """Return the sum of `1 / log(degree)` over the shared concepts of every pair, shape (n, n)."""
    links = associations.is_associated.astype(np.float32)
    # A concept that is shared has a degree of at least 2.
    weights = 1 / np.log(np.maximum(associations.degrees, 2))
    return np.asarray((links * weights.astype(np.float32)) @ links, dtype=np.float32)


def unlinked_pairs(associations: Associations) -> UnlinkedPairs:
    """List the pairs of concepts that are never keywords of the same paper and share no word, although at least one
    other concept is associated with both.
    """
    links = associations.is_associated.astype(np.float32)
    n_shared = np.rint(links @ links).astype(np.int64)
    is_open = associations.is_comparable & (associations.together == 0) & (n_shared > 0)
    first, second = np.nonzero(np.triu(is_open, 1))
    return UnlinkedPairs(associations, first, second, n_shared[first, second])


def rank_pairs(pairs: UnlinkedPairs, scores: Floats, most_each: int) -> Iterator[int]:
    """Yield the places of the pairs, highest score first; each concept occurs at most `most_each` times."""
    n_of = np.zeros(len(pairs.associations.together), dtype=np.int64)
    for place in np.lexsort((pairs.second, pairs.first, -scores)):
        concepts = [pairs.first[place], pairs.second[place]]
        if (n_of[concepts] < most_each).all():
            n_of[concepts] += 1
            yield int(place)


# Places of concepts on the map: the region with the largest number of their papers, whether it is a gap, and the
# bridges among their papers.


def concept_map(map_data: MapData | None) -> tuple[ConceptMap | None, tuple[str, ...]]:
    """Read the regions and bridges of a map, with notes that say why any are missing."""
    if map_data is None:
        return None, ("this corpus has no map, so the list does not say where the concepts lie",)
    if reason := too_few_papers(map_data):
        return None, (reason,)
    bridges = layer(map_data, BRIDGES.slug)
    rows = [mark.row for mark in bridges.marks if mark.row is not None] if isinstance(bridges, Layer) else []
    notes = () if isinstance(bridges, Layer) else (f"no bridges: {bridges.reason}",)
    return ConceptMap(map_data, score(map_data), frozenset(rows)), notes
