"""Names of the consensus levels: our own and those of the published app."""

from pathfinder.types import ConsensusLevel

_PUBLISHED_TAIL = " between abstracts and query"
"""Suffix of the published app's level names (github.com/UniverseTBD/Pathfinder)."""

_OTHER_NAMES = {
    "no clear agreement/disagreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no clear agreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no consensus": ConsensusLevel.NO_CLEAR_CONSENSUS,
}
_NAMES = {level.value.casefold(): level for level in ConsensusLevel} | _OTHER_NAMES


def level_named(name: str) -> ConsensusLevel | None:
    """Return the level with the given name in any case, also as written by the published app; `None` for any other
    text.

    >>> level_named("Weak Agreement Between Abstracts and Query").value
    'Weak Agreement'
    """
    known = " ".join(name.split()).rstrip(".").casefold().removesuffix(_PUBLISHED_TAIL)
    return _NAMES.get(known.replace(" / ", "/"))
