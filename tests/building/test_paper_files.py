"""A folder of PDFs becomes papers with their full texts; what nobody knows is listed."""

import json
from dataclasses import replace

import pytest

from pathfinder.building.paper_files import take_in_files
from pathfinder.building.progress import Silent
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import UsageError
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.store import FullTexts
from pathfinder.models.fake import HashEmbedder
from tests.building.test_filling import DUST, GAS, GAS_ID, guests_at
from tests.fulltext.made_pdf import pdf
from tests.sources.hosts.loopback import Reply, running
from tests.sources.hosts.record_hosts import RecordHosts

pytestmark = pytest.mark.build


def page(title, author, *lines, head=""):
    body = [(60.0, 600.0 - 14 * row, 10.0, line) for row, line in enumerate(lines)]
    return pdf([[(60.0, 785.0, 8.0, head), (60.0, 740.0, 18.0, title), (60.0, 700.0, 12.0, author), *body]])


@pytest.fixture
def folder(tmp_path):
    files = tmp_path / "pdfs"
    (files / "more").mkdir(parents=True)
    body = ("We find gas in all of the haloes that we have observed so far.", "It is warm, and there is much of it.")
    (files / "scan0001.pdf").write_bytes(page("Warm gas", "A. Nonymous", *body, head=f"arXiv:{GAS_ID}v1"))
    (files / "more" / "dust.pdf").write_bytes(page(DUST.title, "Cy Dee (2019)", *body))
    (files / "minutes.pdf").write_bytes(page("Minutes of the meeting on parking", "Present: everybody", *body))
    (files / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    return files


def take_in(tmp_path, folder, host):
    guests = replace(guests_at(host, tmp_path), read=read_apart)
    paths = sorted(folder.rglob("*.pdf"))
    reports = take_in_files(tmp_path / "corpus", HashEmbedder(16), guests, paths, Silent())
    return {report.file.rpartition("/")[2]: report for report in reports}


def test_pdfs_become_papers_with_their_texts_and_the_others_are_listed_with_their_first_lines(tmp_path, folder):
    with running(RecordHosts(GAS, DUST)) as host:
        reports = take_in(tmp_path, folder, host)
        again = take_in(tmp_path, folder, host)
    papers = {paper.paper_id: paper for paper in verify_corpus(tmp_path / "corpus").papers}
    assert {name: (each.paper_id, each.by) for name, each in reports.items() if each.paper_id} == {
        "scan0001.pdf": (GAS_ID, "identifier"),
        "dust.pdf": ("10.1/dust", "title"),
    }
    assert (papers[GAS_ID].abstract, papers["10.1/dust"].abstract) == (GAS.abstract, DUST.abstract)
    assert set(FullTexts.open(tmp_path / "corpus").texts) == set(papers) == {GAS_ID, "10.1/dust"}
    assert reports["minutes.pdf"].first_lines[0] == "Minutes of the meeting on parking"
    assert reports["broken.pdf"].why is not None
    assert {again[name].by for name in ("scan0001.pdf", "dust.pdf")} == {"stored before"}


def test_while_hosts_are_down_nothing_is_made_up_and_the_reason_is_said(tmp_path, folder):
    with running(RecordHosts(GAS, DUST)) as host:
        host.down = dict.fromkeys(("openalex", "crossref", "arxiv"), Reply(b"", 503))
        reports = take_in(tmp_path, folder, host)
    assert not (tmp_path / "corpus").exists()
    assert all(report.paper_id is None for report in reports.values())
    assert "openalex was not asked" in str(reports["scan0001.pdf"].why)


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """`command(*sources)` builds and completes a corpus, with hosts that know GAS; returns the status and output."""
    with running(RecordHosts(GAS)) as host:
        for name in ("ARXIV", "OAI", "OPENALEX", "CROSSREF", "RETRACTIONS"):
            monkeypatch.setenv(f"PATHFINDER_{name}_URL", host.address)
        monkeypatch.setenv("PATHFINDER_CACHE", str(tmp_path / "cache"))

        def run(*sources):
            options = ["--embedder", "fake:hash-16", "--complete"]
            status = main(["build", *map(str, sources), "--out", str(tmp_path / "corpus"), *options])
            return status, "".join(capsys.readouterr())

        yield run


def test_a_list_of_papers_beside_pdfs_in_a_folder_is_read_too(tmp_path, folder, command):
    (folder / "dust.bib").write_text("@article{dust, title={" + DUST.title + "}, author={Dee, Cy}, year=2019}")
    status, _ = command(folder)
    assert status == 0
    assert {paper.title for paper in verify_corpus(tmp_path / "corpus").papers} == {GAS.title, DUST.title}


def test_an_update_of_a_corpus_of_pdfs_names_the_command_that_asks_hosts_again(tmp_path, folder):
    with running(RecordHosts(GAS)) as host:
        take_in(tmp_path, folder, host)
    with pytest.raises(UsageError, match="pathfinder complete"):
        update(tmp_path / "corpus", HashEmbedder(16))
    head = "RetractionDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature"
    (tmp_path / "list.csv").write_text(f"{head}\n5/31/2021 0:00,{GAS.doi},0,Retraction\n")
    assert update(tmp_path / "corpus", HashEmbedder(16), retractions=tmp_path / "list.csv").n_retracted == 1


def test_pdfs_that_nobody_knows_stop_no_other_source(tmp_path, folder, command):
    (folder / "scan0001.pdf").unlink()
    status, output = command(folder)
    assert status == 1
    assert "no PDF was recognised" in output
    assert "standing: " not in output  # no corpus has changed
    (tmp_path / "dust.bib").write_text("@article{dust, title={" + DUST.title + "}, author={Dee, Cy}, year=2019}")
    status, output = command(tmp_path / "dust.bib", folder)
    assert status == 0
    assert "not recognised: " in output
    assert [paper.paper_id for paper in verify_corpus(tmp_path / "corpus").papers] == ["dust"]


def test_a_build_and_what_completes_it_are_one_object_in_json(tmp_path, folder, command):
    (folder / "dust.bib").write_text("@article{dust, title={" + DUST.title + "}, author={Dee, Cy}, year=2019}")
    status, output = command(folder, "--json")
    record, end = json.JSONDecoder().raw_decode(output)
    assert (status, record["n_new"], len(record["files"])) == (0, 1, 4)
    assert {"filled", "missing"} <= record.keys()
    assert "\n{" not in output[end:]
