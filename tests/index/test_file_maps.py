import numpy as np
import pytest

from pathfinder.errors import CorpusError
from pathfinder.facade import Pathfinder
from pathfinder.index import file_maps
from pathfinder.index.dense import LARGE, DenseIndex, write_dense
from pathfinder.settings import Settings


def test_a_page_that_was_returned_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(file_maps, "LARGE_FILE", 1000)
    (tmp_path / "bytes").write_bytes(bytes(range(250)) * 40)
    array = np.frombuffer(file_maps.map_file(tmp_path / "bytes"), np.uint8)
    before = array.sum()
    file_maps.return_pages()
    assert array.sum() == before == 40 * sum(range(250))


def test_only_pages_of_large_files_are_returned(tmp_path, monkeypatch):
    monkeypatch.setattr(file_maps, "LARGE_FILE", 4)
    monkeypatch.setattr(file_maps, "_large", set())
    for content in (b"few", b"four"):
        (tmp_path / "bytes").write_bytes(content)
        file_maps.map_file(tmp_path / "bytes")
    assert [bytes(large) for large in file_maps._large] == [b"four"]


def test_returning_pages_changes_no_hit_and_no_score(pf, golden_corpus, monkeypatch):
    monkeypatch.setattr(file_maps, "LARGE_FILE", 1)
    reopened_pf = Pathfinder.open(golden_corpus, settings=Settings(_env_file=None))
    for question in ("What is the value of the Hubble constant?", "hot Jupiters"):
        reopened_pf.search(question)
        first, second = pf.search(question), reopened_pf.search(question)
        assert [hit.paper for hit in first.hits] == [hit.paper for hit in second.hits]
        assert first.candidates.rows.tolist() == second.candidates.rows.tolist()
        np.testing.assert_array_equal(first.candidates.vectors, second.candidates.vectors)
        assert [hit.score for hit in first.hits] == [hit.score for hit in second.hits]


def test_a_large_index_reads_the_vectors_that_were_written_and_nothing_behind_them(tmp_path, monkeypatch):
    monkeypatch.setattr(file_maps, "LARGE_FILE", 1000)
    # The step between two of 256 bytes from -0.5 to 0.5 is 1/255; a vector of steps comes back as it was.
    steps = np.random.default_rng(3).integers(-127, 128, size=(LARGE, 8))
    write_dense([(steps / 255).astype(np.float32)], 8, tmp_path / "vectors.faiss", limit=0.5)
    rows = np.array([0, 7, LARGE - 1])
    vectors = DenseIndex.open(tmp_path / "vectors.faiss").vectors(rows)
    np.testing.assert_allclose(vectors, steps[rows] / 255, atol=1e-6)
    with (tmp_path / "vectors.faiss").open("ab") as file:
        file.write(b"more")
    with pytest.raises(CorpusError, match="does not end with its vectors"):
        DenseIndex.open(tmp_path / "vectors.faiss")
