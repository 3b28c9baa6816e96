import json

import numpy as np
import pytest

from pathfinder.index.postings import BLOCK, CountedPostings, ScoredPostings, decode, with_bridges, write_postings

K1, B = 1.2, 0.75


@pytest.mark.parametrize(
    "rows",
    [[0], [BLOCK - 1], [BLOCK], [3 * BLOCK + 5], [0, BLOCK], [7, BLOCK + 8], [1, 2, 2 * BLOCK + 1, 2 * BLOCK + 2], []],
)
def test_rows_come_back_whatever_the_gaps_between_them(rows):
    entries = with_bridges(np.array(rows, dtype=np.int64), np.ones(len(rows), dtype=np.uint8))
    assert decode(entries)[0].tolist() == rows


def test_a_gap_of_more_than_65536_rows_takes_an_entry_that_counts_nothing():
    entries = with_bridges(np.array([4, BLOCK + 5]), np.array([2, 3], dtype=np.uint8))
    assert entries.tolist() == [(4, 2), (4, 0), (5, 3)]


def test_papers_and_scores_follow_from_the_counts(tmp_path):
    # "dust" once in a paper of one word, and twice in a paper of three; the mean length is 2.
    words = {"dust": 0, "star": 1}
    assert write_postings([np.array([0]), np.array([0, 1, 0])], words, tmp_path) == 2
    postings = CountedPostings.open(tmp_path, K1, B).entries("dust")
    idf = np.log(1 + (2 - 2 + 0.5) / (2 + 0.5))
    scores = [idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2)), idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))]
    assert (postings.papers.tolist(), postings.scores.dtype) == ([0, 1], np.float32)
    assert postings.scores == pytest.approx(scores)
    # Three entries of three bytes.
    assert (tmp_path / "entries.bin").stat().st_size == 9
    unknown = CountedPostings.open(tmp_path, K1, B)
    assert (len(unknown.papers("comet")), len(unknown.entries("comet").scores)) == (0, 0)


def test_files_that_do_not_fit_each_other_are_refused(tmp_path):
    write_postings([np.array([0])], {"dust": 0}, tmp_path)
    (tmp_path / "vocabulary.json").write_text('{"dust": 0, "star": 1}')
    with pytest.raises(ValueError, match="does not match"):
        CountedPostings.open(tmp_path, K1, B)


def test_the_scores_of_earlier_corpora_are_read_as_they_are(tmp_path):
    (tmp_path / "vocab.index.json").write_text(json.dumps({"dust": 0, "star": 1}))
    arrays = {"indptr": [0, 1, 3], "indices": [4, 0, 2], "data": np.array([0.5, 0.25, 1], dtype=np.float32)}
    for name, values in arrays.items():
        np.save(tmp_path / f"{name}.csc.index.npy", np.array(values))
    postings = ScoredPostings.open(tmp_path)
    assert postings.papers("star").tolist() == [0, 2]
    assert postings.entries("star").scores.tolist() == [0.25, 1]
