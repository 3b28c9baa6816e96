"""arXiv on loopback: the search API (Atom) and OAI-PMH (arXivRaw), as their manuals describe them."""

import datetime
from xml.sax.saxutils import escape

from tests.sources.hosts.loopback import Reply, Request

ATOM_KIND, XML_KIND = "application/atom+xml", "text/xml"
FIRST_DAY = datetime.date(2026, 1, 1)


def day_of(number: int) -> datetime.date:
    """The day on which paper `number` was submitted: one paper a day."""
    return FIRST_DAY + datetime.timedelta(days=number)


def arxiv_id(number: int) -> str:
    return f"{day_of(number):%y%m}.{number:05d}"


def feed(entries: str, total: int, start: int) -> Reply:
    xml = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"
      xmlns:arxiv="http://arxiv.org/schemas/atom">
<title>arXiv Query</title><opensearch:totalResults>{total}</opensearch:totalResults>
<opensearch:startIndex>{start}</opensearch:startIndex>{entries}</feed>"""
    return Reply(xml.encode(), kind=ATOM_KIND)


def entry(number: int) -> str:
    return f"""<entry><id>http://arxiv.org/abs/{arxiv_id(number)}v2</id><updated>2026-11-01T00:00:00Z</updated>
<published>{day_of(number)}T10:00:00Z</published><title>Dust {number} of
 galaxies</title><summary> We measure dust &amp; gas {number}. </summary><author><name>Ada van der Berg</name>
<arxiv:affiliation>MIT</arxiv:affiliation></author><author><name>Planck Collaboration</name></author>
<category term="astro-ph.GA"/><category term="astro-ph.CO"/><arxiv:doi>10.1/{number}</arxiv:doi>
<arxiv:journal_ref>ApJ 1, {number}</arxiv:journal_ref></entry>"""


def search(n_papers: int):
    """The search API over `n_papers` papers; it knows `submittedDate` and nothing else of a query."""

    def answer(request: Request) -> Reply:
        query = request.query
        if "(" in query["search_query"] and "submittedDate" not in query["search_query"]:
            message = "<summary>incorrect query</summary>"
            identity = "<id>http://arxiv.org/api/errors#incorrect_query</id><title>Error</title>"
            return feed(f"<entry>{identity}{message}</entry>", 1, 0)
        numbers = [number for number in range(n_papers) if _within(number, query["search_query"])]
        start, most = int(query["start"]), int(query["max_results"])
        return feed("".join(map(entry, numbers[start : start + most])), len(numbers), start)

    return answer


def _within(number: int, query: str) -> bool:
    _, _, dates = query.partition("submittedDate:[")
    if not dates:
        return True
    first, last = dates.rstrip("]").split(" TO ")
    return first <= f"{day_of(number):%Y%m%d}1000" <= last


def oai(content: str, day: str = "2026-11-22") -> Reply:
    xml = f"""<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>{day}T12:00:00Z</responseDate><request>http://oaipmh.arxiv.org/oai</request>{content}</OAI-PMH>"""
    return Reply(xml.encode(), kind=XML_KIND)


def record(number: int, changed: datetime.date, *, is_withdrawn: bool = False, title: str | None = None) -> str:
    title = escape(title if title is not None else f"Dust {number} of galaxies")
    last = "<version version='v2'><date>Sun, 1 Nov 2026 10:00:00 GMT</date><source_type>I</source_type></version>"
    return f"""<record><header><identifier>oai:arXiv.org:{arxiv_id(number)}</identifier>
<datestamp>{changed}</datestamp><setSpec>physics:astro-ph</setSpec></header><metadata>
<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{arxiv_id(number)}</id><submitter>A. Berg</submitter>
<version version="v1"><date>{day_of(number):%a, %d %b %Y} 10:00:00 GMT</date><source_type>D</source_type>
</version>{last if is_withdrawn else ""}<title>{title}</title>
<authors>Ada van der Berg (MIT (Cambridge)), Bo Li, Jr. and the Planck Collaboration</authors>
<categories>astro-ph.GA astro-ph.CO</categories><acm-class>85A04</acm-class><doi>10.1/{number}</doi>
<license>http://creativecommons.org/licenses/by/4.0/</license>
<abstract> We measure dust {number}. </abstract></arXivRaw>
</metadata></record>"""


def oai_set(records: dict[int, str], page: int, *, day: str = "2026-11-22", expired: frozenset[int] = frozenset()):
    """OAI-PMH over records by the day of their change; tokens hold the query and how many records to skip.

    The tokens at positions in `expired` are refused once.
    """
    refused: set[int] = set()

    def answer(request: Request) -> Reply:
        token = request.query.get("resumptionToken")
        if token is None:
            assert request.query["metadataPrefix"] == "arXivRaw"
            since, skip = request.query.get("from", ""), 0
        else:
            assert set(request.query) == {"verb", "resumptionToken"}, "a token stands alone"
            since, _, written = token.partition("~")
            skip = int(written)
            if skip in expired and skip not in refused:
                refused.add(skip)
                return oai('<error code="badResumptionToken">expired</error>', day)
        new_records = [xml for xml in records.values() if xml.partition("<datestamp>")[2][:10] >= since]
        if not new_records:
            return oai('<error code="noRecordsMatch">nothing</error>', day)
        end = skip + page
        token = f"<resumptionToken expirationDate='2026-11-23T00:00:00Z'>{since}~{end}</resumptionToken>"
        last = token if end < len(new_records) else "<resumptionToken/>"
        return oai(f"<ListRecords>{''.join(new_records[skip:end])}{last}</ListRecords>", day)

    return answer
