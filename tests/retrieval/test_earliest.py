"""Questions that ask who was first."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.earliest import first_asked, is_in_place, with_earliest
from pathfinder.retrieval.known_items.titles import TitleMatch
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Candidates, Paper, SearchRequest


@pytest.mark.parametrize(
    "question",
    [
        "who discovered pulsars",
        "Who first measured the distance to a star?",
        "first detection of gravitational waves",
        "What was the first direct image of a black hole?",
        "earliest observation of fast radio bursts",
        "When was the first exoplanet discovered?",
        "who proposed cosmic inflation",
        "Who was the first to see spots on the Sun?",
    ],
)
def test_a_question_that_asks_who_was_first_is_read(question: str):
    assert first_asked(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "How did the first stars form?",
        "first light of the survey",
        "first galaxies",
        "Who wrote about pulsars first?",
        "What did the first detection teach us about black holes?",
        "How are exoplanets discovered?",
        "who discovered",
        "who first " * 2_000,
    ],
)
def test_other_questions_are_not(question: str):
    assert first_asked(question) is None


PAPERS = (
    Paper("survey", "A survey of blazons", "Many blazons are listed.", year=1960),
    Paper("later", "Blazons in pairs", "We report the discovery of the first pair of blazons.", year=1990),
    Paper("first", "A strange source", "The discovery of a blazon, the first, is reported here.", year=1970),
    Paper("before", "Old sky", "Blazons were discovered in 1970, after this paper.", year=1950),
    Paper("maybe", "A candidate", "This may be the first blazon discovered.", year=1955),
    Paper("far", "The far sky", "The first blazon is discovered.", year=1940),
    Paper("name", "Eight dwarfs", "The Blazon Survey discovered eight dwarfs and a sub-Blazon.", year=1945),
)


def pool(pf: Pathfinder, fused: list[float]) -> Candidates:
    n = len(PAPERS)
    pool = pf.search("supernovae").candidates
    empty = {name: np.zeros(n) for name in "dense sparse keyword age_years citation_count citation_percentile".split()}
    return replace(
        pool,
        papers=PAPERS,
        rows=np.arange(n),
        vectors=np.zeros((n, 2), np.float32),
        fused=np.array(fused),
        **empty,
        **dict.fromkeys(("title_match", "coverage", "rerank", "position", "diversity"), None),
        extra={},
    )


def test_the_earliest_paper_that_fits_well_and_claims_it_leads(pf: Pathfinder):
    log = StageLog()
    candidates = pool(pf, [1.0, 0.9, 0.8, 0.9, 0.9, 0.2, 0.9])
    lead = with_earliest(SearchRequest("who discovered blazons"), "who discovered blazons", candidates, log).lead
    assert lead is not None
    assert lead.tolist() == [0, 0.5, 1, 0, 0, 0, 0]
    assert [stage.name for stage in log.stages] == ["earliest"]
    assert log.filter_notes


def test_where_no_sentence_claims_it_a_paper_leads_that_has_it_as_a_keyword(pf: Pathfinder):
    papers = [replace(paper, abstract="Blazons are listed.") for paper in PAPERS]
    papers[1] = Paper("named", "A law", "A law of motion was discovered.", year=1990, subjects=("Laws", "Blazons"))
    papers[2] = Paper("other", "A law", "A law of rest was discovered.", year=1970, subjects=("Blazons of the south",))
    candidates = replace(pool(pf, [1.0] * len(PAPERS)), papers=tuple(papers))
    question = "who discovered blazons"
    lead = with_earliest(SearchRequest(question), question, candidates, StageLog()).lead
    assert lead is not None
    assert lead.tolist() == [0, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("request_", [SearchRequest("blazons"), SearchRequest("who found blazons", reads_firsts=False)])
def test_nothing_leads_if_nobody_asks_or_it_is_undone(pf: Pathfinder, request_: SearchRequest):
    log = StageLog()
    candidates = pool(pf, [1.0] * len(PAPERS))
    assert with_earliest(request_, request_.query, candidates, log) is candidates
    assert not log.stages


@pytest.mark.parametrize(("kind", "is_kept"), [(TitleMatch.KEYWORD, False), (TitleMatch.WHOLE, True)])
def test_the_earliest_leads_before_what_a_keyword_names_but_not_before_a_title(
    pf: Pathfinder, kind: TitleMatch, is_kept: bool
):
    candidates = replace(pool(pf, [1.0] * len(PAPERS)), named_rows={1: kind.value})
    found = with_earliest(SearchRequest("who discovered blazons"), "who discovered blazons", candidates, StageLog())
    assert (found.lead is None, found.named_rows) == (is_kept, {1: kind.value} if is_kept else {})


@pytest.mark.parametrize("question", ["who first detected a blazon", "who discovered the first exoblazon"])
def test_an_exoplanet_is_a_planet_and_itself(pf: Pathfinder, question: str):
    papers = (Paper("a", "A companion", "The first exoblazon known.", year=1990), *PAPERS[1:])
    candidates = replace(pool(pf, [1.0] * len(PAPERS)), papers=papers)
    lead = with_earliest(SearchRequest(question), question, candidates, StageLog()).lead
    assert lead is not None
    assert lead[0] > 0


@pytest.mark.parametrize(
    ("question", "abstract", "is_there"),
    [
        ("who discovered iron in stars", "Iron was found in the spectrum of the star Vega.", False),
        ("who discovered iron in stars", "Iron was found in old stars.", True),
        ("who discovered iron in stars", "The iron of stars was found.", True),
        ("who discovered iron in stars", "It is in clouds, in which stars form.", False),
        ("who discovered iron in ashes", "", True),
        ("who discovered iron in the 1920s", "", True),
        ("how much iron is in stars", "", True),
    ],
)
def test_what_was_found_elsewhere_is_not_in_place(question: str, abstract: str, is_there: bool):
    assert is_in_place(question, Paper("p", "Ashes", abstract)) == is_there


@pytest.mark.parametrize(
    ("title", "abstract", "is_found"),
    [
        ("The rings of Ashes", "The rings of Ashes were discovered in 1977.", False),
        ("Rings", "Ashes's rings were discovered in 1977.", False),
        ("A test on Ashes", "A telescope was tested on Ashes.", False),
        ("A body beyond Ashes", "The first body after Dust and Ashes was detected.", False),
        ("Ashes from near", "A probe saw Ashes.", False),
        ("The discovery of Ashes", "A planet beyond the others.", True),
        ("A planet", "Ashes was found in 1846.", True),
        ("A planet", "A planet was found in 1846.", True),  # without the name, as "ashes" below is none
        ("Rings of ashes", "Rings of ashes were seen.", True),
    ],
)
def test_what_was_found_of_a_name_is_not_the_name(title: str, abstract: str, is_found: bool):
    paper = Paper("p", title, abstract)
    assert is_in_place("who discovered Ashes", paper) == is_found
    assert is_in_place("who measured Ashes", paper)
