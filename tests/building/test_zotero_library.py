"""A Zotero library comes with its files, notes and collections, and twice without doubles."""

import io
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from pathfinder.building import build
from pathfinder.building.progress import Silent
from pathfinder.building.zotero_library import _shelf_names, take_in_zotero
from pathfinder.corpus.manifest import corpus_name
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import ProviderError
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.store import FullTexts
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.child.orders import Order, write_order
from pathfinder.operations.child.program import Messages, outcome
from pathfinder.shelves.shelf import SHELVES, ShelfStore
from tests.building.test_filling import guests_at
from tests.sources.hosts.json_hosts import as_json, item, zotero
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

pytestmark = pytest.mark.build

ITEMS = [
    item(1, collections=["COLLDUST"]),
    item(2, title="Ice in the rings", DOI="10.1/2", extra="", collections=["COLLDUST", "COLLICES"]),
    item(3, title="Winds of hot stars", DOI="10.1/3", extra=""),
]
PARENTS = {
    "COLLDUST": {"name": "Dust", "parentCollection": False},
    "COLLICES": {"name": "Ices", "parentCollection": "COLLDUST"},
}


def part(key, **data):
    return {"key": key, "version": 5, "data": data}


def library(folder):
    attached = [
        part("FILE0001", itemType="attachment", parentItem="AAAA0001", linkMode="imported_file", filename="dust.tex"),
        part("FILE0002", itemType="attachment", parentItem="AAAA0002", linkMode="imported_file", filename="ice.tex"),
        part("FILE0003", itemType="attachment", parentItem="AAAA0003", linkMode="linked_url", title="Page"),
    ]
    notes = [
        part("NOTE0001", itemType="note", parentItem="AAAA0002", note="<p>Read <b>table 2</b>.</p><p>Ask Bo.</p>"),
        part("NOTE0002", itemType="note", parentItem="AAAA0003", note="<p>Later.</p>"),
        part("NOTE0003", itemType="note", note="<p>Alone.</p>"),
    ]
    (folder / "dust.tex").write_text("\\documentclass{article}\\begin{document}We measure dust.\\end{document}")
    papers = zotero(ITEMS, is_local=True)

    def answer(request):
        if request.path == "/api/users/0/collections":
            return as_json([part(key, **data) for key, data in PARENTS.items()])
        if request.path.endswith("/file/view/url"):
            name = "dust.tex" if "FILE0001" in request.path else "not downloaded.tex"
            return Reply((folder / name).as_uri().encode(), kind="text/plain")
        kind = request.query["itemType"]
        if kind in ("attachment", "note"):
            return as_json(attached if kind == "attachment" else notes)
        return papers(request) if "start" in request.query else as_json(ITEMS)

    return LoopbackHost(answer)


def taken(tmp_path, host):
    settings = {"zotero_local_url": host.address, "data": tmp_path / "data"}
    guests = replace(guests_at(host, tmp_path, **settings), read=read_apart)
    return take_in_zotero(tmp_path / "corpus", HashEmbedder(16), guests, Silent())


def test_a_library_comes_with_files_notes_and_collections_and_twice_without_doubles(tmp_path):
    with running(library(tmp_path)) as host:
        report = taken(tmp_path, host)
        corpus, name = tmp_path / "corpus", corpus_name(tmp_path / "corpus")
        shelves = ShelfStore(tmp_path / "data", name).shelves()
        again = taken(tmp_path, host)
    ids = {paper.title: paper.paper_id for paper in verify_corpus(corpus).papers}
    assert len(ids) == report.n_papers == again.n_papers == 3
    assert list(FullTexts.open(corpus).texts) == [ids["Dust 1"]]
    assert [(each.file, each.paper_id, each.by) for each in report.files] == [
        ("dust.tex", ids["Dust 1"], "--paper"),
        ("ice.tex", None, None),
    ]
    assert again.files[0].by == "stored before"
    assert "open it in Zotero once" in str(report.files[1].why)
    assert report.shelves == {"Dust": 2, "Dust / Ices": 1}
    notes = {(shelf.name, paper.paper_id): paper.note for shelf in shelves for paper in shelf.papers if paper.note}
    assert notes == {
        ("Dust", ids["Ice in the rings"]): "Read table 2.\n\nAsk Bo.",
        ("Dust / Ices", ids["Ice in the rings"]): "Read table 2.\n\nAsk Bo.",
        ("Zotero", ids["Winds of hot stars"]): "Later.",
    }
    assert ShelfStore(tmp_path / "data", name).shelves() == shelves


def test_papers_that_the_library_had_before_get_their_files_notes_and_shelves_too(tmp_path):
    bib = tmp_path / "mine.bib"
    bib.write_text("@article{b, title={Ice in the rings}, author={Berg, Ada}, year=2026, doi={10.1/2}}")
    build([bib], tmp_path / "corpus", HashEmbedder(16))
    with running(library(tmp_path)) as host:
        report = taken(tmp_path, host)
    shelves = ShelfStore(tmp_path / "data", corpus_name(tmp_path / "corpus")).shelves()
    assert report.n_papers == 3
    assert report.shelves == {"Dust": 2, "Dust / Ices": 1}
    assert {paper.note for shelf in shelves for paper in shelf.papers if paper.paper_id == "10.1/2"} == {
        "Read table 2.\n\nAsk Bo."
    }


def test_a_collection_that_is_refused_as_a_shelf_is_in_the_result_of_the_order(tmp_path, monkeypatch):
    with running(library(tmp_path)) as host:
        taken(tmp_path, host)
        store = ShelfStore(tmp_path / "data", corpus_name(tmp_path / "corpus"))
        with closing(sqlite3.connect(store.place / SHELVES.file)) as database, database:
            database.execute("update versions set record = '{' where name = 'Dust'")
        monkeypatch.setenv("PATHFINDER_ZOTERO_LOCAL_URL", host.address)
        monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))
        order = Order("complete", tmp_path / "corpus", {"only": ["texts"], "max_texts": 0, "zotero": True})
        message = outcome(write_order(order), Messages(io.StringIO()))
    assert message.error is None
    assert list(message.result["refused"]) == ["Dust"]
    assert "holds a shelf that cannot be read" in message.result["refused"]["Dust"]


def test_a_zotero_that_is_not_running_changes_nothing(tmp_path):
    with running(LoopbackHost(lambda _: Reply(b"", 503))) as host, pytest.raises(ProviderError, match="Zotero"):
        taken(tmp_path, host)
    assert not (tmp_path / "corpus" / "manifest.json").exists()


def test_collections_with_one_name_stay_apart_and_unprintable_characters_are_dropped():
    collections = [part(key, name=name) for key, name in (("B", "Du\u200dst"), ("A", "Dust"), ("C", "\u200d"))]
    assert _shelf_names(collections) == {"A": "Dust", "B": "Dust (2)", "C": "C"}
