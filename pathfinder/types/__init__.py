"""Pathfinder's types: requests, results, answers and information about them. All are frozen."""

from pathfinder.types.alternatives import (
    ALWAYS_LOCAL,
    DEFAULT_RERANKER,
    LIVE_SOURCE_LABELS,
    LOCAL_RERANKER,
    NO_RERANKER,
    CitationProfile,
    Fusion,
    Imagine,
    LiveSource,
    Preset,
    QueryExpansion,
    Refereed,
    RetrievalMode,
    Sides,
)
from pathfinder.types.answers import (
    AdsOperator,
    AdsPart,
    AdsQuery,
    Answer,
    AnswerEvent,
    AnswerRequest,
    Audience,
    Budget,
    Change,
    CheckedSentence,
    Claim,
    Done,
    Evidence,
    Exchange,
    FactKind,
    Fidelity,
    FoldedReply,
    Generation,
    Ledger,
    ModeName,
    Note,
    Rewrite,
    Source,
    Specialisation,
    StepTaken,
    TextDelta,
    Verdict,
)
from pathfinder.types.consensus import (
    Consensus,
    ConsensusHistory,
    ConsensusLevel,
    ConsensusYear,
    Sensitivity,
    Stance,
    StanceLabel,
)
from pathfinder.types.digest import Digest, DigestForm, Finding, Insertion, NamedThing, StatedValue, ValueAge
from pathfinder.types.features import Activations, Feature, FeatureCard
from pathfinder.types.full_texts import FullTextPassage, SectionKind
from pathfinder.types.likeness import Likeness
from pathfinder.types.papers import NetworkLink, Paper, PaperCitations, Provenance, RelatedPaper, Tie, text_of
from pathfinder.types.region import Region
from pathfinder.types.requests import DEFAULT_TOP_K, MAX_DEPTH, MAX_HYPOTHETICAL, MAX_TOP_K, MIN_TOP_K, SearchRequest
from pathfinder.types.results import (
    MAX_PASSAGES,
    POOL_SIZE,
    RERANK_POOL_SIZE,
    AsOf,
    Assessment,
    Candidates,
    CorpusName,
    Expansion,
    Floats,
    Hit,
    Keyword,
    Outliers,
    Passage,
    Round,
    Rows,
    Score,
    SearchResult,
    Spread,
)
from pathfinder.types.stages import Call, CallText, Stage, StageOutcome, StageStatus, Usage
from pathfinder.types.texts import without_control_characters
from pathfinder.types.traces import Ended, NoticeKind, Step, StepKind, Trace, Version
from pathfinder.types.weighting import Weighting
