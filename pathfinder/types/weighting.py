"""Weighting: the strengths of the ranking factors, those that a feature steers among them, and how they combine."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from pathfinder.errors import UsageError
from pathfinder.types.alternatives import (
    CITATION_PROFILE_LABELS,
    PRESET_LABELS,
    CitationProfile,
    Preset,
)
from pathfinder.types.setting_kinds import Alternatives, Number, Strength
from pathfinder.types.settings import SidebarSection, check_settings, declare

MORE, LESS = "more:", "less:"
"""Prefixes of the names of the ranking factors that steer towards a feature and away from it."""

_STRENGTH = Number(-1, 1)


@dataclass(frozen=True, slots=True)
class Steers:
    """Features with strengths, such as "X-ray emission=0.5; numerical simulation=-0.3"; links separate them with
    semicolons.
    """

    values: ClassVar[str] = "feature=strength; ... from -1 (less) to 1 (more)"

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(_is_steer(entry) for entry in value):
            raise UsageError(f'{name} must be pairs such as ("X-ray emission", 0.5), got {value!r}')
        for feature, strength in value:
            _STRENGTH.check(f"the strength of the feature {feature!r}", strength)
        if len({feature for feature, _ in value}) < len(value):
            raise UsageError(f"{name} must name each feature once, got {self.write(value)}")

    def read(self, text: str) -> tuple[tuple[str, float], ...]:
        steers = []
        for part in filter(str.strip, text.split(";")):
            feature, equals, strength = (piece.strip() for piece in part.rpartition("="))
            if not equals or not feature:
                raise UsageError(
                    f"a steer is written as FEATURE=STRENGTH, such as X-ray emission=0.5, got {part.strip()!r}"
                )
            try:
                steers.append((feature, _STRENGTH.read(strength)))
            except ValueError as error:
                raise UsageError(
                    f"the strength of the feature {feature!r} must lie in -1..1, got {strength!r}"
                ) from error
        return tuple(steers)

    def write(self, value: tuple[tuple[str, float], ...]) -> str:
        return "; ".join(f"{feature}={_STRENGTH.write(strength)}" for feature, strength in value)


def tidy(steers: Any) -> Any:
    """Return steers sorted and without those of strength 0, so that equal ones compare equal; a mapping is accepted,
    and anything else is returned as it is, to be refused by `Steers.check`.
    """
    steers = tuple(steers.items()) if isinstance(steers, Mapping) else steers
    if not isinstance(steers, tuple | list) or not all(map(_is_steer, steers)):
        return steers
    return tuple(sorted((feature, strength) for feature, strength in steers if strength != 0))


def factor_name(feature: str, strength: float) -> str:
    """Return the name of the ranking factor that a steer switches on: "more:X-ray emission"."""
    return f"{MORE if strength > 0 else LESS}{feature}"


def feature_of(factor: str) -> tuple[str, int] | None:
    """Return the feature of a ranking factor, with 1 if papers that have it are favoured and -1 if papers that lack it
    are; `None` for a factor that is not a steer.
    """
    signs = {MORE: 1, LESS: -1}
    beginning = next((beginning for beginning in signs if factor.startswith(beginning)), None)
    return None if beginning is None else (factor.removeprefix(beginning), signs[beginning])


def _is_steer(entry: Any) -> bool:
    return isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], str) and bool(entry[0].strip())


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
