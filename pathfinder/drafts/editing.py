"""A section's text as a reader edits it: sentences with numbers in brackets, paragraphs separated by empty lines."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pathfinder.drafts.draft import DraftSentence, SectionText, SentenceOrigin
from pathfinder.errors import UsageError
from pathfinder.grounding.pasted_text import read_cited
from pathfinder.types import CheckedSentence, Claim, without_control_characters

MAX_TEXT = 40_000
"""Maximum length of a section's text, in characters."""
_PARAGRAPHS = re.compile(r"\n\s*\n")


def editable(text: SectionText, numbers: Mapping[str, int]) -> str:
    """Write the text of a section with the number of each cited paper in brackets, so that `read_edited` can read it
    back.
    """
    paragraphs: list[list[str]] = [[]]
    for sentence in text.sentences:
        if sentence.begins_paragraph:
            paragraphs.append([])
        marks = ", ".join(str(numbers[paper_id]) for paper_id in sentence.citations)
        paragraphs[-1].append(f"{sentence.text} [{marks}]" if marks else sentence.text)
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs if sentences)


def read_edited(text: str, numbers: Mapping[str, int]) -> tuple[tuple[Claim, bool], ...]:
    """Read an edited text: each sentence with the ids of the papers that it cites, and whether it begins a paragraph.

    Raises `UsageError` for a number that belongs to no paper, and for a text that is too long.
    """
    if len(text) > MAX_TEXT:
        raise UsageError(
            f"a section of {len(text):,} characters is too long: the limit is {MAX_TEXT:,}; shorten it, or divide it "
            "in two"
        )
    ids = {str(number): paper_id for paper_id, number in numbers.items()}
    sentences: list[tuple[Claim, bool]] = []
    for paragraph in _PARAGRAPHS.split(text):
        clean = "\n".join(map(without_control_characters, paragraph.splitlines()))
        for place, (words, names) in enumerate(read_cited(clean, ids)):
            if stray := next((name for name in names if name not in ids), None):
                raise UsageError(
                    f"[{stray}] in “{words[:60]}” is no paper: the numbers go from 1 to {len(ids)}, as listed below "
                    "the text"
                )
            sentences.append((Claim(words, tuple(ids[name] for name in names)), place == 0 and bool(sentences)))
    return tuple(sentences)


def with_edit(
    before: SectionText, claims: Sequence[tuple[Claim, bool]], checked_sentences: Sequence[CheckedSentence]
) -> SectionText:
    """Return the text with the edited sentences and their new verdicts; an unchanged sentence keeps its origin. The
    text no longer counts as having a gap, unless it is empty.
    """
    origins = {(each.text, each.citations): each.origin for each in before.sentences}
    sentences = tuple(
        DraftSentence(sentence, origins.get((claim.text, claim.citations), SentenceOrigin.READER), begins)
        for (claim, begins), sentence in zip(claims, checked_sentences, strict=True)
    )
    return replace(before, sentences=sentences, gap=None if sentences else before.gap)
