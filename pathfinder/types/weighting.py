"""Weighting: the strengths of the ranking factors, and how the factors combine."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from pathfinder.types.alternatives import (
    CITATION_PROFILE_LABELS,
    PRESET_LABELS,
    CitationProfile,
    Preset,
)
from pathfinder.types.setting_kinds import Alternatives, Number, Strength
from pathfinder.types.settings import SidebarSection, check_settings, declare
from pathfinder.types.steers import Steers, factor_name, feature_of, tidy

EPSILON = 0.05
"""Constant that keeps the logarithm finite: no single factor can lower a score by more than 3, which is -log(0.05)."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """Strength of each ranking factor, in [0, 1]; 0 switches it off.

    `retrieval/factors` describes each factor.
    """

    keywords: float = 0.0
    recency: float = 0.0
    citations: float = 0.0
    preset: Preset = declare(
        Preset.BALANCED,
        Alternatives(Preset, PRESET_LABELS),
        label="How the weights combine",
        help=(
            "Balanced adds up the logarithms of the factors; As published multiplies the factors, and keeps the "
            "reranker's order."
        ),
        link="preset",
        option="--preset",
        section=SidebarSection.WEIGHTS,
        stage="weighting",
    )
    citation_profile: CitationProfile = declare(
        CitationProfile.SIGMOID,
        Alternatives(CitationProfile, CITATION_PROFILE_LABELS),
        label="How citations count",
        help=(
            "How a citation count becomes a weight: by the count itself, or by its rank among the papers of the same "
            "year."
        ),
        link="citations",
        option="--citation-profile",
        section=SidebarSection.WEIGHTS,
        applies=lambda weighting: weighting.citations > 0,
        stage="weighting",
    )
    recency_midpoint_years: float | None = declare(
        None,
        Number(0, 100, is_optional=True),
        label="Age at half weight",
        help="Age in years at which the recency weight falls to one half; defaults to the preset's value.",
        option="--recency-midpoint --time-midpoint",
        stage="weighting",
    )
    """Age in years at which the weight is one half. `None` means the preset's own value: 5 years in `balanced`; 0 in
    `paper`, as printed in the publication.
    """
    title: float = 0.0
    position: float = 0.0
    coverage: float = 0.0
    diversity: float = 0.0
    rerank: float = 1.0
    extra: tuple[tuple[str, float], ...] = ()
    """Strengths of factors that have no field here, such as those of plug-ins, by name; may be given as a mapping."""
    steers: tuple[tuple[str, float], ...] = declare(
        (),
        Steers(),
        label="Features",
        help=(
            "Favour papers that have a feature of this corpus, such as X-ray emission=0.5, or that lack it, such as "
            "X-ray emission=-0.5."
        ),
        link="steer",
        option="--steer",
        section=SidebarSection.WEIGHTS,
        stage="weighting",
    )
    """Features with strengths in [-1, 1]: above 0 favours papers with the feature, below 0 those without; may be given
    as a mapping.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "steers", tidy(self.steers))
        extra = self.extra.items() if isinstance(self.extra, Mapping) else self.extra
        object.__setattr__(self, "extra", tuple(sorted(extra)))
        check_settings(self)
        for name, strength in self.strengths.items():
            Strength().check(name, strength)

    @property
    def strengths(self) -> dict[str, float]:
        """The strengths that are set, keyed by the names that the factors use for them; those of steers come last."""
        own = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.type is float}
        steers = {factor_name(feature, strength): abs(strength) for feature, strength in self.steers}
        return own | dict(self.extra) | steers

    @property
    def is_off(self) -> bool:
        """True if the ranking depends only on the search itself and its reranker, and on no factor."""
        return not any(strength for name, strength in self.strengths.items() if name != "rerank")

    def with_strength(self, name: str, strength: float) -> "Weighting":
        """Return a copy of the weighting with one strength changed."""
        if name in {entry.name for entry in fields(self)}:
            return replace(self, **{name: strength})  # type: ignore[arg-type]
        if (steer := feature_of(name)) is not None:
            feature, sign = steer
            return replace(self, steers=tuple((dict(self.steers) | {feature: sign * strength}).items()))
        return replace(self, extra=tuple((dict(self.extra) | {name: strength}).items()))
