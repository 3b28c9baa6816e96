"""Looking papers up in NASA ADS, against a host on loopback that follows its documentation."""

import json

import pytest
from pydantic import SecretStr

from pathfinder.building import build
from pathfinder.cli.app import main
from pathfinder.errors import MissingKey, RateLimited
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings
from pathfinder.sources.ads_lookup import MAX_QUERY, AdsRecord, look_up
from pathfinder.sources.http.web import WebSurroundings
from pathfinder.types import Paper
from tests.building.conftest import GALAXIES, WordsAsKeywords, write
from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import NOON

TOKEN = "ads-t0ken"
BIBCODE = "2026ApJ...900....1B"


def bibcode(number):
    return f"2026arXiv26{number:05d}..B"


def answer(request):
    """Every paper with an even number, by its arXiv id."""
    assert len(request.query["q"]) <= MAX_QUERY
    numbers = [n for n in range(0, 200, 2) if f'"2601.{n:05d}"' in request.query["q"]]
    documents = [
        {"bibcode": bibcode(n), "identifier": [f"arXiv:2601.{n:05d}"], "citation_count": n, "reference": [BIBCODE]}
        for n in numbers
    ]
    return as_json({"response": {"numFound": len(documents), "docs": documents}})


def records_of(host, papers, tmp_path):
    settings = Settings(_env_file=None, ads_url=host.address, ads_api_token=SecretStr(TOKEN))
    return look_up(papers, settings, WebSurroundings(tmp_path, clock=host.clock))


def paper(number, **fields):
    return Paper(f"p{number}", "t", "a", arxiv_id=f"2601.{number:05d}", **fields)


def test_papers_are_found_by_their_identifiers_in_queries_of_the_length_that_ads_allows(serve, tmp_path):
    host = serve(answer)
    records = records_of(host, [paper(n) for n in range(100)], tmp_path)
    assert records == {f"p{n}": AdsRecord(bibcode(n), n, (BIBCODE,)) for n in range(0, 100, 2)}
    assert len(host.requests) == 2
    assert {request.headers["authorization"] for request in host.requests} == {f"Bearer {TOKEN}"}


def test_an_identifier_cannot_break_out_of_its_quotes_and_nothing_of_ads_is_stored(serve, tmp_path):
    host = serve(answer)
    records_of(host, [paper(1, doi='10.1/x" OR year:2020'), Paper("none", "t", "a")], tmp_path)
    assert host.requests[0].query["q"] == 'identifier:("2601.00001")'
    records_of(host, [paper(2)], tmp_path)
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} <= {".lock", ".pace"}


def test_a_spent_quota_says_until_when(serve, tmp_path):
    quota_reply = as_json({"error": "Too many requests"}, 429, X_RateLimit_Reset=str(int(NOON) + 43_200))
    with pytest.raises(RateLimited, match="wait until 2026-11-23 00:00 UTC"):
        records_of(serve(answer, {0: quota_reply}), [paper(2)], tmp_path)


def test_without_a_token_nothing_is_sent(serve, tmp_path):
    host = serve(answer)
    settings = Settings(_env_file=None, ads_url=host.address)
    with pytest.raises(MissingKey, match="set ADS_API_TOKEN"):
        look_up([paper(2)], settings, WebSurroundings(tmp_path))
    assert host.requests == []


@pytest.mark.build
def test_the_command_lists_papers_of_a_corpus(serve, tmp_path, monkeypatch, capsys):
    def ads(request):
        document = {"bibcode": BIBCODE, "identifier": ["arXiv:2601.00007"], "citation_count": 7, "reference": []}
        return as_json({"response": {"docs": [document]}})

    def no_embedder(*_: object) -> None:
        raise AssertionError("ADS needs no embedder")

    dust = {**GALAXIES, "id": "dust", "title": "Dust in clouds", "arxiv_id": "2601.00008"}
    file = write(tmp_path / "papers.jsonl", {**GALAXIES, "arxiv_id": "2601.00007"}, dust)
    corpus = str(tmp_path / "corpus")
    build([file], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), passages=False)
    monkeypatch.setattr("pathfinder.building.embedding.embedder_for", no_embedder)
    monkeypatch.setenv("ADS_API_TOKEN", TOKEN)
    monkeypatch.setenv("PATHFINDER_ADS_URL", serve(ads).address)
    monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path))
    assert main(["ads", "galaxies", "--corpus", corpus]) == 0
    assert capsys.readouterr().out == f"galaxies  {BIBCODE}  citations 7  references 0\n"
    assert main(["ads", "dust", "--corpus", corpus]) == 0
    assert capsys.readouterr().out.startswith("dust  no record at ADS")
    assert main(["ads", "dust", "galaxies", "--corpus", corpus, "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["ads"]
    assert (records["dust"], records["galaxies"]["bibcode"]) == (None, BIBCODE)
    assert (records["galaxies"]["citation_count"], records["galaxies"]["references"]) == (7, [])
    assert main(["ads", "nobody", "--corpus", corpus]) == 2
