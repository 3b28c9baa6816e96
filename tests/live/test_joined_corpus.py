"""A corpus with a few papers behind it: they are indexed as a build would index them."""

import numpy as np
import pytest

from pathfinder.facade.live import join
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.index.sparse import K1, B, beside, mean_length

N = 4


@pytest.fixture(scope="module")
def joined(pf, other_pf):
    """The golden corpus with the first papers of the other behind it."""
    papers = list(other_pf.corpus.papers[:N])
    return join(pf.corpus, papers, ["arXiv"] * N, pf.embedder)


@pytest.fixture(scope="module")
def rows(pf):
    return np.arange(len(pf.corpus.papers), len(pf.corpus.papers) + N)


def mix_rows(rows):
    """Rows of both parts in no order, and the same rows in the corpora that they come from."""
    return np.array([rows[1], 2, rows[0], 0, rows[3]]), np.array([1, 2, 0, 0, 3]), np.array([1, 0, 1, 0, 1], bool)


def vectors_of(mine, first, second):
    """Values of the first corpus and of the second in the order of `mixed`."""
    return np.stack([(second if is_second else first)[row] for row, is_second in zip(mine[1], mine[2], strict=True)])


@pytest.mark.parametrize("role", ["dense", "titles"])
def test_vectors_are_those_that_a_build_stores(joined, pf, other_pf, rows, role):
    mine = mix_rows(rows)
    first, second = (getattr(each.corpus, role).vectors(np.arange(N)) for each in (pf, other_pf))
    np.testing.assert_allclose(getattr(joined, role).vectors(mine[0]), vectors_of(mine, first, second), atol=0.03)


def test_tokens_are_those_that_a_build_stores(joined, pf, other_pf, rows):
    mixed_rows, places, is_second = mix_rows(rows)
    tokens = joined.tokens.gather(mixed_rows)
    for number, (place, second) in enumerate(zip(places, is_second, strict=True)):
        own_tokens = (other_pf if second else pf).corpus.tokens.gather(np.array([place]))
        own = slice(tokens.offsets[number], tokens.offsets[number + 1])
        assert tokens.ids[own].tolist() == own_tokens.ids.tolist()
        assert tokens.sentences[own].tolist() == own_tokens.sentences.tolist()


def test_passages_are_those_that_a_build_stores(joined, pf, other_pf, rows):
    mixed_rows, places, is_second = mix_rows(rows)
    positions, owners = joined.passages.places_of(mixed_rows)
    assert joined.passages.papers_of(positions).tolist() == mixed_rows[owners].tolist()
    spans = joined.passages.spans_at(positions)
    for number, (place, second) in enumerate(zip(places, is_second, strict=True)):
        index = (other_pf if second else pf).corpus.passages
        assert spans[owners == number].tolist() == index.spans_at(index.places_of(np.array([place]))[0]).tolist()


def test_every_index_finds_a_paper_behind_the_corpus(joined, rows):
    paper, vector = joined.papers[int(rows[2])], joined.dense.vectors(rows[2:3])[0]
    assert joined.dense.search(vector, 1).rows.tolist() == [rows[2]]
    assert joined.sparse.search(paper.title, 1).rows.tolist() == [rows[2]]
    title = joined.titles.vectors(rows[2:3])[0]
    assert joined.titles.search(title, 1).rows.tolist() == [rows[2]]
    assert rows[2] in joined.passages.papers_of(joined.passages.search(vector, 3).rows)


def test_filters_hold_for_both_parts(joined, rows, pf):
    own, other = joined.papers[0].paper_id, joined.papers[int(rows[0])].paper_id
    ranking = joined.dense.search(joined.dense.vectors(rows[:1])[0], 9, EVERY_PAPER.within([own, other]))
    assert ranking.rows.tolist() == [rows[0], 0]


def test_columns_of_both_parts_are_one(joined, pf, other_pf):
    for name in ("years", "published_days", "citation_counts", "has_abstract"):
        first, second = getattr(pf.corpus.papers, name)(), getattr(other_pf.corpus.papers, name)()[:N]
        np.testing.assert_array_equal(getattr(joined.papers, name)(), np.concatenate([first, second]))
    author = other_pf.corpus.papers[0].authors[0]
    mask = joined.papers.by_authors((author,)).mask
    assert mask[len(pf.corpus.papers)]
    assert np.isnan(joined.papers.citation_percentiles()[-1])


def test_a_word_behind_the_corpus_scores_as_bm25_says_with_the_mean_length_that_scores_imply(pf):
    corpus = pf.corpus
    length = mean_length(corpus.sparse, corpus.papers[:1])
    assert mean_length(corpus.sparse, corpus.papers[7:9]) == pytest.approx(length, rel=1e-4)
    index = beside(corpus.sparse, length, ["masers masers planets"], corpus.papers)
    (score,) = index.search("maser", 1).scores
    n = len(corpus.papers) + 1
    with_word = int(corpus.sparse.document_frequencies(["maser"])[0]) + 1
    rarity = np.log(1 + (n - with_word + 0.5) / (with_word + 0.5))
    assert score == pytest.approx(rarity * 2 / (2 + K1 * (1 - B + B * 3 / length)), rel=1e-5)


def test_keywords_are_those_of_the_source(joined, rows):
    has = joined.terms.has_keywords[rows[0]]
    assert has == bool(joined.papers[int(rows[0])].keywords or joined.papers[int(rows[0])].subjects)
