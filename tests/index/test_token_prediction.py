import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.index.token_codecs import (
    Prediction,
    SmallTokens,
    blocks_of,
    codec_of,
    packaged_prediction,
    read_prediction,
    write_prediction,
)
from pathfinder.index.tokens import PROJECTION_FILE, TokenStore, encode, write_tokens

BOOKS = np.concatenate([np.eye(2, 4, dtype=np.float32), np.full((254, 4), 9, dtype=np.float32)])
PLAIN = Prediction(
    projection=np.eye(3, 4, dtype=np.float32),
    words=np.array([[0], [2]], dtype=np.int8),
    basis=np.array([[0, 0, 0.5, 0]], dtype=np.float32),
    paper=np.array([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=np.float32),
    books=BOOKS,
    n_blocks=2,
)


BOTH = np.array([1, 0, 0])
"""Rows of two papers, in another order, and one of them twice."""


class Papers:
    """Vectors of papers, by row."""

    def __init__(self, vectors):
        self._vectors = vectors

    def vectors(self, rows):
        return self._vectors[rows]


def test_a_token_is_what_its_word_and_its_paper_predict_plus_the_nearest_of_256_vectors_for_each_block():
    # The word 1 gives (0, 0, 2 * 0.5, 0), and the paper (0, 0, 0, 3). The rest, (0.9, 0.1, 0.2, -0.1), is nearest to
    # (1, 0) among the vectors of the first block, and to (0, 0) among those of the second.
    token = np.array([[0.9, 0.1, 1.2, 2.9]], dtype=np.float32)
    words, paper = np.array([1], dtype=np.int32), np.array([3, 0, 0], dtype=np.float32)
    codes = PLAIN.encode(token, words, paper)
    assert codes.tolist() == [[0, 0]]
    tokens = PLAIN.decode(codes, words, paper[np.newaxis], np.array([1]))
    assert tokens.tolist() == [[1.0, 0.0, 1.0, 3.0]]


def test_each_token_is_read_with_the_vector_of_its_own_paper():
    papers = np.array([[1, 0, 0], [2, 0, 0]], dtype=np.float32)
    codes, words = np.zeros((3, 2), dtype=np.uint8), np.zeros(3, dtype=np.int32)
    tokens = PLAIN.decode(codes, words, papers, np.array([1, 2]))
    assert tokens[:, 3].tolist() == [1.0, 2.0, 2.0]


def test_axes_that_do_not_divide_evenly_make_blocks_of_nearly_the_same_width():
    assert [(part.start, part.stop) for part in blocks_of(8, 3)] == [(0, 2), (2, 5), (5, 8)]


def test_what_is_written_can_be_read(tmp_path):
    write_prediction(PLAIN, tmp_path / "prediction.npz")
    prediction_read = read_prediction(tmp_path / "prediction.npz")
    for name in ("projection", "words", "basis", "paper", "books"):
        np.testing.assert_array_equal(getattr(prediction_read, name), getattr(PLAIN, name))
    assert prediction_read.n_blocks == 2


def random_tokens(n, dimension=384):
    vectors = np.random.default_rng(n).standard_normal((n, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def folder(tmp_path):
    """Small tokens of two papers, of three tokens and of none."""
    prediction = packaged_prediction()
    codec, papers = SmallTokens(prediction), random_tokens(2)
    ids, sentences = np.array([2000, 3000, 4000], dtype=np.int32), np.array([0, 1, 1], dtype=np.int32)
    records = [
        encode(random_tokens(n), ids[:n], sentences[:n], prediction.projection, papers[row], codec)
        for row, n in enumerate((3, 0))
    ]
    write_tokens(records, prediction.projection, tmp_path / "tokens", codec)
    return tmp_path / "tokens"


def test_a_small_token_takes_nine_bytes_with_its_word_and_a_sentence_one(folder):
    assert (folder / "tokens.bin").stat().st_size == 3 * (7 + 2)
    assert np.load(folder / "sentences.npy").tolist() == [1, 2]  # tokens in the title, and in the first sentence
    assert np.load(folder / "sentence_starts.npy").tolist() == [0, 2, 2]


def test_small_tokens_that_each_have_a_sentence_can_be_read(folder, tmp_path):
    store = TokenStore.open(folder, "small", Papers(random_tokens(2)))
    expected = store.gather(BOTH)
    each = b"".join(paper.tobytes() for paper in store.stored_tokens())
    for path in folder.glob("sentence*"):
        path.unlink()
    (folder / "tokens.bin").unlink()
    (folder / "tokens.bin").write_bytes(each)
    assert len(each) == 3 * (7 + 2 + 1)
    earlier = TokenStore.open(folder, "small", Papers(random_tokens(2)))
    write_tokens(earlier.stored_tokens(), earlier.projection, tmp_path / "again", earlier.codec)
    assert (tmp_path / "again" / "sentences.npy").exists()
    for token_store in (earlier, TokenStore.open(tmp_path / "again", "small", Papers(random_tokens(2)))):
        for tokens, expected_tokens in zip(token_store.gather(BOTH), expected, strict=True):
            np.testing.assert_array_equal(tokens, expected_tokens)


def test_a_sentence_without_a_token_keeps_its_number(tmp_path):
    prediction = packaged_prediction()
    codec, ids, paper = SmallTokens(prediction), np.array([2000, 3000], dtype=np.int32), random_tokens(1)
    record = encode(random_tokens(2), ids, np.array([1, 3], dtype=np.int32), prediction.projection, paper[0], codec)
    write_tokens([record], prediction.projection, tmp_path, codec)
    assert TokenStore.open(tmp_path, "small", Papers(paper)).gather(np.array([0])).sentences.tolist() == [1, 3]


def test_tokens_out_of_the_order_of_the_text_are_not_written(tmp_path):
    record = np.zeros(2, dtype=[("vector", "u1", (7,)), ("word", "<u2"), ("sentence", "u1")])
    record["sentence"] = [1, 0]
    prediction = packaged_prediction()
    with pytest.raises(ValueError, match="out of order"):
        write_tokens([record], prediction.projection, tmp_path, SmallTokens(prediction))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("sentences.npy", np.array([1, 1], dtype=np.uint8)),
        ("sentences.npy", np.array([1, 2], dtype=np.int64)),
        ("sentence_starts.npy", np.array([0, 1, 2], dtype=np.uint32)),
        ("sentence_starts.npy", np.array([0, 9, 2], dtype=np.uint32)),
        ("sentence_starts.npy", np.array([0, 2], dtype=np.uint32)),
    ],
)
def test_sentences_that_do_not_fit_the_tokens_are_refused(folder, name, array):
    np.save(folder / name, array)
    with pytest.raises(CorpusDamaged, match=r"its sentences do not match its tokens.*build the corpus again"):
        TokenStore.open(folder, "small")


def test_small_tokens_are_gathered_with_the_vectors_of_their_papers(folder):
    store = TokenStore.open(folder, "small", Papers(random_tokens(2)))
    tokens = store.gather(np.array([1, 0]))
    assert tokens.offsets.tolist() == [0, 0, 3]
    assert (tokens.vectors.shape, tokens.ids.tolist()) == ((3, 256), [2000, 3000, 4000])
    assert tokens.sentences.tolist() == [0, 1, 1]
    codes, words = store.tokens["vector"], store.tokens["word"].astype(np.int32)
    expected = packaged_prediction().decode(codes, words, random_tokens(2)[:1], np.array([3]))
    np.testing.assert_allclose(tokens.vectors, expected, atol=1e-6)


def test_without_the_vectors_of_their_papers_or_their_prediction_small_tokens_cannot_be_read(folder):
    store = TokenStore.open(folder, "small")
    assert [len(paper) for paper in store.stored_tokens()] == [3, 0]
    with pytest.raises(ValueError, match="the vectors of their papers"):
        store.gather(np.array([0]))
    projection = np.load(folder / PROJECTION_FILE)
    np.save(folder / PROJECTION_FILE, -projection)
    with pytest.raises(CorpusError, match="another version's prediction"):
        TokenStore.open(folder, "small")


def test_small_tokens_keep_as_many_as_full_tokens():
    assert codec_of("small", 256).room == codec_of("full", 256).room
