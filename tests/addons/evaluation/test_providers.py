import json

import pytest

from pathfinder.addons.evaluation import command
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.providers import (
    MAX_CHARACTERS,
    MAX_FAILURES_IN_A_ROW,
    TEXT_CHARACTERS,
    ProviderHit,
    compare_providers,
    load_providers,
    own_searches,
)
from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, UnusableReply, UsageError
from pathfinder.settings import Settings
from tests.addons.evaluation.readers import WordJudge
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

GOOD = ProviderHit("Ages", "They are old. We say so.")
POOR = ProviderHit("Colours", "They are red.")
BARE = ProviderHit("They are old")
ODD = ProviderHit("Odd", "Are they old?")
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
        load_providers(names, Settings(_env_file=None))


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
    record = command.providers.write(report)
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
    assert [hit.text for hit in hits] == [hit.paper.abstract for hit in expected]


@pytest.mark.parametrize(("depth", "page_size"), [(4, 5), (-1, 5), (1, 0), (1, 31)])
def test_a_depth_or_a_page_size_that_no_search_takes_is_refused_before_anything_is_asked(depth, page_size):
    with pytest.raises(UsageError, match="must be a whole number in"):
        own_searches(lambda request: pytest.fail(str(request)), [depth], [page_size])


# Searches of other hosts ------------------------------------------------------------------------------

KEY = "a key/that+must not be seen"
QUESTION = "How old are metal-poor clusters?"
SCHOLAR = {
    "total": 2,
    "data": [
        {
            "paperId": "6",
            "externalIds": {"DOI": "10.1000/ages"},
            "title": "Ages of clusters",
            "abstract": "They are old.",
        },
        {"paperId": "0", "externalIds": None, "title": "A bare one", "abstract": None, "year": None},
    ],
}
WORKS = {
    "results": [
        {
            "id": "https://openalex.org/W1",
            "doi": "https://doi.org/10.1000/ages",
            "display_name": "Ages of clusters",
            "abstract_inverted_index": {"old.": [2], "They": [0], "are": [1]},
        },
        {"id": None, "doi": None, "display_name": "A bare one", "abstract_inverted_index": None},
    ]
}
PAGES = {
    "results": [
        {"url": "https://doi.org/10.1000/Ages", "title": "Ages of clusters", "text": "They are old. "},
        {"id": "x", "url": "https://example.org/bare", "title": "A bare one"},
    ]
}
REPLIES = {"semantic-scholar": SCHOLAR, "openalex": WORKS, "openalex-semantic": WORKS, "exa": PAGES}


def searched(tmp_path, name, reply, *, n=10, faults=None, key=KEY):
    """Return the results of a search at a host on loopback, and what the host was asked."""
    replies = LoopbackHost(lambda _: Reply(json.dumps(reply).encode()), dict(faults or {}))
    with running(replies) as host, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATHFINDER_EXA_URL", host.address)
        keys = ("semantic_scholar", "openalex", "exa")
        settings = Settings(
            _env_file=None,
            cache=tmp_path,
            **{f"{each}_api_key": key for each in keys},
            **{f"{each}_url": host.address for each in keys[:2]},
        )
        (provider,) = load_providers([name], settings, clock=host.clock)
        return provider.search(QUESTION, n), host.requests


@pytest.mark.parametrize("name", REPLIES)
def test_a_result_is_what_the_provider_says_and_nothing_else(tmp_path, name):
    (full, bare), _ = searched(tmp_path, name, REPLIES[name])
    assert full == ProviderHit("Ages of clusters", "They are old.", "10.1000/ages")
    assert bare == ProviderHit("A bare one")


@pytest.mark.parametrize("name", REPLIES)
def test_no_more_results_are_kept_than_were_asked_for(tmp_path, name):
    assert len(searched(tmp_path, name, REPLIES[name], n=1)[0]) == 1


@pytest.mark.parametrize(("name", "reply"), [("semantic-scholar", {"total": 0}), ("exa", {"results": []})])
def test_nothing_found_is_an_empty_result(tmp_path, name, reply):
    assert searched(tmp_path, name, reply)[0] == ()


@pytest.mark.parametrize("n", [0, 31])
def test_a_number_of_results_that_no_provider_gives_is_refused(tmp_path, n):
    with pytest.raises(UsageError, match=f"must lie in 1..30, got {n}"):
        searched(tmp_path, "openalex", WORKS, n=n)


@pytest.mark.parametrize("name", ["semantic-scholar", "exa"])
@pytest.mark.parametrize("reply", [None, {}, {"data": [3], "results": [3]}])
def test_a_reply_of_another_shape_is_an_error_and_no_empty_result(tmp_path, name, reply):
    with pytest.raises(UnusableReply):
        searched(tmp_path, name, reply)


@pytest.mark.parametrize("name", REPLIES)
def test_a_key_that_is_not_accepted_is_said_to_be_so_and_not_shown(tmp_path, name):
    with pytest.raises(RejectedKey, match="_API_KEY") as error:
        searched(tmp_path, name, {}, faults={0: Reply(f"bad key {KEY}".encode(), 403)})
    assert KEY not in str(error.value)


def test_what_each_provider_is_asked(tmp_path):
    asked = {name: searched(tmp_path / name, name, reply)[1][0] for name, reply in REPLIES.items()}
    assert asked["semantic-scholar"].path == "/graph/v1/paper/search"
    assert asked["semantic-scholar"].query["query"] == "How old are metal poor clusters?"
    assert asked["semantic-scholar"].headers["x-api-key"] == KEY
    assert asked["openalex"].query["search"] == "How old are metal-poor clusters"
    assert asked["openalex"].query["api_key"] == KEY
    assert asked["openalex-semantic"].query["search.semantic"] == QUESTION
    assert (asked["exa"].path, asked["exa"].headers["x-api-key"]) == ("/search", KEY)
    assert json.loads(asked["exa"].body) == {
        "query": QUESTION,
        "type": "auto",
        "category": "research paper",
        "numResults": 10,
        "contents": {"text": {"maxCharacters": TEXT_CHARACTERS}},
    }


def test_openalex_gets_no_operators_by_words_and_no_more_than_it_reads_by_meaning():
    settings = Settings(_env_file=None)
    by_words, by_meaning = load_providers(["openalex", "openalex-semantic"], settings)
    assert by_words.request('Is "dust" hot AND old (or ANDROMEDA)? NOT* gas~', 5)[1]["search"] == (
        "Is dust hot old or ANDROMEDA gas"
    )
    assert len(by_meaning.request("x" * 5000, 5)[1]["search.semantic"]) == MAX_CHARACTERS


@pytest.mark.parametrize("name", ["semantic-scholar", "openalex"])
def test_two_providers_work_without_a_key_and_send_none(tmp_path, name):
    _, (request,) = searched(tmp_path, name, REPLIES[name], key=None)
    assert "x-api-key" not in request.headers
    assert "api_key" not in request.query
