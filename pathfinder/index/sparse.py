"""Papers by their words: BM25 over title and abstract (bm25s).

BM25 in Lucene's form with k1 = 1.2 and b = 0.75 (Robertson & Zaragoza 2009, doi:10.1561/1500000019;
Kamphuis et al. 2020, doi:10.1007/978-3-030-45442-5_4), over Snowball stems.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusError
from pathfinder.index.ports import NO_HITS, Allowed, Ranking, best
from pathfinder.index.words import (
    INDEX_STOP_WORDS,
    QUESTION_STOP_WORDS,
    STOP_WORDS_BY_LANGUAGE,
    count_stop_words,
    languages_of,
    stems,
    words,
)
from pathfinder.types import Expansion, Floats, Rows

K1, B = 1.2, 0.75
LANGUAGE_SAMPLE = 1000
"""How many papers the language of a corpus is told from."""

FOREIGN_WORDS = 2
"""Short words of another language that it takes to call a question foreign."""

EXPANSION_WEIGHT = 0.5
"""What another name of a term counts against the term itself."""

META_FILE = "words.json"


class SparseIndex:
    """A memory-mapped BM25 index; row i is paper i."""

    def __init__(self, bm25: Any, n_papers: int, language: str | None) -> None:
        self._bm25 = bm25
        self._n_papers = n_papers
        self.language = language
        """Of the corpus, such as "English"; `None` when it could not be told."""

    @classmethod
    def open(cls, folder: Path) -> "SparseIndex":
        try:
            meta = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
            n_papers, language = int(meta["n_papers"]), meta["language"]
            has_words = bool(meta["n_words"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{folder / META_FILE} cannot be read ({error}): build the corpus again") from error
        bm25 = bm25s.BM25.load(folder, mmap=True, allow_pickle=False, show_progress=False) if has_words else None
        return cls(bm25, n_papers, language)

    def __len__(self) -> int:
        return self._n_papers

    def content_words(self, text: str) -> tuple[str, ...]:
        """Stems of `text` less stop words, each once, in their order; also those that no paper has."""
        return tuple(self._distinct(text))

    def foreign_language(self, text: str) -> str | None:
        """The language of `text` if, as far as its words tell, the corpus is in another one.

        It takes two short words of another language, and more of them than words that the corpus knows:
        "AU Mic" is no French and "van der Waals forces" no Dutch. Kindred languages share their short
        words, so the name may be a choice: "French or Spanish".
        """
        languages = languages_of([text])
        if self.language is None or not languages or self.language in languages:
            return None
        n_foreign = count_stop_words(text, languages[0])
        n_known = int((self.document_frequencies(self._other_words(text, languages[0])) > 0).sum())
        return " or ".join(languages) if n_foreign >= FOREIGN_WORDS and n_foreign > n_known else None

    def _other_words(self, text: str, language: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(stems(words(text), QUESTION_STOP_WORDS | STOP_WORDS_BY_LANGUAGE[language])))

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        """In how many papers each stem occurs, shape (len(content_words),)."""
        if self._bm25 is None:
            return np.zeros(len(content_words), dtype=np.int64)
        starts = self._bm25.scores["indptr"]
        ids = (self._bm25.vocab_dict.get(word) for word in content_words)
        return np.array([0 if i is None else starts[i + 1] - starts[i] for i in ids], dtype=np.int64)

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        """Share of `content_words`, which are stems, that each paper of `rows` has: shape (len(rows),), [0, 1]."""
        n_found = np.zeros(len(rows))
        has_word = np.zeros(self._n_papers, dtype=np.bool_)
        for papers in self._postings(content_words):
            has_word[papers] = True
            n_found += has_word[rows]
            has_word[papers] = False
        return n_found / max(len(content_words), 1)

    def _postings(self, content_words: Sequence[str]) -> Iterator[NDArray[np.int32]]:
        """The papers of each stem that any paper has."""
        if self._bm25 is None:
            return
        starts, papers = self._bm25.scores["indptr"], self._bm25.scores["indices"]
        for word in content_words:
            if (i := self._bm25.vocab_dict.get(word)) is not None:
                yield papers[starts[i] : starts[i + 1]]

    def search(self, text: str, n: int, allowed: Allowed = None, expansions: Sequence[Expansion] = ()) -> Ranking:
        """See `WordIndex.search`. A word that is said twice in the question counts twice."""
        scores = self._scores(stems(words(text), QUESTION_STOP_WORDS))
        for expansion in expansions:
            scores = scores + self._gain(expansion)
        if allowed is not None:
            scores = np.where(allowed, scores, 0.0)
        rows = np.flatnonzero(scores > 0)
        return best(rows, scores[rows], n) if len(rows) else NO_HITS

    def _gain(self, expansion: Expansion) -> Floats:
        """What each paper gains by holding another name of a term in the term's place.

        Term and names count as one: half the score of the name that fits best, less what the term itself
        scored there. A name counts where all its words occur, and its best match for no more than half the
        term's, so that a rarer word for the same thing does not overtake the question's own.
        """
        own = self._scores(self._distinct(expansion.term))
        other = np.max([self._whole(name) for name in expansion.names], axis=0, initial=0.0)
        if 0 < own.max(initial=0.0) < other.max(initial=0.0):
            other = other * (own.max() / other.max())
        return np.asarray(np.maximum(EXPANSION_WEIGHT * other - own, 0.0))

    def _whole(self, name: str) -> Floats:
        """The score of `name` where all its words occur; 0 elsewhere."""
        scores = np.array([self._scores([stem]) for stem in self._distinct(name)]).reshape(-1, self._n_papers)
        return np.asarray(scores.sum(axis=0) * (scores > 0).all(axis=0))

    def _distinct(self, text: str) -> list[str]:
        return list(dict.fromkeys(stems(words(text), QUESTION_STOP_WORDS)))

    def _scores(self, question_stems: list[str]) -> Floats:
        known = [] if self._bm25 is None else self._bm25.get_tokens_ids(question_stems)
        if not known:
            return np.zeros(self._n_papers)
        return np.asarray(self._bm25.get_scores_from_ids(known), dtype=np.float64)


def write_sparse(texts: Iterable[str], folder: Path) -> None:
    """Write the index of `texts`, in their order, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    sample: list[str] = []
    vocabulary: dict[str, int] = {}
    token_ids = [_token_ids(text, vocabulary) for text in _sampled(texts, sample)]
    if vocabulary:
        bm25 = bm25s.BM25(k1=K1, b=B, method="lucene")
        bm25.index((token_ids, vocabulary), create_empty_token=False, show_progress=False)
        bm25.save(folder, show_progress=False)
    languages = languages_of(sample)
    language = languages[0] if len(languages) == 1 else None
    meta = {"n_papers": len(token_ids), "n_words": len(vocabulary), "language": language}
    (folder / META_FILE).write_text(json.dumps(meta), encoding="utf-8")


def _sampled(texts: Iterable[str], sample: list[str]) -> Iterable[str]:
    """Pass `texts` on and keep the first ones in `sample`."""
    stream = iter(texts)
    for text in islice(stream, LANGUAGE_SAMPLE):
        sample.append(text)
        yield text
    yield from stream


def _token_ids(text: str, vocabulary: dict[str, int]) -> NDArray[np.int32]:
    ids = [vocabulary.setdefault(stem, len(vocabulary)) for stem in stems(words(text), INDEX_STOP_WORDS)]
    return np.array(ids, dtype=np.int32)
