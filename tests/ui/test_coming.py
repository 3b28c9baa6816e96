"""A corpus that was opened before it was whole, on the page."""

import os
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pathfinder.ui.shared.coming import WORKING
from pathfinder.ui.shared.resources import version_on_disk


def shown(folder: Path, coming: tuple[str, ...]) -> AppTest:
    def script(folder, coming):  # type: ignore[no-untyped-def]
        from types import SimpleNamespace

        from pathfinder.ui.shared import coming as notices

        manifest = SimpleNamespace(coming=coming)
        notices.notice(SimpleNamespace(corpus=SimpleNamespace(manifest=manifest, folder=folder)))

    page = AppTest.from_function(script, kwargs={"folder": folder, "coming": coming}).run()
    assert not page.exception
    return page


def test_a_corpus_without_its_map_says_what_is_coming(tmp_path: Path) -> None:
    page = shown(tmp_path, ("landscape", "atlas"))
    assert [caption.value for caption in page.caption] == [WORKING]
    assert not page.button


def test_a_whole_corpus_has_no_notice(tmp_path: Path) -> None:
    page = shown(tmp_path, ())
    assert (len(page.caption), len(page.button)) == (0, 0)


def test_a_replaced_manifest_is_another_version(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    assert version_on_disk(tmp_path) == (0, 0)
    manifest.write_text("{}", encoding="utf-8")
    before = version_on_disk(tmp_path)
    os.utime(manifest, ns=(1, before[0] + 1))
    assert version_on_disk(tmp_path) != before
