"""Steering by features: each steer is a factor of its own, in scores, explanations, links and calls."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from pathfinder import Weighting
from pathfinder.cli.options import question_options
from pathfinder.cli.options import request_of as request_of_options
from pathfinder.errors import UsageError
from pathfinder.operations import OPERATIONS, body_of
from pathfinder.operations.export.tables import hits_csv
from pathfinder.operations.fields import request_of
from pathfinder.operations.search import search_record
from pathfinder.retrieval.explanation.counterfactual import smallest_changes
from pathfinder.retrieval.explanation.stability import stability
from pathfinder.retrieval.explanation.waterfall import bar_parts, waterfall
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.ui.papers.waterfall import gradient, waterfall_html
from pathfinder.ui.shared.address import Form, from_parameters, to_parameters
from tests.features.planted import dictionary

QUESTION = "How do galaxies form?"


@pytest.fixture
def steerable(pf):
    """The golden corpus, in which every second paper has the feature "odd / strange" and the first ten have "early"."""
    n = len(pf.corpus.papers)
    activations = {"odd / strange": [0.5 * (i % 2) for i in range(n)], "early": [float(i < 10) for i in range(n)]}
    other = copy(pf)
    other.corpus = replace(pf.corpus, features=dictionary(activations))
    return other


def search_with_steers(pf, **steers):
    names = {"odd": "odd / strange", "early": "early"}
    return pf.search(QUESTION, weighting=Weighting(steers={names[key]: value for key, value in steers.items()}))


def test_more_and_less_add_the_logarithm_of_the_activation_and_of_its_complement(steerable):
    plain = {hit.row: hit.score.final for hit in steerable.search(QUESTION, top_k=30).hits}
    result = steerable.search(QUESTION, top_k=30, weighting=Weighting(steers={"odd": 0.5, "early": -1}))
    for hit in result.hits:
        if hit.row not in plain:
            continue
        odd, early = 0.5 * (hit.row % 2), float(hit.row < 10)
        added = 0.5 * np.log(0.05 + odd) + 1.0 * np.log(0.05 + 1 - early)
        assert hit.score.final - plain[hit.row] == pytest.approx(added)


def test_the_badge_names_every_steer_in_full(steerable):
    weighting = next(
        stage for stage in search_with_steers(steerable, odd=0.5, early=-0.3).stages if stage.name == "weighting"
    )
    assert weighting.ran == "balanced: less early 0.3, more odd / strange 0.5"


def test_reweighing_steers_the_same_candidates_without_another_search(steerable):
    result = steerable.search(QUESTION)
    again = steerable.reweigh(result, Weighting(steers={"strange": 1}))
    assert again.candidates is result.candidates
    assert [hit.row for hit in again.hits] == [hit.row for hit in search_with_steers(steerable, odd=1.0).hits]
    assert again.request.weighting.steers == (("odd / strange", 1.0),)


def test_a_steer_is_a_part_of_the_bar_the_waterfall_the_counterfactual_and_the_tables(steerable):
    result = search_with_steers(steerable, odd=0.5)
    hit, weighting = result.hits[0], result.request.weighting
    factor = "more:odd / strange"
    assert factor in [part.factor for part in bar_parts(hit.score, weighting)]
    step = next(step for step in waterfall(hit, weighting).steps if step.factor == factor)
    assert step.description == f"more odd / strange {0.5 * (hit.row % 2):.2f} at strength 0.5"
    assert waterfall(hit, weighting).total == pytest.approx(hit.score.final)
    last = int(np.argmin(result.candidates.fused))
    assert factor not in dict(smallest_changes(result.candidates, weighting, last, 1).fixed_sliders)
    assert "more odd / strange" in stability(result.candidates, weighting, 10).perturbed_weights
    assert f"score_{factor}" in hits_csv(result).splitlines()[0]
    assert search_record(result)["hits"][0]["score"][factor] == 0.5 * (hit.row % 2)


def test_a_name_from_a_paper_is_escaped_on_the_page(pf):
    n = len(pf.corpus.papers)
    other = copy(pf)
    other.corpus = replace(pf.corpus, features=dictionary({"<b>bold</b>": [1.0] * n}))
    result = other.search(QUESTION, weighting=Weighting(steers={"<b>bold</b>": 0.5}))
    hit, weighting = result.hits[0], result.request.weighting
    assert "<b>bold" not in gradient(bar_parts(hit.score, weighting))
    assert "<b>bold" not in waterfall_html(waterfall(hit, weighting))


@pytest.mark.parametrize(
    ("name", "words"),
    [("oddd", r"no feature .* 'oddd' \(near: odd / strange\).*pathfinder features"), ("x", "no feature .* 'x': `path")],
)
def test_an_unknown_feature_is_refused_with_near_names_and_the_way_to_list_them(steerable, name, words):
    with pytest.raises(UsageError, match=words):
        steerable.search(QUESTION, weighting=Weighting(steers={name: 0.5}))


def test_a_phrase_of_several_features_is_refused_with_their_names(steerable):
    n = len(steerable.corpus.papers)
    both = dictionary({"odd / strange": [1.0] * n, "odd / early": [1.0] * n})
    steerable.corpus = replace(steerable.corpus, features=both)
    with pytest.raises(UsageError, match="name one of them in full: odd / strange; odd / early"):
        steerable.search(QUESTION, weighting=Weighting(steers={"odd": 0.5}))


def test_a_corpus_without_features_says_why(pf):
    with pytest.raises(UsageError, match="features need at least 250 papers"):
        pf.search(QUESTION, weighting=Weighting(steers={"odd": 0.5}))


def test_merged_searches_are_steered_too(steerable):
    result = steerable.search(
        "How do galaxies form and how old are stars?", decomposes=True, weighting=Weighting(steers={"odd": 1})
    )
    assert [hit.score.weight("more:odd / strange") for hit in result.hits] == [
        0.5 * (hit.row % 2) for hit in result.hits
    ]


@pytest.mark.parametrize("steers", [(("odd", 2.0),), (("odd", "much"),), (("", 0.5),), "odd", (("a", 1), ("a", 0.5))])
def test_steers_that_are_none_are_refused(steers):
    with pytest.raises(UsageError, match=r"steers|strength"):
        Weighting(steers=steers)


def test_a_strength_of_zero_is_no_steer():
    weighting = Weighting(steers={"odd": 0.5})
    assert weighting.with_strength("more:odd", 0.0) == Weighting()
    assert weighting.with_strength("less:odd", 0.25).steers == (("odd", -0.25),)
    assert Weighting().is_off
    assert not weighting.is_off


def test_a_link_and_a_body_keep_steers():
    form = Form("q?").with_search(weighting=Weighting(steers={"X-ray, jets": 0.5, "theory": -1}))
    parameters, _ = to_parameters(form)
    assert parameters["steer"] == "X-ray, jets=0.5; theory=-1"
    assert from_parameters(parameters) == (form, ())
    record = record_of_request(form.request())
    assert record == {"query": "q?", "steers": {"X-ray, jets": 0.5, "theory": -1}}
    assert request_of(body_of(OPERATIONS.get("search")).model_validate(record)) == form.request()


def test_a_broken_link_is_opened_without_its_steers():
    form, notes = from_parameters({"q": "q?", "steer": "theory"})
    assert form == Form("q?")
    assert "steer='theory'" in notes[0]


def test_the_command_line_takes_an_option_for_each_steer():
    defaults = {name: default for name, (_, default) in question_options(needs_question=True).items()}
    asked = defaults | {"question": "q?", "steers": ["X-ray=0.5", "theory = -0.3"]}
    assert request_of_options(None, asked).weighting.steers == (("X-ray", 0.5), ("theory", -0.3))
    with pytest.raises(UsageError, match="FEATURE=STRENGTH"):
        request_of_options(None, asked | {"steers": ["X-ray"]})
