"""Nothing that is dated later, or undated, changes anything that is shown as of a year."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathfinder.building import build
from pathfinder.facade import Pathfinder
from pathfinder.models.minilm import MiniLM
from pathfinder.settings import Settings
from pathfinder.types import Fusion, Preset, QueryExpansion, SearchRequest, Weighting
from tests.as_of import worlds
from tests.conftest import BuiltOnce

pytestmark = pytest.mark.build

QUESTIONS = (
    "What is the value of the Hubble constant?",
    "Does the universe expand?",
    "How do stars form?",
    "papers by Hubble since 1950",
    "recent work on galaxies",
)


@pytest.fixture(scope="module")
def corpora(built_once: BuiltOnce) -> Mapping[str, Pathfinder]:
    """Both corpora, which share what is fitted on the whole of the larger one."""

    def opened(name: str) -> Pathfinder:
        def fill(folder: Path) -> None:
            build([worlds.write(name, folder / "rows.jsonl")], folder / "corpus", MiniLM())

        folder = built_once(f"as-of-{name}", fill) / "corpus"
        return Pathfinder.open(folder, settings=Settings(_env_file=None))

    first = opened("first")
    return {"first": first, "alone": worlds.sharing_what_is_fitted(opened("alone"), first)}


@settings(max_examples=3)
@given(
    year=st.integers(1929, worlds.LAST),
    question=st.sampled_from(QUESTIONS),
    weighting=st.builds(
        Weighting,
        keywords=st.sampled_from([0.0, 0.5]),
        recency=st.sampled_from([0.0, 1.0]),
        citations=st.sampled_from([0.0, 1.0]),
        preset=st.sampled_from(Preset),
    ).flatmap(lambda weighting: st.sampled_from([weighting, weighting.with_strength("cited", 1.0)])),
    stages=st.fixed_dictionaries(
        {
            "passages": st.booleans(),
            "titles": st.booleans(),
            "fusion": st.sampled_from(Fusion),
            "imagine": st.sampled_from([QueryExpansion.OFF, QueryExpansion.FEEDBACK]),
            "cited_by_hits": st.booleans(),
            "reranker": st.sampled_from(["off", "local-always"]),
        }
    ),
)
def test_no_later_paper_changes_what_is_found_answered_or_counted(corpora, year, question, weighting, stages):
    request = SearchRequest(question, as_of=year, weighting=weighting, **stages)
    alone, first = (worlds.outputs(corpora[name].as_of(year), request) for name in ("alone", "first"))
    assert first == alone


def test_no_later_paper_changes_what_is_drawn_on_the_map(corpora):
    alone, first = (worlds.map_parts(corpora[name].as_of(1985)) for name in ("alone", "first"))
    for part, picture in alone.items():
        assert first[part] == picture, part


def test_as_of_the_last_year_a_corpus_without_later_papers_finds_the_same_with_the_same_scores(corpora):
    alone = corpora["alone"]
    for question in QUESTIONS[:3]:
        whole = alone.search(question, passages=True, titles=True)
        then = alone.search(question, passages=True, titles=True, as_of=worlds.LAST)
        assert [(hit.row, hit.score.final) for hit in then.hits] == [(hit.row, hit.score.final) for hit in whole.hits]


def test_the_later_papers_would_have_been_found(corpora):
    hit_ids = [hit.paper.paper_id for hit in corpora["first"].search(worlds.SHARED).hits]
    assert {"misdated", "undated"} < set(hit_ids)
    assert not {"misdated", "undated"} & set(corpora["first"].as_of(worlds.LAST).corpus.papers.paper_ids())
