"""XML files: EndNote libraries, and arXiv's OAI-PMH and Atom, including files that are cut short or hostile."""

import datetime
from dataclasses import replace
from pathlib import Path

from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.types import Paper

ENDNOTE = """<?xml version="1.0" encoding="UTF-8"?>
<xml><records>
<record><rec-number>1</rec-number>
<contributors><authors><author><style face="normal">Smith, Anna</style></author></authors></contributors>
<titles><title><style face="italic">Dust</style><style face="normal"> in spirals</style></title></titles>
<periodical><full-title>Monthly Notices</full-title></periodical>
<dates><year><style>2001</style></year></dates><keywords><keyword>dust</keyword></keywords>
<electronic-resource-num>10.1/x</electronic-resource-num><abstract><style>Über.</style></abstract></record>
<record><rec-number>2</rec-number></record>
</records></xml>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv</title>
<entry><id>http://arxiv.org/abs/2408.01556v2</id><published>2024-08-02T00:00:00Z</published>
<updated>2024-09-02T00:00:00Z</updated><title>Pathfinder</title><summary>Text.</summary>
<author><name>Anna B. Smith</name></author><category term="astro-ph.IM"/></entry></feed>"""

OAI = """<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header><identifier>oai:arXiv.org:0704.0001</identifier><datestamp>2008-01-01</datestamp></header>
<metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>0704.0001</id>
<version version="v1"><date>Mon, 2 Apr 2007 19:18:42 GMT</date></version><title>Diphotons</title>
<authors>C. Bal\\'azs, E. L. Berger</authors><categories>hep-ph</categories><abstract>Text.</abstract>
</arXivRaw></metadata></record>
<record><header><identifier>oai:arXiv.org:1</identifier></header></record></ListRecords></OAI-PMH>"""


def rows(folder: Path, content: str) -> list[Paper | RejectedRow]:
    (folder / "export.xml").write_text(content, encoding="utf-8")
    return list(read_papers(folder / "export.xml"))


def test_a_record_of_endnote_becomes_a_paper_and_one_without_a_title_is_rejected(tmp_path):
    paper, bad = rows(tmp_path, ENDNOTE)
    assert replace(paper, provenance=()) == Paper(
        "10.1/x",
        "Dust in spirals",
        "Über.",
        authors=("Smith, Anna",),
        year=2001,
        journal="Monthly Notices",
        venue="Monthly Notices",
        subjects=("dust",),
        doi="10.1/x",
    )
    assert bad == RejectedRow("export.xml", 9, "no title", None)


def test_a_feed_of_arxiv_is_read(tmp_path):
    (paper,) = rows(tmp_path, ATOM)
    assert (paper.paper_id, paper.title, paper.authors) == ("2408.01556", "Pathfinder", ("Smith, Anna B.",))
    assert (paper.date, paper.categories) == (datetime.date(2024, 8, 2), ("astro-ph.IM",))
    assert paper.provenance[0].licence == "CC0-1.0"


def test_an_answer_of_oai_pmh_is_read_and_a_record_without_metadata_rejected(tmp_path):
    paper, bad = rows(tmp_path, OAI)
    assert (paper.paper_id, paper.date) == ("0704.0001", datetime.date(2007, 4, 2))
    assert bad.reason.startswith("no metadata")
