"""The step Audit of Review, as Streamlit runs it."""

from functools import partial
from itertools import repeat
from pathlib import Path

import pytest

from pathfinder.addons.audit.outcome import SentenceVerdict
from pathfinder.addons.audit.page import TASK
from pathfinder.addons.audit.writing import audit_markdown
from pathfinder.ui.shared.jobs import Job, once
from tests.addons.audit.test_audit import TEX, audit
from tests.places import Open, ran
from tests.ui.test_pages import page_text


@pytest.fixture
def visit(corpus: Path, at: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Opens the step on a corpus of three papers, one of which has authors, or on another."""
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    return partial(at, "review", corpus=corpus, step="audit")


def test_the_draft_is_drawn_with_marks_at_its_margin(visit: Open, tmp_path: Path) -> None:
    page = visit()
    assert "compared with the works that it cites" in page_text(page)
    checked = audit(tmp_path, TEX % ("35030", "increase"))
    job = Job(once(lambda: checked))
    assert job.wait(60)
    page.session_state["jobs"] = {TASK: job}
    text = page_text(ran(page.run()))
    assert "main-sequence stars observed by Kepler are known" in text
    assert "35030 in the text, 34030 in the source" in text
    assert "never cited" in text


@pytest.mark.build
def test_an_example_shows_what_a_check_says(visit: Open, landmarks_corpus: Path) -> None:
    page = visit(corpus=landmarks_corpus)
    assert "An example" in page.caption[1].value
    job = page.session_state["jobs"][TASK]
    assert job.wait(60)
    *right, wrong = (sentence.verdict for sentence in job.result().sentences)
    assert {*right} == {SentenceVerdict.SUPPORTED} != {wrong}
    text = page_text(ran(page.run()))
    assert "sentences cite works" in text
    assert "An example" in text
    page.session_state["audit-is-example"] = False  # the reader's own draft, to which they have come back
    assert "An example" not in page_text(ran(page.run()))


def test_papers_without_authors_make_no_example(visit: Open) -> None:
    page = visit()
    assert "An example" not in page_text(page)
    assert TASK not in page.session_state["jobs"]


def test_a_stopped_check_says_so_and_leaves_the_form(visit: Open) -> None:
    page = visit()
    job = Job(step for step in repeat("reading"))
    job.stop()
    assert job.wait(60)
    page.session_state["jobs"] = {TASK: job}
    ran(page.run())
    assert [box.value for box in page.info] == ["Stopped. The draft was not checked."]
    assert page.get("file_uploader")


def test_markdown_has_every_citing_sentence_and_the_bibliography(tmp_path: Path) -> None:
    checked = audit(tmp_path)
    text = audit_markdown(checked)
    assert text.count("\n> ") == len(checked.sentences)
    assert all(f"- {remark.key}: {remark.kind}; " in text for remark in checked.remarks)
