"""A library that lacks something is filled from hosts: what each of them says, and what an outage leaves undone."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from pathfinder.building import build
from pathfinder.building.filling import fill
from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, completeness, ledger
from pathfinder.cli.app import main
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.fulltext.document import Document, TextFormat, TextProvenance
from pathfinder.fulltext.fetching import Guests
from pathfinder.fulltext.store import FullTexts, remove
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings
from pathfinder.sources.http.addresses import AddressRule
from pathfinder.sources.http.web import WebSurroundings
from tests.building.conftest import WordsAsKeywords, kill
from tests.sources.hosts.loopback import LoopbackHost, Reply, running
from tests.sources.hosts.record_hosts import Known, RecordHosts

pytestmark = pytest.mark.build

GAS = Known(
    "Warm gas in the haloes of nearby spirals", ("Ada Berg", "Bo Li"), 2021, doi="10.1/gas", arxiv="2101.00001",
    abstract="We find warm gas in three haloes.", cites=("W2",), number=1,
)  # fmt: skip
DUST = Known(
    "Cold dust around young stars of Taurus", ("Cy Dee",), 2019, doi="10.1/dust", number=2,
    abstract="Dust is cold where stars are young.",
)  # fmt: skip
GAS_ID, OLD_ID = "2101.00001", "astro-ph/9801001"
OLD = Known("An old survey of faint variable stars", ("Eve Fox",), 1998, arxiv="astro-ph/9801001", number=3)
LIBRARY = """
@article{gas, title={Warm gas in the haloes of nearby spirals}, author={Berg, Ada and others}, year=2021,
  eprint={2101.00001}, archivePrefix={arXiv}}
@article{dust, title={Cold dust around young stars of Taurus}, author={Dee, Cy}, year=2019}
@article{old, title={An old survey of faint variable stars}, author={Fox, Eve}, year=1998, eprint={astro-ph/9801001},
  archivePrefix={arXiv}}
@book{roof, title={A private report on the telescope roof}, author={Gee, Hal}, year=1972}
"""


def library(tmp_path, content=LIBRARY):
    (tmp_path / "library.bib").write_text(content)
    build([tmp_path / "library.bib"], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    return tmp_path / "corpus"


def read(path):
    return Document(path.read_text("latin-1"), (), (), (), TextProvenance(TextFormat.LATEX, path.name, "0" * 64))


def guests_at(host, tmp_path, **settings):
    names = ("arxiv_url", "oai_url", "openalex_url", "crossref_url", "semantic_scholar_url", "retractions_url")
    own = Settings(_env_file=None, **dict.fromkeys(names, host.address), **settings)
    around = WebSurroundings(tmp_path / "cache", clock=host.clock)
    return Guests(own, around, AddressRule("http", None, lambda ip: ip.is_loopback), read)


def filled(corpus, guests, *steps, **options):
    return fill(corpus, HashEmbedder(16), guests, steps=steps or ("records",), **options)


@pytest.fixture
def host():
    with running(RecordHosts(GAS, DUST, OLD)) as hosts:
        yield hosts


def why(report, paper, field):
    return next((gap.why for gap in report.missing if (gap.paper, gap.field) == (paper, field)), None)


def papers(corpus):
    return {paper.paper_id: paper for paper in verify_corpus(corpus).papers}


def test_a_library_without_abstracts_is_filled_and_what_is_missing_is_said_with_the_reason(host, tmp_path):
    corpus = library(tmp_path)
    report = filled(corpus, guests_at(host, tmp_path))
    assert dict(report.filled) == {
        "abstract": 2,
        "keywords": 3,
        "authors": 1,
        "date": 3,
        "identifiers": 1,
        "references": 2,
        "citation_count": 3,
        "full_text": 0,
    }
    now = papers(corpus)
    assert set(now) == {GAS_ID, "dust", OLD_ID, "roof"}  # nothing joins the library
    assert now[GAS_ID].authors == ("Ada Berg", "Bo Li")
    assert (now["dust"].doi, now["dust"].abstract) == ("10.1/dust", DUST.abstract)
    assert (now[GAS_ID].citation_count, now[GAS_ID].citations_on) == (1, datetime.date(2026, 11, 22))
    assert why(report, "roof", "abstract").startswith(
        "openalex: none; arxiv: none; crossref: none; semanticscholar was"
    )
    assert why(report, OLD_ID, "references").startswith("crossref: no identifier; semanticscholar was not asked: ")
    assert set(report.not_asked) == {"semanticscholar"}
    assert "own key" in report.not_asked["semanticscholar"]


def test_a_second_run_asks_nobody(host, tmp_path):
    corpus, guests = library(tmp_path), guests_at(host, tmp_path)
    filled(corpus, guests)
    (corpus.parent / "cache").rename(tmp_path / "elsewhere")
    n_before, manifest = len(host.requests), (corpus / "manifest.json").read_bytes()
    report = filled(corpus, guests)
    assert len(host.requests) == n_before
    assert not any(report.filled.values())
    assert why(report, "roof", "abstract").startswith("openalex: none; arxiv: none")
    assert (corpus / "manifest.json").read_bytes() == manifest


@pytest.mark.parametrize(
    "fault",
    [
        Reply(b"", 429, headers={"Retry-After": "7200"}),
        Reply(b"", 500),
        Reply(b'{"results": [{"id": ', n_bytes=12),
        Reply(b"<html>maintenance</html>", kind="text/html"),
    ],
    ids=["429", "500", "half a body", "a web page"],
)
def test_a_host_that_is_down_was_not_asked_and_is_asked_next_time(host, tmp_path, fault):
    corpus, guests = library(tmp_path), guests_at(host, tmp_path)
    host.down = dict.fromkeys(("openalex", "crossref"), fault)
    report = filled(corpus, guests)
    assert report.filled["references"] == 0
    assert why(report, "dust", "references").startswith("openalex was not asked: OpenAlex")
    assert all("openalex" not in gap.asked for gap in report.missing)
    assert "none" not in why(report, "dust", "references").partition("; semantic")[0]
    assert completeness(open_corpus(corpus))["references"].not_asked == 4
    host.down = {}
    host.sleep(3 * 86_400)
    assert filled(corpus, replace(guests, around=guests_at(host, tmp_path).around)).filled["references"] == 2


def test_a_host_that_does_not_answer_in_time_was_not_asked(tmp_path):
    def wait_for_ever(request):
        raise httpx2.ReadTimeout("too late", request=request)

    clock = LoopbackHost(lambda _: Reply(b"")).clock
    around = WebSurroundings(tmp_path / "cache", clock=clock, transport=httpx2.MockTransport(wait_for_ever))
    report = filled(library(tmp_path), Guests(Settings(_env_file=None), around))
    assert not any(report.filled.values())
    assert set(report.not_asked) == {"openalex", "arxiv", "crossref", "semanticscholar"}
    assert "timed out" in report.not_asked["openalex"]


def test_one_failure_in_passing_loses_nothing(host, tmp_path):
    host.faults = {0: Reply(b"", 503), 1: Reply(b'{"results', n_bytes=3)}
    assert filled(library(tmp_path), guests_at(host, tmp_path)).filled["abstract"] == 2


def test_the_record_and_the_text_of_another_paper_are_not_believed(tmp_path):
    wrong = replace(GAS, title="Nuclear waste in salt domes", authors=("Zed Zorn",), abstract="Salt is safe.")
    with running(RecordHosts(wrong, page=b"Salt keeps waste.")) as host:
        corpus = library(tmp_path)
        report = filled(corpus, guests_at(host, tmp_path), "records", "texts")
    assert not FullTexts.open(corpus).texts
    assert f"another paper under its identifier arxiv:{GAS_ID}: Nuclear waste" in why(report, GAS_ID, FULL_TEXT)
    assert papers(corpus)[GAS_ID].abstract == ""
    assert (GAS_ID, "paper", "Nuclear waste in salt domes") in {(c.paper, c.field, c.other) for c in report.conflicts}
    assert f"another paper under its identifier arxiv:{GAS_ID}: Nuclear waste" in why(report, GAS_ID, "abstract")


def test_a_wrong_doi_does_not_keep_the_text_of_a_right_arxiv_id_away(tmp_path):
    content = LIBRARY.replace("eprint={2101.00001}", "eprint={2101.00001}, doi={10.1/dust}")
    with running(RecordHosts(GAS, DUST, page=b"Warm gas shines.")) as host:
        corpus = library(tmp_path, content)
        report = filled(corpus, guests_at(host, tmp_path), "records", "texts")
    assert GAS_ID in FullTexts.open(corpus).texts
    assert (GAS_ID, "paper", DUST.title) in {(c.paper, c.field, c.other) for c in report.conflicts}


def test_a_record_that_bears_another_title_fills_the_paper_that_it_was_looked_up_for(tmp_path):
    renamed = replace(DUST, title="Grains in a nearby cloud", cites=("W9",))  # at OpenAlex, under the same DOI
    unknown = {"openalex": {DUST.title}, "crossref": {renamed.title}}
    with running(RecordHosts(DUST, renamed, unknown=unknown)) as host:
        corpus = library(tmp_path)
        report = filled(corpus, guests_at(host, tmp_path))
    now = papers(corpus)
    assert set(now) == {GAS_ID, "dust", OLD_ID, "roof"}
    assert (now["dust"].title, now["dust"].doi, now["dust"].openalex_id) == (DUST.title, "10.1/dust", "W2")
    assert {entry.source for entry in now["dust"].provenance} >= {"openalex", "crossref"}
    assert ("dust", "title", renamed.title) in {(each.paper, each.field, each.other) for each in report.conflicts}


def test_no_identifier_is_said_only_of_a_paper_without_one_and_keeps_no_host_from_being_asked(host, tmp_path):
    corpus = library(tmp_path)
    lacking = {"day": "2026-11-22", "why": "no identifier", "was_asked": False}
    (corpus / "asked.json").write_text(json.dumps({GAS_ID: {"openalex": lacking}}))
    assert filled(corpus, guests_at(host, tmp_path)).filled["abstract"] == 2
    asked = json.loads((corpus / "asked.json").read_text())
    assert [paper for paper, answers in asked.items() if lacking == answers.get("crossref")] == [OLD_ID]
    assert "arxiv" not in asked[GAS_ID]  # it had nothing left to give


TRIAL = Known(
    "Bisoprolol in chronic heart failure", ("Ida Moe",), 1999, doi="10.1/trial", pmid="10023943", number=4,
    abstract="Bisoprolol lowered mortality.",
)  # fmt: skip


@pytest.mark.parametrize("source", ["openalex", "semanticscholar"])
def test_a_paper_with_a_pubmed_id_alone_has_an_identifier_and_hosts_are_asked_by_it(tmp_path, source):
    others = {name: {TRIAL.title} for name in ("openalex", "semanticscholar", "crossref") if name != source}
    (tmp_path / "trials.csv").write_text("pmid,title,year\n10023943,Bisoprolol in heart failure: a trial,1999\n")
    with running(RecordHosts(TRIAL, DUST, unknown=others)) as host:
        corpus = library(tmp_path)
        build([tmp_path / "trials.csv"], corpus, HashEmbedder(16), extractor=WordsAsKeywords())
        assert completeness(open_corpus(corpus))["identifiers"].n_papers == 3
        report = filled(corpus, guests_at(host, tmp_path, semantic_scholar_api_key="mine"))
    assert papers(corpus)["10023943"].abstract == TRIAL.abstract
    assert papers(corpus)["10023943"].doi == "10.1/trial"
    assert report.filled["abstract"] == 2  # papers with DOIs are asked about in a request of their own


def test_papers_that_nobody_asked_about_are_left_out(tmp_path):
    with running(RecordHosts(DUST)) as host:
        host.down = {"openalex": host._openalex({"filter": "title.search:Cold dust around young stars of Taurus"})}
        corpus = library(tmp_path)
        filled(corpus, guests_at(host, tmp_path))
    assert papers(corpus)[GAS_ID].abstract == ""
    assert papers(corpus)["dust"].abstract == DUST.abstract


def test_a_batch_with_a_paper_that_the_host_refuses_is_asked_in_parts(host, tmp_path):
    regular = host.answer

    def answer(request):
        refused = request.path == "/works" and "9801001" in request.query["filter"]
        return Reply(b'{"error": "no"}', 400) if refused else regular(request)

    host.answer = answer
    report = filled(library(tmp_path), guests_at(host, tmp_path))
    assert report.filled["abstract"] == 2
    assert "openalex was not asked" in why(report, OLD_ID, "keywords")
    assert "openalex" not in report.not_asked


def test_with_a_key_semantic_scholar_is_asked_and_the_corpus_is_not_to_be_shared(tmp_path):
    with running(RecordHosts(GAS, unknown={name: {GAS.title} for name in ("openalex", "crossref", "arxiv")})) as host:
        corpus = library(tmp_path)
        report = filled(corpus, guests_at(host, tmp_path, semantic_scholar_api_key="mine"))
    assert report.filled["references"] == 1
    entries = open_corpus(corpus).manifest.sources
    assert [(e.source, e.may_be_shared, e.dropped) for e in entries[1:]] == [
        ("semanticscholar:this corpus", False, True)
    ]


def test_full_texts_come_with_the_records_and_the_ledger_says_from_whom(tmp_path):
    with running(RecordHosts(GAS, DUST, OLD, page=b"\\documentclass{article}")) as host:
        corpus = library(tmp_path)
        guests = guests_at(host, tmp_path)
        report = filled(corpus, guests, "records", "texts")
        n_before = len(host.requests)
        assert filled(corpus, guests, "records", "texts").filled == dict.fromkeys(report.filled, 0)
        assert len(host.requests) == n_before
    assert set(FullTexts.open(corpus).texts) == {GAS_ID, OLD_ID}
    assert report.filled[FULL_TEXT] == 2
    assert why(report, "dust", FULL_TEXT) == "none: neither arXiv nor OpenAlex knows an open text"
    entries = {entry.paper_id: entry.holdings for entry in ledger(open_corpus(corpus))}
    day = datetime.date(2026, 11, 22)
    assert (entries[GAS_ID]["abstract"].source, entries[GAS_ID]["abstract"].since) == ("openalex", day)
    assert (entries[GAS_ID][FULL_TEXT].source, entries[GAS_ID][FULL_TEXT].since) == ("127.0.0.1", day)
    assert entries["roof"]["abstract"].why == "none"
    assert completeness(open_corpus(corpus))["abstract"].by_source == {"openalex": 2}


def test_no_text_is_fetched_if_none_is_wanted(tmp_path):
    with running(RecordHosts(GAS, page=b"\\documentclass{article}")) as host:
        corpus = library(tmp_path)
        report = filled(corpus, guests_at(host, tmp_path), "texts", n_texts=0)
        assert not host.requests
    assert report.filled[FULL_TEXT] == 0
    assert why(report, GAS_ID, FULL_TEXT).startswith("not asked")


GAS_ALONE = LIBRARY.partition("@article{dust")[0]
DUST_ALONE = "@article{dust, title={" + DUST.title + "}, author={Dee, Cy}, year=2019}"  # without an identifier


@pytest.mark.parametrize(
    ("content", "paper", "down", "status", "reason"),
    [
        *((DUST_ALONE, "dust", ("openalex", "arxiv", "crossref"), status, "not asked") for status in (400, 503)),
        *((GAS_ALONE, GAS_ID, ("texts",), status, f"HTTP {status}") for status in (429, 503)),
    ],
)
def test_nobody_has_denied_a_text_while_hosts_are_down_and_the_next_run_seeks_it_again(
    tmp_path, content, paper, down, status, reason
):
    with running(RecordHosts(GAS, replace(DUST, arxiv="1901.00001"), page=b"\\documentclass{article}")) as host:
        host.down = dict.fromkeys(down, Reply(b"", status))
        corpus = library(tmp_path, content)
        report = filled(corpus, guests_at(host, tmp_path), "records", "texts")
        assert reason in why(report, paper, FULL_TEXT)
        assert completeness(open_corpus(corpus))[FULL_TEXT].not_asked == 1
        host.down = {}
        host.sleep(86_400)
        assert filled(corpus, guests_at(host, tmp_path), "records", "texts").filled[FULL_TEXT] == 1


def test_a_text_that_was_removed_is_not_asked_and_comes_back_with_the_next_run(tmp_path):
    with running(RecordHosts(GAS, page=b"\\documentclass{article}")) as host:
        corpus, guests = library(tmp_path), guests_at(host, tmp_path)
        filled(corpus, guests, "texts")
        remove(corpus, [GAS_ID])
        entries = {entry.paper_id: entry.holdings for entry in ledger(open_corpus(corpus))}
        assert entries[GAS_ID][FULL_TEXT].why == "not asked"
        assert why(filled(corpus, guests, "records"), GAS_ID, FULL_TEXT) == "not asked"
        assert filled(corpus, guests, "texts").filled[FULL_TEXT] == 1


KILLED = """
import sys
from tests.building.conftest import Killer
from tests.building.test_filling import *
host, folder = LoopbackHost(None), Path(sys.argv[2])
host.address = sys.argv[3]
filled(folder / "corpus", guests_at(host, folder), "records", "texts", progress=Killer(sys.argv[1]))
"""


def test_the_command_reports_as_json_and_lists_what_each_paper_has(tmp_path, monkeypatch, capsys):
    with running(RecordHosts(replace(DUST, arxiv="1901.00001", cites=("W9",)))) as host:
        for name in ("ARXIV", "OPENALEX", "CROSSREF"):
            monkeypatch.setenv(f"PATHFINDER_{name}_URL", host.address)
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))
        corpus = str(library(tmp_path, "@article{dust, title={" + DUST.title + "}, doi={10.1/dust}, year=2019}"))
        assert main(["complete", corpus, "--only", "records", "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert main(["complete", corpus, "--ledger", "--json"]) == 0
        (entry,) = json.loads(capsys.readouterr().out)["papers"]
        assert main(["info", corpus, "--json"]) == 0
        counts = json.loads(capsys.readouterr().out)["completeness"]["abstract"]
        answers = Path(corpus) / "asked.json"
        kept = answers.read_bytes()
        answers.write_bytes(b"{")
        assert main(["info", corpus, "--json"]) == 0
        assert "asked.json" in json.loads(capsys.readouterr().out)["note"]
        answers.write_bytes(kept)
        assert main(["complete", corpus, "--only", "poems"]) == 2
        assert main(["complete", corpus, "--only", "ads"]) == 1  # no token
        n_before = len(host.requests)
        assert main(["complete", corpus, "--only", "texts", "--only", "ads"]) == 1
        assert len(host.requests) == n_before
        capsys.readouterr()
        monkeypatch.setenv("ADS_API_TOKEN", "mine")
        monkeypatch.setenv("PATHFINDER_ADS_URL", host.address)  # it has no such page
        assert main(["complete", corpus, "--only", "records", "--only", "ads", "--json"]) == 0
        assert "404" in json.loads(capsys.readouterr().out)["not_asked"]["ads"]
        monkeypatch.setenv("PATHFINDER_ARXIV_URL", "http://127.0.0.1:9")
        assert main(["fulltext", "fetch", corpus, "--open-access"]) == 1  # the text could not be had
        assert "full text: filled in 0, missing in 1" in capsys.readouterr().out
    assert report["filled"]["abstract"] == 1
    assert [(gap["field"], gap["paper"]) for gap in report["missing"]] == [("full_text", "10.1/dust")]
    assert report["conflicts"] == []
    assert report["seconds"] > 0
    assert entry["holdings"]["abstract"]["source"] == "openalex"
    assert len(counts.pop("since")) == len("2026-11-29")
    assert counts == {"n_papers": 1, "by_source": {"openalex": 1}, "none": 0, "not_asked": 0, "unavailable": 0}


STAGES = (
    *("asking Crossref", "embedding", "full texts"),
    *(pytest.param(stage, marks=pytest.mark.soak) for stage in ("asking arXiv", "reading", "checking")),
)


@pytest.mark.parametrize("stage", STAGES)
def test_a_run_that_is_killed_at_any_step_is_resumed_by_the_next(tmp_path, stage):
    with running(RecordHosts(GAS, DUST, OLD, page=b"\\documentclass{article}")) as host:
        corpus = library(tmp_path)
        kill(KILLED, stage, tmp_path, host.address)
        verify_corpus(corpus)
        filled(corpus, guests_at(host, tmp_path), "records", "texts")
        asked = [(request.path, tuple(request.query.items())) for request in host.requests if request.path != "/oai"]
        assert len(asked) == len(set(asked))
        whole = tmp_path / "undisturbed"
        whole.mkdir()
        filled(library(whole), guests_at(host, whole), "records", "texts")
    assert papers(corpus) == papers(whole / "corpus")
    assert set(FullTexts.open(corpus).texts) == {GAS_ID, OLD_ID}


# The ledger -----------------------------------------------------------------------------------------


DAY = "2026-11-22"
DENIED = {"day": DAY, "why": "none: neither arXiv nor OpenAlex knows an open text", "is_absent": True}
FAILED = {"day": DAY, "why": "https://host/a.pdf is not given out (replied with error 503)"}
NONE = {"day": DAY, "why": "none"}
SKIPPED = {"day": DAY, "why": "no identifier", "was_asked": False}


def corpus_with(tmp_path: Path, answers: dict[str, dict[str, dict[str, object]]]) -> Path:
    titles = {"a": "Warm gas", "b": "Cold dust", "c": "Young stars", "d": "Dim galaxies"}
    corpus = library(tmp_path, "".join(f"@article{{{each}, title={{{titles[each]}}}}}" for each in answers))
    (corpus / "asked.json").write_text(json.dumps(answers))
    return corpus


def test_a_full_text_whose_host_failed_is_not_counted_as_one_that_no_host_has(tmp_path: Path) -> None:
    answers = {"a": {FULL_TEXT: DENIED}, "b": {FULL_TEXT: DENIED}, "c": {FULL_TEXT: FAILED}, "d": {}}
    corpus = open_corpus(corpus_with(tmp_path, answers))
    assert completeness(corpus)[FULL_TEXT] == FieldCoverage(0, {}, none=2, not_asked=1, unavailable=1)
    texts = {entry.paper_id: entry.holdings[FULL_TEXT] for entry in ledger(corpus)}
    assert [(texts[each].why, texts[each].is_absent) for each in answers] == [
        (DENIED["why"], True),
        (DENIED["why"], True),
        (FAILED["why"], False),
        ("not asked", False),
    ]


def test_a_host_that_was_skipped_for_want_of_an_identifier_has_not_denied_anything(tmp_path: Path) -> None:
    able = dict.fromkeys(("openalex", "arxiv"), NONE)
    answers = {
        "a": {**able, "crossref": NONE},
        "b": {**able, "crossref": SKIPPED},
    }
    corpus = open_corpus(corpus_with(tmp_path, answers))
    assert completeness(corpus)["abstract"] == FieldCoverage(0, {}, none=1, not_asked=1)
