"""Bodies of the calls. The fields of searches and answers are read from the tables of their settings."""

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from pathfinder.answering.settings import AnswerSettings
from pathfinder.retrieval.request_records import request_of_record, settings_in
from pathfinder.types import AnswerRequest, SearchRequest, Weighting
from pathfinder.types import setting_kinds as kinds
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.steers import Steers

_PLAIN: dict[type, Any] = {
    kinds.Switch: bool,
    kinds.PhraseList: list[str],
    kinds.NameList: list[str],
    Steers: dict[str, float],
}
"""JSON type of some kinds of setting. Numbers and choices have types of their own; all others are strings, written as
in a link.
"""

TieName = Literal["references", "co-citation", "coupling", "likeness"]
"""Names of the ties by which papers can be linked in a network."""

BY = "What links two papers. Default: references, or likeness in a corpus without a citation network."
_COLUMNS = "What to compare, such as 'value of the mass'. Default: sample, method, result, limitation."

_WEIGHTS = "Strength of each ranking factor, by name (such as recency or citations): 0 (off) to 1."


AS_OF = next(setting.help for setting in settings_of(SearchRequest) if setting.name == "as_of")

STRICT = ConfigDict(extra="forbid", strict=True)


class SimilarBody(BaseModel):
    """Papers, texts or a place that the results should resemble."""

    model_config = STRICT
    papers: list[str] = Field(default_factory=list, description="Ids of papers that the results should resemble.")
    less: list[str] = Field(default_factory=list, description="Ids of papers that the results should not resemble.")
    text: str | None = Field(default=None, description="A text that the results should resemble, such as an abstract.")
    place: Annotated[list[float], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="A point on the map, x and y; results come from its surroundings."
    )
    top_k: int = Field(default=10, description="Number of papers.")
    year_from: int | None = None
    year_to: int | None = None
    as_of: int | None = Field(default=None, description=AS_OF)
    region: str | None = Field(default=None, description="Corners of a region on the map, as X,Y;X,Y;...")


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
    return create_model("Search", __config__=STRICT, **_search_fields())


@cache
def consensus_body() -> type[BaseModel]:
    """Return the model of a consensus: the fields of a search, and `over_time`."""
    fields: dict[str, Any] = {
        "over_time": (bool, Field(default=False, description="Report the consensus year by year.")),
    }
    return create_model("Consensus", __config__=STRICT, **_search_fields(), **fields)


@cache
def table_body() -> type[BaseModel]:
    """Return the model of a comparison table: the fields of a search (or ids in place of `query`), and `columns`."""
    fields: dict[str, Any] = {
        "query": (str | None, Field(default=None, description="A question; the papers found for it are compared.")),
        "papers": (
            list[str],
            Field(default_factory=list, description="Ids of the papers to compare, in the order of the table."),
        ),
        "columns": (list[str] | None, Field(default=None, description=_COLUMNS)),
    }
    return create_model("Table", __config__=STRICT, **{**_search_fields(), **fields})


@cache
def tensions_body() -> type[BaseModel]:
    """Return the model of a call for tensions: the fields of a search, and `papers`."""
    papers = (int, Field(default=30, description="Number of best matches to compare, 2 to 100."))
    return create_model("Tensions", __config__=STRICT, **_search_fields(), papers=papers)


@cache
def network_body() -> type[BaseModel]:
    """Return the model of a network: the fields of a search, `papers` and `by`."""
    fields: dict[str, Any] = {
        "papers": (int, Field(default=60, description="Number of papers, hits and neighbours together: 2 to 500.")),
        "by": (TieName | None, Field(default=None, description=BY)),
    }
    return create_model("Network", __config__=STRICT, **_search_fields(), **fields)


@cache
def timeline_body() -> type[BaseModel]:
    """Return the model of a timeline: the fields of a search, `papers` and `consensus`."""
    fields: dict[str, Any] = {
        "papers": (int, Field(default=100, description="Number of best matches, 2 to 500.")),
        "consensus": (bool, Field(default=False, description="Add the consensus by year; needs a chat model.")),
    }
    return create_model("Timeline", __config__=STRICT, **_search_fields(), **fields)


@cache
def answer_body() -> type[BaseModel]:
    """Return the model of an answer: the fields of a search, and every setting of an answer under its own name."""
    return create_model("Answer", __config__=STRICT, **_search_fields(), **_fields_of(AnswerSettings))


def _search_fields() -> dict[str, Any]:
    return {
        "query": (str, Field(description="A question, a topic or an abstract.")),
        "weights": (dict[str, float], Field(default_factory=dict, description=_WEIGHTS)),
        **_fields_of(SearchRequest, Weighting),
    }


def _fields_of(*parts: type[Any]) -> dict[str, Any]:
    """Return the type and the field of every setting of `parts`, by name."""
    settings = [setting for part in parts for setting in settings_of(part)]
    return {setting.name: (_type(setting.kind), _field(setting)) for setting in settings}


def answer_request_of(body: BaseModel) -> AnswerRequest:
    """Build the request for an answer. Raises `UsageError` for a value that is not valid."""
    values = settings_in(AnswerSettings, _given_fields(body))
    for setting in settings_of(AnswerSettings):
        if setting.name in values:
            setting.kind.check(setting.name, values[setting.name])
    return AnswerSettings(**values).request(None)


def request_of(body: BaseModel) -> SearchRequest:
    """Build the request from a body. Raises `UsageError` for a value that is not valid."""
    return request_of_record(_given_fields(body))


def _given_fields(body: BaseModel) -> dict[str, Any]:
    return {name: getattr(body, name) for name in body.model_fields_set}


def _type(kind: kinds.Kind) -> Any:
    if isinstance(kind, kinds.WholeNumber):
        return int | None if kind.is_optional else int
    if isinstance(kind, kinds.Number):
        return float | None if kind.is_optional else float
    if isinstance(kind, kinds.Alternatives):
        return str | None if kind.is_optional else str
    if isinstance(kind, kinds.MapRegion | kinds.Day):
        return str | None
    return _PLAIN.get(type(kind), str)


def _field(setting: Setting) -> Any:
    """Return the field's default, as JSON, and its description."""
    is_text = _type(setting.kind) in (str, str | None) and setting.default is not None
    default = setting.kind.write(setting.default) if is_text else setting.default
    values = f" Values: {setting.kind.values}." if setting.kind.values else ""
    plain = dict if isinstance(setting.kind, Steers) else list
    return Field(default=plain(default) if isinstance(default, tuple) else default, description=setting.help + values)
