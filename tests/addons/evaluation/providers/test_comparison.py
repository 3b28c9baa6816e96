import pytest

from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.providers.comparison import (
    MAX_FAILURES_IN_A_ROW,
    check_providers,
    compare_providers,
    load_providers,
    own_searches,
)
from pathfinder.addons.evaluation.providers.ports import ProviderHit
from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, UsageError
from pathfinder.settings import Settings
from tests.addons.evaluation.readers import WordJudge

GOOD = ProviderHit("Ages", ("They are old. We say so.",))
POOR = ProviderHit("Colours", ("They are red.",))
BARE = ProviderHit("They are old", ())
ODD = ProviderHit("Odd", ("Are they old?",))
QUESTIONS = ["How old?", "Which age?"]


class CitationRegistry:
    """Returns or raises prescribed results, question after question."""

    def __init__(self, name, *plan):
        self.name, self.plan, self.received = name, list(plan), []

    def search(self, question, n):
        self.received.append((question, n))
        papers = self.plan.pop(0)
        if isinstance(papers, Exception):
            raise papers
        return tuple(papers)[:n]


def compare(*providers, questions=QUESTIONS, top_k=10):
    with open_judge(WordJudge(), None) as judge:
        return compare_providers(questions, providers, judge, top_k=top_k)


# Failures -------------------------------------------------------------------------------------------


def test_a_search_that_fails_counts_in_no_mean():
    report = compare(CitationRegistry("s", RateLimited("s asked us to slow down (HTTP 429)"), [GOOD]))
    own = report.providers["s"]
    assert (own.relevancy.value, own.relevancy.n, own.n_searches, own.n_failed) == (1, 1, 2, 1)
    assert report.notes == ("s: 1 searches failed. The first: s asked us to slow down (HTTP 429)",)


@pytest.mark.parametrize("error", [RejectedKey("no"), MissingKey("none")])
def test_a_provider_that_refuses_its_key_is_not_asked_again_and_the_others_are(error):
    refusing, other = CitationRegistry("refusing", error), CitationRegistry("other", [GOOD], [GOOD])
    report = compare(refusing, other)
    assert (len(refusing.received), len(other.received)) == (1, 2)
    assert report.providers["refusing"].relevancy.value is None
    assert report.providers["other"].relevancy.value == 1
    assert "refusing: 1 searches failed; 1 more not tried" in report.notes[0]


def test_a_provider_that_fails_again_and_again_is_not_asked_for_ever():
    shelf = CitationRegistry("s", [GOOD], *[ProviderError("HTTP 500")] * MAX_FAILURES_IN_A_ROW)
    own = compare(shelf, questions=[f"question {number}" for number in range(9)]).providers["s"]
    assert (own.n_searches, own.n_failed, own.relevancy.n) == (4, 3, 1)


def test_a_judgement_that_fails_counts_in_no_mean():
    report = compare(CitationRegistry("s", [GOOD, ODD], [ODD]))
    own = report.providers["s"]
    assert (own.relevancy.value, own.relevancy.n, own.precision.value) == (1, 1, 1 / 2)
    assert report.cost.n_failures == 4
    assert "4 judgements failed and are left out of every mean" in report.notes[0]


@pytest.mark.parametrize("names", [["google"], ["pathfinder", ""], ["Exa"]])
def test_a_provider_that_nobody_knows_is_refused_with_those_that_are(names):
    with pytest.raises(UsageError, match="choose from pathfinder, semantic-scholar, openalex, openalex-semantic, exa"):
        check_providers(names)


# Success --------------------------------------------------------------------------------------------


def test_the_means_are_over_contexts_and_then_over_questions():
    report = compare(CitationRegistry("s", [GOOD, POOR], [GOOD]), CitationRegistry("empty", [], []))
    own, empty = report.providers["s"], report.providers["empty"]
    assert own.relevancy.value == (1 / 2 + 1) / 2
    assert own.precision.value == ((1 / 2 + 0) / 2 + 1 / 2) / 2
    assert (empty.relevancy.value, empty.relevancy.n) == (0, 2)


def test_a_result_without_a_text_is_not_relevant_whatever_its_title_says():
    report = compare(CitationRegistry("s", [BARE, GOOD], [GOOD]))
    own = report.providers["s"]
    assert (own.relevancy.value, own.n_results, own.n_without_text) == ((1 / 2 + 1) / 2, 3, 1)
    assert report.cost.n_by_rule == 2  # one for relevancy and one for precision


def test_every_provider_is_asked_every_question_for_as_many_results():
    shelves = [CitationRegistry("a", [GOOD, GOOD], [GOOD]), CitationRegistry("b", [POOR], [POOR])]
    report = compare(*shelves, top_k=1)
    assert [shelf.received for shelf in shelves] == [[(question, 1) for question in QUESTIONS]] * 2
    record = report.record()
    assert (record["n_questions"], record["top_k"], record["judge"]) == (2, 1, "fake:word-judge")
    assert record["providers"]["a"]["results"] == 2
    assert record["cost"]["calls"] == 8  # two judgements of one context for each question and provider, all different


def test_the_settings_give_the_keys():
    with pytest.raises(MissingKey, match="EXA_API_KEY"):
        load_providers(["exa"], Settings(_env_file=None))
    settings = Settings(_env_file=None, exa_api_key="k")
    names = ["exa", "pathfinder", "openalex-semantic", "openalex", "semantic-scholar", "exa"]
    assert [provider.name for provider in load_providers(names, settings)] == [
        "exa",
        "openalex-semantic",
        "openalex",
        "semantic-scholar",
    ]


def test_our_own_search_is_asked_at_every_depth_and_page_size_and_once_without_rounds(pf):
    own = own_searches(pf.search, [0, 1], [5, 10])
    assert [search.name for search in own] == [
        "pathfinder depth 0",
        "pathfinder depth 1 page 5",
        "pathfinder depth 1 page 10",
    ]
    hits = own[0].search("What is the value of the Hubble constant?", 3)
    expected = pf.search("What is the value of the Hubble constant?", top_k=3).hits
    assert [hit.title for hit in hits] == [hit.paper.title for hit in expected]
    assert [hit.chunks for hit in hits] == [(hit.paper.abstract,) for hit in expected]


@pytest.mark.parametrize(("depth", "page_size"), [(4, 5), (-1, 5), (1, 0), (1, 31)])
def test_a_depth_or_a_page_size_that_no_search_takes_is_refused_before_anything_is_asked(depth, page_size):
    with pytest.raises(UsageError, match="must be a whole number in"):
        own_searches(lambda request: pytest.fail(str(request)), [depth], [page_size])
