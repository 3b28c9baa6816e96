"""Full texts stay with their papers through updates, removals and rollbacks."""

import pytest

from pathfinder.building import remove, rollback
from pathfinder.building.update import update
from pathfinder.corpus.store import verify_corpus
from pathfinder.fulltext.document import Document, Provenance, Road
from pathfinder.fulltext.store import FullTexts, NewText, add
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordsAsKeywords, write

pytestmark = pytest.mark.build

DUST = Document("Dust", (), (), (), Provenance(Road.JATS, "dust.xml", "0" * 64))
GAS = Document("Gas", (), (), (), Provenance(Road.PDF, "gas.pdf", "1" * 64))


@pytest.fixture
def corpus(make, tmp_path):
    make(GALAXIES, PLANETS)
    add(tmp_path / "corpus", [NewText("galaxies", DUST, "dust.xml"), NewText("planets", GAS, "gas.pdf")])
    return tmp_path / "corpus"


def paper_ids(corpus):
    verify_corpus(corpus)
    return FullTexts.open(corpus).paper_ids


def files(corpus):
    return {path.name for path in (corpus / "fulltext").iterdir()}


def test_an_update_keeps_the_texts_and_a_rollback_keeps_those_added_since(corpus):
    write(corpus.parent / "papers.jsonl", GALAXIES, PLANETS, PULSARS)
    update(corpus, HashEmbedder(16), extractor=WordsAsKeywords())
    assert paper_ids(corpus) == ("galaxies", "planets")
    add(corpus, [NewText("galaxies", GAS, "gas.pdf"), NewText("pulsars", DUST, "dust.xml")])
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets")
    assert FullTexts.open(corpus).document("galaxies") == GAS
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets", "pulsars")


def test_a_removed_paper_takes_its_text_with_it_and_a_rollback_brings_both_back(corpus):
    remove(corpus, ["galaxies"], HashEmbedder(16), extractor=WordsAsKeywords())
    assert paper_ids(corpus) == ("planets",)
    rollback(corpus)
    assert paper_ids(corpus) == ("galaxies", "planets")
    assert FullTexts.open(corpus).document("galaxies") == DUST


def test_nothing_of_a_text_is_left_on_disk_once_no_version_has_its_paper(corpus):
    before = files(corpus)
    remove(corpus, ["galaxies"], HashEmbedder(16), extractor=WordsAsKeywords())
    assert files(corpus) == before
    write(corpus.parent / "papers.jsonl", GALAXIES, PLANETS, PULSARS)
    update(corpus, HashEmbedder(16), extractor=WordsAsKeywords())
    assert len(files(corpus)) == 1
    remove(corpus, ["planets"], HashEmbedder(16), extractor=WordsAsKeywords(), purge=True)
    assert files(corpus) == set()
    assert paper_ids(corpus) == ()
