"""Replies in the form of the three providers' APIs, written for these tests: two papers, of which the second has few
fields.
"""

import json

SEMANTIC_SCHOLAR = json.dumps(
    {
        "total": 1204,
        "offset": 0,
        "next": 2,
        "data": [
            {
                "paperId": "649def34f8be52c8b66281af98ae884c09aef38b",
                "externalIds": {"DOI": "10.1000/Ages", "ArXiv": "2401.00001", "CorpusId": 1},
                "url": "https://www.semanticscholar.org/paper/649def34",
                "title": "Ages of clusters",
                "abstract": "They are old.",
                "year": 2024,
            },
            {
                "paperId": "0",
                "externalIds": None,
                "url": None,
                "title": "A bare one",
                "abstract": None,
                "year": None,
            },
        ],
    }
)

OPENALEX = json.dumps(
    {
        "meta": {"count": 88, "db_response_time_ms": 20, "page": 1, "per_page": 2, "cost_usd": 0.001},
        "results": [
            {
                "id": "https://openalex.org/W1",
                "doi": "https://doi.org/10.1000/Ages",
                "display_name": "Ages of clusters",
                "publication_year": 2024,
                "abstract_inverted_index": {"old.": [2], "They": [0], "are": [1]},
                "primary_location": {"landing_page_url": "https://www.semanticscholar.org/paper/649def34"},
            },
            {
                "id": None,
                "doi": None,
                "display_name": "A bare one",
                "publication_year": None,
                "abstract_inverted_index": None,
                "primary_location": None,
            },
        ],
        "group_by": [],
    }
)

EXA = json.dumps(
    {
        "requestId": "b5947044c4b78efa9552a7c89b306d95",
        "results": [
            {
                "id": "https://doi.org/10.1000/Ages",
                "url": "https://doi.org/10.1000/Ages",
                "title": "Ages of clusters",
                "author": "A. Astronomer",
                "publishedDate": "2024-01-16T01:36:32.547Z",
                "text": "They are old. ",
                "score": 0.4,
            },
            {"id": "x", "url": "https://example.org/bare", "title": "A bare one"},
        ],
        "searchType": "neural",
        "costDollars": {"total": 0.007},
    }
)
