from dataclasses import replace

import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import MissingDependency, MissingKey, UsageError
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.operations.evaluation.indexing import IndexParts
from pathfinder.operations.evaluation.methods import (
    METHOD_CHANGES,
    check_methods,
    favour,
    make_ranker,
    may_be_billed,
    parts_needed,
    request_of,
)
from pathfinder.retrieval.stages import Models
from pathfinder.types import NO_RERANKER, Fusion, Preset, QueryExpansion, RetrievalMode, SearchRequest, Weighting


@pytest.fixture(scope="module")
def bare():
    return Models(HashEmbedder(), KeywordExtractor.load())


@pytest.fixture(scope="module")
def chatting():
    return Models(HashEmbedder(), KeywordExtractor.load(), ScriptedChat([]))


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("magic", "there is no method 'magic': choose from default, tfidf, bm25"),
        ("rerank+magic", "there is no method 'magic'"),
        ("", "there is no method ''"),
        ("tfidf+rerank", "'tfidf' in 'tfidf.rerank' cannot be combined"),
        ("default+rerank", "'default' in 'default.rerank' cannot be combined"),
        ("bm25+dense", "'bm25' and 'dense' in 'bm25.dense' exclude each other"),
        ("rerank+titles+cohere", "'rerank' and 'cohere' in 'rerank.titles.cohere' exclude each other"),
        ("feedback+hyde", "'feedback' and 'hyde' in 'feedback.hyde' exclude each other"),
        ("hyde", "hyde needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL"),
        ("hyde+rerank", "needs a chat model"),
        ("cohere", "cohere needs a reranker behind an API"),
    ],
)
def test_a_method_that_cannot_run_is_refused_with_the_way_out(bare, method, message):
    with pytest.raises(UsageError, match=message):
        check_methods((method,), bare)


@pytest.mark.parametrize("error", [MissingKey("no key is set: set COHERE_API_KEY"), MissingDependency("not installed")])
@pytest.mark.parametrize("method", ["cohere", "cohere+passages"])
def test_a_reranker_that_cannot_be_loaded_is_refused_before_its_fallback_is_measured(bare, method, error):
    def load(_name):
        raise error

    with pytest.raises(UsageError, match=rf"{method.replace('+', '.')}.*{error}"):
        check_methods((method,), replace(bare, load_reranker=load))


def test_no_method_is_no_comparison(bare):
    with pytest.raises(UsageError, match="no method was given"):
        check_methods((), bare)


def test_a_chat_model_lets_the_methods_that_need_one_pass(chatting):
    check_methods(("hyde", "decompose", "recursive", "rerank+passages"), chatting)


def test_methods_that_set_different_things_may_be_joined(bare):
    check_methods(("rerank+passages+keywords+citations+paper", "hybrid+rrf+feedback", "rerank+rerank"), bare)


def test_default_leaves_everything_to_the_search():
    assert request_of("default", "q") == SearchRequest("q")


def test_hybrid_is_fusion_alone():
    request = request_of("hybrid", "after 2020")
    assert (request.reranker, request.reads_years, request.weighting.is_off) == (NO_RERANKER, False, True)


@pytest.mark.parametrize("method", sorted(set(METHOD_CHANGES) - {"hybrid"}))
def test_every_method_changes_something(method):
    assert request_of(method, "q") != request_of("hybrid", "q")


def test_each_method_switches_on_what_its_name_says():
    assert request_of("bm25", "q").sides is RetrievalMode.SPARSE
    assert request_of("rrf", "q").fusion is Fusion.RECIPROCAL_RANK
    assert request_of("feedback", "q").imagine is QueryExpansion.FEEDBACK
    assert request_of("cohere", "q").reranker == "cohere:rerank-v3.5"
    assert request_of("recency", "q").weighting.recency == 1


def test_joined_names_switch_on_all_of_them():
    request = request_of("rerank+passages+keywords+citations+paper", "q")
    weighting = request.weighting
    assert (request.reranker, request.passages) == ("local-always", True)
    assert (weighting.keywords, weighting.citations, weighting.preset) == (1, 1, Preset.PAPER)


@pytest.mark.parametrize(("method", "stage"), [("decompose", "decomposition"), ("recursive", "recursion")])
def test_a_method_of_several_questions_really_runs(pf, method, stage):
    ranking = make_ranker(method, pf.corpus, pf.models)(
        "How do hot Jupiters form, and how do old pulsars in the Galaxy emit radio waves?", frozenset()
    )
    assert stage in {stage.name for stage in ranking.stages}


def test_a_chat_model_makes_what_asks_it_cost_something(bare, chatting):
    assert [may_be_billed("decompose+rerank", models) for models in (bare, chatting)] == [False, True]
    assert may_be_billed("rerank+cohere", bare)
    assert not may_be_billed("rerank", chatting)


def test_what_takes_long_is_made_only_for_the_methods_that_read_it():
    assert parts_needed(["hybrid", "bm25"]) == IndexParts()
    assert parts_needed(["hybrid", "feedback+titles"]) == IndexParts(passages=True)
    assert parts_needed(["keywords"]) == IndexParts(keywords=True)


def test_a_factor_without_a_field_of_its_own_is_a_method_too():
    assert favour("novelty")(SearchRequest("dust")).weighting == Weighting(extra={"novelty": 1.0})
    assert favour("keywords")(SearchRequest("dust")).weighting == Weighting(keywords=1.0)
