"""arXiv's search API, against a host on loopback that follows its manual."""

import datetime

import pytest

from pathfinder.errors import ProviderError, UnusableReply
from pathfinder.sources import Window
from pathfinder.sources.kinds import arxiv
from pathfinder.types import Provenance
from tests.sources.hosts.arxiv import XML_KIND, arxiv_id, feed, search
from tests.sources.hosts.loopback import Reply

QUERY = "arxiv:cat:astro-ph.GA"


@pytest.fixture(autouse=True)
def small_pages(monkeypatch):
    monkeypatch.setattr(arxiv, "_PAGE", 4)


def ids(rows):
    return [row.paper_id for _, row in rows]


def test_a_query_becomes_papers_with_all_that_an_entry_says(serve, read):
    reading = read(serve(search(1)), "arxiv_url", QUERY)
    ((number, paper),) = reading.all()
    assert (number, paper.paper_id, paper.arxiv_id) == (1, arxiv_id(0), arxiv_id(0))
    assert paper.title == "Dust 0 of galaxies"
    assert paper.abstract == "We measure dust & gas 0."
    assert paper.authors == ("van der Berg, Ada", "Planck Collaboration")
    assert paper.categories == ("astro-ph.GA", "astro-ph.CO")
    assert (paper.date, paper.preprint_date) == (datetime.date(2026, 1, 1),) * 2
    assert (paper.doi, paper.journal) == ("10.1/0", "ApJ 1, 0")
    assert paper.provenance == (
        Provenance("arxiv", arxiv_id(0), "v2", retrieved=datetime.date(2026, 11, 22), licence="CC0-1.0"),
    )


def test_slices_follow_each_other_three_seconds_apart(serve, read):
    host = serve(search(10))
    reading = read(host, "arxiv_url", QUERY)
    assert ids(reading.all()) == [arxiv_id(number) for number in range(10)]
    assert reading.totals == [10]
    assert [request.query["start"] for request in host.requests] == ["0", "4", "8"]
    assert host.pauses == [3.0, 3.0]


def test_the_window_selects_days_of_submission_at_the_host(serve, read):
    window = Window(datetime.date(2026, 1, 3), datetime.date(2026, 1, 4))
    host = serve(search(10))
    assert ids(read(host, "arxiv_url", QUERY, window=window).all()) == [arxiv_id(2), arxiv_id(3)]


def test_at_most_so_many_papers_are_requested(serve, read):
    host = serve(search(10))
    assert len(read(host, "arxiv_url", QUERY, window=Window(max_papers=3)).all()) == 3
    assert [request.query["max_results"] for request in host.requests] == ["3"]


@pytest.mark.parametrize(
    "fault",
    [
        Reply(b"slow down", 429, headers={"Retry-After": "20"}),
        Reply(b"slow down", 429),
        Reply(b"busy", 503),
        Reply(b"<html><body>Rate exceeded.</body></html>", kind="text/html"),
        Reply(feed("", 10, 0).body, n_bytes=300),
        Reply(b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><entry>", kind=XML_KIND),
        Reply(b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed>&x;</feed>', kind=XML_KIND),
        feed("", 10, 4),  # an empty page in mid-list
    ],
    ids=["429 with a wait", "429", "503", "HTML", "broken off", "cut short", "entities", "empty page"],
)
def test_a_fault_that_passes_costs_a_wait_and_no_paper(serve, read, fault):
    host = serve(search(10), {1: fault})
    assert ids(read(host, "arxiv_url", QUERY).all()) == [arxiv_id(number) for number in range(10)]
    assert host.pauses == [3.0, 20.0 if fault.headers else 30.0, 3.0]


def test_a_page_that_stays_empty_ends_the_reading_with_an_error(serve, read):
    host = serve(search(10), {number: feed("", 10, 4) for number in range(1, 6)})
    with pytest.raises(UnusableReply, match=r"4 of 10.*application/atom\+xml"):
        read(host, "arxiv_url", QUERY).all()


def test_an_error_that_comes_as_an_entry_is_an_error_and_no_match_is_none(serve, read):
    assert read(serve(search(0)), "arxiv_url", QUERY).all() == []
    with pytest.raises(ProviderError, match=r"refused the query \(incorrect query\): correct the source"):
        read(serve(search(3)), "arxiv_url", "arxiv:all:(").all()


def test_more_matches_than_the_search_hands_out_are_refused_with_the_way_out(serve, read):
    with pytest.raises(ProviderError, match=r"matches 40000 papers, but arXiv's search returns only 30000.*oai:"):
        read(serve(lambda request: feed("", 40_000, 0)), "arxiv_url", QUERY).all()
