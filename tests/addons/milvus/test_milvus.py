"""What is asked of a Milvus server; `tests_engines` asks a real one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.addons.milvus.collection import COLLECTION, MilvusCollection, drop_unused, read_description
from pathfinder.addons.milvus.schema import expression
from pathfinder.addons.milvus.server import check_version
from pathfinder.addons.milvus.vectors import MilvusVectors, MilvusWords
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import EngineError, UsageError
from pathfinder.index.engines import ENGINES, Collection, open_vectors
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.text.strict_json import to_json
from pathfinder.types import Paper

PAPERS = (
    Paper("a", "One", "Text.", year=1998, journal="ApJ"),
    Paper("b", "Two", "", year=2005, journal="MNRAS"),
    Paper("c", "Three", "Text.", journal="MNRAS"),
    Paper("d", "Four", "Text.", year=2020, journal="MNRAS"),
)


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (EVERY_PAPER, ""),
        (Predicate(year_from=2005), "(year >= 2005)"),
        # A paper without a year is stored as -32768, which no filter on years admits.
        (Predicate(year_to=2005), "(year > -32768 and year <= 2005)"),
        (Predicate(has_abstract=True), "(has_abstract == true)"),
        (Predicate(venues=("ApJ",)), "(paper in [0])"),
        (Predicate(venues=("MNRAS",)), "(paper not in [0])"),
        (Predicate(ids=frozenset("bd"), year_from=2010), "(year >= 2010) and (paper in [1, 3])"),
        (Predicate(ids=frozenset()), "(paper in [])"),
    ],
)
def test_a_filter_is_said_in_the_servers_words(predicate: Predicate, expected: str) -> None:
    table = PaperTable(pa.Table.from_batches([batch_of(PAPERS)], schema=PAPER_SCHEMA))
    assert expression(predicate, len(table), table) == expected
    assert expression(Predicate(year_from=1900), 10**9, None) == "(year >= 1900)"  # which needs no columns


@pytest.mark.parametrize("address", ["http://user:secret@example.org:19530", "https://root:Milvus@example.org"])
def test_an_address_with_a_password_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(UsageError, match="set PATHFINDER_MILVUS_TOKEN") as error:
        Collection("milvus", address, "papers")
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("name", ["", "1st", "two words", "x; drop", "ä"])
def test_a_collection_has_a_plain_name(name: str) -> None:
    with pytest.raises(UsageError, match="use letters, digits and underscores"):
        Collection("milvus", "http://127.0.0.1:19530", name)


@pytest.mark.parametrize("version", ["v2.2.16", "1.1.1", "unknown"])
def test_a_server_that_is_too_old_is_named_with_the_version_that_is_needed(version: str) -> None:
    for new_enough in ("v2.3.5", "2.6.1", "3.0.0", "v2.3.5-lite"):
        check_version("http://127.0.0.1:9", new_enough)
    with pytest.raises(EngineError, match=rf"'{version}'.*2\.3"):
        check_version("http://127.0.0.1:9", version)


NOBODY_LISTENS = MilvusCollection(
    "milvus", 2, "http://127.0.0.1:9", "papers", "0" * 16, "papers", "a" * 64, 4, 4, 2, has_words=False
)


def test_a_collection_that_is_needed_is_never_dropped_at_another_address_of_its_server(tmp_path: Path) -> None:
    unused, needed = tmp_path / "unused.json", tmp_path / "needed.json"
    unused.write_text(to_json(COLLECTION, NOBODY_LISTENS), encoding="utf-8")
    needed.write_text(to_json(COLLECTION, replace(NOBODY_LISTENS, uri="http://localhost:9")), encoding="utf-8")
    # Dropping it would begin with a connection, which would fail.
    drop_unused([unused], [needed])


def test_the_file_of_an_earlier_version_names_the_same_engine_and_collection(tmp_path: Path) -> None:
    path = tmp_path / "dense.json"
    path.write_text(
        """{"engine": "milvus", "schema_version": 2, "uri": "http://127.0.0.1:9", "name": "papers",
        "owner": "0000000000000000", "what": "papers", "content_sha256": "aaaaaaaaaaaaaaaaaaaaaaaa", "n_vectors": 4,
        "n_papers": 4, "dimension": 2, "has_words": false}""",
        encoding="utf-8",
    )
    assert read_description(path).version_name == "papers_0000000000000000_2_papers_aaaaaaaaaaaaaaaa"
    with pytest.raises(EngineError, match=r"http://127\.0\.0\.1:9"):
        open_vectors(path)
    assert ENGINES.problems() == ()


class LostRows:
    """A server that has only row 0."""

    uri = "http://127.0.0.1:9"
    timeout = 20.0

    @contextmanager
    def answers(self) -> Iterator[None]:
        yield

    @property
    def client(self) -> "LostRows":
        return self

    def query(self, *_: object, **__: object) -> list[dict[str, object]]:
        return [{"row": 0, "vector": [1.0, 0.0]}]


def test_words_are_ranked_by_our_index_where_papers_have_keywords(tmp_path: Path) -> None:
    write_sparse(
        ["Quasars shine.", "Comets pass.", "Dust falls.", "Stars age."], tmp_path / "sparse", ["", "QSO", "", ""]
    )
    own = SparseIndex.open(tmp_path / "sparse")
    with_words = MilvusVectors(LostRows(), replace(NOBODY_LISTENS, has_words=True))
    ranked = MilvusWords(with_words, own)
    assert ranked.search("QSO", 4).rows.tolist() == [1]  # the server, which is not asked, knows no keyword
    assert ranked.has_keywords
    assert "has no field for keywords" in ranked.method()


def test_rows_that_the_server_has_lost_are_an_error_that_names_one() -> None:
    vectors = MilvusVectors(LostRows(), NOBODY_LISTENS)
    np.testing.assert_array_equal(vectors.vectors(np.array([0, 0])), [[1.0, 0.0], [1.0, 0.0]])
    with pytest.raises(EngineError, match=r"has lost 2 rows of .*, including row 2"):
        vectors.vectors(np.array([0, 2, 3]))
