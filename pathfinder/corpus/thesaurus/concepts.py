"""A concept of a thesaurus, and the thesaurus as it is looked up: by concept, and by the lemmas of a name."""

from bisect import bisect_left
from dataclasses import dataclass

import pyarrow as pa

from pathfinder.corpus.lemmas import lemmas


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept, under the name that the thesaurus prefers."""

    concept_id: str
    """The last piece of its address: "104" of `http://example.org/thesaurus/104`."""
    label: str
    alternatives: tuple[str, ...] = ()
    """Its other names, in the order of the file."""
    broader: tuple[str, ...] = ()
    """Ids of the concepts that take it in; none for a top concept."""
    narrower: tuple[str, ...] = ()
    definition: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, the preferred one first."""
        return (self.label, *self.alternatives)


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """Concepts in the order of their file, memory-mapped: a concept is made when it is asked for."""

    name: str
    """Such as "Unified Astronomy Thesaurus"."""
    concepts: pa.Table
    names: pa.Table
    """Every name by its lemmas, sorted: `key`, `name`, `row` of its concept and whether it is the label."""

    def __len__(self) -> int:
        return int(self.concepts.num_rows)

    def concept(self, row: int) -> Concept:
        """The concept at `row`."""
        (fields,) = self.concepts.slice(row, 1).to_pylist()
        return Concept(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})  # type: ignore[arg-type]

    def named(self, phrase: str) -> tuple[tuple[str, Concept], ...]:
        """The concepts with a name of the same lemmas as `phrase`, each with that name as it is spelled.

        Where the name is the label of some and an alternative of others, those that it is the label of.
        """
        found = self._entries(key_of(phrase))
        labels = [entry for entry in found if entry[2]]
        return tuple((name, self.concept(row)) for name, row, _ in labels or found)

    def top_concepts(self) -> tuple[Concept, ...]:
        """The concepts that no other takes in, in the order of the file."""
        sizes = self.concepts.column("broader").to_pylist()
        return tuple(self.concept(row) for row, broader in enumerate(sizes) if not broader)

    def _entries(self, key: str) -> list[tuple[str, int, bool]]:
        keys = self.names.column("key")
        place = bisect_left(range(len(keys)), key, key=lambda i: str(keys[i].as_py()))
        entries = []
        while key and place < len(keys) and keys[place].as_py() == key:
            entry = self.names.slice(place, 1).to_pylist()[0]
            entries.append((str(entry["name"]), int(entry["row"]), bool(entry["is_label"])))
            place += 1
        return entries


def key_of(phrase: str) -> str:
    """What two names have in common that are the same: their lemmas, joined by spaces."""
    return " ".join(lemmas(phrase))
