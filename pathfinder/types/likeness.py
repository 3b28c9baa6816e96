"""Likeness to search for: similarity to papers, to a text, or to a place on the map."""

from dataclasses import dataclass

from pathfinder.errors import UsageError
from pathfinder.types.region import is_number
from pathfinder.types.texts import check_length


@dataclass(frozen=True, slots=True)
class Likeness:
    """The target of a search: papers similar to `more` and dissimilar to `less`. At least one paper, text or place that
    the results should resemble is required.
    """

    more: tuple[str, ...] = ()
    """Ids of papers that the results should resemble."""
    less: tuple[str, ...] = ()
    """Ids of papers that the results should differ from."""
    text: str | None = None
    """Text that the results should resemble, such as a pasted abstract."""
    place: tuple[float, float] | None = None
    """A point on the corpus's map, in the map's coordinates."""

    def __post_init__(self) -> None:
        for name in ("more", "less"):
            ids = getattr(self, name)
            if isinstance(ids, str) or not all(isinstance(paper_id, str) for paper_id in ids):
                raise UsageError(f"{name} must be a tuple of paper ids, got {ids!r}")
            object.__setattr__(self, name, tuple(dict.fromkeys(ids)))
        if self.text is not None and not self.text.strip():
            raise UsageError("the example text is empty: paste an abstract, or leave it out")
        check_length("the example text", self.text or "")
        if self.place is not None and not (len(self.place) == 2 and all(map(is_number, self.place))):
            raise UsageError(f"a place on the map must be two numbers, got {self.place!r}")
        if both := set(self.more) & set(self.less):
            raise UsageError(f"{min(both)!r} cannot be in both more and less: remove it from one of them")
        if not (self.more or self.text or self.place):
            raise UsageError("no examples were given: name a paper, paste a text or choose a place on the map")
