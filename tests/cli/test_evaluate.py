"""The command that measures the search on judged questions."""

import json

import pytest


@pytest.mark.build
def test_the_figures_are_written_as_a_table(run, judged):
    title, header, *rows = run("evaluate", "collection", judged).out.splitlines()
    assert title == "tiny: 1 judged questions"
    assert header.split() == ["ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000", "seconds"]
    assert [row.split()[0] for row in rows[:5]] == ["default", "tfidf", "bm25", "dense", "hybrid"]
    assert rows[0].split()[1:4] == ["1.000", "[1.00,", "1.00]"]


@pytest.mark.build
def test_each_method_is_compared_with_the_first_one_named(run, judged):
    *_, gap, heading, row, caution = run(
        "evaluate", "collection", judged, "--methods", "bm25,dense", "--measures", "mrr@10"
    ).out.splitlines()
    assert (gap, heading) == ("", "difference from bm25, its 95% interval and the p-value of a paired sign-flip test")
    assert row.split() == ["dense", "+0.000", "[+0.00,", "+0.00]", "p", "1.00"]
    assert caution == "fewer than 20 questions: the intervals are rough guesses"


@pytest.mark.build
@pytest.mark.parametrize("documents", ["file", "corpus"])
def test_embedders_are_compared_method_by_method_on_papers_embedded_with_each(run, judged, corpus, documents):
    arguments = ["evaluate", "collection", judged, "--embedder", "fake:hash-32, fake:hash-8", "--methods", "dense,bm25"]
    arguments += ["--corpus", corpus] if documents == "corpus" else []
    reports = json.loads(run(*arguments, "--json").out)
    assert list(reports) == ["dense", "bm25"]
    for report in reports.values():
        assert (list(report["methods"]), report["compared_with"]) == (["fake:hash-32", "fake:hash-8"], "fake:hash-32")
        assert {"difference", "low", "high", "p"} <= report["differences"]["fake:hash-8"]["mrr@10"].keys()
    title, _, first, second, _, _, difference, *_ = run(*arguments, "--measures", "mrr@10").out.splitlines()
    assert title == "tiny, dense: 1 judged questions"
    assert [line.split()[0] for line in (first, second, difference)] == ["fake:hash-32", "fake:hash-8", "fake:hash-8"]


def test_a_corpus_that_is_built_is_searched_with_its_own_embedder(run, judged, corpus, monkeypatch):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-32")
    outcome = run("evaluate", "collection", judged, "--corpus", corpus, "--methods", "dense", "--json")
    assert json.loads(outcome.out)["methods"]["dense"]["success@10"] == 1


@pytest.mark.build
def test_the_table_says_which_method_did_not_run_as_it_is_called(run, judged):
    lines = run("evaluate", "collection", judged, "--methods", "bm25,rerank", "--measures", "mrr@10").out.splitlines()
    assert lines[4].startswith("rerank, as it ran: rerank fell back for 1 of 1 questions: not run: the corpus has no")
    assert not any(line.startswith("bm25, as it ran") for line in lines)


@pytest.mark.build
def test_what_bounds_the_figures_is_a_note(run, judged):
    (judged / "qrels.tsv").write_text("q\tlost\t1\n")
    outcome = run("evaluate", "collection", judged, "--methods", "bm25", "--cache", judged / "cache")
    assert "note: 1 of 1 relevant documents are not in the corpus" in outcome.err
    assert (judged / "cache").is_dir()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--methods", "magic"], 2, "there is no method 'magic': choose from default"),
        (["--methods", "tfidf+rerank"], 2, "'tfidf' in 'tfidf+rerank' cannot be combined with other methods"),
        (["--methods", "hyde"], 2, "hyde needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL"),
        (["--methods", "hybrid,cohere"], 2, "cohere cannot run: no key is set for cohere:rerank-v3.5"),
        (["--measures", "ndcg@7"], 2, "there is no measure 'ndcg@7': choose from ndcg@10"),
        (["--qrels", "nowhere.tsv"], 1, "nowhere.tsv cannot be read"),
        (["--corpus", "nowhere.jsonl"], 1, "nowhere.jsonl does not exist"),
    ],
)
def test_what_cannot_be_evaluated_is_told_on_one_line(run, judged, arguments, status, message):
    outcome = run("evaluate", "collection", judged, *arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert message in outcome.err.splitlines()[-1]
