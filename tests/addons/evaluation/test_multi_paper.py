import json
from dataclasses import replace

import pytest

from pathfinder.addons.evaluation.multi_paper import (
    CAVEAT,
    STAND_INS,
    Asks,
    make_multi_paper_set,
    make_reference_list_set,
    read_reference_lists,
    reference_lists_of,
    without_citations,
)
from pathfinder.errors import CorpusError, UsageError
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.evaluation.collections import read_collection
from pathfinder.operations.evaluation.run import evaluate_collection
from pathfinder.types import Paper
from tests.linked import with_references

PAPERS = [
    Paper("a", "A", "", arxiv_id="2401.00001"),
    Paper("b", "B", "", doi="10.1/B"),
    Paper("c", "C", "", bibcode="2020ApJ...1....1C"),
]
SIX = ["a", "10.1/b", "2020apj...1....1c", "x", "y", "z"]


def file_of(folder, *records):
    path = folder / "citations.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"text": "Dust."}, "no citations, clusters or references"),
        ({"citations": SIX}, "text is missing"),
        ({"text": "Dust.", "citations": [1]}, "citations must be a list of texts"),
        ({"clusters": "many"}, "clusters must be a list of objects, got 'many'"),
        ({"references": SIX}, "title is missing"),
    ],
)
def test_a_line_of_no_kind_is_told_with_its_number(tmp_path, record, reason):
    good = {"text": "Gas.", "citations": SIX}
    with pytest.raises(CorpusError, match=f"citations.jsonl, line 2: .*{reason}"):
        make_multi_paper_set(PAPERS, file_of(tmp_path, good, record))


def test_no_cluster_that_can_be_asked_for_is_told_with_the_reasons(tmp_path):
    path = file_of(
        tmp_path,
        {"text": "Five.", "citations": SIX[:5]},
        {"text": "Elsewhere.", "citations": list("uvwxyz")},
        {"text": "(Roe 2020)", "citations": SIX},
    )
    with pytest.raises(
        UsageError, match="1 have fewer than 6 citations; 1 have fewer than 1 papers in the corpus; 1 ha"
    ):
        make_multi_paper_set(PAPERS, path)


def test_numbers_below_one_are_refused(tmp_path):
    with pytest.raises(UsageError, match="at least 1, got 0"):
        make_multi_paper_set(PAPERS, file_of(tmp_path), n=0)


def test_a_cluster_is_answered_by_those_of_its_papers_that_the_corpus_has(tmp_path):
    question_set = make_multi_paper_set(
        PAPERS, file_of(tmp_path, {"text": "Dust is hot (Roe 2020; Doe 2021).", "citations": SIX})
    )
    assert question_set.questions == {"cluster-1": "Dust is hot."}
    assert question_set.judgements == {"cluster-1": {"a": 1, "b": 1, "c": 1}}
    assert (question_set.about["citations"], question_set.about["citations in the corpus"]) == (6, 3)


def test_reviews_have_clusters_or_are_one(tmp_path):
    clusters = [{"text": "One.", "citations": SIX}, {"text": "Two.", "citations": SIX}]
    review = {"title": "Dust, a review", "references": ["2401.00001", *SIX[3:], "u", "v"]}
    question_set = make_multi_paper_set(PAPERS, file_of(tmp_path, {"id": "r", "clusters": clusters}, review))
    assert list(question_set.questions.values()) == ["One.", "Two.", "Dust, a review"]
    assert question_set.judgements["cluster-3"] == {"a": 1}


def test_a_text_is_asked_once_for_all_that_is_cited_for_it(tmp_path):
    first, second = {"text": "Dust [1].", "citations": ["a", *"uvwxy"]}, {"text": "dust.", "citations": ["c", *"uvwxy"]}
    question_set = make_multi_paper_set(PAPERS, file_of(tmp_path, first, second, first))
    assert question_set.questions == {"cluster-1": "Dust."}
    assert question_set.judgements == {"cluster-1": {"a": 1, "c": 1}}
    assert question_set.about["clusters: repeat the text of an earlier one and are merged with it"] == 2


def test_the_seed_decides_which_are_drawn(tmp_path):
    path = file_of(tmp_path, *({"text": f"Fact {n}.", "citations": SIX} for n in range(40)))
    sets = [make_multi_paper_set(PAPERS, path, n=5, seed=seed).questions for seed in (0, 0, 1)]
    assert len(sets[0]) == 5
    assert sets[0] == sets[1] != sets[2]


@pytest.mark.parametrize(
    ("sentence", "bare"),
    [
        ("Dust is hot [1, 3-5, 12].", "Dust is hot."),
        (r"Dust is hot \citep[e.g.][]{Roe20,Doe21}, gas is not.", "Dust is hot, gas is not."),
        ("Dust (grains above 1 um) is hot (e.g. Roe et al. 2020a).", "Dust (grains above 1 um) is hot."),
        ("Smith et al. (2010) found dust.", "found dust."),
        ("Dust is hot, as shown by Roe & Doe (2020a, 2021).", "Dust is hot, as shown."),
        ("Dust is hot (Roe & Doe 2020), and van der Berg, Roe and Doe (2019) agree.", "Dust is hot, and agree."),
        ("Lines (e.g., Ångström 1868) are as in Łokas et al. (2009).", "Lines are as."),
        ("Clouds (Herschel, et al. 1785) are far.", "Clouds are far."),
        ("Winds are fast (1900 km/s).", "Winds are fast (1900 km/s)."),
        ("It flared (in March 2010).", "It flared (in March 2010)."),
        ("A nebula (NGC 1977) and a cluster (Abell 1835) shine.",) * 2,
        ("Bands [O III] stay.", "Bands [O III] stay."),
    ],
)
def test_marks_of_citations_are_taken_out(sentence, bare):
    assert without_citations(sentence) == bare


# Questions from reference lists: who asks, what answers, and that the asking paper itself is not found.


CITED_ROWS = [{"_id": f"c{n}", "title": f"Dust in galaxy {n}", "text": f"Dust {n} is cold."} for n in range(6)]
IDS = [row["_id"] for row in CITED_ROWS]
ABSTRACT = "Dust is everywhere. We find that silicate grains of 0.1 micron dominate the opacity of cold clouds."
REVIEW = {"_id": "r", "title": "A review of dust", "text": ABSTRACT, "references": [*IDS, "doi:10.9/elsewhere"]}
COPY = {"_id": "copy", "title": "A Review of Dust", "text": "Dust is everywhere."}
SHORT = {"_id": "s", "title": "A short note on dust", "text": "Dust.", "references": IDS[:5]}


@pytest.fixture
def lists_of(tmp_path):
    """`lists_of(row, ...)` are the reference lists of a file with these papers behind those that they cite."""

    def lists(*rows):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in (*CITED_ROWS, *rows)))
        return read_reference_lists(path)

    return lists


def test_a_review_asks_by_its_title_and_what_it_cites_answers(lists_of):
    question_set = make_reference_list_set(lists_of(REVIEW, COPY, SHORT))
    assert question_set.questions == {"r": "A review of dust"}
    assert question_set.judgements == {"r": dict.fromkeys(IDS, 1)}
    assert question_set.left_out == {"r": frozenset({"r", "copy"})}
    assert (question_set.about["references"], question_set.about["caveat"]) == (6, f"{CAVEAT}; {STAND_INS}")


def test_a_review_may_ask_by_a_sentence_of_its_abstract(lists_of):
    question_set = make_reference_list_set(lists_of(REVIEW), asks=Asks.SENTENCE)
    assert question_set.questions == {"r": "silicate grains of 0.1 micron dominate the opacity of cold clouds."}


def test_where_papers_are_marked_as_reviews_only_they_ask(lists_of):
    other = {**REVIEW, "_id": "other", "title": "Forty years of dust", "is_review": True}
    question_set = make_reference_list_set(lists_of(REVIEW, other))
    assert (list(question_set.questions), question_set.about["caveat"]) == (["other"], CAVEAT)


def test_the_seed_decides_who_asks(lists_of):
    lists = lists_of(*({**REVIEW, "_id": f"r{n}", "title": f"Dust, volume {n}"} for n in range(30)))
    sets = [make_reference_list_set(lists, n=5, seed=seed).questions for seed in (0, 0, 1)]
    assert len(sets[0]) == 5
    assert sets[0] == sets[1] != sets[2]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "has no reference lists, because no paper in it lists references: name a FILE"),
        ([SHORT], "no paper cites 6 or more papers in the corpus.*: name a FILE"),
        ([{**REVIEW, "title": "Dust"}], "1 have a title of fewer than 3 words.*: name a FILE"),
    ],
)
def test_a_corpus_from_which_no_question_can_be_made_says_why(lists_of, rows, reason):
    with pytest.raises(UsageError, match=reason):
        make_reference_list_set(lists_of(*rows))


def test_a_corpus_without_a_network_says_how_to_get_one(golden_corpus):
    with pytest.raises(UsageError, match=r"has no reference lists \(.*; or name a FILE"):
        read_reference_lists(golden_corpus)


def test_a_corpus_gives_the_lists_of_its_network(pf, tmp_path):
    linked_corpus = with_references(pf, tmp_path / "network", {9: range(6), 10: range(5)})
    lists = reference_lists_of(linked_corpus.corpus)
    assert lists.places_cited == {9: [0, 1, 2, 3, 4, 5]}
    assert list(make_reference_list_set(replace(lists, reviews=frozenset({9}))).questions) == [
        linked_corpus.corpus.papers[9].paper_id
    ]


@pytest.mark.build
@pytest.mark.parametrize("method", ["tfidf", "bm25", "hybrid", "cited-by-hits"])
def test_the_review_is_not_found_when_its_set_is_read_back(lists_of, tmp_path, method):
    question_set = make_reference_list_set(lists_of(REVIEW, COPY))
    question_set.write(tmp_path / "set")
    assert read_collection(tmp_path / "set", tmp_path / "corpus.jsonl").left_out == question_set.left_out
    report = evaluate_collection(tmp_path / "set", HashEmbedder(), corpus=tmp_path / "corpus.jsonl", methods=[method])
    assert report.notes[0] == question_set.about["caveat"]
    # With the review or its copy among the first, the ideal order of the six would not be reached.
    assert report.record()["methods"][method]["ndcg@10"] == pytest.approx(1)
