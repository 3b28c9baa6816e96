"""Where the papers of a question disagree, behind the line under the answer."""

from tests.ui.test_pages import Open, ran


def test_papers_are_compared_once_the_panel_is_open(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="5")
    page.session_state["agreement"] = True
    ran(page.run())
    text = [part.value for part in page.markdown]
    assert any("that have an uncertainty were compared" in part for part in text)
    tensions = [part for part in text if part.startswith("**Hubble constant**")]
    assert tensions
    assert all("sigma apart" in part and part.count("abstract") + part.count("summary") >= 2 for part in tensions)
