"""Finds features by their names, as readers type them."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from pathfinder.errors import UsageError
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Weighting
from pathfinder.types.features import Feature

N_NEAR = 3
LIST_THEM = "`pathfinder features DIR` lists them"


def find_feature(name: str, features: Sequence[Feature]) -> Feature:
    """Return the named feature that `name` denotes: its whole name, or one of its phrases that no other named feature
    has, compared by lemmas.

    Raises `UsageError` with the names to choose from if there is no such feature, or if several have the phrase.
    """
    named_features = [feature for feature in features if feature.is_named]
    key = lemmas(name)
    whole = [feature for feature in named_features if name == feature.name or key == lemmas(feature.name or "")]
    parts = [feature for feature in named_features if any(key == lemmas(phrase) for phrase in feature.phrases)]
    if whole or len(parts) == 1:
        return (whole or parts)[0]
    if parts:
        several = "; ".join(str(feature.name) for feature in parts)
        raise UsageError(
            f"several features of this corpus have {name!r} in their names: name one of them in full: {several}"
        )
    raise UsageError(f"no feature of this corpus is called {name!r}{_near(name, named_features)}: {LIST_THEM}")


def with_full_names(weighting: Weighting, features: Sequence[Feature]) -> Weighting:
    """Return `weighting` with the whole name of each feature by which it steers. Raises `UsageError` for a name that is
    unknown, ambiguous or repeated.
    """
    if not weighting.steers:
        return weighting
    steers = ((find_feature(name, features).name or "", strength) for name, strength in weighting.steers)
    return replace(weighting, steers=tuple(steers))


def _near(name: str, named_features: Sequence[Feature]) -> str:
    """Return the names nearest to `name`, as the end of a sentence; empty if there are none."""
    by_phrase = {phrase.casefold(): str(feature.name) for feature in named_features for phrase in feature.phrases}
    near = dict.fromkeys(by_phrase[key] for key in get_close_matches(name.casefold(), by_phrase, N_NEAR, 0.5))
    return f" (near: {'; '.join(near)})" if near else ""
