import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import docx
import pytest
from docx.oxml import parse_xml

import pathfinder.fulltext.docx_file as docx_file
from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import TextFormat
from pathfinder.fulltext.formats import read_document

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
_FORMULA = f"<m:oMath {_NAMESPACES}><m:r><m:t>E=mc2</m:t></m:r></m:oMath>"
_DELETED = f"<w:del {_NAMESPACES}><w:r><w:delText>never </w:delText></w:r></w:del>"
_INSERTED = f"<w:ins {_NAMESPACES}><w:r><w:t>often </w:t></w:r></w:ins>"


def test_headings_scripts_tables_and_accepted_changes_of_a_manuscript_are_read(tmp_path: Path) -> None:
    path, manuscript = tmp_path / "ms.docx", docx.Document()
    manuscript.add_heading("The dust of Vega", 0)
    manuscript.add_heading("Methods", 1)
    paragraph = manuscript.add_paragraph("A disc of 3 * 10")
    paragraph.add_run("5").font.superscript = True
    paragraph.add_run(" years_old dust and H")
    paragraph.add_run("2").font.subscript = True
    paragraph.add_run(" costs $5 to $6, and ")
    paragraph._p.append(parse_xml(_DELETED))
    paragraph._p.append(parse_xml(_INSERTED))
    paragraph.add_run("obeys ")
    paragraph._p.append(parse_xml(_FORMULA))
    paragraph.add_run(".")
    manuscript.add_paragraph("Table 1: The masses of the dust.")
    table = manuscript.add_table(2, 2)
    for cell, text in zip(table._cells, ("Disc", "Mass", "inner | warm", "4 g"), strict=True):
        cell.text = text
    manuscript.save(str(path))
    document = read_document(path)
    assert (document.title, document.provenance.road) == ("The dust of Vega", TextFormat.DOCX)
    (section,) = document.sections
    assert section.title == "Methods"
    assert section.paragraphs[0].text == (
        "A disc of 3 * 10⁵ years_old dust and H₂ costs $5 to $6, and often obeys [formula] ."
    )
    assert any("Mass 4 g" in figure.caption for figure in document.figures)


def test_moved_words_are_read_once_and_a_content_control_has_its_sections(tmp_path: Path) -> None:
    path, manuscript = tmp_path / "ms.docx", docx.Document()
    manuscript.add_heading("The dust of Vega", 0)
    manuscript.add_heading("Methods", 1)
    paragraph = manuscript.add_paragraph("We ")
    for kind in ("moveFrom", "moveTo"):
        paragraph._p.append(parse_xml(f"<w:{kind} {_NAMESPACES}><w:r><w:t>moved on.</w:t></w:r></w:{kind}>"))
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    blocks = "".join(
        f"<w:p>{look}<w:r><w:t>{text}</w:t></w:r></w:p>" for look, text in ((style, "Results"), ("", "It is warm."))
    )
    control = f"<w:sdt {_NAMESPACES}><w:sdtPr/><w:sdtContent>{blocks}</w:sdtContent></w:sdt>"
    manuscript.element.body.insert(3, parse_xml(control))
    manuscript.save(str(path))
    sections = [(each.title, each.paragraphs[0].text) for each in read_document(path).sections]
    assert sections == [("Methods", "We moved on."), ("Results", "It is warm.")]


def test_headings_without_a_style_divide_a_manuscript(tmp_path: Path) -> None:
    path, manuscript = tmp_path / "ms.docx", docx.Document()
    for text in ("The dust of Vega", "Abstract", "It is warm.", "2. Methods", "We took 48 grains.", "References"):
        manuscript.add_paragraph(text)
    manuscript.add_paragraph("Smith, J. (2010). Dust of the sky. Journal of Dust, 3, 12-19.")
    manuscript.save(str(path))
    document = read_document(path)
    assert document.title == "The dust of Vega"
    assert [(each.title, each.paragraphs[0].text) for each in document.sections if each.title] == [
        ("Abstract", "It is warm."),
        ("2. Methods", "We took 48 grains."),
    ]
    assert len(document.references) == 1


def test_signs_that_begin_a_paragraph_and_cells_that_span_columns_or_hold_a_table_are_read_as_they_stand(
    tmp_path: Path,
) -> None:
    path, manuscript = tmp_path / "ms.docx", docx.Document()
    manuscript.add_heading("The dust of Vega", 0)
    manuscript.add_heading("Methods", 1)
    texts = ["# of grains was 48 in the first run.", "> 90% of them were warm."]
    for text in texts:
        manuscript.add_paragraph(text)
    manuscript.add_paragraph("Table 1: The masses of the dust.")
    table = manuscript.add_table(3, 3)
    for row, cells in enumerate((("Disc", "", "Mass"), ("inner", "warm", "4 g"), ("outer", "", "7 g"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(2, 1).add_table(1, 1).cell(0, 0).text = "cold"
    manuscript.save(str(path))
    document = read_document(path)
    assert [each.text for section in document.sections for each in section.paragraphs][:2] == texts
    (rows,) = [figure.caption for figure in document.figures if figure.caption.startswith("| ")]
    assert rows == "| Disc inner | Disc warm | Mass 4 g. | Disc outer | Disc cold | Mass 7 g."


def test_a_manuscript_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ms.docx"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "a" * 10_000)
    monkeypatch.setattr(docx_file, "MAX_TEXT_BYTES", 400)
    with pytest.raises(CorpusError, match="unpacks"):
        read_document(path)


def test_an_archive_that_is_no_manuscript_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ms.docx"
    path.write_bytes(b"PK no archive")
    with pytest.raises(CorpusError, match="is not a DOCX file"):
        read_document(path)


def _altered(path: Path, parts: dict[str, bytes | None]) -> Path:
    """Write an empty manuscript in which these parts are others, or missing."""
    docx.Document().save(str(path.with_suffix(".whole")))
    with ZipFile(path.with_suffix(".whole")) as whole, ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name in whole.namelist():
            content = parts.get(name, whole.read(name))
            if content is not None:
                archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "parts",
    [
        {"word/document.xml": b"<a/>"},
        {"word/document.xml": b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'},
        {"word/styles.xml": b"<a/>"},
        {"word/styles.xml": None},
        {"[Content_Types].xml": b"<a/>"},
        {"word/_rels/document.xml.rels": b"<a"},
    ],
)
def test_an_archive_whose_parts_are_others_is_refused(tmp_path: Path, parts: dict[str, bytes | None]) -> None:
    with pytest.raises(CorpusError, match="is not a DOCX file"):
        read_document(_altered(tmp_path / "ms.docx", parts))


@pytest.mark.parametrize(("header", "place", "value"), [(b"PK\1\2", 8, 1), (b"PK\1\2", 10, 97), (b"PK\3\4", 40, 255)])
def test_an_encrypted_or_damaged_archive_is_refused(tmp_path: Path, header: bytes, place: int, value: int) -> None:
    path = _altered(tmp_path / "ms.docx", {})
    content = bytearray(path.read_bytes())
    for start in (found.start() for found in re.finditer(re.escape(header), bytes(content))):
        content[start + place] = value
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="is not a DOCX file"):
        read_document(path)


def test_pictures_that_unpack_to_too_much_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx_file, "MAX_BYTES", 400)
    with pytest.raises(CorpusError, match="pictures"):
        read_document(_altered(tmp_path / "ms.docx", {}))
