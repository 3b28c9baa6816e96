"""Builds and updates begun on the Corpus page: what they are told, and what becomes of the keys that they need."""

import io
import logging
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import FileUploader

from pathfinder import building
from pathfinder.building import filling, flow
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.child import program
from pathfinder.operations.child.orders import Child, Message, Order, OrderState, write_order
from pathfinder.settings import Settings
from pathfinder.ui.corpus import new_panel, permissions, works
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.corpus.upkeep import NO_TEXTS
from pathfinder.ui.shared import visit_corpus, visitors
from tests.building.conftest import GALAXIES, PLANETS
from tests.places import Open, page_at
from tests.sources.hosts.json_hosts import item, zotero
from tests.sources.hosts.loopback import LoopbackHost, Reply, running
from tests.ui.test_pages import corpus_of, page_text, ran

KEY = "P9NiFoyLeZu2bZNvvuQPDWsd"
SCALE = Path(__file__).parents[2] / "benchmarks" / "SCALE.md"
BIB = b"@article{a, title = {Dust in galaxies}, author = {Berg, Ada}, year = {2020}, abstract = {We measure dust.}}"
PROFILE = (Path(__file__).parents[2] / "benchmarks" / "profiles" / "scifact.toml").read_bytes()


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    """The orders that the page gives, carried out at once and in this process."""
    orders: list[Order] = []

    class Here(Child):
        def __init__(
            self,
            order: Order,
            reminder: Path | None = None,
            keys: Mapping[str, str] | None = None,
            *,
            is_private: bool = False,
        ) -> None:
            orders.append(order)
            self.order = order
            if reminder is not None:
                reminder.parent.mkdir(parents=True, exist_ok=True)
                reminder.write_text(write_order(order), encoding="utf-8")
            with pytest.MonkeyPatch.context() as environment:
                for name, key in (keys or {}).items():
                    environment.setenv(name, key)
                last = program.outcome(write_order(order), program.Messages(io.StringIO()))
            self.result, self.error = last.result, last.error or ""
            self.state = OrderState.COMPLETE if last.result is not None else OrderState.FAILED

        def wait(self, seconds: float) -> bool:
            return True

        def stop(self) -> None:
            pass

    monkeypatch.setattr(works, "Child", Here)
    monkeypatch.setattr(new_panel, "Child", Here)
    monkeypatch.setattr(works, "_WORKS", {})
    monkeypatch.setattr(building, "embedder_for", lambda *_, **__: HashEmbedder(16))
    monkeypatch.setattr(flow, "fetch_uat", lambda *_: tmp_path / "uat.json")
    return orders


@pytest.fixture
def empty_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, orders: list[Order]) -> Open:
    """Opens the page without a corpus, at this machine or elsewhere."""

    def visit(*, here: bool = True, **settings: str) -> AppTest:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PATHFINDER_NEW_CORPORA", str(tmp_path / "home"))
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))
        for module in (permissions, visit_corpus):
            monkeypatch.setattr(module, "is_visited_here", lambda: here)
        return ran(page_at("library").run())

    return visit


def files_below(folder: Path) -> str:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).decode("latin-1")


def press(page: AppTest, label: str) -> AppTest:
    (button,) = [button for button in page.button if button.label == label]
    return ran(button.click().run())


@pytest.mark.build
def test_a_key_that_is_typed_is_in_no_manifest_cursor_log_or_link(
    empty_page: Open, orders: list[Order], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with running(LoopbackHost(zotero([item(1), item(2)], KEY))) as host:
        page = empty_page(PATHFINDER_ZOTERO_URL=host.address)
        ran(page.radio(key="new-origin").set_value("Sources").run())
        page.text_area[0].set_value("zotero:users/7")
        assert "ZOTERO_API_KEY" in page_text(press(page, "Preview"))
        (field,) = [field for field in page.text_input if field.label.startswith("ZOTERO_API_KEY")]
        field.set_value(KEY)
        press(page, "Preview")
        press(page, "Build")
        assert "2 papers: 2 new" in page_text(page)
        page.toggle(key="update-new-map").set_value(True)
        press(page, "Update")
    assert orders[-1] == Order("update", orders[-1].folder, {"new_map": True, "retractions": None})
    assert "is updated. nothing new" in page_text(page)
    press(page, "Embed again")
    assert orders[-1].options == {"re_embed": True}
    assert "has new vectors and a new map. 2 papers" in page_text(page)
    assert {request.headers.get("zotero-api-key") for request in host.requests} == {None, KEY}
    contents = files_below(tmp_path)
    assert "zotero:users/7" in contents
    seen = "".join(map(str, page.query_params.items())) + page_text(page)
    assert KEY not in contents + caplog.text + seen


def test_a_visitor_reads_with_no_key_of_the_owner_that_opens_private_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", KEY)
    visitor = Permissions(is_owner=False, granted_permissions=frozenset({"sources"}))
    monkeypatch.setattr(permissions.st, "session_state", {})
    hidden = permissions.environment(visitor)
    assert hidden == {"HF_TOKEN": "", "ZOTERO_API_KEY": ""}
    assert permissions.environment(Permissions(is_owner=True, granted_permissions=frozenset())) == {}
    assert permissions.environment(visitor, Path("/srv/stars")) == {}  # its sources are the owner's choice
    home = Path("/home/me")
    theirs = visitors.new_place("stars", "key", home)
    assert permissions.hidden_in(Order("update", theirs), home) == hidden
    assert permissions.hidden_in(Order("update", home / "stars"), home) == {}
    monkeypatch.setenv("HF_TOKEN", hidden["HF_TOKEN"])
    assert Settings(_env_file=None).hf_token is None


def test_completing_a_visitors_corpus_never_uses_the_servers_semantic_scholar_key_even_if_resumed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    began: list[Mapping[str, str]] = []
    monkeypatch.setattr(works, "Child", lambda _order, _file, environment, **_: began.append(environment))
    monkeypatch.setattr(works, "check_free", lambda: None)
    monkeypatch.setattr(works, "_WORKS", {})
    monkeypatch.setattr(works.st, "session_state", {})
    theirs, own = visitors.new_place("stars", "key", tmp_path), tmp_path / "stars"
    visitors.make_folder(theirs.parent, tmp_path)
    for may in (
        Permissions(is_owner=False, granted_permissions=frozenset({"sources"})),
        Permissions(True, frozenset()),
    ):
        for folder in (theirs, own):
            works.begin(Order("build", folder, {"complete": True}), tmp_path, permissions.environment(may, folder))
            works.begin(Order("complete", folder), tmp_path, permissions.environment(may, folder))
    assert [environment.get("SEMANTIC_SCHOLAR_API_KEY") for environment in began] == ["", "", None, None] * 2


@pytest.mark.build
def test_a_library_is_filled_after_its_build_and_pdfs_become_one_if_the_visitor_agrees(
    empty_page: Open, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = filling.FillReport({"doi": 3}, (filling.Gap("a", "abstract", "none has it", ()),), (), 2.0)
    monkeypatch.setattr(filling, "fill", lambda *_, **__: filled)
    page = empty_page()
    ran(page.file_uploader[0].upload("a.bib", BIB).run())
    ran(page.checkbox(key="new-complete-None").check().run())
    press(page, "Build")
    assert (orders[-1].work, orders[-1].options["complete"]) == ("build", True)
    assert "1 paper: 1 new, 3 gaps filled, 1 gap left, in 2 s." in page_text(page)
    ran(page.file_uploader[0].upload("../Scan (2).pdf", b"%PDF-1.4").run())
    assert [button.disabled for button in page.button if button.label == "Build"] == [True]
    ran(page.checkbox(key="new-complete-None").check().run())
    press(page, "Build")
    assert (orders[-1].work, orders[-1].names, orders[-1].folder.name) == ("build", ("Scan (2).pdf",), "my-papers")
    assert [box.value for box in page.warning] == ["my\\-papers was not built: none of the files was recognised."]


def test_a_build_is_given_a_profile_a_thesaurus_and_small_tokens(empty_page: Open, orders: list[Order]) -> None:
    page = empty_page()
    ran(page.file_uploader[0].upload("My Library.bib", BIB).run())
    page.radio(key="new-tokens-0").set_value("small")
    page.selectbox(key="new-profile-0").set_value("file")
    ran(page.selectbox(key="new-thesaurus-0").set_value("uat").run())
    assert "Drop the file here to continue." in page_text(page)
    assert [button.disabled for button in page.button if button.label == "Build"] == [True]
    (field,) = [field for field in page.file_uploader if "TOML" in field.label]
    ran(field.upload("../scifact.toml", PROFILE).run())
    press(page, "Build")
    order = orders[-1]
    assert (order.work, order.options["tokens"], order.options["thesaurus"]) == ("build", "small", "uat")
    profile = Path(order.options["profile"])
    assert profile.read_bytes() == PROFILE
    assert profile.relative_to(order.folder.parent).parts[0] == ".my-library.sources"


def test_a_broken_profile_is_named_before_anything_is_built(empty_page: Open) -> None:
    page = empty_page()
    ran(page.file_uploader[0].upload("a.bib", BIB).run())
    ran(page.selectbox(key="new-profile-0").set_value("file").run())
    (field,) = [field for field in page.file_uploader if "TOML" in field.label]
    ran(field.upload("field.toml", b"title = 'Stars'").run())
    assert "field.toml: " in page_text(page)
    assert "this key is missing" in page_text(page)
    assert "Build" not in [button.label for button in page.button]


def test_visitors_choose_a_thesaurus_of_what_they_may_and_no_profile(empty_page: Open) -> None:
    page = empty_page(here=False, PATHFINDER_VISITORS_MAY="files")
    ran(page.file_uploader[0].upload("a.bib", BIB).run())
    assert page.selectbox(key="new-thesaurus-0").options == ["None", "From a file"]
    assert "Field" not in [box.label for box in page.selectbox]


def test_a_thesaurus_is_given_to_the_open_corpus_alone(
    empty_page: Open, orders: list[Order], golden_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "outcome", lambda *_: Message(result={}))
    page = empty_page(PATHFINDER_CORPUS=str(golden_corpus))
    ran(page.selectbox(key="open-thesaurus-0").set_value("file").run())
    (field,) = [field for field in page.file_uploader if "SKOS" in field.label]
    ran(field.upload("t.json", b"[]").run())
    press(page, "Apply")
    assert (orders[-1].work, orders[-1].folder, orders[-1].options["sources"]) == ("build", golden_corpus, [])
    assert orders[-1].options["thesaurus"].endswith("t.json")


def test_the_space_for_a_paper_is_said_as_it_was_measured() -> None:
    (sums,) = re.findall(r"\| sum \| .* \| ([\d,]+) \| \*\*([\d,]+)\*\* \|", SCALE.read_text(encoding="utf-8"))
    full, small = (round(int(n_bytes.replace(",", "")) / 1000, 1) for n_bytes in sums)
    assert new_panel.COSTS["full"].startswith(f"{full} kB")
    assert new_panel.COSTS["small"].startswith(f"{small} kB")


def uploader(page: AppTest) -> FileUploader:
    (field,) = [field for field in page.file_uploader if field.label == "Full-text files"]
    return field


@pytest.mark.build
def test_files_of_full_texts_are_added_read_in_their_own_names_and_removed(
    empty_page: Open, orders: list[Order], tmp_path: Path
) -> None:
    corpus = corpus_of(tmp_path, GALAXIES, {**PLANETS, "arxiv_id": "2408.01556"})
    page = empty_page(PATHFINDER_CORPUS=str(corpus))
    assert "None of the 2 papers has a full text." in page_text(page)
    ran(uploader(page).upload("arXiv_2408.01556v2.MD", b"# A title of its own\n\nIt is hot.\n").run())
    press(page, "Add")
    assert (orders[-1].work, orders[-1].options["names"]) == ("fulltext add", ["arXiv_2408.01556v2.MD"])
    assert "is ready: all files have been read. 1 added." in page_text(page)
    outcomes = page.dataframe[0].value
    assert outcomes.iloc[0].to_list() == ["arXiv_2408.01556v2.MD", "planets", "Markdown, by file name"]
    assert "1 of 2 papers have a full text (Markdown 1)" in page_text(page)
    ran(uploader(page).upload("other.md", b"# Nothing known\n\nAt all.\n").run())
    press(page, "Add")
    assert "1 rejected." in page_text(page)
    assert "- other.md: no paper in the corpus has its identifiers or its title" in page_text(page)
    ran(uploader(page).upload("other.md", b"# Nothing known\n\nAt all.\n").run())
    (field,) = [field for field in page.text_input if field.label == "Id of the paper, if the file is not recognised"]
    field.set_value("galaxies")
    press(page, "Add")
    assert "2 of 2 papers have a full text (Markdown 2)" in page_text(page)
    page.selectbox(key="texts-remove-id").set_value("galaxies").run()
    press(page, "Remove this text")
    page.selectbox(key="texts-remove-id").set_value("planets").run()
    press(page, "Remove this text")
    assert "None of the 2 papers has a full text." in page_text(page)


def test_visitors_add_full_texts_only_to_what_they_built(empty_page: Open, golden_corpus: Path) -> None:
    settings = {"PATHFINDER_CORPUS": str(golden_corpus), "PATHFINDER_VISITORS_MAY": "files,sources,update"}
    page = empty_page(here=False, **settings)
    assert NO_TEXTS in [caption.value for caption in page.caption]
    assert "Full-text files" not in [field.label for field in page.file_uploader]


def vectors_of_a_parquet_file() -> None:
    import streamlit as st

    from pathfinder.errors import UsageError
    from pathfinder.operations.child.orders import PREVIEW, Order
    from pathfinder.ui.corpus.new_panel import with_vectors

    try:
        options = with_vectors(Order(PREVIEW, options={"sources": ["/tmp/papers.parquet"]})).options
        st.write(f"{options.get('vectors')} by {options.get('embedder')}")
    except UsageError as error:
        st.error(str(error))


def test_vectors_in_a_parquet_file_are_used_with_the_model_that_made_them() -> None:
    page = AppTest.from_function(vectors_of_a_parquet_file).run()
    assert page.markdown[0].value == "None by None"
    page.text_input[0].set_value("embedding").run()
    assert "the vectors in 'embedding' need the model that made them" in page.error[0].value
    page.text_input[1].set_value("openai:text-embedding-3-small").run()
    assert page.markdown[0].value == "embedding by openai:text-embedding-3-small"


@pytest.mark.build
def test_an_update_looks_for_retractions_where_it_is_told_to(
    empty_page: Open, orders: list[Order], tmp_path: Path
) -> None:
    csv_text = (
        b"RetractionDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n5/31/2021 0:00,10.1/X,0,Retraction\n"
    )
    with running(LoopbackHost(lambda request: Reply(csv_text, kind="text/csv"))) as host:
        page = empty_page(PATHFINDER_RETRACTIONS_URL=host.address, PATHFINDER_CACHE=str(tmp_path / "cache"))
        source = tmp_path / "papers.jsonl"
        source.write_text(
            '{"id": "a", "title": "Dust", "abstract": "We find dust.", "doi": "10.1/x"}', encoding="utf-8"
        )
        ran(page.radio(key="new-origin").set_value("Sources").run())
        page.text_area[0].set_value(str(source))
        press(page, "Preview")
        press(page, "Build")
        page.toggle(key="update-retractions").set_value(True)
        press(page, "Update")
    assert [error.value for error in page.error] == []
    assert orders[-1].options["retractions"] == "crossref"
    assert "1 retracted" in page_text(page)
