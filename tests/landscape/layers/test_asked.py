"""Layers asked of an open corpus."""

import json

import pytest

from pathfinder.building import build
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings

pytestmark = pytest.mark.build


def open_pf(folder, n_papers):
    lines = (
        json.dumps({"id": f"p{i}", "title": f"Stars with JWST {i}", "abstract": "Of stars.", "year": 2023})
        for i in range(n_papers)
    )
    (folder / "papers.jsonl").write_text("\n".join(lines))
    build([folder / "papers.jsonl"], folder / "corpus", HashEmbedder(16))
    return Pathfinder.open(folder / "corpus", settings=Settings(_env_file=None), embedder=HashEmbedder(16))


def test_a_corpus_without_a_map_has_no_layers_and_says_why(tmp_path):
    small = open_pf(tmp_path, 2)
    (only,) = small.layers()
    assert isinstance(only, UnavailableLayer)
    assert "a map needs at least" in only.reason
    assert small.layer("growth").reason == only.reason


def test_an_open_corpus_lists_its_layers_and_counts_those_that_are_asked_for(tmp_path):
    pf = open_pf(tmp_path, 12)
    offers = {offer.slug: offer for offer in pf.layers()}
    assert isinstance(offers["mission:jwst"], LayerInfo)
    assert offers["mission:jwst"].n_papers == 12
    assert offers["topics"].reason == "this corpus has no thesaurus: build with --thesaurus FILE"
    assert isinstance(pf.layer("mission:jwst"), Layer)
    assert isinstance(pf.layer("mission:jwst", years=(2024, None)), UnavailableLayer)
    with pytest.raises(UsageError, match=r"'weather'.*growth"):
        pf.layer("weather")


def test_every_layer_that_is_offered_can_be_drawn_or_says_why_not(tmp_path):
    pf = open_pf(tmp_path, 12)
    for offer in pf.layers():
        if isinstance(offer, LayerInfo) and not offer.choice:
            result = pf.layer(offer.slug)
            assert result.slug == offer.slug
            assert result.title == offer.title
