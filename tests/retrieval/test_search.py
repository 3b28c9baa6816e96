import datetime

import numpy as np
import pytest

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.retrieval.weighting import reweigh
from pathfinder.types import NO_RERANKER, Preset, QueryExpansion, RetrievalMode, SearchRequest, Weighting
from tests import golden
from tests.retrieval.results import ids, ran

QUESTION = "What is the value of the Hubble constant?"


def test_a_question_finds_the_papers_that_bear_on_it(pf: Pathfinder) -> None:
    assert set(ids(pf.search(QUESTION, top_k=4))) == {"freedman-2001", "riess-2022", "planck-2018-vi", "hubble-1929"}


def test_every_stage_is_named_with_what_ran_and_its_seconds(pf: Pathfinder) -> None:
    result = pf.search(QUESTION)
    assert ran(result) == {
        "keywords": "TextRank, TextBlob's lexicon",
        "years": "all years",
        "embedder": "all-MiniLM-L6-v2, local",
        "dense": "exact cosine, FAISS",
        "sparse": "BM25, keywords at 0.4",
        "fusion": "min-max",
        "rerank": f"local, {len(result.candidates)} papers",
        "weighting": "balanced: no weights",
        "assessment": "relevance, outliers, spread",
    }
    assert all(stage.seconds is not None and stage.seconds >= 0 for stage in result.stages)


def test_a_factor_that_is_off_is_absent_from_the_score(pf: Pathfinder) -> None:
    score = pf.search(QUESTION, reranker=NO_RERANKER, weighting=Weighting(recency=1)).hits[0].score
    assert score.recency is not None
    assert (score.keyword, score.citation, score.rerank) == (None, None, None)


def test_one_side_alone_leaves_the_other_out_of_the_score(pf: Pathfinder) -> None:
    by_words, by_meaning = (
        pf.search(QUESTION, sides=RetrievalMode.SPARSE),
        pf.search(QUESTION, sides=RetrievalMode.DENSE),
    )
    assert (by_words.hits[0].score.dense, by_meaning.hits[0].score.sparse) == (None, None)
    assert (ran(by_words)["dense"], ran(by_meaning)["sparse"]) == ("not used: words only", "not used: meaning only")


# Years ------------------------------------------------------------------------------------------------


def test_a_filtered_search_still_fills_its_pool(pf: Pathfinder) -> None:
    papers = pf.corpus.papers
    n_old = sum(paper.year is not None and paper.year <= 1999 for paper in papers)
    result = pf.search(QUESTION, year_to=1999)
    assert len(result.candidates) == n_old
    assert all(paper.year is not None and paper.year <= 1999 for paper in result.candidates.papers)


def test_a_year_filter_leaves_undated_papers_out_and_says_how_many(pf: Pathfinder) -> None:
    result = pf.search("colours of quasars", year_from=1900, year_to=2040, top_k=30)
    assert "bare" not in ids(result)
    assert "1 paper without a year is left out by the year filter" in result.notes
    assert ran(result)["years"] == "1900 to 2040"
    assert "bare" in ids(pf.search("colours of quasars"))


def test_years_without_papers_find_nothing_and_say_so(pf: Pathfinder) -> None:
    result = pf.search(QUESTION, year_from=1940, year_to=1941)
    assert result.hits == ()
    assert "no papers in this corpus are from 1940 to 1941: widen the years" in result.notes


# Keywords ---------------------------------------------------------------------------------------------


def test_a_keyword_of_ones_own_raises_the_papers_that_have_it(pf: Pathfinder) -> None:
    plain = pf.search("galaxies", weighting=Weighting(keywords=1), top_k=30)
    own = pf.search("galaxies", weighting=Weighting(keywords=1), extra_keywords=("Coma Cluster",), top_k=30)
    assert ids(own).index("zwicky-1933") < ids(plain).index("zwicky-1933")
    assert [keyword.text for keyword in own.keywords if keyword.is_given] == ["Coma Cluster"]


def test_a_dropped_keyword_is_gone_and_others_stay(pf: Pathfinder) -> None:
    keywords = [keyword.text for keyword in pf.search("dark matter in galaxy clusters").keywords]
    others = pf.search("dark matter in galaxy clusters", dropped_keywords=(keywords[0].upper(),)).keywords
    assert [keyword.text for keyword in others] == keywords[1:]


# Words that cannot help -------------------------------------------------------------------------------


def test_stop_words_alone_are_searched_by_meaning_only(pf: Pathfinder) -> None:
    result = pf.search("what is it and why?")
    assert ran(result)["sparse"] == "not used: the question has only stop words"
    assert len(result.hits) == 10


def test_signs_alone_are_searched_by_meaning_only(pf: Pathfinder) -> None:
    stages = {stage.name: stage.ran for stage in pf.search("??? !!!").stages}
    assert stages["sparse"] == "not used: the question has no words, only symbols"
    assert stages["fusion"] == "not needed: only meaning was searched"


def test_words_alone_need_no_fusion_and_both_sides_do(pf: Pathfinder) -> None:
    def fusion(sides: RetrievalMode) -> str:
        return next(stage.ran for stage in pf.search("dark matter", sides=sides).stages if stage.name == "fusion")

    assert [fusion(sides) for sides in (RetrievalMode.SPARSE, RetrievalMode.BOTH)] == [
        "not needed: only words were searched",
        "min-max",
    ]


def test_another_language_is_searched_by_meaning_only(pf: Pathfinder) -> None:
    result = pf.search("Que es un exoplaneta?", top_k=4, translates=False)
    assert ran(result)["sparse"] == "not used: the question is in French or Spanish, the corpus in English"
    assert set(ids(result)) == {"mayor-1995", "charbonneau-2000", "borucki-2010", "gillon-2017"}


def test_words_that_no_paper_holds_are_said_to_be_unknown(pf: Pathfinder) -> None:
    assert ran(pf.search("zzyzx qwrtp"))["sparse"] == "found nothing: no paper contains any word in the question"


# Bad and awkward input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    ["🌌🔭", "מה זה חור שחור?", "الثقوب السوداء", "<script>alert(1)</script>", "'; DROP TABLE", "\\frac{1}{2}"],
)
def test_whatever_is_typed_is_searched(pf: Pathfinder, question: str) -> None:
    result = pf.search(question)
    assert result.request.query == question
    assert len(result.hits) == 10


def test_a_very_long_question_is_searched_with_a_note(pf: Pathfinder) -> None:
    question = ("What is the Hubble constant and how is it measured with Cepheids? " * 400)[:20_000]
    result = pf.search(question)
    assert set(ids(result)[:2]) == {"freedman-2001", "riess-2022"}
    assert any(
        "its first 256 tokens were embedded, but all of its words were searched" in note for note in result.notes
    )


def test_papers_without_dates_counts_authors_or_keywords_are_neutral(pf: Pathfinder) -> None:
    result = pf.search("colours of quasars", weighting=Weighting(1, 1, 1), top_k=30)
    places = {hit.paper.paper_id: hit for hit in result.hits}
    recency = [hit.score.recency for hit in result.hits]
    assert min(recency) < places["bare"].score.recency < max(recency)
    assert np.isfinite([hit.score.final for hit in result.hits]).all()


def test_a_paper_of_tomorrow_is_new_and_no_more(pf: Pathfinder) -> None:
    result = pf.search("masers in orbit", weighting=Weighting(recency=1), top_k=1)
    assert result.hits[0].paper.paper_id == golden.FUTURE["id"]
    assert result.candidates.age_years[result.candidates.rows.tolist().index(result.hits[0].row)] == 0


# The request decides, and nothing else -----------------------------------------------------------------


def test_today_is_the_snapshot_unless_the_request_says_otherwise(pf: Pathfinder) -> None:
    assert pf.search(QUESTION).request.today == datetime.date(2025, 1, 1)
    other = SearchRequest(QUESTION, today=datetime.date(2000, 1, 1))
    ages = pf.search(other).candidates.age_years
    assert np.nanmax(ages) < 2000 - 1900
    assert (ages == 0).sum() > (pf.search(QUESTION).candidates.age_years == 0).sum()


# Weighing again ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", [Weighting(1, 0.5, 0.2), Weighting(recency=1, preset=Preset.PAPER), Weighting()])
def test_weighing_again_gives_what_a_new_search_gives(pf: Pathfinder, weighting: Weighting) -> None:
    searched = pf.search(QUESTION, weighting=weighting)
    assert pf.reweigh(pf.search(QUESTION), weighting).hits == searched.hits


def test_weighing_again_says_what_it_was_weighed_by(pf: Pathfinder) -> None:
    result = pf.reweigh(pf.search(QUESTION), Weighting(citations=0.5))
    assert ran(result)["weighting"] == "balanced: citations 0.5"
    assert len(result.stages) == len({stage.name for stage in result.stages}) == 9


def test_weighing_again_forgets_the_judgement_of_other_hits(pf: Pathfinder) -> None:
    assert reweigh(pf.search(QUESTION), Weighting(recency=1)).assessment is None


# Imagining --------------------------------------------------------------------------------------------


def test_an_imagined_search_keeps_the_questions_own_words_and_keywords(pf: Pathfinder) -> None:
    chat = ScriptedChat(lambda _: "Transit photometry of exoplanets finds small planets.")
    pf = Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat)
    plain, imagined = pf.search(QUESTION, top_k=30), pf.search(QUESTION, top_k=30, imagine=QueryExpansion.HYDE)
    assert (imagined.request.query, imagined.keywords) == (plain.request.query, plain.keywords)
    assert {hit.row: hit.score.sparse for hit in imagined.hits if hit.score.sparse} == {
        hit.row: hit.score.sparse for hit in plain.hits if hit.score.sparse
    }
    assert imagined.hypothetical == ("Transit photometry of exoplanets finds small planets.",)
    assert ran(imagined)["imagine"] == "1 abstract by fake:scripted"
    assert [hit.score.dense for hit in imagined.hits] != [hit.score.dense for hit in plain.hits]


def test_feedback_works_with_either_side_alone(pf: Pathfinder) -> None:
    by_meaning = pf.search(QUESTION, imagine=QueryExpansion.FEEDBACK, sides=RetrievalMode.DENSE)
    by_words = pf.search(QUESTION, imagine=QueryExpansion.FEEDBACK, sides=RetrievalMode.SPARSE)
    assert ran(by_meaning)["imagine"] == "feedback, first 5 hits"
    assert ran(by_words)["imagine"] == "not used: words only"
    assert by_words.hits == pf.search(QUESTION, sides=RetrievalMode.SPARSE).hits
