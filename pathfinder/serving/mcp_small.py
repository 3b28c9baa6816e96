"""Small results for a model, because every word that it reads costs money. Every paper comes with its id, title and
link.
"""

from itertools import pairwise
from textwrap import shorten
from typing import TYPE_CHECKING

from pathfinder.export.links import paper_link
from pathfinder.export.plain_json import JsonObject
from pathfinder.export.records import paper_record
from pathfinder.export.terms import may_be_passed_on
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper, SearchResult

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

SNIPPET = 300
"""Maximum number of characters quoted from an abstract in a small result."""
MOST_LISTED = 10
"""Number of papers in each list of a small result about one paper."""
MOST_CITED = 5
"""Number of papers in a small result about a region."""

_CONSENSUS = ("question", "statement", "level", "score", "explanation", "changed_in", "reason", "notes")
_LISTS = ("references", "cited_by", "co_cited", "coupled")
"""Names of the lists of papers in the record of a paper's citations."""
_STANCE = ("paper_id", "title", "year", "stance", "quote", "quote_found")


def small_result(pf: "Pathfinder", result: SearchResult) -> JsonObject:
    """Keep the papers, each with the beginning of its abstract."""
    hits = [
        {"rank": rank, **source_of(pf, hit.paper), "abstract": beginning_of(hit.paper)}
        for rank, hit in enumerate(result.hits, start=1)
    ]
    return {"query": result.request.query, "hits": hits, "notes": list(result.notes)}


def small_consensus(pf: "Pathfinder", record: JsonObject, top_k: int) -> JsonObject:
    """Keep the level, the stances of the first `top_k` papers and, for a consensus over time, the years in which the
    level changes.
    """
    small = {name: record[name] for name in _CONSENSUS if name in record}
    if "years" in record:
        years = record["years"]
        small["years"] = years[:1] + [year for last, year in pairwise(years) if year["level"] != last["level"]]
    stances = [{name: stance[name] for name in _STANCE} for stance in record["stances"][:top_k]]
    return {**small, "n_stances": len(record["stances"]), "stances": [with_link(pf, stance) for stance in stances]}


def linked_paper(pf: "Pathfinder", record: JsonObject, *, full: bool = False) -> JsonObject:
    """Add links to a paper and to the papers in its citations, and the length of each list; unless `full`, keep the
    first `MOST_LISTED` of each.
    """
    citations = record["citations"]
    if citations is None:
        return with_link(pf, record)
    lengths = {name: len(citations[name]) for name in (*_LISTS, "outside")}
    most = max(lengths.values()) if full else MOST_LISTED
    is_cut = any(length > most for length in lengths.values())
    short_citations = {
        **with_link(pf, citations),
        **{f"n_{name}": length for name, length in lengths.items()},
        **{name: [with_link(pf, paper) for paper in citations[name][:most]] for name in _LISTS},
        "outside": citations["outside"][:most],
        "notes": [f"each list ends after {most} entries: call get_paper with full for whole lists"] if is_cut else [],
    }
    return {**with_link(pf, record), "citations": short_citations}


def source_of(pf: "Pathfinder", paper: Paper) -> JsonObject:
    """Describe a paper in a few words, with its link."""
    return {**paper_record(paper), "link": paper_link(paper, pf.profile.services.bibliography).url}


def with_link(pf: "Pathfinder", record: JsonObject) -> JsonObject:
    """Add the link of the paper that `record` names; `None` for a paper that only a live source has."""
    row = int(pf.corpus.papers.rows_of((record["paper_id"],))[0])
    paper = pf.corpus.papers[row] if row >= 0 else None
    return {**record, "link": paper_link(paper, pf.profile.services.bibliography).url if paper else None}


def beginning_of(paper: Paper) -> str:
    """Return the beginning of an abstract as a quotation: at most half of one without a stated licence."""
    text = readable(paper.abstract)
    most = len(text) if may_be_passed_on(paper) else len(text) // 2
    return shorten(text, max(1, min(SNIPPET, most)), placeholder=" …")
