"""Works of the corpus that a draft does not cite, and may want to: close to a paragraph or to what the draft cites, or
cited by others together with it.

Four closenesses are added, each in standard deviations over the candidates: the cosine with the closest paragraph, the
mean cosine with the three closest works cited, and BM25 (Robertson and Zaragoza 2009) of the title for the three best
paragraphs and for the titles of the three best works cited; where the corpus knows references, half as much counts how
often others cite it with works of the draft.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathfinder.addons.audit.judging import WorkVectors
from pathfinder.addons.audit.outcome import DraftParagraph, Suggestion
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.corpus.store import Corpus

N_SUGGESTED = 50
"""Number of works that are suggested."""
N_NEAR = 300
"""Number of works that are considered for each paragraph and each work cited."""
BEST = 3
TOGETHER = 0.5
"""Weight of being cited together."""
SHORTEST = 150
"""Number of characters that a paragraph needs to be compared."""
_K1, _B = 1.2, 0.75

_Scores = NDArray[np.float64]


def suggestions(
    corpus: "Corpus",
    paragraphs: Sequence[DraftParagraph],
    plain: Sequence[str],
    cited: Mapping[str, Paper],
    works: WorkVectors,
    title: str,
    n: int = N_SUGGESTED,
) -> tuple[Suggestion, ...]:
    """Return the `n` works that come closest to a draft and are not among those it cites, best first.

    `plain` are its `paragraphs` without citations, and `cited` its works in the corpus, by paper id.
    """
    places = [place for place, text in enumerate(plain) if len(text) >= SHORTEST]
    if not places or not cited:
        return ()
    texts = [plain[place] for place in places]
    vectors = works.embedder.embed(texts, "document")
    own = np.stack([works.of[paper_id] for paper_id in cited])
    rows = _candidates(corpus, np.concatenate([vectors, own]), cited, title)
    titles = corpus.papers.take(rows).titles()
    paper_vectors = corpus.dense.vectors(rows)
    by_paragraph, by_work = vectors @ paper_vectors.T, own @ paper_vectors.T
    bm25 = Titles(titles)
    words_of_paragraphs = np.stack([bm25.scores(text) for text in texts])
    words_of_works = np.stack([bm25.scores(paper.title) for paper in cited.values()])
    together = _together(corpus, rows, cited)
    total = _standard(by_paragraph.max(axis=0)) + _standard(_best(by_work)) + TOGETHER * _standard(together)
    total += _standard(_best(words_of_paragraphs)) + _standard(_best(words_of_works))
    names = list(cited.values())
    chosen = np.argsort(-total, kind="stable")[:n].tolist()
    return tuple(
        Suggestion(
            paper,
            _reason(int(together[each]), names[int(by_work[:, each].argmax())]),
            paragraphs[place := places[int(by_paragraph[:, each].argmax())]].heading,
            place,
        )
        for each, paper in zip(chosen, corpus.papers.take(rows[chosen]), strict=True)
    )


def _reason(n_together: int, nearest: Paper) -> str:
    close = f"close to {nearest.paper_id}, “{nearest.title}”, which the draft cites"
    together = f"cited {n_together} times by papers of the corpus that cite works of the draft; "
    return f"{together}{close}" if n_together else close


def _candidates(
    corpus: "Corpus", vectors: NDArray[np.float32], cited: Mapping[str, Paper], title: str
) -> NDArray[np.int64]:
    near = [corpus.dense.search(vector, N_NEAR).rows for vector in vectors]
    own = corpus.papers.rows_of(list(cited))
    rows = np.setdiff1d(np.unique(np.concatenate(near)), own)
    plain = " ".join(words(title))
    itself = [" ".join(words(each)) == plain for each in corpus.papers.take(rows).titles()]
    return rows[~np.array(itself, dtype=np.bool_)]


def _together(corpus: "Corpus", rows: NDArray[np.int64], cited: Mapping[str, Paper]) -> _Scores:
    """Return how often papers of the corpus cite each candidate together with a work of the draft."""
    if corpus.network is None:
        return np.zeros(len(rows))
    citing = corpus.network.citing.of_all(corpus.papers.rows_of(list(cited)))
    counts = Counter(corpus.network.references.of_all(citing).tolist())
    return np.array([counts[row] for row in rows.tolist()], dtype=np.float64)


def _best(scores: NDArray[np.floating]) -> _Scores:
    best: _Scores = np.sort(scores, axis=0)[-BEST:].mean(axis=0).astype(np.float64)
    return best


def _standard(scores: NDArray[np.floating]) -> _Scores:
    spread = scores.std()
    return (scores - scores.mean()).astype(np.float64) / spread if spread else np.zeros(len(scores))


class Titles:
    """Titles, scored for a text by BM25."""

    def __init__(self, titles: Sequence[str]) -> None:
        counts = [Counter(_stems(title)) for title in titles]
        lengths = np.array([sum(each.values()) for each in counts], dtype=np.float64)
        norms = _K1 * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
        postings: dict[str, list[tuple[int, int]]] = {}
        for place, each in enumerate(counts):
            for stem, n in each.items():
                postings.setdefault(stem, []).append((place, n))
        self._n = len(titles)
        self._scores = dict(self._of_stem(stem, own, norms) for stem, own in postings.items())

    def _of_stem(
        self, stem: str, own: list[tuple[int, int]], norms: _Scores
    ) -> tuple[str, tuple[NDArray[np.int64], _Scores]]:
        places, counts = np.array(own, dtype=np.int64).T
        rarity = np.log1p((self._n - len(own) + 0.5) / (len(own) + 0.5))
        return stem, (places, rarity * counts * (_K1 + 1) / (counts + norms[places]))

    def scores(self, text: str) -> _Scores:
        """Return the score of each title."""
        scores = np.zeros(self._n)
        for stem in set(_stems(text)):
            if stem in self._scores:
                places, own = self._scores[stem]
                scores[places] += own
        return scores


def _stems(text: str) -> Iterator[str]:
    yield from stems(words(text), QUESTION_STOP_WORDS)
