"""A draft as a document: headings, paragraphs with quotations and citations, and references in order of citation; and
the formats in which it can be written, for the page and the command line.
"""

import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from pathfinder.addons.drafts.draft import DraftSentence, ReviewDraft, ReviewSection, SentenceOrigin
from pathfinder.operations.export.bibtex import bibtex, bibtex_keys
from pathfinder.operations.export.references import authors_in_text, references
from pathfinder.text.latex.display import inert_tex, readable
from pathfinder.text.markdown import in_markdown
from pathfinder.types import Paper, Verdict

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph as DocxParagraph
    from docx.text.run import Run


LEFT_OUT = "[…]"
"""Mark that shows where words in a quotation are left out."""


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Words in the document, with the papers that they cite."""

    text: str
    citations: tuple[str, ...]
    lead: str | None = None
    """Authors and year before a quotation; `None` for words that are not quoted."""
    remark: str | None = None
    """Reason to check a sentence once more; `None` if its papers support it."""


Paragraph = tuple[DocumentPart, ...]


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of the document."""

    heading: str
    paragraphs: tuple[Paragraph, ...]
    missing: str | None = None
    """Reason why the section has no text; `None` if it has some."""
    notes: tuple[str, ...] = ()
    """What a reader of the text should know, such as how many of its papers do not answer the question."""


@dataclass(frozen=True, slots=True)
class DraftDocument:
    """A draft, ready to be written in any format."""

    title: str
    sections: tuple[DocumentSection, ...]
    references: tuple[Paper, ...]
    """Papers cited, in the order of their first citation."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Number of each reference, counted from 1, by the id of its paper."""

    def cited_numbers(self, part: DocumentPart) -> list[int]:
        """Return the numbers of the references that a part cites, in ascending order."""
        return sorted(self.numbers[paper_id] for paper_id in part.citations)

    def mark(self, part: DocumentPart) -> str:
        """Return the citation mark of a part: "[1, 4]"; empty if it cites nothing."""
        numbers = self.cited_numbers(part)
        return f"[{', '.join(map(str, numbers))}]" if numbers else ""

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """Each sentence to check once more, with the reason."""
        parts = (p for section in self.sections for paragraph in section.paragraphs for p in paragraph)
        return tuple((part.text, part.remark) for part in parts if part.remark is not None)


def document_of(draft: ReviewDraft, papers: Mapping[str, Paper]) -> DraftDocument:
    """Lay out a draft. `papers` holds the papers in the corpus by id; a cited paper that is not among them is listed by
    its id.
    """
    references = tuple(
        papers.get(paper_id) or Paper(paper_id, f"{paper_id} (not in the corpus)", "") for paper_id in draft.cited_ids
    )
    papers_by_id = {paper.paper_id: paper for paper in references}
    sections = tuple(_section(section, papers_by_id) for section in draft.sections)
    return DraftDocument(draft.title, sections, references, {key: n for n, key in enumerate(papers_by_id, start=1)})


def _section(section: ReviewSection, papers: Mapping[str, Paper]) -> DocumentSection:
    sentences = section.text.sentences if section.text else ()
    missing = None if sentences else (section.text.gap if section.text else None) or "not written yet"
    notes = tuple(f"{note[:1].upper()}{note[1:]}." for note in (section.text.notes if section.text else ()))
    return DocumentSection(section.heading, tuple(_paragraphs(sentences, papers)), missing, notes)


def _paragraphs(sentences: Sequence[DraftSentence], papers: Mapping[str, Paper]) -> Iterator[Paragraph]:
    paragraph: list[DocumentPart] = []
    for source, group in groupby(sentences, _source):
        of_source = list(group)
        if of_source[0].begins_paragraph and paragraph:
            yield tuple(paragraph)
            paragraph = []
        if source is not None:
            paragraph.append(_quotation(of_source, papers[source]))
            continue
        for sentence in of_source:
            if sentence.begins_paragraph and paragraph:
                yield tuple(paragraph)
                paragraph = []
            paragraph.append(DocumentPart(sentence.text, sentence.citations, remark=_remark(sentence)))
    if paragraph:
        yield tuple(paragraph)


def _source(sentence: DraftSentence) -> str | None:
    """Return the paper that a sentence is quoted from; `None` for a sentence that is not a quotation."""
    return sentence.citations[0] if sentence.origin is SentenceOrigin.PAPER and sentence.citations else None


def _quotation(sentences: Sequence[DraftSentence], paper: Paper) -> DocumentPart:
    """Join sentences from one paper, and mark where words between them are left out."""
    words = " ".join(paper.abstract.split())
    text = sentences[0].text
    for before, sentence in pairwise(sentences):
        is_next = f"{_plain(before.text)} {_plain(sentence.text)}" in words
        text += f" {sentence.text}" if is_next else f" {LEFT_OUT} {sentence.text}"
    return DocumentPart(text, sentences[0].citations, lead_of(paper))


def _plain(text: str) -> str:
    return " ".join(text.split())


def lead_of(paper: Paper) -> str:
    """Return the words before a quotation: "Riess et al. (2022)", preceded by "Summary of" if somebody else wrote the
    text.
    """
    lead = f"{authors_in_text(paper)} ({paper.known_year or 'no year'})"
    return f"Summary of {lead}" if paper.is_summary else lead


def _remark(sentence: DraftSentence) -> str | None:
    verdict = sentence.checked.verdict
    if verdict is Verdict.SUPPORTED and sentence.citations:
        return None
    words = "partly supported" if verdict is Verdict.PARTLY else verdict.value
    return "; ".join((words, *sentence.checked.reasons))


# The formats in which a draft can be written, for the page and the command line.


@dataclass(frozen=True, slots=True)
class DraftForm:
    """A format, with a function that writes a document as one or more files, and returns their contents by suffix."""

    label: str
    files: Callable[[DraftDocument, str], dict[str, bytes]]
    """Takes the document and the name of its files, without a suffix."""


FORMS: Mapping[str, DraftForm] = {
    "latex": DraftForm(
        "LaTeX and BibTeX",
        lambda document, name: {
            "tex": draft_latex(document, name).encode(),
            "bib": draft_bibtex(document).encode(),
        },
    ),
    "markdown": DraftForm("Markdown", lambda document, _: {"md": draft_markdown(document).encode()}),
    "docx": DraftForm("Word (DOCX)", lambda document, _: {"docx": draft_docx(document)}),
}
"""Every format, by its name on the command line."""


def zip_files(files: Mapping[str, bytes], name: str) -> bytes:
    """Return a zip archive of files that are all called `name`; `files` gives their contents by suffix."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for suffix, contents in files.items():
            archive.writestr(f"{name}.{suffix}", contents)
    return buffer.getvalue()


# Writes a draft as Markdown with numbered references.


def draft_markdown(document: DraftDocument) -> str:
    """Write headings, paragraphs, references, and a list of the sentences to check."""
    lines = [f"# {in_markdown(document.title)}", ""]
    for section in document.sections:
        lines += _markdown_section(section, document)
    if document.references:
        lines += ["## References", ""]
        for reference in references(document.references, "numbered"):
            lines += [in_markdown(reference), ""]
    if document.remarks:
        lines += ["## Sentences to check", ""]
        lines += [f"- {in_markdown(text)} ({in_markdown(remark)})" for text, remark in document.remarks]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_section(section: DocumentSection, document: DraftDocument) -> Iterator[str]:
    yield from (f"## {in_markdown(section.heading)}", "")
    if section.missing is not None:
        yield from (f"*To do: {in_markdown(section.missing)}.*", "")
    for paragraph in section.paragraphs:
        yield from (" ".join(_markdown_part(part, document) for part in paragraph), "")
    for note in section.notes:
        yield from (f"*{in_markdown(note)}*", "")


def _markdown_part(part: DocumentPart, document: DraftDocument) -> str:
    words, mark = in_markdown(part.text), document.mark(part)
    if part.lead is not None:
        words = f"{in_markdown(part.lead)}: “{words.replace(in_markdown(LEFT_OUT), LEFT_OUT)}”"
    return f"{words} {mark}" if mark else words


# Writes a draft as a DOCX file, with python-docx.

REFERENCES = "References"


def draft_docx(document: DraftDocument) -> bytes:
    """Write headings, paragraphs and references; the numbers in citations are links to the references, and each
    sentence to check has a comment with the reason.
    """
    import docx

    word = docx.Document()
    word.core_properties.title = _clean(document.title)[:255]  # the format allows no more
    word.core_properties.author = ""
    word.add_heading(_clean(document.title), level=0)
    for section in document.sections:
        word.add_heading(_clean(section.heading), level=1)
        if section.missing is not None:
            word.add_paragraph().add_run(_clean(f"To do: {section.missing}.")).italic = True
        for paragraph in section.paragraphs:
            body = word.add_paragraph()
            for place, part in enumerate(paragraph):
                _write_part(word, body, part, document, " " if place else "")
        for note in section.notes:
            word.add_paragraph().add_run(_clean(note)).italic = True
    if document.references:
        word.add_heading(REFERENCES, level=1)
        for number, reference in enumerate(references(document.references, "numbered"), start=1):
            _bookmark(word.add_paragraph().add_run(_clean(reference)), number)
    buffer = io.BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def _write_part(
    word: "Document", body: "DocxParagraph", part: DocumentPart, document: DraftDocument, space: str
) -> None:
    """Write the words of a part, with its comment, and its citation mark: "[1, 4]"."""
    words = _clean(part.text) if part.lead is None else f"{_clean(part.lead)}: “{_clean(part.text)}”"
    run = body.add_run(f"{space}{words}")
    if part.remark is not None:
        word.add_comment(run, text=_clean(part.remark), author="Pathfinder", initials="P")
    for place, number in enumerate(document.cited_numbers(part)):
        body.add_run(", " if place else " [")
        _link(body.add_run(str(number)), number)
    if part.citations:
        body.add_run("]")


def _link(run: "Run", number: int) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), f"reference{number}")
    run.element.addprevious(link)
    link.append(run.element)


def _bookmark(run: "Run", number: int) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    for mark in (start, end):
        mark.set(qn("w:id"), str(number))
    start.set(qn("w:name"), f"reference{number}")
    run.element.addprevious(start)
    run.element.addnext(end)


def _clean(text: str) -> str:
    """Convert the LaTeX in `text` to plain characters, and remove characters that XML cannot hold."""
    return "".join(sign for sign in readable(text) if sign.isprintable())


# Writes a draft as LaTeX with BibTeX: the plain article class, \cite, and no packages except amsmath, amssymb and url.

_NEAREST = {
    "Ð": "D", "Þ": "Th", "đ": "d", "Đ": "D", "ŋ": "ng", "Ŋ": "Ng", "ħ": "h", "ı": r"\i{}",
    "«": r"\ensuremath{\ll}", "»": r"\ensuremath{\gg}", "„": ",,", "‚": ",", "‟": "``", "€": "EUR",
    "•": r"\ensuremath{\bullet}", "©": r"\copyright{}", "£": r"\pounds{}", "\N{SOFT HYPHEN}": r"\-",
}  # fmt: skip
"""LaTeX counterparts of characters that Unicode does not decompose into ASCII letters."""
_OF_OTHER_FONTS = {"dh": ("", "d"), "th": ("", "th"), "k": ("[1]", "#1")}
"""Macros that LaTeX's original fonts (OT1) lack, with their arguments and a counterpart in these fonts."""


def bibliography_name(name: str) -> str:
    """Return a name for the .bib file of the draft called `name`: BibTeX cannot find a file whose name contains
    spaces, commas or signs that LaTeX reads as commands.
    """
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", name).strip("-") or "references"


def draft_bibtex(document: DraftDocument) -> str:
    """Write an entry without an abstract for each reference."""
    return bibtex([_listed(paper) for paper in document.references])


def draft_latex(document: DraftDocument, bibliography: str = "draft") -> str:
    r"""Write the document; `bibliography` is the name of the .bib file, without its suffix.

    A sentence to check is followed by a comment with the reason. Characters that pdfLaTeX does not know are declared,
    so that it prints their nearest letters or code points; XeLaTeX and LuaLaTeX print the characters themselves.
    """
    keys = dict(zip(document.numbers, bibtex_keys([_listed(paper) for paper in document.references]), strict=True))
    body = "\n".join(line for section in document.sections for line in _latex_section(section, keys))
    end = [r"\bibliographystyle{unsrt}", rf"\bibliography{{{bibliography}}}"] if keys else []
    title = inert_tex(document.title)
    return "\n".join(
        (
            r"\documentclass{article}",
            r"\usepackage{amsmath,amssymb,url}",
            *declarations(title + body + draft_bibtex(document)),
            rf"\title{{{title}}}",
            r"\author{}",
            r"\begin{document}",
            r"\maketitle",
            "",
            body,
            *end,
            r"\end{document}",
            "",
        )
    )


def _latex_section(section: DocumentSection, keys: dict[str, str]) -> Iterator[str]:
    yield rf"\section{{{inert_tex(section.heading)}}}"
    yield ""
    if section.missing is not None:
        yield rf"\emph{{To do: {inert_tex(section.missing)}.}}"
        yield ""
    for paragraph in section.paragraphs:
        for part in paragraph:
            yield _latex_part(part, keys)
            if part.remark is not None:
                yield f"% To check: {' '.join(readable(part.remark).split())}"
        yield ""
    for note in section.notes:
        yield from (rf"\emph{{{inert_tex(note)}}}", "")


def _latex_part(part: DocumentPart, keys: dict[str, str]) -> str:
    words = inert_tex(part.text)
    if part.lead is not None:
        words = f"{inert_tex(part.lead)}: ``{words}''"
    if not part.citations:
        return words
    mark = rf"~\cite{{{','.join(keys[paper_id] for paper_id in part.citations)}}}"
    # A citation mark belongs before the full stop, except after a quotation.
    return f"{words[:-1]}{mark}." if part.lead is None and words.endswith(".") else f"{words}{mark}"


def _listed(paper: Paper) -> Paper:
    """Return the paper without anything that a list of references does not show."""
    return replace(paper, year=paper.known_year, date=None, abstract="", subjects=())


def declarations(text: str) -> Iterator[str]:
    """Declare macros and non-ASCII characters for pdfLaTeX, which stops at any that it does not know."""
    for macro, (arguments, counterpart) in _OF_OTHER_FONTS.items():
        if rf"{{\{macro}" in text:
            yield rf"\ProvideTextCommandDefault{{\{macro}}}{arguments}{{{counterpart}}}"
    signs = sorted({sign for sign in text if not sign.isascii()})
    if signs:
        yield r"\ifdefined\DeclareUnicodeCharacter"
        yield from (rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_nearest(sign)}}}" for sign in signs)
        yield r"\fi"


def _nearest(sign: str) -> str:
    """Return the LaTeX or ASCII letters nearest to a character or, if there are none, its code point: "[U+4E2D]"."""
    if sign in _NEAREST:
        return _NEAREST[sign]
    letters = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    is_mark = unicodedata.combining(sign) or unicodedata.category(sign) == "Cf"
    return letters if letters.isalnum() or is_mark else f"[U+{ord(sign):04X}]"
