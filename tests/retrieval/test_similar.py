"""Papers like papers, like a text, like these and unlike those, and near a place on the map."""

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.retrieval.likeness import normalise
from pathfinder.retrieval.similar import similar
from pathfinder.retrieval.weighting import contributions
from pathfinder.types import Likeness, RetrievalMode, SearchRequest, SearchResult, Weighting
from tests.retrieval.results import ids, ran

COSMOLOGY = ("riess-2022", "freedman-2001")


def abstract(pf: Pathfinder, paper_id: str) -> str:
    return pf.corpus.papers[pf.corpus.papers.paper_ids().index(paper_id)].abstract


# Bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "no examples were given"),
        ({"less": ("a",)}, "no examples were given"),
        ({"more": "riess-2022"}, "more must be a tuple of paper ids"),
        ({"more": ("a",), "less": "b"}, "less must be a tuple of paper ids"),
        ({"more": (1,)}, "more must be a tuple of paper ids"),
        ({"text": " \n"}, "the example text is empty"),
        ({"place": (1.0,)}, "a place on the map must be two numbers"),
        ({"place": (1.0, float("nan"))}, "a place on the map must be two numbers"),
        ({"more": ("a", "b"), "less": ("b",)}, "'b' cannot be in both more and less"),
    ],
)
def test_what_cannot_be_alike_is_refused(fields, reason) -> None:
    with pytest.raises(UsageError, match=reason):
        Likeness(**fields)


def test_a_paper_that_is_not_here_is_named(pf: Pathfinder) -> None:
    with pytest.raises(UsageError, match="'gone'"):
        pf.similar("riess-2022", "gone")
    with pytest.raises(UsageError, match="'gone'"):
        pf.similar("riess-2022", less=["gone"])


def test_words_alone_cannot_say_what_is_unlike_or_near(pf: Pathfinder) -> None:
    with pytest.raises(UsageError, match="search by meaning too"):
        pf.similar("riess-2022", less=["hubble-1929"], sides=RetrievalMode.SPARSE)
    with pytest.raises(UsageError, match="search by meaning too"):
        pf.similar(place=(0.0, 0.0), sides=RetrievalMode.SPARSE)


def test_a_place_needs_a_map(pf: Pathfinder) -> None:
    request = SearchRequest("near", likeness=Likeness(place=(0.0, 0.0)))
    with pytest.raises(UsageError, match="too small for a map"):
        similar(request, pf.corpus, pf.models)
    with pytest.raises(UsageError, match="set likeness"):
        similar(SearchRequest("near"), pf.corpus, pf.models)


def test_what_cancels_out_is_told() -> None:
    with pytest.raises(UsageError, match="cancel each other out"):
        normalise(np.zeros(3, dtype=np.float32))


# Papers -----------------------------------------------------------------------------------------------


def test_papers_like_a_paper_are_of_its_subject_and_do_not_hold_itself(pf: Pathfinder) -> None:
    result = pf.similar("riess-2022", top_k=3)
    assert {"freedman-2001", "planck-2018-vi"} <= set(ids(result))
    assert "riess-2022" not in [paper.paper_id for paper in result.candidates.papers]
    (note,) = result.notes
    assert note.startswith('left out because they are among your examples: "')
    assert result.request.query.startswith('like: "')


def test_the_direction_is_the_mean_of_the_alike_less_half_the_mean_of_the_unlike(pf: Pathfinder) -> None:
    result = pf.similar(*COSMOLOGY, less=["hubble-1929"], top_k=5)
    a, b, c = pf.corpus.dense.vectors(pf.corpus.papers.rows_of([*COSMOLOGY, "hubble-1929"])).astype(np.float64)
    direction = (a + b) / 2 - c / 2
    direction /= np.linalg.norm(direction)
    expected = np.clip(result.candidates.vectors @ direction, 0, 1)
    np.testing.assert_allclose(result.candidates.dense, expected, atol=1e-6)
    assert ran(result)["likeness"] == "like 2 papers, less 0.5 of 1 paper"
    assert ran(result)["sparse"] == "not used: words cannot be subtracted"
    assert not {*COSMOLOGY, "hubble-1929"} & {paper.paper_id for paper in result.candidates.papers}


def test_what_is_to_be_unlike_sinks(pf: Pathfinder) -> None:
    plain = pf.similar("riess-2022", top_k=30, sides=RetrievalMode.DENSE)
    unlike = ids(plain)[0]
    vector = pf.corpus.dense.vectors(pf.corpus.papers.rows_of([unlike]))[0]
    less = pf.similar("riess-2022", less=[unlike], top_k=30)

    def to_the_unlike(result: SearchResult) -> float:
        rows = [hit.row for hit in result.hits if hit.paper.paper_id != unlike][:12]
        return float((pf.corpus.dense.vectors(np.array(rows)) @ vector).mean())

    assert to_the_unlike(less) < to_the_unlike(plain)


# A text -----------------------------------------------------------------------------------------------


def test_a_pasted_abstract_finds_its_own_paper_first_in_a_search_and_never_as_similar(pf: Pathfinder) -> None:
    text = abstract(pf, "riess-2022")
    assert ids(pf.search(text))[0] == "riess-2022"
    result = pf.similar(text=f"  {text.upper()}\n", top_k=30)
    assert "riess-2022" not in ids(result)
    assert result.notes[-1].startswith("left out because they are among your examples")


def test_a_text_that_is_in_no_paper_leaves_none_out(pf: Pathfinder) -> None:
    result = pf.similar(text="The Hubble constant from the distances of Cepheids.", top_k=5)
    assert "freedman-2001" in ids(result)
    assert result.notes == ()
    assert result.request.query == "The Hubble constant from the distances of Cepheids."
    assert ran(result)["sparse"].startswith("BM25")


def test_words_alone_leave_the_texts_own_paper_out_too(pf: Pathfinder) -> None:
    result = pf.similar(text=abstract(pf, "riess-2022"), sides=RetrievalMode.SPARSE, top_k=3)
    assert "riess-2022" not in ids(result)
    assert result.hits[0].score.dense is None


def test_a_text_cut_short_is_said(pf: Pathfinder) -> None:
    notes = pf.similar(text="masers and quasars " * 500).notes
    assert any(note.startswith("the text is too long: only its first 256 tokens were embedded") for note in notes)


# A place ----------------------------------------------------------------------------------------------


def test_papers_near_a_place_come_by_their_distance_on_the_map(pf: Pathfinder) -> None:
    assert pf.landscape is not None
    coordinates = pf.landscape.coordinates
    x, y = map(float, coordinates[3])
    result = pf.similar(place=(x, y), top_k=5)
    distances = np.hypot(coordinates[:, 0] - x, coordinates[:, 1] - y)
    assert [hit.row for hit in result.hits] == np.argsort(distances, kind="stable")[:5].tolist()
    assert result.hits[0].score.fused == 1
    assert (result.hits[0].score.dense, result.hits[0].score.sparse) == (None, None)
    assert ran(result)["dense"] == "not used: no paper or text was given for the hits to resemble"
    assert result.request.query == f"near ({x:.2f}, {y:.2f}) on the map"


def test_a_place_with_a_paper_looks_for_it_in_the_neighbourhood(pf: Pathfinder) -> None:
    request = SearchRequest("x", likeness=Likeness(more=("riess-2022",), place=(0.0, 0.0)))
    n = len(pf.corpus.papers)
    # Nearest to the place lie the papers of the highest rows; the neighbourhood takes in all of so few.
    coordinates = np.stack([np.arange(n, 0, -1), np.zeros(n)], axis=1).astype(np.float32)
    result = similar(request, pf.corpus, pf.models, coordinates)
    assert ran(result)["place"] == f"the {n - 1} papers nearest on the map"
    assert ids(result)[0] in {"freedman-2001", "planck-2018-vi"}


# What every result has --------------------------------------------------------------------------------


def test_weights_filters_and_the_waterfall_work_as_in_a_search(pf: Pathfinder) -> None:
    result = pf.similar("riess-2022", year_from=2000, weighting=Weighting(keywords=1, recency=1), top_k=30)
    assert all(hit.paper.published and hit.paper.published.year >= 2000 for hit in result.hits)
    for hit in result.hits:
        parts = contributions(hit.score, result.request.weighting)
        assert sum(part.amount for part in parts) == pytest.approx(hit.score.final, abs=1e-9)
    again = pf.reweigh(result, Weighting())
    assert again.assessment is None
    assert ids(again) == ids(pf.similar("riess-2022", year_from=2000, top_k=30))


def test_a_place_can_be_weighed_too(pf: Pathfinder) -> None:
    result = pf.similar(place=(0.0, 0.0), weighting=Weighting(citations=1), top_k=30)
    assert np.isfinite([hit.score.final for hit in result.hits]).all()


def test_a_request_says_all_that_a_result_depends_on(pf: Pathfinder) -> None:
    result = pf.similar(*COSMOLOGY, less=["hubble-1929"], top_k=5)
    assert ids(pf.search(result.request)) == ids(result)


def test_keywords_are_those_of_what_was_given_less_the_dropped_and_with_ones_own(pf: Pathfinder) -> None:
    result = pf.similar("riess-2022")
    dropped = result.keywords[0].text
    changed = pf.similar("riess-2022", dropped_keywords=(dropped,), extra_keywords=("dust",))
    assert dropped not in [keyword.text for keyword in changed.keywords]
    assert changed.keywords[-1].is_given
