from pathlib import Path

import pytest

from pathfinder.corpus.lock import lock_corpus
from pathfinder.corpus.manifest import read_manifest
from pathfinder.errors import CorpusDamaged, CorpusError, UsageError
from pathfinder.fulltext.document import (
    Box,
    Document,
    Figure,
    InTextCitation,
    Paragraph,
    Reference,
    Section,
    TextFormat,
    TextProvenance,
)
from pathfinder.fulltext.store import FullTexts, NewText, add, document_bytes, read_document_bytes, remove
from pathfinder.types.full_texts import SectionKind
from tests.tiny_corpus import tiny_corpus

DUST = Document(
    title="Dust",
    sections=(
        Section(
            "Introduction",
            1,
            SectionKind.INTRODUCTION,
            (Paragraph("Dust [1].", 1, Box(1.0, 2.0, 3.5, 4.0), (InTextCitation(5, 8, ("r1",)),)), Paragraph("More.")),
        ),
        Section("", 2, SectionKind.OTHER, ()),
    ),
    figures=(Figure("Figure 1", "A plot."), Figure("Table 1", "Masses.", True, 2, Box(0.0, 0.0, 1.0, 1.0))),
    references=(Reference("r1", "Trumpler 1930", doi="10.1/x"),),
    provenance=TextProvenance(TextFormat.JATS, "dust.xml", "0" * 64, ("no page numbers",)),
    identifiers=("doi:10.1234/dust",),
)
GAS = Document("Gas", (), (), (), TextProvenance(TextFormat.PDF, "gas.pdf", "1" * 64))


def test_a_text_is_the_same_after_it_was_stored():
    content = document_bytes(DUST)
    assert read_document_bytes(content, Path("a")) == DUST
    assert document_bytes(read_document_bytes(content, Path("a"))) == content
    assert read_document_bytes(document_bytes(GAS), Path("b")) == GAS
    with pytest.raises(CorpusDamaged, match="is not the Arrow file of a full text"):
        read_document_bytes(content[: len(content) // 2], Path("c"))


@pytest.fixture
def corpus(tmp_path):
    return tiny_corpus(tmp_path, "one", "two", "three")


def test_a_corpus_has_no_full_texts_until_they_are_added(corpus):
    assert FullTexts.open(corpus).paper_ids == ()
    assert "fulltext" not in read_manifest(corpus)[0].parts


def test_texts_are_added_read_replaced_and_removed(corpus):
    empty = FullTexts.open(corpus)
    add(corpus, [NewText("two", DUST, "dust.xml", "CC-BY-4.0"), NewText("one", GAS, "gas.pdf")])
    texts = FullTexts.open(corpus)
    assert texts.paper_ids == ("one", "two")
    assert (texts.document("one"), texts.document("two")) == (GAS, DUST)
    assert [(text.road, text.origin, text.licence) for text in texts.texts.values()] == [
        (TextFormat.PDF, "gas.pdf", None),
        (TextFormat.JATS, "dust.xml", "CC-BY-4.0"),
    ]
    add(corpus, [NewText("one", DUST, "dust.xml")])
    assert FullTexts.open(corpus).document("one") == DUST
    remove(corpus, ["two"])
    assert FullTexts.open(corpus).paper_ids == ("one",)
    remove(corpus, ["one"])
    assert FullTexts.open(corpus) == empty
    assert list((corpus / "fulltext").iterdir()) == []


def test_the_version_follows_the_content_and_the_papers_to_which_it_belongs(corpus):
    versions = [FullTexts.open(corpus).version]
    for paper_id, document in (("one", GAS), ("two", DUST), ("one", DUST)):
        add(corpus, [NewText(paper_id, document, "a")])
        versions.append(FullTexts.open(corpus).version)
    assert len(set(versions)) == 4
    remove(corpus, ["one", "two"])
    add(corpus, [NewText("one", GAS, "another name")])
    assert FullTexts.open(corpus).version == versions[1]


def test_a_paper_without_a_text_and_a_text_without_a_paper_are_named(corpus):
    with pytest.raises(UsageError, match="'one'"):
        FullTexts.open(corpus).document("one")
    with pytest.raises(UsageError, match="has no paper 'four'"):
        add(corpus, [NewText("one", GAS, "a"), NewText("four", GAS, "b")])
    with pytest.raises(UsageError, match="'two'"):
        remove(corpus, ["two"])
    assert FullTexts.open(corpus).paper_ids == ()


def test_a_change_that_was_stopped_before_the_manifest_leaves_the_texts_as_they_were(corpus, monkeypatch):
    add(corpus, [NewText("one", GAS, "gas.pdf")])

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pathfinder.fulltext.store.write_manifest", stop)
        for change in (lambda: add(corpus, [NewText("one", DUST, "dust.xml")]), lambda: remove(corpus, ["one"])):
            with pytest.raises(KeyboardInterrupt):
                change()
            assert FullTexts.open(corpus).document("one") == GAS
    add(corpus, [NewText("two", GAS, "gas.pdf")])
    assert (
        len(list((corpus / "fulltext").iterdir())) == 1
    )  # what was left over is gone, and equal texts are stored once


def test_no_text_is_added_while_the_corpus_is_changed_elsewhere(corpus):
    with lock_corpus(corpus), pytest.raises(CorpusError, match="another build is writing"):
        add(corpus, [NewText("one", GAS, "gas.pdf")])


def test_an_altered_or_missing_file_is_named(corpus):
    add(corpus, [NewText("one", GAS, "gas.pdf")])
    texts = FullTexts.open(corpus)
    file = corpus / "fulltext" / texts.texts["one"].file
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CorpusDamaged, match=f"{file.name} was altered"):
        texts.document("one")
    file.unlink()
    with pytest.raises(CorpusDamaged, match=f"{file.name}"):
        texts.document("one")


def test_no_file_is_deleted_but_texts_and_none_behind_a_link(corpus, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "text-0123456789abcdef.arrow").write_text("mine")
    (corpus / "fulltext").symlink_to(mine)
    with pytest.raises(CorpusError, match="fulltext is a link"):
        add(corpus, [NewText("one", GAS, "gas.pdf")])
    assert (mine / "text-0123456789abcdef.arrow").exists()
    (corpus / "fulltext").unlink()
    add(corpus, [NewText("one", GAS, "gas.pdf")])
    (corpus / "fulltext" / "notes.txt").write_text("mine")
    remove(corpus, ["one"])
    assert [path.name for path in (corpus / "fulltext").iterdir()] == ["notes.txt"]
