"""Authors named in a question, as a single filter."""

from dataclasses import dataclass

from pathfinder.profile import Profile
from pathfinder.retrieval.authors.phrases import AuthorMention, mentions
from pathfinder.retrieval.years.in_questions import MAX_WORDS


@dataclass(frozen=True, slots=True)
class AuthorsNamed:
    """Authors whose papers a question asks for."""

    names: tuple[str, ...]
    """Names as written; a ^ before a name means that this author must be listed first."""
    words: str
    """Phrase in the question that names them; several phrases are joined by "…"."""
    spans: tuple[tuple[int, int], ...]
    """Positions of those phrases in the question."""
    year: int | None = None
    """Year of their paper, as in "Riess et al. 2022"."""
    is_sure: bool = True
    """False for words that might not be a name, as in "papers by hand"."""

    @property
    def description(self) -> str:
        """The names as text, without ^: "Riess" or "Riess, Freedman"."""
        return ", ".join(name.removeprefix("^") for name in self.names)


def authors_named(question: str, profile: Profile | None = None) -> AuthorsNamed | None:
    """Read the authors that `question` names: "papers by Riess", "Riess et al. 2022", "author:Riess".

    `None` if it names nobody or has more than 60 words. `profile` holds the field's names for things other than
    authors. The corpus may have no papers by the authors named.
    """
    phrases: list[AuthorMention] = mentions(question, profile) if len(question.split()) <= MAX_WORDS else []
    if not phrases:
        return None
    years = {mention.year for mention in phrases}
    return AuthorsNamed(
        tuple(dict.fromkeys(name for mention in phrases for name in mention.names)),
        " … ".join(question[mention.start : mention.end] for mention in phrases),
        tuple((mention.start, mention.end) for mention in phrases),
        years.pop() if len(years) == 1 else None,
        all(mention.is_sure for mention in phrases),
    )
