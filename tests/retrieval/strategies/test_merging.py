import numpy as np

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.strategies.decomposition import found_by, merge
from pathfinder.types import Candidates, Passage
from pathfinder.types.full_texts import FullTextPassage, SectionKind

FLOATS = ("dense", "sparse", "keyword", "age_years", "citation_count", "citation_percentile")
OPTIONAL = ("lead", "title_match", "position", "coverage", "diversity", "rerank")


def pool(pf: Pathfinder, rows: list[int], fused: list[float], value: float, **others: object) -> Candidates:
    n = len(rows)
    return Candidates(
        papers=pf.corpus.papers.take(np.array(rows, dtype=np.int64)),
        rows=np.array(rows, dtype=np.int64),
        vectors=np.full((n, 2), value, dtype=np.float32),
        fused=np.array(fused),
        **{name: np.full(n, value) for name in FLOATS},
        **others,
    )


def test_merging_empty_pools_gives_an_empty_pool(pf: Pathfinder) -> None:
    assert len(merge([pool(pf, [], [], 0), pool(pf, [], [], 0)], pf.corpus)) == 0


def test_each_paper_keeps_all_its_factors_from_the_question_it_fits_best(pf: Pathfinder) -> None:
    first, other = pool(pf, [3, 5, 7], [1.0, 0.4, 0.2], 1), pool(pf, [5, 3, 9], [0.9, 0.8, 0.1], 2)
    merged = merge([first, other], pf.corpus)
    assert merged.rows.tolist() == [3, 5, 7, 9]
    assert merged.fused.tolist() == [1.0, 0.9, 0.2, 0.1]
    for name in FLOATS:
        assert getattr(merged, name).tolist() == [1, 2, 1, 2], name
    assert merged.vectors.tolist() == [[1, 1], [2, 2], [1, 1], [2, 2]]
    assert [paper.paper_id for paper in merged.papers] == [pf.corpus.papers[row].paper_id for row in (3, 5, 7, 9)]


def test_the_first_of_two_questions_that_a_paper_fits_equally_counts(pf: Pathfinder) -> None:
    assert merge([pool(pf, [3], [1.0], 1), pool(pf, [3], [1.0], 2)], pf.corpus).dense.tolist() == [1]


def test_a_factor_that_no_question_has_is_absent_and_one_that_some_have_is_unknown_elsewhere(pf: Pathfinder) -> None:
    plain = pool(pf, [3], [1.0], 1)
    rich = pool(pf, [5], [0.5], 2, **{name: np.array([0.7]) for name in OPTIONAL}, passages=((Passage(0, 9, 0.5),),))
    merged = merge([plain, rich], pf.corpus)
    for name in OPTIONAL:
        assert getattr(merge([plain], pf.corpus), name) is None
        np.testing.assert_array_equal(getattr(merged, name), [np.nan, 0.7])
    assert [len(passages) for passages in merged.passages] == [0, 1]
    assert merge([plain], pf.corpus).passages == ()


def test_the_passages_of_a_full_text_come_from_the_question_that_the_paper_fits_best(pf: Pathfinder) -> None:
    def leading(text: str) -> tuple[FullTextPassage, ...]:
        return (FullTextPassage(text, "Methods", SectionKind.METHOD, None, 0, 0, 0, 0, len(text)),)

    worse, better = leading("It fits worse."), leading("It fits better.")
    first = pool(pf, [3, 5], [1.0, 0.4], 1, full_texts={5: worse}, absent_words={5: ("worse",)})
    other = pool(pf, [5], [0.9], 2, full_texts={5: better}, absent_words={5: ("better",)})
    merged = merge([first, other], pf.corpus)
    assert (merged.full_texts, merged.absent_words) == ({5: better}, {5: ("better",)})


def test_a_paper_lists_the_questions_that_found_it_in_order() -> None:
    rows = np.array([3, 5, 7])
    assert found_by(rows, [("a", np.array([5, 3])), ("b", np.array([3, 3]))]) == (("a", "b"), ("a",), ())
