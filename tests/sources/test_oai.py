"""arXiv's OAI-PMH, against a host on loopback that follows the protocol."""

import datetime

import pytest

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.schemas.arxiv import split_authors
from pathfinder.errors import ProviderError
from pathfinder.sources import Window
from tests.sources.hosts.arxiv import arxiv_id, day_of, oai, oai_set, record

SET = "oai:physics:astro-ph:GA"


def library(n_papers):
    return {number: record(number, day_of(number)) for number in range(n_papers)}


def ids(rows):
    return [row.paper_id for _, row in rows]


def test_a_record_becomes_a_paper_and_the_class_that_arxiv_fills_wrongly_is_not_read(serve, read):
    records = {**library(1), 1: record(1, day_of(1), is_withdrawn=True)}
    (_, paper), (_, withdrawn) = read(serve(oai_set(records, 3)), "oai_url", SET).all()
    assert (withdrawn.status, withdrawn.status_from, withdrawn.provenance[0].version) == ("withdrawn", "arxiv", "v2")
    assert paper.paper_id == arxiv_id(0)
    assert paper.authors == ("van der Berg, Ada", "Li, Bo, Jr.", "the Planck Collaboration")
    assert paper.date == datetime.date(2026, 1, 1)
    assert paper.categories == ("astro-ph.GA", "astro-ph.CO")
    assert paper.subjects == ()
    assert (paper.status, paper.provenance[0].version) == (None, "v1")


def test_a_list_of_authors_becomes_names_with_the_family_name_first():
    text = "Massimo Della Valle, Luisa dos Santos (MIT), Adam ten Brink, Peter vom Stein, Bo Li, III and the XRISM team"
    assert split_authors(text) == (
        *("Della Valle, Massimo", "dos Santos, Luisa", "ten Brink, Adam", "vom Stein, Peter", "Li, Bo, III"),
        "the XRISM team",
    )


def test_the_first_reading_has_no_dates_and_keeps_the_day_of_the_hosts_reply(serve, read):
    host = serve(oai_set(library(8), 3, day="2026-11-23"))  # The host's clock is a day ahead of ours.
    reading = read(host, "oai_url", SET)
    assert ids(reading.all()) == [arxiv_id(number) for number in range(8)]
    assert "from" not in host.requests[0].query
    assert reading.memory.next == "2026-11-23"
    assert reading.totals == []
    assert host.pauses == [3.0, 3.0]


def test_an_update_reads_from_the_last_day_on_without_an_end(serve, read):
    host = serve(oai_set(library(8), 3))
    assert ids(read(host, "oai_url", SET, last="2026-01-07").all()) == [arxiv_id(6), arxiv_id(7)]
    assert host.requests[0].query["from"] == "2026-01-07"
    assert "until" not in host.requests[0].query
    # Nothing new is no error.
    reading = read(serve(oai_set(library(3), 3)), "oai_url", SET, last="2026-10-01")
    assert reading.all() == []
    assert reading.memory.next == "2026-11-22"


def test_a_token_that_expires_is_replaced_by_the_last_day_read(serve, read):
    host = serve(oai_set(library(8), 3, expired=frozenset({6})))
    assert ids(read(host, "oai_url", SET).all()) == [arxiv_id(number) for number in range(8)]
    assert host.requests[3].query["from"] == str(day_of(5))


def test_a_list_out_of_order_is_read_again_from_its_beginning_if_its_token_expires(serve, read):
    records = dict(reversed(library(8).items()))
    host = serve(oai_set(records, 3, expired=frozenset({6})))
    assert sorted(ids(read(host, "oai_url", SET).all())) == [arxiv_id(number) for number in range(8)]
    assert "from" not in host.requests[3].query


def test_pages_of_another_request_are_not_taken_for_ours(serve, read):
    host = serve(oai_set(library(8), 3))
    rows = read(host, "oai_url", SET).rows
    assert next(rows)[1].paper_id == arxiv_id(0)
    window = Window(since=day_of(4))
    assert ids(read(host, "oai_url", SET, window=window).all()) == [arxiv_id(number) for number in range(4, 8)]


def test_of_2500_records_three_broken_ones_are_rejected_with_their_reasons(serve, read):
    records = library(2500)
    records[7] = record(7, day_of(7), title=" ")
    records[8] = records[8].replace("10:00:00 GMT", "at ten")
    header = "<identifier>oai:arXiv.org:9</identifier><datestamp>2026-02-01</datestamp>"
    records[9] = f"<record><header>{header}</header></record>"
    rows = read(serve(oai_set(records, 2500)), "oai_url", SET).all()
    rejected = [(number, row.record_id, row.reason) for number, row in rows if isinstance(row, RejectedRow)]
    assert len(rows) == 2500
    assert rejected == [
        (8, arxiv_id(7), "no title"),
        (9, arxiv_id(8), "not a valid date: 'Fri, 09 Jan 2026 at ten' is not a weekday, a date and a time in GMT"),
        (10, "oai:arXiv.org:9", "no metadata in the format arXivRaw (id 'oai:arXiv.org:9')"),
    ]


def test_a_record_that_comes_twice_counts_once_and_a_changed_one_is_left_to_the_update(serve, read):
    changed = record(1, day_of(1), title="Dust anew")
    first, second = "".join(library(2).values()), "".join(library(3).values()) + changed
    lists = (f"{first}<resumptionToken>~2</resumptionToken>", f"{second}<resumptionToken/>")
    pages = iter([oai(f"<ListRecords>{content}</ListRecords>") for content in lists])
    rows = read(serve(lambda _: next(pages)), "oai_url", SET).all()
    assert [row.paper_id for _, row in rows if not isinstance(row, RejectedRow)] == [arxiv_id(n) for n in range(3)]
    reason = "the record changed while the list was being read: an update will fetch the new version"
    assert rows[-1][1].reason == reason


def test_an_error_of_the_protocol_names_its_code(serve, read):
    host = serve(lambda _: oai('<error code="badArgument">no such set</error>'))
    with pytest.raises(ProviderError, match=r"\(badArgument: no such set\): correct the source"):
        read(host, "oai_url", SET).all()
