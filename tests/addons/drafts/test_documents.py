"""Drafts as LaTeX, Markdown and DOCX."""

import datetime
import io
import re
from dataclasses import replace

import docx
import pytest

from pathfinder.addons.drafts.document import (
    FORMS,
    DocumentSection,
    DraftDocument,
    document_of,
    draft_bibtex,
    draft_docx,
    draft_latex,
    draft_markdown,
    zip_files,
)
from pathfinder.addons.drafts.draft import DraftSentence, SentenceOrigin
from pathfinder.text.latex.display import inert_tex
from pathfinder.types import Paper, Verdict
from tests.addons.drafts.sentences import DUST, PAPERS, draft_of, sentence

QUOTATION = SentenceOrigin.PAPER
SENTENCES = (
    sentence("Masers shine.", "masers", "dust"),
    sentence("Dust is cold.", "dust", origin=QUOTATION, begins=True),
    sentence("Nobody knows why.", "dust", origin=QUOTATION),
    sentence("All is known.", "gone", verdict=Verdict.PARTLY, begins=True),
)
HOSTILE = Paper(
    "hostile",
    r"\input{/etc/passwd} 100% of \def\x{y} & $\write18{ls}$ $z\sim 6$ {open 中 <script>",
    "\\end{document} \x00 A ~ tilde, a # and $M_\\odot$.",
    authors=("\\bye, É.",),
    year=2000,
)


def document(*sentences: DraftSentence, title: str = "Dust & masers") -> DraftDocument:
    return document_of(draft_of(*sentences, title=title).add("Gas", "What is gas?"), PAPERS)


def test_quotations_are_named_and_marked_where_words_are_left_out() -> None:
    review = document(*SENTENCES)
    first, quotation, last = review.sections[0].paragraphs
    assert first[0].lead is None
    assert [(part.lead, part.text) for part in quotation] == [("One (2001)", "Dust is cold. […] Nobody knows why.")]
    assert [paper.paper_id for paper in review.references] == ["masers", "dust", "gone"]
    assert review.mark(first[0]) == "[1, 2]"
    assert last[0].remark == "partly supported"
    assert review.sections[1].missing == "not written yet"


def test_what_a_section_warns_of_is_in_every_file() -> None:
    draft = draft_of(sentence("Dust is cold.", "dust"))
    text = draft.sections[0].text
    assert text is not None
    warned = document_of(draft.with_text(draft.sections[0].key, replace(text, notes=("1 paper is 50% off",))), PAPERS)
    files = {key: form.files(warned, "x") for key, form in FORMS.items()}
    assert "*1 paper is 50% off.*" in files["markdown"]["md"].decode()
    assert r"\emph{1 paper is 50\% off.}" in files["latex"]["tex"].decode()
    word = docx.Document(io.BytesIO(files["docx"]["docx"]))
    assert "1 paper is 50% off." in [paragraph.text for paragraph in word.paragraphs]


def test_sentences_that_follow_each_other_are_quoted_as_they_are() -> None:
    review = document(
        sentence("Dust is cold.", "dust", origin=QUOTATION), sentence("It is clumpy.", "dust", origin=QUOTATION)
    )
    assert review.sections[0].paragraphs[0][0].text == "Dust is cold. It is clumpy."


def test_a_summary_by_somebody_else_is_not_put_into_the_authors_mouths() -> None:
    papers = {"dust": replace(DUST, is_summary=True)}
    review = document_of(draft_of(sentence("Dust is cold.", "dust", origin=QUOTATION)), papers)
    assert review.sections[0].paragraphs[0][0].lead == "Summary of One (2001)"


def cited_keys(latex: str) -> set[str]:
    return {key for keys in re.findall(r"\\cite\{([^}]*)\}", latex) for key in keys.split(",")}


def test_every_key_that_the_latex_cites_is_in_the_bibliography() -> None:
    review = document(*SENTENCES)
    latex, entries = draft_latex(review), set(re.findall(r"^@\w+\{(.*),$", draft_bibtex(review), re.MULTILINE))
    assert cited_keys(latex) == entries
    assert len(entries) == 3
    assert r"\title{Dust \& masers}" in latex
    assert "One (2001): ``Dust is cold. [\\ldots{}] Nobody knows why.''~\\cite{" in latex
    assert "Masers shine~\\cite{" in latex
    assert "% To check: partly supported\n" in latex
    assert r"\emph{To do: not written yet.}" in latex


def test_a_draft_without_citations_asks_bibtex_for_nothing() -> None:
    assert "\\bibliography" not in draft_latex(document(sentence("I think so.")))


def test_no_macro_of_a_text_is_run() -> None:
    review = document_of(
        draft_of(sentence(HOSTILE.abstract, "hostile"), title=r"\input{x} \today"), {"hostile": HOSTILE}
    )
    latex, entries = draft_latex(review), draft_bibtex(review)
    for text in (latex, entries):
        assert not re.search(r"\\(?:input|write|def|bye|today|x)\b", text)
    assert latex.count(r"\end{document}") == 1
    assert "$z\\sim 6$" in entries
    assert entries.count("{") == entries.count("}")
    assert r"\DeclareUnicodeCharacter{4E2D}{[U+4E2D]}" in latex
    assert "$M_\\odot$" in latex
    assert "\x00" not in latex


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("at z~2 & ~10 pc", r"at z\textasciitilde{}2 \& \textasciitilde{}10 pc"),
        (r"Fig.~2 of $M_\odot$", r"Fig. 2 of $M_\odot$"),
        (r"$\bm{x} \lt 5$ and {\bf bold}", r"$\boldsymbol{x} < 5$ and bold"),
        ("“a” – 3′ é ß", r"``a'' -- 3$\prime$ {\'{e}} {\ss}"),
    ],
)
def test_a_text_is_printed_as_it_is_read(text: str, tex: str) -> None:
    assert inert_tex(text) == tex


def test_a_preprint_is_listed_with_its_number_and_year_alone() -> None:
    paper = replace(DUST, arxiv_id="2001.00001", date=datetime.date(2001, 2, 3))
    entries = draft_bibtex(document_of(draft_of(sentence("x", "dust")), {"dust": paper}))
    assert "howpublished = {arXiv:2001.00001}" in entries
    assert "month" not in entries


def test_a_remark_stays_within_its_comment() -> None:
    checked_sentence = replace(SENTENCES[0].checked, verdict=Verdict.PARTLY, reasons=("5\n\\end{document}",))
    latex = draft_latex(document(replace(SENTENCES[0], checked=checked_sentence)))
    assert latex.count("\\end{document}") == 1


def test_the_markdown_has_headings_paragraphs_and_references() -> None:
    lines = draft_markdown(document(*SENTENCES)).splitlines()
    assert lines[0] == "# Dust \\& masers"
    assert "Masers shine. [1, 2]" in lines
    assert "One (2001): “Dust is cold. […] Nobody knows why.” [2]" in lines
    assert "*To do: not written yet.*" in lines
    references = lines[lines.index("## References") :]
    assert [line[:5] for line in references if line.startswith("\\[")] == ["\\[1\\]", "\\[2\\]", "\\[3\\]"]
    assert lines[-1] == "- All is known. (partly supported)"


def test_the_word_file_has_headings_paragraphs_comments_and_every_reference() -> None:
    review = document(*SENTENCES)
    word = docx.Document(io.BytesIO(draft_docx(review)))
    texts = [paragraph.text for paragraph in word.paragraphs]
    headings = [each.text for each in word.paragraphs if each.style and each.style.name == "Heading 1"]
    assert texts[0] == "Dust & masers"
    assert headings == ["Dust", "Gas", "References"]
    assert "One (2001): “Dust is cold. […] Nobody knows why.” [2]" in texts
    marks = {n for text in texts for n in re.findall(r"\d+", "".join(re.findall(r"\[[\d, ]+\]$", text)))}
    references = texts[texts.index("References") + 1 :]
    assert marks == {text[1 : text.index("]")] for text in references} == {"1", "2", "3"}
    anchors = re.findall(r'w:anchor="(\w+)"', word.element.xml)
    assert set(anchors) == set(re.findall(r'<w:bookmarkStart [^>]*w:name="(\w+)"', word.element.xml))
    assert [comment.text for comment in word.comments] == ["partly supported"]


def test_hostile_text_makes_a_word_file_that_opens() -> None:
    review = document_of(draft_of(sentence(HOSTILE.abstract + "\ud800\uffff\x0b", "hostile")), {"hostile": HOSTILE})
    word = docx.Document(io.BytesIO(draft_docx(review)))
    assert "M☉" in "".join(paragraph.text for paragraph in word.paragraphs)


def test_an_archive_holds_both_files_of_latex() -> None:
    files = FORMS["latex"].files(document(*SENTENCES), "review")
    assert list(files) == ["tex", "bib"]
    assert b"\\bibliography{review}" in files["tex"]
    assert zip_files(files, "review")[:2] == b"PK"


def test_a_title_as_long_as_a_question_is_written() -> None:
    review = DraftDocument(("What is dust? " * 100).strip(), (DocumentSection("Dust", (), "not written yet"),), ())
    word = docx.Document(io.BytesIO(draft_docx(review)))
    assert word.paragraphs[0].text == review.title
    assert review.title.startswith(word.core_properties.title)
