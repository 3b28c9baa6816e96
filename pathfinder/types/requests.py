"""What is asked: a question and every setting that its answer depends on. A request checks itself."""

import datetime
import math
from dataclasses import dataclass, field
from enum import StrEnum

from pathfinder.errors import UsageError
from pathfinder.types.likeness import Likeness
from pathfinder.types.region import Region

MIN_TOP_K, MAX_TOP_K, DEFAULT_TOP_K = 1, 30, 10
MAX_HYPOTHETICAL = 5
MAX_YEAR = 9999
MAX_DEPTH = 3

NO_RERANKER, LOCAL_RERANKER = "off", "local"
DEFAULT_RERANKER = LOCAL_RERANKER
"""What reranks when nobody chose: what the measured table of `benchmarks/RETRIEVAL.md` says pays."""


class Preset(StrEnum):
    """How the factors are put together; `retrieval/weighting.py` has the formulas."""

    BALANCED = "balanced"
    """A sum of logarithms: every factor's contribution is exact."""
    PAPER = "paper"
    """The product that arXiv:2408.01556 published."""


class CitationProfile(StrEnum):
    """How a citation count becomes a weight."""

    SIGMOID = "sigmoid"
    """Half weight at 300 citations (arXiv:2408.01556, eq. 2)."""
    AGE_FAIR = "age-fair"
    """The percentile among the papers of the same year."""


class Fusion(StrEnum):
    """How the dense and the sparse list become one."""

    MIN_MAX = "min-max"
    RECIPROCAL_RANK = "rrf"


class Sides(StrEnum):
    """Which indexes are looked up."""

    BOTH = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"


class Imagine(StrEnum):
    """What is looked for beside the question itself."""

    OFF = "off"
    HYDE = "hyde"
    """Hypothetical abstracts by a chat model (Gao et al. 2022, arXiv:2212.10496); without one, feedback."""
    FEEDBACK = "feedback"
    """The direction of the first hits (Rocchio 1971)."""


STRENGTHS = ("keywords", "recency", "citations", "title", "position", "coverage", "diversity", "rerank")
"""The fields of `Weighting` that are strengths."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """How far each factor moves a paper. Each strength lies in [0, 1]; 0 is off."""

    keywords: float = 0.0
    recency: float = 0.0
    citations: float = 0.0
    preset: Preset = Preset.BALANCED
    citation_profile: CitationProfile = CitationProfile.SIGMOID
    recency_midpoint_years: float | None = None
    """Age of half weight. `None`: the preset's own, 5 years in `balanced`, 0 as printed in `paper`."""
    title: float = 0.0
    """Likeness of question and title."""
    position: float = 0.0
    """How early in the text the passage lies that fits best."""
    coverage: float = 0.0
    """How many of the question's words the paper has."""
    diversity: float = 0.0
    """How far the paper's passages differ in how well they fit."""
    rerank: float = 1.0
    """The reranker's say, where one ran."""

    def __post_init__(self) -> None:
        for name in STRENGTHS:
            strength = getattr(self, name)
            if not (_is_number(strength) and 0 <= strength <= 1):
                raise UsageError(f"the weight of {name} must lie in 0..1, got {strength!r}")
        midpoint = self.recency_midpoint_years
        if midpoint is not None and not (_is_number(midpoint) and 0 <= midpoint <= 100):
            raise UsageError(f"recency_midpoint_years must lie in 0..100, got {midpoint!r}")
        _check_choice("preset", self.preset, Preset)
        _check_choice("citation_profile", self.citation_profile, CitationProfile)

    @property
    def is_off(self) -> bool:
        """Whether nothing but the search itself and its reranker moves a paper."""
        return not any(getattr(self, name) for name in STRENGTHS if name != "rerank")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and every setting that its answer depends on."""

    query: str
    """Control characters are removed; the rest is kept as written."""
    top_k: int = DEFAULT_TOP_K
    """How many hits are kept, 1 to 30."""
    year_from: int | None = None
    """First year, inclusive; undated papers are left out as soon as either bound is set."""
    year_to: int | None = None
    """Last year, inclusive."""
    extra_keywords: tuple[str, ...] = ()
    """Keywords that the reader adds to those found in the question."""
    dropped_keywords: tuple[str, ...] = ()
    """Keywords found in the question that the reader does not want."""
    weighting: Weighting = field(default_factory=Weighting)
    sides: Sides = Sides.BOTH
    fusion: Fusion = Fusion.MIN_MAX
    today: datetime.date | None = None
    """The day that ages are counted to. `None`: the corpus's snapshot date."""
    reads_years: bool = True
    """Whether years named in the question become a filter, where neither bound is set."""
    imagine: Imagine = Imagine.OFF
    n_hypothetical: int = 1
    """How many hypothetical abstracts are averaged with the question, 1 to 5."""
    expands: bool = False
    """Whether the words that are looked up take in their other names, from the corpus's thesaurus."""
    own_expansions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The reader's own map: a term and its other names; used whether or not `expands` is set."""
    decomposes: bool = False
    """Whether a question of several parts is searched part by part."""
    depth: int = 0
    """Rounds of refined questions after the first search, 0 to 3."""
    page_size: int = 5
    """How many hits of a round are read for the next one, 1 to 30."""
    passages: bool = False
    """Whether passages are looked up beside whole papers, where the corpus has them."""
    titles: bool = False
    """Whether titles are looked up beside texts, where the corpus has an index of them."""
    reranker: str = DEFAULT_RERANKER
    """`off`, `local`, or `vendor:model` such as `cohere:rerank-v3.5`."""
    likeness: Likeness | None = None
    """What the papers should be like, where similar papers are asked for; `query` says it in words."""
    region: Region | None = None
    """The part of the map that the papers must lie in; `None`: all of it."""

    def __post_init__(self) -> None:
        if not isinstance(self.query, str):
            raise UsageError(f"the question must be text, got {self.query!r}")
        object.__setattr__(self, "query", without_control_characters(self.query).strip())
        if not self.query:
            raise UsageError("the question is empty: type a question, a topic or an abstract")
        _check_whole("top_k", self.top_k, MIN_TOP_K, MAX_TOP_K)
        first, last = self.year_from, self.year_to
        for name, year in (("year_from", first), ("year_to", last)):
            if year is not None and not (_is_number(year) and isinstance(year, int) and 0 <= year <= MAX_YEAR):
                raise UsageError(f"{name} must be a year in whole numbers, 0 to {MAX_YEAR}, got {year!r}")
        for name in ("extra_keywords", "dropped_keywords"):
            if not _are_texts(getattr(self, name)):
                raise UsageError(f"{name} must be a tuple of keywords, got {getattr(self, name)!r}")
        if self.today is not None and (
            not isinstance(self.today, datetime.date) or isinstance(self.today, datetime.datetime)
        ):
            raise UsageError(f"today must be a date, got {self.today!r}")
        self._check_stages()
        if first is not None and last is not None and first > last:
            raise UsageError(f"the years are upside down: from {first} to {last}; swap them")

    def _check_stages(self) -> None:
        if not isinstance(self.weighting, Weighting):
            raise UsageError(f"weighting must be a Weighting, got {self.weighting!r}")
        own = self.own_expansions
        if not isinstance(own, tuple) or not all(
            isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str) and _are_texts(entry[1])
            for entry in own
        ):
            raise UsageError(f'own_expansions must be pairs such as ("AGN", ("active galaxy",)), got {own!r}')
        _check_choice("sides", self.sides, Sides)
        _check_choice("fusion", self.fusion, Fusion)
        _check_choice("imagine", self.imagine, Imagine)
        for name, low, high in (
            ("n_hypothetical", 1, MAX_HYPOTHETICAL),
            ("depth", 0, MAX_DEPTH),
            ("page_size", 1, MAX_TOP_K),
        ):
            _check_whole(name, getattr(self, name), low, high)
        if self.region is not None and not isinstance(self.region, Region):
            raise UsageError(f"region must be a Region, such as Region.box(0, 0, 1, 1), got {self.region!r}")
        if not isinstance(self.reranker, str) or not self.reranker.strip():
            raise UsageError(f"a reranker is named as vendor:model, or local, or off; got {self.reranker!r}")


def without_control_characters(text: str) -> str:
    """`text` less NUL and the other control characters, and less those that turn the direction of what is written
    beside it; line breaks and tabs become spaces.
    """
    return "".join(c if c.isprintable() or not _is_control(c) else " " if c in "\n\r\t" else "" for c in text)


def _is_control(character: str) -> bool:
    code = ord(character)
    # Lone surrogates cannot be encoded, so no tokenizer and no file takes them.
    turns_text = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or turns_text


def _check_choice(name: str, value: object, choices: type[StrEnum]) -> None:
    if not isinstance(value, choices):
        known = ", ".join(f"{choices.__name__}.{choice.name}" for choice in choices)
        raise UsageError(f"{name} must be one of {known}, got {value!r}")


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not (_is_number(value) and isinstance(value, int) and low <= value <= high):
        raise UsageError(f"{name} must be a whole number in {low}..{high}, got {value!r}")


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple | list) and all(isinstance(value, str) for value in values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
