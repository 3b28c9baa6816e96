"""Semantic Scholar as a source of a corpus, against a host on loopback."""

import datetime

import pytest
from pydantic import SecretStr

from pathfinder.corpus.readers import Rejected
from pathfinder.errors import RateLimited, UnusableReply, UsageError
from pathfinder.sources import Window
from pathfinder.types import Paper, Provenance
from tests.sources.conftest import TODAY
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import Reply
from tests.sources.hosts.semantic_scholar_host import scholar_record, semantic_scholar

SOURCE, KEY = "semanticscholar:dust", "s2-s3cret"


def read_all(read, host, **fields):
    return read(host, "semantic_scholar_url", SOURCE, **fields).all()


def test_a_record_becomes_a_paper_with_all_its_identifiers(serve, read):
    ((_, paper),) = read_all(read, serve(semantic_scholar([scholar_record(7)])))
    assert paper == Paper(
        "s2:7",
        "Dust 7",
        "We measure dust.",
        authors=("Ada Berg",),
        year=2026,
        date=datetime.date(2026, 1, 8),
        journal="ApJ",
        venue="The Astrophysical Journal",
        citation_count=5,
        citations_from="semanticscholar",
        citations_on=TODAY,
        is_review=True,
        doi="10.1/A7",
        arxiv_id="2601.00007",
        pmid="77",
        other_ids=("s2:7",),
        provenance=(Provenance("semanticscholar", "7", None, TODAY),),
    )


def test_pages_are_read_to_the_end_with_the_key_in_a_header_and_the_days_in_the_query(serve, read):
    host = serve(semantic_scholar([scholar_record(n) for n in range(5)]))
    window = Window(since=datetime.date(2025, 1, 1))
    rows = read_all(read, host, window=window, SEMANTIC_SCHOLAR_API_KEY=SecretStr(KEY))
    assert [paper.paper_id for _, paper in rows] == [f"s2:{n}" for n in range(5)]
    assert {request.headers["x-api-key"] for request in host.requests} == {KEY}
    assert {request.query["publicationDateOrYear"] for request in host.requests} == {"2025-01-01:"}
    assert host.pauses == [1.0, 1.0], "one request a second"


def test_a_record_without_a_title_is_rejected_and_a_missing_abstract_is_not(serve, read):
    records = [scholar_record(1, title=None), scholar_record(2, abstract=None, externalIds=None)]
    (_, rejected), (_, paper) = read_all(read, serve(semantic_scholar(records)))
    assert isinstance(rejected, Rejected)
    assert "no title" in rejected.reason
    assert (paper.abstract, paper.doi) == ("", None)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (as_json({"message": "Too Many Requests", "code": "429"}, 429), RateLimited),
        (Reply(b"<html>down</html>", kind="text/html"), UnusableReply),
        (as_json({"total": 9, "token": "at2", "data": []}), UnusableReply),
    ],
)
def test_what_does_not_pass_is_an_error(serve, read, fault, error):
    host = serve(semantic_scholar([]), dict.fromkeys(range(5), fault))
    with pytest.raises(error, match="Semantic Scholar"):
        read_all(read, host)


def test_a_query_is_needed(serve, read):
    with pytest.raises(UsageError, match="needs a query"):
        read(serve(semantic_scholar([])), "semantic_scholar_url", "semanticscholar:")
