from pathfinder.answering.modes.three_part import NOT_IN_BLOCKS, stream_three_part
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import AnswerRequest, Claim, Ended, Specialisation, Step, StepKind, Version
from tests.answering.results import context, keyed, registry_of, result
from tests.answering.scripts import streamed

BROAD = AnswerRequest(specialisation=Specialisation.BROAD)
REPLY = (
    "<first>It is 73 [@cepheids].</first>\n<check>1. It leaves out [@cmb].</check>\n"
    "<refined>\nIt is 73 [@cepheids] or 67 [@cmb, z9z9z].</refined>"
)


def answered(reply):
    """Return the items that are yielded, and the return value."""
    search_result = result()
    chat = ScriptedChat([keyed(reply, registry_of(search_result))])
    stream, yielded = streamed(stream_three_part, search_result, BROAD, context(HashEmbedder(64), chat)), []
    while True:
        try:
            yielded.append(next(stream))
        except StopIteration as end:
            return yielded, end.value


def words(yielded):
    return "".join(piece for piece in yielded if isinstance(piece, str))


def test_the_first_response_and_its_check_are_shown_before_the_refined_answer_comes():
    yielded, reply = answered(REPLY)
    assert yielded[:2] == [
        Step(StepKind.DRAFT, "It is 73 [1]."),
        Step(StepKind.CRITIQUE, "1. It leaves out [2]."),
    ]
    assert words(yielded).strip() == "It is 73 [1] or 67 [2, z9z9z?]."
    assert reply.text == "It is 73 [1] or 67 [2, z9z9z?]."
    assert reply.claims == (Claim("It is 73 or 67.", ("cepheids", "cmb")),)


def test_each_version_and_the_way_between_them_is_kept():
    _, reply = answered(REPLY)
    assert reply.versions == (
        Version("first response", "It is 73 [1]."),
        Version("refined answer", "It is 73 [1] or 67 [2, z9z9z?].", because="1. It leaves out [2]."),
    )
    assert [step.kind for step in reply.trace.steps] == [StepKind.DRAFT, StepKind.CRITIQUE, StepKind.REVISION]
    assert reply.trace.ended is Ended.ANSWERED


def test_a_reply_without_blocks_is_the_answer_and_said_to_be_unchecked():
    yielded, reply = answered("It is 73 [@cepheids].")
    assert words(yielded) == reply.text == "It is 73 [1]."
    assert reply.notes == (NOT_IN_BLOCKS,)
    assert (reply.trace, reply.versions) == (None, ())


def test_a_first_response_that_nothing_follows_is_the_answer():
    for ending in ("</first>", "</first><check>1. Fine.</check>", "</first><refined> </refined>"):
        _, reply = answered(f"<first>It is 73 [@cepheids].{ending}")
        assert reply.text == "It is 73 [1]."
        assert reply.notes == (NOT_IN_BLOCKS,)


def test_a_refined_answer_alone_has_no_version_before_it():
    _, reply = answered("<refined>It is 73 [@cepheids].</refined>")
    assert reply.text == "It is 73 [1]."
    assert reply.versions == ()
