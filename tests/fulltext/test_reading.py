import json
import sys

import pytest

from pathfinder.cli import main
from pathfinder.errors import CorpusError
from pathfinder.fulltext.child import read_apart
from pathfinder.fulltext.document import Figure, InTextCitation, Reference, TextFormat, kind_of
from pathfinder.fulltext.formats import read_document
from pathfinder.text.sentences import is_prose, split_sentences
from pathfinder.types.full_texts import SectionKind

JATS = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><article-meta>
<article-id pub-id-type="doi">10.1234/dust</article-id>
<title-group><article-title>Dust in a <italic>cold</italic> cloud</article-title></title-group>
<abstract><p>We weigh dust.</p></abstract></article-meta></front>
<body><sec><label>1</label><title>Introduction</title>
<p>Dust was seen early <xref ref-type="bibr" rid="r1 r9">[1]</xref>.</p>
<sec><title>Our sample</title>
<p>Stars of <inline-formula><tex-math>$M_\\odot$</tex-math></inline-formula>.</p>
<list><list-item><p>A second item.</p></list-item></list></sec></sec>
<sec><title>What we found</title>
<p>It is <inline-formula><graphic/></inline-formula>.</p>
<fig><label>Figure 1</label><caption><p>A plot.</p></caption></fig>
<table-wrap><label>Table 1</label><caption><p>Masses.</p></caption></table-wrap></sec></body>
<back><ref-list><ref id="r1"><mixed-citation>Trumpler R. 1930,
<pub-id pub-id-type="doi">10.1/x</pub-id></mixed-citation></ref>
</ref-list></back></article>"""


@pytest.fixture
def jats(tmp_path):
    file = tmp_path / "paper.xml"
    file.write_text(JATS)
    return file


def test_an_article_in_jats_has_its_sections_in_order_each_with_level_and_kind(jats):
    document = read_document(jats)
    assert (document.title, document.identifiers) == ("Dust in a cold cloud", ("doi:10.1234/dust",))
    assert [(section.title, section.level, section.kind) for section in document.sections] == [
        ("Abstract", 1, SectionKind.ABSTRACT),
        ("1 Introduction", 1, SectionKind.INTRODUCTION),
        ("Our sample", 2, SectionKind.DATA),
        ("What we found", 1, SectionKind.OTHER),
    ]
    texts = [paragraph.text for section in document.sections for paragraph in section.paragraphs]
    assert texts == [
        "We weigh dust.",
        "Dust was seen early [1].",
        "Stars of $M_\\odot$.",
        "A second item.",
        "It is [formula].",
    ]


def test_a_citation_is_resolved_to_the_entries_that_the_list_has(jats):
    document = read_document(jats)
    (paragraph,) = document.sections[1].paragraphs
    assert paragraph.citations == (InTextCitation(20, 23, ("r1",)),)
    assert paragraph.text[20:23] == "[1]"
    assert document.references == (Reference("r1", "Trumpler R. 1930, 10.1/x", "10.1/x"),)


def test_captions_stand_apart_from_the_text_and_a_formula_without_tex_is_said(jats):
    document = read_document(jats)
    assert document.figures == (Figure("Figure 1", "A plot."), Figure("Table 1", "Masses.", is_table=True))
    assert document.provenance.road is TextFormat.JATS
    assert document.provenance.warnings == ("formulas without TeX are marked [formula]",)


@pytest.mark.parametrize(
    ("paragraph", "text"),
    [
        ("1.3 × 10<sup>−3</sup> of Ω<sub>m</sub>", "1.3 × 10⁻³ of Ω_m"),
        (
            (
                r"<inline-formula><tex-math>\begin{document}$$x_{\text {max }}$$\end{document}</tex-math>"
                r"</inline-formula> holds"
            ),
            r"$x_{\mathrm{max}}$ holds",
        ),
        (
            (
                "as<disp-formula><mml:math><mml:msubsup><mml:mi>σ</mml:mi><mml:mn>8</mml:mn><mml:mn>2</mml:mn></mml:msubsup>"
                "<mml:mo>=</mml:mo><mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac></mml:math></disp-formula>here"
            ),
            r"as $${σ}_{8}^{2} = \frac{a}{b}$$ here",
        ),
        ("<inline-formula><mml:math><mml:mtable/></mml:math></inline-formula> fits", "[formula] fits"),
    ],
)
def test_scripts_and_formulas_of_an_article_are_read_as_in_print(tmp_path, paragraph, text):
    file = tmp_path / "a.xml"
    file.write_text(
        f'<article xmlns:mml="http://www.w3.org/1998/Math/MathML"><body><p>{paragraph}</p><fig><label>Figure 1</label>'
        f"<caption><p>{paragraph}</p></caption></fig></body></article>"
    )
    document = read_document(file)
    assert document.sections[0].paragraphs[0].text == document.figures[0].caption == text


MARKDOWN = r"""# Dust

It is found[^1] in clouds.${ }^{2}$ The perturb-
ation of H<sub>2</sub> is seen by the **Cold** [survey](https://example.org).

![a plot](plot.png)
Figure 1. A plot of $V_{\text {max }}$.

Its mass is given by

$$
M = 3 \text{ if } x
$$

where x is small. It costs $5 or
$6 at

| a | b |
| - | - |
| 1 | 2 |

times. It ends.A new.

- One thing.
- Another thing.

<!-- a remark -->

\begin{table}\begin{tabular}{cc} a & b \\ \end{tabular}\end{table}

[^1]: By *others*.

[^2]:    ${ }^{2}$ By us.

## References

- Trumpler & Co. 1930
- Spitzer 1942
"""


def test_markdown_of_a_paper_has_whole_sentences_rows_with_their_heads_and_neither_tags_nor_signs(tmp_path):
    (tmp_path / "a.md").write_text(MARKDOWN)
    document = read_document(tmp_path / "a.md")
    assert [section.title for section in document.sections] == ["", "Footnotes"]
    assert [paragraph.text for section in document.sections for paragraph in section.paragraphs] == [
        "It is found in clouds. The perturbation of H₂ is seen by the Cold survey.",
        r"Its mass is given by $$M = 3 \mathrm{~if~} x$$ where x is small. It costs $5 or $6 at times. It ends. A new.",
        "One thing.",
        "Another thing.",
        "By others.",
        "By us.",
    ]
    assert document.figures == (
        Figure("Figure 1", r"A plot of $V_{\mathrm{max}}$."),
        Figure("Table", "| a 1 | b 2.", is_table=True),
    )
    assert [reference.text for reference in document.references] == ["Trumpler & Co. 1930", "Spitzer 1942"]


ONE, TWO = "Table 1. Of one", "Table 2. Of two"
ROWS = "| star | note |\n|---|---|\n| HD 1 | Hot. Old. |\n"


@pytest.mark.parametrize(
    ("parts", "labels"),
    [
        (("As Table 7 shows.", ROWS), ["Table"]),
        (("Table 1. Of one.", ROWS, "As in Table 9.", ROWS), ["Table 1", ONE, "Table"]),
        (("Table 1. Of one.", ROWS, "Table 2. Of two.", ROWS), ["Table 1", ONE, "Table 2", TWO]),
        ((ROWS, "Table 1. Of one.", ROWS, "Table 2. Of two."), [ONE, "Table 1", TWO, "Table 2"]),
        ((ROWS, "Table 1. Of one.", ROWS), ["Table", "Table 1", "Table"]),
    ],
)
def test_rows_have_the_caption_beside_them_and_no_other_and_are_no_prose(tmp_path, parts, labels):
    (tmp_path / "a.md").write_text("\n\n".join(["# Stars", "It is so.", *parts]))
    figures = read_document(tmp_path / "a.md").figures
    assert [figure.label for figure in figures] == labels
    rows = [figure.caption for figure in figures if not figure.caption.startswith("Of ")]
    assert set(rows) == {"| star HD 1 | note Hot; Old."}
    assert not is_prose(rows[0])


def test_footnotes_of_an_article_are_paragraphs_of_their_own(tmp_path):
    (tmp_path / "a.xml").write_text(
        '<article><body><p>It is cold.<xref ref-type="fn" rid="n1">1</xref> It is dark<fn><p>Or so.</p></fn>.</p>'
        '</body><back><fn-group><fn id="n1"><p>At night.</p></fn></fn-group></back></article>'
    )
    sections = read_document(tmp_path / "a.xml").sections
    assert [(section.title, [each.text for each in section.paragraphs]) for section in sections] == [
        ("", ["It is cold. It is dark.", "Or so."]),
        ("Footnotes", ["At night."]),
    ]


def test_markdown_and_plain_text_are_read_by_their_headings(tmp_path):
    (tmp_path / "a.md").write_text(
        "# Dust\n\nIt is cold.\n\n## Methods\nWe weigh\nit.\n\n## References\n\n[1] Trumpler\n[2] Spitzer\n"
    )
    (tmp_path / "a.txt").write_text("Dust\n\n1 Introduction\n\nIt is\ncold.\n\n2.1 A cloud\n\nIt is dark.\n")
    markdown, plain = read_document(tmp_path / "a.md"), read_document(tmp_path / "a.txt")
    assert [(s.title, s.level, s.kind) for s in markdown.sections] == [
        ("", 1, SectionKind.OTHER),
        ("Methods", 1, SectionKind.METHOD),  # below a title in "#", a section is "##"
    ]
    assert [(reference.key, reference.text) for reference in markdown.references] == [
        ("1", "Trumpler"),
        ("2", "Spitzer"),
    ]
    assert [(s.title, s.level) for s in plain.sections] == [("1 Introduction", 1), ("2.1 A cloud", 2)]
    assert plain.sections[0].paragraphs[0].text == "It is cold."


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("3. Results and discussion", SectionKind.RESULT),
        ("II. Observations", SectionKind.DATA),
        ("Appendix A: Model fits", SectionKind.APPENDIX),
        ("The colour of dust", SectionKind.OTHER),
    ],
)
def test_the_first_telling_word_of_a_heading_gives_its_kind(heading, kind):
    assert kind_of(heading) is kind


def test_everything_below_an_appendix_belongs_to_it():
    assert kind_of("Results", SectionKind.APPENDIX) is SectionKind.APPENDIX
    assert kind_of("A dark cloud", SectionKind.DATA) is SectionKind.DATA


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.xml", b"<?xml version='1.0'?><!DOCTYPE article [<!ENTITY a 'aa'>]><article>&a;</article>", "document type"),
        ("a.xml", b"<article><body><sec>", "cut short"),
        ("a.xml", b"<article" + b">" + b"<sec>" * 5, "cut short"),
        ("a.txt", b"\x00\x01\x02", "is neither"),
        ("a.txt", b" \n ", "is empty"),
        ("a.md", b"caf\xe9 " * 2000, "is neither"),
        ("a.txt", b"a" * 5000 + b"\xff", "not UTF-8 at byte 5000"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=reason):
        read_document(tmp_path / name)


def test_a_process_of_its_own_reads_the_same_text(jats):
    assert read_apart(jats) == read_document(jats)


def test_a_reader_that_takes_too_long_or_ends_early_is_given_up(jats):
    with pytest.raises(CorpusError, match=r"paper\.xml.*0\.2"):
        read_apart(jats, 0.2, (sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(CorpusError, match="ended with status 9"):
        read_apart(jats, 60, (sys.executable, "-c", "raise SystemExit(9)"))
    with pytest.raises(CorpusError, match="reply from its reader was cut short"):
        read_apart(jats, 60, (sys.executable, "-c", "print('{')"))


def test_the_command_prints_an_outline_or_json(jats, capsys):
    assert main(["fulltext", "read", str(jats)]) == 0
    assert "  1 Introduction [introduction]: 1 paragraph, 5 words" in capsys.readouterr().out.splitlines()
    assert main(["fulltext", "read", str(jats), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert set(record) >= {"title", "sections", "figures", "references", "provenance"}
    assert record["sections"][0]["paragraphs"][0] == {
        "text": "We weigh dust.",
        "page": None,
        "box": None,
        "citations": [],
        "is_recognised": False,
    }
    assert main(["fulltext", "read", "nowhere.pdf"]) == 1


def test_rows_of_a_markdown_table_are_read_under_its_name_unless_it_is_a_catalogue(tmp_path):
    head = "| Host | Depth [mag] |\n| :--: | --: |\n"
    rows = "".join(f"| N{n} | 0.{n} |\n" for n in (11, 12))
    (tmp_path / "a.md").write_text(f"# A\n\nTable 2. Depths.\n\n{head}{rows}")
    _, table = read_document(tmp_path / "a.md").figures
    assert (table.label, table.caption) == (
        "Table 2. Depths",
        "| Host N11 | Depth [mag] 0.11. | Host N12 | Depth [mag] 0.12.",
    )
    (tmp_path / "b.md").write_text(f"# A\n\nDepths.\n\n{head}{'| N1 | 2 |' + chr(10)}{rows * 50}")
    assert read_document(tmp_path / "b.md").figures == ()


def test_rows_of_a_table_in_jats_have_all_heads_of_their_columns_and_repeat_what_spans_them(tmp_path):
    (tmp_path / "a.xml").write_text(
        "<article><body><table-wrap><label>Table 1</label><caption><title>Shares.</title></caption><table><thead>"
        '<tr><th rowspan="2">Place</th><th colspan="2">Goats</th></tr><tr><th>n</th><th>ill (%)</th></tr></thead>'
        '<tbody><tr><td rowspan="2">Bras</td><td>29</td><td>6.9</td></tr><tr><td>3</td><td>0</td></tr>'
        "</tbody></table></table-wrap></body></article>"
    )
    caption, rows = read_document(tmp_path / "a.xml").figures
    assert caption == Figure("Table 1", "Shares.", is_table=True)
    assert rows.label == "Table 1. Shares"
    assert rows.caption == "| Place Bras | Goats n 29 | Goats ill (%) 6.9. | Place Bras | Goats n 3 | Goats ill (%) 0."


def test_a_table_in_jats_without_a_head_of_its_own_is_read_whole_or_not_at_all(tmp_path):
    head = '<tr><td>Cow</td><td colspan="2">Days</td></tr>'
    row = '<tr><td colspan="2">Rosa</td><td>4</td></tr>'
    for n_rows in (1, 101):
        (tmp_path / "a.xml").write_text(
            f"<article><body><table-wrap><table>{head}{row * n_rows}</table></table-wrap></body></article>"
        )
        captions = [figure.caption for figure in read_document(tmp_path / "a.xml").figures]
        assert captions == (["", "| Cow Rosa | Days 4."] if n_rows == 1 else [""])


def test_rows_of_equal_cells_are_rows_and_empty_rows_are_none(tmp_path, capsys):
    (tmp_path / "a.md").write_text(
        "# A\n\nTable 1. Oxen.\n\n| Ox | Old? |\n|--|--|\n| 1 | 1 |\n| | |\n| B | Yes! |\n| | ? |\n"
    )
    _, table = read_document(tmp_path / "a.md").figures
    assert split_sentences(table.caption) == ("| Ox 1 | Old 1.", "| Ox B | Old Yes!.", "| Ox B | Old ?.")
    assert main(["fulltext", "read", str(tmp_path / "a.md")]) == 0
    assert "0 figures, 1 table, " in capsys.readouterr().out
