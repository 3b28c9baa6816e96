"""Requests: a question and all the settings of its search, each declared once. A request validates itself."""

import datetime
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pathfinder.errors import UsageError
from pathfinder.types.alternatives import (
    DEFAULT_RERANKER,
    FUSION_LABELS,
    LIVE_SOURCE_LABELS,
    QUERY_EXPANSION_LABELS,
    REFEREED_LABELS,
    RERANKER_LABELS,
    RETRIEVAL_MODE_LABELS,
    Fusion,
    LiveSource,
    QueryExpansion,
    Refereed,
    RetrievalMode,
)
from pathfinder.types.full_texts import SECTION_LABELS, SectionKind
from pathfinder.types.likeness import Likeness
from pathfinder.types.region import Region
from pathfinder.types.setting_kinds import (
    Alternatives,
    Day,
    MapRegion,
    ModelName,
    NameList,
    PhraseList,
    Several,
    Synonyms,
    WholeNumber,
)
from pathfinder.types.settings import (
    SidebarSection,
    check_settings,
    declare,
    declare_filter,
    declare_property,
    declare_stage,
    settings_of,
)
from pathfinder.types.texts import check_length, without_control_characters
from pathfinder.types.weighting import Weighting

MIN_TOP_K, MAX_TOP_K, DEFAULT_TOP_K = 1, 30, 10
MAX_HYPOTHETICAL = 5
MAX_YEAR = 9999
MAX_DEPTH = 3


READ_FROM_QUESTION = ("reads_years", "reads_authors", "reads_exclusions", "reads_firsts")
"""Names of the settings that read filters and the order of papers from the question."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and all the settings that determine its result."""

    query: str
    """Question as written, with control characters removed."""
    top_k: int = declare_filter(
        DEFAULT_TOP_K,
        WholeNumber(MIN_TOP_K, MAX_TOP_K),
        label="Papers",
        help="How many papers to list.",
        link="k",
        option="--top-k",
    )
    year_from: int | None = declare_filter(
        None,
        WholeNumber(0, MAX_YEAR, is_optional=True),
        label="From year",
        help="First year, inclusive; papers without a year are left out.",
        link="from",
        option="--year-from",
        placeholder="any",
        stage="years",
    )
    year_to: int | None = declare_filter(
        None,
        WholeNumber(0, MAX_YEAR, is_optional=True),
        label="To year",
        help="Last year, inclusive; papers without a year are left out.",
        link="to",
        option="--year-to",
        placeholder="any",
        stage="years",
    )
    extra_keywords: tuple[str, ...] = declare_filter(
        (),
        PhraseList(),
        label="Your own keywords",
        help="Keywords to add to those found in the question.",
        link="keywords",
        option="--keyword",
        stage="keywords",
    )
    dropped_keywords: tuple[str, ...] = declare(
        (),
        PhraseList(),
        label="Keywords left out",
        help="Keywords found in the question that should be ignored.",
        link="without",
        option="--drop-keyword",
        stage="keywords",
    )
    weighting: Weighting = field(default_factory=Weighting)
    sides: RetrievalMode = declare(
        RetrievalMode.BOTH,
        Alternatives(RetrievalMode, RETRIEVAL_MODE_LABELS),
        label="Retrieval mode",
        help="Search by meaning (dense), by words (sparse), or by both (hybrid).",
        option="--retrieval-mode --sides",
        stage="fusion",
    )
    fusion: Fusion = declare(
        Fusion.MIN_MAX,
        Alternatives(Fusion, FUSION_LABELS),
        label="Fusion",
        help="How the rankings by meaning and by words are merged.",
        option="--fusion",
        stage="fusion",
    )
    today: datetime.date | None = declare(
        None,
        Day(),
        label="Today",
        help="Date at which the ages of papers are measured; defaults to the corpus's date.",
        option="--today",
    )
    """Date at which the ages of papers are measured. `None` means the corpus's snapshot date."""
    reads_years: bool = declare(
        True,
        label="Years in the question",
        help="Filter by the years named in the question, unless a year is set.",
        link="years",
        option="--read-years/--ignore-years",
        stage="years",
    )
    imagine: QueryExpansion = declare_stage(
        QueryExpansion.OFF,
        Alternatives(QueryExpansion, QUERY_EXPANSION_LABELS),
        label="Query expansion",
        help=(
            "Also search with hypothetical abstracts written by a chat model (hyde), or move the search closer to the "
            "first hits (feedback)."
        ),
        link="imagine",
        option="--query-expansion --imagine",
        calls_chat=lambda expansion: expansion is QueryExpansion.HYDE,
        stage="imagine",
    )
    n_hypothetical: int = declare(
        1,
        WholeNumber(1, MAX_HYPOTHETICAL),
        label="Hypothetical abstracts",
        help="How many hypothetical abstracts to average with the question.",
        link="hypothetical",
        option="--hypothetical-abstracts --hypothetical",
        section=SidebarSection.STAGES,
        applies=lambda request: request.imagine is QueryExpansion.HYDE,
        needs_chat=True,
        stage="imagine",
    )
    expands: bool = declare_stage(
        False,
        label="Synonyms from the thesaurus",
        help="Also search for synonyms of the question's terms, from the thesaurus.",
        link="expand",
        option="--synonyms --expand",
        stage="expansion",
    )
    own_expansions: tuple[tuple[str, tuple[str, ...]], ...] = declare_stage(
        (),
        Synonyms(),
        label="Your own synonyms",
        help='Your own synonyms for terms; on the command line, a JSON file: {"term": ["other name"]}.',
        link="names",
        option="--own-synonyms --expansion-map",
        stage="expansion",
    )
    """The reader's own synonyms: a term and its other names; they are used even if `expands` is off."""
    decomposes: bool = declare_stage(
        False,
        label="Split the question",
        help="Split a question into two or three sub-questions, and search for each of them.",
        link="parts",
        option="--sub-questions --decompose",
        calls_chat=bool,
        stage="decomposition",
    )
    depth: int = declare_stage(
        0,
        WholeNumber(0, MAX_DEPTH),
        label="Rounds of refined questions",
        help="How many rounds of refined questions to derive from the hits and search for.",
        link="depth",
        option="--rounds --depth",
        calls_chat=bool,
        stage="recursion",
    )
    page_size: int = declare(
        5,
        WholeNumber(1, MAX_TOP_K),
        label="Papers read per round",
        help="How many hits from each round to read before the next.",
        link="page",
        option="--papers-per-round --page-size",
        section=SidebarSection.STAGES,
        applies=lambda request: request.depth > 0,
        stage="recursion",
    )
    passages: bool = declare_stage(
        False,
        label="Passages",
        help="Also search the passages of long abstracts.",
        link="passages",
        stage="passages",
    )
    titles: bool = declare_stage(
        False,
        label="Titles",
        help="Also search the titles on their own.",
        link="titles",
        stage="titles",
    )
    reranker: str = declare_stage(
        DEFAULT_RERANKER,
        ModelName(RERANKER_LABELS),
        label="Reranker",
        help="Model that reads the question with each of the best papers: off, local (off in a corpus where it does "
        "not help), local-always or, say, cohere:rerank-v3.5.",
        link="rerank",
        option="--reranker",
        stage="rerank",
    )
    likeness: Likeness | None = None
    """Target of a search for similar papers; `query` then describes it."""
    region: Region | None = declare(
        None,
        MapRegion(),
        label="Region of the map",
        help="Only papers in this part of the map, given by its corners or by two corners of a box.",
        link="region",
        stage="region",
    )
    within: tuple[str, ...] = declare(
        (),
        NameList(),
        label="Only these papers",
        help="Only papers with these ids, such as those on a shelf.",
        link="within",
        stage="within",
    )
    needs_abstract: bool = declare_filter(
        False,
        label="Only with an abstract",
        help="Leave out papers for which only the title is known.",
        link="abstract",
        option="--needs-abstract",
    )

    only_reviews: bool = declare_filter(
        False,
        label="Only reviews",
        help="Only papers that a source calls a review.",
        link="reviews",
        option="--only-reviews",
    )
    excluded_words: tuple[str, ...] = declare_filter(
        (),
        PhraseList(),
        label="Without these words",
        help=(
            "Leave out papers with any of these words or phrases in their title, abstract or keywords, or after "
            '"about", those on them.'
        ),
        link="exclude",
        stage="exclusions",
    )
    reads_exclusions: bool = declare(
        True,
        label="Words that the question excludes",
        help='Leave out papers with words that the question excludes, as in "without theory" or "-theory".',
        link="read-exclusions",
        option="--read-exclusions/--ignore-exclusions",
        stage="exclusions",
    )
    reads_firsts: bool = declare(
        True,
        label="Earliest first",
        help="If the question asks who was first, list the earliest papers that claim it first.",
        link="read-firsts",
        option="--earliest-first/--by-match",
        stage="earliest",
    )
    authors: tuple[str, ...] = declare_property(
        (),
        NameList(),
        label="Authors",
        help="Only papers by one of these authors, such as Smith, J; ^ before a name means the first author.",
        link="authors",
        option="--author",
        stage="authors",
    )
    categories: tuple[str, ...] = declare_property(
        (),
        NameList(),
        label="Categories",
        help="Only papers in one of these arXiv categories; an archive includes its subclasses.",
        link="categories",
        option="--category",
        stage="categories",
    )
    venues: tuple[str, ...] = declare_property(
        (),
        NameList(),
        label="Venues",
        help="Only papers that appeared in one of these journals or series, written as in the corpus.",
        link="venues",
        option="--venue",
        stage="venues",
    )
    sources: tuple[str, ...] = declare_property(
        (),
        NameList(),
        label="Sources",
        help="Only papers whose records come from one of these sources, such as openalex.",
        link="sources",
        option="--source",
        placeholder="openalex",
        stage="sources",
    )
    refereed: Refereed = declare_property(
        Refereed.ANY,
        Alternatives(Refereed, REFEREED_LABELS),
        label="Peer review",
        help="Only papers known to have passed peer review, or only those known not to have.",
        link="refereed",
        stage="refereed",
    )
    reads_authors: bool = declare(
        True,
        label="Authors in the question",
        help="Filter by the authors named in the question, unless an author is set.",
        link="read-authors",
        option="--read-authors/--ignore-authors",
        stage="authors",
    )
    corrects_spelling: bool = declare(
        True,
        label="Corrected spelling",
        help="Search for the word that was probably meant where the question has one that no paper has.",
        link="spelling",
        option="--correct-spelling/--keep-spelling",
        needs_question=True,
        stage="wording",
    )
    translates: bool = declare(
        True,
        label="Other languages and everyday words",
        help="Add the field's terms for everyday words, and search for the English words of other languages.",
        link="translate",
        option="--translate/--keep-language",
        needs_question=True,
        stage="wording",
    )
    finds_other_names: bool = declare(
        True,
        label="Abbreviations and other names",
        help="Also search for the long form of an abbreviation, and for other names of objects, or the reverse.",
        link="other-names",
        option="--other-names/--no-other-names",
        needs_question=True,
        stage="expansion",
    )
    live: tuple[LiveSource, ...] = declare_stage(
        (),
        Several(LiveSource, LIVE_SOURCE_LABELS),
        label="Live sources",
        help="Also query these sources during the search, and rank their papers together with those in the corpus.",
        link="live",
        stage="live",
    )
    cited_by_hits: bool = declare_stage(
        False,
        label="Papers that the hits cite",
        help="Also look at the papers in the corpus that the first hits cite.",
        link="cited",
        option="--cited-by-hits",
        stage="network",
    )
    citing_hits: bool = declare_stage(
        False,
        label="Papers that cite the hits",
        help="Also look at the papers in the corpus that cite the first hits.",
        link="citing",
        option="--citing-hits",
        stage="network",
    )
    full_texts: bool = declare_stage(
        True,
        label="Full texts",
        help="Also search the full texts of the papers that have one.",
        link="fulltext",
        option="--full-texts/--no-full-texts",
        stage="full texts",
    )
    sections: tuple[SectionKind, ...] = declare_stage(
        (),
        Several(SectionKind, SECTION_LABELS),
        label="Sections",
        help="Only papers whose full text matches the question in one of these sections, such as method.",
        link="sections",
        option="--section",
        applies=lambda request: request.full_texts,
        stage="full texts",
    )
    as_of: int | None = declare(
        None,
        WholeNumber(1, MAX_YEAR, is_optional=True),
        label="As of",
        help="Search as if it were the end of the given year: later and undated papers are neither found nor counted.",
        link="as-of",
        placeholder="today",
        stage="as of",
    )
    excluded_ids: frozenset[str] = frozenset()
    """Ids of papers that must not be found."""

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise UsageError(f"the question must be text, got {self.query!r}")
        object.__setattr__(self, "query", without_control_characters(self.query).strip())
        if not self.query:
            raise UsageError("the question is empty: type a question, a topic or an abstract")
        check_length("the question", self.query)
        check_settings(self)
        if not isinstance(self.weighting, Weighting):
            raise UsageError(f"weighting must be a Weighting, got {self.weighting!r}")
        first, last = self.year_from, self.year_to
        if first is not None and last is not None and first > last:
            raise UsageError(f"year_from is after year_to: from {first} to {last}; swap them")
        if first is not None and self.as_of is not None and first > self.as_of:
            raise UsageError(
                f"as of {self.as_of} there is nothing to search: the search begins in {first}; choose an earlier first "
                "year"
            )

    def without_reading(self) -> Self:
        """Return the request with nothing read from the question: no filter and no order."""
        off: dict[str, Any] = dict.fromkeys(READ_FROM_QUESTION, False)
        return replace(self, **off)

    @property
    def uses_chat(self) -> bool:
        """True if the search calls a chat model, provided that there is one: for hypothetical abstracts, sub-questions
        or refined questions.
        """
        return any(
            setting.calls_chat is not None and setting.calls_chat(getattr(self, setting.name))
            for setting in settings_of(SearchRequest)
        )
