"""The live sources that serve papers: arXiv, OpenAlex, Semantic Scholar and NASA ADS, each through its relevance
search.
"""

from collections.abc import Sequence

from pathfinder.corpus.schemas.ads import ads_paper
from pathfinder.corpus.schemas.arxiv_xml import arxiv_xml_paper
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.openalex import openalex_paper
from pathfinder.corpus.schemas.semantic_scholar import FIELDS as SEMANTIC_SCHOLAR_FIELDS
from pathfinder.corpus.schemas.semantic_scholar import semantic_scholar_paper
from pathfinder.settings import Settings
from pathfinder.sources import ads_lookup
from pathfinder.sources.json_pages import json_object, list_of
from pathfinder.sources.kinds import arxiv, openalex
from pathfinder.sources.kinds.semantic_scholar import semantic_scholar_host
from pathfinder.sources.live.live_search import LiveSearch, Parameters, question_words
from pathfinder.types import LiveSource

_ADS_FIELDS = (
    "bibcode,title,abstract,author,year,pubdate,pub,arxiv_class,keyword,citation_count,doi,identifier,property,doctype"
)


def _ask_arxiv(question: str, n: int, _: Settings) -> tuple[str, Parameters]:
    query = " OR ".join(f"all:{word}" for word in question_words(question))
    return "api/query", {"search_query": query, "start": 0, "max_results": n, "sortBy": "relevance"}


def _read_arxiv(content: bytes, _: Settings) -> Sequence[Record]:
    return arxiv.read_feed(content, 0, 1).records


def _ask_openalex(question: str, n: int, _: Settings) -> tuple[str, Parameters]:
    # Without OR, a work must contain every word.
    return "works", {"search": " OR ".join(question_words(question)), "select": openalex.FIELDS, "per_page": n}


def _read_openalex(content: bytes, _: Settings) -> Sequence[Record]:
    return list_of(json_object(content), "results")


def _ask_semantic_scholar(question: str, n: int, _: Settings) -> tuple[str, Parameters]:
    query = " ".join(question_words(question))
    return "graph/v1/paper/search", {"query": query, "fields": SEMANTIC_SCHOLAR_FIELDS, "limit": n}


def _read_semantic_scholar(content: bytes, _: Settings) -> Sequence[Record]:
    reply = json_object(content)
    return () if reply.get("total") == 0 else list_of(reply, "data")  # Without a match there may be no list.


def _ask_ads(question: str, n: int, _: Settings) -> tuple[str, Parameters]:
    return ads_lookup.PATH, {"q": f"abs:({' OR '.join(question_words(question))})", "fl": _ADS_FIELDS, "rows": n}


def _read_ads(content: bytes, _: Settings) -> Sequence[Record]:
    return ads_lookup.ads_documents(content)


ARXIV = LiveSearch(LiveSource.ARXIV, None, arxiv.arxiv_host, _ask_arxiv, _read_arxiv, arxiv_xml_paper)
OPENALEX = LiveSearch(
    LiveSource.OPENALEX, "OPENALEX_API_KEY", openalex.openalex_host, _ask_openalex, _read_openalex, openalex_paper
)
SEMANTIC_SCHOLAR = LiveSearch(
    LiveSource.SEMANTIC_SCHOLAR,
    "SEMANTIC_SCHOLAR_API_KEY",
    semantic_scholar_host,
    _ask_semantic_scholar,
    _read_semantic_scholar,
    semantic_scholar_paper,
)
ADS = LiveSearch(LiveSource.ADS, "ADS_API_TOKEN", ads_lookup.ads_host, _ask_ads, _read_ads, ads_paper)
