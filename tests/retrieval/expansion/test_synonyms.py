"""Synonyms that a question is looked up with, and how they count."""

import json
import math

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.corpus.store import open_corpus
from pathfinder.corpus.thesaurus import Concept, Thesaurus, open_thesaurus, read_thesaurus, write_thesaurus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.index.predicate import Predicate
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.expansion.synonyms import describe_expansion, expand, load_own_synonyms
from pathfinder.types import Expansion, Keyword, Paper, RetrievalMode, SearchRequest
from tests import thesauri
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordsAsKeywords, write
from tests.numbered import ids, numbered
from tests.retrieval.results import ran


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> Thesaurus:
    folder = tmp_path_factory.mktemp("sky")
    thesaurus = read_thesaurus(thesauri.write_list(folder / "sky.json"))
    write_thesaurus(thesaurus.name, thesaurus.concepts, folder / "part")
    return open_thesaurus(folder / "part")


def names(question, thesaurus, own_synonyms=()):
    return {e.term: e.names for e in expand(question, [thesaurus] if thesaurus else [], own_synonyms)}


# The reader's own synonyms ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no JSON object"),
        ('{"a": "b"}', "'a' needs a list of names"),
        ('{"a": []}', "'a' needs a list of names"),
        ('{"a": [1]}', "'a' needs a list of names"),
        ('{"a": ["the"]}', "'a' needs a list of names"),
        ('{"-": ["b"]}', "contains no letter or digit"),
        ('{"a": ["bb", "cc", "dd", "ee", "ff", "gg"]}', "at most 5 are allowed"),
        ('{"a b c d e f g": ["hh"]}', "more than 6 words"),
        (json.dumps({f"t{i}": ["x"] for i in range(1001)}), "at most 1,000 are allowed"),
    ],
)
def test_unusable_synonyms_are_refused_with_the_term_at_fault(tmp_path, content, reason):
    (tmp_path / "map.json").write_text(content)
    with pytest.raises(UsageError, match=reason):
        load_own_synonyms(tmp_path / "map.json")


def test_a_missing_synonym_file_is_named(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load_own_synonyms(tmp_path / "map.json")


def test_synonyms_are_read_as_written(tmp_path):
    (tmp_path / "map.json").write_text('\ufeff{" rag ": ["retrieval-augmented generation"]}')
    assert load_own_synonyms(tmp_path / "map.json") == (("rag", ("retrieval-augmented generation",)),)


def test_own_synonyms_precede_the_thesaurus_and_work_without_one(sky):
    own = [("agn", ["fed kernels"])]
    assert names("What feeds an AGN?", sky, own) == {"AGN": ("fed kernels",)}
    assert names("What feeds an AGN?", None, own) == {"AGN": ("fed kernels",)}
    (expansion,) = expand("agn", [], own)
    assert (expansion.source, expansion.is_own) == ("your own synonyms", True)


def test_a_term_with_own_synonyms_never_matches_part_of_a_word():
    own = [("rag", ["retrieval-augmented generation"])]
    assert names("average storage of fragments", None, own) == {}
    assert names("Does rag help?", None, own) == names("does rag help", None, own) != {}
    assert "RAG" in names("Does RAG help?", None, [("RAG", ["xyz"])])
    assert names("Does rag help?", None, [("RAG", ["xyz"])]) == {}


# The thesaurus ----------------------------------------------------------------------------------------


def test_without_a_thesaurus_or_a_name_in_it_nothing_is_added(sky):
    assert expand("stars", []) == expand("", [sky]) == expand("What is it?", [sky]) == ()


def test_star_is_not_in_starburst(sky):
    assert names("a starburst", sky) == {"starburst": ("Burst galaxies",)}
    assert names("restarting, costars", sky) == {}


def test_an_acronym_matches_only_capitals(sky):
    assert names("How do AGNs form?", sky) == {"AGNs": ("Active kernels", "Bright cores")}
    assert names("AGN", sky).keys() == {"AGN"}
    assert names("AGN's cores", sky).keys() == {"AGN"}
    assert names("agn Agn wagns", sky) == {}


def test_a_word_in_capitals_matches_only_acronyms(sky):
    assert names("the STAR experiment", sky) == {}
    assert names("the star experiment", sky) == {"star": ("Suns", "Luminous balls")}


def test_part_of_a_hyphenated_word_matches_only_as_an_acronym(sky):
    assert names("star-forming regions", sky) == {}
    assert names("AGN-driven winds", sky).keys() == {"AGN"}


def test_number_and_spelling_make_no_difference(sky):
    assert names("a Black Pit", sky) == {"Black Pit": ("Gravity wells", "Holes that swallow light")}


def test_punctuation_splits_a_name(sky):
    assert names("it is black, pits are not", sky) == {}


def test_the_longest_name_is_found_first():
    own = [("ring", ["loop"]), ("ring galaxy", ["hoop"])]
    assert names("a ring galaxy", None, own) == {"ring galaxy": ("hoop",)}
    assert names("a ring and a ring galaxy", None, own) == {"ring": ("loop",), "ring galaxy": ("hoop",)}


def test_a_name_shared_by_two_concepts_is_skipped(sky):
    assert names("a twin", sky) == {}


def test_qualifiers_of_names_are_not_looked_up(sky):
    assert names("rapid change", sky) == {"rapid": ("Quick",)}


def test_names_that_are_in_the_question_are_not_added_and_a_term_comes_once(sky):
    assert names("Active kernels (AGN) and AGN", sky) == {
        "Active kernels": ("Bright cores",),
        "AGN": ("Bright cores",),
    }


def test_a_name_that_contains_the_term_is_not_added(tmp_path):
    write_thesaurus("t", (Concept("1", "Brown dwarfs", ("Brown dwarf stars", "Failed stars")),), tmp_path / "part")
    assert names("brown dwarfs", open_thesaurus(tmp_path / "part")) == {"brown dwarfs": ("Failed stars",)}


def test_at_most_five_names_are_added(tmp_path):
    others = tuple(f"word{i}" for i in range(9))
    write_thesaurus("t", (Concept("1", "thing", others),), tmp_path / "part")
    assert names("thing", open_thesaurus(tmp_path / "part")) == {"thing": others[:5]}


# In words ---------------------------------------------------------------------------------------------


def test_the_badge_names_the_added_synonyms_or_why_there_are_none(sky):
    request = SearchRequest("stars", expands=True)
    added = expand("stars", [sky])
    assert describe_expansion(added, request, sky).words == "stars: also Suns, Luminous balls (sky)"
    assert describe_expansion((), request, None).words == (
        "not run: this corpus has no thesaurus; build it with --thesaurus FILE"
    )
    assert describe_expansion((), request, sky).words == ("nothing added: no term in the question has a synonym in sky")
    own = SearchRequest("stars", own_expansions=(("x", ("y",)),))
    assert describe_expansion((), own, sky).words.endswith("a synonym in your own synonyms")


# What other names count -------------------------------------------------------------------------------

TEXTS = [
    "Quasars shine. The quasars are far away from here.",
    "Fuzzballs shine. The fuzzballs are far away from here.",
    "Pebbles shine. The pebbles are far away from here.",
    "Quasars and fuzzballs shine far away from here, said they.",
    "Nothing else matters, nothing at all, for the others here.",
    "Fuzzy things and balls of wool are far away from here.",
]


@pytest.fixture
def index(tmp_path):
    write_sparse(TEXTS, tmp_path / "sparse")
    return SparseIndex.open(tmp_path / "sparse", numbered(len(TEXTS)))


def scores(index, question, *expansions):
    search_result = index.search(question, 10, expansions=expansions)
    return dict(zip(search_result.rows.tolist(), search_result.scores.tolist(), strict=True))


def test_a_paper_with_another_name_is_found_at_half_the_score_of_one_with_the_term(index):
    plain, expanded = scores(index, "quasars"), scores(index, "quasars", Expansion("quasars", ("fuzzballs",), "t"))
    assert 1 not in plain
    assert expanded[0] == plain[0]
    # Both words are in two papers, as often and in texts of one length.
    assert expanded[1] == pytest.approx(plain[0] / 2)


def test_term_and_other_name_count_as_one(index):
    assert scores(index, "quasars", Expansion("quasars", ("fuzzballs",), "t"))[3] == scores(index, "quasars")[3]


def test_a_rarer_name_does_not_overtake_the_term(index):
    rare, common = Expansion("far", ("pebbles",), "t"), scores(index, "far")
    expanded = scores(index, "far", rare)
    assert scores(index, "pebbles")[2] > 2 * max(common.values())
    assert max(expanded.values()) <= max(common.values()) + 1e-9


def test_a_name_counts_where_all_its_words_occur(index):
    expanded = scores(index, "quasars", Expansion("quasars", ("fuzzy balls",), "t"))
    assert 5 in expanded
    assert 1 not in expanded
    assert 5 not in scores(index, "quasars", Expansion("quasars", ("fuzzy wombats",), "t"))


def test_a_term_that_no_paper_has_is_found_by_its_other_names(index):
    assert scores(index, "qso", Expansion("qso", ("quasars",), "t")).keys() == {0, 3}
    assert scores(index, "qso", Expansion("qso", ("the",), "t")) == {}


def test_a_filter_holds_for_other_names_too(index):
    predicate = Predicate(excluded_ids=ids(1))
    expansions = (Expansion("quasars", ("fuzzballs",), "t"),)
    assert 1 not in index.search("quasars", 10, predicate, expansions).rows


def test_another_name_of_a_keyword_counts_as_the_keyword_and_not_as_one_more(tmp_path):
    papers = [Paper(str(i), "t", "a", keywords=k) for i, k in enumerate([("quasar",), ("qso",), ("dust",), ("mud",)])]
    build_keyword_index(papers, tmp_path / "terms")
    terms, rows = KeywordIndex.open(tmp_path / "terms"), np.arange(4)
    keywords = (Keyword("quasars"), Keyword("dust"))
    # Two of four papers have the first keyword by either name, one the second: log 3 against log 5.
    quasar, dust = math.log(1 + 4 / 2), math.log(1 + 4 / 1)
    expected = [quasar / (quasar + dust)] * 2 + [dust / (quasar + dust), 0]
    weights = terms.weights(keywords, rows, (Expansion("quasars", ("QSO",), "t"),))
    assert weights.tolist() == pytest.approx(expected)
    assert terms.weights(keywords, rows)[1] == 0


# In a search ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stars(tmp_path_factory: pytest.TempPathFactory) -> Pathfinder:
    """Three papers, and the made-up thesaurus."""
    folder = tmp_path_factory.mktemp("stars")
    source, embedder = write(folder / "papers.jsonl", GALAXIES, PLANETS, PULSARS), HashEmbedder(16)
    path = thesauri.write_list(folder / "sky.json")
    build([source], folder / "corpus", embedder, thesaurus=path, extractor=WordsAsKeywords())
    return Pathfinder(open_corpus(folder / "corpus"), embedder, WordsAsKeywords())


@pytest.mark.build
def test_a_search_is_not_expanded_unless_it_is_asked_for(stars):
    result = stars.search("Luminous balls", sides=RetrievalMode.SPARSE)
    assert (result.hits, result.expansions) == ((), ())
    assert "expansion" not in ran(result)


@pytest.mark.build
def test_a_search_finds_papers_by_other_names_and_says_so(stars):
    result = stars.search("Luminous balls", sides=RetrievalMode.SPARSE, expands=True)
    assert [hit.paper.paper_id for hit in result.hits] == ["galaxies"]
    assert result.expansions == (Expansion("Luminous balls", ("Suns", "Star"), "sky"),)
    assert ran(result)["expansion"] == "Luminous balls: also Suns, Star (sky)"
    assert ran(result)["sparse"] == "BM25, other names at 0.5"


@pytest.mark.build
def test_own_synonyms_need_no_thesaurus(stars):
    own = (("ticking things", ("pulsars",)),)
    result = stars.search("Luminous balls and ticking things", sides=RetrievalMode.SPARSE, own_expansions=own)
    assert [hit.paper.paper_id for hit in result.hits] == ["pulsars"]
    assert [expansion.term for expansion in result.expansions] == ["ticking things"]


@pytest.mark.build
def test_synonyms_change_neither_question_nor_vector(stars):
    plain, expanded = (stars.search("a star of planets", expands=expands) for expands in (False, True))
    assert expanded.request.query == plain.request.query
    cosines = [
        dict(zip(r.candidates.rows.tolist(), r.candidates.dense.tolist(), strict=True)) for r in (plain, expanded)
    ]
    assert cosines[0] == cosines[1]
