from pathfinder.types import QueryExpansion, SearchRequest
from pathfinder.types.alternatives import NO_RERANKER
from pathfinder.types.full_texts import FullTextPassage, SectionKind
from pathfinder.ui.papers.figures import captions_of, on_captions


class FoundCaptions:
    """A hit with passages of these kinds, each named by its text."""

    def __init__(self, *passages: tuple[str, SectionKind]) -> None:
        self.full_text = tuple(FullTextPassage(text, "", kind, 1, 0, 0, 0, 0, len(text)) for text, kind in passages)


def test_captions_are_looked_for_with_the_filters_of_the_question_and_at_no_cost() -> None:
    own = SearchRequest("dust", year_from=2010, authors=("Draine",), imagine=QueryExpansion.HYDE, full_texts=False)
    request = on_captions(own)
    assert (request.query, request.year_from, request.authors) == ("dust", 2010, ("Draine",))
    assert request.sections == (SectionKind.CAPTION, SectionKind.TABLE)
    assert (request.imagine, request.reranker, request.live) == (QueryExpansion.OFF, NO_RERANKER, ())
    assert request.full_texts


class Words:
    """Word statistics of a corpus in which every word counts."""

    def content_words(self, text: str) -> tuple[str, ...]:
        return tuple(text.lower().split())


def test_each_paper_shows_its_best_caption_before_any_shows_a_second() -> None:
    caption, table, method = SectionKind.CAPTION, SectionKind.TABLE, SectionKind.METHOD
    hits = (
        FoundCaptions(("dust a1", caption), ("dust text", method), ("dust a2", table)),
        FoundCaptions(("gas", caption), ("| Cloud dust | Mass 1.", table), ("Dust b2", table)),
        FoundCaptions(("dust c", method)),
    )
    assert [passage.text for _, passage in captions_of(hits, "dust", Words())] == ["dust a1", "Dust b2", "dust a2"]
