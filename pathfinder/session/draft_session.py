"""Review drafts from an open corpus."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from pathfinder.llm.streams import drain
from pathfinder.session.search_session import SearchSession
from pathfinder.types import AnswerRequest

if TYPE_CHECKING:
    from pathfinder.drafts.coverage import DraftCoverage
    from pathfinder.drafts.draft import ReviewDraft, ReviewSection
    from pathfinder.session.drafts import AnsweringCorpus
    from pathfinder.shelves.shelf import Shelf


class DraftSession(SearchSession):
    """An open corpus that can draft reviews of the papers on a shelf."""

    def outline(
        self: "AnsweringCorpus", shelf: "Shelf", questions: Sequence[str] = (), title: str | None = None
    ) -> "ReviewDraft":
        """Make the outline of a review: a section for each question, and one for each group of the remaining papers.

        Papers with the state "out" are not used. By default, the title is the name of the shelf. Raises `UsageError`
        for a shelf without papers in this corpus, and for a question that is not a single line.
        """
        from pathfinder.session.drafts import outline

        return outline(self, shelf, questions, title)

    def write_draft(
        self: "AnsweringCorpus",
        draft: "ReviewDraft",
        shelf: "Shelf",
        request: AnswerRequest | None = None,
        sections: Sequence[str] | None = None,
    ) -> "ReviewDraft":
        """Write the sections with these keys, by default all: each answers its question from papers on the shelf alone.

        `request` sets the answer mode, by default RAG or, without a chat model, extractive. Every sentence has a
        verdict; those that no paper on the shelf supports are listed as dropped. Raises `UsageError` for an unknown key
        or mode.
        """
        from pathfinder.session.drafts import stream_draft

        return drain(stream_draft(self, draft, shelf, request, sections))

    def stream_draft(
        self: "AnsweringCorpus",
        draft: "ReviewDraft",
        shelf: "Shelf",
        request: AnswerRequest | None = None,
        sections: Sequence[str] | None = None,
    ) -> "Generator[str | ReviewSection, None, ReviewDraft]":
        """Like `write_draft`, but yield descriptions of its progress, and each section as soon as it is written."""
        from pathfinder.session.drafts import stream_draft

        return stream_draft(self, draft, shelf, request, sections)

    def edit_section(
        self: "AnsweringCorpus", draft: "ReviewDraft", shelf: "Shelf", key: str, text: str
    ) -> "ReviewDraft":
        """Replace the text of a section with your own, and compute the verdicts again; [n] cites the nth paper on the
        shelf.

        Raises `UsageError` for a number without a paper, and for an unknown key.
        """
        from pathfinder.session.drafts import edit_section

        return edit_section(self, draft, shelf, key, text)

    def check_draft(self: "AnsweringCorpus", draft: "ReviewDraft", shelf: "Shelf") -> "ReviewDraft":
        """Compute the verdicts of all sentences again, such as those in a file that somebody else wrote.

        A sentence becomes the reader's own if it cites nothing or a paper that is not on the shelf or not in the
        corpus, if its papers contradict it or do not support it, or if it is marked as a quotation and none of its
        papers contains it word for word; a note says how many sentences become the reader's own.
        """
        from pathfinder.session.drafts import check_draft

        return check_draft(self, draft, shelf)

    def draft_coverage(self: "AnsweringCorpus", draft: "ReviewDraft", shelf: "Shelf") -> "DraftCoverage":
        """List papers on the shelf that the draft never cites, and cited papers that are no longer on the shelf or in
        the corpus.
        """
        from pathfinder.session.drafts import draft_coverage

        return draft_coverage(self, draft, shelf)
