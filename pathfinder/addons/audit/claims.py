"""What a sentence says of each work that it cites: "Spots are dark (A), and faculae are bright (B)" are two claims."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.fulltext.document import InTextCitation, Paragraph
from pathfinder.text.sentences import sentence_spans

_LEFT_OVER = re.compile(r"[(\[](?:\s|[,;&]|e\.g\.|i\.e\.|cf\.|see|also|and|from|by|in)*[)\]]", re.IGNORECASE)
_SPACE_BEFORE = re.compile(r"(?<!\s)\s+([.,;:)\]])")
_WORD = re.compile(r"[^\W\d_]{3,}")
FEWEST_WORDS = 4
"""Number of words that a part of a sentence needs to be a claim of its own; otherwise, the whole sentence counts."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says of the works that it cites in one place."""

    text: str
    """The words, without citations."""
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citing:
    """A sentence that cites."""

    text: str
    """As a reader sees it."""
    plain: str
    """Without citations."""
    before: str
    """The sentence before it in its paragraph, without citations; empty at the beginning."""
    claims: tuple[Claim, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the works that it cites, each once."""
        return tuple(dict.fromkeys(key for claim in self.claims for key in claim.keys))


def citing_sentences(paragraph: Paragraph) -> Iterator[Citing]:
    """Yield the sentences of a paragraph that cite, in order."""
    before = ""
    for start, end in sentence_spans(paragraph.text):
        # A superscript number comes after the full stop of its sentence.
        own = [each for each in paragraph.citations if start <= each.start < end or each.start == end]
        plain = without_citations(paragraph.text, start, end, own)
        if any(each.references for each in own):
            claims = tuple(_claims(paragraph.text, start, end, [each for each in own if each.references], plain))
            yield Citing(paragraph.text[start:end], plain, before, claims)
        before = plain


def _claims(text: str, start: int, end: int, own: Sequence[InTextCitation], whole: str) -> Iterator[Claim]:
    """Yield a claim for each citation: a textual one ("A (1999) found ...") governs what follows it, up to the next
    textual one; one in brackets, what precedes it, back to the one before.
    """
    position = start
    for number, citation in enumerate(own):
        if _is_textual(text, start, citation):
            following = (each.start for each in own[number + 1 :] if _is_textual(text, start, each))
            part = without_citations(text, citation.end, next(following, end), own)
        else:
            part = without_citations(text, position, citation.start, own)
        position = citation.end
        yield Claim(part if len(_WORD.findall(part)) >= FEWEST_WORDS else whole, citation.references)


def _is_textual(text: str, start: int, citation: InTextCitation) -> bool:
    before, shown = text[start : citation.start], text[citation.start : citation.end]
    return shown[:1] not in "([" and before.count("(") <= before.count(")") and "(" in shown


def without_citations(text: str, start: int, end: int, citations: Sequence[InTextCitation]) -> str:
    """Return `text[start:end]` without the citations in it, and without the brackets that they leave empty."""
    pieces, position = [], start
    for each in citations:
        if start <= each.start < end:
            pieces.append(text[position : each.start])
            position = max(position, each.end)
    plain = " ".join("".join([*pieces, text[position:end]]).split())
    return _SPACE_BEFORE.sub(r"\1", _LEFT_OVER.sub("", plain)).strip(" ,;")
