"""The concepts of a thesaurus, which can be looked up by row or by the lemmas of a name."""

from bisect import bisect_left
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.text.language.lemmas import lemmas


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept, under the name preferred by the thesaurus."""

    concept_id: str
    """Last part of the concept's URI: "104" for `http://example.org/thesaurus/104`."""
    label: str
    alternatives: tuple[str, ...] = ()
    """Other names, in the order of the file."""
    broader: tuple[str, ...] = ()
    """Ids of the broader concepts; none for a top concept."""
    narrower: tuple[str, ...] = ()
    definition: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names, the preferred one first."""
        return (self.label, *self.alternatives)


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """The concepts of a thesaurus in the order of its file, memory-mapped; a `Concept` is created only when read."""

    name: str
    """Title, such as "Unified Astronomy Thesaurus"."""
    concepts: pa.Table
    names: pa.Table
    """Every name, sorted by its lemmas, with the columns `key`, `name`, `row` (of its concept) and `is_label`."""

    def __len__(self) -> int:
        return int(self.concepts.num_rows)

    def concept(self, row: int) -> Concept:
        """Return the concept at `row`."""
        (fields,) = self.concepts.slice(row, 1).to_pylist()
        return Concept(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})  # type: ignore[arg-type]

    def concepts_called(self, phrase: str) -> tuple[tuple[str, Concept], ...]:
        """Return the concepts that have a name with the same lemmas as `phrase`, each with that name as spelled in the
        thesaurus.

        If the name is the label of some concepts and a synonym of others, only the former are returned.
        """
        entries = self._entries(key_of(phrase))
        labels = [entry for entry in entries if entry[2]]
        return tuple((name, self.concept(row)) for name, row, _ in labels or entries)

    def has_word(self, word: str) -> bool:
        """Return whether a name contains `word`, which has only letters; case is ignored."""
        names = self.names.column("name")
        return bool(pc.any(pc.match_substring_regex(names, rf"\b{word}\b", ignore_case=True)).as_py())

    def top_concepts(self) -> tuple[Concept, ...]:
        """Return the concepts without a broader one, in the order of the file."""
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
    """Return the lemmas of a name, joined by spaces; two spellings of the same name have the same key."""
    return " ".join(lemmas(phrase))
