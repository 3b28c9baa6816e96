"""An afternoon in a real browser: from a .bib without abstracts to an answer from a PDF and a checked draft."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CLICKS, PATIENCE_MS, download, served_script
from tests.browser.test_ask import ask, still
from tests.building.test_paper_files import page as paper_page
from tests.sources.hosts.loopback import running
from tests.sources.hosts.record_hosts import Known, RecordHosts

GAS = Known(
    "Warm gas in the haloes of nearby spirals", ("Ada Berg",), 2021, doi="10.3847/1538-4357/ac0001", number=1,
    abstract="We find warm gas in 35 haloes of nearby spirals.",
)  # fmt: skip
DUST = Known(
    "Cold dust around young stars of Taurus", ("Cy Dee",), 2019, doi="10.3847/1538-4357/ac0002", number=2,
    abstract="Dust is cold where stars are young.",
)  # fmt: skip
EXPORT = b"""
@article{gas, title={Warm gas in the haloes of nearby spirals}, author={Berg, Ada}, year=2021,
  doi={10.3847/1538-4357/ac0001}}
@article{dust, title={Cold dust around young stars of Taurus}, author={Dee, Cy}, year=2019,
  doi={10.3847/1538-4357/ac0002}}
"""
SCAN = paper_page(
    GAS.title,
    "Ada Berg (2021)",
    "We find warm gas in all of the haloes that we have observed so far.",
    "The exposure time of the calibration frames was 137 seconds.",
)
DRAFT = b"# A draft\n\nWarm gas was found in 53 haloes of nearby spirals [@gas].\n"
HOSTS = ("ARXIV", "OAI", "OPENALEX", "CROSSREF", "SEMANTIC_SCHOLAR", "RETRACTIONS")


@pytest.mark.build
def test_a_library_is_filled_pdfs_are_added_asked_and_a_draft_is_checked(
    page: Page, golden_corpus: Path, tmp_path: Path
) -> None:
    with running(RecordHosts(GAS, DUST)) as host:
        here = {f"PATHFINDER_{name}_URL": host.address for name in HOSTS}
        here |= {f"PATHFINDER_{name}": str(tmp_path / name) for name in ("DATA", "CACHE", "NEW_CORPORA")}
        with served_script(here | {"PATHFINDER_CORPUS": str(golden_corpus)}, tmp_path) as address:
            page.goto(f"{address}/corpus")
            build(page, "export.bib", EXPORT)
            expect(page.get_by_role("button", name="Stop")).to_be_in_viewport()  # the form is far below
            expect(page.get_by_text(re.compile(r"export is ready\. 2 papers: 2 new, \d+ gaps filled"))).to_be_visible()
            still(page)
            page.get_by_role("button", name="Ask this library").click()
            page.wait_for_url(re.compile("corpus=export"))
            page.get_by_role("link", name="Library", exact=True).click()
            build(page, "Scan (2).pdf", SCAN)
            expect(page.get_by_text("1 of 1 files recognised")).to_be_visible()
            page.get_by_role("link", name="Ask", exact=True).click()
            still(page)
            ask(page, "What was the exposure time of the calibration frames?")
            expect(page.locator(".st-key-answer").get_by_text("137 seconds").first).to_be_visible()
            page.goto(f"{address}/review?step=audit&corpus=export")
            checked = audit(page)
    assert [(each["verdict"], each["is_fault"]) for each in checked["sentences"]] == [("contradicted", True)]


def build(page: Page, name: str, content: bytes) -> None:
    """Drop a file, agree that hosts are asked, and press Build."""
    still(page)  # a file that is chosen while the page is drawn is lost
    kind = "application/pdf" if name.endswith(".pdf") else "application/x-bibtex"
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(
        {"name": name, "mimeType": kind, "buffer": content}
    )
    button = page.get_by_role("button", name="Build", exact=True)
    expect(button).to_be_visible()
    still(page)
    if (place := page.get_by_text("Part of export", exact=True)).count():
        place.click()
        still(page)
    agreement = page.get_by_role("checkbox", name=re.compile("^(Then fetch|A PDF is recognised)")).last
    for _ in range(CLICKS):
        if agreement.is_checked():
            break
        words = page.get_by_text(re.compile("^(Then fetch what|A PDF is recognised .* Ask)"))
        words.locator("visible=true").last.click()  # for a moment the form of before stands there too
        still(page)
    expect(agreement).to_be_checked(timeout=PATIENCE_MS)
    button.click()


def audit(page: Page) -> dict[str, list[dict[str, object]]]:
    """Check the draft, and return the JSON that the page saves."""
    still(page)
    files = [("draft.md", "text/markdown", DRAFT), ("own.bib", "application/x-bibtex", EXPORT)]
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files]
    )
    expect(page.get_by_text("own.bib")).to_be_visible()
    still(page)
    page.get_by_role("button", name="Check the draft").click()
    expect(page.get_by_text("Read against their sources: 1")).to_be_visible()
    still(page)
    saved = download(page.get_by_role("button", name="JSON", exact=True)).path().read_text(encoding="utf-8")
    read: dict[str, list[dict[str, object]]] = json.loads(saved)
    return read
