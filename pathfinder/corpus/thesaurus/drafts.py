"""Drafts of concepts, filled in while a file is read, because the file may describe a concept in many places."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.schemas.fields import clean
from pathfinder.corpus.thesaurus.concepts import Concept


@dataclass(slots=True)
class Draft:
    """The part of a concept read so far."""

    line: int
    """Number of the first line in the file that mentions the concept."""
    label: str | None = None
    alternatives: list[str] = field(default_factory=list)
    broader: list[str] = field(default_factory=list)
    narrower: list[str] = field(default_factory=list)
    definition: str | None = None
    is_deprecated: bool = False


class Drafts:
    """The concepts and the rejected entries of one file, filled by the reader for its format."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.scheme: str | None = None
        """Title of the thesaurus, if the file gives one."""
        self.by_id: dict[str, Draft] = {}
        self.rejected_rows: list[RejectedRow] = []

    def draft(self, concept_id: str, line: int) -> Draft:
        """Return the draft of the concept `concept_id`, creating it if there is none."""
        return self.by_id.setdefault(concept_id, Draft(line))

    def reject(self, line: int, reason: str, concept_id: str | None = None) -> None:
        """Record an unusable entry and the reason."""
        self.rejected_rows.append(RejectedRow(self.file, line, reason, concept_id))

    def concepts(self) -> tuple[Concept, ...]:
        """Return the usable concepts in the order in which the file first mentions them. A link may be stated by either
        of its two concepts; broken links are dropped.
        """
        usable = {concept_id: draft for concept_id, draft in self.by_id.items() if self._is_usable(concept_id, draft)}
        up: dict[str, dict[str, None]] = {concept_id: {} for concept_id in usable}
        down: dict[str, dict[str, None]] = {concept_id: {} for concept_id in usable}
        for concept_id, draft in usable.items():
            for other in self._known_ids(draft.broader, "broader", concept_id, usable):
                up[concept_id][other] = down[other][concept_id] = None
            for other in self._known_ids(draft.narrower, "narrower", concept_id, usable):
                down[concept_id][other] = up[other][concept_id] = None
        return tuple(_concept(i, draft, up[i], down[i]) for i, draft in usable.items())

    def _is_usable(self, concept_id: str, draft: Draft) -> bool:
        if draft.label is None and not draft.is_deprecated:
            self.reject(draft.line, "no label", concept_id)
        return draft.label is not None and not draft.is_deprecated

    def _known_ids(self, ids: Iterable[str], which: str, concept_id: str, usable: dict[str, Draft]) -> Iterable[str]:
        for other in dict.fromkeys(ids):
            if other in usable and other != concept_id:
                yield other
            elif other not in self.by_id or other == concept_id:
                what = "itself" if other == concept_id else f"{other!r}, which is not in the file"
                reason = f"{which} is {what}; the link was left out"
                self.reject(self.by_id[concept_id].line, reason, concept_id)


def _concept(concept_id: str, draft: Draft, up: Iterable[str], down: Iterable[str]) -> Concept:
    label = draft.label or ""
    names = dict.fromkeys(name for name in map(clean, draft.alternatives) if name and name != label)
    return Concept(concept_id, label, tuple(names), tuple(up), tuple(down), draft.definition)


def id_of(address: str) -> str:
    """Return the last part of a concept's URI; return an id that is not a URI unchanged."""
    return clean(address).rstrip("/#").replace("#", "/").rpartition("/")[2]
