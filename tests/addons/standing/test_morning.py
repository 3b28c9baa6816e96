"""The morning: new papers close to what a reader keeps, new versions, withdrawals, and sources that did not answer."""

import datetime
import json
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from starlette.testclient import TestClient

from pathfinder.addons.standing import morning as morning_module
from pathfinder.addons.standing.morning import KeptPaper, Morning, Outage, Taste, morning_of
from pathfinder.addons.standing.morning_files import atom_feed, headline, json_feed, morning_markdown
from pathfinder.addons.standing.morning_operation import sources_of
from pathfinder.addons.standing.mornings import OwnMornings, StoredMornings
from pathfinder.errors import ProviderError, UsageError
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.session import Pathfinder
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.types import Paper, Provenance

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
    taste = Taste("Expansion", kept(pf, *KEPT, since=datetime.date(2026, 5, 4)))
    assert "2 papers that you starred in May" in morning_of(pf, taste, [night], DAY, DAY).papers[0].reason


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


def test_a_host_that_does_not_come_back_is_an_outage_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[float]()
    monkeypatch.setattr(morning_module.time, "sleep", waited.append)
    wait = morning_module._patience(["arXiv replied with error 503"])
    wait(30.0)
    with pytest.raises(ProviderError, match="503"):
        wait(60.0)
    assert waited == [30.0]


def test_papers_outside_the_days_and_those_of_the_corpus_are_not_new(pf: Pathfinder, tmp_path: Path) -> None:
    known = next(paper for paper in pf.corpus.papers if paper.paper_id == KEPT[0])
    rows = ({**SUPERNOVAE, "date": "2026-05-01"}, {**PLANETS, "id": known.paper_id, "title": known.title})
    path = tmp_path / "night.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [str(path)], DAY, DAY)
    assert (found.n_new, found.papers) == (0, ())


@pytest.mark.parametrize(
    ("record", "change"),
    [
        ({"provenance": (Provenance("arxiv", "1", "v2"),)}, "new version v2"),
        ({"provenance": (Provenance("arxiv", "1", "v2"),), "status": "withdrawn"}, "withdrawn"),
        ({"provenance": (Provenance("arxiv", "1", "v1"),)}, None),
    ],
)
def test_later_records_of_papers_in_the_corpus_are_changes(record: dict[str, object], change: str | None) -> None:
    own = Paper("a", "A title", "An abstract.", provenance=(Provenance("arxiv", "1", "v1"),))
    changes = [*morning_module._changes(own, replace(own, **record))]
    assert [each.change for each in changes] == ([change] if change else [])


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
        "h", "<script>alert(1)</script> ![x](http://evil.example/x)", "&lt;b&gt; & more", arxiv_id="2606.00001"
    )
    each = morning_module.MorningPaper(hostile, 1.0, "close to nothing", ())
    found = Morning("S", DAY, DAY, 1, (each,), (), (Outage("a", "b"),))
    assert "![x]" not in morning_markdown(found)
    (title,) = (
        e.text
        for e in fromstring(atom_feed([found])).iter("{http://www.w3.org/2005/Atom}title")
        if "alert" in str(e.text)
    )
    assert title is not None


def test_categories_become_sets_of_arxiv() -> None:
    assert sources_of(["astro-ph.GA", "hep-th", "cs.LG"], None) == [
        "oai:physics:astro-ph:GA",
        "oai:physics:hep-th",
        "oai:cs:cs:LG",
    ]
    with pytest.raises(UsageError, match="no category"):
        sources_of(["../etc"], None)
    with pytest.raises(UsageError, match="no source"):
        sources_of([], None)


def test_the_feeds_of_mornings_are_for_the_owner_alone(
    pf: Pathfinder, night: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    found = morning_of(pf, Taste("Expansion", kept(pf, *KEPT)), [night], DAY, DAY)
    StoredMornings(tmp_path, pf.corpus.name).change("Expansion", lambda own: own.with_morning(found))
    client = TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600")
    answered = client.get("/api/v1/morning/feed.atom")
    assert answered.headers["content-type"].startswith("application/atom+xml")
    assert SUPERNOVAE["title"] in answered.text
    assert len(client.get("/api/v1/morning/feed.json").json()["items"]) == 2
    assert client.get("/api/v1/morning/feed.json", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 403
