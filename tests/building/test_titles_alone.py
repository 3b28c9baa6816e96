"""Papers with only a title, from the build to the answer."""

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.facade import Pathfinder
from pathfinder.operations.info import corpus_record
from pathfinder.operations.search import search_record
from pathfinder.types import SearchRequest, Weighting
from tests.building.conftest import GALAXIES, PLANETS, WordByWord, WordsAsKeywords, write

pytestmark = pytest.mark.build

TITLES = [
    {"id": f"title-{word}", "title": f"The {word} of distant quasars"} for word in ("light", "mass", "age", "dust")
]


def open_built(tmp_path, *records):
    write(tmp_path / "papers.jsonl", *records)
    report = build([tmp_path / "papers.jsonl"], tmp_path / "corpus", WordByWord(), extractor=WordsAsKeywords())
    return report, Pathfinder.open(tmp_path / "corpus", embedder=WordByWord())


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return open_built(tmp_path_factory.mktemp("mixed"), GALAXIES, PLANETS, *TITLES)


def test_a_title_alone_is_indexed_counted_and_found(mixed):
    report, pf = mixed
    assert (report.n_new, report.n_rejected, report.n_without_abstract) == (6, 0, 4)
    assert corpus_record(pf.corpus, n_rejected=0, verified=False)["counts"]["without_abstract"] == 4
    result = pf.search(
        "mass of distant quasars", passages=True, titles=True, weighting=Weighting(position=1, diversity=1)
    )
    assert result.hits[0].paper.paper_id == "title-mass"
    assert result.hits[0].passages == ()
    assert np.isfinite([hit.score.final for hit in result.hits]).all()


def test_a_hit_says_whether_its_abstract_is_known_and_a_search_may_ask_for_one(mixed):
    _, pf = mixed
    hits = search_record(pf.search("quasars and young galaxies"))["hits"]
    assert {hit["paper_id"] for hit in hits if hit["has_abstract"]} == {"galaxies", "planets"}
    result = pf.search(SearchRequest("distant quasars", needs_abstract=True))
    assert {hit.paper.paper_id for hit in result.hits} == {"galaxies", "planets"}
    assert "4 papers without an abstract left out" in result.notes


def test_nothing_is_quoted_from_a_title_alone(tmp_path):
    _, pf = open_built(tmp_path, *TITLES)
    result = pf.search("mass of distant quasars")
    answer = pf.answer(result)
    assert answer.claims == ()
    assert answer.abstained
    assert "only the titles" in answer.text.casefold()


def test_similar_papers_are_found_for_a_title_alone(mixed):
    _, pf = mixed
    assert pf.similar("title-mass", top_k=1).hits[0].paper.paper_id.startswith("title-")
