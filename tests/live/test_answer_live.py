"""Live sources in an answer that searches further: the reader's switch, one time limit, and no question asked twice."""

import threading

import pytest

from pathfinder.sources.live.access import Allowance
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.types import LiveSource, ModeName
from tests.answering.agent.readers import curious
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.semantic_scholar_host import scholar_record, semantic_scholar

QUESTION = "What is the value of the Hubble constant?"
SCHOLAR = LiveSource.SEMANTIC_SCHOLAR
HANG = 300.0
"""Seconds after which a test that hangs ends."""


def counting_host(queries, answer):
    """A host that answers by `answer` and notes the query of each request."""

    def reply(request):
        queries.append(request.query["query"])
        return answer(request)

    return reply


@pytest.mark.parametrize(("live", "n_asked"), [((), 0), ((SCHOLAR,), 3)])
def test_further_searches_of_the_agent_ask_only_where_the_switch_is_on(with_hosts, live, n_asked):
    queries = []
    pf = with_hosts({SCHOLAR: counting_host(queries, semantic_scholar([scholar_record(1)]))}).with_chat(curious(2))
    answer = pf.answer(pf.search(QUESTION, live=live), generation=ModeName.AGENT)
    assert not answer.abstained
    assert len(queries) == len(set(queries)) == n_asked


def test_a_live_source_that_fails_in_a_further_search_is_named_in_a_note(with_hosts):
    queries = []

    def failing_later(request):
        first = len(queries) == 1
        return semantic_scholar([scholar_record(1)])(request) if first else as_json({"message": "down"}, 500)

    pf = with_hosts({SCHOLAR: counting_host(queries, failing_later)}).with_chat(curious(2))
    answer = pf.answer(pf.search(QUESTION, live=(SCHOLAR,)), generation=ModeName.AGENT)
    (note,) = [note for note in answer.notes if "live source" in note]
    assert note.startswith("a further search continued without a live source: Semantic Scholar ")


def test_a_question_is_not_asked_twice_in_an_answer(with_hosts):
    queries = []
    access = with_hosts({SCHOLAR: counting_host(queries, semantic_scholar([scholar_record(1)]))}).live.for_answer()
    first, second = (ask_side_by_side(QUESTION, [SCHOLAR], access)[0] for _ in range(2))
    assert (len(queries), second.papers, second.seconds) == (1, first.papers, 0.0)


def test_all_searches_of_an_answer_share_one_time_limit(with_hosts):
    queries = []
    is_asked, released = threading.Event(), threading.Event()

    def silent(request):
        is_asked.set()
        released.wait(HANG)
        return as_json({"total": 0})

    access = with_hosts({SCHOLAR: counting_host(queries, silent)}, seconds=0.2).live.for_answer()
    replies = [ask_side_by_side(f"dust {n}", [SCHOLAR], access)[0] for n in range(3)]
    assert is_asked.wait(HANG)
    assert len(queries) == 1
    assert "did not answer" in replies[0].problem
    problem = "was not asked, because the searches for this answer have used up the 0.2 s allowed for live sources"
    assert [reply.problem for reply in replies[1:]] == [problem] * 2
    assert ask_side_by_side("dust", [SCHOLAR], access.for_answer())[0].problem != problem, "the next answer begins anew"
    released.set()


def test_searches_that_wait_at_the_same_time_use_it_once():
    now = [0.0]
    allowance = Allowance(1.0, lambda: now[0])
    with allowance.waiting(), allowance.waiting():
        now[0] = 0.25
    now[0] = 7.0  # nobody waits
    with allowance.waiting() as left:
        assert left == 1.0 - 0.25


def test_a_spent_limit_leaves_the_order_of_the_corpus_as_it_is(with_hosts, pf):
    scholar = with_hosts({SCHOLAR: semantic_scholar([scholar_record(1, title=QUESTION)])})
    access = scholar.live.for_answer()
    with access.allowance.waiting():
        access.allowance.seconds = 0.0
    result = scholar.with_live(access).search(QUESTION, live=(SCHOLAR,))
    assert result.hits == pf.search(QUESTION).hits
