"""Turns a digest into the text and the claims of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pathfinder.answering.digest.digest import MAX_LINES, NOT_ANSWERED, make_digest
from pathfinder.answering.digest.lines import thing_of
from pathfinder.answering.digest.values import age_in_words
from pathfinder.grounding.marks import NUMBER_MARK
from pathfinder.grounding.readings import Readings
from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder
from pathfinder.profile import Profile
from pathfinder.types import Claim, Digest, DigestForm, Finding, Hit, NamedThing, Paper, StatedValue

NOTHING_TO_QUOTE = "Only the titles of the matching papers are available, so there is nothing to quote."


@dataclass(frozen=True, slots=True)
class Quotation:
    """An answer quoted from papers: its text with [n] marks, its claims, and the digest that it is made from."""

    text: str
    claims: tuple[Claim, ...]
    digest: Digest | None
    """`None` if there was no paper to quote."""
    sources: tuple[Paper, ...] = ()
    """Papers in the order of their [n] marks: the hits, then other papers that are quoted."""


def quote(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    form: DigestForm | None = None,
    further: Sequence[Paper] = (),
    tokens: TokenSource | None = None,
    profile: Profile | None = None,
    readings: Readings | None = None,
    *,
    of_found: int | None = None,
) -> Quotation:
    """Answer `question` with quotations from `hits`, which must not be empty.

    Papers from `further`, which the search ranks below the hits, are added to the sources after the hits if the digest
    quotes them. `tokens` and `profile` are those of the corpus that holds the hits; `readings` holds the full-text
    passages, which can be quoted too; `of_found` is the number of papers found if the hits are those of them that
    are themselves asked for.
    """
    readings = readings or Readings()
    read = [*map(readings.read_hit, hits)]
    digest = make_digest(question, read, embedder, form, further, tokens, profile, of_found=of_found)
    papers = {paper.paper_id: paper for paper in (*further, *(hit.paper for hit in hits))}
    digest = in_place(digest, papers, readings)
    quoted_ids = (finding.paper_id for finding in digest.findings)
    source_ids = dict.fromkeys([*(hit.paper.paper_id for hit in hits), *quoted_ids])
    places = {paper_id: place for place, paper_id in enumerate(source_ids, start=1)}
    lines = {(finding.paper_id, finding.sentence): finding for finding in _first_mentions(digest)[:MAX_LINES]}
    claims = tuple(Claim(sentence, (paper_id,)) for paper_id, sentence in lines)
    text = _text(digest, list(lines.values()), places)
    return Quotation(text or NOTHING_TO_QUOTE, claims, digest, tuple(papers[paper_id] for paper_id in source_ids))


def _text(digest: Digest, lines: Sequence[Finding], places: Mapping[str, int]) -> str:
    """Write one line for each finding."""
    paragraphs = [NOT_ANSWERED] if digest.is_weak else []
    if lines:
        paragraphs.append(
            "\n".join(
                f"{names_before(digest, each)}{as_quotation(each)}{address_of(each)} [{places[each.paper_id]}]"
                for each in lines
            )
        )
    if digest.value_age is not None:
        paragraphs.append(age_in_words(digest.value_age))
    return "\n\n".join(paragraphs)


def _first_mentions(digest: Digest) -> Sequence[Finding]:
    """Return the lines of a digest; for a list, only those that name something for the first time."""
    if not digest.named:
        return digest.findings
    first_findings: dict[str, Finding] = {}
    for thing, finding in zip(digest.named, digest.findings, strict=True):
        first_findings.setdefault(thing_of(thing.name), finding)
    return list(first_findings.values())


def names_before(digest: Digest, finding: Finding) -> str:
    """Write the names that introduce a line of a list: "SKIRT: ", or "SKIRT (named in the title): "."""
    names = [
        f"{thing.name} (named in the title)" if thing.is_in_title_only else thing.name
        for thing, line in zip(digest.named, digest.findings, strict=False)
        if (line.paper_id, line.sentence) == (finding.paper_id, finding.sentence)
    ]
    return f"{', '.join(dict.fromkeys(names))}: " if names else ""


def address_of(finding: Finding) -> str:
    """Write the section and page of a line from a full text, as in " (2. Methods, page 4)"; nothing for an abstract."""
    return f" ({finding.passage.address})" if finding.passage else ""


def with_insertions(finding: Finding, mark: str = "") -> str:
    """Write a sentence with its insertions in square brackets, and with `mark` before and after each marked word."""
    text = finding.sentence
    for start, end in reversed(finding.marked):
        text = f"{text[:start]}{mark}{text[start:end]}{mark}{text[end:]}"
    for insertion in sorted(finding.inserted, key=lambda insertion: -insertion.position):
        before, words, after = insertion.text.partition(insertion.text.strip())
        text = f"{text[: insertion.position]}{before}[{words}]{after}{text[insertion.position :]}"
    return text


def as_quotation(finding: Finding, mark: str = "") -> str:
    """Write a completed sentence, with `mark` around each marked word, in quotation marks if it contains the paper's
    own numbered citations, as in [3]: without the quotation marks, these could be taken for the answer's own citations.
    """
    text = with_insertions(finding, mark)
    return f"“{text}”" if finding.passage and NUMBER_MARK.search(finding.sentence) else text


_Line = TypeVar("_Line", Finding, StatedValue, NamedThing)


def in_place(digest: Digest, papers: Mapping[str, Paper], readings: Readings) -> Digest:
    """Return `digest` with positions in abstracts or full-text passages, instead of positions in papers' readings.

    `papers` holds the papers of the corpus, by id.
    """
    if not readings.passages:
        return digest
    return replace(
        digest,
        findings=tuple(_finding(each, papers[each.paper_id], readings) for each in digest.findings),
        values=tuple(_place(each, papers[each.paper_id], readings) for each in digest.values),
        named=tuple(_place(each, papers[each.paper_id], readings) for each in digest.named),
    )


def _finding(finding: Finding, paper: Paper, readings: Readings) -> Finding:
    """Locate a line; a line that crosses the boundary of a passage loses its shorter part, insertions and marks."""
    finding_in_place = _place(finding, paper, readings)
    if finding_in_place.passage is None and finding_in_place.end == finding.end:
        return finding
    text = finding_in_place.passage.text if finding_in_place.passage else paper.abstract
    sentence = text[finding_in_place.start : finding_in_place.end]
    if sentence == finding.sentence:
        return finding_in_place
    return replace(finding_in_place, sentence=sentence, inserted=(), marked=())


def _place(line: _Line, paper: Paper, readings: Readings) -> _Line:
    place = readings.place(paper, line.start, line.end)
    return replace(line, start=place.start, end=place.end, passage=place.passage)
