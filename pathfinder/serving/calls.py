"""The calls: each answers with what the command line prints as JSON."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.export.records import N_LISTED, features_record, paper_record, search_record
from pathfinder.serving.fields import CheckBody, ExportBody, RegionOfMap, SimilarBody, request_of
from pathfinder.types import Paper, Region, SearchResult, Weighting

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

_PAPER = same_names(
    "authors n_authors date journal venue categories keywords citation_count arxiv_id doi bibcode openalex_id pmid"
)
_REGION = same_names("n_papers n_anywhere years n_undated n_uncounted growth notes")
_KEYWORD = same_names("text n_papers")
MOST_KEYWORDS, MOST_CITED = 20, 10


def search(pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Find the papers that bear on a question, best first: what `pathfinder search --json` prints."""
    return search_record(pf.search(request_of(body)))


def reweigh(pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Order the papers of a search by other weights: the candidates are those of the same search without these weights,
    which is not repeated if it was run before.
    """
    request = request_of(body)
    return search_record(pf.reweigh(pf.search(replace(request, weighting=Weighting())), request.weighting))


def similar(pf: "Pathfinder", body: SimilarBody) -> JsonObject:
    """Find papers that resemble others: what `pathfinder similar --json` prints."""
    return search_record(similar_papers(pf, body))


def similar_papers(pf: "Pathfinder", body: SimilarBody) -> SearchResult:
    """Return the papers that resemble others."""
    fields = {name: getattr(body, name) for name in ("top_k", "year_from", "year_to", "as_of")}
    place = (body.place[0], body.place[1]) if body.place else None
    region = Region.read(body.region) if body.region else None
    return pf.similar(*body.papers, less=body.less, text=body.text, place=place, region=region, **fields)


def consensus(pf: "Pathfinder", body: Any) -> JsonObject:
    """Say how far papers agree: what `pathfinder consensus --json` prints; without a chat model, only the parts that
    need none.
    """
    from pathfinder.assessment.consensus.consensus import until
    from pathfinder.assessment.consensus.without_model import describe_without_model
    from pathfinder.export.consensus import consensus_record, history_record

    session = pf.for_question(pf.policy.budget)
    result = session.search(request_of(body))
    if session.chat is None:
        lines = describe_without_model(until(result, body.as_of, session.search))
        return {"question": result.request.query, "told": list(lines)}
    if body.over_time:
        return history_record(session.consensus_over_time(result, as_of=body.as_of))
    return consensus_record(session.consensus(result, as_of=body.as_of))


def check(pf: "Pathfinder", body: CheckBody) -> JsonObject:
    """Check a text against its sources: what `pathfinder check --meanings --json` prints."""
    from pathfinder.assessment.evidence.check_input import check_effort, read_check_input
    from pathfinder.assessment.evidence.ledger import check_text
    from pathfinder.assessment.values.claimed_values import claimed_values
    from pathfinder.export.sentence_checks import check_record

    text, sources = read_check_input(body.model_dump_json(), "the body")
    check_effort(text, sources)
    if pf.moderator is not None:
        pf.moderator.check(text)
    return check_record(check_text(text, sources, pf.sentence_embedder), claimed_values(text))


def paper(pf: "Pathfinder", paper_id: str, as_of: int | None = None) -> JsonObject:
    """Return a paper with its links, its citations in the corpus, and its abstract or the reason why the abstract is
    left out.
    """
    from pathfinder.export.citations import citations_record
    from pathfinder.export.links import paper_links
    from pathfinder.export.terms import may_be_passed_on, terms

    (paper,) = _papers(pf, [paper_id], as_of)
    pf = pf.as_of(as_of)
    abstract = paper.abstract if may_be_passed_on(paper) else None
    has_network = pf.corpus.network is not None
    return {
        **paper_record(paper),
        **select(paper, _PAPER),
        "abstract": abstract,
        "terms": terms(paper),
        "links": [as_json(link) for link in paper_links(paper)],
        "citations": citations_record(pf.citations_of(paper_id)) if has_network else None,
    }


def map_region(pf: "Pathfinder", body: RegionOfMap) -> JsonObject:
    """Say what is studied in a region of the map: number of papers, distinctive keywords, years, most cited papers."""
    from pathfinder.landscape.naming.regions import report_region

    pf = pf.as_of(body.as_of)
    data = pf.map_data
    if data is None:
        raise UsageError("this corpus has no map: `pathfinder build --out DIR` draws one")
    report = report_region(data, Region.read(body.region))
    return {
        **select(report, _REGION),
        "keywords": [select(keyword, _KEYWORD) for keyword in report.keywords[:MOST_KEYWORDS]],
        "top": [paper_record(pf.corpus.papers[row]) for row in report.top[:MOST_CITED]],
    }


def export(pf: "Pathfinder", body: ExportBody) -> JsonObject:
    """Write papers as BibTeX or CSV. An abstract without a stated licence is left out, and the text says so."""
    from pathfinder.export.bibtex import bibtex
    from pathfinder.export.tables import papers_csv

    papers = _papers(pf, body.papers, body.as_of)
    return {"format": body.format, "text": bibtex(papers) if body.format == "bibtex" else papers_csv(papers)}


def features(pf: "Pathfinder") -> JsonObject:
    """List the features by which a search can be steered: what `pathfinder features DIR --json` prints."""
    return features_record(pf.feature_card(each, N_LISTED) for each in pf.features())


def _papers(pf: "Pathfinder", paper_ids: list[str], as_of: int | None) -> list[Paper]:
    """Return papers as of a year. Raises `UsageError` for an id that the corpus lacks, and for a paper that is undated
    or from a later year.
    """
    papers = pf.as_of(as_of).corpus.papers
    rows, whole_rows = (each.rows_of(tuple(paper_ids)).tolist() for each in (papers, pf.corpus.papers))
    for paper_id, row, whole_row in zip(paper_ids, rows, whole_rows, strict=True):
        if whole_row < 0:
            raise UsageError(f"no paper in this corpus has the id {paper_id!r}: a search returns ids")
        if row < 0:
            raise UsageError(
                f"the paper {paper_id!r} is dated after {as_of}, or undated, so as of {as_of} it does not exist: leave "
                "it out, or choose a later year"
            )
    return [papers[row] for row in rows]
