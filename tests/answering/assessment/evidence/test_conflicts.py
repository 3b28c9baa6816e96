"""Numbers that a source has for something else, and numbers that replace another."""

import pytest

from pathfinder.answering.assessment.evidence.ledger import check_text
from pathfinder.types import CheckedSentence, Source, Verdict


def check_claim(claim: str, source: str) -> CheckedSentence:
    (sentence,) = check_text(f"{claim.removesuffix('.')} [1].", [Source("1", "", source)]).sentences
    return sentence


BITS = "The method trains a frozen 4-bit quantized model on 2 machines."


def test_a_count_of_the_same_things_contradicts_though_the_number_stands_elsewhere():
    sentence = check_claim("The method trains a frozen 2-bit quantized model", BITS)
    assert sentence.verdict is Verdict.CONTRADICTED
    assert sentence.reasons == ("2 in the text, 4 in the source",)
    assert check_claim("The method trains a frozen 4-bit quantized model", BITS).verdict is Verdict.SUPPORTED


def test_a_count_in_words_contradicts_one_in_digits():
    sentence = check_claim("The survey finds 5 clusters in the field", "The survey finds three clusters in the field.")
    assert sentence.reasons == ("5 in the text, three in the source",)
    assert (
        check_claim("The survey finds 3 clusters in the field", "The survey finds three clusters in the field.").reasons
        == ()
    )


def test_an_error_bar_is_no_value():
    source = "The torque sensitivity of the system is 4.2 ± 1.2 nm at room temperature."
    assert check_claim("The torque sensitivity of the system is 1.2 nm", source).verdict is Verdict.CONTRADICTED
    assert check_claim("The torque sensitivity of the system is 4.2 nm", source).verdict is Verdict.SUPPORTED
    assert (
        check_claim("The torque sensitivity of the system has an error of 1.2 nm", source).verdict
        is not Verdict.CONTRADICTED
    )


FAR = "Nanostructures raise the emission of dyes near metals. We printed {} copies of every chip for later tests."


@pytest.mark.parametrize(("n", "verdict"), [("2", Verdict.PARTLY), ("900", Verdict.NOT_FOUND)])
def test_a_missing_number_counts_only_against_numbers_of_about_its_size(n, verdict):
    claim = "Nanostructures raise the emission of dyes near metals by a factor of 1000"
    assert check_claim(claim, FAR.format(n)).verdict is verdict


def test_a_line_break_between_a_number_and_its_unit_parts_them_not():
    source = "Scripts from Latin languages scored \n−\n0.7\n%\n relative to the baseline."
    assert check_claim("Scripts from Latin languages scored −0.7% relative to the baseline", source).reasons == ()


def test_a_number_below_one_without_a_unit_is_no_rival_of_a_percentage():
    source = "We find that galaxies in clusters at z = 0.8 are quenched."
    assert check_claim("About 41% of galaxies in clusters are quenched", source).verdict is Verdict.PARTLY
    source = "We find that 0.41 of the galaxies in clusters are quenched."
    assert check_claim("About 41% of galaxies in clusters are quenched", source).verdict is Verdict.SUPPORTED
