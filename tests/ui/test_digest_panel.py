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
        from pathfinder.types import Answer, Digest, DigestForm, Finding
        from pathfinder.ui.answer import digest_panel

        finding = Finding("p", "It is cold.", 0, 11)
        notes = ("No value could be read.", "Quotes 1 of the 1 paper found.")
        digest = Digest(DigestForm.VALUES, "asked for", (finding,), is_weak=True, notes=notes)
        digest_panel.panel(Answer("?", "", (), False, (), digest=digest), digest, None)

    page = AppTest.from_function(weak).run()
    assert not page.exception
    assert [part.value for part in page.info] == [
        "No sentence of the papers found answers the question well enough; these are the nearest."
    ]
    assert [part.value for part in page.caption] == [r"No value could be read\. Quotes 1 of the 1 paper found\."]


def test_values_beside_a_written_answer_have_their_sentences_a_plot_and_files() -> None:
    def beside() -> None:
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue
        from pathfinder.ui.answer import digest_panel

        paper = Paper("p", "A rate", "It is 73 km/s/Mpc.", authors=("Riess, A.",), year=2022)
        value = StatedValue("p", "Hubble constant", 73.0, None, None, "km/s/Mpc", None, None, 6, 17)
        finding = Finding("p", "It is 73 km/s/Mpc.", 0, 18)
        digest = Digest(DigestForm.VALUES, "asked for", (finding,), values=(value,), notes=("Newest: 73.",))
        answer = Answer("?", "It is fast.", (), False, (), sources=(paper,), digest=digest, is_written=True)
        digest_panel.values_panel(answer, digest)

    page = AppTest.from_function(beside, default_timeout=60).run()
    assert not page.exception
    assert [part.value for part in page.subheader] == ["Values stated in the papers"]
    assert "“It is 73 km/s/Mpc.”" in "".join(part.proto.body for part in page.get("html"))
    assert [button.proto.label for button in page.get("download_button")] == [
        "Values as CSV",
        "Plot as SVG",
        "Plot as PNG",
        "Plot as a web page",
    ]
    assert not page.button_group  # a written answer has no form to choose
