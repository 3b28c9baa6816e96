"""Text from outside stays text in every format that leaves the house: each file is read by another library."""

import csv
import io
import json
import re
import string

import bibtexparser
import docx
import networkx as nx
import pytest
import rispy
from lxml import etree

from pathfinder.addons.audit.outcome import (
    Audit,
    CitingSentence,
    Remark,
    RemarkKind,
    SentenceVerdict,
    SourceSentence,
    Suggestion,
)
from pathfinder.addons.audit.writing import audit_markdown
from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonRow, ComparisonTable
from pathfinder.addons.comparison.writing import comparison_csv, comparison_latex, comparison_markdown
from pathfinder.addons.drafts.document import document_of, draft_docx, draft_latex, draft_markdown
from pathfinder.addons.network.operation import network_graphml
from pathfinder.addons.network.outcome import NetworkPaper, PaperNetwork
from pathfinder.addons.screening.decisions import PrismaCounts
from pathfinder.addons.screening.figure import prisma_svg
from pathfinder.corpus.readers import read_papers
from pathfinder.corpus.schemas.bibtex_entry import OTHER_FIELDS
from pathfinder.operations.export.bibtex import bibtex, bibtex_keys
from pathfinder.operations.export.shelves import FORMS
from pathfinder.operations.export.tables import papers_csv, table
from pathfinder.shelves.shelf import Shelf, ShelvedPaper
from pathfinder.text.latex.display import inert_tex
from pathfinder.text.latex.letters import ACCENTS, LETTERS
from pathfinder.text.latex.mathematics import is_settable
from pathfinder.text.markdown import as_typed
from pathfinder.types import Paper, Tie
from tests.addons.drafts.sentences import draft_of, sentence
from tests.inert import HOSTILE, HOSTILE_TO_TABLES, HOSTILE_TO_TEX

TEXTS = [*HOSTILE, *HOSTILE_TO_TEX, *HOSTILE_TO_TABLES]
PAPERS = [
    Paper(
        f"p{n}\n{text}", text, text, authors=(text, "One, Ana"), journal=text, year=2020, subjects=(text,),
        doi=f"10.1/{text}", arxiv_id=text, bibcode=text, pmid=text, openalex_id=text, other_ids=(f"url:{text}",),
        categories=(text,), status="withdrawn", status_from=text,
        record_fields=(f"key:{text}", *(f"{name}:{text}" for name in OTHER_FIELDS if name != "key")),
    )
    for n, text in enumerate(TEXTS)
]  # fmt: skip
SHELF = Shelf("shelf", tuple(ShelvedPaper(paper.paper_id, note=paper.title) for paper in PAPERS))
BY_ID = {paper.paper_id: paper for paper in PAPERS}
COMPARISON = ComparisonTable(
    tuple(TEXTS[-4:]),
    tuple(ComparisonRow(paper, (ComparisonCell(paper.title, paper.title, ()), None, None, None)) for paper in PAPERS),
    None,
    (),
)
AUDIT = Audit(
    TEXTS[0],
    TEXTS[1],
    tuple(
        CitingSentence(
            1, text, text, 0, (text,), SentenceVerdict.NOT_FOUND, True, (text,),
            (SourceSentence(Paper(text, text, text), text, text, 1.0),),
        )
        for text in TEXTS
    ),
    (),
    tuple(Remark(RemarkKind.CORRECTED, text, text) for text in TEXTS),
    tuple(Suggestion(Paper(text, text, text), text, text, 0) for text in TEXTS),
    (),
)  # fmt: skip
HARMLESS = {
    *"textasciitilde textbackslash textbraceleft textbraceright textless textgreater textbar ldots textdegree".split(),
    *("textsuperscript", "textsubscript", *LETTERS, *ACCENTS, *"&%#$_^"),
}
LITERAL = f"{string.ascii_letters}{string.digits}_:.+/'&?()-"
"""Characters of keys that TeX and BibTeX take for themselves."""
IDENTIFIERS = ("doi", "eprint", "primaryClass", "pmid")
_MATHEMATICS = re.compile(r"(?<!\\)\$([^$]*)\$")
_MACRO = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)


def macros_that_run(tex: str) -> set[str]:
    """Return the macros of `tex` that do more than print a letter, those of mathematics left out."""
    bare = _MATHEMATICS.sub(
        lambda formula: "" if is_settable(formula[1].replace("brace ", "ceil ")) else formula[0], tex
    )
    return {macro for macro in _MACRO.findall(bare) if macro not in HARMLESS}


def test_there_are_enough_hostile_texts() -> None:
    assert len({*TEXTS}) >= 50


@pytest.mark.parametrize("text", TEXTS)
def test_latex_prints_a_text_and_runs_no_macro(text: str) -> None:
    tex = inert_tex(text)
    assert macros_that_run(tex) == set()
    assert "\n" not in tex
    assert not tex.startswith(("[", "*"))
    depth = 0
    for sign in tex:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert inert_tex(r"Dust at $z \sim 2$, \emph{now}") == r"Dust at $z \sim 2$, now"


def test_bibtex_has_an_entry_for_each_paper_and_no_macro() -> None:
    text = bibtex(PAPERS)
    library = bibtexparser.parse_string(text)
    assert (len(library.entries), len(library.failed_blocks), len(library.preambles)) == (len(PAPERS), 0, 0)
    assert macros_that_run(text) == {"url"}  # around the addresses of `howpublished`
    assert "^^" not in text
    assert {sign for paper in PAPERS for sign in "".join(bibtex_keys([paper]))} <= {*LITERAL}
    entries = bibtexparser.parse_string(text, parse_stack=[]).entries
    assert {n_names(entry["author"][1:-1]) for entry in entries} == {2}
    identifiers = [each.value[1:-1] for entry in entries for each in entry.fields if each.key in IDENTIFIERS]
    assert len(identifiers) > 10
    assert not {*"".join(identifiers)} & {*'{}\\^%$~"`\n'}


def n_names(authors: str) -> int:
    """Count names as BibTeX does: an "and" within braces belongs to a name."""
    depth, n = 0, 1
    for piece in re.findall(r"[{}]|\sand(?=\s)|.", authors, re.IGNORECASE | re.DOTALL):
        depth += {"{": 1, "}": -1}.get(piece, 0)
        n += depth == 0 and piece.strip().lower() == "and"
    return n


def cells_of(text: str, separator: str) -> list[str]:
    """Return the cells of a CSV file as a spreadsheet that divides them at `separator` reads them: a quotation mark
    counts only at the beginning of a cell.
    """
    cells, cell, is_quoted = [], "", False
    for sign in text:
        if sign == '"' and (is_quoted or not cell):
            is_quoted = not is_quoted
        elif sign in (separator, "\r", "\n") and not is_quoted:
            cells.append(cell)
            cell = ""
        else:
            cell += sign
    return [*cells, cell]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_cell_of_a_table_is_a_formula_wherever_cells_are_divided(separator: str) -> None:
    injected = ["a;=cmd|' /C calc'!A0;b", "a;\t+1", "a\n@SUM(1)", "a\t=1", "; \u00a0=1"]
    papers = [*PAPERS, *(Paper(f"q{n}{text}", text, text, authors=(text, "=1+1")) for n, text in enumerate(injected))]
    for text in (papers_csv(papers), comparison_csv(COMPARISON), FORMS["csv"].write(SHELF, BY_ID)):
        cells = cells_of(text, separator)
        assert not [cell for cell in cells if re.match(r"[\s\u200b-\u200f\u2060\ufeff]*[=+@＝＋－＠]", cell)]
        assert not [cell for cell in cells if re.match(r"\s*-(?![\d.]+(?:e-?\d+)?$)", cell)]


def test_guards_are_taken_off_when_a_table_is_read(tmp_path) -> None:
    paper = Paper("q", "Dust", "a;=1+1 and b; -x", authors=("=One, Ana", "+Two, Ben"))
    (tmp_path / "a.csv").write_text(papers_csv([paper]), encoding="utf-8")
    (read,) = read_papers(tmp_path / "a.csv")
    assert (read.abstract, read.authors) == (paper.abstract, paper.authors)


def test_a_table_in_latex_keeps_its_cells_and_runs_no_macro() -> None:
    tex = comparison_latex(COMPARISON)
    lines = [line for line in tex.splitlines() if line.endswith(r" \\")]
    assert len(lines) == 1 + len(PAPERS)
    assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {5}
    assert {macro for line in lines for macro in macros_that_run(line.removesuffix(r" \\"))} == set()


def test_a_draft_in_latex_runs_no_macro() -> None:
    document = document_of(draft_of(*(sentence(paper.title, paper.paper_id) for paper in PAPERS)), BY_ID)
    body = draft_latex(document).partition(r"\maketitle")[2]
    own = {"section", "cite", "bibliographystyle", "bibliography", "end", "emph"}
    lines = [line for line in body.splitlines() if not line.startswith("%")]
    assert macros_that_run("\n".join(lines)) <= own
    assert "^^" not in body
    assert body.count(r"\end{document}") == 1
    for paragraph in docx.Document(io.BytesIO(draft_docx(document))).paragraphs:
        assert all(sign.isprintable() for sign in paragraph.text)


def is_formula(cell: str) -> bool:
    cell = cell.lstrip("\ufeff\u200b \n\t\r")
    return cell[:1] in tuple("=+-@＝") and not re.fullmatch(r"[+-]?[\d.]+", cell)


@pytest.mark.parametrize(
    "text",
    [papers_csv(PAPERS), table(TEXTS, [TEXTS]), comparison_csv(COMPARISON), FORMS["csv"].write(SHELF, BY_ID)],
    ids=["papers", "headers", "comparison", "shelf"],
)
def test_no_cell_of_a_table_is_a_formula(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if is_formula(cell)]


@pytest.mark.parametrize("text", TEXTS)
def test_markdown_shows_a_text(text: str) -> None:
    line = as_typed(text)
    left = re.sub(r"\\.", "x", line)
    assert "\n" not in line
    assert not re.search(r"[`*_\[\]{<|&$]|^(?:[-+#=>:]|\d+[.)](?:\s|$))", left)


@pytest.mark.parametrize(
    "text",
    [
        comparison_markdown(COMPARISON),
        FORMS["markdown"].write(SHELF, BY_ID),
        draft_markdown(document_of(draft_of(*(sentence(text, "x") for text in TEXTS)), {})),
        audit_markdown(AUDIT),
    ],
    ids=["comparison", "shelf", "draft", "audit"],
)
def test_no_markdown_file_has_a_tag_or_an_image_of_a_stranger(text: str) -> None:
    left = re.sub(r"\\.", "x", text)
    assert "<" not in left.replace("<https://", "")
    assert "![" not in left
    assert "javascript:" not in {address.lower()[:11] for address in re.findall(r"\]\(([^)]*)\)", left)}


def test_ris_and_nbib_have_a_record_for_each_paper() -> None:
    records = rispy.loads(FORMS["ris"].write(SHELF, BY_ID))
    assert len(records) == len(PAPERS)
    assert not [
        record for record in records if "another" in str(record.get("title", "")) and "ER" not in record["title"]
    ]
    nbib = FORMS["nbib"].write(SHELF, BY_ID)
    assert all(re.match(r"[A-Z]+ *- ", line) for line in nbib.splitlines() if line)
    assert len(re.findall(r"^PMID- ", nbib, re.MULTILINE)) == len(PAPERS)
    assert len(json.loads(FORMS["csl"].write(SHELF, BY_ID))) == len(PAPERS)


def test_graphml_and_svg_are_whole_whatever_is_in_them() -> None:
    nodes = tuple(NetworkPaper(paper, n, None, 0.0, 0.0, 0, 0.0) for n, paper in enumerate(PAPERS))
    graph = nx.parse_graphml(network_graphml(PaperNetwork("q", Tie.REFERENCES, nodes, (), ())))
    assert len(graph) == len(PAPERS)
    counts = PrismaCounts(9, 0, 0, 9, 9, dict.fromkeys(TEXTS[-8:], 1), 0, 0, 0)
    root = etree.fromstring(prisma_svg(counts).encode(), etree.XMLParser(resolve_entities=False))
    assert {etree.QName(node).localname for node in root.iter()} <= {
        "svg", "rect", "defs", "marker", "path", "text", "tspan", "line", "g",
    }  # fmt: skip
