"""The morning: new papers close to what a reader keeps, new versions, withdrawals, and sources that did not answer."""

import datetime
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from starlette.testclient import TestClient

from pathfinder.addons.standing import morning as morning_module
from pathfinder.addons.standing.morning import KeptPaper, Morning, Outage, Taste, category_of, morning_of
from pathfinder.addons.standing.morning_operation import (
    atom_feed,
    days_of,
    headline,
    json_feed,
    morning_markdown,
    sources_of,
)
from pathfinder.addons.standing.mornings import MORNINGS, OwnMornings, StoredMornings, feed_json
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import rename_shelf
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.shelves.shelf import Shelf, ShelfStore, State
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper, Provenance
from tests.sources.hosts.arxiv import arxiv_id, day_of, oai_set, record
from tests.sources.hosts.loopback import NOON, LoopbackHost, Reply, running

DAY = datetime.date(2026, 6, 2)
SUPERNOVAE = {
    "id": "new-1",
    "title": "Distant supernovae and the expansion of the universe",
    "abstract": "We measure the expansion rate of the universe and the cosmological constant with type Ia supernovae.",
    "date": "2026-06-02",
}
PLANETS = {
    "id": "new-2",
    "title": "Clouds on a hot planet",
    "abstract": "We observe silicate clouds in the atmosphere of a transiting exoplanet.",
    "date": "2026-06-02",
}
KEPT = ("riess-1998", "riess-2022")


@pytest.fixture
def night(tmp_path: Path) -> str:
    path = tmp_path / "night.jsonl"
    path.write_text("\n".join(map(json.dumps, (PLANETS, SUPERNOVAE))), encoding="utf-8")
    return str(path)


def kept(pf: Pathfinder, *ids: str, since: datetime.date | None = None) -> tuple[KeptPaper, ...]:
    return tuple(KeptPaper(pf.corpus.papers[int(row)], since) for row in pf.corpus.papers.rows_of(ids))


def test_the_closest_paper_is_first_and_names_the_papers_it_is_close_to(pf: Pathfinder, night: str) -> None:
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    assert [each.paper.title for each in found.papers] == [SUPERNOVAE["title"], PLANETS["title"]]
    assert found.n_new == 2
    assert set(found.papers[0].close_to) == set(KEPT)
    assert "2 papers on Expansion" in found.papers[0].reason


def test_the_month_of_stars_is_named_where_it_is_known(pf: Pathfinder, night: str) -> None:
    starred = kept(pf, *KEPT, since=datetime.date(2026, 5, 4))
    found = morning_of(pf, Taste("Expansion", starred), [night], DAY, DAY)
    assert "2 papers that you starred in May" in found.papers[0].reason
    assert found.papers[1].reason.startswith("not close to any paper on Expansion")
    both = morning_of(pf, Taste("Expansion", (*starred[:1], *kept(pf, *KEPT[1:]))), [night], DAY, DAY)
    assert "2 papers that you keep" in both.papers[0].reason


def test_a_starred_paper_is_no_reason_for_itself(pf: Pathfinder, night: str) -> None:
    starred = KeptPaper(Paper("new-1", SUPERNOVAE["title"], SUPERNOVAE["abstract"]), DAY)
    found = morning_of(pf, Taste("Expansion", (*kept(pf, *KEPT), starred)), [night], DAY, DAY)
    (own,) = (each for each in found.papers if each.paper.title == SUPERNOVAE["title"])
    assert set(own.close_to) == set(KEPT)


def test_a_paper_closer_to_a_dismissed_one_comes_last(pf: Pathfinder, night: str) -> None:
    unwanted = KeptPaper(Paper("x", SUPERNOVAE["title"], SUPERNOVAE["abstract"]))
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT), (unwanted,)), [night], DAY, DAY)
    assert [each.paper.title for each in found.papers] == [PLANETS["title"], SUPERNOVAE["title"]]
    assert "not for you" in found.papers[-1].reason


def test_a_source_that_fails_is_an_outage_and_the_others_are_ranked(pf: Pathfinder, night: str) -> None:
    taste = Taste("Expansion", kept(pf, *KEPT))
    found = morning_of(pf, taste, [night, "nowhere.jsonl"], DAY, DAY)
    assert [outage.source for outage in found.outages] == ["nowhere.jsonl"]
    assert len(found.papers) == 2
    silent = morning_of(pf, taste, ["nowhere.jsonl"], DAY, DAY)
    assert "no new" not in headline(silent)
    assert "unknown" in headline(silent)


def test_a_host_that_does_not_come_back_is_an_outage_with_its_reason(
    pf: Pathfinder, night: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    busy = Reply(b"", 503, headers={"Retry-After": "30"})
    with running(LoopbackHost(lambda request: busy)) as host:
        monkeypatch.setenv("PATHFINDER_OAI_URL", host.address)
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path))
        taste = Taste("Expansion", kept(pf, *KEPT))
        found = morning_of(pf, taste, ["oai:cs", night], DAY, DAY, clock=host.clock)
    (outage,) = found.outages
    assert outage.source == "oai:cs"
    assert "503" in outage.reason
    assert "given up for this morning" in outage.reason
    assert (host.pauses, host.time) == ([30.0, 30.0], NOON + 60.0)  # a third wait would be longer than a minute in all
    assert len(found.papers) == 2


def test_papers_outside_the_days_and_those_of_the_corpus_are_not_new(pf: Pathfinder, tmp_path: Path) -> None:
    known = next(paper for paper in pf.corpus.papers if paper.paper_id == KEPT[0])
    rows = ({**SUPERNOVAE, "date": "2026-05-01"}, {**PLANETS, "id": known.paper_id, "title": known.title})
    path = tmp_path / "night.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [str(path)], DAY, DAY)
    assert (found.n_new, found.papers) == (0, ())


def test_first_versions_in_arxivs_list_are_new_though_they_were_submitted_earlier(
    pf: Pathfinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced = day_of(60)
    records = {
        59: record(59, announced),
        58: record(58, announced, is_withdrawn=True),
        2: record(2, announced),  # an old paper whose record has changed
        57: record(57, announced),
    }
    with running(LoopbackHost(oai_set(records, 10))) as host:
        monkeypatch.setenv("PATHFINDER_OAI_URL", host.address)
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path))
        taste = Taste("Expansion", kept(pf, *KEPT))
        found = morning_of(pf, taste, ["oai:cs"], announced, announced, clock=host.clock)
        assert {each.paper.paper_id for each in found.papers} == {arxiv_id(59), arxiv_id(57)}
        assert found.outages == ()
        monkeypatch.setattr(morning_module, "MAX_READ", 3)
        cut = morning_of(pf, taste, ["oai:cs"], announced, announced, clock=host.clock)
    assert ([each.paper.paper_id for each in cut.papers], cut.n_new) == ([arxiv_id(59)], 1)
    assert [outage.source for outage in cut.outages] == ["oai:cs"]
    assert "first 3 records" in cut.outages[0].reason


@pytest.mark.parametrize(
    ("known", "read", "change"),
    [
        (("arxiv", "v1", None), ("arxiv", "v2", None), "new version v2"),
        (("arxiv", "v9", None), ("arxiv", "v10", None), "new version v10"),
        (("arxiv", "v3", None), ("arxiv", "v2", None), None),
        (("arxiv", "v1", None), ("arxiv", "v1", None), None),
        (("openalex", "2026-01-01", None), ("arxiv", "v2", None), None),
        (("arxiv", "v1", None), ("arxiv", "v2", "withdrawn"), "withdrawn"),
        (("arxiv", "v1", "withdrawn"), ("arxiv", "v2", "withdrawn"), None),
    ],
)
def test_later_records_of_papers_in_the_corpus_are_changes(
    known: tuple[str, str, str | None], read: tuple[str, str, str | None], change: str | None
) -> None:
    own, later = (
        Paper("a", "A title", "An abstract.", status=status, provenance=(Provenance(source, "1", version),))
        for source, version, status in (known, read)
    )
    assert [each.change for each in morning_module._changes(own, later)] == ([change] if change else [])


def test_later_versions_of_papers_whose_version_here_is_unknown_are_counted(
    pf: Pathfinder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced = day_of(60)
    doi = "10.1146/annurev.aa.31.090193.002353"  # of a paper that was read from a file, which numbers no versions
    second = record(58, announced, is_withdrawn=True).replace("<source_type>I<", "<source_type>D<")
    records = {58: second.replace("10.1/58", doi), 57: record(57, announced).replace("10.1/57", doi)}
    with running(LoopbackHost(oai_set(records, 10))) as host:
        monkeypatch.setenv("PATHFINDER_OAI_URL", host.address)
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path))
        found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), ["oai:cs"], announced, announced, clock=host.clock)
    assert (found.n_new, found.changed, found.outages) == (0, (), ())
    (note,) = found.notes
    assert note.startswith("1 paper of the library has")
    assert for_markdown(note) in morning_markdown(found)


def test_stars_and_dismissals_are_read_into_the_taste_and_taken_back(pf: Pathfinder, night: str) -> None:
    shelf = Shelf("Expansion").add(KEPT).set_state(KEPT[0], State.OUT)
    papers = [each.paper for each in kept(pf, *KEPT)]
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    own, (first, second) = OwnMornings().with_morning(found), (each.paper.paper_id for each in found.papers)
    own = own.marked(first, is_star=True, on=DAY).marked(second, is_star=False, on=DAY)
    taste = own.taste(shelf, papers)
    assert [each.paper.paper_id for each in taste.kept] == [KEPT[1], first]
    assert [each.paper.paper_id for each in taste.dismissed] == [KEPT[0], second]
    assert own.marked(first, is_star=True, on=DAY).taste(shelf, papers).kept == kept(pf, KEPT[1])
    with pytest.raises(UsageError, match="no stored morning"):
        own.marked("unknown", is_star=True, on=DAY)
    gone = replace(own, mornings=()).marked(first, is_star=False, on=DAY)
    assert [mark.is_star for mark in gone.marks if mark.paper.paper_id == first] == [False]


def test_a_dismissed_paper_on_the_shelf_is_not_kept(pf: Pathfinder, night: str) -> None:
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    (paper_id, *_) = (each.paper.paper_id for each in found.papers)
    own = OwnMornings().with_morning(found).marked(paper_id, is_star=False, on=DAY)
    taste = own.taste(Shelf("Expansion").add((paper_id, KEPT[0])), [found.papers[0].paper, kept(pf, KEPT[0])[0].paper])
    assert taste.kept == kept(pf, KEPT[0])


def test_an_outage_does_not_take_away_the_papers_found_before(pf: Pathfinder, night: str) -> None:
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    silent = replace(found, n_new=0, papers=(), outages=(Outage("oai:cs", "error 503"),))
    own = OwnMornings().with_morning(found)
    (after,) = own.with_morning(silent).mornings
    assert (after.papers, after.n_new, after.outages) == (found.papers, 2, silent.outages)
    assert own.with_morning(replace(silent, outages=())).mornings[0].papers == ()


def test_mornings_follow_a_renamed_shelf_and_feeds_hold_those_of_shelves_that_exist(
    pf: Pathfinder, night: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    shelves, store = ShelfStore(tmp_path, pf.corpus.name), StoredMornings(tmp_path, pf.corpus.name)
    for name in ("Expansion", "Damaged"):
        shelves.change(name, lambda shelf: shelf.add(KEPT))
        store.change(name, lambda own: own.with_morning(found))
    with sqlite3.connect(tmp_path / MORNINGS.file) as database:
        database.execute("update mornings set record = '{' where name = 'Damaged'")
    rename_shelf(shelves, "Expansion", "Universe")
    assert store.read("Expansion") == OwnMornings()
    assert store.read("Universe").mornings == (found,)
    titles = [item["title"] for item in json.loads(feed_json(pf))["items"]]
    assert sorted(titles) == sorted([SUPERNOVAE["title"], PLANETS["title"], f"not read: {MORNINGS.file}"])
    for name in ("Universe", "Damaged"):
        shelves.delete(name)
    assert json.loads(feed_json(pf))["items"] == []


def test_mornings_are_stored_and_feeds_hold_each_paper_once(pf: Pathfinder, night: str, tmp_path: Path) -> None:
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night, "nowhere.jsonl"], DAY, DAY)
    store = StoredMornings(tmp_path / "data", pf.corpus.name)
    for _ in range(2):
        store.change("Expansion", lambda own: own.with_morning(found))
    (stored,) = store.read("Expansion").mornings
    assert stored == found
    later = replace(found, since=DAY + datetime.timedelta(1), until=DAY + datetime.timedelta(1), outages=())
    items = json.loads(json_feed([found, later]))["items"]
    assert len({item["id"] for item in items}) == len(items) == 3
    atom = fromstring(atom_feed([found, later]))
    assert len(atom.findall("{http://www.w3.org/2005/Atom}entry")) == 3
    assert "could not be read" in morning_markdown(found)


def test_words_from_a_source_stay_words_in_markdown_and_atom() -> None:
    hostile = Paper(
        "h", "<script>alert(1)</script> ![x](http://evil.example/x)", "&lt;b&gt; \x0b\uffff more", arxiv_id="2606.00001"
    )
    each = morning_module.MorningPaper(hostile, 1.0, "close to nothing", ())
    found = Morning("S", DAY, DAY, 1, (each,), (), (Outage("a", "b"),))
    markdown = morning_markdown(found)
    assert "![x]" not in markdown
    assert "<script>" not in markdown
    (title,) = (
        e.text
        for e in fromstring(atom_feed([found])).iter("{http://www.w3.org/2005/Atom}title")
        if "alert" in str(e.text)
    )
    assert title == "<script>alert(1)</script> ![x](http://evil.example/x)"


def test_categories_become_sets_of_arxiv() -> None:
    names = ["astro-ph.GA", "hep-th", "cs.LG"]
    sources = ["oai:physics:astro-ph:GA", "oai:physics:hep-th", "oai:cs:cs:LG"]
    assert sources_of(names) == sources
    assert [*map(category_of, (*sources, "oai:cs", "night.jsonl"))] == [*names, None, None]
    with pytest.raises(UsageError, match="no category"):
        sources_of(["../etc"])
    with pytest.raises(UsageError, match="no source"):
        sources_of([])


@pytest.mark.parametrize("day", ["0001-01-01", "yesterday"])
def test_a_day_that_cannot_be_the_last_is_refused(day: str) -> None:
    with pytest.raises(UsageError, match=day):
        days_of(30, day)


def test_the_feeds_of_mornings_are_for_the_owner_alone(
    pf: Pathfinder, night: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    ShelfStore(tmp_path, pf.corpus.name).change("Expansion", lambda shelf: shelf.add(KEPT))
    StoredMornings(tmp_path, pf.corpus.name).change("Expansion", lambda own: own.with_morning(found))
    client = TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600")
    answered = client.get("/api/v1/morning/feed.atom")
    assert answered.headers["content-type"].startswith("application/atom+xml")
    assert SUPERNOVAE["title"] in answered.text
    (itself,) = fromstring(answered.text).findall("{http://www.w3.org/2005/Atom}link")
    assert (itself.get("rel"), answered.url.join(itself.get("href"))) == ("self", answered.url)
    assert len(client.get("/api/v1/morning/feed.json").json()["items"]) == 2
    assert client.get("/api/v1/morning/feed.json", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 403
