import numpy as np
import pytest

from pathfinder.errors import MissingDependency, MissingKey
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.retrieval.expansion.query_expansion import expand_vector, shift_towards
from pathfinder.retrieval.stages import Models, StageLog
from pathfinder.types import QueryExpansion, SearchRequest
from tests.retrieval.busy import busy

EMBEDDER = HashEmbedder()
QUESTION = "Why are discs warm?"
(VECTOR,) = EMBEDDER.embed([QUESTION], "query")
HITS = EMBEDDER.embed(["warm discs", "dusty discs"], "document")


def first_hits():
    return HITS


def nobody():
    raise AssertionError("the first hits were looked up for nothing")


def imagine(chat=None, hits=first_hits, vector=VECTOR, **fields):
    log = StageLog()
    request = SearchRequest(QUESTION, **({"imagine": QueryExpansion.HYDE} | fields))
    direction, documents, report = expand_vector(request, vector, hits, Models(EMBEDDER, None, chat), log)
    return direction, documents, report.words, log.notes


def test_a_search_by_words_alone_writes_no_abstracts():
    chat = ScriptedChat([])
    assert imagine(chat, nobody, None) == (None, (), "not used: words only", ())
    assert chat.received == []


@pytest.mark.parametrize(
    ("error", "ran"),
    [
        (busy("fake asked us to slow down (HTTP 429): wait"), "feedback (HTTP 429 from fake:scripted)"),
        (MissingKey("no key is set for fake"), "feedback (no key for fake:scripted)"),
        (MissingDependency("fake needs a package"), "feedback (package missing for fake:scripted)"),
    ],
)
def test_a_failed_model_is_replaced_by_feedback_and_the_badge_says_why(error, ran):
    vector, documents, badge, notes = imagine(ScriptedChat([Reply("", error)]))
    assert np.array_equal(vector, shift_towards(VECTOR, HITS))
    assert (documents, badge, notes) == ((), ran, (f"no hypothetical abstracts were written: {error}",))


def test_without_a_model_feedback_is_used():
    vector, documents, badge, notes = imagine()
    assert np.array_equal(vector, shift_towards(VECTOR, HITS))
    assert (documents, badge, notes) == ((), "feedback (no chat model)", ())


def test_an_abstract_too_long_for_the_embedder_is_noted():
    _, (document,), _, notes = imagine(ScriptedChat(["disc " * 257]), nobody)
    assert len(document.split()) == 257
    assert notes == ("a hypothetical abstract is too long: only its first 256 tokens were embedded",)


def test_requested_feedback_calls_no_model():
    chat = ScriptedChat([])
    vector, _, badge, _ = imagine(chat, imagine=QueryExpansion.FEEDBACK)
    assert np.array_equal(vector, shift_towards(VECTOR, HITS))
    assert (badge, chat.received) == ("feedback, first 5 hits", [])


def test_question_and_abstracts_are_averaged_with_equal_weights():
    texts = ("Viscous heating warms discs.", "Stars irradiate discs.")
    vector, documents, badge, _ = imagine(ScriptedChat(texts), nobody, n_hypothetical=2)
    mean = (VECTOR + EMBEDDER.embed(texts, "document").sum(axis=0)) / 3
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert (set(documents), badge) == (set(texts), "2 abstracts by fake:scripted")
