import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.index.token_codecs import MAX_BYTES, FullTokens, pack, unpack
from pathfinder.index.tokens import (
    TokenStore,
    encode,
    from_bytes,
    packaged_projection,
    project,
    to_bytes,
    write_tokens,
)

PROJECTION = np.eye(8, 4, dtype=np.float32)
FULL = FullTokens(4)
PAPER = np.zeros(8, dtype=np.float32)


def random_vectors(n, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 8)).astype(np.float32)


def ints(*values):
    return np.array(values, dtype=np.int32)


def paper(n, seed=0, first_id=2000):
    ids = np.arange(first_id, first_id + n, dtype=np.int32)
    return encode(random_vectors(n, seed), ids, ints(*[1] * n), PROJECTION, PAPER, FULL)


@pytest.fixture
def folder(tmp_path):
    write_tokens([paper(3, 1), paper(0), paper(5, 2, 3000)], PROJECTION, tmp_path / "tokens", FULL)
    return tmp_path / "tokens"


def test_vectors_come_back_projected_with_two_bits_a_coordinate(folder):
    vectors, ids, sentences = TokenStore.open(folder).vectors(0)
    projections = random_vectors(3, 1)[:, :4]
    assert (np.sign(vectors) == np.sign(projections)).all()
    # One standard deviation of a unit vector's coordinate is 1 / sqrt(4).
    assert np.unique(np.abs(vectors)) == pytest.approx([0.2264, 0.755])
    assert (ids.tolist(), sentences.tolist()) == ([2000, 2001, 2002], [1, 1, 1])
    assert (vectors.dtype, ids.dtype, sentences.dtype) == (np.float32, np.int32, np.int32)


def test_papers_are_gathered_in_the_order_that_is_asked_for(folder):
    store = TokenStore.open(folder)
    tokens = store.gather(np.array([2, 1, 0]))
    assert tokens.offsets.tolist() == [0, 5, 5, 8]
    assert tokens.ids.tolist() == [3000, 3001, 3002, 3003, 3004, 2000, 2001, 2002]
    np.testing.assert_array_equal(tokens.vectors[5:], store.vectors(0)[0])
    assert store.gather(np.array([], dtype=np.int64)).vectors.shape == (0, 4)


def test_a_question_is_projected_as_the_papers_were(folder):
    store = TokenStore.open(folder)
    assert (len(store), store.dimension) == (3, 8)
    projection, stored_vectors = store.project(random_vectors(3, 1)), store.vectors(0)[0]
    assert np.linalg.norm(projection, axis=1) == pytest.approx(1)
    assert (np.einsum("ij,ij->i", projection, stored_vectors) / np.linalg.norm(stored_vectors, axis=1) > 0.8).all()
    np.testing.assert_array_equal(project(np.zeros((1, 8), np.float32), PROJECTION), np.zeros((1, 4)))


def test_of_too_many_tokens_those_of_the_rarest_words_stay_and_the_titles_first():
    room = FullTokens(4).room
    # A title of two common words, then more words of an abstract than there is room for, the rarest first.
    ids = ints(1996, 1997, *range(2000 + room, 2000, -1))
    sentences = ints(0, 0, *[1] * room)
    record = encode(random_vectors(room + 2), ids, sentences, PROJECTION, PAPER, FULL)
    assert record["word"].tolist() == [1996, 1997, *range(2000 + room, 2002, -1)]


def test_sentences_behind_the_last_that_is_counted_are_counted_as_the_last():
    record = encode(random_vectors(2), ints(2000, 2001), ints(255, 300), PROJECTION, PAPER, FULL)
    assert record["sentence"].tolist() == [255, 255]


def test_a_paper_takes_at_most_16_kilobytes_all_told(tmp_path):
    projection = packaged_projection(384)
    vectors = np.random.default_rng(0).standard_normal((500, 384)).astype(np.float32)
    record = encode(
        vectors, np.arange(500, dtype=np.int32), np.ones(500, dtype=np.int32), projection, vectors[0], FullTokens(256)
    )
    assert FullTokens(256).room == 244  # (16384 - 8) / (64 + 2 + 1) = 244.4
    # The projection and the heads of the files are there once, whatever the number of papers.
    sizes = []
    for n_papers in (10, 20):
        write_tokens([record] * n_papers, projection, tmp_path / str(n_papers), FullTokens(256))
        sizes.append(sum(path.stat().st_size for path in (tmp_path / str(n_papers)).iterdir()))
    assert 0 < (sizes[1] - sizes[0]) / 10 <= MAX_BYTES
    assert sizes[0] - (sizes[1] - sizes[0]) < 210_000


def test_the_packaged_projection_is_for_the_local_model_only():
    projection = packaged_projection(384)
    assert (projection.dtype, len(projection)) == (np.float32, 384)
    assert packaged_projection(16) is None


def test_what_is_stored_can_be_written_again(folder, tmp_path):
    store = TokenStore.open(folder)
    write_tokens(store.stored_tokens(), store.projection, tmp_path / "again", store.codec)
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_record_of_the_journal_holds_a_paper():
    record = paper(3)
    np.testing.assert_array_equal(from_bytes(to_bytes(record), FULL), record)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("starts.npy", np.array([0, 3, 3, 7])),
        ("starts.npy", np.array([0, 9, 3, 8])),
        ("starts.npy", np.array([], dtype=np.int64)),
        ("starts.npy", np.array([0.0, 3, 3, 8])),
        ("projection.npy", np.ones((8, 3), dtype=np.float16)),
        ("projection.npy", np.ones(4, dtype=np.float16)),
        ("projection.npy", np.eye(8, 4)),
    ],
)
def test_files_that_do_not_fit_each_other_are_refused(folder, name, array):
    np.save(folder / name, array)
    with pytest.raises(CorpusDamaged, match="build the corpus again"):
        TokenStore.open(folder)


def test_a_truncated_file_of_tokens_is_named_with_the_remedy(folder):
    path = folder / "tokens.bin"
    path.write_bytes(path.read_bytes()[:-1])  # 8 tokens of 1 + 2 + 1 bytes, without the last byte
    with pytest.raises(CorpusDamaged, match=r"tokens\.bin.*31.*4"):
        TokenStore.open(folder)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(CorpusDamaged, match=r"its starts do not match its tokens.*build the corpus again"):
        TokenStore.open(folder)


def test_a_corpus_without_papers_has_no_tokens(tmp_path):
    write_tokens([], PROJECTION, tmp_path / "none", FULL)
    assert len(TokenStore.open(tmp_path / "none")) == 0


def test_four_coordinates_share_a_byte_and_the_first_has_its_lowest_bits():
    # In four dimensions a standard deviation is 1/2, so the outer levels begin at 0.4908.
    vectors = np.array([[-0.7, -0.1, 0.1, 0.7], [0.4, 0.6, -0.4, -0.6]], dtype=np.float32)
    assert pack(vectors).tolist() == [[0 + 1 * 4 + 2 * 16 + 3 * 64], [2 + 3 * 4 + 1 * 16 + 0 * 64]]
    np.testing.assert_allclose(
        unpack(pack(vectors)), [[-0.755, -0.2264, 0.2264, 0.755], [0.2264, 0.755, -0.2264, -0.755]]
    )


def test_what_comes_back_points_where_it_went_in():
    samples = np.random.default_rng(0).standard_normal((50, 256))
    vectors = (samples / np.linalg.norm(samples, axis=1, keepdims=True)).astype(np.float32)
    back = unpack(pack(vectors))
    cosines = np.einsum("ij,ij->i", vectors, back) / np.linalg.norm(back, axis=1)
    # The least squared error of four levels is 0.1175 of the variance: a cosine of sqrt(1 - 0.1175) = 0.939.
    assert abs(cosines.mean() - 0.939) < 0.01
    assert unpack(pack(np.zeros((0, 8), dtype=np.float32))).shape == (0, 8)
