"""Form: the search and answer settings before they become a request."""

from dataclasses import dataclass, field, replace
from typing import Any

from pathfinder.answering.settings import AnswerSettings
from pathfinder.types import SearchRequest, Weighting

_NO_QUESTION = SearchRequest("no question yet")


@dataclass(frozen=True, slots=True)
class Form:
    """All settings on the page. The question may be empty."""

    question: str = ""
    search: SearchRequest = _NO_QUESTION
    """Settings of the search; the `query` in it is ignored."""
    answering: AnswerSettings = field(default_factory=AnswerSettings)

    @property
    def weighting(self) -> Weighting:
        """Weights of the search."""
        return self.search.weighting

    def with_search(self, **settings: Any) -> "Form":
        """Change settings of the search. Raises `UsageError` for invalid values."""
        return replace(self, search=replace(self.search, **settings))

    def request(self) -> SearchRequest:
        """Make the request. Raises `UsageError` for an empty question."""
        return replace(self.search, query=self.question)
