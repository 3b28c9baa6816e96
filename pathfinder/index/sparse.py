"""Find papers by their words: BM25 over title and abstract, and over the keywords that a source gives for a paper.

BM25 in Lucene's form with k1 = 1.2 and b = 0.75 (Robertson & Zaragoza 2009, doi:10.1561/1500000019; Kamphuis et al.
2020, doi:10.1007/978-3-030-45442-5_4), applied to Snowball stems. The score of the keywords is added with a weight.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.index.ports import NO_HITS, Ranking, WordIndex, WordStatistics, best
from pathfinder.index.postings import (
    KEYWORDS,
    LENGTHS_FILE,
    VOCABULARY_FILE,
    CountedPostings,
    FieldedPostings,
    ScoredPostings,
    write_postings,
)
from pathfinder.index.predicate import EVERY_PAPER, Mask, PaperColumns, Predicate
from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, stems, words
from pathfinder.text.languages import count_stop_words, languages_of
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE
from pathfinder.text.strict_json import read_json
from pathfinder.types import Expansion, Floats, Paper, Rows

K1, B = 1.2, 0.75
KEYWORD_WEIGHT = 0.4
"""Weight of the score of a paper's keywords relative to that of its title and abstract (benchmarks/RETRIEVAL.md)."""

LANGUAGE_SAMPLE = 1000
"""Number of papers read to detect the language of a corpus."""

FOREIGN_WORDS = 2
"""Number of short words from another language that a question must contain to count as foreign."""

EXPANSION_WEIGHT = 0.5
"""Weight of a synonym relative to the term itself."""

META_FILE = "words.json"


@dataclass(frozen=True, slots=True)
class _Meta:
    n_papers: int
    n_words: int
    language: str | None
    n_keyword_words: int = 0
    """Number of distinct stems in the papers' keywords; 0 in corpora of earlier versions, which did not index them."""


_META = TypeAdapter(_Meta)


class SparseIndex:
    """A memory-mapped BM25 index; row i is paper i."""

    def __init__(
        self,
        postings: CountedPostings | FieldedPostings | ScoredPostings | None,
        n_papers: int,
        language: str | None,
        columns: PaperColumns | None = None,
    ) -> None:
        self._postings = postings
        self._columns = columns
        self._n_papers = n_papers
        self.language = language
        """Language of the corpus, such as "English"; `None` if it is unknown."""

    @classmethod
    def open(cls, folder: Path, columns: PaperColumns | None = None) -> "SparseIndex":
        """Open the index in `folder`; without the `columns` of its papers, searches cannot be filtered.

        Raises `CorpusError` unless the folder holds the files written by `write_sparse`.
        """
        meta = read_json(_META, folder / META_FILE)
        return cls(_postings(folder, meta), meta.n_papers, meta.language, columns)

    def __len__(self) -> int:
        return self._n_papers

    @property
    def has_keywords(self) -> bool:
        return isinstance(self._postings, FieldedPostings)

    def only(self, rows: Rows, texts: Iterable[str], columns: PaperColumns | None = None) -> "SparseIndex":
        """Return an index of only the papers at `rows` (ascending), as if it had been made from their `texts`.

        All words are read again if the index is from an earlier version, which stores scores instead of counts;
        otherwise, the texts serve only to detect the language.
        """
        sample: list[str] = []
        if isinstance(self._postings, ScoredPostings):
            vocabulary: dict[str, int] = {}
            papers = (_token_ids(text, vocabulary) for text in _keep_sample(texts, sample))
            return SparseIndex(CountedPostings.of(papers, vocabulary, K1, B), len(rows), _language(sample), columns)
        postings = None if self._postings is None else self._postings.only(rows, K1, B)
        return SparseIndex(postings, len(rows), _language(islice(texts, LANGUAGE_SAMPLE)), columns)

    def content_words(self, text: str) -> tuple[str, ...]:
        """Return the stems of `text` without stop words or duplicates, in order, including stems that no paper
        contains.
        """
        return tuple(self._distinct(text))

    def foreign_language(self, text: str) -> str | None:
        """Return the language of `text` if its words show that it differs from that of the corpus.

        This takes at least two short words from another language, and more of them than of words that occur in the
        corpus: "AU Mic" is not French and "van der Waals forces" is not Dutch. Related languages share short words, so
        the result may name two: "French or Spanish".
        """
        languages = languages_of([text])
        if self.language is None or not languages or self.language in languages:
            return None
        n_foreign = count_stop_words(text, languages[0])
        others = stems(words(text), QUESTION_STOP_WORDS | STOP_WORDS_BY_LANGUAGE[languages[0]])
        n_known = int((self.document_frequencies(list(dict.fromkeys(others))) > 0).sum())
        return " or ".join(languages) if n_foreign >= FOREIGN_WORDS and n_foreign > n_known else None

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of papers with each stem, shape (len(content_words),)."""
        if self._postings is None:
            return np.zeros(len(content_words), dtype=np.int64)
        return np.array([len(self._postings.papers(word)) for word in content_words], dtype=np.int64)

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        """Return the fraction of `content_words` (stems) in each of the papers at `rows`: shape (len(rows),), in [0,
        1].
        """
        n_found = np.zeros(len(rows))
        has_word = np.zeros(self._n_papers, dtype=np.bool_)
        for papers in map(self._postings.papers, content_words) if self._postings is not None else ():
            has_word[papers] = True
            n_found += has_word[rows]
            has_word[papers] = False
        return n_found / max(len(content_words), 1)

    def counts(self, content_words: Sequence[str], rows: Rows) -> tuple[Floats, Floats]:
        """Return how often each of the texts at `rows` (ascending) contains each of `content_words` (stems), shape
        (len(rows), len(content_words)), and the number of words in each text, shape (len(rows),).

        Raises `ValueError` for an index of version 0.1.0, which holds scores instead of counts.
        """
        counts, lengths = np.zeros((len(rows), len(content_words))), np.zeros(len(rows))
        postings = self._postings.texts if isinstance(self._postings, FieldedPostings) else self._postings
        if isinstance(postings, ScoredPostings):
            raise ValueError("an index of version 0.1.0 holds no counts: build it again")
        if postings is not None:
            lengths[:] = postings.lengths[rows]
            for column, stem in enumerate(content_words):
                with_stem, own = postings.postings_of(stem)
                sought = rows.astype(with_stem.dtype)  # or the longer array would be converted
                there = np.minimum(np.searchsorted(with_stem, sought), max(len(with_stem) - 1, 0))
                if len(with_stem):
                    counts[:, column] = np.where(with_stem[there] == sought, own[there], 0.0)
        return counts, lengths

    def method(self, expansions: Sequence[Expansion] = ()) -> str:
        keywords = f", keywords at {KEYWORD_WEIGHT:g}" if self.has_keywords else ""
        return f"BM25{keywords}, other names at {EXPANSION_WEIGHT:g}" if expansions else f"BM25{keywords}"

    def search(
        self, text: str, n: int, predicate: Predicate = EVERY_PAPER, expansions: Sequence[Expansion] = ()
    ) -> Ranking:
        """Search as described in `WordIndex.search`. A word that appears twice in the question counts twice."""
        scores = self._scores(stems(words(text), QUESTION_STOP_WORDS))
        for expansion in expansions:
            scores = scores + self._gain(expansion)
        return _rank(scores, predicate.mask(self._n_papers, self._columns), n)

    def search_beside(self, text: str, n: int, mask: Mask | None, papers: WordStatistics) -> Ranking:
        """Search texts that are parts of papers, with scores on the scale of `papers`: the rarity of a word is
        measured over all papers and parts together. The filter is a mask over the rows; `None` admits all.
        """
        scores = np.zeros(self._n_papers)
        question_stems = stems(words(text), QUESTION_STOP_WORDS)
        own, others = self.document_frequencies(question_stems), papers.document_frequencies(question_stems)
        together = rarity_of(own + others, self._n_papers + len(papers)) / rarity_of(own, self._n_papers)
        for stem, scale in zip(question_stems, together, strict=True):
            if self._postings is not None:
                entries = self._postings.entries(stem)
                scores[entries.papers] += scale * entries.scores
        return _rank(scores, mask, n)

    def _gain(self, expansion: Expansion) -> Floats:
        """Return how much each paper gains from containing a synonym instead of the term.

        The gain is half the score of the best-matching synonym, minus the score of the term itself, so that a term and
        its synonyms together count once. A synonym counts only in papers that contain all its words, and its best match
        scores at most half as much as the term's best match, so that a rarer word for the same thing does not outrank
        the question's own.
        """
        own = self._scores(self._distinct(expansion.term))
        other = np.max([self._whole(name) for name in expansion.names], axis=0, initial=0.0)
        if 0 < own.max(initial=0.0) < other.max(initial=0.0):
            other = other * (own.max() / other.max())
        return np.asarray(np.maximum(EXPANSION_WEIGHT * other - own, 0.0))

    def _whole(self, name: str) -> Floats:
        """Return the score of `name` for papers that contain all its words; 0 for the others."""
        scores = np.array([self._scores([stem]) for stem in self._distinct(name)]).reshape(-1, self._n_papers)
        return np.asarray(scores.sum(axis=0) * (scores > 0).all(axis=0))

    def _distinct(self, text: str) -> list[str]:
        return list(dict.fromkeys(stems(words(text), QUESTION_STOP_WORDS)))

    def _scores(self, question_stems: list[str]) -> Floats:
        """Sum the scores of the stems, shape (n_papers,), in single precision."""
        scores = np.zeros(self._n_papers, dtype=np.float32)
        if self._postings is not None:
            for stem in question_stems:
                entries = self._postings.entries(stem)
                scores[entries.papers] += entries.scores
        return scores.astype(np.float64)


def _rank(scores: Floats, mask: Mask | None, n: int) -> Ranking:
    if mask is not None:
        scores = np.where(mask, scores, 0.0)
    rows = np.flatnonzero(scores > 0)
    return best(rows, scores[rows], n) if len(rows) else NO_HITS


def rarity_of(frequencies: NDArray[np.int64], n_texts: int) -> Floats:
    """Return Lucene's inverse document frequency of each word; `frequencies` counts the texts that contain it."""
    return np.asarray(np.log1p((n_texts - frequencies + 0.5) / (frequencies + 0.5)))


def beside(index: WordIndex, mean_length: float, texts: Sequence[str], columns: PaperColumns) -> SparseIndex:
    """Index `texts` in memory, with scores on the scale of `index`, whose texts have `mean_length` stems on average."""
    counts = [Counter(stems(words(text), INDEX_STOP_WORDS)) for text in texts]
    vocabulary = {stem: place for place, stem in enumerate(dict.fromkeys(stem for own in counts for stem in own))}
    n_papers = np.array([sum(stem in own for own in counts) for stem in vocabulary], dtype=np.int64)
    frequencies = n_papers + index.document_frequencies([*vocabulary])
    rarity = rarity_of(frequencies, len(index) + len(texts))
    saturation = [K1 * (1 - B + B * own.total() / mean_length) for own in counts]
    entries = [
        (row, rarity[place] * own[stem] / (own[stem] + saturation[row]))
        for stem, place in vocabulary.items()
        for row, own in enumerate(counts)
        if stem in own
    ]
    rows, scores = (np.array(values) for values in zip(*entries, strict=True)) if entries else (np.empty(0),) * 2
    starts = np.concatenate([[0], np.cumsum(n_papers)]).astype(np.int32)
    postings = ScoredPostings(vocabulary, starts, rows.astype(np.int32), scores.astype(np.float32))
    return SparseIndex(postings, len(texts), index.language, columns)


def mean_length(index: WordIndex, papers: Iterable[Paper]) -> float | None:
    """Return the mean number of stems per text in `index`. The mean is not stored; it is computed from the score of a
    word in one of `papers`, a score that depends on no other unknown if the word is none of the paper's keywords.
    `None` if no paper has a word that the index scores.
    """
    for paper in papers:
        own = stems(words(paper.text), INDEX_STOP_WORDS)
        keywords = stems(words(keyword_text(paper.subjects)), INDEX_STOP_WORDS)
        for word in words(paper.text):
            stem = next(iter(index.content_words(word)), None)
            if stem is None or stem not in own or stem in keywords:
                continue
            score = index.search(word, 1, EVERY_PAPER.within([paper.paper_id])).scores
            if len(score):
                rarity = float(rarity_of(index.document_frequencies([stem]), len(index))[0])
                relative = (own.count(stem) * (rarity / float(score[0]) - 1) / K1 - 1 + B) / B
                return len(own) / float(relative)
    return None


def _postings(folder: Path, meta: _Meta) -> CountedPostings | FieldedPostings | ScoredPostings | None:
    """Open the postings in `folder`; in corpora built with version 0.1.0, these are bm25s's scores."""
    if not meta.n_words:
        return None
    if not (folder / VOCABULARY_FILE).exists():
        return ScoredPostings.open(folder)
    texts = CountedPostings.open(folder, K1, B)
    keywords = CountedPostings.open(folder, K1, B, KEYWORDS) if meta.n_keyword_words else None
    if any(len(field.lengths) != meta.n_papers for field in (texts, keywords) if field is not None):
        raise ValueError(f"{folder / LENGTHS_FILE} does not hold the lengths of {meta.n_papers} papers")
    return texts if keywords is None else FieldedPostings(texts, keywords, KEYWORD_WEIGHT)


def keyword_text(subjects: Iterable[str]) -> str:
    """Return the text in which the keywords of a paper are searched."""
    return "; ".join(subjects)


def write_sparse(texts: Iterable[str], folder: Path, keywords: Iterable[str] = ()) -> None:
    """Write the index of `texts`, in order, into `folder`, and of the `keywords` of each (see `keyword_text`)."""
    folder.mkdir(parents=True, exist_ok=True)
    sample: list[str] = []
    vocabulary: dict[str, int] = {}
    n_papers = write_postings(
        (_token_ids(text, vocabulary) for text in _keep_sample(texts, sample)), vocabulary, folder
    )
    keyword_vocabulary: dict[str, int] = {}
    if vocabulary:
        write_postings(
            (_token_ids(text, keyword_vocabulary) for text in keywords), keyword_vocabulary, folder, KEYWORDS
        )
    meta = _Meta(n_papers, len(vocabulary), _language(sample), len(keyword_vocabulary))
    (folder / META_FILE).write_text(json.dumps(asdict(meta)), encoding="utf-8")


def _language(sample: Iterable[str]) -> str | None:
    languages = languages_of(sample)
    return languages[0] if len(languages) == 1 else None


def _keep_sample(texts: Iterable[str], sample: list[str]) -> Iterable[str]:
    """Yield `texts` unchanged, keeping the first ones in `sample`."""
    stream = iter(texts)
    for text in islice(stream, LANGUAGE_SAMPLE):
        sample.append(text)
        yield text
    yield from stream


def _token_ids(text: str, vocabulary: dict[str, int]) -> NDArray[np.int32]:
    ids = [vocabulary.setdefault(stem, len(vocabulary)) for stem in stems(words(text), INDEX_STOP_WORDS)]
    return np.array(ids, dtype=np.int32)
