import json

import pytest

from pathfinder.building.progress import Silent
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import CorpusError, RateLimited, UsageError
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.operations.evaluation.indexing import IndexParts, index_documents
from pathfinder.operations.evaluation.methods import DEFAULT_METHODS
from pathfinder.operations.evaluation.metrics import MEASURES
from pathfinder.operations.evaluation.run import describe_fallbacks, evaluate_collection
from pathfinder.retrieval.stages import Models
from pathfinder.types import Stage, StageOutcome, StageStatus

EMBEDDER = HashEmbedder()


class Counting(HashEmbedder):
    """Counts the documents that it embeds."""

    def __init__(self):
        super().__init__()
        self.n_documents = 0

    def embed(self, texts, kind):
        self.n_documents += len(texts) if kind == "document" else 0
        return super().embed(texts, kind)


@pytest.mark.build
def test_the_report_has_the_keys_that_were_promised(folder):
    record = json.loads(json.dumps(evaluate_collection(folder, EMBEDDER).record()))
    assert set(record) >= {"collection", "n_queries", "methods"}
    assert (record["collection"], record["n_queries"]) == ("tiny", 3)
    assert tuple(record["methods"]) == DEFAULT_METHODS
    for figures in record["methods"].values():
        assert set(figures) == {*MEASURES, "seconds"}
        assert {"ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000"} <= set(figures)


@pytest.mark.build
def test_the_record_says_how_sure_each_figure_is(folder):
    report = evaluate_collection(folder, EMBEDDER, methods=["bm25", "dense"])
    record = json.loads(json.dumps(report.record()))
    assert record["compared_with"] == "bm25"
    assert set(record["differences"]) == {"dense"}
    for method, figures in record["methods"].items():
        low, high = record["intervals"][method]["ndcg@10"]
        assert 0 <= low <= figures["ndcg@10"] <= high <= 1
        assert 0 <= record["median_seconds"][method] <= figures["seconds"]
    difference = record["differences"]["dense"]["ndcg@10"]
    assert difference["difference"] == pytest.approx(
        record["methods"]["dense"]["ndcg@10"] - record["methods"]["bm25"]["ndcg@10"]
    )
    assert 0 < difference["p"] <= 1
    assert difference["better"] + difference["worse"] <= 3


@pytest.mark.build
def test_what_really_ran_is_counted(folder):
    report = evaluate_collection(folder, EMBEDDER, methods=["bm25", "tfidf"]).record()
    assert "dense: not used: words only (3)" in report["ran"]["bm25"]
    assert "tfidf" not in report["ran"]


@pytest.mark.build
def test_a_method_without_effect_is_told(folder):
    # No paper in this corpus has a citation count, so the weight is neutral for all of them.
    notes = evaluate_collection(folder, EMBEDDER, methods=["hybrid", "citations", "default"]).notes
    assert notes[0] == "citations gives every question the same ranking as hybrid: its additions have no effect here"


@pytest.mark.build
def test_a_stage_that_fell_back_is_a_note_with_the_number_of_questions(folder):
    outage = [Reply("", RateLimited("HTTP 429"))] * 2
    abstract = "<abstract>Dust lanes obscure spiral galaxies, as we measure here.</abstract>"
    chat = ScriptedChat([*outage, *[abstract] * 9])
    models = Models(EMBEDDER, KeywordExtractor.load(), chat)
    report = evaluate_collection(folder, models, methods=["hyde"])
    (note,) = report.notes
    assert note.startswith("hyde: imagine fell back for 2 of 3 questions: feedback (")
    assert report.record()["fell_back"]["hyde"] == [note.removeprefix("hyde: ")]


@pytest.mark.build
def test_the_ranking_follows_the_weights_beyond_top_k(folder):
    # Forty papers with the same words: the most cited comes first, whatever the order of the file.
    rows = [{"_id": f"d{n:02}", "title": "Dust", "text": "dust", "citation_count": n * 5} for n in range(40)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "qrels" / "test.tsv").write_text("q1\td39\t1\n")
    report = evaluate_collection(folder, EMBEDDER, methods=["hybrid", "citations"])
    assert [method.scores["mrr@10"]["q1"] for method in report.methods.values()] == [0, 1]


@pytest.mark.build
@pytest.mark.parametrize("method", DEFAULT_METHODS)
def test_each_method_finds_what_shares_the_words_of_the_question(folder, method):
    figures = evaluate_collection(folder, EMBEDDER, methods=[method]).record()["methods"][method]
    assert figures["mrr@10"] == 1
    assert figures["recall@1000"] == 1
    assert figures["seconds"] >= 0


@pytest.mark.build
def test_rankings_go_beyond_top_k(folder):
    # Twenty documents share the word, and the judged document comes last: after the ten hits, but within the depth.
    rows = [{"_id": f"d{n:02}", "title": "Dust", "text": "dust " * (20 - n)} for n in range(20)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "qrels" / "test.tsv").write_text("q1\td19\t1\n")
    figures = evaluate_collection(folder, EMBEDDER, methods=["bm25"]).record()["methods"]["bm25"]
    assert (figures["success@10"], figures["recall@100"]) == (0, 1)


@pytest.mark.build
def test_a_document_whose_id_is_the_questions_is_left_out(folder):
    with (folder / "corpus.jsonl").open("a") as file:
        file.write(json.dumps({"_id": "q1", "title": "dust lanes", "text": "dust lanes"}) + "\n")
    report = evaluate_collection(folder, EMBEDDER, methods=["default", "tfidf"])
    assert [method.scores["mrr@10"]["q1"] for method in report.methods.values()] == [1, 1]


@pytest.mark.build
def test_what_bounds_the_figures_is_said(folder):
    with (folder / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "dust", "title": "again", "text": "again"}\n{"_id": "broken"}\n')
    (folder / "qrels" / "test.tsv").write_text("q1\tdust\t1\nq1\tlost\t1\nq1\tlost too\t0\n")
    assert evaluate_collection(folder, EMBEDDER, methods=["bm25"]).notes == (
        "2 rows of corpus.jsonl are not documents or repeat an id",
        "1 of 2 relevant documents are not in the corpus and cannot be found",
    )


@pytest.mark.build
def test_documents_are_embedded_once_when_there_is_a_cache(folder, tmp_path):
    first, second, third = Counting(), Counting(), Counting()
    cache = tmp_path / "cache"
    reports = [evaluate_collection(folder, e, methods=["dense"], cache=cache) for e in (first, second)]
    assert (first.n_documents, second.n_documents) == (4, 0)
    assert reports[0].methods["dense"].scores == reports[1].methods["dense"].scores
    (folder / "corpus.jsonl").write_text('{"_id": "dust", "title": "Dust", "text": "Other words."}\n')
    evaluate_collection(folder, third, methods=["dense"], cache=cache)
    assert third.n_documents == 1


@pytest.mark.build
def test_titles_are_embedded_too_for_a_method_that_reads_them(folder):
    embedder = Counting()
    ran = evaluate_collection(folder, embedder, methods=["titles"]).methods["titles"].ran
    assert embedder.n_documents == 4 + 4
    assert ran


@pytest.mark.build
def test_keywords_are_found_for_a_method_that_reads_them(folder):
    text = "Dust lanes obscure spiral galaxies."
    rows = [{"_id": "a", "title": "Dust lanes", "text": text}, {"_id": "b", "title": "Lanes of dust", "text": text}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with index_documents(folder / "corpus.jsonl", EMBEDDER, None, Silent(), IndexParts(keywords=True)) as ground:
        assert ground.corpus.manifest.counts.with_keywords == 2
    with index_documents(folder / "corpus.jsonl", EMBEDDER, None, Silent()) as ground:
        assert ground.corpus.manifest.counts.with_keywords == 0


def test_an_unknown_method_is_a_usage_error(folder):
    with pytest.raises(UsageError, match="no method 'magic': choose from default, tfidf, bm25, dense, hybrid"):
        evaluate_collection(folder, EMBEDDER, methods=["bm25", "magic"])


def test_a_folder_that_is_no_corpus_is_refused(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="empty"):
        evaluate_collection(folder, EMBEDDER, corpus=tmp_path / "empty")


@pytest.mark.build
def test_documents_without_words_are_found_by_none(folder):
    (folder / "corpus.jsonl").write_text('{"_id": "dust", "title": "of", "text": "the"}\n')
    report = evaluate_collection(folder, EMBEDDER, methods=["tfidf", "bm25"]).record()
    assert {figures["recall@1000"] for figures in report["methods"].values()} == {0}


def test_a_file_without_documents_is_refused(folder):
    (folder / "corpus.jsonl").write_text("{\n")
    with pytest.raises(CorpusError, match=r"corpus\.jsonl.*1"):
        evaluate_collection(folder, EMBEDDER)


def stage_statuses(name, *outcomes):
    return [StageStatus(name, None, outcome) for outcome in outcomes]


@pytest.mark.parametrize("outcome", [StageOutcome.SUBSTITUTED, StageOutcome.FAILED])
def test_a_stage_that_did_not_run_as_requested_is_named(outcome):
    lines = describe_fallbacks([Stage("s", "what ran")], stage_statuses("s", outcome), 1)
    assert lines == ("s fell back for 1 of 1 questions: what ran",)


@pytest.mark.parametrize("outcome", [StageOutcome.RAN, StageOutcome.SKIPPED])
def test_a_stage_that_ran_as_requested_is_no_fallback(outcome):
    assert describe_fallbacks([Stage("s", "not run: as it happens")], stage_statuses("s", outcome), 1) == ()


def test_all_badges_of_a_stage_count_together():
    badges = ["feedback (HTTP 429)", "feedback (HTTP 503)", "1 abstract by m", "feedback (HTTP 503)"]
    outcomes = [StageOutcome.SUBSTITUTED, StageOutcome.SUBSTITUTED, StageOutcome.RAN, StageOutcome.SUBSTITUTED]
    lines = describe_fallbacks([Stage("imagine", ran) for ran in badges], stage_statuses("imagine", *outcomes), 4)
    assert lines == ("imagine fell back for 3 of 4 questions: feedback (HTTP 503)",)
