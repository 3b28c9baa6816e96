"""Semantic Scholar on loopback, as its documentation describes it."""

from collections.abc import Callable, Sequence

from tests.sources.hosts.json_hosts import as_json
from tests.sources.hosts.loopback import Reply, Request

PAGE = 2


def scholar_record(number: int, **fields: object) -> dict[str, object]:
    """A paper of Semantic Scholar."""
    return {
        "paperId": f"{number:040x}",
        "corpusId": number,
        "externalIds": {"CorpusId": number, "DOI": f"10.1/A{number}", "ArXiv": f"2601.{number:05d}", "PubMed": "77"},
        "title": f"Dust {number}",
        "abstract": "We measure dust.",
        "venue": "The Astrophysical Journal",
        "year": 2026,
        "publicationDate": f"2026-01-{1 + number % 28:02d}",
        "authors": [{"authorId": "1", "name": "Ada Berg"}],
        "citationCount": 5,
        "publicationTypes": ["Review", "JournalArticle"],
        "journal": {"name": "ApJ", "volume": "1"},
        **fields,
    }


def semantic_scholar(records: Sequence[dict[str, object]]) -> Callable[[Request], Reply]:
    """Bulk search in pages of `PAGE` by token, and relevance search with a limit; both take any query."""

    def answer(request: Request) -> Reply:
        if request.path.endswith("/search/bulk"):
            start = int(request.query.get("token", "at0").removeprefix("at"))
            end = start + PAGE
            following = {"token": f"at{end}"} if end < len(records) else {"token": None}
            return as_json({"total": len(records), "data": records[start:end], **following})
        return as_json({"total": len(records), "offset": 0, "data": records[: int(request.query["limit"])]})

    return answer
