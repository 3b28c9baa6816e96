"""Papers related to a paper through shared references, or through papers that cite both."""

from math import sqrt
from pathlib import Path

import pyarrow as pa
import pytest

from pathfinder.corpus.network import CitationNetwork, open_network
from pathfinder.corpus.network.arrays import co_cited, coupled_papers
from pathfinder.corpus.network.writing import write_network
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.types import Paper

REFERENCES = (
    (),
    (),
    (),
    ("id:0", "id:1", "doi:10.1/x"),
    ("id:0", "id:1", "id:2"),
    ("id:2", "doi:10.1/x", "doi:10.1/y"),
)
"""References of six papers: 3 and 4 each cite both 0 and 1, and 3 and 5 share a work outside the corpus."""


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> CitationNetwork:
    folder: Path = tmp_path_factory.mktemp("relatives") / "network"
    papers = [Paper(str(number), "", "", references=references) for number, references in enumerate(REFERENCES)]
    write_network(pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA), folder)
    return open_network(folder)


def test_papers_cited_together_come_with_the_number_of_papers_that_cite_both(network: CitationNetwork) -> None:
    rows, n_shared, similarity = co_cited(network, 0)
    assert (rows.tolist(), n_shared.tolist()) == ([1, 2], [2, 1])
    assert similarity.tolist() == pytest.approx([2 / sqrt(2 * 2), 1 / sqrt(2 * 2)])


def test_coupled_papers_share_references_within_the_corpus_and_outside(network: CitationNetwork) -> None:
    rows, n_shared, similarity = coupled_papers(network, 3)
    assert (rows.tolist(), n_shared.tolist()) == ([4, 5], [2, 1])
    assert similarity.tolist() == pytest.approx([2 / sqrt(3 * 3), 1 / sqrt(3 * 3)])


def test_a_paper_that_nobody_cites_and_that_cites_nothing_has_no_relatives(network: CitationNetwork) -> None:
    assert co_cited(network, 5).rows.tolist() == []
    assert coupled_papers(network, 0).rows.tolist() == []
