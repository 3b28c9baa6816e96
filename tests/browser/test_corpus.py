"""What a newcomer does on the Corpus page, in a real browser: from an export of Zotero to the first answer."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import CLICKS, PATIENCE_MS, choose_tab, until
from tests.browser.test_ask import ask, nothing_sticks_out, still

EXPORT = r"""
@article{riess_2022,
    title = {A {Comprehensive} {Measurement} of the {Local} {Value} of the {Hubble} {Constant}},
    author = {Riess, Adam G. and Yuan, Wenlong}, year = {2022}, doi = {10.3847/2041-8213/ac5c5b},
    abstract = {Cepheids calibrate supernovae. We measure a Hubble constant of 73.0 $\pm$ 1.0 km/s/Mpc.},
}
@article{planck_2020,
    title = {Planck 2018 results. {VI}. {Cosmological} parameters},
    author = {{Planck Collaboration}}, year = {2020}, doi = {10.1051/0004-6361/201833910},
    abstract = {The microwave background alone yields a Hubble constant of 67.4 $\pm$ 0.5 km/s/Mpc.},
}
@misc{untitled, author = {Nobody, N.}, year = {1999}}
"""


def test_a_newcomer_asks_their_own_library_without_a_command_line(page: Page, app: str) -> None:
    page.goto(app)
    still(page)
    page.get_by_role("link", name="Library", exact=True).click()
    expect(page.get_by_test_id("stFileUploaderDropzoneInput").first).to_be_attached()
    still(page)  # a file that is chosen while the page is drawn is lost
    library = {"name": "../My Library.bib", "mimeType": "application/x-bibtex", "buffer": EXPORT.encode()}
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(library)
    expect(page.get_by_text("my-library.bib: 3 records in all, 1 rejected")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("my-library")
    still(page)
    page.get_by_role("button", name="Build", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Building my-library was stopped. Nothing was damaged")).to_be_visible()
    still(page)
    ready = page.get_by_text("my-library is ready. 2 papers: 2 new, 1 rejected.")
    resume, stop = (page.get_by_role("button", name=name) for name in ("Resume", "Stop"))
    until(ready.or_(stop).first, lambda: resume.click(timeout=PATIENCE_MS / CLICKS))
    expect(ready).to_be_visible()
    still(page)
    page.get_by_role("button", name="Ask this library").click()
    page.wait_for_url(re.compile("corpus=my-library"))
    expect(page.get_by_role("link", name="Library", exact=True)).to_be_visible()
    still(page)
    ask(page, "What is the value of the Hubble constant?")
    expect(page.locator(".digest strong").get_by_text("73 ± 1", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="my-library · 2 papers")).to_be_visible()
    assert "corpus=my-library" in page.url


def test_the_page_fits_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{app}/corpus")
    expect(page.get_by_text("Full text 0 of 33")).to_be_visible()
    nothing_sticks_out(page, 390)
    choose_tab(page, "⋯ More")
    expect(page.get_by_role("heading", name="What this library lacks")).to_be_visible()
    nothing_sticks_out(page, 390)
