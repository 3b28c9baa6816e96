"""A corpus that was opened before it was whole, on the page."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.corpus.manifest import version_on_disk
from pathfinder.facade import Pathfinder
from pathfinder.ui.shared.resources import WORKING, no_map
from tests.building.conftest import GALAXIES, PLANETS, PULSARS
from tests.places import page_at
from tests.ui.test_pages import corpus_of, page_text, ran, titles


def coming_page(folder: Path, coming: tuple[str, ...]) -> AppTest:
    def script(folder, coming):  # type: ignore[no-untyped-def]
        from types import SimpleNamespace

        from pathfinder.ui.shared import resources as notices

        manifest = SimpleNamespace(coming=coming)
        notices.notice(SimpleNamespace(corpus=SimpleNamespace(manifest=manifest, folder=folder)))

    page = AppTest.from_function(script, kwargs={"folder": folder, "coming": coming}).run()
    assert not page.exception
    return page


def test_a_corpus_without_its_map_says_what_is_coming(tmp_path: Path) -> None:
    page = coming_page(tmp_path, ("landscape", "atlas"))
    assert [caption.value for caption in page.caption] == [WORKING]
    assert not page.button


def test_a_whole_corpus_has_no_notice(tmp_path: Path) -> None:
    page = coming_page(tmp_path, ())
    assert (len(page.caption), len(page.button)) == (0, 0)


def test_a_replaced_manifest_is_another_version(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    assert version_on_disk(tmp_path) == (0, 0)
    manifest.write_text("{}", encoding="utf-8")
    before = version_on_disk(tmp_path)
    os.utime(manifest, ns=(1, before[0] + 1))
    assert version_on_disk(tmp_path) != before


def corpus_with(n_papers: int, *coming: str) -> Pathfinder:
    manifest = SimpleNamespace(coming=coming)
    return cast("Pathfinder", SimpleNamespace(corpus=SimpleNamespace(papers=range(n_papers), manifest=manifest)))


def test_a_map_that_is_still_being_made_is_not_called_missing() -> None:
    assert no_map(corpus_with(675, "landscape")) == (
        "The map of these 675 papers is still being made. Meanwhile, they can be searched."
    )
    assert no_map(corpus_with(1)) == "A library of 1 paper is too small for a map."


def shown(page: AppTest) -> str:
    return "\n".join((page_text(page), *titles(page)))


@pytest.mark.build
@pytest.mark.parametrize(("address", "parameter"), [("lab", "q"), ("similar", "like")])
def test_an_open_page_shows_the_papers_of_an_update_when_it_runs_again(
    address: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus_of(tmp_path, GALAXIES, PLANETS)))
    page = page_at(address, **{parameter: "galaxies"})
    before = shown(ran(page.run()))
    corpus_of(tmp_path, GALAXIES, PLANETS, PULSARS)
    after = shown(ran(page.run()))
    assert (str(PULSARS["title"]) in before, str(PULSARS["title"]) in after) == (False, True)
