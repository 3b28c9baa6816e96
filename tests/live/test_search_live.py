"""Searches that also ask live sources: what they add, and that nothing changes where they add nothing."""

import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.open_corpus import SearchCache
from pathfinder.landscape.drawing.scene import hit_dots
from pathfinder.landscape.layers.own_papers import LIVE_TITLE
from pathfinder.landscape.projection.projection import place_papers
from pathfinder.models.ports import KeylessEmbedder
from pathfinder.operations.export.tables import hits_csv
from pathfinder.retrieval.explanation.comparison import compare
from pathfinder.types import LiveSource, Region, RetrievalMode, SearchRequest, StageOutcome
from pathfinder.ui.map import paper_panel
from pathfinder.ui.map.map_state import MapState
from pathfinder.ui.papers.paper_table import table_rows
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import Reply
from tests.sources.hosts.semantic_scholar_host import scholar_record, semantic_scholar
from tests.sources.live.live_hosts import ANSWERS

QUESTION = "What is the value of the Hubble constant?"
SCHOLAR = LiveSource.SEMANTIC_SCHOLAR
LENSES = scholar_record(
    1,
    title="The Hubble constant from time delays of lensed quasars",
    abstract="We measure the Hubble constant from time delays. Its value is 73.3 km/s/Mpc.",
)
CAKES = scholar_record(2, title="Cakes", abstract="We bake cakes of sugar and flour.")


def live(pathfinder, *sources, **fields):
    return pathfinder.search(QUESTION, live=sources or (SCHOLAR,), **fields)


def status_of(result):
    return {entry.name: (entry.status, entry.reason) for entry in result.stage_status if entry.name.startswith("live")}


@pytest.fixture
def scholar(with_hosts):
    """The golden corpus beside a Semantic Scholar with two papers that it lacks."""
    return with_hosts({SCHOLAR: semantic_scholar([LENSES, CAKES])})


def test_a_paper_that_the_corpus_lacks_is_ranked_with_the_others_and_says_where_it_is_from(scholar, pf):
    result = live(scholar, passages=True, titles=True)
    place = [hit.paper.paper_id for hit in result.hits].index("s2:1")
    hit = result.hits[place]
    assert place < 3
    assert (hit.live, hit.row) == ("Semantic Scholar", len(pf.corpus.papers))
    assert None not in (hit.score.dense, hit.score.sparse, hit.score.rerank, hit.outlier)
    assert hit.passages, "its passages were searched too"
    assert {other.live for other in result.hits} == {None, "Semantic Scholar"}
    assert result.assessment is not None
    assert status_of(result) == {"live semantic-scholar": (StageOutcome.RAN, None), "live": (StageOutcome.RAN, None)}


def test_without_the_key_of_the_embedder_its_papers_are_left_out_and_the_words_of_the_corpus_searched(scholar, pf):
    keyless = KeylessEmbedder(pf.embedder.name, pf.embedder.dimension, 256, "no key is set: set a key")
    without = Pathfinder(pf.corpus, keyless, pf.models.extractor, live=scholar.live)
    result = live(without)
    reason = "papers from live sources were left out: no key is set: set a key"
    assert status_of(result)["live"] == (StageOutcome.FAILED, reason)
    assert [hit.paper.paper_id for hit in result.hits] == [hit.paper.paper_id for hit in without.search(QUESTION).hits]


def test_an_answer_may_cite_it_and_other_weights_reorder_it_without_asking_again(scholar):
    result = live(scholar)
    answer = scholar.answer(result)
    assert "s2:1" in {paper_id for claim in answer.claims for paper_id in claim.citations}
    assert "73.3 km/s/Mpc" in answer.text
    again = scholar.reweigh(result, result.request.weighting)
    assert [hit.live for hit in again.hits] == [hit.live for hit in result.hits]


@pytest.mark.parametrize(
    "changes", [{"depth": 1}, {"decomposes": True}, {"sides": RetrievalMode.SPARSE}, {"year_from": 2020}]
)
def test_other_strategies_and_filters_hold_for_it_too(scholar, changes):
    result = scholar.search(SearchRequest(QUESTION, live=(SCHOLAR,), **changes))
    assert "s2:1" in [hit.paper.paper_id for hit in result.hits]


def test_a_filter_that_it_does_not_meet_leaves_it_out(scholar):
    assert {hit.live for hit in live(scholar, year_to=2020).hits} == {None}


# How a source fails otherwise is tested with `ask_side_by_side`.
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (as_json({}, 503), "Semantic Scholar answered HTTP 503"),
        (Reply(b'{"data": []}', n_bytes=4), "Semantic Scholar did not answer (5 s)"),
    ],
)
def test_a_source_that_fails_is_a_status_and_the_hits_are_those_of_a_search_without_it(with_hosts, pf, fault, reason):
    result, without = live(with_hosts({SCHOLAR: lambda request: fault})), pf.search(QUESTION)
    assert result.hits == without.hits
    assert np.array_equal(result.candidates.rows, without.candidates.rows)
    assert status_of(result)["live semantic-scholar"] == (StageOutcome.FAILED, reason)
    none = "no live source answered, so only the corpus was searched"
    assert status_of(result)["live"] == (StageOutcome.FAILED, none)


def test_a_paper_that_the_corpus_has_is_not_added_by_identifier_or_by_title(with_hosts, pf):
    identified = next(paper for paper in pf.corpus.papers if paper.doi)
    alike = next(paper for paper in pf.corpus.papers if paper.authors and paper.year and not paper.doi)
    known = {"year": alike.year, "authors": [{"name": alike.authors[0]}], "publicationDate": None, "externalIds": None}
    same = [
        scholar_record(3, title="Another title", externalIds={"DOI": identified.doi.upper()}),
        scholar_record(4, title=alike.title.upper(), **known),
    ]
    result = live(with_hosts({SCHOLAR: semantic_scholar(same)}))
    assert (result.hits, result.candidates.live) == (pf.search(QUESTION).hits, {})
    (words,) = [stage.ran for stage in result.stages if stage.name == "live"]
    assert words == "2 records, 0 papers that the corpus lacks"


def test_a_paper_of_several_sources_is_one_paper_that_names_them_all(with_hosts):
    record = scholar_record(1, externalIds={"ArXiv": "2601.00001"})
    hosts = {SCHOLAR: semantic_scholar([record]), LiveSource.ARXIV: ANSWERS[LiveSource.ARXIV]}
    result = live(with_hosts(hosts), SCHOLAR, LiveSource.ARXIV, top_k=30)
    assert sorted(result.candidates.live.values()) == ["Semantic Scholar, arXiv", "arXiv"]


def test_live_papers_of_two_searches_are_told_apart_when_they_are_compared(with_hosts):
    first, second = (scholar_record(n, title=f"{LENSES['title']} {n}", abstract=LENSES["abstract"]) for n in (1, 2))
    results = [live(with_hosts({SCHOLAR: semantic_scholar([record])})) for record in (first, second)]
    comparison = compare(*results)
    assert "s2:2" in [shift.paper.paper_id for shift in comparison.new]
    assert "s2:1" in [shift.paper.paper_id for shift in comparison.dropped_papers]


def test_nothing_live_is_kept_in_the_memory_of_searches(scholar):
    searches = SearchCache()
    live(scholar.with_searches(searches))
    assert len(searches) == 0


def test_a_paper_of_a_live_source_has_keywords_as_a_build_gives_them(scholar, pf):
    (paper,) = (hit.paper for hit in live(scholar).hits if hit.paper.paper_id == "s2:1")
    assert paper.keywords == pf.models.extractor.phrases(paper.text)
    assert "Hubble constant" in paper.keywords


def test_it_stands_on_the_map_between_the_papers_most_similar_to_it_and_is_marked(scholar, pf):
    result = live(scholar)
    (hit,) = (hit for hit in result.hits if hit.paper.paper_id == "s2:1")
    place = result.hits.index(hit)
    vector = result.candidates.vectors[result.candidates.rows.tolist().index(hit.row)]
    every = pf.corpus.dense.vectors(np.arange(len(pf.corpus.papers)))
    np.testing.assert_allclose(hit.place, place_papers(every, pf.corpus.coordinates, vector[None])[0], rtol=1e-4)
    dot = hit_dots(result.hits, pf.corpus.coordinates)[place]
    assert (dot.x, dot.y, dot.live) == (*hit.place, "Semantic Scholar")
    layer = scholar.found_layer(result)
    assert len(layer.marks) == len(result.hits)
    n_live = sum(hit.live is not None for hit in result.hits)
    assert [mark.row for mark in layer.marks if mark.title == LIVE_TITLE] == [None] * n_live
    assert any(note.startswith("papers from live sources, placed near") for note in layer.notes)


def test_a_region_of_the_map_holds_for_it_too(scholar):
    (hit,) = (hit for hit in live(scholar).hits if hit.paper.paper_id == "s2:1")
    x, y = hit.place
    around = Region(((x - 0.1, y - 0.1), (x + 0.1, y - 0.1), (x + 0.1, y + 0.1), (x - 0.1, y + 0.1)))
    assert "s2:1" in {hit.paper.paper_id for hit in live(scholar, region=around).hits}
    elsewhere = Region(((x + 98, y), (x + 99, y), (x + 99, y + 1)))
    assert live(scholar, region=elsewhere).hits == ()


def test_it_can_be_told_from_the_papers_of_the_corpus_in_the_table_and_in_a_file(scholar):
    result = live(scholar)
    rows = list(csv.DictReader(io.StringIO(hits_csv(result))))
    expected = [hit.live or "" for hit in result.hits]
    assert [row["live"] for row in rows] == expected
    assert [row["live"] or "" for row in table_rows(result, None)] == expected
    assert {"", "Semantic Scholar"} == set(expected)


def test_a_corpus_without_access_says_so(pf):
    bare = Pathfinder(pf.corpus, pf.embedder, pf.models.extractor)
    with pytest.raises(UsageError, match=r"Pathfinder\.open"):
        live(bare)


def test_the_large_map_shows_it_for_the_question_of_this_tab_only(scholar, monkeypatch):
    result = live(scholar)
    state = MapState(hits=tuple(hit.paper.paper_id for hit in result.hits), q=QUESTION)
    dots = {}
    for name, view in (("this tab", SimpleNamespace(result=result)), ("another", None)):
        monkeypatch.setattr(paper_panel.tab_state, "view", lambda view=view: view)
        dots[name] = paper_panel.dots(scholar, state)
    assert [dot.live for dot in dots["this tab"]] == [hit.live for hit in result.hits]
    assert {dot.live for dot in dots["another"]} == {None}


def test_as_of_a_year_later_papers_of_live_sources_are_left_out_and_counted(with_hosts):
    then = scholar_record(3, title="The Hubble constant", year=1990, publicationDate="1990-05-01")
    result = live(with_hosts({SCHOLAR: semantic_scholar([LENSES, then])}), as_of=1995)
    (hit,) = [hit for hit in result.hits if hit.live]
    assert (hit.paper.year, hit.paper.citation_count) == (1990, None)
    (summary,) = [stage.ran for stage in result.stages if stage.name == "live"]
    assert summary == "2 records, 1 paper that the corpus lacks; 1 paper left out (dated later or undated)"
