from pathfinder.answering.modes.three_part import NOT_IN_BLOCKS, stream_three_part
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import AnswerRequest, Claim, Ended, Specialisation, Step, StepKind, Version
from tests.answering.results import context, registry_of, result, with_keys
from tests.answering.scripts import stream_mode

BROAD = AnswerRequest(specialisation=Specialisation.BROAD)
REPLY = (
    "<first>It is 73 [@cepheids].</first>\n<check>1. It leaves out [@cmb].</check>\n"
    "<refined>\nIt is 73 [@cepheids] or 67 [@cmb, z9z9z].</refined>"
)


def answer_with(reply):
    """Return the items that are yielded, and the return value."""
    search_result = result()
    chat = ScriptedChat([with_keys(reply, registry_of(search_result))])
    stream, pieces = stream_mode(stream_three_part, search_result, BROAD, context(HashEmbedder(64), chat)), []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return pieces, end.value


def words(pieces):
    return "".join(piece for piece in pieces if isinstance(piece, str))


def test_the_first_response_and_its_check_are_shown_before_the_refined_answer_comes():
    pieces, reply = answer_with(REPLY)
    assert pieces[:2] == [
        Step(StepKind.DRAFT, "It is 73 [1]."),
        Step(StepKind.CRITIQUE, "1. It leaves out [2]."),
    ]
    assert words(pieces).strip() == "It is 73 [1] or 67 [2, z9z9z?]."
    assert reply.text == "It is 73 [1] or 67 [2, z9z9z?]."
    assert reply.claims == (Claim("It is 73 or 67.", ("cepheids", "cmb")),)


def test_each_version_and_the_way_between_them_is_kept():
    _, reply = answer_with(REPLY)
    assert reply.versions == (
        Version("first response", "It is 73 [1]."),
        Version("refined answer", "It is 73 [1] or 67 [2, z9z9z?].", because="1. It leaves out [2]."),
    )
    assert [step.kind for step in reply.trace.steps] == [StepKind.DRAFT, StepKind.CRITIQUE, StepKind.REVISION]
    assert reply.trace.ended is Ended.ANSWERED


def test_a_reply_without_blocks_is_the_answer_and_said_to_be_unchecked():
    pieces, reply = answer_with("It is 73 [@cepheids].")
    assert words(pieces) == reply.text == "It is 73 [1]."
    assert reply.notes == (NOT_IN_BLOCKS,)
    assert (reply.trace, reply.versions) == (None, ())


def test_a_first_response_that_nothing_follows_is_the_answer():
    for ending in ("</first>", "</first><check>1. Fine.</check>", "</first><refined> </refined>"):
        _, reply = answer_with(f"<first>It is 73 [@cepheids].{ending}")
        assert reply.text == "It is 73 [1]."
        assert reply.notes == (NOT_IN_BLOCKS,)


def test_a_refined_answer_alone_has_no_version_before_it():
    _, reply = answer_with("<refined>It is 73 [@cepheids].</refined>")
    assert reply.text == "It is 73 [1]."
    assert reply.versions == ()
