"""Every live source on loopback, as its documentation describes it."""

from pathfinder.types import LiveSource
from tests.sources.hosts.arxiv import entry, feed
from tests.sources.hosts.json_hosts import as_json, work
from tests.sources.hosts.semantic_scholar_host import scholar_record, semantic_scholar

SETTINGS = {
    LiveSource.SEMANTIC_SCHOLAR: "semantic_scholar_url",
    LiveSource.OPENALEX: "openalex_url",
    LiveSource.ARXIV: "arxiv_url",
    LiveSource.ADS: "ads_url",
    LiveSource.WEB: "web_search_url",
}


def arxiv(request):
    assert request.query["sortBy"] == "relevance"
    return feed(entry(1) + entry(2), 2, 0)


def openalex(request):
    assert request.query["search"]
    return as_json({"meta": {"count": 2}, "results": [work(3), work(4, title=None)]})


def ads(request):
    document = {"bibcode": "2026ApJ...900....1B", "title": ["Dust 5"], "identifier": ["arXiv:2601.00005"]}
    return as_json({"response": {"docs": [{**document, "abstract": "We measure dust."}]}})


def web(request):
    pages = [
        ("<b>Dust</b> 6", "Dust was <em>measured</em>.", "https://arxiv.org/abs/2601.00006v1"),
        ("Dust at home", "A vacuum cleaner.", "https://example.org/home?x=1"),
        ("No page", "", "javascript:alert(1)"),
    ]
    return as_json({"results": [{"title": title, "content": text, "url": url} for title, text, url in pages]})


ANSWERS = {
    LiveSource.SEMANTIC_SCHOLAR: semantic_scholar([scholar_record(7)]),
    LiveSource.OPENALEX: openalex,
    LiveSource.ARXIV: arxiv,
    LiveSource.ADS: ads,
    LiveSource.WEB: web,
}
