"""The Corpus page as Streamlit runs it, without a browser, and what a visitor may do there."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.cli.app import main
from pathfinder.corpus.history.merges import Merge
from pathfinder.corpus.manifest import SourceEntry, read_manifest, write_manifest
from pathfinder.corpus.merging.rule import Conflict
from pathfinder.errors import UsageError
from pathfinder.operations.child.orders import Child, Order, OrderState, StageProgress, write_order
from pathfinder.settings import Permission, Settings
from pathfinder.sources import Window
from pathfinder.ui import server
from pathfinder.ui.corpus import permissions, upkeep, works
from pathfinder.ui.corpus.new_panel import NOT_ALLOWED
from pathfinder.ui.corpus.permissions import VISITOR_PAPERS, Permissions
from pathfinder.ui.corpus.progress_panel import in_plain_names, report_text, stage_text
from pathfinder.ui.shared import visit_corpus, visitors
from tests.building.conftest import GALAXIES, PLANETS
from tests.places import Open, open_library, page_at
from tests.ui.test_pages import corpus_of, page_text, ran

ALL: frozenset[Permission] = frozenset({"files", "sources", "update"})


@pytest.fixture
def corpus_page(golden_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page on the golden corpus, for a visitor from elsewhere or, with `here`, from this machine; `address`
    holds the parameters of its address.
    """

    def visit(
        corpus: Path | None = golden_corpus,
        *,
        here: bool = False,
        address: Mapping[str, str] | None = None,
        **settings: str,
    ) -> AppTest:
        for name, value in (settings | ({"PATHFINDER_CORPUS": str(corpus)} if corpus else {})).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PATHFINDER_NEW_CORPORA", str(tmp_path / "home"))
        for module in (permissions, visit_corpus):
            monkeypatch.setattr(module, "is_visited_here", lambda: here)
        page = page_at("library")
        for name, value in (address or {}).items():
            page.query_params[name] = value
        return ran(page.run())

    return visit


def test_the_page_says_what_is_open(corpus_page: Open) -> None:
    page = corpus_page()
    assert "33 papers" in page_text(page)
    assert "all-MiniLM-L6-v2" in page_text(page)
    assert "golden.jsonl" in set(page.dataframe[1].value["Source"])  # the name of a file, and not where it is


def test_visitors_from_elsewhere_look_and_change_nothing(corpus_page: Open) -> None:
    page = corpus_page()
    assert NOT_ALLOWED in [caption.value for caption in page.caption]
    assert not page.button
    assert not page.text_area


def test_the_owner_builds_from_files_and_sources_and_updates(corpus_page: Open) -> None:
    page = corpus_page(here=True)
    assert page.radio(key="new-origin").options == ["Files", "Sources"]
    assert "Update" in [button.label for button in page.button]


def test_visitors_may_do_what_the_owner_allows_and_nothing_else(corpus_page: Open) -> None:
    page = corpus_page(PATHFINDER_VISITORS_MAY="sources")
    assert [area.label for area in page.text_area] == ["Sources, one per line"]
    assert "Update" not in [button.label for button in page.button]


def test_a_setting_that_is_no_permission_is_named(corpus_page: Open) -> None:
    assert "the setting visitors_may" in page_text(corpus_page(PATHFINDER_VISITORS_MAY="everything"))


def test_without_a_corpus_the_page_offers_to_build_one(corpus_page: Open) -> None:
    page = corpus_page(None, here=True)
    assert "No library is open" in page_text(page)
    assert page.radio(key="new-origin").value == "Files"
    assert "Build the demo: landmark papers of astronomy" in [button.label for button in page.button]


def test_without_a_corpus_the_app_begins_with_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_NEW_CORPORA", str(tmp_path / "home"))
    assert "No library is open" in page_text(ran(page_at("app").run()))


def test_a_reader_switches_among_the_corpora_of_the_owner_and_everything_is_about_the_other(
    corpus_page: Open, tmp_path: Path
) -> None:
    corpus_of(tmp_path, GALAXIES, PLANETS)
    page = corpus_page(PATHFINDER_CORPORA=f"{tmp_path / 'corpus'}")
    page.session_state["question"] = "asked of the corpus before"
    (switch,) = [box for box in page.radio if box.label == "Open library"]
    assert switch.options[1] == "corpus-2"  # the folder of the golden corpus has the same name
    ran(switch.set_value("corpus-2").run())
    assert "2 papers" in page_text(page)
    assert "question" not in page.session_state


def test_a_folder_that_holds_corpora_offers_them_and_one_without_any_is_named_at_the_start(
    corpus_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "all").mkdir()
    corpus_of(tmp_path, GALAXIES).rename(tmp_path / "all" / "ours")
    page = corpus_page(PATHFINDER_CORPORA=str(tmp_path / "all"))
    (switch,) = [box for box in page.radio if box.label == "Open library"]
    assert switch.options[1:] == ["ours"]
    monkeypatch.setattr(server, "start", lambda *_, **__: None)
    monkeypatch.setenv("PATHFINDER_CORPORA", f"{tmp_path / 'all'}:{tmp_path / 'nothing'}")
    assert main(["app"]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "PATHFINDER_CORPORA" in line]
    assert [str(tmp_path / "nothing") in note for note in notes] == [True]


def test_a_corpus_built_by_somebody_else_is_not_offered(corpus_page: Open, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    corpus_of(tmp_path, GALAXIES).rename(tmp_path / "home" / "theirs")
    assert not corpus_page().radio
    (switch,) = [box for box in corpus_page(here=True).radio if box.label == "Open library"]
    assert "theirs" in switch.options


def test_a_link_names_the_corpus_that_it_is_about(
    corpus_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus_of(tmp_path, GALAXIES, PLANETS).rename(tmp_path / "mine")
    corpus_page(PATHFINDER_CORPORA=str(tmp_path / "mine"))
    page = page_at("app")
    page.query_params["q"], page.query_params["corpus"] = "galaxies", "mine"
    assert "mine · 2 papers" in open_library(ran(page.run()))
    assert dict(page.query_params.items()) == {"q": "galaxies", "corpus": "mine"}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "/etc/passwd",
            r"'/etc/passwd' must begin with one of .*arxiv.*only someone at this machine can use paths",
        ),
        ("file:library.bib", "upload the file instead"),
        ("zotero:", "'zotero:' may be private"),
        ("arxiv:cat:astro-ph.GA token=abc", "seems to contain a key"),
    ],
)
def test_visitors_read_neither_paths_nor_private_libraries_nor_with_keys(source: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Permissions(is_owner=False, granted_permissions=ALL).check([source])


def test_visitors_read_a_limited_number_of_papers() -> None:
    visitor, owner = (
        Permissions(is_owner=False, granted_permissions=ALL),
        Permissions(is_owner=True, granted_permissions=frozenset()),
    )
    assert visitor.limit(Window()).max_papers == VISITOR_PAPERS
    assert visitor.limit(Window(max_papers=7)).max_papers == 7
    assert owner.limit(Window()).max_papers is None
    with pytest.raises(UsageError, match=r"11 sources are too many .* name at most 10"):
        visitor.check(["arxiv:cat:astro-ph.GA"] * 11)
    owner.check(["library.bib", "zotero:", "arxiv:cat:astro-ph.GA"])


def test_permissions_and_folders_are_lists_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHFINDER_CORPORA", "/a:/b")
    monkeypatch.setenv("PATHFINDER_VISITORS_MAY", "files, update")
    settings = Settings(_env_file=None)
    assert (settings.corpora, settings.visitors_may) == ((Path("/a"), Path("/b")), {"files", "update"})


@pytest.mark.parametrize("name", ["", "../up", "Upper", "a b", ".hidden", "-a", "x" * 41, "a/b"])
def test_the_name_of_a_corpus_is_plain_because_it_names_a_folder(name: str) -> None:
    with pytest.raises(UsageError, match="lower-case letters, digits and hyphens"):
        works.check_name(name)


def test_a_stage_says_its_rate_and_the_time_left_only_where_the_end_is_known() -> None:
    assert stage_text(StageProgress("reading", 300), 2.0) == "Reading: 300, 150.0 a second"
    # 128 of 640 in 16 s are 8 a second; the other 512 take 64 s.
    assert stage_text(StageProgress("embedding", 128, 640), 16.0) == "Embedding: 128 of 640, 8.0 a second, 64 s left"
    assert stage_text(StageProgress("mapping"), 3.4) == "Mapping, 3 s"


def test_a_report_leaves_out_what_did_not_happen() -> None:
    names = {"n_new": "new", "n_rejected": "rejected"}
    assert report_text({"n_papers": 1003, "n_new": 3, "n_rejected": 0}, names) == "1,003 papers: 3 new."
    conflicts = {"n_merged": "merged", "n_conflicts": "conflicts"}
    assert report_text({"n_merged": 2, "n_conflicts": 1}, conflicts) == "2 merged, 1 conflict."
    assert report_text({"n_papers": 1, "n_missing": 1}, {"n_missing": "gaps left"}) == "1 paper: 1 gap left."
    assert report_text({"n_new": 0, "n_rejected": 0, "seconds": 2.4}, names) == "nothing new, in 2 s."


def test_a_message_names_files_and_not_where_they_are() -> None:
    order = Order("build", Path("/home/me/stars"), {"sources": ["/home/me/.uploads/f00/a.bib"]})
    assert in_plain_names("/home/me/.uploads/f00/a.bib is damaged: see /home/me/stars", order) == (
        "a.bib is damaged: see stars"
    )


def test_a_build_that_was_cut_short_is_offered_again_until_it_is_discarded(tmp_path: Path) -> None:
    order = Order("build", tmp_path / "stars", {"sources": ["a.bib"]})
    order.folder.mkdir()
    (tmp_path / ".orders").mkdir()
    (tmp_path / ".orders" / "of-another-version.json").write_text(
        '{"work": "build", "folder": "/home/me/stars", "sources": ["a.bib"]}', encoding="utf-8"
    )
    works.reminder(order.folder, tmp_path).write_text(write_order(order), encoding="utf-8")
    assert works.resumable(tmp_path, is_owner=True) == {order.folder: order}
    assert works.resumable(tmp_path, is_owner=False) == {}  # another visitor's
    works.discard(order, tmp_path)
    assert (works.resumable(tmp_path, is_owner=True), order.folder.exists()) == ({}, False)


def test_one_build_runs_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Running(Child):
        def __init__(self, order: Order, *_: object, **_settings: object) -> None:
            self.order, self.state = order, OrderState.RUNNING

        def stop(self) -> None:
            self.state = OrderState.STOPPED

    monkeypatch.setattr(works, "Child", Running)
    first, second = (Order("build", tmp_path / name, {"sources": ["a.bib"]}) for name in ("first", "second"))
    works.begin(first, tmp_path, {})
    with pytest.raises(UsageError, match="another library is being built or changed here: wait"):
        works.begin(second, tmp_path, {})
    works.stop_all()
    works.begin(second, tmp_path, {})
    assert list(works.all_works(is_owner=True)) == [first.folder, second.folder]
    works.stop_all()
    for order in (first, second):
        works.discard(order, tmp_path)


def test_permission_to_update_is_none_to_remove_papers_or_to_go_back(corpus_page: Open) -> None:
    page = corpus_page(PATHFINDER_VISITORS_MAY="update")
    assert [button.label for button in page.button] == ["Update"]
    assert not page.text_area


def test_a_source_is_dropped_from_updates_on_the_page(corpus_page: Open, golden_corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(golden_corpus, copy)
    manifest = replace(read_manifest(copy)[0], sources=(SourceEntry("/gone.bib"), SourceEntry("arxiv:cat:astro-ph.GA")))
    write_manifest(copy, manifest)
    page = corpus_page(copy, here=True)
    ran(page.selectbox("change-source").select("/gone.bib").run())
    ran(page.button("drop-source").click().run())
    assert [entry.dropped for entry in read_manifest(copy)[0].sources] == [True, False]
    assert page.selectbox("change-source").options == ["arxiv:cat:astro-ph.GA"]
    visited = corpus_page(copy, PATHFINDER_VISITORS_MAY="update")
    assert not [box for box in visited.selectbox if box.key == "change-source"]


def test_a_link_to_a_corpus_that_is_not_offered_says_so(at: Open) -> None:
    assert "the link's library 'theirs' is not offered here" in page_text(at("app", corpus_="theirs"))


@pytest.fixture
def built_by_a_visitor(tmp_path: Path) -> Path:
    """A corpus that the visitor with the key "mine" has built."""
    place = visitors.new_place("stars", "mine", tmp_path / "home")
    place.parent.mkdir(parents=True)
    return corpus_of(tmp_path, GALAXIES, PLANETS).rename(place)


def boxes(page: AppTest) -> list[list[str]]:
    return [box.options for box in page.radio if box.label == "Open library"]


def buttons(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def test_a_visitor_finds_their_corpus_again_by_the_key_in_the_address(
    corpus_page: Open, built_by_a_visitor: Path
) -> None:
    assert boxes(corpus_page(PATHFINDER_VISITORS_MAY="files")) == []
    address = {"visit": "mine"}
    page = corpus_page(address=address, PATHFINDER_VISITORS_MAY="files")
    assert boxes(page) == [["corpus", "stars"]]
    assert "Anyone with the address of this page" in page_text(page)
    (switch,) = [box for box in page.radio if box.label == "Open library"]
    ran(switch.set_value("stars").run())
    assert {"Update", "Remove"} <= set(buttons(page))
    assert dict(page.query_params.items()) == {"visit": "mine", "corpus": f"stars-{built_by_a_visitor.parent.name}"}


@pytest.fixture
def built_by_another(tmp_path: Path) -> Path:
    """A corpus that the visitor with the key "theirs" has built."""
    place = visitors.new_place("planets", "theirs", tmp_path / "home")
    (tmp_path / "another").mkdir()
    shutil.copytree(corpus_of(tmp_path / "another", PLANETS), place)
    return place


@pytest.mark.usefixtures("built_by_a_visitor", "built_by_another")
@pytest.mark.parametrize("is_new_tab", [False, True])
def test_a_key_in_a_link_takes_the_place_of_ones_own_only_if_one_says_so(
    is_new_tab: bool, corpus_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_new_tab:  # the browser still has the key of an earlier visit
        monkeypatch.setattr(visit_corpus, "cookie", lambda name: "mine" if name == visit_corpus.COOKIE else None)
        page = corpus_page(address={"visit": "theirs"}, PATHFINDER_VISITORS_MAY="files")
    else:
        page = corpus_page(address={"visit": "mine"}, PATHFINDER_VISITORS_MAY="files")
        page.query_params["visit"] = "theirs"
        ran(page.run())
    assert (boxes(page), page.query_params["visit"]) == ([["corpus", "stars"]], "mine")
    ran(page.button("keep-set").click().run())
    assert (boxes(page), page.query_params["visit"]) == ([["corpus", "stars"]], "mine")
    assert not {"Keep mine", "Open the other set"} & set(buttons(page))
    page.query_params["visit"] = "theirs"
    ran(page.run())
    ran(page.button("open-set").click().run())
    assert (boxes(page), page.query_params["visit"]) == ([["corpus", "planets"]], "theirs")


@pytest.mark.usefixtures("built_by_another")
def test_whoever_comes_with_a_key_may_begin_a_set_of_their_own(corpus_page: Open) -> None:
    page = corpus_page(address={"visit": "theirs"}, PATHFINDER_VISITORS_MAY="files")
    ran(page.button("own-set").click().run())
    assert (boxes(page), dict(page.query_params.items())) == ([], {})


def test_a_key_changes_nothing_that_the_owner_no_longer_allows(corpus_page: Open, built_by_a_visitor: Path) -> None:
    link = visitors.link_name(built_by_a_visitor, built_by_a_visitor.parents[3])
    page = corpus_page(address={"visit": "mine", "corpus": str(link)})
    assert buttons(page) == []


def test_a_link_to_a_visitors_corpus_lets_others_read_it_and_no_more(
    corpus_page: Open, built_by_a_visitor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus_page(PATHFINDER_VISITORS_MAY="files")  # the settings, for the app
    page = page_at("app")
    link = str(visitors.link_name(built_by_a_visitor, built_by_a_visitor.parents[3]))
    page.query_params["corpus"] = link
    assert "stars · 2 papers" in open_library(ran(page.run()))
    assert dict(page.query_params.items()) == {"corpus": link}
    ran(page.switch_page("library.py").run())
    assert "Update" not in buttons(page)
    assert "Anyone with the address" not in page_text(page)


def test_no_other_page_keeps_the_key_in_its_address_or_wonders_at_it(ask: Open) -> None:
    page = ask(visit="mine")
    assert "visit" not in page_text(page)
    assert dict(page.query_params.items()) == {}


def test_a_key_that_leads_nowhere_says_why(corpus_page: Open) -> None:
    page = corpus_page(address={"visit": "../../etc"})
    assert "libraries that nobody opens for 30 days are deleted" in page_text(page)
    assert dict(page.query_params.items()) == {}


def test_a_corpus_that_nobody_opens_is_deleted_when_the_page_is_opened(
    corpus_page: Open, built_by_a_visitor: Path
) -> None:
    long_ago = built_by_a_visitor.stat().st_mtime - 3 * 24 * 3600
    for path in (built_by_a_visitor, built_by_a_visitor.parent):
        os.utime(path, (long_ago, long_ago))
    corpus_page(PATHFINDER_VISITORS_KEEP_DAYS="2")
    assert not built_by_a_visitor.parent.exists()


def test_a_switch_is_in_the_address_so_that_a_reload_opens_the_same_corpus(corpus_page: Open, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    corpus_of(tmp_path, GALAXIES).rename(tmp_path / "home" / "mine")
    page = corpus_page(here=True)
    (switch,) = [box for box in page.radio if box.label == "Open library"]
    ran(switch.set_value("mine").run())
    assert dict(page.query_params.items()) == {"corpus": "mine"}


MERGE = Merge("2501.1", "10.1/x", "Dust", "two.ris", 4, "identifier", "doi:10.1/x")


@pytest.mark.parametrize(
    ("merges", "rows", "undo"),
    [
        (
            [MERGE, replace(MERGE, merged_id="10.1/y", conflicts=(Conflict("year", "2025", "2021"),))],
            ["year: 2025 | 2021", ""],  # those to review first
            ["10.1/y: Dust", "10.1/x: Dust"],
        ),
        ([replace(MERGE, merged_id="2501.1")], [""], []),  # records of the same id cannot be two papers
    ],
)
def test_merges_are_listed_with_both_values_and_undone_where_they_can_be(
    merges: list[Merge], rows: list[str], undo: list[str], corpus_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "read_merges", lambda _: merges)
    page = corpus_page(here=True)
    (table,) = [frame.value for frame in page.dataframe if "Conflicts" in frame.value]
    assert list(table["Conflicts"]) == rows
    assert [box.options for box in page.selectbox if box.label == "Record to turn into a separate paper"] == (
        [undo] if undo else []
    )


def test_all_papers_are_listed_the_newest_first_and_found_by_words_of_their_titles(corpus_page: Open) -> None:
    page = corpus_page()
    page.session_state["library-tabs"] = "All papers"
    ran(page.run())
    (table,) = [part.value for part in page.dataframe if "star" in part.value]
    years = [year for year in table["year"] if year == year]  # not a number where it is not known
    assert len(table) == 33
    assert years == sorted(years, reverse=True)
    page.text_input(key="library-filter").set_value("hubble const")
    ran(page.run())
    (table,) = [part.value for part in page.dataframe if "star" in part.value]
    assert len(table) > 0
    assert all("hubble const" in title.lower() for title in table["title"])
