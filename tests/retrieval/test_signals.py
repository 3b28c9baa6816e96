from types import SimpleNamespace

import numpy as np
import pytest

from pathfinder.retrieval.factors.own import coverage, diversity, position
from pathfinder.retrieval.lookup.passages import PassageSimilarity
from pathfinder.types import RetrievalMode

FIT = PassageSimilarity(
    n_papers=4,
    owners=np.array([0, 0, 0, 2, 3, 3]),
    places=np.array([7, 8, 9, 2, 4, 5]),
    cosines=np.array([0.1, 0.2, 0.6, 0.5, 0.3, 0.3]),
)
"""A paper whose third passage is the best, one of none, one of a single passage, and one of two equals."""


def of_fit(fit):
    return SimpleNamespace(fit=fit)


def of_words(question, rows, corpus):
    candidates = SimpleNamespace(rows=rows, sparse=np.zeros(len(rows)))
    return SimpleNamespace(query=question, candidates=candidates, corpus=corpus)


def test_the_place_of_the_best_passage_counts_from_none_off():
    # 1 / (1 + 0.1 * 2), nothing known, and 1 for the first; of equals the first counts.
    np.testing.assert_allclose(position(of_fit(FIT)), [1 / 1.2, np.nan, 1, 1])


def test_the_spread_of_the_passages_is_their_standard_deviation():
    # The mean of 0.1, 0.2 and 0.6 is 0.3: sqrt((0.04 + 0.01 + 0.09) / 3).
    np.testing.assert_allclose(diversity(of_fit(FIT)), [np.sqrt(0.14 / 3), np.nan, np.nan, 0], atol=1e-12)


def test_nothing_has_no_signals():
    empty = PassageSimilarity(0, np.array([], np.int64), np.array([], np.int64), np.array([]))
    assert (len(position(of_fit(empty))), len(diversity(of_fit(empty)))) == (0, 0)


def test_the_share_of_words_is_counted_in_stems(pf):
    rows = np.arange(len(pf.corpus.papers))
    shares = coverage(of_words("What are galaxies and zzyzx masers?", rows, pf.corpus))
    for paper, share in zip(pf.corpus.papers, shares, strict=True):
        # Three content words, one of which no paper has; whole words only, so no "extragalactic".
        words = set(paper.text.lower().replace(".", " ").replace(",", " ").split())
        expected = bool(words & {"galaxy", "galaxies"}) + bool(words & {"maser", "masers"})
        assert share == pytest.approx(expected / 3) or share > expected / 3
    assert shares.max() >= 1 / 3
    assert coverage(of_words("what is it", rows, pf.corpus)).tolist() == [0] * len(rows)


def test_signals_of_sides_that_were_not_looked_up_are_absent(pf):
    by_words = pf.search("Hubble constant", sides=RetrievalMode.SPARSE).candidates
    by_meaning = pf.search("Hubble constant", sides=RetrievalMode.DENSE).candidates
    assert (by_words.title_match, by_words.position, by_words.diversity) == (None, None, None)
    assert by_words.coverage is not None
    assert by_meaning.coverage is None
    assert all(signal is not None for signal in (by_meaning.title_match, by_meaning.position, by_meaning.diversity))
