"""A small corpus in which some papers have a full text, for tests of its passages."""

from pathlib import Path

from pathfinder.building import build
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.progress import Silent
from pathfinder.fulltext.document import Document, Figure, Paragraph, Section, TextFormat, TextProvenance
from pathfinder.fulltext.store import NewText, add
from pathfinder.models.fake import HashEmbedder
from pathfinder.types.full_texts import SectionKind
from tests.building.conftest import WordsAsKeywords, write

PAPERS = [
    {
        "id": "survey",
        "title": "A survey",
        "abstract": "We count galaxies in a field of the northern sky.",
        "year": 2001,
    },
    {"id": "dome", "title": "A telescope", "abstract": "Its dome turns slowly under clear winter skies.", "year": 2002},
    {"id": "hop", "title": "A photon", "abstract": "Light hopped from atom to atom inside young stars.", "year": 2003},
    {"id": "bare", "title": "Discs", "abstract": "Discs of dust. Discs of gas."},
]
NEEDLE = "At last a quokka hopped across the polished dome floor at 42 km per hour."
FILLER = " ".join(f"The count in field number {n} is stable." for n in range(30))
SURVEY = Document(
    "A survey",
    (
        Section("1. Introduction", 1, SectionKind.INTRODUCTION, (Paragraph("Galaxies were counted before.", 1),)),
        Section(
            "2. Methods", 1, SectionKind.METHOD, (Paragraph(FILLER, 2), Paragraph(NEEDLE, 4), Paragraph(FILLER, 5))
        ),
        Section("3. Results", 1, SectionKind.RESULT, (Paragraph("We counted many galaxies.", 6),)),
        Section("Acknowledgements", 1, SectionKind.ACKNOWLEDGEMENTS, (Paragraph("We thank the quokka.", 7),)),
    ),
    (Figure("Figure 1", "Number of wombats by night.", page=3),),
    (),
    TextProvenance(TextFormat.PDF, "survey.pdf", "0" * 64),
)
"""The needle is in the methods, on page 4."""
DISCS = Document(
    "Discs",
    (Section("Method", 1, SectionKind.METHOD, (Paragraph("Discs were drawn with a pair of compasses."),)),),
    (),
    (),
    TextProvenance(TextFormat.TEXT, "discs.txt", "1" * 64),
)


def full_text_corpus(folder: Path, embedder: HashEmbedder | None = None) -> Path:
    """Build the corpus with its full texts, and index them."""
    embedder = embedder or HashEmbedder(384)
    source, corpus = write(folder / "papers.jsonl", *PAPERS), folder / "corpus"
    build([source], corpus, embedder, extractor=WordsAsKeywords())
    add(corpus, [NewText("survey", SURVEY, "survey.pdf"), NewText("bare", DISCS, "discs.txt")])
    index_full_texts(corpus, embedder, Silent())
    return corpus
