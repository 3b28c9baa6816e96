"""Declares the parts of a corpus as a graph of their inputs, which decides when a part has to be rebuilt.

A part is stale when its fingerprint changes: a hash of the names of its input parts (which contain the hashes of their
content; an absent part has no name, whatever the reason for its absence), and of the code and data files of the package
from which it is made. The manifest holds the fingerprints, so that nobody has to increase a version number by hand. A
corpus from version 0.1.0 has none: its parts are kept as long as their inputs stay the same, and only the drawn parts
of the map are rebuilt.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pathfinder.corpus.manifest import Manifest
from pathfinder.corpus.source_hash import source_hash

_PACKAGE = Path(__file__).parents[1]
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class PartSpec:
    """A part of a corpus with all its inputs."""

    role: str
    inputs: tuple[str, ...] = ()
    """Roles of the parts from which this one is made, all of them earlier in `GRAPH`."""
    maker: str | None = None
    """Module that makes the part: a change in its code makes the part stale. `None` for parts that are never rebuilt,
    such as the vectors, which take hours to compute, or the map, because links refer to its positions.
    """
    rooms: tuple[str, ...] = ()
    """Packages and modules whose code is hashed too if `maker` imports it, directly or indirectly."""
    data: tuple[str, ...] = ()
    """Data files in the package from which the part is made."""
    is_drawn: bool = False
    """True if only pictures of the map need the part, and searches do not."""


GRAPH = (
    PartSpec("papers"),
    PartSpec("tokens", ("papers",)),
    PartSpec("passages", ("papers",)),
    PartSpec("titles", ("papers",)),
    PartSpec("dense", ("papers",)),
    PartSpec("sparse", ("papers",), "index.sparse", ("index.words", "index.postings")),
    PartSpec(
        "terms",
        ("papers",),
        "index.terms",
        ("index.file_maps", "index.ports", "text.language.lemmas"),
        ("profile/compounds.toml",),
    ),
    PartSpec(
        "network",
        ("papers",),
        "corpus.network.writing",
        ("corpus.network", "corpus.merging.identifiers", "text.identifiers"),
    ),
    PartSpec("profile"),
    PartSpec("outliers", ("dense",), "answering.assessment.assess"),
    PartSpec("choices"),
    PartSpec("merges"),
    PartSpec("retractions"),
    PartSpec("fulltext"),
    PartSpec("fulltextpassages"),
    PartSpec(
        "relevance",
        ("papers", "dense", "sparse", "profile"),
        "answering.assessment.relevance",
        ("answering.assessment", "profile"),
        ("answering/assessment/relevance_prior.json", "profile/astronomy.toml", "profile/off_topic_questions.toml"),
    ),
    PartSpec(
        "reranker",
        ("papers", "tokens", "dense", "sparse"),
        "building.fitted_parts",
        ("retrieval.reranking",),
        ("retrieval/reranking/local/model.json",),
    ),
    PartSpec("landscape", ("dense",)),
    PartSpec(
        "features",
        ("papers", "dense", "terms"),
        "building.steering_features",
        ("corpus.features", "landscape.statistics.keywords"),
    ),
    PartSpec("thesaurus"),
    PartSpec("reviews", ("papers", "dense", "landscape"), "building.reviews", ("landscape.data",)),
    # The groups and each layer carry hashes of their inputs and code, so that valid layers are kept even if others are
    # rebuilt.
    PartSpec("groups", ("papers", "terms", "thesaurus"), is_drawn=True),
    PartSpec("layers", ("papers", "terms", "thesaurus", "dense", "landscape", "reviews", "groups"), is_drawn=True),
    PartSpec(
        "atlas",
        ("papers", "terms", "landscape"),
        "building.map",
        (
            "landscape.data",
            "landscape.naming",
            "landscape.statistics",
            "landscape.density",
            "landscape.drawing.viewport",
            "landscape.drawing.terrain",
        ),
        is_drawn=True,
    ),
)
"""All parts of a corpus, in the order in which they are made."""

SPECS = {spec.role: spec for spec in GRAPH}


def fingerprint(spec: PartSpec, manifest: Manifest) -> str:
    """Return the fingerprint that a part would have if it were made now from the parts listed in `manifest`."""
    names = {role: part.name for role, part in manifest.parts.items()}
    content = json.dumps([spec.role, [(role, names.get(role)) for role in spec.inputs], maker_hash(spec)])
    return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


def is_stale(spec: PartSpec, previous: Manifest | None, manifest: Manifest) -> bool:
    """Return whether a part, or the reason for its absence, must be rebuilt for the corpus built so far
    (`manifest`).

    `previous` is the manifest of the corpus already in the folder, if there is one.
    """
    if previous is None or (spec.role not in previous.parts and spec.role not in previous.absent):
        return True
    previous_fingerprint = previous.fingerprints.get(spec.role)
    if previous_fingerprint is not None:
        return previous_fingerprint != fingerprint(spec, manifest)
    return spec.is_drawn or any(previous.parts.get(role) != manifest.parts.get(role) for role in spec.inputs)


@cache
def maker_hash(spec: PartSpec) -> str:
    """Hash the code and data files from which a part is made, ignoring comments, docstrings and formatting."""
    rooms = tuple(f"pathfinder.{room}" for room in spec.rooms)
    code = source_hash(f"pathfinder.{spec.maker}", rooms) if spec.maker else ""
    data = [hashlib.sha256((_PACKAGE / path).read_bytes()).hexdigest() for path in spec.data]
    return "-".join((code, *data))
