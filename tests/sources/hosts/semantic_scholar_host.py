"""Semantic Scholar on loopback, as its documentation describes it."""

import json
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


def as_cited(record: dict[str, object] | None) -> dict[str, object] | None:
    """The references of a paper, as a batch gives them: to the paper before it, and to a work without any id."""
    if record is None:
        return None
    number = record["corpusId"]
    identifiers = {"CorpusId": number - 1, "DOI": f"10.1/A{number - 1}"}
    return {"paperId": record["paperId"], "references": [{"externalIds": identifiers}, {"externalIds": None}]}


def semantic_scholar(records: Sequence[dict[str, object]]) -> Callable[[Request], Reply]:
    """Bulk search in pages of `PAGE` by token, batches of references, and relevance search with a limit; any query
    finds all.
    """

    def answer(request: Request) -> Reply:
        if request.path.endswith("/paper/batch"):
            by_id = {f"CorpusId:{record['corpusId']}": record for record in records}
            return as_json([as_cited(by_id.get(name)) for name in json.loads(request.body)["ids"]])
        if request.path.endswith("/search/bulk"):
            start = int(request.query.get("token", "at0").removeprefix("at"))
            end = start + PAGE
            following = {"token": f"at{end}"} if end < len(records) else {"token": None}
            return as_json({"total": len(records), "data": records[start:end], **following})
        return as_json({"total": len(records), "offset": 0, "data": records[: int(request.query["limit"])]})

    return answer
