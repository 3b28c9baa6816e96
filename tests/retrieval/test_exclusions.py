"""Words that a question excludes."""

from pathlib import Path

import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.retrieval import exclusions
from pathfinder.retrieval.exclusions import ABOUT, exclusions_named, rows_with, unread_exclusion
from pathfinder.retrieval.years.in_questions import without_spans
from pathfinder.types import Paper, SearchRequest

TERMS = {
    "by riess",
    "by freedman",
    "hot jupiters",
    "supernovae",
    "mond",
    "stellar mass",
    "accretion disks",
    "jets",
    "visible",
    "cepheids",
    "neural networks",
}


def excluded(question: str) -> tuple[str, ...]:
    named = exclusions_named(question, lambda phrase: phrase.lower() in TERMS)
    return () if named is None else tuple(words.removeprefix(ABOUT) for words in named.excluded_words)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("dark matter -simulations", ("simulations",)),
        ('quasars -"black hole" -jets', ("black hole", "jets")),
        ("exoplanets not hot Jupiters", ("hot Jupiters",)),
        ("galaxy rotation, not MOND", ("MOND",)),
        ("dark energy not supernovae", ("supernovae",)),
        ("exoplanets, excluding the hot Jupiters", ("hot Jupiters",)),
        ("black holes but not stellar mass", ("stellar mass",)),
        ("quasars but not about accretion disks and jets", ("accretion disks", "jets")),
        ("dark matter without theory", ("theory",)),
        ("What is dark energy, excluding reviews?", ("reviews",)),
        ("quasars, without jets", ("jets",)),
        ("quasars, without simulations, not accretion disks", ("simulations", "accretion disks")),
        ("quasars, without simulations and without jets", ("simulations", "jets")),
        ("galaxy rotation, not MOND or jets", ("MOND", "jets")),
        ("dusty tori without NGC 1068", ("NGC 1068",)),
        ("spirals except M31", ("M31",)),
        ("the Hubble constant but not by Riess or Freedman", ("by Riess", "by Freedman")),
        ("papers on galaxies not by Riess", ("by Riess",)),
        ("What is the evidence for dark energy without supernovae?", ("supernovae",)),
        ("Hubble constant measurements that do NOT use cepheids", ("cepheids",)),
        ("distances which don't rely on cepheids or supernovae", ("cepheids", "supernovae")),
        ("distances without using cepheids", ("cepheids",)),
        ("rotation curves other than MOND", ("MOND",)),
        ("photometric redshifts without neural networks", ("neural networks",)),
        ("black holes but not stellar mass since 2010", ("stellar mass",)),
        ("black holes, no simulations please", ("simulations",)),
        ("dark energy not mond not supernovae", ("mond", "supernovae")),
        ("dark energy, no theory papers", ("theory",)),
        ("dark energy no theory papers since 2010", ("theory",)),
        ("dark energy, nothing on supernovae", ("supernovae",)),
        ("dark energy, nothing about quintessence", ("quintessence",)),
        ("dark energy not about supernovae", ("supernovae",)),
    ],
)
def test_words_that_a_question_excludes_are_read(question: str, words: tuple[str, ...]):
    assert excluded(question) == words


@pytest.mark.parametrize(
    "question",
    [
        "galaxies without dark matter",
        "clouds without H2",
        "galaxies not by eye",
        "galaxies not forming stars",
        "galaxies with and without jets",
        "galaxies with jets, and without jets",
        "How do we measure distances, without supernovae?",
        "Is it hot, not supernovae?",
        "stars not visible",
        "Why are hot stars not hot Jupiters?",
        "transmission that was not hot Jupiters",
        "galaxies since 2010 that are not visible",
        "papers on galaxies without supernovae",
        "What is the evidence for galaxies without supernovae?",
        "measurements of stars without jets",
        "galaxies which do not involve jets",
        "papers that do use cepheids",
        "Is there anything other than MOND?",
        "X -ray binaries",
        "a slope of -0.5",
        "-simulations",
        "a survey with and without assuming a model",
        "lines seen in emission but not detected",
        "Is there nothing on supernovae?",
        "the light that is not from supernovae",
        "stars with no jets",
        "gamma rays not from supernovae",
        "stars not on the main sequence",
        "galaxies with no theory papers",
        "papers by Smith with nothing about dust",
        "-" * 5_000,
        "not " * 5_000,
    ],
)
def test_other_words_exclude_nothing(question: str):
    assert excluded(question) == ()


def test_papers_with_an_excluded_word_are_left_out_and_counted(pf: Pathfinder):
    everything = pf.search("supernovae", top_k=30)
    result = pf.search("supernovae -constant", top_k=30)
    texts = [f"{hit.paper.title} {hit.paper.abstract}".lower() for hit in everything.hits]
    with_word = {hit.paper.paper_id for hit, text in zip(everything.hits, texts, strict=True) if "constant" in text}
    assert with_word
    assert with_word.isdisjoint(hit.paper.paper_id for hit in result.hits)
    assert result.request.excluded_words == ("constant",)
    assert (result.words, result.request.query) == ("supernovae", "supernovae -constant")
    (stage,) = [stage.ran for stage in result.stages if stage.name == "exclusions"]
    assert stage in result.filter_notes
    assert "of 33 papers left out" in stage


def test_what_was_not_read_is_named_without_its_negation():
    assert unread_exclusion("light, but not from lamps") == ("but not", "from lamps")
    assert unread_exclusion("galaxies without dark matter") == ("without", "dark matter")


@pytest.mark.parametrize(
    "question", ["reviews only: fast bursts", "fast bursts, only reviews", "fast bursts (review papers only)"]
)
def test_reviews_alone_are_asked_for(question: str):
    named = exclusions_named(question, lambda _: False)
    assert named is not None
    assert (named.only_reviews, named.excluded_words, without_spans(question, named.spans)) == (True, (), "fast bursts")


@pytest.mark.parametrize(
    "question", ["reviews only", "only reviews say so, not papers", "Does the journal publish only reviews?"]
)
def test_reviews_are_words_otherwise(question: str):
    assert exclusions_named(question, lambda _: False) is None


def test_only_reviews_are_left_if_a_question_says_so(pf: Pathfinder):
    result = pf.search("reviews only: supernovae")
    assert (result.words, result.request.only_reviews) == ("supernovae", True)
    assert result.hits
    assert all(hit.paper.is_review for hit in result.hits)
    assert result.n_searched == sum(pf.corpus.papers.column("is_review").to_pylist())


def test_the_papers_of_an_excluded_author_are_left_out(pf: Pathfinder):
    name = pf.search("supernovae", top_k=1).hits[0].paper.authors[0].split(",")[0]
    result = pf.search(f"supernovae not by {name}", top_k=30)
    assert result.request.excluded_words == (f"by {name}",)
    assert result.request.authors == ()
    assert result.hits
    assert not any(name in author for hit in result.hits for author in hit.paper.authors)


def test_an_excluded_phrase_that_begins_with_by_and_names_nobody_is_words(pf: Pathfinder):
    (row, *_) = rows_with("by supernovae", pf.corpus.papers, pf.corpus.sparse)
    assert "supernova" in pf.corpus.papers.take([row])[0].text.lower()


def test_exclusions_are_undone_or_set_by_the_request(pf: Pathfinder):
    undone = pf.search("supernovae -constant", reads_exclusions=False)
    assert undone.request.excluded_words == ()
    assert pf.search(SearchRequest("supernovae", excluded_words=("constant",))).request.excluded_words == ("constant",)


def test_a_phrase_is_excluded_only_where_its_words_follow_each_other(pf: Pathfinder):
    hits = pf.search(SearchRequest("expansion", excluded_words=("Hubble constant",), top_k=30)).hits
    texts = [f"{hit.paper.title} {hit.paper.abstract}".lower() for hit in hits]
    assert texts
    assert not any("hubble constant" in text for text in texts)
    assert any("constant" in text for text in texts)


@pytest.mark.parametrize(
    ("phrase", "left_out"),
    [("dark energy", [0]), ("galaxies", [1, 2]), ("galaxy clusters", [2]), ("cosmic ray", [3]), ("cosmic rat", [])],
)
def test_phrases_are_compared_by_stems_and_not_by_beginnings(phrase: str, left_out: list[int], tmp_path: Path):
    papers = [
        Paper("energy", "Dark energy", "It accelerates the expansion."),
        Paper("dark", "Dark galaxies", "Their energy is low.", subjects=("Galaxy",)),
        Paper("cluster", "Matter", "It is dark.", subjects=("Galaxy cluster",)),
        Paper("rays", "Cosmic rays", "Particles and ratios."),
    ]
    texts, keywords = [paper.text for paper in papers], ["; ".join(paper.subjects) for paper in papers]
    write_sparse(texts, tmp_path / "sparse", keywords)
    assert rows_with(phrase, Listed(papers), SparseIndex.open(tmp_path / "sparse")).tolist() == left_out


def test_what_is_no_subject_of_a_paper_leaves_it_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    papers = [
        Paper("title", "Dark galaxies", "They are many."),
        Paper("keyword", "Matter", "It is dark.", subjects=("Dark galaxy",)),
        Paper("first", "Matter", "Dark galaxies are many. They are dim."),
        Paper("twice", "Matter", "It is dim. Dark galaxies have it. Dark galaxies dark galaxies."),
        Paper("beside", "Matter", "It is dim. Dark galaxies are found later."),
        Paper("heading", "Matter", "Dark galaxies:"),
    ]
    write_sparse([paper.text for paper in papers], tmp_path / "sparse", ["; ".join(paper.subjects) for paper in papers])
    index = SparseIndex.open(tmp_path / "sparse")
    assert rows_with("about dark galaxies", Listed(papers), index).tolist() == [0, 1, 2, 3, 5]
    assert rows_with("dark galaxies", Listed(papers), index).tolist() == [0, 1, 2, 3, 4, 5]
    monkeypatch.setattr(exclusions, "MOST_READ", 2)
    assert rows_with("about dark galaxies", Listed(papers), index).tolist() == [0, 1, 2, 3, 4, 5]
    assert rows_with("matter dim", Listed(papers), index).tolist() == []  # words of a phrase are read however many


class Listed(list):
    """Papers as `PaperTable` gives them."""

    def take(self, rows: np.ndarray) -> list[Paper]:
        return [self[row] for row in rows.tolist()]
