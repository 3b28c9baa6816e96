"""OpenAlex, Crossref and Zotero, against hosts on loopback that follow their documentation."""

import datetime
import json
import logging
from dataclasses import replace

import pytest
from pydantic import SecretStr

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.schemas.zotero import zotero_paper
from pathfinder.errors import (
    MissingKey,
    ProviderError,
    RateLimited,
    RejectedKey,
    Unreachable,
    UnusableReply,
    UsageError,
)
from pathfinder.sources import Window
from pathfinder.sources.kinds import arxiv as arxiv_kind
from pathfinder.sources.kinds import crossref as crossref_kind
from pathfinder.sources.kinds import openalex as openalex_kind
from pathfinder.sources.kinds import zotero as zotero_kind
from tests.sources.conftest import TODAY
from tests.sources.hosts.arxiv import day_of, oai_set, search
from tests.sources.hosts.arxiv import record as oai_record
from tests.sources.hosts.json_hosts import article, as_json, crossref, item, openalex, work, zotero
from tests.sources.hosts.loopback import Reply

KEY = "k3y/that+is=secret"
WORKS, ARTICLES, ITEMS = "openalex:topics.id:T1", "crossref:issn:0004-637X", "zotero:users/7"
HOSTS = {
    WORKS: ("openalex_url", openalex, work),
    ARTICLES: ("crossref_url", crossref, article),
    ITEMS: ("zotero_url", zotero, item),
}
XML_HOSTS = {
    "arxiv:cat:astro-ph.GA": ("arxiv_url", lambda numbers: search(len(numbers)), int),
    "oai:physics:astro-ph:GA": (
        "oai_url",
        lambda records: oai_set(dict(enumerate(records)), 3),
        lambda number: oai_record(number, day_of(number)),
    ),
}


@pytest.fixture(autouse=True)
def small_pages(monkeypatch):
    for kind in (openalex_kind, crossref_kind, zotero_kind, arxiv_kind):
        monkeypatch.setattr(kind, "_PAGE", 3)


def ids(rows):
    return [row.paper_id for _, row in rows]


# All three ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", HOSTS)
def test_all_pages_are_read_once_and_in_order(serve, read, source):
    setting, play, record = HOSTS[source]
    host = serve(play([record(number) for number in range(8)]))
    reading = read(host, setting, source)
    rows = reading.all()
    assert [row.title[:6] for _, row in rows] == [f"Dust {number}" for number in range(8)]
    assert reading.totals == [8]
    assert len(host.requests) == 3


@pytest.mark.parametrize("source", [*HOSTS, *XML_HOSTS])
@pytest.mark.parametrize("n_pages", [1, 2])
def test_a_stop_after_any_page_loses_nothing_and_reads_nothing_twice(serve, read, source, n_pages):
    setting, play, record = {**HOSTS, **XML_HOSTS}[source]
    host = serve(play([record(number) for number in range(8)]), {n_pages + n: Reply(b"", 503) for n in range(5)})
    with pytest.raises(Unreachable, match="HTTP 503"):
        read(host, setting, source).all()
    host.faults.clear()
    assert len(set(ids(read(host, setting, source).all()))) == 8
    assert len(host.requests) == 3 + 5


@pytest.mark.parametrize("source", HOSTS)
@pytest.mark.parametrize(
    "fault",
    [
        Reply(b"<html>maintenance</html>", kind="text/html"),
        Reply(b'{"meta": {"count": 8, "next', kind="application/json"),
        Reply(b'{"meta": {"count": 8, "count": 9}, "results": []}', kind="application/json"),
        Reply(b'{"meta": {"count": NaN}, "results": []}', kind="application/json"),
        as_json({"message": {"items": []}}),
        Reply(b"slow down", 429, headers={"Retry-After": "7"}),
    ],
    ids=["HTML", "cut short", "a key twice", "NaN", "another shape", "429"],
)
def test_a_fault_that_passes_costs_no_paper(serve, read, source, fault):
    setting, play, record = HOSTS[source]
    host = serve(play([record(number) for number in range(8)]), {1: fault})
    assert len(ids(read(host, setting, source).all())) == 8
    assert host.pauses[1] == (7.0 if fault.status == 429 else 5.0)


@pytest.mark.parametrize("source", HOSTS)
def test_an_empty_page_in_mid_list_is_fetched_again(serve, read, source):
    setting, play, record = HOSTS[source]
    empty = {
        WORKS: as_json({"meta": {"count": 8, "next_cursor": "at6"}, "results": []}),
        ARTICLES: as_json({"message": {"total-results": 8, "items": [], "next-cursor": "AoJ=="}}),
        ITEMS: as_json([], Total_Results="8"),
    }[source]
    host = serve(play([record(number) for number in range(8)]), {1: empty})
    assert len(ids(read(host, setting, source).all())) == 8


@pytest.mark.parametrize("source", HOSTS)
def test_broken_records_are_rejected_with_their_reasons(serve, read, source):
    setting, play, record = HOSTS[source]
    untitled = {WORKS: {"title": None}, ARTICLES: {"title": []}, ITEMS: {"title": ""}}[source]
    host = serve(play([record(0), record(1, **untitled), "no object" if source != ITEMS else record(2, title=7.5)]))
    rejected = [
        (number, row.reason) for number, row in read(host, setting, source).all() if isinstance(row, RejectedRow)
    ]
    assert rejected[0] == (2, "no title")
    assert rejected[1] in [(3, "not a JSON object"), (3, "title must be text, got 7.5")]


# OpenAlex -------------------------------------------------------------------------------------------


def test_a_work_becomes_a_paper_with_its_ids_references_and_count(serve, read):
    works = [work(12), work(1, is_retracted=True)]
    (_, paper), (_, retracted) = read(serve(openalex(works)), "openalex_url", WORKS).all()
    assert paper.abstract == "We dust measure dust"
    assert (paper.paper_id, paper.openalex_id, paper.doi) == ("W12", "W12", "10.1/A12")
    assert (paper.arxiv_id, paper.pmid) == ("2601.00012", "12")
    assert (paper.citation_count, paper.citations_from, paper.citations_on) == (5, "openalex", TODAY)
    assert (paper.references, paper.venue, paper.status) == (("openalex:W7",), "ApJ", None)
    assert (retracted.status, retracted.status_from) == ("retracted", "openalex")


def test_a_refusal_that_waiting_does_not_cure_is_told_from_one_that_it_does(serve, read):
    host = serve(openalex([]))
    with pytest.raises(ProviderError, match=r"\(HTTP 429\): filtering .* by from_updated_date .* need a paid plan"):
        read(host, "openalex_url", "openalex:from_updated_date:2026-01-01").all()
    assert len(host.requests) == 1
    budget = as_json({"error": "Rate limit exceeded", "message": "daily budget"}, 429, X_RateLimit_Reset="43200")
    with pytest.raises(RateLimited, match="wait until 2026-11-23 00:00 UTC"):
        read(serve(openalex([]), {0: budget}), "openalex_url", WORKS).all()


def test_cursors_that_lead_back_or_go_round_in_a_circle_end_the_reading_with_an_error(serve, read):
    repeated = as_json({"meta": {"count": 8, "next_cursor": "at3"}, "results": [work(5)]})
    host = serve(openalex([work(number) for number in range(8)]), dict.fromkeys(range(1, 6), repeated))
    with pytest.raises(UnusableReply, match="a page that names itself as the next one"):
        read(host, "openalex_url", WORKS).all()

    def circle(request):
        following = {"*": "a", "a": "b", "b": "a"}[request.query["cursor"]]
        return as_json({"meta": {"count": 9, "next_cursor": following}, "results": [work(1)]})

    host = serve(circle)
    with pytest.raises(UnusableReply, match="sent the same cursor twice, so the rest of the list cannot be read"):
        read(host, "openalex_url", f"{WORKS},type:article").all()
    assert len(host.requests) == 3


def test_without_a_key_the_variable_is_named_and_a_wrong_one_is_not_shown(serve, read):
    with pytest.raises(MissingKey, match="set OPENALEX_API_KEY"):
        read(serve(openalex([], KEY)), "openalex_url", WORKS).all()
    with pytest.raises(RejectedKey, match="check OPENALEX_API_KEY") as error:
        read(serve(openalex([], KEY)), "openalex_url", WORKS, openalex_api_key=SecretStr("wrong-key")).all()
    assert "wrong-key" not in str(error.value)


@pytest.mark.parametrize("source", [WORKS, ITEMS])
def test_a_key_is_found_in_nothing_that_is_written(serve, read, source, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    setting, play, record = HOSTS[source]
    name = {WORKS: "openalex_api_key", ITEMS: "zotero_api_key"}[source]
    host = serve(play([record(number) for number in range(8)], KEY), {3: Reply(KEY.encode(), 400)})
    reading = read(host, setting, source, **{name: SecretStr(KEY)})
    rows = reading.all()
    with pytest.raises(ProviderError) as error:
        read(host, setting, f"{source}1", **{name: SecretStr(KEY)}).all()
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
    assert len(rows) == 8
    assert files
    for text in (files, caplog.text, str(error.value), repr(rows), repr(reading.memory), "".join(reading.lines)):
        assert "that" + "+is" not in text
        assert "that%2Bis" not in text


# Crossref -------------------------------------------------------------------------------------------


def test_an_article_becomes_a_paper_without_markup(serve, read):
    ((_, paper),) = read(serve(crossref([article(0)])), "crossref_url", ARTICLES).all()
    assert (paper.paper_id, paper.abstract) == ("10.1/a0", "We measure dust.")
    assert paper.authors == ("Berg, Ada", "Planck Collaboration")
    assert (paper.date, paper.journal) == (datetime.date(2026, 1, 2), "The Astrophysical Journal 1, 12")
    assert (paper.references, paper.citation_count) == (("doi:10.1/b",), 3)


def test_a_retraction_that_two_report_is_one_and_a_correction_is_none(serve, read):
    def update(kind, source):
        return {"DOI": "10.1/n", "type": kind, "source": source}

    twice = [update("retraction", "retraction-watch"), update("retraction", "publisher")]
    works = [article(0, **{"updated-by": twice}), article(1, **{"updated-by": [update("correction", "publisher")]})]
    (_, first), (_, second) = read(serve(crossref(works)), "crossref_url", ARTICLES).all()
    assert (first.status, first.status_from) == ("retracted", "publisher, retraction-watch")
    assert second.status is None


def test_an_update_asks_crossref_for_what_it_has_indexed_since(serve, read):
    host = serve(crossref([article(0)]))
    reading = read(host, "crossref_url", ARTICLES, last="2026-10-01", window=Window(since=datetime.date(2026, 1, 1)))
    reading.all()
    assert host.requests[0].query["filter"] == ("issn:0004-637X,from-pub-date:2026-01-01,from-index-date:2026-10-01")
    assert reading.memory.next == "2026-11-21"  # The host says no day, and our clock may be ahead.
    # The state is the day by the host's own clock.
    page = as_json({"message": {"total-results": 1, "items": [article(0)]}}, Date="Sat, 21 Nov 2026 23:59:00 GMT")
    late = replace(page, headers={"Date": "Tue, 24 Nov 2026 00:01:00 GMT"})
    for reply, day in ((page, "2026-11-21"), (late, "2026-11-24")):
        reading = read(serve(lambda _, reply=reply: reply), "crossref_url", f"{ARTICLES},type:{day}")
        reading.all()
        assert reading.memory.next == day


# Zotero ---------------------------------------------------------------------------------------------


def test_an_item_becomes_a_paper_and_a_note_does_not(serve, read):
    host = serve(zotero([item(1), item(2, itemType="note")]))
    reading = read(host, "zotero_url", ITEMS)
    ((_, paper),) = reading.all()
    assert host.requests[0].path == "/users/7/items"
    assert (paper.paper_id, paper.year, paper.doi, paper.arxiv_id) == ("zotero-AAAA0001", 2026, "10.1/1", "2601.00001")
    assert (paper.bibcode, paper.pmid, paper.venue) == ("2026ApJ...123..456B", "77", "ApJ")
    assert paper.authors == ("Berg, Ada", "Planck Collaboration")
    assert paper.subjects == ("dust",)
    assert reading.memory.next == "42"


def test_only_identifiers_count_among_the_lines_that_a_user_adds():
    extra = "DOI: https://doi.org/10.1086/300499\narXiv: 2601.00001v2\nPMID: none\nBibcode: to look up"
    paper = zotero_paper(item(1, DOI="", extra=extra))
    assert (paper.doi, paper.arxiv_id, paper.pmid, paper.bibcode) == ("10.1086/300499", "2601.00001", None, None)


def test_an_update_reads_the_items_that_changed_since_a_version(serve, read):
    host = serve(zotero([item(number) for number in range(4)]))
    assert ids(read(host, "zotero_url", ITEMS, last="12").all()) == ["zotero-AAAA0003"]


def test_the_library_on_this_machine_comes_on_one_page_without_a_key(serve, read):
    host = serve(zotero([item(number) for number in range(8)], is_local=True))
    assert len(read(host, "zotero_local_url", "zotero:").all()) == 8
    assert [request.path for request in host.requests] == ["/api/users/0/items"]


def test_a_program_that_does_not_answer_says_how_to_start_it(serve, read):
    off = serve(lambda _: Reply(b"Local API is not enabled", 403, "text/plain"))
    with pytest.raises(ProviderError, match="under Advanced, allow other applications"):
        read(off, "zotero_local_url", "zotero:").all()
    off.address = "http://127.0.0.1:9"
    with pytest.raises(Unreachable, match="start Zotero 7 or newer"):
        read(off, "zotero_local_url", "zotero:").all()


# The grammar ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("openalex:dust", "needs a filter"),
        ("crossref:dust", "needs a filter"),
        ("zotero:users/me", "zotero:users/ID"),
        ("zotero:../admin", "zotero:users/ID"),
        ("oai:", "needs an arXiv set"),
        ("semanticscholar:", "needs a query"),
        ("arxiv: ", "needs a query"),
        ("ads:dust", "the terms of ADS do not allow copies"),
    ],
)
def test_a_source_that_cannot_be_read_is_refused_before_anything_is_sent(serve, read, source, words):
    host = serve(lambda _: Reply(b""))
    with pytest.raises(UsageError, match=words):
        read(host, "openalex_url", source)
    assert host.requests == []
    host.address = "file:///etc/passwd"
    with pytest.raises(UsageError, match="PATHFINDER_ARXIV_URL"):
        read(host, "arxiv_url", "arxiv:cat:x")


def test_the_works_of_a_page_are_plain_json_on_disk(serve, read, tmp_path):
    read(serve(openalex([work(1)])), "openalex_url", WORKS).all()
    (page,) = (tmp_path / "fetched").rglob("page-*.json")
    assert json.loads(page.read_text())["records"][0]["id"] == "https://openalex.org/W1"
