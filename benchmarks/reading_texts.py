"""Measures how well full texts are read, on papers made from known sentences.

    python -m benchmarks.reading_texts FOLDER [--make] [--seed N] [--formats PDF,LaTeX] [--scans PAGES]
        [--garbled PAGES] [--missed]

Each paper is written as LaTeX, compiled to a PDF, and written as JATS, plain text and Markdown; LaTeX and JATS are also
written with citations typed by author and year instead of marked up. `--make` writes the files to FOLDER, and needs
pdflatex and texlive-publishers. `--scans` and `--garbled` need `pathfinder[ocr]`. Targets: 99% of sentences found whole
in PDFs, 99.5% in LaTeX and JATS, and 93% in scans; a Kendall's tau of 0.98 for their order; an F1 score of 0.85 for
headings; 95% of references split correctly, and 90% of citations resolved.
"""

import argparse
import json
import re
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from scipy.stats import kendalltau

from benchmarks.made_papers.formats import as_jats, as_latex, as_text
from benchmarks.made_papers.layouts import LAYOUTS, Layout, entry
from benchmarks.made_papers.paper import Citing, MadePaper
from benchmarks.made_papers.scans import first_pages, garble, scan
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.formats import read_document
from pathfinder.fulltext.pdf.page_reader import rapid_reader
from pathfinder.types.full_texts import SectionKind

_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.) (?=\S)")
_MOST_BETWEEN = 2
"""Maximum number of characters between two citations in a sentence, or after the last: a bracket, a semicolon, a space.
"""


@dataclass(frozen=True, slots=True)
class MadeFormat:
    """A format, the suffix of its files, and the function that writes them; `None` if they are compiled."""

    name: str
    ending: str
    write: Callable[[MadePaper, Layout], str] | None
    lacks: tuple[str, ...] = ()
    """Measures that do not apply to files in this format."""


_NOT_IN_TEXT = ("captions", "appendix")
FORMATS = (
    MadeFormat("LaTeX", ".tex", as_latex),
    MadeFormat("PDF", ".pdf", None, ("formulas",)),
    MadeFormat("JATS", ".xml", as_jats),
    MadeFormat("LaTeX typed", ".typed.tex", lambda paper, layout: as_latex(paper, layout, has_keys=False)),
    MadeFormat("JATS typed", ".typed.xml", lambda paper, layout: as_jats(paper, layout, has_keys=False)),
    MadeFormat("text", ".txt", as_text, _NOT_IN_TEXT),
    MadeFormat("Markdown", ".md", lambda paper, layout: as_text(paper, layout, is_markdown=True), _NOT_IN_TEXT),
)


def plain(text: str) -> str:
    """Return a text with single spaces and plain quotes."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("–", "-")).strip()


def share(count: int, total: int) -> float | None:
    """Return a share, rounded; `None` if there is nothing to find."""
    return round(count / total, 4) if total else None


def paragraphs(document: Document) -> list[str]:
    """Return the paragraphs of a document, except its footnotes."""
    return [plain(each.text) for section in document.sections for each in section.paragraphs]


def measure(paper: MadePaper, layout: Layout, document: Document) -> dict[str, float | None]:
    """Return the measures of one paper."""
    texts = paragraphs(document)
    body = "\n".join(texts)
    places = [place for sentence in paper.sentences if (place := body.find(plain(sentence))) >= 0]
    reference_texts = [plain(re.sub(r"^\[?\d+[\].] ?", "", reference.text)) for reference in document.references]
    entries = {plain(entry(work, layout.style)) for work in paper.works}
    captions = {plain(figure.caption) for figure in document.figures}
    return {
        "sentences": share(len(places), len(paper.sentences)),
        "tau": round(float(kendalltau(range(len(places)), places).statistic), 4) if len(places) > 1 else None,
        **_headings(paper, document),
        "captions": share(sum(plain(each.caption) in captions for each in paper.floats), len(paper.floats)),
        "footnotes": share(sum(plain(note) in texts for note in paper.notes), len(paper.notes)),
        "formulas": share(sum(plain(tex) in body for tex in paper.formulas), len(paper.formulas)),
        "references": share(len(entries & set(reference_texts)), len(entries)),
        **_citations(paper, layout, document),
        "title": float(plain(document.title).lower() == plain(paper.title).lower()),
    }


def _headings(paper: MadePaper, document: Document) -> dict[str, float | None]:
    left_out = {"", "abstract", "footnotes", paper.vocabulary.abstract.lower()}
    sections = [(plain(_NUMBER.sub("", each.title)).lower(), each) for each in document.sections]
    headings = {title: section for title, section in sections if title not in left_out}
    truth = {plain(heading.title).lower(): heading for heading in paper.headings}
    right = headings.keys() & truth.keys()
    n_right_levels = sum(headings[title].level == truth[title].level for title in right)
    return {
        "headings_f1": share(2 * len(right), len(headings) + len(truth)),
        "levels": share(n_right_levels, len(truth)),
        "appendix": float(any(section.kind is SectionKind.APPENDIX for section in document.sections)),
    }


def _citations(paper: MadePaper, layout: Layout, document: Document) -> dict[str, float | None]:
    """Return the share of cited works that were resolved, and the share of resolutions that are right."""
    entries = {plain(entry(work, layout.style)): place for place, work in enumerate(paper.works)}
    by_key = {reference.key: entries.get(plain(reference.text), -1) for reference in document.references}
    n_right = n_resolved = n_true = 0
    for citing in paper.citing:
        cited_numbers = {by_key.get(key, -1) for key in _cited_keys(citing, document)}
        n_right += len(cited_numbers & set(citing.works))
        n_resolved += len(cited_numbers)
        n_true += len(citing.works)
    return {"citations": share(n_right, n_true), "citation_precision": share(n_right, n_resolved)}


def _cited_keys(citing: Citing, document: Document) -> Iterator[str]:
    """Yield the keys of the citations at the end of a citing sentence, with only punctuation between them."""
    behind = citing.frame.split("{0}")[1].format("", citing.mark)
    for section in document.sections:
        for paragraph in section.paragraphs:
            start = paragraph.text.find(behind)
            for citation in reversed(paragraph.citations):
                if 0 <= citation.end <= start <= citation.end + _MOST_BETWEEN:
                    start = citation.start
                    yield from citation.references


def write_all(folder: Path, seed: int, formats: tuple[MadeFormat, ...] = FORMATS) -> None:
    """Write a paper for each layout, in each format, and compile its LaTeX three times."""
    for index, layout in enumerate(LAYOUTS):
        paper = layout.paper(seed + index)
        for text_format in formats:
            if text_format.write is not None:
                (folder / f"{layout.name}{text_format.ending}").write_text(
                    text_format.write(paper, layout), encoding="utf-8"
                )
        command = ["pdflatex", "-interaction=batchmode", "-no-shell-escape", f"{layout.name}.tex"]
        for _ in range(3):
            subprocess.run(command, cwd=folder, check=False, timeout=300, stdout=subprocess.DEVNULL)  # noqa: S603


def missing_parts(paper: MadePaper, document: Document) -> Iterator[str]:
    """Yield the sentences that were not found whole."""
    body = "\n".join(paragraphs(document))
    return (sentence for sentence in paper.sentences if plain(sentence) not in body)


def mean(rows: list[dict[str, float | None]]) -> dict[str, float | None]:
    """Return the mean of each measure over the papers that have it."""
    values = {name: [row[name] for row in rows if row[name] is not None] for name in rows[0]}
    return {name: round(sum(each) / len(each), 4) if each else None for name, each in values.items()}  # type: ignore[arg-type]


def main() -> None:
    """Measure each paper in each format, and average over each format."""
    parser = argparse.ArgumentParser(description="How well made papers are read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--make", action="store_true", help="write and compile the papers first")
    parser.add_argument("--seed", type=int, default=7, help="draw of sentences (7 was used to develop the rules)")
    parser.add_argument("--formats", default="", help="names of formats, with commas between; all if empty")
    parser.add_argument("--scans", type=int, default=0, help="measure scanned-looking copies of so many pages instead")
    parser.add_argument("--garbled", type=int, default=0, help="the same with copies whose fonts map to wrong letters")
    parser.add_argument("--missed", action="store_true", help="print the sentences that were not found")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.make:
        write_all(options.folder, options.seed)
    if options.scans:
        _measure_copies(options, "scan", options.scans, lambda layout: options.folder / f"{layout}.pdf", scan)
        return
    if options.garbled:
        _measure_copies(options, "garbled", options.garbled, lambda layout: options.folder / f"{layout}.tex", garble)
        return
    for text_format in FORMATS:
        if not options.formats or text_format.name in options.formats.split(","):
            _measure_format(text_format, options)
    print(json.dumps({"peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


def _measure_format(text_format: MadeFormat, options: argparse.Namespace) -> None:
    rows = []
    for index, layout in enumerate(LAYOUTS):
        paper = layout.paper(options.seed + index)
        file = options.folder / f"{layout.name}{text_format.ending}"
        start = time.process_time()
        document = read_document(file)
        seconds = time.process_time() - start
        pages = len(pypdfium2.PdfDocument(options.folder / f"{layout.name}.pdf"))
        speed = {"pages": float(pages), "pages_a_second": round(pages / max(seconds, 0.001), 1)}
        rows.append(measure(paper, layout, document) | dict.fromkeys(text_format.lacks) | speed)
        print(json.dumps({"format": text_format.name, "layout": layout.name} | rows[-1]))
        if options.missed:
            print("\n".join(f"    {sentence}" for sentence in missing_parts(paper, document)))
    print(json.dumps({"format": text_format.name, "papers": len(rows), "mean": mean(rows)}))


def _measure_copies(
    options: argparse.Namespace,
    kind: str,
    pages: int,
    source_of: Callable[[str], Path],
    make: Callable[[Path, Path, int, int], None],
) -> None:
    """Measure how many of the sentences on the first pages of each paper are recognised in copies that have no usable
    text.
    """
    read_picture = rapid_reader()
    rows = []
    for index, layout in enumerate(LAYOUTS):
        first, copy = (options.folder / f"{layout.name}.{ending}.pdf" for ending in ("first", f"{kind}-copy"))
        first_pages(options.folder / f"{layout.name}.pdf", first, pages)
        make(source_of(layout.name), copy, pages, options.seed + index)
        whole = "\n".join(paragraphs(read_document(first)))
        sentences = [plain(each) for each in layout.paper(options.seed + index).sentences if plain(each) in whole]
        start = time.process_time()
        document = read_document(copy, read_picture)
        body = "\n".join(paragraphs(document))
        seconds = time.process_time() - start
        lost_sentences = [each for each in sentences if each not in body]
        rows.append(
            {
                "sentences": share(len(sentences) - len(lost_sentences), len(sentences)),
                "recognised": float(all(text.is_recognised for part in document.sections for text in part.paragraphs)),
                "seconds_a_page": round(seconds / pages, 1),
            }
        )
        print(json.dumps({"format": kind, "layout": layout.name, "of": len(sentences)} | rows[-1]), flush=True)
        if options.missed:
            print("\n".join(f"    {sentence}" for sentence in lost_sentences), flush=True)
    print(json.dumps({"format": kind, "papers": len(rows), "mean": mean(rows)}))


if __name__ == "__main__":
    main()
