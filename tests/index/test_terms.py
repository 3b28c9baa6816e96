"""Which papers have which keyword: sums in the open, and against the formula written out plainly."""

import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import BLOCK, KeywordIndex, KeywordPhrases, build_keyword_index
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Keyword, Paper


def paper(*keywords: str, subjects: tuple[str, ...] = ()) -> Paper:
    return Paper(paper_id="x", title="t", abstract="a", keywords=keywords, subjects=subjects)


def index_of(folder: Path, *papers: Paper) -> KeywordIndex:
    build_keyword_index(papers, folder)
    return KeywordIndex.open(folder)


def weights(index: KeywordIndex, *keywords: str | Keyword) -> list[float]:
    queries = [keyword if isinstance(keyword, Keyword) else Keyword(keyword) for keyword in keywords]
    return index.weights(queries, np.arange(len(index.has_keywords))).tolist()


FILES = ["entries.arrow", "entry_rows.npy", "entry_starts.npy", "phrase_starts.npy", "phrases.npy"]


@pytest.mark.parametrize("array", [np.zeros(2, np.float64), np.zeros((2, 2), np.int32)])
def test_an_array_of_another_shape_or_type_is_refused(tmp_path, array):
    build_keyword_index([paper("stars")], tmp_path)
    np.save(tmp_path / "phrases.npy", array)
    with pytest.raises(CorpusDamaged, match=r"phrases\.npy"):
        KeywordIndex.open(tmp_path)


@pytest.mark.parametrize("name", ["entry_starts.npy", "phrase_starts.npy"])
def test_files_that_do_not_fit_each_other_are_refused(tmp_path, name):
    build_keyword_index([paper("stars")], tmp_path)
    np.save(tmp_path / name, np.array([0, 7], np.uint32))
    with pytest.raises(CorpusDamaged, match=name):
        KeywordIndex.open(tmp_path)


def test_no_papers_and_no_keywords_make_an_index_all_the_same(tmp_path):
    assert weights(index_of(tmp_path / "empty"), "stars") == []
    assert weights(index_of(tmp_path / "bare", paper(), paper()), "stars") == [0, 0]


def test_every_run_of_up_to_five_lemmas_is_a_term(tmp_path):
    index = index_of(tmp_path, paper("young stars"), paper("a b c d e f"))
    runs = "a b c d e f|a b|b c|c d|d e|e f|a b c|b c d|c d e|d e f|a b c d|b c d e|c d e f|a b c d e|b c d e f"
    letters = set(runs.split("|")) - {"a b c d e f"} | set("abcdef")
    assert set(index.terms.to_pylist()) == letters | {"young", "star", "young star"}
    assert index.terms.to_pylist() == sorted(index.terms.to_pylist())


STARS = (paper("young stars"), paper("star formation"), paper("starburst"))
HALOS = (paper("dark matter halo"), paper("dark halo", "matter"), paper("halo dark matter"))


@pytest.mark.parametrize(
    ("papers", "keyword", "expected"),
    [
        *((STARS, "star", [1, 1, 0]), (STARS, "Stars", [1, 1, 0]), (STARS, "starbursts", [0, 0, 1])),
        *((STARS, "planet", [0, 0, 0]), (HALOS, "dark matter halos", [1, 0, 0]), (HALOS, "dark matter", [1, 0, 1])),
    ],
)
def test_a_star_is_in_young_stars_but_not_in_starburst_and_lemmas_stand_side_by_side(
    tmp_path, papers, keyword, expected
):
    assert weights(index_of(tmp_path, *papers), keyword) == expected


def test_subjects_count_as_keywords(tmp_path):
    index = index_of(tmp_path, paper(subjects=("Galaxies: evolution",)), paper("galaxy evolution"), paper())
    assert weights(index, "galaxy evolution")[:2] == [1, 1]
    assert math.isnan(weights(index, "galaxy evolution")[2])


def test_a_rarer_keyword_weighs_more_a_name_three_times_and_an_unknown_one_nothing(tmp_path):
    index = index_of(tmp_path, paper("galaxy", "JWST"), paper("galaxy"), paper("JWST"), paper("galaxy"))
    galaxy, jwst = math.log(1 + 4 / 3), 3 * math.log(1 + 4 / 2)
    total = galaxy + jwst
    keywords = ["galaxies", "jwst", Keyword("JWST", is_entity=True), "unobtainium", "***"]
    assert weights(index, *keywords) == pytest.approx([1, galaxy / total, jwst / total, galaxy / total])


def test_rows_are_answered_in_the_order_asked(tmp_path):
    index = index_of(tmp_path, paper("galaxy"), paper("quasar"), paper("galaxy"))
    scores = index.weights([Keyword("galaxy")], np.array([2, 1, 0, 1]))
    assert scores.tolist() == [1, 0, 1, 0]
    assert index.weights([Keyword("galaxy")], np.zeros(0, np.int64)).tolist() == []


def test_the_files_are_the_same_byte_for_byte(tmp_path):
    papers = [paper("dark matter halos", subjects=("cosmology",)), paper(), paper("Ångström", "dark energy")]
    for folder in ("one", "two"):
        build_keyword_index(iter(papers), tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == FILES
    assert all((tmp_path / "one" / n).read_bytes() == (tmp_path / "two" / n).read_bytes() for n in names)


def test_more_papers_than_one_batch_keep_their_rows(tmp_path):
    index = index_of(tmp_path, *(paper(f"word{i % 7}", "galaxy") for i in range(4100)))
    assert weights(index, "galaxies") == [1.0] * 4100
    assert weights(index, "word3") == [float(i % 7 == 3) for i in range(4100)]


def test_a_term_of_a_paper_behind_the_first_65_535_is_found(tmp_path):
    n = 2 * BLOCK + 10
    rows = [3, BLOCK - 1, BLOCK, BLOCK + 3, n - 1]
    papers = [paper()] * n
    for row in rows:
        papers[row] = paper("dark stars", "matter" if row == 3 else "dark matter")
    index = index_of(tmp_path, *papers)
    assert index.papers_with("dark star").tolist() == rows
    assert index.papers_with("dark matter").tolist() == rows[1:]
    # dark, star, dark star, matter; dark matter
    assert index.starts.tolist()[-1] == len(index.rows) == 4 * 4 + 1 * 4 + 4


def test_more_lemmas_than_16_bits_can_number_take_32():
    letters = [f"x{i}y" for i in range(70_000)]
    index = KeywordPhrases.of([paper(" ".join(letters))])
    assert (index.phrases.dtype, len(index.entries)) == (np.uint32, 70_000)
    assert index.rows_of_term("x69998y x69999y").tolist() == [0]
    assert index.rows_of_term("x69999y x69998y").tolist() == []


def test_an_index_of_an_earlier_version_gives_the_same_weights(tmp_path):
    papers = [paper("dark matter halos", "galaxy"), paper(), paper("halo", "dark energy", "dark matter")]
    index = index_of(tmp_path / "now", *papers)
    write_listed(index, tmp_path / "earlier")
    earlier = KeywordIndex.open(tmp_path / "earlier")
    for words in (("dark matter",), ("galaxies", "halo"), ("unobtainium",)):
        assert weights(earlier, *words) == pytest.approx(weights(index, *words), nan_ok=True)
    np.save(tmp_path / "earlier" / "starts.npy", np.array([0, 7], np.int64))
    with pytest.raises(CorpusDamaged, match=r"starts\.npy is damaged"):
        KeywordIndex.open(tmp_path / "earlier")


def write_listed(index: KeywordIndex, folder: Path) -> None:
    """Write an index as earlier versions did: every term, and the rows of its papers."""
    folder.mkdir()
    batch = pa.record_batch([index.terms], names=["term"])
    with pa.OSFile(str(folder / "terms.arrow"), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        writer.write_batch(batch)
    for name in ("starts", "rows", "has_keywords"):
        np.save(folder / f"{name}.npy", getattr(index, name))


_PHRASES = st.lists(
    st.sampled_from(["star", "stars", "dark", "matter", "halo", "JWST", "z"]), min_size=1, max_size=7
).map(" ".join)
_PAPERS = st.lists(st.lists(_PHRASES, max_size=4), max_size=6)
_REQUESTS = st.lists(st.tuples(_PHRASES, st.booleans()), max_size=5)


@given(_PAPERS, _REQUESTS)
def test_weights_are_what_the_formula_says(tmp_path_factory, phrases, requests):
    keywords = [Keyword(text, is_entity) for text, is_entity in requests]
    index = index_of(tmp_path_factory.mktemp("terms"), *(paper(*of_one) for of_one in phrases))
    weights = index.weights(keywords, np.arange(len(phrases)))
    np.testing.assert_allclose(weights, plain_weights(phrases, keywords), atol=1e-12)


@given(_PAPERS)
def test_the_terms_written_out_are_the_runs_of_each_paper_with_its_row(phrases):
    index = KeywordPhrases.of([paper(*of_one) for of_one in phrases]).all_terms
    runs = [set(chain.from_iterable(map(plain_runs, of_one))) for of_one in phrases]
    terms = sorted(set().union(*runs))
    assert index.terms.to_pylist() == terms
    parts = np.split(index.rows, index.starts[1:-1])[: len(terms)]
    assert [part.tolist() for part in parts] == [[row for row, own in enumerate(runs) if term in own] for term in terms]


def plain_runs(phrase: str) -> set[str]:
    own = lemmas(phrase)
    return {" ".join(own[i:j]) for i in range(len(own)) for j in range(i + 1, min(i + 5, len(own)) + 1)}


def plain_weights(papers: Sequence[Sequence[str]], keywords: Sequence[Keyword]) -> list[float]:
    multiples: dict[tuple[str, ...], int] = {}
    for keyword in keywords:
        term = lemmas(keyword.text)
        multiples[term] = 3 if keyword.is_entity or multiples.get(term) == 3 else 1
    holders = {t: [has(phrases, t) for phrases in papers] for t in multiples}
    worth = {t: m * math.log(1 + len(papers) / sum(holders[t])) for t, m in multiples.items() if any(holders[t])}
    if not worth:
        return [0.0] * len(papers)
    shares = [sum(w for t, w in worth.items() if holders[t][i]) / sum(worth.values()) for i in range(len(papers))]
    return [share if papers[i] else math.nan for i, share in enumerate(shares)]


def has(phrases: Sequence[str], term: tuple[str, ...]) -> bool:
    return len(term) <= 5 and any(
        lemmas(phrase)[start : start + len(term)] == term for phrase in phrases for start in range(len(lemmas(phrase)))
    )
