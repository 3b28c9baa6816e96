"""The Evaluate page as Streamlit runs it, without a browser."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGE = Path(__file__).parents[2] / "pages" / "evaluate.py"
Open = Callable[..., AppTest]


@pytest.fixture
def opened(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """The page on the golden corpus, with the settings of a server."""

    def page(**settings: str) -> AppTest:
        monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        return ran(AppTest.from_file(str(PAGE), default_timeout=60).run())

    return page


def ran(page: AppTest) -> AppTest:
    assert not page.exception, [failure.message for failure in page.exception]
    return page


def evaluated(page: AppTest, *methods: str) -> AppTest:
    page.multiselect(key="evaluate-methods").set_value(list(methods))
    page.button[0].click()
    return ran(page.run())


def test_without_a_corpus_the_page_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    page = ran(AppTest.from_file(str(PAGE), default_timeout=60).run())
    assert "no corpus is open" in page.error[0].value


def test_strangers_are_offered_no_path_and_nothing_that_costs(opened: Open) -> None:
    page = opened()
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
def test_what_cannot_be_run_is_refused_with_the_reason(opened: Open, methods: tuple[str, ...], message: str) -> None:
    page = evaluated(opened(), *methods)
    assert message in page.error[0].value
    assert not page.dataframe


def test_methods_are_compared_on_a_set_from_the_open_corpus(opened: Open) -> None:
    page = opened()
    page.number_input(key="evaluate-n").set_value(6)
    page = evaluated(page, "bm25", "dense")
    assert page.subheader[0].value.replace("\\", "") == "6 sentences of corpus: 6 questions"
    table = page.dataframe[0].value
    assert list(table["method"]) == ["bm25", "dense"]
    assert table["difference"][0] == ""
    assert table["difference"][1].startswith(("+", "-"))
    assert 0 < float(table["p"][1]) <= 1
    assert "Fewer than 20 questions" in page.caption[-1].value


def test_another_measure_is_shown_without_another_run(opened: Open) -> None:
    page = opened()
    page.number_input(key="evaluate-n").set_value(5)
    page = evaluated(page, "bm25")
    page.selectbox(key="evaluate-measure").set_value("mrr@10")
    assert "mrr@10" in ran(page.run()).dataframe[0].value.columns


def test_a_typed_folder_is_read_where_the_server_allows_it(opened: Open, golden_corpus: Path, tmp_path: Path) -> None:
    page = opened(PATHFINDER_EVALUATE_PATHS="1")
    page.radio(key="evaluate-source").set_value("A folder on this server")
    page = evaluated(ran(page.run()), "bm25")
    assert "no folder was given" in page.error[0].value
    page.text_input(key="evaluate-folder").set_value(str(tmp_path / "gone"))
    assert "is not a folder" in evaluated(page, "bm25").error[0].value

    (tmp_path / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "Masers seen from orbit"}))
    (tmp_path / "qrels.tsv").write_text("q\tfuture\t1\n")
    page.text_input(key="evaluate-folder").set_value(str(tmp_path))
    page.text_input(key="evaluate-corpus").set_value(str(golden_corpus))
    page = evaluated(page, "bm25")
    assert page.dataframe[0].value["ndcg@10"][0].startswith("1.000")
