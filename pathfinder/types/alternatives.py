"""The alternatives among which a reader chooses in a search, with the labels that pages show."""

from enum import StrEnum

from pathfinder.settings import COHERE_RERANKERS

NO_RERANKER, LOCAL_RERANKER, ALWAYS_LOCAL = "off", "local", "local-always"
"""In this order: no reranker; the local one, unless the corpus's check found that it makes results worse
(`building/fitted_parts.py`); and the local one in any case.
"""
DEFAULT_RERANKER = LOCAL_RERANKER
"""The default reranker: the best according to the measurements in `benchmarks/RETRIEVAL.md`."""


class Preset(StrEnum):
    """Ways to combine the factors; the formulas are in `retrieval/weighting.py`."""

    BALANCED = "balanced"
    """A sum of logarithms, so that the contribution of each factor is exact."""
    PAPER = "paper"
    """The product published in arXiv:2408.01556."""


class CitationProfile(StrEnum):
    """Ways to turn a citation count into a weight."""

    SIGMOID = "sigmoid"
    """Half weight at 300 citations (arXiv:2408.01556, eq. 2)."""
    AGE_FAIR = "age-fair"
    """The percentile among papers of the same year."""


class Fusion(StrEnum):
    """Ways to merge the dense and the sparse ranking."""

    MIN_MAX = "min-max"
    RECIPROCAL_RANK = "rrf"


class RetrievalMode(StrEnum):
    """The kinds of index to search."""

    BOTH = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"


class QueryExpansion(StrEnum):
    """Ways to extend the question before it is searched."""

    OFF = "off"
    HYDE = "hyde"
    """Hypothetical abstracts written by a chat model (Gao et al. 2022, arXiv:2212.10496); relevance feedback if there
    is no model.
    """
    FEEDBACK = "feedback"
    """A shift of the question's vector towards the first hits (Rocchio 1971)."""


class Refereed(StrEnum):
    """Ways to filter a search by peer review."""

    ANY = "any"
    YES = "refereed"
    NO = "not-refereed"


class LiveSource(StrEnum):
    """Live sources: hosts that a search can query while it runs."""

    SEMANTIC_SCHOLAR = "semantic-scholar"
    OPENALEX = "openalex"
    ARXIV = "arxiv"
    ADS = "ads"
    WEB = "web"

    @property
    def stage(self) -> str:
        """Name of the stage in which a search queries this source."""
        return f"live {self.value}"


Imagine = QueryExpansion
"""Name of `QueryExpansion` in version 0.1."""
Sides = RetrievalMode
"""Name of `RetrievalMode` in version 0.1."""

CITATION_PROFILE_LABELS = {
    CitationProfile.SIGMOID: "half weight at 300 citations",
    CitationProfile.AGE_FAIR: "rank among papers of the same year",
}
REFEREED_LABELS = {
    Refereed.ANY: "refereed or not",
    Refereed.YES: "refereed",
    Refereed.NO: "not refereed",
}
LIVE_SOURCE_LABELS = {
    LiveSource.SEMANTIC_SCHOLAR: "Semantic Scholar",
    LiveSource.OPENALEX: "OpenAlex",
    LiveSource.ARXIV: "arXiv",
    LiveSource.ADS: "NASA ADS",
    LiveSource.WEB: "web search",
}
PRESET_LABELS = {Preset.BALANCED: "Balanced", Preset.PAPER: "As published"}
QUERY_EXPANSION_LABELS = {
    QueryExpansion.OFF: "off",
    QueryExpansion.HYDE: "hypothetical abstracts (HyDE)",
    QueryExpansion.FEEDBACK: "relevance feedback",
}
RETRIEVAL_MODE_LABELS = {
    RetrievalMode.BOTH: "meaning and words",
    RetrievalMode.DENSE: "meaning only",
    RetrievalMode.SPARSE: "words only",
}
FUSION_LABELS = {Fusion.MIN_MAX: "min-max scores", Fusion.RECIPROCAL_RANK: "reciprocal ranks"}
RERANKER_LABELS = {
    NO_RERANKER: "none",
    LOCAL_RERANKER: "local: sentences and words",
    ALWAYS_LOCAL: "local, on any corpus",
    **{name: name.replace("cohere:", "Cohere ") for name in COHERE_RERANKERS},
}
"""The rerankers offered on a page, with their labels."""
