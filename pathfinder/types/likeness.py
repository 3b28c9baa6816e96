"""What papers should be like: others, a text, or whatever lies at a place on the map."""

from dataclasses import dataclass
from math import isfinite

from pathfinder.errors import UsageError


@dataclass(frozen=True, slots=True)
class Likeness:
    """More like these, less like those; at least one paper, a text or a place to be like."""

    more: tuple[str, ...] = ()
    """Ids of papers to be like."""
    less: tuple[str, ...] = ()
    """Ids of papers to be unlike."""
    text: str | None = None
    """Such as a pasted abstract."""
    place: tuple[float, float] | None = None
    """A point of the corpus's map, in its coordinates."""

    def __post_init__(self) -> None:
        for name in ("more", "less"):
            ids = getattr(self, name)
            if isinstance(ids, str) or not all(isinstance(paper_id, str) for paper_id in ids):
                raise UsageError(f"{name} must be a tuple of paper ids, got {ids!r}")
            object.__setattr__(self, name, tuple(dict.fromkeys(ids)))
        if self.text is not None and not self.text.strip():
            raise UsageError("the text to be like is empty: paste an abstract, or leave it out")
        if self.place is not None and not (
            len(self.place) == 2 and all(isinstance(x, int | float) and isfinite(x) for x in self.place)
        ):
            raise UsageError(f"a place on the map is two numbers, got {self.place!r}")
        if both := set(self.more) & set(self.less):
            raise UsageError(f"{min(both)!r} cannot be more alike and less alike at once: leave it out of one")
        if not (self.more or self.text or self.place):
            raise UsageError("nothing is named to be like: name a paper, paste a text or choose a place on the map")
