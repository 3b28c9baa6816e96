"""Draft of an answer, and the stream in which an answer mode writes it."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pathfinder.answering.digest.digest import Quotation
from pathfinder.text.english import enumeration
from pathfinder.text.languages import languages_of
from pathfinder.types import (
    AdsQuery,
    Claim,
    Digest,
    FoldedReply,
    Ledger,
    Note,
    Paper,
    RetrievalMode,
    SearchRequest,
    SearchResult,
    StageOutcome,
    StepTaken,
    TextDelta,
    Trace,
    Version,
)


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """An answer before its evidence is checked. Fields shared with `Answer` have the same meaning."""

    text: str
    claims: tuple[Claim, ...]
    ran: str
    """Badge text that names the mode and model that answered."""
    abstained: bool = False
    notes: tuple[str, ...] = ()
    sources: tuple[Paper, ...] = ()
    trace: Trace | None = None
    versions: tuple[Version, ...] = ()
    ads_query: AdsQuery | None = None
    redirect: str | None = None
    outcome: StageOutcome = StageOutcome.RAN
    """Outcome: the requested mode ran, or a simpler one took its place."""
    reason: str | None = None
    """Reason why something simpler ran; `None` if the requested mode ran."""
    model: str | None = None
    """Name of the chat model that wrote the answer; `None` if none did."""
    digest: Digest | None = None
    ledger: Ledger | None = None
    """Evidence for each claim, once it has been checked; `None` if the draft makes none."""
    folded: FoldedReply | None = None

    @classmethod
    def quoting(
        cls,
        quotation: Quotation,
        ran: str,
        reason: str | None = None,
        sources: tuple[Paper, ...] | None = None,
        notes: tuple[str, ...] = (),
    ) -> "DraftAnswer":
        """Make a draft of sentences from papers; `reason` says why they stand in for something else, if they do.
        `sources` are those of the quotation by default.
        """
        return cls(
            quotation.text,
            quotation.claims,
            ran,
            not quotation.claims,
            notes,
            quotation.sources if sources is None else sources,
            outcome=StageOutcome.RAN if reason is None else StageOutcome.SUBSTITUTED,
            reason=reason,
            digest=quotation.digest,
        )


ModeEvent: TypeAlias = TextDelta | StepTaken | Note
AnswerStream: TypeAlias = Generator[ModeEvent, None, DraftAnswer]
"""Stream of an answer mode: yields events while the answer is written, and returns the draft."""

# Advice that takes the place of an answer when there is none.

DONT_KNOW = "I don't know"
"""Opening words of every reply that does not answer the question."""


def nothing_found(result: SearchResult) -> str:
    """Write the advice for a search that found nothing."""
    request = result.request
    if result.corpus.n_papers == 0:
        return f"{DONT_KNOW}: this corpus contains no papers. Add some with `pathfinder build`."
    if _has_years(request):
        return (
            f"{DONT_KNOW}: no papers were found {_years(request)}{_where(request)}. Widen the range of years or remove "
            "the filter; papers without a year are found only when the filter is removed."
        )
    if request.region is not None:
        return (
            f"{DONT_KNOW}: no papers were found in that region of the map. Draw a larger one or search the whole map."
        )
    if request.sides is RetrievalMode.SPARSE:
        return (
            f"{DONT_KNOW}: no paper contains any word in the question. Search by meaning as well, or use the words "
            "that papers on the subject would use."
        )
    return f"{DONT_KNOW}: no papers were found. {'; '.join(['Rephrase the question', *_other_filters(request)])}."


def not_in_corpus(result: SearchResult, identifiers: tuple[str, ...]) -> str:
    """Write the advice for a question that is nothing but `identifiers` of papers that the corpus lacks."""
    named = enumeration(identifiers)
    is_or_are = "is" if len(identifiers) == 1 else "are"
    return (
        f"{DONT_KNOW}: {named} {is_or_are} not among the {result.corpus.n_papers:,} papers of this corpus, or their "
        "records lack that identifier. Ask by the title, or add the paper with `pathfinder build`. The papers "
        "listed are those whose words look most like it."
    )


def nothing_relevant(result: SearchResult) -> str:
    """Write the advice for a search whose hits are not relevant enough to answer from."""
    within, n_all = result.request.within, result.corpus.n_papers
    n_papers = len(within) or n_all if result.n_searched is None else result.n_searched
    papers = "the one paper" if n_papers == 1 else f"the {n_papers:,} papers"
    of = " of this corpus" if n_papers == n_all else f", of {n_all:,} in this corpus, that the filters leave"
    of = " searched (a shelf or another selection)" if within else of
    years = f" {_years(result.request)}" if _has_years(result.request) else ""
    where = _where(result.request)
    tips = [
        "Rephrase the question, more specifically or more generally, in the words that papers on the subject would use",
        f"widen the years (now{years})" if years else "",
        "search the whole map" if where else "",
        "search the whole corpus" if within else "",
        *_other_filters(result.request),
        "try other keywords",
    ]
    return (
        f"{DONT_KNOW}: nothing in {papers}{years}{where}{of} is relevant enough to answer from. "
        f"{_other_language(result)}{'; '.join(tip for tip in tips if tip)}. If these papers do not cover the subject "
        "of the question, you need a corpus that does. The papers listed are the closest there are."
    )


def _other_filters(request: SearchRequest) -> Iterator[str]:
    """Yield the advice to take off the filters that are no years, region or selection."""
    nouns = [noun for name, noun in _FILTERS.items() if getattr(request, name) != getattr(_UNFILTERED, name)]
    if nouns:
        yield f"remove the {'filter' if len(nouns) == 1 else 'filters'} for {enumeration(nouns)}"


_UNFILTERED = SearchRequest("any question")
_FILTERS = {
    "only_reviews": "reviews",
    "needs_abstract": "abstracts",
    "authors": "authors",
    "categories": "categories",
    "venues": "venues",
    "sources": "sources",
    "refereed": "peer review",
    "excluded_words": "words left out",
}
"""Nouns for settings that limit which papers are searched."""


def _other_language(result: SearchResult) -> str:
    """Say in which language to ask, if the stop words show that the question is not in the language of the papers."""
    if result.unread_language is not None:
        return f"The question seems to be in {result.unread_language}, and the papers are in English: ask in English. "
    of_question = languages_of([result.question])
    of_papers = languages_of([hit.paper.text for hit in result.hits])
    if len(of_papers) != 1 or not of_question or of_papers[0] in of_question:
        return ""
    return (
        f"The papers are in {of_papers[0]}, and the question seems to be in {' or '.join(of_question)}: "
        f"ask in {of_papers[0]}. "
    )


def _has_years(request: SearchRequest) -> bool:
    return request.year_from is not None or request.year_to is not None


def _where(request: SearchRequest) -> str:
    return "" if request.region is None else " in that region of the map"


def _years(request: SearchRequest) -> str:
    first, last = request.year_from, request.year_to
    if first is None:
        return f"up to {last}"
    return f"from {first} on" if last is None else f"from {first} to {last}"
