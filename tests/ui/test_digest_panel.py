from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import Open, ask, ran

__all__ = ["ask"]  # a fixture


def test_one_click_changes_the_form_and_the_link_keeps_it(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="5")
    switch = page.button_group(key="digest-form")
    assert "Automatic: values" in switch.options
    switch.set_value("sides")
    ran(page.run())
    written = "".join(part.proto.body for part in page.get("html"))
    assert 'class="sides"' in written
    assert page.query_params["form"] in ("sides", ["sides"])


def test_that_nothing_answers_is_said_apart_from_the_other_notes() -> None:
    def weak() -> None:
        from pathfinder.answering.digest.digest import NOT_ANSWERED
        from pathfinder.types import Answer, Digest, DigestForm, Finding
        from pathfinder.ui.answer import digest_panel

        finding = Finding("p", "It is cold.", 0, 11)
        notes = ("No value could be read.", NOT_ANSWERED, "Quotes 1 of the 1 paper found.")
        digest = Digest(DigestForm.VALUES, "asked for", (finding,), is_weak=True, notes=notes)
        digest_panel.panel(Answer("?", "", (), False, (), digest=digest), digest, None)

    page = AppTest.from_function(weak).run()
    assert not page.exception
    assert [part.value for part in page.info] == [
        "No sentence of the papers found answers the question well enough; these are the nearest."
    ]
    assert [part.value for part in page.caption] == [r"No value could be read\. Quotes 1 of the 1 paper found\."]
