"""Drafts compiled by pdfLaTeX and BibTeX (Debian: texlive-latex-recommended)."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.addons.comparison.writing import comparison_latex
from pathfinder.addons.drafts.document import DraftDocument, declarations, document_of, draft_bibtex, draft_latex
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.text.latex.letters import ACCENTS, GREEK, LETTERS, OPERATORS, SIGNS
from pathfinder.types import Paper
from tests.addons.drafts.sentences import PAPERS, draft_of, sentence
from tests.addons.drafts.test_documents import HOSTILE, SENTENCES
from tests.operations.export.test_inert_writers import COMPARISON
from tests.operations.export.test_inert_writers import PAPERS as PAPERS_OF_STRANGERS

pytestmark = pytest.mark.soak

EVERY_SIGN = "".join(sorted({sign for table in (GREEK, LETTERS, OPERATORS, SIGNS) for sign in table.values()}))
EVERY_MACRO = " ".join(rf"$\{macro} x$" for macro in (*GREEK, *OPERATORS, *SIGNS) if macro.isalpha())
BEYOND = 'ß ø þ Đ ų «a» „b‟ ć ő 中文 🙂 \u0301 e\u0301 ﬁ ½ ㎞ ‰ € £ © • – — … \u00ad\u200b \\ { } ~ ^ _ # % & $ < > | "'
FILES = {f"draft.{ending}" for ending in "aux bbl bib blg log pdf tex".split()}
"""Files that stand in the folder of a draft afterwards, if none of its macros has written another."""


def compile_latex(document: DraftDocument, folder: Path) -> str:
    """Compile a document as its reader would, and return the log of the last run; fail on any error."""
    return compile_files(draft_latex(document), draft_bibtex(document), folder)


def compile_files(tex: str, bib: str, folder: Path) -> str:
    """Compile a document with its references, whose macros may write files if they run."""
    (folder / "draft.tex").write_text(tex, encoding="utf-8")
    (folder / "draft.bib").write_text(bib, encoding="utf-8")
    latex = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "draft.tex"]
    for command in (latex, ["bibtex", "draft"], latex, latex):
        try:
            run = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
        except FileNotFoundError:
            pytest.fail(
                f"there is no {command[0]}: install it, on Debian by `apt-get install texlive-latex-recommended`"
            )
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-3000:]
    return (folder / "draft.log").read_text(encoding="latin-1")


def test_a_draft_compiles_and_every_citation_is_found(tmp_path: Path) -> None:
    log = compile_latex(document_of(draft_of(*SENTENCES), PAPERS), tmp_path)
    assert "undefined" not in log
    assert (tmp_path / "draft.pdf").stat().st_size > 10_000


def test_hostile_texts_and_characters_that_latex_does_not_know_compile(tmp_path: Path) -> None:
    worst = replace(HOSTILE, title=f"{HOSTILE.title} {BEYOND}", authors=(*HOSTILE.authors, "Łódź, Ø.", "王, 小明"))
    signs = [sentence(text, "hostile") for text in (EVERY_SIGN, EVERY_MACRO, BEYOND, "".join(ACCENTS.values()))]
    draft = draft_of(sentence(HOSTILE.abstract, "hostile"), *signs, title=HOSTILE.title)
    log = compile_latex(document_of(draft, {"hostile": worst}), tmp_path)
    assert "undefined" not in log
    assert "root:" not in log


def test_keys_and_addresses_of_a_readers_own_entries_compile(tmp_path: Path) -> None:
    entries = ("key:müller_ő.2001&a'b(c)?", "howpublished:https://a.example/x_y%20z"), ("key:刘2001",)
    papers = {str(n): Paper(str(n), f"Dust {n}", "Some.", record_fields=each) for n, each in enumerate(entries)}
    log = compile_latex(document_of(draft_of(*(sentence("So.", n) for n in papers)), papers), tmp_path)
    assert "undefined" not in log


def test_a_key_of_a_stranger_reads_and_writes_no_file(tmp_path: Path) -> None:
    key = (
        "a^^7d^^5cinput^^7bsecret^^7d^^5cimmediate^^5copenout9pwned.tex^^20^^5cimmediate^^5cwrite9^^7bowned^^7d"
        "^^5csetbox0^^5chbox^^7b"
    )
    paper = Paper("x", "Dust", "Some.", record_fields=(f"key:{key}",), arxiv_id=key, doi=f"10.1/{key}", pmid=key)
    compile_latex(document_of(draft_of(sentence("So.", "x")), {"x": replace(paper, categories=(key,))}), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES


def test_a_draft_without_a_citation_compiles(tmp_path: Path) -> None:
    (tmp_path / "draft.tex").write_text(draft_latex(document_of(draft_of(sentence("I think so.")), {})), "utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "draft.tex"], cwd=tmp_path, check=False
    )
    assert run.returncode == 0


@pytest.mark.parametrize("style", ["unsrt", "plain"])
def test_exported_entries_and_tables_of_hostile_texts_compile_and_write_no_file(tmp_path: Path, style: str) -> None:
    bib, table = bibtex(PAPERS_OF_STRANGERS), comparison_latex(COMPARISON)
    tex = (
        "\\documentclass{article}\n\\usepackage{amsmath,amssymb,url,tabularx,booktabs,longtable}\n"
        + "\n".join(declarations(bib + table))
        + f"\n\\begin{{document}}\n\\nocite{{*}}\n{table}\n\\bibliographystyle{{{style}}}\n\\bibliography{{draft}}\n"
        "\\end{document}\n"
    )
    compile_files(tex, bib, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        f"draft.{end}" for end in "aux bbl bib blg log pdf tex".split()
    }
    assert (tmp_path / "draft.bbl").read_text(encoding="utf-8").count("\\bibitem") == len(PAPERS_OF_STRANGERS)


def test_a_draft_of_hostile_texts_compiles_and_writes_no_file(tmp_path: Path) -> None:
    papers = {paper.paper_id: paper for paper in PAPERS_OF_STRANGERS}
    compile_latex(
        document_of(draft_of(*(sentence(paper.title, key) for key, paper in papers.items())), papers), tmp_path
    )
    assert {path.name for path in tmp_path.iterdir()} == {
        f"draft.{end}" for end in "aux bbl bib blg log pdf tex".split()
    }
