"""What is given to a build besides papers: a thesaurus, and a list of reviews."""

from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.thesaurus import ThesaurusFile, read_thesaurus
from pathfinder.landscape.reviews.listing import ReviewList, read_reviews


@dataclass(frozen=True, slots=True)
class Given:
    """What the files held; `None` where none was given."""

    thesaurus: ThesaurusFile | None
    reviews: ReviewList | None
    files: tuple[str, ...]
    """Their names."""

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """Entries that could not be used."""
        return tuple(entry for part in (self.thesaurus, self.reviews) if part for entry in part.rejected)


def read_given(thesaurus: Path | None, reviews: Path | None) -> Given:
    """Read both, so that a file that cannot be read stops a build before it begins. Raises `CorpusError`."""
    return Given(
        read_thesaurus(thesaurus) if thesaurus else None,
        read_reviews(reviews) if reviews else None,
        tuple(path.name for path in (thesaurus, reviews) if path),
    )
