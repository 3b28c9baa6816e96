from dataclasses import replace

from pathfinder.assessment.consensus.local import MISSING, describe_without_model
from pathfinder.types import Assessment, Spread
from tests.answering.results import result


def test_without_a_paper_only_what_is_missing_is_said():
    assert describe_without_model(result(())) == ("No papers found.", MISSING)


def test_what_was_not_judged_is_not_said():
    assert describe_without_model(result()) == ("The relevance of 3 papers was not assessed.", MISSING)


def test_relevance_spread_and_outliers_are_said_and_what_is_missing():
    search_result = result()
    flags = (False, True, False)
    hits = tuple(replace(hit, outlier=flag) for hit, flag in zip(search_result.hits, flags, strict=True))
    assessed_result = replace(search_result, hits=hits, assessment=Assessment(0.873, True, Spread.ONE_CLUSTER, None))
    assert describe_without_model(assessed_result) == (
        "The corpus covers the question (relevance 87%).",
        "3 papers: together they are one cluster. Outliers: 2.",
        MISSING,
    )


def test_a_broad_result_is_said_to_lie_far_apart_because_broad_is_a_style_of_answer():
    search_result = replace(result(), assessment=Assessment(0.873, True, Spread.BROAD, None))
    assert describe_without_model(search_result)[1].startswith("3 papers: they lie far apart.")


def test_what_cannot_be_told_is_said_to_be_so():
    sentences = describe_without_model(result(relevant=False))
    assert sentences[0] == "The corpus does not cover the question (relevance 10%)."
    assert sentences[1] == "3 papers: too few to see how they are spread. Too few papers to find outliers."
