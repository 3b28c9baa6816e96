"""The Evaluate page as Streamlit runs it, without a browser."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.evaluation.page import MAX_N, RIGHT_FIRST, QuestionSource, measure_in_words
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.ui.shared import resources
from tests.golden import FUTURE
from tests.linked import with_references
from tests.places import Open, ran


@pytest.fixture
def visit(at: Open, monkeypatch: pytest.MonkeyPatch) -> Open:
    """The page on the golden corpus, with the settings of a server."""

    def page(**settings: str) -> AppTest:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        return at("lab", trial="evaluate")

    return page


def evaluate(page: AppTest, *methods: str) -> AppTest:
    page.multiselect(key="evaluate-methods").set_value(list(methods))
    page.button[0].click()
    return ran(page.run())


def test_a_corpus_with_references_offers_questions_of_its_reviews(
    visit: Open, pf: Pathfinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = with_references(pf, tmp_path / "network", {9: range(6)})
    monkeypatch.setattr(resources, "whole", lambda: linked)
    page = visit()
    page.radio(key="evaluate-source").set_value(QuestionSource.REFERENCES).run()
    evaluate(page, "bm25")
    assert "1 questions" in page.header[0].value
    assert "a reference list shows what the authors cited" in " ".join(
        note.value for note in (*page.info, *page.markdown, *page.caption)
    )


def test_strangers_are_offered_no_path_and_nothing_that_costs(visit: Open) -> None:
    page = visit()
    assert not page.text_input
    assert not page.radio
    assert not {"hyde", "cohere"} & set(page.multiselect(key="evaluate-methods").options)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ((), "no method was given"),
        (("magic",), "there is no method"),
        (("rerank+cohere",), "may cost money and is not run here"),
        (tuple("abcdefghi"), "9 methods are too many for one run here"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_reason(visit: Open, methods: tuple[str, ...], message: str) -> None:
    page = evaluate(visit(), *methods)
    assert message in page.error[0].value
    assert not page.dataframe


def test_methods_are_compared_on_a_set_from_the_open_corpus(visit: Open) -> None:
    page = visit()
    page.number_input(key="evaluate-n").set_value(6)
    page = evaluate(page, "bm25", "dense")
    assert page.header[0].value.replace("\\", "") == "6 sentences of corpus: 6 questions"
    table = page.dataframe[0].value
    assert list(table["method"]) == ["bm25", "dense"]
    assert table["difference"][0] == ""
    assert table["difference"][1].startswith(("+", "-"))
    assert 0 < float(table["p"][1]) <= 1
    assert "Fewer than 20 questions" in page.caption[-1].value


def test_another_measure_is_shown_without_another_run(visit: Open) -> None:
    page = visit()
    page.number_input(key="evaluate-n").set_value(5)
    page = evaluate(page, "bm25")
    page.selectbox(key="evaluate-measure").set_value("mrr@10")
    assert measure_in_words("mrr@10") in ran(page.run()).dataframe[0].value.columns


def test_a_typed_folder_is_read_where_the_server_allows_it(visit: Open, golden_corpus: Path, tmp_path: Path) -> None:
    page = visit(PATHFINDER_EVALUATE_PATHS="1")
    page.radio(key="evaluate-source").set_value(QuestionSource.TYPED)
    page = evaluate(ran(page.run()), "bm25")
    assert "no folder was given" in page.error[0].value
    page.text_input(key="evaluate-folder").set_value(str(tmp_path / "gone"))
    assert "is not a folder" in evaluate(page, "bm25").error[0].value

    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "Masers seen from orbit"}))
    (tmp_path / "qrels.tsv").write_text("q\tfuture\t1\n")
    page.text_input(key="evaluate-folder").set_value(str(tmp_path))
    page.text_input(key="evaluate-corpus").set_value(str(golden_corpus))
    page = evaluate(page, "bm25")
    assert page.dataframe[0].value[f"{RIGHT_FIRST}, among 10"][0].startswith("1.000")


MASERS = {
    "question": "How are masers of hydroxyl and water seen?",
    "paper": FUTURE["id"],
    "sentences": {"0": FUTURE["abstract"]},
    "gold": [0],
    "type": "why_how",
}
GONE = {**MASERS, "question": "Which masers are of methanol?", "paper": "gone", "type": "which_what"}
"""A question about a paper that is not in the corpus, so that nothing quoted can answer it."""


def lines(*rows: object) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def plain(text: str) -> str:
    """The text as a reader sees it, without the backslashes of Markdown."""
    return text.replace("\\", "")


def measure(page: AppTest, *rows: object) -> AppTest:
    page.file_uploader(key="evaluate-marked").upload("marked.jsonl", lines(*rows))
    return send(page)


def send(page: AppTest) -> AppTest:
    next(button for button in page.button if button.label == "Measure the answers").click()
    return ran(page.run())


def test_answers_are_measured_on_an_uploaded_file(visit: Open) -> None:
    page = measure(visit(), MASERS, GONE)
    assert plain(page.header[0].value) == "marked.jsonl: 2 marked questions"
    overall, by_type = (table.value.set_index("measure") for table in page.dataframe)
    best = "Given the right paper, its best line is marked"
    assert overall["mean"][best] == "0.500 [0.00, 1.00]"  # (1 + 0) / 2
    assert overall["name in JSON"][best] == "finding_is_gold"
    assert by_type["why_how (1)"][best] == "1.000 [1.00, 1.00]"
    assert by_type["which_what (1)"][best] == "0.000 [0.00, 0.00]"
    assert "Both of these, as one measure" not in overall.index  # digests have no ledger to count
    assert [plain(note.value) for note in page.info] == [
        "1 of 2 marked papers are not in the corpus: their questions cannot be answered"
    ]
    assert "Fewer than 20 questions" in page.caption[-1].value
    assert page.get("download_button")
    assert len(ran(page.run()).dataframe) == 2  # still there without another run


def test_strangers_have_the_first_questions_of_a_long_file_measured(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pathfinder.addons.evaluation.page.MAX_N", 1)
    page = measure(visit(), MASERS, GONE)
    assert MAX_N == 100
    assert page.header[0].value.endswith("1 marked question")
    assert "the first 1 of 2 questions were measured" in plain(page.info[0].value)


def test_a_marked_file_of_the_server_is_read_where_the_server_allows_it(visit: Open, tmp_path: Path) -> None:
    page = visit(PATHFINDER_EVALUATE_PATHS="1")
    page.radio(key="evaluate-marked-source").set_value("A file on this server")
    page = send(ran(page.run()))
    assert "no file was given: type its path" in plain(page.error[0].value)
    path = tmp_path / "own.jsonl"
    page.text_input(key="evaluate-marked-path").set_value(str(path))
    assert "cannot be read" in send(page).error[0].value
    path.write_bytes(lines(MASERS))
    assert send(page).header[0].value.endswith("1 marked question")


def test_a_chat_model_judges_only_where_the_server_allows_it(
    visit: Open, pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    grades = "<coverage>4</coverage>\n<relevance>5</relevance>\n<organisation>2</organisation>"
    monkeypatch.setattr(resources, "whole", lambda: pf.with_chat(ScriptedChat([grades])))
    assert not visit().checkbox
    page = visit(PATHFINDER_EVALUATE_PATHS="1")
    assert page.selectbox(key="evaluate-marked-mode").value == "extractive"
    page.checkbox(key="evaluate-marked-judge").set_value(True)
    means = measure(page, MASERS).dataframe[0].value.set_index("name in JSON")["mean"]
    assert [means[name][:5] for name in ("coverage", "relevance", "organisation")] == ["4.000", "5.000", "2.000"]


def test_a_rubric_is_marked_where_there_is_one_and_absent_elsewhere(
    visit: Open, pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged(prompt: str) -> str:
        if "<criterion>" in prompt:
            return "<mark>5</mark>"
        return "<coverage>4</coverage>\n<relevance>5</relevance>\n<organisation>2</organisation>"

    monkeypatch.setattr(resources, "whole", lambda: pf.with_chat(ScriptedChat(judged)))
    page = visit(PATHFINDER_EVALUATE_PATHS="1")
    rubric = {"question": MASERS["question"], "items": [{"criterion": "names water", "weight": 0.6}]}
    page.file_uploader(key="evaluate-rubric").upload("rubric.jsonl", lines(rubric))
    means = measure(page, MASERS).dataframe[0].value.set_index("name in JSON")["mean"]
    assert means["rubric_items"][:5] == "0.500"  # a mark of 5 of 10 for the only item
    assert "rubric" in means.index
    page.file_uploader(key="evaluate-rubric").upload("rubric.jsonl", lines({"question": "?", "items": []}))
    assert "rubric.jsonl, line 1 is no rubric" in plain(measure(page, MASERS).error[0].value)
    page = visit(PATHFINDER_EVALUATE_PATHS="1")
    assert "rubric" not in measure(page, MASERS).dataframe[0].value["name in JSON"].tolist()
