"""Knowledge about the papers in a corpus that does not come from its sources: merges, choices, retractions."""

from dataclasses import dataclass, field

from pathfinder.building.directory import BuildDirectory
from pathfinder.corpus.history.choices import Choices, open_choices, write_choices
from pathfinder.corpus.history.merges import Merges, open_merges, write_merges
from pathfinder.corpus.history.retractions import Retractions, open_retractions, write_list
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import Corpus

HISTORY_ROLES = ("choices", "merges", "retractions")
"""Parts that hold a history; a corpus without merges, choices or retractions lacks the corresponding part."""


@dataclass(frozen=True, slots=True)
class History:
    """Merges, choices and retractions of a corpus."""

    merges: Merges = field(default_factory=Merges)
    choices: Choices = field(default_factory=Choices)
    retractions: Retractions = field(default_factory=Retractions)
    """List from Retraction Watch that an update has read."""


def history_of(corpus: Corpus | None) -> History:
    """Read the history of a corpus; a new corpus has an empty one."""
    if corpus is None:
        return History()
    return History(
        open_merges(corpus.path("merges")),
        open_choices(corpus.path("choices")),
        open_retractions(corpus.path("retractions")),
    )


def history_parts(place: BuildDirectory, history: History) -> dict[str, CorpusFile]:
    """Make the parts that hold `history`, by role; none for an empty history."""
    parts: dict[str, CorpusFile] = {}
    if history.choices != Choices():
        staging_path = place.staging / "choices.json"
        write_choices(history.choices, staging_path)
        parts["choices"] = place_part(staging_path, "choices", place.corpus)
    if history.merges.entries:
        staging_path = place.staging / "merges"
        write_merges(history.merges, staging_path)
        parts["merges"] = place_part(staging_path, "merges", place.corpus)
    if history.retractions.names:
        staging_path = place.staging / "retractions.json"
        write_list(history.retractions, staging_path)
        parts["retractions"] = place_part(staging_path, "retractions", place.corpus)
    return parts
