"""What is left of a corpus as of a year, with the sums done by hand."""

import datetime
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pathfinder.addons.capsules.archive import open_capsule
from pathfinder.addons.capsules.checks import Outcome, check_against
from pathfinder.building import build
from pathfinder.corpus.as_of import corpus_as_of, describe_as_of, still_later
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.open_corpus import MAX_YEARS, CorpusViews
from pathfinder.index.ports import Ranking
from pathfinder.index.predicate import Predicate
from pathfinder.index.sparse import SparseIndex, beside, write_sparse
from pathfinder.index.views import SelectedPapers, Selection
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings
from pathfinder.types import AsOf, Paper, SearchRequest
from tests.conftest import BuiltOnce
from tests.full_text_corpus import full_text_corpus

ROWS = [
    {"id": "later", "title": "Dust in galaxies", "abstract": "Dust.", "year": 2010, "references": ["a", "b", "c"]},
    {"id": "a", "title": "Dust", "abstract": "Dust in stars.", "year": 1990, "citation_count": 900},
    {"id": "b", "title": "Gas", "abstract": "Gas in stars.", "year": 2000, "references": ["a"], "citation_count": 800},
    {"id": "undated", "title": "Dust storms", "abstract": "Dust.", "references": ["a"]},
    {
        "id": "c",
        "title": "Dust and gas",
        "abstract": "Both in stars.",
        "date": "2000-06-01",
        "references": ["a", "b", "later", "doi:10.1/x"],
        "status": "retracted",
    },
]
"""Up to 2000: a, b and c. b and c cite a, c cites b, and c cites a paper of 2010."""


@pytest.fixture(scope="module")
def pf(built_once: BuiltOnce) -> Pathfinder:
    def fill(folder: Path) -> None:
        (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
        build([folder / "rows.jsonl"], folder / "corpus", HashEmbedder())

    folder = built_once("as-of-five", fill) / "corpus"
    return Pathfinder.open(folder, settings=Settings(_env_file=None), embedder=HashEmbedder())


def test_only_papers_dated_up_to_the_year_are_left_in_their_order(pf):
    corpus = pf.as_of(2000).corpus
    assert corpus.papers.paper_ids() == ("a", "b", "c")
    assert (corpus.snapshot, corpus.manifest.counts.papers, len(corpus.dense)) == (datetime.date(2000, 12, 31), 3, 3)
    assert corpus.name.version == f"{pf.corpus.name.version}@2000"


def test_citations_are_counted_among_these_papers(pf):
    corpus = pf.as_of(2000).corpus
    # b and c cite a; c cites b; the 900 and 800 of the source have no date.
    assert corpus.papers.citation_counts().tolist() == [2, 1, 0]
    # a is alone in 1990; of the two of 2000, both have no more citations than b, and one no more than c.
    assert corpus.papers.citation_percentiles().tolist() == [1.0, 1.0, 0.5]
    assert {paper.citations_from for paper in corpus.papers} == {"this corpus"}
    assert pf.as_of(1990).corpus.papers.citation_counts().tolist() == [0]


def test_a_later_paper_that_is_cited_counts_as_a_work_outside(pf):
    citations = pf.as_of(2000).citations_of("c")
    assert [paper.paper_id for paper in citations.references] == ["a", "b"]
    assert citations.outside == ("doi:10.1/x", "id:later")


def test_words_are_as_rare_as_among_these_papers(pf):
    # dust: later, a, undated and c; gas: b and c.
    assert pf.corpus.sparse.document_frequencies(["dust", "gas"]).tolist() == [4, 2]
    assert pf.as_of(2000).corpus.sparse.document_frequencies(["dust", "gas"]).tolist() == [2, 2]


def test_it_says_what_is_left_out_and_what_still_rests_on_the_whole_corpus(pf):
    corpus = pf.as_of(2000).corpus
    assert describe_as_of(corpus) == (
        "3 of 5 papers; left out: 1 dated later and 1 undated; only citations between these papers are counted"
    )
    assert "embedder, reranker and chat model (trained on later texts)" in still_later(corpus)
    assert "retractions (undated)" in still_later(corpus)
    summaries = "summaries (may have been written after the papers)"
    assert summaries not in still_later(corpus)
    counts = replace(corpus.manifest.counts, summaries=1)
    assert summaries in still_later(replace(corpus, manifest=replace(corpus.manifest, counts=counts)))
    result = pf.search("dust", as_of=2000)
    assert next(stage.ran for stage in result.stages if stage.name == "as of").startswith("2000: 3 of 5 papers")
    assert (result.request.as_of, result.request.today) == (2000, datetime.date(2000, 12, 31))


def test_without_references_no_citation_is_counted(other_pf):
    corpus = other_pf.as_of(2010).corpus
    assert np.isnan(corpus.papers.citation_counts()).all()
    assert "citations are not counted: without references, no citation has a date" in describe_as_of(corpus)


@pytest.mark.parametrize(
    ("year", "message"),
    [
        (1989, "as of 1989 there is nothing to search: the first paper in corpus is from 1990; choose that year or a "),
        (0, "as_of must be a whole year from 1 to 9999, got 0"),
        (True, "as_of must be a whole year from 1 to 9999, got True"),
        ("2000", "as_of must be a whole year from 1 to 9999, got '2000'"),
    ],
)
def test_a_year_that_is_none_or_before_the_first_paper_is_refused_with_a_way_out(pf, year, message):
    with pytest.raises(UsageError, match=message):
        pf.as_of(year)


def test_a_search_that_begins_after_the_year_is_refused():
    with pytest.raises(UsageError, match="as of 1990 there is nothing to search: the search begins in 2000"):
        SearchRequest("dust", year_from=2000, as_of=1990)


def test_the_year_leads_back_to_today_and_few_years_stay_open(pf):
    then = pf.as_of(2000)
    assert (then.year, then.as_of(None).corpus, pf.as_of(2000).corpus) == (2000, pf.corpus, then.corpus)
    for year in range(2001, 2001 + MAX_YEARS):
        pf.as_of(year)
    assert pf.as_of(2000).corpus is not then.corpus, "it was closed and is open again"


def test_a_year_that_is_open_is_read_while_another_is_being_opened(pf):
    views = CorpusViews(pf.corpus)
    first = views.as_of(2001, corpus_as_of)

    def reading_the_first(corpus: Corpus, year: int) -> Corpus:
        with ThreadPoolExecutor(1) as others:
            assert others.submit(views.as_of, 2001, corpus_as_of).result(timeout=60) is first
        return corpus_as_of(corpus, year)

    assert views.as_of(2002, reading_the_first).corpus.as_of.year == 2002
    assert views.as_of(2001, corpus_as_of) is first


def test_what_follows_from_a_result_is_as_of_its_year_too(pf):
    result = pf.search("dust", as_of=2000)
    assert {paper.paper.paper_id for paper in pf.network(result).papers} == {"a", "b", "c"}
    assert pf.of(result).corpus is pf.as_of(2000).corpus


def test_an_index_that_stores_scores_is_read_again(tmp_path):
    texts = ["dust and gas", "dust", "gas in stars", "stars"]
    write_sparse(texts, tmp_path / "all")
    write_sparse(texts[1:3], tmp_path / "some")
    counted, expected = SparseIndex.open(tmp_path / "all"), SparseIndex.open(tmp_path / "some")
    scored, rows = beside(counted, 2.0, texts, None), np.array([1, 2])
    for index in (counted, scored):
        some = index.only(rows, texts[1:3])
        for question in ("dust", "gas in stars", "nothing"):
            np.testing.assert_array_equal(some.search(question, 5).rows, expected.search(question, 5).rows)
            np.testing.assert_allclose(some.search(question, 5).scores, expected.search(question, 5).scores)


@pytest.mark.parametrize(
    ("paper", "is_in"),
    [
        (Paper("x", "", "", year=2000), True),
        (Paper("x", "", "", date=datetime.date(2000, 12, 31)), True),
        (Paper("x", "", "", year=2000, date=datetime.date(2001, 1, 1)), False),
        (Paper("x", "", "", year=2001), False),
        (Paper("x", "", ""), False),
    ],
)
def test_a_paper_of_a_live_source_must_be_known_to_be_dated_by_then(paper, is_in):
    assert AsOf(2000, np.arange(1), 1, 0, False).includes(paper) is is_in


@pytest.mark.build
def test_only_the_full_texts_of_these_papers_are_read_and_their_words_counted(tmp_path):
    folder = full_text_corpus(tmp_path)
    whole = Pathfinder.open(folder, settings=Settings(_env_file=None), embedder=HashEmbedder(384))
    then = whole.as_of(2001)
    passages, all_passages = then.corpus.full_texts, whole.corpus.full_texts
    assert (whole.full_texts.paper_ids, then.full_texts.paper_ids) == (("bare", "survey"), ("survey",))
    assert np.flatnonzero(passages.passage_counts).tolist() == [0]
    assert len(passages) == len(passages.words) == len(all_passages) - 1, "the undated paper has one passage"
    assert all_passages.words.document_frequencies(["compass"]).tolist() == [1]
    assert passages.words.document_frequencies(["compass"]).tolist() == [0]
    (hit,) = then.search("quokka on the dome floor").hits
    assert any("quokka" in passage.text for passage in hit.full_text)


def test_a_server_of_vectors_is_asked_for_the_papers_of_the_year():
    calls = []

    class Served:
        method, dimension = "served", 2

        def search(self, vector, n, predicate):
            calls.append((n, predicate))
            return Ranking(np.array([4, 1]), np.array([0.9, 0.5]))

    index = SelectedPapers(Served(), Selection(np.array([1, 4]), 2000, frozenset({"misdated"})))
    rows, scores = index.search(np.zeros(2, np.float32), 5, Predicate(year_to=1999, authors=("Riess",)))
    assert (rows.tolist(), scores.tolist()) == ([1, 0], [0.9, 0.5])
    assert calls == [(5, Predicate(year_to=1999, authors=("Riess",), excluded_ids=frozenset({"misdated"})))]
    index.search(np.zeros(2, np.float32), 5)
    assert calls[1][1].year_to == 2000


def test_a_capsule_keeps_the_year_and_is_checked_against_the_corpus_as_of_it(pf, tmp_path):
    path = tmp_path / "dust.pfz"
    path.write_bytes(pf.capsule(pf.search("dust", as_of=2000)))
    capsule = open_capsule(path)
    assert capsule.result.request.as_of == 2000
    assert [check.outcome for check in check_against(capsule, pf.corpus)] == [Outcome.HOLDS, Outcome.HOLDS]
