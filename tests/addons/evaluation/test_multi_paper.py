import json

import pytest

from pathfinder.addons.evaluation.multi_paper import make_multi_paper_set, without_citations
from pathfinder.errors import CorpusError, UsageError
from pathfinder.types import Paper

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
