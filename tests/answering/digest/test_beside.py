from dataclasses import replace

import pytest

from pathfinder.answering.digest.values import values_beside
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.operations.ask import answer_lines, answer_record
from pathfinder.profile import Profile, astronomy
from pathfinder.types import Answer, AnswerRequest, DigestForm, ModeName
from tests.answering import results as answering
from tests.answering.results import PAPERS, context, registry_of, result, with_keys

RAG = ModeName.RAG
QUESTION = "What is the expansion rate of the universe?"
YES_OR_NO = "Is the expansion rate of the universe high?"
WITH_VALUE = "It is 73 km/s/Mpc [@cepheids]."
WITHOUT_VALUE = "It is high [@cepheids]."


OTHER_FIELD = replace(astronomy(), quantities=())


def answer_to(
    question: str, reply: str, form: DigestForm | None = None, profile: Profile | None = None, mode: ModeName = RAG
) -> Answer:
    search_result = result(query=question)
    chat = ScriptedChat([with_keys(reply, registry_of(search_result))])
    session = replace(context(HashEmbedder(256), chat), profile=profile or astronomy())
    return answering.answer(search_result, AnswerRequest(mode, form=form), session)


def test_values_stand_beside_a_written_answer_to_a_question_for_a_value() -> None:
    answer = answer_to(QUESTION, WITHOUT_VALUE)
    assert answer.text == "It is high [1]."
    assert answer.is_written
    assert answer.digest is not None
    assert answer.digest.form is DigestForm.VALUES
    assert [(value.paper_id, value.value) for value in answer.digest.values] == [("cmb", 67.0), ("cepheids", 73.0)]
    assert len(answer.digest.findings) == 2


def test_values_stand_beside_an_answer_that_states_them_whatever_was_asked() -> None:
    stating = answer_to(YES_OR_NO, WITH_VALUE).digest
    assert stating is not None
    assert stating.form_reason == "the answer states a value of the Hubble constant"
    assert answer_to(YES_OR_NO, WITHOUT_VALUE).digest is None


@pytest.mark.parametrize("mode", [RAG, ModeName.EXTRACTIVE])
def test_a_corpus_whose_field_has_no_hubble_constant_has_no_values_of_it(mode: ModeName) -> None:
    in_astronomy, elsewhere = (
        answer_to(QUESTION, WITHOUT_VALUE, None, profile, mode) for profile in (None, OTHER_FIELD)
    )
    assert in_astronomy.digest is not None
    assert len(in_astronomy.digest.values) == 2
    assert elsewhere.digest is None or elsewhere.digest.values == ()


def test_no_values_stand_beside_an_answer_about_no_quantity_or_from_papers_without_any() -> None:
    assert values_beside("Why do stars shine?", "They do at 73 km/s/Mpc.", PAPERS) is None
    assert values_beside(QUESTION, "It is 73 km/s/Mpc.", PAPERS[2:]) is None


@pytest.mark.parametrize("form", [form for form in DigestForm if form is not DigestForm.VALUES])
def test_another_form_that_the_reader_chose_keeps_the_values_away(form: DigestForm) -> None:
    assert values_beside(QUESTION, "It is 73 km/s/Mpc.", PAPERS, requested_form=form) is None


def test_a_paper_that_only_states_a_value_becomes_a_source_behind_the_others() -> None:
    digest_ = values_beside(QUESTION, "", PAPERS[2:], further=PAPERS[:2])
    assert digest_ is not None
    assert {finding.paper_id for finding in digest_.findings} == {"cepheids", "cmb"}


def test_an_abstention_and_a_folded_reply_have_no_values_beside_them() -> None:
    abstention = answer_to(QUESTION, "I don't know.")
    assert abstention.abstained
    assert abstention.digest is None
    folded_answer = answer_to(QUESTION, "What is the expansion rate of the universe?")
    assert folded_answer.folded is not None
    assert folded_answer.digest is not None
    assert not folded_answer.is_written


def test_a_form_that_stands_beside_the_answer_counts_as_used() -> None:
    assert not [note for note in answer_to(QUESTION, WITH_VALUE, DigestForm.VALUES).notes if "was not used" in note]
    assert [note for note in answer_to(QUESTION, WITH_VALUE, DigestForm.LIST).notes if "was not used" in note]


def test_the_command_line_and_the_json_hold_text_evidence_and_values() -> None:
    answer = answer_to(QUESTION, WITH_VALUE)
    lines = list(answer_lines(result(query=QUESTION), answer))
    assert lines[0] == "It is 73 km/s/Mpc [1]."
    place = lines.index("Values of the Hubble constant, newest first.")
    assert [line.partition(" (")[0] for line in lines if "km/s/Mpc, Hubble" in line] == [
        "67 km/s/Mpc, Hubble constant",
        "73 km/s/Mpc, Hubble constant",
    ]
    assert (
        0
        < place
        < lines.index("evidence: 1 supported, citation precision 1.00, citation recall 1.00, citation F1 1.00")
    )
    record = answer_record(result(query=QUESTION), answer)["answer"]
    assert [value["value"] for value in record["digest"]["values"]] == [67.0, 73.0]
