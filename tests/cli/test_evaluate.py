"""The command that measures the search on judged questions."""

import json

import pytest

from tests.building.conftest import GALAXIES, PLANETS, PULSARS


@pytest.fixture
def folder(tmp_path):
    """Write a collection over the papers in the corpus, with a question that the paper on pulsars answers."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (GALAXIES, PLANETS, PULSARS)))
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": PULSARS["title"]}) + "\n")
    (folder / "qrels.tsv").write_text(f"q\t{PULSARS['id']}\t1\n")
    return folder


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-16")


@pytest.mark.build
def test_the_figures_are_written_as_json(run, folder):
    outcome = run("evaluate", "collection", folder, "--methods", "default, bm25", "--json")
    record = json.loads(outcome.out)
    assert (outcome.status, record["collection"], record["n_queries"]) == (0, "tiny", 1)
    assert [record["methods"][name]["mrr@10"] for name in ("default", "bm25")] == [1, 1]


@pytest.mark.build
def test_the_figures_are_written_as_a_table(run, folder):
    title, header, *rows = run("evaluate", "collection", folder).out.splitlines()
    assert title == "tiny: 1 judged questions"
    assert header.split() == ["ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000", "seconds"]
    assert [row.split()[0] for row in rows[:5]] == ["default", "tfidf", "bm25", "dense", "hybrid"]
    assert rows[0].split()[1:4] == ["1.000", "[1.00,", "1.00]"]


@pytest.mark.build
def test_each_method_is_compared_with_the_first_one_named(run, folder):
    *_, gap, heading, row, caution = run(
        "evaluate", "collection", folder, "--methods", "bm25,dense", "--measures", "mrr@10"
    ).out.splitlines()
    assert (gap, heading) == ("", "difference from bm25, its 95% interval and the p-value of a paired sign-flip test")
    assert row.split() == ["dense", "+0.000", "[+0.00,", "+0.00]", "p", "1.00"]
    assert caution == "fewer than 20 questions: the intervals are rough guesses"


@pytest.mark.build
@pytest.mark.parametrize("documents", ["file", "corpus"])
def test_embedders_are_compared_method_by_method_on_papers_embedded_with_each(run, folder, corpus, documents):
    arguments = ["evaluate", "collection", folder, "--embedder", "fake:hash-32, fake:hash-8", "--methods", "dense,bm25"]
    arguments += ["--corpus", corpus] if documents == "corpus" else []
    reports = json.loads(run(*arguments, "--json").out)
    assert list(reports) == ["dense", "bm25"]
    for report in reports.values():
        assert (list(report["methods"]), report["compared_with"]) == (["fake:hash-32", "fake:hash-8"], "fake:hash-32")
        assert {"difference", "low", "high", "p"} <= report["differences"]["fake:hash-8"]["mrr@10"].keys()
    title, _, first, second, _, _, difference, *_ = run(*arguments, "--measures", "mrr@10").out.splitlines()
    assert title == "tiny, dense: 1 judged questions"
    assert [line.split()[0] for line in (first, second, difference)] == ["fake:hash-32", "fake:hash-8", "fake:hash-8"]


def test_a_corpus_that_is_built_is_searched_with_its_own_embedder(run, folder, corpus, monkeypatch):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-32")
    outcome = run("evaluate", "collection", folder, "--corpus", corpus, "--methods", "dense", "--json")
    assert json.loads(outcome.out)["methods"]["dense"]["success@10"] == 1


@pytest.mark.build
def test_the_table_says_which_method_did_not_run_as_it_is_called(run, folder):
    lines = run("evaluate", "collection", folder, "--methods", "bm25,rerank", "--measures", "mrr@10").out.splitlines()
    assert lines[4].startswith("rerank, as it ran: rerank fell back for 1 of 1 questions: not run: the corpus has no")
    assert not any(line.startswith("bm25, as it ran") for line in lines)


@pytest.mark.build
def test_what_bounds_the_figures_is_a_note(run, folder):
    (folder / "qrels.tsv").write_text("q\tlost\t1\n")
    outcome = run("evaluate", "collection", folder, "--methods", "bm25", "--cache", folder / "cache")
    assert "note: 1 of 1 relevant documents are not in the corpus" in outcome.err
    assert (folder / "cache").is_dir()


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
def test_what_cannot_be_evaluated_is_told_on_one_line(run, folder, arguments, status, message):
    outcome = run("evaluate", "collection", folder, *arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert message in outcome.err.splitlines()[-1]


@pytest.mark.build
def test_a_sweep_says_what_is_in_use_and_what_did_best(run, folder):
    title, header, *rows = run("evaluate", "sweep", folder, "--measures", "mrr@10,ndcg@10").out.splitlines()
    assert title == "tiny: 1 judged questions; share of meaning in the fusion"
    assert header.split() == ["mrr@10", "ndcg@10"]
    assert [row.split()[0] for row in rows[:11]] == [f"{n / 10:.1f}" for n in range(11)]
    assert rows[6].startswith("0.6 *")
    assert rows[11:] == ["* in use"]


@pytest.mark.build
def test_a_sweep_is_written_as_json(run, folder):
    record = json.loads(run("evaluate", "sweep", folder, "--json").out)
    assert (record["in_use"], record["best"]["mrr@10"], len(record["methods"])) == (0.6, 0.6, 11)


@pytest.mark.build
def test_what_bounds_a_sweep_is_a_note_too(run, folder):
    (folder / "qrels.tsv").write_text("q\tlost\t1\n")
    assert "note: 1 of 1 relevant documents are not in the corpus" in run("evaluate", "sweep", folder).err


@pytest.mark.build
def test_a_sweep_over_a_reranker_that_is_not_there_is_refused(run, folder):
    outcome = run("evaluate", "sweep", folder, "--over", "rerank")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no reranker ran" in outcome.err.splitlines()[-1]


@pytest.mark.build
def test_a_set_made_from_a_corpus_is_measured_over_it(run, folder, tmp_path):
    papers = folder / "corpus.jsonl"
    long = {**PULSARS, "id": "long", "abstract": "Pulsars turn. We find that the Vela pulsar glitched 17 times."}
    papers.write_text(papers.read_text() + json.dumps(long) + "\n")
    set_outcome = run("evaluate", "make-single", papers, "--out", tmp_path / "set", "--n", 1)
    assert (set_outcome.status, set_outcome.out.splitlines()[0]) == (0, "kind: single-paper")
    outcome = run("evaluate", "collection", tmp_path / "set", "--corpus", papers, "--methods", "bm25", "--json")
    assert json.loads(outcome.out)["methods"]["bm25"]["success@10"] == 1


def test_citations_make_a_set_of_several_papers(run, corpus, tmp_path):
    cited_ids = [GALAXIES["id"], PULSARS["id"], *"wxyz"]
    (tmp_path / "c.jsonl").write_text(json.dumps({"text": "Stars [1-6].", "citations": cited_ids}) + "\n")
    outcome = run("evaluate", "make-multi", corpus, tmp_path / "c.jsonl", "--out", tmp_path / "set")
    assert "citations in the corpus: 2" in outcome.out.splitlines()
    assert len((tmp_path / "set" / "qrels.tsv").read_text().splitlines()) == 1 + 2


@pytest.mark.build
def test_reference_lists_make_a_set_of_several_papers(run, folder, tmp_path):
    papers = folder / "corpus.jsonl"
    cited_ids = [f"c{n}" for n in range(6)]
    rows = [{"_id": name, "title": f"Dust {name}", "text": "Dust."} for name in cited_ids]
    rows.append({"_id": "r", "title": "A review of dust", "text": "Dust.", "references": cited_ids})
    papers.write_text(papers.read_text() + "".join(json.dumps(row) + "\n" for row in rows))
    set_outcome = run("evaluate", "make-multi", papers, "--out", tmp_path / "set")
    assert any(line.startswith("caveat: a reference list") for line in set_outcome.out.splitlines())
    outcome = run("evaluate", "collection", tmp_path / "set", "--corpus", papers, "--methods", "bm25", "--json")
    assert json.loads(outcome.out)["methods"]["bm25"]["recall@50"] == 1
    assert "note: a reference list shows what the authors cited" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--asks", "abstract"], "--asks must be title or sentence, got abstract"),
        (["c.jsonl", "--asks", "title"], "--asks has no effect on a FILE"),
        ([], "no paper cites 6 or more papers in the corpus"),
    ],
)
def test_a_set_of_reviews_that_cannot_be_made_is_told_on_one_line(run, corpus, tmp_path, arguments, message):
    outcome = run("evaluate", "make-multi", corpus, *arguments, "--out", tmp_path / "set")
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--n", "1", "--chat"], "no chat model is set: set PATHFINDER_CHAT_MODEL"),
        (["--n", "99"], "papers make a question, not 99"),
    ],
)
def test_a_set_that_cannot_be_made_is_told_on_one_line(run, corpus, tmp_path, arguments, message):
    outcome = run("evaluate", "make-single", corpus, "--out", tmp_path / "set", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (tmp_path / "set").exists()
