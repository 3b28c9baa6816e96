"""The citation network: references are resolved by any identifier, counted, and stored by id if they lead outside."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.corpus.coverage import ReferenceCoverage, coverage
from pathfinder.corpus.network import CitationNetwork, open_network
from pathfinder.corpus.network.writing import has_references, work_key, write_network
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.errors import CorpusDamaged
from pathfinder.types import Paper

PAPERS = (
    Paper("old", "Old", "", year=1990, arxiv_id="astro-ph/9805201v2", doi="10.1/Old"),
    Paper("mid", "Mid", "", year=2000, bibcode="2000ApJ...500..100M", references=("doi:10.1/OLD", "doi:10.9/B")),
    Paper(
        "new",
        "New",
        "",
        year=2010,
        openalex_id="W3",
        pmid="33",
        references=(
            *("bibcode:1998astro.ph..5201R", "doi:10.1/old", "bibcode:2000ApJ...500..100M"),
            *("openalex:W3", "doi:10.9/a", "doi:10.9/b", "DOI:10.9/B"),
        ),
    ),
    Paper("last", "Last", "", references=("id:mid", "openalex:w3", "pmid:33", "arxiv:astro-ph/9805201v1")),
)
"""`new` cites `old` twice, by the bibcode of its preprint and by its DOI, and also itself; `last` has no year."""


def table_of(papers: tuple[Paper, ...]) -> pa.Table:
    table = pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA)
    return table.append_column("citation_percentile", pa.nulls(len(papers), pa.float64()))


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> CitationNetwork:
    folder = tmp_path_factory.mktemp("network") / "network"
    write_network(table_of(PAPERS), folder)
    return open_network(folder)


def test_references_are_resolved_by_every_identifier_and_each_work_counts_once(network: CitationNetwork) -> None:
    assert [network.references.of(row).tolist() for row in range(4)] == [[], [0], [0, 1], [0, 1, 2]]
    assert [network.citing.of(row).tolist() for row in range(4)] == [[1, 2, 3], [2, 3], [3], []]


def test_references_to_other_works_are_kept_by_id_once(network: CitationNetwork) -> None:
    assert network.works.to_pylist() == ["doi:10.9/a", "doi:10.9/B"]
    assert [network.outside_of(row) for row in range(4)] == [(), ("doi:10.9/B",), ("doi:10.9/a", "doi:10.9/B"), ()]


def test_a_paper_has_as_many_citations_as_papers_cite_it(network: CitationNetwork) -> None:
    assert network.citation_counts().tolist() == [3, 2, 1, 0]


def test_coverage_has_the_share_of_references_inside(network: CitationNetwork) -> None:
    assert coverage(PaperTable(table_of(PAPERS)), network).references == ReferenceCoverage(
        n_references=9, n_inside=6, share_inside=6 / 9, papers_with_references=3, papers_cited=3
    )


def test_papers_behind_those_of_the_network_cite_nothing_and_are_not_cited(network: CitationNetwork) -> None:
    longer = network.followed_by(2)
    assert len(longer) == 6
    assert longer.citation_counts().tolist() == [3, 2, 1, 0, 0, 0]
    assert [longer.references.of(row).tolist() for row in (3, 4, 5)] == [[0, 1, 2], [], []]
    assert longer.outside_of(5) == ()


def test_papers_without_references_make_no_network() -> None:
    assert not has_references(table_of((Paper("a", "A", ""),)))
    assert not has_references(table_of(()))


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("doi:10.48550/arXiv.2004.12832", "arxiv:2004.12832"),
        ("bibcode:2020arXiv200412832K", "arxiv:2004.12832"),
        ("bibcode:2013arXiv1312.1234S", "arxiv:1312.1234"),
        ("bibcode:1998astro.ph.12133P", "arxiv:astro-ph/9812133"),
        ("bibcode:1999hep.ph....5221C", "arxiv:hep-ph/9905221"),
        ("arXiv:2004.12832v3", "arxiv:2004.12832"),
        ("id:Paper:7", "id:Paper:7"),
        ("isbn:978-0", "isbn:978-0"),
    ],
)
def test_a_work_has_one_key_however_it_is_written(spelling: str, key: str) -> None:
    assert work_key(spelling) == key


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("cited.npy", np.array([0, 0, 1, 0, 1, 9], dtype=np.int32), "numbers outside 0..3"),
        ("cited_starts.npy", np.array([0, 3, 1, 3, 6]), "does not divide 6 entries"),
        ("citing_starts.npy", np.array([0, 6]), "do not belong to one network"),
        ("outside.npy", np.array([0.0, 1.0, 1.0]), "not int32"),
    ],
)
def test_an_altered_network_is_refused(tmp_path: Path, name: str, content: np.ndarray, why: str) -> None:
    write_network(table_of(PAPERS), tmp_path / "network")
    np.save(tmp_path / "network" / name, content)
    with pytest.raises(CorpusDamaged, match=why):
        open_network(tmp_path / "network")


def test_plain_records_name_works_by_scheme_or_by_id_of_a_paper() -> None:
    record = {"id": "a", "title": "A", "references": [12, "doi:10.1/x", "", "b"], "ref_bibcodes": ["2000ApJ...500..1A"]}
    assert tidy_paper(record).references == ("id:12", "doi:10.1/x", "id:b", "bibcode:2000ApJ...500..1A")
    assert tidy_paper({**record, "references": [{"key": "1"}], "ref_bibcodes": None}).references == ()
