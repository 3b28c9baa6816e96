import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import LayerInfo
from pathfinder.landscape.layers.base import layer, list_layers
from tests.features.planted import dictionary
from tests.landscape.planted import HERE, HERE_CELL, around, map_data, plain, scatter

N, N_HERE = 2400, 40


def planted_map(**fields):
    places = np.concatenate([scatter(N), around(HERE, N_HERE)])
    return map_data(plain(N + N_HERE, year=2023), places, **fields)


def features(name="sea ice / melt ponds"):
    return dictionary({name: [0.0] * N + [0.5] * N_HERE})


def test_a_feature_is_shown_where_its_papers_were_planted_and_nowhere_else():
    layer_here = layer(planted_map(features=features()), "feature:melt ponds")
    assert layer_here.slug == "feature:sea ice / melt ponds"
    assert np.flatnonzero(~np.isnan(layer_here.heatmaps[0].values)).tolist() == [HERE_CELL]
    assert "40 of 2,440 papers" in layer_here.description
    assert "AUC of 0.90" in layer_here.description
    assert [(mark.label, mark.row) for mark in layer_here.marks[:2]] == [("1", N), ("2", N + 1)]
    assert len(layer_here.marks) == 10


def test_named_features_are_listed_with_their_number_of_papers():
    (info,) = (each for each in list_layers(planted_map(features=features())) if each.slug.startswith("feature"))
    assert isinstance(info, LayerInfo)
    assert (info.slug, info.n_papers) == ("feature:sea ice / melt ponds", N_HERE)


def test_an_unknown_feature_is_refused_with_near_names():
    with pytest.raises(UsageError, match="near: sea ice / melt ponds"):
        layer(planted_map(features=features()), "feature:melt pond species")


def test_a_corpus_without_features_says_how_to_get_them():
    assert "build again" in layer(planted_map(), "feature:sea ice").reason


def test_years_without_such_a_paper_are_said():
    assert "widen the years" in layer(planted_map(features=features()), "feature:sea ice", (1990, 1999)).reason
