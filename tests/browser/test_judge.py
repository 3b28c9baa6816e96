"""Blind judging in a real browser: two pairs are judged, and only then the results name the sides."""

from pathlib import Path

from playwright.sync_api import Page, expect

from pathfinder.addons.judging.study import BlindPair, BlindStudy, Exhibit, PairKind, StudyStore
from pathfinder.corpus.manifest import corpus_name
from tests.browser.test_ask import nothing_sticks_out, still

PAIRS = tuple(
    BlindPair(f"Question {n}?", Exhibit("", (f"On dust {n}",)), Exhibit("", (f"On gas {n}",))) for n in (1, 2)
)


def test_pairs_are_judged_and_only_then_the_sides_are_named(
    page: Page, data_app: str, data: Path, golden_corpus: Path
) -> None:
    store = StudyStore(data, corpus_name(golden_corpus))
    study = BlindStudy("spring", golden_corpus.name, PairKind.RANKINGS, "zebra", "lion", 3, PAIRS)
    store.add(study)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{data_app}/judge")
    initials = page.get_by_role("textbox", name="Your initials")
    expect(initials).to_be_visible()
    still(page)
    initials.fill("ann")
    initials.press("Enter")
    save = page.get_by_role("button", name="Save and continue")
    for n in (1, 2):
        expect(page.get_by_role("heading", name=f"Question {n}?")).to_be_visible()
        expect(save).to_be_disabled()
        still(page)
        for criterion in ("covers more", "stays closer", "help you more", "better overall"):
            pick = page.get_by_role("radiogroup", name=criterion).get_by_role("radio", name="A", exact=True)
            pick.check(force=True)
            expect(pick).to_be_checked()
            still(page)
        expect(save).to_be_enabled()
        nothing_sticks_out(page, 390)
        expect(page.get_by_text("zebra")).to_have_count(0)
        expect(page.get_by_text("lion")).to_have_count(0)
        save.click()
    results = page.get_by_text("Show the results")
    expect(results).to_be_visible()
    still(page)
    results.click()
    expect(page.get_by_role("columnheader", name="zebra")).to_be_visible()
    expect(page.get_by_role("columnheader", name="lion", exact=True)).to_be_visible()
    swaps = {vote.pair: vote.is_swapped for vote in store.votes("spring")}
    assert swaps == {pair: study.is_swapped("ann", pair) for pair in (0, 1)}
