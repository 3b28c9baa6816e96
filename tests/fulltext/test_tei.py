import pytest

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Figure, InTextCitation, Reference, TextFormat
from pathfinder.fulltext.formats import read_document
from pathfinder.types.full_texts import SectionKind

TEI = """<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title>Cold dust</title></titleStmt>
<sourceDesc><biblStruct><idno type="DOI">10.1234/tei</idno></biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><div><p>We weigh dust.</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="2.1">Our sample</head><p>Seen early
 <ref type="bibr" target="#b0">(Trumpler 1930)</ref>, <ref type="bibr" target="#b9">later</ref>.</p></div>
<figure type="table"><head>Table 1</head><figDesc>Masses.</figDesc></figure></body>
<back><div><listBibl><biblStruct xml:id="b0"><idno type="DOI">10.1/x</idno>
<note type="raw_reference">Trumpler R. 1930</note></biblStruct></listBibl></div></back></text></TEI>"""


def test_a_document_in_tei_has_sections_citations_and_captions(tmp_path):
    (tmp_path / "a.xml").write_text(TEI)
    document = read_document(tmp_path / "a.xml")
    assert (document.title, document.provenance.road) == ("Cold dust", TextFormat.TEI)
    assert document.identifiers == ("doi:10.1234/tei",)
    assert [(section.title, section.level, section.kind) for section in document.sections] == [
        ("Abstract", 1, SectionKind.ABSTRACT),
        ("2.1 Our sample", 2, SectionKind.DATA),
    ]
    (paragraph,) = document.sections[1].paragraphs
    assert paragraph.text == "Seen early (Trumpler 1930), later."
    assert paragraph.citations == (InTextCitation(11, 26, ("b0",)), InTextCitation(28, 33, ()))
    assert document.figures == (Figure("Table 1", "Masses.", is_table=True),)
    assert document.references == (Reference("b0", "Trumpler R. 1930", "10.1/x"),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<!DOCTYPE TEI [<!ENTITY a 'aa'>]><TEI>&a;</TEI>", "document type"),
        ("<TEI>" + "<div>" * 90 + "</div>" * 90 + "</TEI>", "more than 60 deep"),
        ("<TEI><text>", "cut short"),
    ],
)
def test_hostile_tei_is_refused_with_the_reason(tmp_path, content, reason):
    (tmp_path / "a.xml").write_text(content)
    with pytest.raises(CorpusError, match=reason):
        read_document(tmp_path / "a.xml")
