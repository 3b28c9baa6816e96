from dataclasses import replace

import numpy as np
import pytest

from pathfinder.answering.assessment.consensus.local import (
    MISSING,
    PREDICTORS,
    StanceModel,
    describe_without_model,
    fitted_model,
    guess_stances,
    predictors_of,
    rarity_of,
)
from pathfinder.errors import UsageError
from pathfinder.index.words import content_stems
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Assessment, Spread, StanceLabel
from tests.answering.assessment.consensus.literature import papers
from tests.answering.results import result

STATEMENT = "Dust increases the masses of disks by 12 percent."


class Counts:
    """Word statistics of ten papers, in which each word occurs in one."""

    def __len__(self):
        return 10

    def content_words(self, text):
        return tuple(sorted(content_stems(text)))

    def document_frequencies(self, words):
        return np.ones(len(words), dtype=np.int64)


def predictors_by_name(*sentences, cosines=None):
    """Return the predictors, by name, of a paper with these sentences, and the position of its best sentence."""
    closeness = np.array(cosines or [0.5] * len(sentences))
    predictors, best = predictors_of(STATEMENT, sentences, closeness, rarity_of(STATEMENT, Counts()))
    return dict(zip(PREDICTORS, predictors.tolist(), strict=True)), best


def test_a_statement_without_words_has_no_best_word():
    predictors, _ = predictors_of("?", ["A title."], np.array([0.1]), {})
    assert np.isfinite(predictors).all()


def test_an_embedder_that_it_was_not_fitted_on_is_refused():
    with pytest.raises(UsageError, match="fake:hash-64"):
        guess_stances(STATEMENT, papers(1), HashEmbedder(), Counts())


def test_the_rarity_of_a_word_by_hand():
    # log(1 + 10 / (1 + 1)) = log 6
    assert rarity_of("dust", Counts()) == {"dust": pytest.approx(np.log(6))}


def test_a_word_for_word_sentence_covers_the_statement_and_is_the_best():
    predictors, best = predictors_by_name("A title.", "Masers are bright.", STATEMENT, cosines=[0.1, 0.2, 0.9])
    assert best == 2
    assert predictors["best cosine"] == 0.9
    assert predictors["cosine of the title"] == 0.1
    assert predictors["best coverage"] == predictors["coverage of all"] == pytest.approx(1.0)
    assert predictors["best worth"] == pytest.approx(0.95)
    assert predictors["rarest word missing"] == predictors["numbers missing"] == 0


def test_a_negation_on_one_side_is_seen():
    assert predictors_by_name("Dust increases the masses of disks.")[0]["negation differs"] == 0
    assert predictors_by_name("Dust does not change the masses of disks.")[0]["negation differs"] == 1


def test_a_turned_direction_is_seen():
    same, opposite = (
        predictors_by_name("Dust raises the masses of disks.")[0],
        predictors_by_name("Dust reduces the masses of disks.")[0],
    )
    assert (same["direction agrees"], opposite["direction agrees"]) == (1, -1)
    assert (same["falls where it should rise"], opposite["falls where it should rise"]) == (0, 1)


def test_a_missing_number_is_seen():
    assert predictors_by_name("Dust increases the masses of disks by 40 percent.")[0]["numbers missing"] == 1


def test_the_highest_score_wins_by_hand():
    labels = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)
    model = StanceModel(labels, np.array([1.0]), np.array([2.0]), np.array([[1.0], [-1.0]]), np.array([0.0, 0.5]))
    # (2 - 1) / 2 = 0.5: 0.5 for, -0.5 + 0.5 = 0 against. (1 - 1) / 2 = 0: 0 for, 0.5 against.
    assert model.label(np.array([2.0])) is StanceLabel.SUPPORTS
    assert model.label(np.array([1.0])) is StanceLabel.REFUTES


def test_the_model_that_comes_with_the_package_fits_its_predictors():
    model = fitted_model()
    assert set(model.classes) == {StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.IRRELEVANT}
    assert model.weights.shape == (3, len(PREDICTORS))
    assert (model.scales > 0).all()


def test_the_facade_guesses_at_every_hit(pf):
    result = pf.search("What is the value of the Hubble constant?", top_k=5)
    guesses = pf.guess_stances(result, "The Hubble constant is 73 kilometres per second per megaparsec.")
    assert [guess.paper for guess in guesses] == [hit.paper for hit in result.hits]
    assert all(guess.sentence in f"{guess.paper.title}\n{guess.paper.abstract}" for guess in guesses)
    with pytest.raises(UsageError, match="statement is empty"):
        pf.guess_stances(result, "  ")


def test_without_a_paper_only_what_is_missing_is_said():
    assert describe_without_model(result(())) == ("No papers found.", MISSING)


def test_what_was_not_judged_is_not_said():
    assert describe_without_model(result()) == ("The relevance of 3 papers was not assessed.", MISSING)


def test_relevance_spread_and_outliers_are_said_and_what_is_missing():
    search_result = result()
    flags = (False, True, False)
    hits = tuple(replace(hit, outlier=flag) for hit, flag in zip(search_result.hits, flags, strict=True))
    assessed_result = replace(search_result, hits=hits, assessment=Assessment(0.873, True, Spread.ONE_CLUSTER, None))
    assert describe_without_model(assessed_result) == (
        "The corpus covers the question (relevance 87%).",
        "3 papers: together they are one cluster. Outliers: 2.",
        MISSING,
    )


def test_a_broad_result_is_said_to_lie_far_apart_because_broad_is_a_style_of_answer():
    search_result = replace(result(), assessment=Assessment(0.873, True, Spread.BROAD, None))
    assert describe_without_model(search_result)[1].startswith("3 papers: they lie far apart.")


def test_what_cannot_be_told_is_said_to_be_so():
    sentences = describe_without_model(result(relevant=False))
    assert sentences[0] == "The corpus does not cover the question (relevance 10%)."
    assert sentences[1] == "3 papers: too few to see how they are spread. Too few papers to find outliers."
