"""An audit of a draft, in words and as an operation; apart from what makes one, which the help of the command need not
load.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pathfinder.operations.operation import Shell, declare, result_of
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.markdown import in_markdown
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.building.progress import Progress
    from pathfinder.facade import Pathfinder


class SentenceVerdict(StrEnum):
    """Verdict on a citing sentence, based on the works that it cites."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_FOUND = "not found"
    CONTRADICTED = "contradicted"
    NO_SOURCE = "source not here"


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a cited work that comes closest to what is said of it."""

    paper: Paper
    sentence: str
    """The sentence, verbatim."""
    place: str
    """Where it stands: "title", "abstract", or the section and page of the full text."""
    score: float
    """Share of the words of the claim that it has, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence of the draft that cites, with the verdict."""

    number: int
    """Its place among the citing sentences of the draft, from 1."""
    text: str
    """The sentence, with its citations as a reader sees them."""
    heading: str
    """Heading of its section; empty if that has none."""
    paragraph: int
    """Place of its paragraph in the draft, from 0."""
    cites: tuple[str, ...]
    """Keys of the works that it cites."""
    verdict: SentenceVerdict
    is_fault: bool
    """True if the source says otherwise, gives another number, or seems to be the wrong one: to be corrected."""
    reasons: tuple[str, ...]
    evidence: tuple[SourceSentence, ...]


class RemarkKind(StrEnum):
    """What there is to say about a cited work."""

    NO_ENTRY = "not in the bibliography"
    NOT_CITED = "never cited"
    TWICE = "listed twice"
    RETRACTED = "retracted"
    CORRECTED = "corrected"
    PUBLISHED = "published since"


@dataclass(frozen=True, slots=True)
class Remark:
    """A fault of the bibliography, or news of a work in it."""

    kind: RemarkKind
    key: str
    """Key of the work in the draft."""
    text: str
    """What is wrong, and the way out."""


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the draft cites or lists."""

    key: str
    entry: str
    """Its entry, in a few words; empty if the bibliography has none."""
    record: Paper | None
    """The paper in the corpus; `None` if the corpus lacks it."""
    source: str
    """What of it is here: "full text", "abstract", "title" or "nothing"."""
    n_sentences: int
    """Number of sentences that cite it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A paper of the corpus that the draft does not cite, and why it may want to."""

    paper: Paper
    reason: str
    heading: str
    """Heading of the section of the paragraph that it is closest to."""
    paragraph: int
    """Place of that paragraph in the draft, from 0."""


@dataclass(frozen=True, slots=True)
class DraftParagraph:
    """A paragraph of the draft."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A draft, checked against the works that it cites."""

    title: str
    file: str
    sentences: tuple[CitingSentence, ...]
    works: tuple[CitedWork, ...]
    remarks: tuple[Remark, ...]
    suggestions: tuple[Suggestion, ...] | None
    """Works to consider; `None` if they were not looked for, in which case `notes` says why."""
    paragraphs: tuple[DraftParagraph, ...]
    notes: tuple[str, ...] = ()

    def n_with(self, verdict: SentenceVerdict) -> int:
        """Return the number of sentences with a verdict."""
        return sum(sentence.verdict is verdict for sentence in self.sentences)


# An audit in words: in a sentence or two, as lines, and as Markdown.


MOST_SHOWN = 10
"""Number of works to consider that are written for people; JSON has them all."""
MOST_UNCITED = 5
"""Number of works never cited that are written for people, because a .bib file may be shared by many drafts."""


def describe_audit(audit: Audit) -> str:
    """Say how many sentences cite, how they fare, and what else was found, in a sentence or two."""
    counts = ", ".join(f"{audit.n_with(verdict)} {verdict}" for verdict in SentenceVerdict)
    n_faults = sum(sentence.is_fault for sentence in audit.sentences)
    to_consider = "not looked for" if audit.suggestions is None else str(len(audit.suggestions))
    return (
        f"{len(audit.sentences)} sentences cite works: {counts}. {n_faults} of them to look at first. Remarks on the "
        f"bibliography: {len(list(remark_lines(audit)))}. Works to consider: {to_consider}."
    )


def remark_lines(audit: Audit) -> Iterator[str]:
    """Write each remark on a line; of many works that are listed and never cited, one line names the first few."""
    uncited = [remark.key for remark in audit.remarks if remark.kind is RemarkKind.NOT_CITED]
    is_folded = len(uncited) > MOST_UNCITED
    for remark in audit.remarks:
        if not (is_folded and remark.kind is RemarkKind.NOT_CITED):
            yield f"{remark.key}: {remark.kind}; {remark.text}"
    if is_folded:
        names = ", ".join(uncited[:MOST_UNCITED])
        yield f"{RemarkKind.NOT_CITED}: {len(uncited)} works that the bibliography lists, among them {names}"


def to_look_at(audit: Audit) -> list[CitingSentence]:
    """Return the sentences with a fault, then those that were not found in their sources."""
    faults = [sentence for sentence in audit.sentences if sentence.is_fault]
    missing = (SentenceVerdict.NOT_FOUND, SentenceVerdict.CONTRADICTED)
    return faults + [each for each in audit.sentences if not each.is_fault and each.verdict in missing]


def audit_lines(audit: Audit) -> Iterator[str]:
    """Write an audit for a terminal."""
    yield describe_audit(audit)
    for sentence in to_look_at(audit):
        yield f"{sentence.number}. {'to correct? ' if sentence.is_fault else ''}{sentence.verdict}: {sentence.text}"
        yield from (f"    {reason}" for reason in sentence.reasons)
        for each in sentence.evidence[:1]:
            yield f'    {each.paper.paper_id}, {each.place}: "{each.sentence}"'
    yield from remark_lines(audit)
    for suggestion in (audit.suggestions or ())[:MOST_SHOWN]:
        year = suggestion.paper.known_year or "no year"
        yield f"consider {suggestion.paper.paper_id}, {suggestion.paper.title} ({year}): {suggestion.reason}"


def sentence_markdown(sentence: CitingSentence, escape: Callable[[str], str] = for_markdown) -> str:
    """Write the verdict on a sentence, with the reasons and the closest sentence of the source."""
    parts = [f"**{sentence.number}. {sentence.verdict}**", *map(escape, sentence.reasons)]
    for each in sentence.evidence[:1]:
        place = escape(f"{each.paper.title}, {each.place}")
        parts.append(f"{place}: “{escape(each.sentence)}”")
    return "; ".join(parts)


def audit_markdown(audit: Audit) -> str:
    """Write an audit as Markdown: every citing sentence in its section, the bibliography, and works to consider."""
    lines = [f"# {in_markdown(audit.title or audit.file)}", "", in_markdown(describe_audit(audit))]
    heading = None
    for sentence in audit.sentences:
        if sentence.heading != heading:
            heading = sentence.heading
            lines += ["", f"## {in_markdown(heading) or 'No heading'}"]
        lines += [
            "",
            f"> {in_markdown(sentence.text)}",
            "",
            f"{'⚠ ' * sentence.is_fault}{sentence_markdown(sentence, in_markdown)}",
        ]
    if audit.remarks:
        lines += ["", "## Bibliography", ""]
        lines += [f"- {in_markdown(line)}" for line in remark_lines(audit)]
    if audit.suggestions:
        lines += ["", "## Works to consider", ""]
    for each in audit.suggestions or ():
        title = in_markdown(f"{each.paper.title} ({each.paper.known_year or 'no year'}), {each.paper.paper_id}")
        lines.append(f"- {title}: {in_markdown(each.reason)}; closest to a paragraph in “{in_markdown(each.heading)}”")
    return "\n".join((*lines, ""))


@declare(
    "audit",
    settings=(),
    result=result_of(Audit, without="paragraphs"),
    lines=audit_lines,
    forms={"markdown": audit_markdown},
    reports=True,
)
def audit(
    pf: "Pathfinder",
    draft: Annotated[
        str, Shell("DRAFT", "The draft: a .tex, .md, .txt or .docx file, or a folder with the LaTeX of one paper.")
    ],
    bib: Annotated[str | None, Shell("--bib FILE", "Its BibTeX file; by default, those that the LaTeX names.")] = None,
    progress: "Progress | None" = None,
) -> Audit:
    """Check every citing sentence of a draft against the works that it cites, and its bibliography."""
    from pathfinder.addons.audit.audit import audit_of

    return audit_of(pf, Path(draft), None if bib is None else Path(bib), progress)
