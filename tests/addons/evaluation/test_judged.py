from math import log2
from types import SimpleNamespace

import pytest

from pathfinder.addons.evaluation.judged import N_CALLS_PER_PAPER, evaluate_judged
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.types import Paper, SearchRequest
from tests.addons.evaluation.readers import WordJudge

PAPERS = {
    "old": Paper("old", "Ages", "They are old. We say so."),
    "aged": Paper("aged", "More ages", "They are aged."),
    "red": Paper("red", "Colours", "They are red."),
    "odd": Paper("odd", "Odd", "Are they old?"),
    "q1": Paper("q1", "The question itself", "It is old."),
}
LISTS = {"good": ["old", "aged", "red"], "poor": ["red", "aged"], "odd": ["odd"], "same": ["q1", "old"], "none": []}


def search(request):
    """Return the list that the last word of the question names."""
    ids = LISTS[request.query.split()[-1]][: request.top_k]
    return SimpleNamespace(hits=[SimpleNamespace(paper=PAPERS[name]) for name in ids], notes=("a note",))


def evaluate(*methods, top_k=3, judgements=None, n=1):
    requests = {name: (lambda question, name=name: SearchRequest(f"{question} {name}")) for name in methods}
    questions = {f"q{number}": f"How old {number}" for number in range(1, n + 1)}
    with open_judge(WordJudge(), None) as judge:
        return evaluate_judged(questions, requests, search, judge, top_k=top_k, judgements=judgements)


def values(report, method):
    return {measure: mean.value for measure, mean in report.methods[method].items()}


def test_where_every_judgement_failed_there_is_no_figure():
    report = evaluate("odd")
    assert set(values(report, "odd").values()) == {None}
    assert report.record()["counted"]["odd"]["context_relevancy"] == 0
    assert "3 judgements failed" in report.notes[-1]


def test_the_figures_of_a_method():
    own = values(evaluate("good"), "good")
    assert own == {
        "context_relevancy": 1 / 3,
        "context_precision": (1 / 2 + 0 + 0) / 3,
        "judged_recall": 1,
        "ndcg_self_normalised": 1,
    }


def test_the_ideal_of_ndcg_is_corpus_wide_where_there_are_judgements():
    report = evaluate("poor", "good", judgements={"q1": {"lost": 1}})
    dcg = 0 / log2(2) + 1 / log2(3)
    # The other method's "old" is of grade 2, "aged" of 1, and "lost" by the collection's own judgements.
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert values(report, "poor")["ndcg"] == pytest.approx(dcg / ideal)
    assert values(report, "poor")["ndcg_self_normalised"] == pytest.approx(dcg / 1)


def test_a_question_that_the_collection_does_not_judge_has_no_corpus_wide_ndcg():
    report = evaluate("good", judgements={"q2": {"old": 1}}, n=2)
    assert (report.methods["good"]["ndcg"].n, report.methods["good"]["context_relevancy"].n) == (1, 2)


def test_the_paper_that_a_question_comes_from_is_left_out():
    report = evaluate("same", top_k=1)
    assert values(report, "same")["context_precision"] == 1 / 2  # of "old", the second sentence


def test_what_two_methods_find_is_judged_once_a_question_and_at_most_three_times():
    report = evaluate("good", "good", "none")
    assert report.cost.n_calls == 3 * N_CALLS_PER_PAPER
    assert report.record()["cost"]["calls"] == report.cost.n_calls
    assert report.notes == ("a note",)
