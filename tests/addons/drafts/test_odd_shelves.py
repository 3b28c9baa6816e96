"""Shelves of one paper, of titles alone and of papers that the corpus has lost, and hostile papers."""

from pathlib import Path

import pytest

from pathfinder.addons.drafts.document import FORMS, document_of
from pathfinder.addons.drafts.draft import ReviewDraft, SentenceOrigin, papers_of
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.shelves.shelf import Shelf, State
from tests.addons.drafts.sentences import draft_of, sentence
from tests.building.conftest import GALAXIES, PLANETS, PULSARS
from tests.ui.test_pages import corpus_of

pytestmark = pytest.mark.build

TITLE = {"id": "title", "title": "Pulsars \\input{x} & <b>glitches</b> in $\\gamma$ rays", "year": 2001}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Pathfinder:
    folder = corpus_of(tmp_path_factory.mktemp("odd"), GALAXIES, PLANETS, PULSARS, TITLE)
    return Pathfinder.open(folder, embedder=HashEmbedder(16))


def files_of(pf: Pathfinder, draft: ReviewDraft) -> dict[str, bytes]:
    """Write the draft in every format."""
    document = document_of(draft, {paper.paper_id: paper for paper in papers_of(pf, draft.cited_ids)})
    return {suffix: data for form in FORMS.values() for suffix, data in form.files(document, "draft").items()}


def test_a_shelf_of_one_paper_has_an_outline_of_one_section(small: Pathfinder) -> None:
    shelf = Shelf("one").add(["pulsars"])
    draft = small.write_draft(small.outline(shelf), shelf)
    assert [section.paper_ids for section in draft.sections] == [("pulsars",)]
    assert all(files_of(small, draft).values())


def test_a_title_alone_is_a_gap_that_says_so_and_its_markup_takes_no_effect(small: Pathfinder) -> None:
    shelf = Shelf("titles").add(["title"])
    draft = small.write_draft(small.outline(shelf, ["How do pulsars spin?"]), shelf)
    texts = [section.text for section in draft.sections]
    for text in texts:
        assert text is not None
        assert text.sentences == ()
        assert text.gap is not None
        assert "paper searched does not answer the question “" in text.gap
        assert text.gap.endswith("; only its title is known")
    files = files_of(small, draft)
    assert b"\\input" not in files["tex"] + files["bib"]


def test_a_paper_that_the_corpus_has_lost_stays_in_the_references_by_its_id(small: Pathfinder, tmp_path: Path) -> None:
    shelf = Shelf("two").add(["pulsars", "galaxies"])
    draft = small.edit_section(
        ReviewDraft("T").add("h", "How do pulsars spin?"), shelf, "1", "Pulsars spin. [1] Galaxies turn. [2]"
    )
    later = Pathfinder.open(corpus_of(tmp_path, PULSARS), embedder=HashEmbedder(16))
    assert later.draft_coverage(draft, shelf.remove(["galaxies"])).lost == ("galaxies",)
    assert later.draft_coverage(draft, shelf.remove(["galaxies"])).off_shelf == ("galaxies",)
    files = files_of(later, draft)
    assert b"galaxies (not in the corpus)" in files["md"]
    assert b"galaxies (not in the corpus)" in files["bib"]
    again = later.check_draft(draft, shelf)
    assert again.sentences[1].citations == ("galaxies",)
    assert again.sentences[1].checked.verdict == "not found"


def test_a_sentence_of_a_file_without_a_paper_on_the_shelf_becomes_the_readers_own(small: Pathfinder) -> None:
    spin = str(PULSARS["abstract"])
    draft = draft_of(
        sentence(spin, "pulsars"),
        sentence(spin, "pulsars", origin=SentenceOrigin.PAPER),
        sentence("So much is certain."),
        sentence(spin, "pulsars", "galaxies"),
        sentence(spin, "gone"),
        sentence(str(GALAXIES["abstract"]), "galaxies", origin=SentenceOrigin.PAPER),
        sentence("I think so.", origin=SentenceOrigin.READER),
    )
    shelf = Shelf("one").add(["pulsars", "galaxies"]).set_state("galaxies", State.OUT)
    text = small.check_draft(draft, shelf).sections[0].text
    assert text is not None
    assert [each.text for each in text.sentences] == [each.text for each in draft.sentences]
    origins = [each.origin for each in text.sentences]
    assert origins[:2] == [SentenceOrigin.MODEL, SentenceOrigin.PAPER]
    assert set(origins[2:]) == {SentenceOrigin.READER}
    assert text.notes == ("4 sentences in the file have no paper on the shelf behind them and count as your own",)
    (bees,) = small.check_draft(draft_of(sentence("Bees dance at night.", "pulsars")), shelf).sentences
    assert (bees.origin, bees.checked.verdict) == (SentenceOrigin.READER, "not found")
