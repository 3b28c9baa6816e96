"""Random pools of candidates, with all that can be missing missing somewhere."""

import numpy as np
from hypothesis import strategies as st

from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.types import Candidates, CitationProfile, Paper, Preset, Weighting

OPTIONAL = ("title_match", "position", "coverage", "diversity", "rerank")


def make_pool(n, seed, *, absent=(), holes=0.2, levels=None):
    """`n` candidates in the order of the fused score; `levels` makes values coarse, so that many are equal."""
    rng = np.random.default_rng(seed)

    def column(low=0.0, high=1.0, hole=0.0):
        values = rng.uniform(low, high, n) if levels is None else rng.integers(0, levels + 1, n) / levels * high
        return np.where(rng.random(n) < hole, np.nan, values)

    fused = np.sort(np.maximum(column(), 0.001))[::-1].copy()
    fused[0] = 1.0
    columns = {
        "dense": column(0.0, 0.9),
        "sparse": column(0.0, 20.0),
        "fused": fused,
        "keyword": column(hole=holes),
        "age_years": column(0.0, 40.0, holes),
        "citation_count": np.round(column(0.0, 900.0, holes)),
        "citation_percentile": column(0.01, 1.0, holes),
    }
    optional = {name: column(hole=holes if name in {"diversity", "rerank"} else 0.0) for name in OPTIONAL}
    return Candidates(
        papers=[Paper(f"p{i}", f"Title {i}", "Abstract.") for i in range(n)],
        rows=np.arange(n) + 1000,
        vectors=np.zeros((n, 2), dtype=np.float32),
        **columns,
        **{name: values for name, values in optional.items() if name not in absent},
    )


pools = st.builds(
    make_pool,
    st.integers(5, 60),
    st.integers(0, 2**32 - 1),
    absent=st.sets(st.sampled_from(OPTIONAL)),
    levels=st.sampled_from([None, None, 4]),
)

strengths = st.sampled_from([0.0, 0.0, 0.05, 0.3, 0.5, 0.73, 1.0])


def make_weighting(preset, citation_profile, by_name):
    weighting = Weighting(preset=preset, citation_profile=citation_profile)
    for name, strength in by_name.items():
        weighting = weighting.with_strength(name, strength)
    return weighting


weightings = st.builds(
    make_weighting,
    st.sampled_from(Preset),
    st.sampled_from(CitationProfile),
    st.fixed_dictionaries(dict.fromkeys([factor.setting for factor in OWN_FACTORS], strengths)),
)
