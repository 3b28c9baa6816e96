"""Full texts stay with their papers through updates, removals and rollbacks."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.building import build, re_embed, remove, rollback
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.progress import Silent
from pathfinder.cli import main
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import ModelError
from pathfinder.facade import Pathfinder
from pathfinder.fulltext import store
from pathfinder.fulltext.document import Document, Paragraph, Section, TextFormat, TextProvenance
from pathfinder.fulltext.store import FullTexts, NewText, add
from pathfinder.models.fake import HashEmbedder
from pathfinder.settings import Settings
from pathfinder.types.full_texts import SectionKind
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordsAsKeywords, write

pytestmark = pytest.mark.build

DUST = Document("Dust", (), (), (), TextProvenance(TextFormat.JATS, "dust.xml", "0" * 64))
SENTENCE = "A sentence about gas that nobody else wrote."
DATA = Section("Data", 1, SectionKind.DATA, (Paragraph(SENTENCE),))
GAS = Document("Gas", (DATA,), (), (), TextProvenance(TextFormat.PDF, "gas.pdf", "1" * 64))


@pytest.fixture
def corpus(built_once, tmp_path):
    def fill(folder):
        source = write(folder / "papers.jsonl", GALAXIES, PLANETS)
        build([source], folder / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
        add(folder / "corpus", [NewText("galaxies", DUST, "dust.xml"), NewText("planets", GAS, "gas.pdf")])

    return Path(shutil.copytree(built_once("two papers with text", fill) / "corpus", tmp_path / "corpus"))


def paper_ids(corpus):
    verify_corpus(corpus)
    return FullTexts.open(corpus).paper_ids


def with_pulsars(corpus):
    """Add a paper to a corpus."""
    source = write(corpus.parent / "pulsars.jsonl", PULSARS)
    build([source], corpus, HashEmbedder(16), extractor=WordsAsKeywords())


def files(corpus):
    return {path.name for path in (corpus / "fulltext").iterdir()}


def test_info_counts_the_papers_with_a_text_by_format(corpus, capsys):
    assert main(["info", str(corpus), "--verify", "--json"]) == 0
    n_bytes = sum(path.stat().st_size for path in (corpus / "fulltext").iterdir())
    texts = json.loads(capsys.readouterr().out)["full_texts"]
    assert texts == {"n_papers": 2, "by_road": {"JATS": 1, "PDF": 1}, "bytes": n_bytes, "n_without_rows": 0}
    assert main(["info", str(corpus)]) == 0
    assert f"full texts: 2 (JATS 1, PDF 1), {n_bytes:,} bytes\n" in capsys.readouterr().out
    next((corpus / "fulltext").iterdir()).write_bytes(b"")
    assert main(["info", str(corpus)]) == 0
    assert main(["info", str(corpus), "--verify"]) == 1


def test_texts_added_before_rows_of_tables_were_read_are_counted_with_the_command_that_adds_these(corpus, capsys):
    with store._change(corpus) as (_, texts):
        texts.update({paper_id: replace(text, has_rows=None) for paper_id, text in texts.items()})
    assert main(["info", str(corpus)]) == 0
    assert f"before rows of tables were read: 1; `pathfinder fulltext add {corpus} FILE" in capsys.readouterr().out


def test_a_build_keeps_the_texts_and_a_rollback_keeps_those_added_since(corpus):
    with_pulsars(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets")
    add(corpus, [NewText("galaxies", GAS, "gas.pdf"), NewText("pulsars", DUST, "dust.xml")])
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets")
    assert FullTexts.open(corpus).document("galaxies") == GAS
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets", "pulsars")


def test_a_removed_paper_takes_its_text_with_it_which_is_on_disk_while_a_version_has_its_paper(corpus):
    before = files(corpus)
    remove(corpus, ["galaxies"], HashEmbedder(16), extractor=WordsAsKeywords())
    assert paper_ids(corpus) == ("planets",)
    assert files(corpus) == before
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets")
    assert FullTexts.open(corpus).document("galaxies") == DUST
    rollback(corpus)
    with_pulsars(corpus)
    assert len(files(corpus)) == 1
    assert paper_ids(corpus) == ("planets",)


def test_the_library_removes_adds_and_reads_texts(corpus, tmp_path):
    pf = Pathfinder.open(corpus, settings=Settings(_env_file=None), embedder=HashEmbedder(16))
    assert pf.full_texts.document("planets") == GAS
    pf.remove_full_texts("planets")
    (tmp_path / "planets.md").write_text("# Hot planets\n\nThey are hot.\n", encoding="utf-8")
    (outcome,) = pf.add_full_texts(tmp_path / "planets.md")
    assert (outcome.match.by, outcome.format) == ("file name", TextFormat.MARKDOWN)
    assert pf.full_texts.document("planets").title == "Hot planets"
    assert verify_corpus(corpus).full_texts is not None


def test_what_was_removed_is_told_before_the_failure_to_index_the_others(corpus, monkeypatch, capsys):
    def fail(*_):
        raise ModelError("no embedder here")

    monkeypatch.setattr("pathfinder.operations.full_texts.load_embedder", fail)
    assert main(["fulltext", "remove", str(corpus), "planets"]) == 1
    told = capsys.readouterr().err
    assert "removed: 1; papers with full text: 1" in told.partition("no embedder here")[0]


def test_a_purged_paper_leaves_no_sentence_of_its_text_in_any_file(corpus):
    index_full_texts(corpus, HashEmbedder(16), Silent())

    def holds_sentence():
        return any(SENTENCE.encode() in path.read_bytes() for path in corpus.rglob("*") if path.is_file())

    assert holds_sentence()
    remove(corpus, ["planets"], HashEmbedder(16), extractor=WordsAsKeywords(), purge=True)
    assert not holds_sentence()
    assert verify_corpus(corpus).full_texts is not None


def test_the_index_of_the_texts_follows_the_embedder_forth_and_back(corpus):
    index_full_texts(corpus, HashEmbedder(16), Silent())
    re_embed(corpus, HashEmbedder(8), extractor=WordsAsKeywords())
    assert verify_corpus(corpus).full_texts.vectors.dimension == 8
    rollback(corpus)
    assert verify_corpus(corpus).full_texts.vectors.dimension == 16
