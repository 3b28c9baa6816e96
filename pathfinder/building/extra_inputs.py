"""Inputs of a build other than papers: a thesaurus, a list of reviews, and the profile of the field."""

from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.readers.reader import RejectedRow
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import ThesaurusFile, read_thesaurus
from pathfinder.landscape.data.placed_reviews import ReviewList, read_reviews
from pathfinder.profile import Profile, astronomy, parse_profile, read_profile


@dataclass(frozen=True, slots=True)
class ExtraInputs:
    """Contents of the files; `None` for a file that was not specified."""

    thesaurus: ThesaurusFile | None
    reviews: ReviewList | None
    profile: bytes | None
    """Content of a valid `profile.toml`."""
    files: tuple[str, ...]
    """Names of the files."""

    @property
    def rejected_rows(self) -> tuple[RejectedRow, ...]:
        """Entries that could not be used."""
        return tuple(entry for part in (self.thesaurus, self.reviews) if part for entry in part.rejected_rows)

    def profile_of_corpus(self, previous: Corpus | None) -> Profile:
        """Return the profile that the corpus will have: the one in the file, the earlier one, or astronomy's."""
        if self.profile is not None:
            return parse_profile(self.profile, "profile.toml")
        return previous.profile if previous is not None else astronomy()


NO_INPUTS = ExtraInputs(None, None, None, ())


def read_extra_inputs(thesaurus: Path | None, reviews: Path | None, profile: Path | None) -> ExtraInputs:
    """Read all the files in advance, so that a build with an unreadable file stops before it begins. Raises
    `CorpusError`.
    """
    return ExtraInputs(
        read_thesaurus(thesaurus) if thesaurus else None,
        read_reviews(reviews) if reviews else None,
        read_profile(profile)[1] if profile else None,
        tuple(path.name for path in (thesaurus, reviews) if path),
    )
