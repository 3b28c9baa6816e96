"""The calls: each answers with what the command line prints as JSON."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from pathfinder.answering.settings import AnswerSettings
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.export.records import N_LISTED, features_record, paper_record
from pathfinder.operations import OPERATIONS, body_of, call
from pathfinder.operations.fields import fields_of, request_of, search_fields
from pathfinder.operations.search import search_record
from pathfinder.types import Paper, Region, SearchRequest, Weighting
from pathfinder.types.settings import settings_of

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder


AS_OF = next(setting.help for setting in settings_of(SearchRequest) if setting.name == "as_of")

STRICT = ConfigDict(extra="forbid", strict=True)


class SourceBody(BaseModel):
    """A source that a text cites."""

    model_config = STRICT
    id: str = Field(description="The id used in citation marks, such as 1 for [1].")
    title: str = ""
    text: str


class CheckBody(BaseModel):
    """A text with citation marks, and its sources."""

    model_config = STRICT
    text: str = Field(description="The text, with citation marks such as [1].")
    sources: list[SourceBody]


class RegionOfMap(BaseModel):
    """A region on the map."""

    model_config = STRICT
    region: str = Field(description="The corners of the region, as X,Y;X,Y;... in the coordinates of the map.")
    as_of: int | None = Field(default=None, description=AS_OF)


class ExportBody(BaseModel):
    """Papers in a format that other programs read."""

    model_config = STRICT
    papers: Annotated[list[str], Field(min_length=1, max_length=1000)] = Field(
        description="Ids of the papers, in the order in which to list them."
    )
    format: Literal["bibtex", "csv"] = "bibtex"
    as_of: int | None = Field(default=None, description=AS_OF)


@cache
def search_body() -> type[BaseModel]:
    """Return the model of a search: `query`, `weights`, and every setting of a search under its own name."""
    return create_model("Search", __config__=STRICT, **search_fields())


@cache
def answer_body() -> type[BaseModel]:
    """Return the model of an answer: the fields of a search, and every setting of an answer under its own name."""
    return create_model("Answer", __config__=STRICT, **search_fields(), **fields_of(AnswerSettings))


_PAPER = same_names(
    "authors n_authors date journal venue categories keywords citation_count arxiv_id doi bibcode openalex_id pmid"
)
_REGION = same_names("n_papers n_anywhere years n_undated n_uncounted growth notes")
_KEYWORD = same_names("text n_papers")
MOST_KEYWORDS, MOST_CITED = 20, 10


def reweigh(pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Order the papers of a search by other weights: the candidates are those of the same search without these weights,
    which is not repeated if it was run before.
    """
    request = request_of(body)
    return search_record(pf.reweigh(pf.search(replace(request, weighting=Weighting())), request.weighting))


def check(pf: "Pathfinder", body: CheckBody) -> JsonObject:
    """Check a text against its sources: what `pathfinder check --meanings --json` prints."""
    from pathfinder.assessment.evidence.ledger import check_effort, check_text, read_check_input
    from pathfinder.assessment.values.stated_values import claimed_values
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


Call = Callable[["Pathfinder", Any], JsonObject]


def calls() -> dict[str, tuple[Call, Callable[[], type[BaseModel]]]]:
    """Return the calls with a single reply, by address, each with its body. Operations are read when a server starts,
    because plug-ins and the settings may hold a mistake, which is to be told in one line.
    """
    return {
        "reweigh": (reweigh, search_body),
        **{each.name: (partial(call, each), partial(body_of, each)) for each in OPERATIONS.all()},
        "check": (check, lambda: CheckBody),
        "map/region": (map_region, lambda: RegionOfMap),
        "export": (export, lambda: ExportBody),
    }


def may_wait() -> tuple[str, ...]:
    """Return the calls that may wait a long time for a chat model. A search waits for one only if its settings ask for
    that.
    """
    return tuple(each.name for each in OPERATIONS.all() if each.may_wait)
