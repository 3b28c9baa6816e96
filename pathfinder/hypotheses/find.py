"""Finds the hypotheses of a corpus, or of a topic in it."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import UsageError
from pathfinder.hypotheses.concepts import MIN_PAPERS, Concepts, choose_concepts
from pathfinder.hypotheses.pairs import UnlinkedPairs, associations_of, rank_pairs, unlinked_pairs
from pathfinder.hypotheses.places import ConceptMap, concept_map
from pathfinder.hypotheses.statements import statement
from pathfinder.hypotheses.topic import MIN_AMONG, HypothesisTopic, concepts_of_topic
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.keywords import distinct
from pathfinder.landscape.statistics.significance import FDR
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Floats, Hypotheses, Hypothesis, LinkingConcept, LinkingPaper, Paper

Mask = NDArray[np.bool_]

MOST_EACH = 3
"""Maximum number of times that any one concept may occur in a list of hypotheses."""
MAX_LISTED = 200
N_LINKING = 5
"""Number of linking concepts that are shown with their papers."""
N_READ = 12
"""Maximum number of papers that are read to find a sentence with both concepts."""
N_STEM = 3
"""Number of letters at the beginning of each word in a term; only texts that contain all these beginnings are
lemmatised.
"""


def stream_hypotheses(
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
        rows = self.concepts.rows_with(by)
        return is_named_in((self.papers[row] for row in rows.tolist()), self.concepts.terms[concept])

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
        """Choose a paper with both concepts, preferring the newest."""
        rows = self.concepts.rows_with(side, middle)
        newest = rows[np.argsort(-np.nan_to_num(self.papers.years()[rows]), kind="stable")][:N_READ]
        terms = self.concepts.terms[side], self.concepts.terms[middle]
        return linking_paper((self.papers[row] for row in newest.tolist()), terms)


def linking_paper(papers: Iterable[Paper], terms: tuple[str, str]) -> LinkingPaper:
    """Choose the first of `papers` with a sentence that mentions both `terms`, each given as lemmas joined by spaces.

    Failing that, choose the first paper, with a sentence that mentions either term or else with its title. `papers`
    must not be empty.
    """
    read_papers = list(papers)
    best = (_best(paper, terms) for paper in read_papers)
    candidates = [(n, sentence, paper) for (n, sentence), paper in zip(best, read_papers, strict=True)]
    n, sentence, paper = max(candidates, key=lambda each: each[0] == len(terms))
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


def is_named_in(papers: Iterable[Paper], term: str) -> bool:
    """Return whether the title or the abstract of any of `papers` has the lemmas of `term` side by side."""
    # Finding lemmas takes a thousand times as long as looking for the beginnings of words, which lemmatisation hardly
    # changes.
    stems = [word[:N_STEM] for word in term.split()]
    texts = (f"{paper.title}\n{paper.abstract}" for paper in papers)
    likely = (text for text in texts if all(stem in text.casefold() for stem in stems))
    return any(_has_term(sentence, term) for text in likely for sentence in _sentences(text))


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))
