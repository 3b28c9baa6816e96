import re
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from pathfinder.types import DigestForm
from tests.ui.test_pages import Open, ask, ran

__all__ = ["ask"]  # a fixture


def test_one_choice_changes_the_form_and_the_link_keeps_it(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="5")
    assert "As values" in {menu.proto.label for menu in page.get("menu_button")}
    form = page.session_state["form"]
    page.session_state["form"] = replace(form, answering=replace(form.answering, form=DigestForm.SIDES))
    ran(page.run())
    written = "".join(part.proto.body for part in page.get("html"))
    assert 'class="sides"' in written
    assert page.query_params["form"] in ("sides", ["sides"])


def test_that_nothing_answers_is_said_with_the_answer() -> None:
    def weak() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding
        from pathfinder.ui.answer import digest_panel

        digest = Digest(DigestForm.VALUES, "asked for", (Finding("p", "It is cold.", 0, 11),), is_weak=True)
        digest_panel.lines(Answer("?", "", (), False, (), digest=digest), digest, astronomy())

    page = AppTest.from_function(weak).run()
    assert not page.exception
    written = "".join(part.proto.body for part in page.get("html"))
    assert written.index("No sentence of the papers found answers the question") < written.index("It is cold.")


def test_values_are_summed_up_and_two_that_do_not_fit_together_are_named() -> None:
    def values() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue
        from pathfinder.ui.answer import digest_panel

        texts = {"riess": ("It is 73.04 km/s/Mpc.", 2022, 50), "planck": ("It is 67.4 km/s/Mpc.", 2020, 900)}
        papers = tuple(
            Paper(name, name, text, authors=(f"{name.title()}, A.",), year=year, citation_count=n)
            for name, (text, year, n) in texts.items()
        )
        stated = (("riess", 73.04, 1.04), ("planck", 67.4, 0.5))
        values = tuple(StatedValue(p, "H0", v, e, e, "km/s/Mpc", None, None, 6, 10) for p, v, e in stated)
        findings = tuple(Finding(name, text, 0, len(text)) for name, (text, _, _) in texts.items())
        digest = Digest(DigestForm.VALUES, "asked for", findings, values=values)
        answer = Answer("What is the Hubble constant?", "", (), False, (), sources=papers, digest=digest)
        digest_panel.lines(answer, digest, astronomy())
        digest_panel.values_panel(answer, digest)
        digest_panel.values_files(answer, digest)

    page = AppTest.from_function(values).run()
    assert not page.exception
    written = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.get("html")[0].proto.body, flags=re.DOTALL).replace(
        "&nbsp;", " "
    )
    assert re.findall(r"Newest|Most cited|Since 2020|[\d.]+ ± [\d.]+|67.4 to 73.04", written) == [
        *("Newest", "73.04 ± 1.04", "Most cited", "67.4 ± 0.5", "Since 2020", "67.4 to 73.04"),
        *("67.4 ± 0.5", "73.04 ± 1.04"),
    ]
    assert (
        "67.4 ± 0.5 Planck 2020 , abstract and 73.04 ± 1.04 Riess 2022 , abstract do not fit together (4.9 sigma)"
        in " ".join(written.split())
    )
    assert [button.proto.label for button in page.get("download_button")] == [
        "Values as CSV",
        "Plot as SVG",
        "Plot as PNG",
        "Plot as a web page",
    ]


def test_values_of_papers_without_years_are_listed_and_not_plotted() -> None:
    def values() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue
        from pathfinder.ui.answer import digest_panel

        texts = {"riess": ("It is 73.04 km/s/Mpc.", 73.04), "planck": ("It is 67.4 km/s/Mpc.", 67.4)}
        papers = tuple(Paper(name, name, text) for name, (text, _) in texts.items())
        values = tuple(
            StatedValue(name, "H0", value, 1.0, 1.0, "km/s/Mpc", None, None, 6, 10)
            for name, (_, value) in texts.items()
        )
        findings = tuple(Finding(name, text, 0, len(text)) for name, (text, _) in texts.items())
        digest = Digest(DigestForm.VALUES, "asked for", findings, values=values)
        answer = Answer("What is the Hubble constant?", "", (), False, (), sources=papers, digest=digest)
        digest_panel.lines(answer, digest, astronomy())
        digest_panel.values_panel(answer, digest)

    page = AppTest.from_function(values).run()
    assert not page.exception
    written = "".join(part.proto.body for part in page.get("html"))
    assert re.findall(r"[\d.]+ ± 1", written) == ["73.04 ± 1", "67.4 ± 1"]
    assert not page.get("plotly_chart")
