"""Knowledge about the papers of a corpus that sources do not give: merges, and the choices of a person."""

from dataclasses import dataclass, field

from pathfinder.building.directory import BuildDirectory
from pathfinder.corpus.history.choices import Choices, open_choices, write_choices
from pathfinder.corpus.history.merges import Merges, open_merges, write_merges
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import Corpus

HISTORY_ROLES = ("choices", "merges")
"""Parts that hold a history; a corpus without merges and choices has neither."""


@dataclass(frozen=True, slots=True)
class History:
    """Merges and choices of a corpus."""

    merges: Merges = field(default_factory=Merges)
    choices: Choices = field(default_factory=Choices)


def history_of(corpus: Corpus | None) -> History:
    """Read the history of a corpus; a new corpus has an empty one."""
    if corpus is None:
        return History()
    return History(open_merges(corpus.path("merges")), open_choices(corpus.path("choices")))


def history_parts(place: BuildDirectory, history: History) -> dict[str, CorpusFile]:
    """Make the parts that hold `history`, by role; nothing for an empty one."""
    parts: dict[str, CorpusFile] = {}
    if history.choices != Choices():
        staged = place.staging / "choices.json"
        write_choices(history.choices, staged)
        parts["choices"] = place_part(staged, "choices", place.corpus)
    if history.merges.listed:
        staged = place.staging / "merges"
        write_merges(history.merges, staged)
        parts["merges"] = place_part(staged, "merges", place.corpus)
    return parts
