"""How well PDFs are read, on papers that were made from known sentences.

    python -m benchmarks.reading_pdf FOLDER [--make] [--seed N]

`--make` writes the sources to FOLDER and compiles them, which needs pdflatex and texlive-publishers. Targets: 99% of
the sentences whole, Kendall's tau of their order 0.98, headings F1 0.85, references split right 0.95.
"""

import argparse
import json
import re
import resource
import subprocess
import time
from pathlib import Path

from scipy.stats import kendalltau

from benchmarks.made_papers import CLASSES, MadePaper, make, write_all
from pathfinder.fulltext.pdf.pdf_text import PdfText
from pathfinder.fulltext.pdf.reading import read_text
from pathfinder.text.language.lexicon import read_lexicon


def plain(text: str) -> str:
    """Return a text with single spaces, plain quotes and no ligatures, in small letters."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("–", "-")).strip().lower()


def share(found: int, total: int) -> float:
    """Return a share, rounded; 1 if there is nothing to find."""
    return round(found / total, 4) if total else 1.0


def measure(paper: MadePaper, text: PdfText) -> dict[str, float]:
    """Return the measures of one paper."""
    body = "\n".join(plain(paragraph.text) for section in text.sections for paragraph in section.paragraphs)
    places = [body.find(plain(sentence)) for sentence in paper.sentences]
    found = [place for place in places if place >= 0]
    headings = [plain(section.title) for section in text.sections if plain(section.title) not in ("", "abstract")]
    truth = [plain(title) for title, _ in paper.headings]
    right = len(set(headings) & set(truth))
    levels = {plain(title): level for title, level in paper.headings}
    leveled = sum(levels.get(plain(section.title)) == section.level for section in text.sections)
    references = {re.sub(r"^\[?\d+[\].]* ?", "", plain(reference.text)) for reference in text.references}
    return {
        "sentences": share(len(found), len(places)),
        "tau": round(float(kendalltau(range(len(found)), found).statistic), 4),
        "headings_f1": share(2 * right, len(headings) + len(truth)),
        "levels": share(leveled, len(truth)),
        "captions": share(
            sum(plain(caption) in {plain(other.caption.text) for other in text.captions} for caption in paper.captions),
            len(paper.captions),
        ),
        "footnotes": share(
            sum(any(plain(note) in plain(other.text) for other in text.footnotes) for note in paper.footnotes),
            len(paper.footnotes),
        ),
        "references": share(
            sum(plain(reference) in references for reference in paper.references), len(paper.references)
        ),
        "title": float(plain(text.title) == plain(paper.title)),
    }


def compile_all(folder: Path, seed: int) -> None:
    """Write the papers and compile each twice."""
    for paper in write_all(folder, seed):
        command = ["pdflatex", "-interaction=batchmode", "-no-shell-escape", f"{paper.name}.tex"]
        for _ in range(2):
            subprocess.run(command, cwd=folder, check=False, timeout=300, stdout=subprocess.DEVNULL)  # noqa: S603


def main() -> None:
    """Measure each paper, and the mean over all."""
    parser = argparse.ArgumentParser(description="How well made PDFs are read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--make", action="store_true", help="write and compile the papers first")
    parser.add_argument("--seed", type=int, default=7, help="draw of sentences (7 was used to develop the rules)")
    parser.add_argument("--missed", action="store_true", help="print the sentences that were not found")
    options = parser.parse_args()
    if options.make:
        compile_all(options.folder, options.seed)
    lexicon = read_lexicon()
    rows = []
    for index, paper_class in enumerate(CLASSES):
        paper = make(paper_class, options.seed + index)
        start = time.process_time()
        text = read_text(options.folder / f"{paper.name}.pdf", lexicon)
        seconds = time.process_time() - start
        rows.append(measure(paper, text) | {"pages_a_second": round(text.pages / seconds, 1)})
        print(json.dumps({"class": paper.name, "pages": text.pages} | rows[-1]))
        if options.missed:
            body = "\n".join(plain(paragraph.text) for section in text.sections for paragraph in section.paragraphs)
            print("\n".join(f"    {sentence}" for sentence in paper.sentences if plain(sentence) not in body))
    means = {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"mean": means, "peak_memory_mb": peak}))


if __name__ == "__main__":
    main()
