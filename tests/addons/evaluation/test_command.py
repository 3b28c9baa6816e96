"""The commands that vary a parameter and make questions."""

import json

import pytest

from pathfinder.addons.evaluation.page import evaluation_figure
from pathfinder.operations.evaluation.metrics import Interval
from tests.building.conftest import GALAXIES, PULSARS


@pytest.mark.build
def test_a_sweep_says_what_is_in_use_and_what_did_best(run, judged):
    title, header, *rows = run("evaluate", "sweep", judged, "--measures", "mrr@10,ndcg@10").out.splitlines()
    assert title == "tiny: 1 judged questions; share of meaning in the fusion"
    assert header.split() == ["mrr@10", "ndcg@10"]
    assert [row.split()[0] for row in rows[:11]] == [f"{n / 10:.1f}" for n in range(11)]
    assert rows[6].startswith("0.6 *")
    assert rows[11:] == ["* in use"]


@pytest.mark.build
def test_a_set_made_from_a_corpus_is_measured_over_it(run, judged, tmp_path):
    papers = judged / "corpus.jsonl"
    long = {**PULSARS, "id": "long", "abstract": "Pulsars turn. We find that the Vela pulsar glitched 17 times."}
    papers.write_text(papers.read_text() + json.dumps(long) + "\n")
    made = json.loads(run("evaluate", "make-single", papers, "--out", tmp_path / "set", "--n", 1, "--json").out)
    assert made["kind"] == "single-paper"
    outcome = run("evaluate", "collection", tmp_path / "set", "--corpus", papers, "--methods", "bm25", "--json")
    assert json.loads(outcome.out)["methods"]["bm25"]["success@10"] == 1


def test_citations_make_a_set_of_several_papers(run, corpus, tmp_path):
    cited_ids = [GALAXIES["id"], PULSARS["id"], *"wxyz"]
    (tmp_path / "c.jsonl").write_text(json.dumps({"text": "Stars [1-6].", "citations": cited_ids}) + "\n")
    outcome = run("evaluate", "make-multi", corpus, tmp_path / "c.jsonl", "--out", tmp_path / "set", "--json")
    assert json.loads(outcome.out)["citations in the corpus"] == 2
    assert len((tmp_path / "set" / "qrels.tsv").read_text().splitlines()) == 1 + 2


@pytest.mark.build
def test_reference_lists_make_a_set_of_several_papers(run, judged, tmp_path):
    papers = judged / "corpus.jsonl"
    cited_ids = [f"c{n}" for n in range(6)]
    rows = [{"_id": name, "title": f"Dust {name}", "text": "Dust."} for name in cited_ids]
    rows.append({"_id": "r", "title": "A review of dust", "text": "Dust.", "references": cited_ids})
    papers.write_text(papers.read_text() + "".join(json.dumps(row) + "\n" for row in rows))
    caveat = json.loads(run("evaluate", "make-multi", papers, "--out", tmp_path / "set", "--json").out)["caveat"]
    outcome = run("evaluate", "collection", tmp_path / "set", "--corpus", papers, "--methods", "bm25", "--json")
    assert json.loads(outcome.out)["methods"]["bm25"]["recall@50"] == 1
    assert f"note: {caveat}" in outcome.err


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
        (["--n", "1", "--chat"], "--chat needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL"),
        (["--n", "99"], "papers make a question, not 99"),
    ],
)
def test_a_set_that_cannot_be_made_is_told_on_one_line(run, corpus, tmp_path, arguments, message):
    outcome = run("evaluate", "make-single", corpus, "--out", tmp_path / "set", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (tmp_path / "set").exists()


def test_an_evaluation_without_methods_is_an_empty_figure():
    assert len(evaluation_figure("ndcg@10", {}).data[0].x) == 0


def test_each_method_is_a_dot_with_its_interval_the_first_on_top():
    means = {"bm25": (0.5, Interval(0.4, 0.7)), "<dense>": (0.6, Interval(0.55, 0.65))}
    figure = evaluation_figure("ndcg@10", means)
    (dots,) = figure.data
    assert (dots.x, dots.y) == ((0.5, 0.6), ("bm25", "&lt;dense&gt;"))
    assert dots.error_x.array == pytest.approx((0.7 - 0.5, 0.65 - 0.6))
    assert dots.error_x.arrayminus == pytest.approx((0.5 - 0.4, 0.6 - 0.55))
    assert dots.hovertext[0] == "bm25: 0.500 [0.40, 0.70]"
    assert (figure.layout.yaxis.autorange, figure.layout.xaxis.title.text) == ("reversed", "ndcg@10")
    assert figure.layout.shapes[0].x0 == 0.5
