"""OpenAlex, Crossref and Zotero on loopback, as their documentation describes them."""

import json
from collections.abc import Callable, Sequence

from tests.sources.hosts.loopback import Reply, Request

Answer = Callable[[Request], Reply]


def as_json(value: object, status: int = 200, **headers: str) -> Reply:
    return Reply(json.dumps(value).encode(), status, headers={n.replace("_", "-"): v for n, v in headers.items()})


def work(number: int, **fields: object) -> dict[str, object]:
    """A work of OpenAlex."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1/A{number}",
        "title": f"Dust {number}",
        "publication_date": f"2026-01-{1 + number % 28:02d}",
        "type": "article",
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{number}"},
        "primary_location": {"source": {"display_name": "ApJ"}},
        "locations": [{"landing_page_url": f"http://arxiv.org/abs/2601.{number:05d}v2"}],
        "authorships": [{"author": {"display_name": "Ada Berg"}}],
        "abstract_inverted_index": {"dust": [1, 3], "We": [0], "measure": [2]},
        "referenced_works": ["https://openalex.org/W7"],
        "cited_by_count": 5,
        "is_retracted": False,
        **fields,
    }


def openalex(works: Sequence[dict[str, object]], key: str | None = None) -> Answer:
    """`/works` with cursors, for whoever has the key."""

    def answer(request: Request) -> Reply:
        if key is not None and request.query.get("api_key") != key:
            return as_json({"error": "API key required", "message": "cursor paging needs a key"}, 401)
        if "from_updated_date" in request.query["filter"]:
            return as_json({"error": "Plan upgrade required", "message": "see pricing"}, 429)
        cursor = request.query["cursor"]
        start = 0 if cursor == "*" else int(cursor.removeprefix("at"))
        end = start + int(request.query["per_page"])
        following = f"at{end}" if end < len(works) else None
        return as_json({"meta": {"count": len(works), "next_cursor": following}, "results": works[start:end]})

    return answer


def article(number: int, **fields: object) -> dict[str, object]:
    """A work of Crossref."""
    return {
        "DOI": f"10.1/A{number}",
        "title": [f"Dust <i>{number}</i> at z&lt;2" if number else "Dust 0"],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We measure dust.</jats:p>",
        "author": [{"given": "Ada", "family": "Berg"}, {"name": "Planck Collaboration"}],
        "issued": {"date-parts": [[2026, 1]]},
        "published-online": {"date-parts": [[2026, 1, 2]]},
        "container-title": ["The Astrophysical Journal"],
        "volume": "1",
        "page": "12",
        "is-referenced-by-count": 3,
        "reference": [{"DOI": "10.1/B"}, {"unstructured": "a book"}],
        **fields,
    }


def crossref(works: Sequence[dict[str, object]]) -> Answer:
    """`/v1/works`, whose cursor is the same text from page to page."""
    position = [0]

    def answer(request: Request) -> Reply:
        start = 0 if request.query["cursor"] == "*" else position[0]
        end = position[0] = start + int(request.query["rows"])
        message = {"total-results": len(works), "items": works[start:end], "next-cursor": "AoJ=="}
        return as_json({"status": "ok", "message": message})

    return answer


def item(number: int, **fields: object) -> dict[str, object]:
    """An item of Zotero."""
    data = {
        "itemType": "journalArticle",
        "title": f"Dust {number}",
        "creators": [
            {"creatorType": "author", "firstName": "Ada", "lastName": "Berg"},
            {"creatorType": "editor", "firstName": "E", "lastName": "Ditor"},
            {"creatorType": "author", "name": "Planck Collaboration"},
        ],
        "abstractNote": "We measure dust.",
        "publicationTitle": "ApJ",
        "date": "January 2026",
        "DOI": f"10.1/{number}",
        "extra": "arXiv:2601.00001 [astro-ph]\nADS Bibcode: 2026ApJ...123..456B\nPMID: 77",
        "tags": [{"tag": "dust"}],
        **fields,
    }
    return {"key": f"AAAA{number:04d}", "version": 10 + number, "meta": {"parsedDate": "2026-01"}, "data": data}


def zotero(items: Sequence[dict[str, object]], key: str | None = None, *, is_local: bool = False) -> Answer:
    """A library; the local program sends all items at once."""

    def answer(request: Request) -> Reply:
        if key is not None and request.headers.get("zotero-api-key") != key:
            return Reply(b"Forbidden", 403, "text/plain")
        since, start = int(request.query.get("since", 0)), int(request.query["start"])
        new_entries = [entry for entry in items if entry["version"] > since]
        end = len(new_entries) if is_local else start + int(request.query["limit"])
        return as_json(new_entries[start:end], Total_Results=str(len(new_entries)), Last_Modified_Version="42")

    return answer
