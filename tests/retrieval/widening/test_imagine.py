import numpy as np
import pytest

from pathfinder.errors import MissingDependency, MissingKey, RateLimited
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.widening.feedback import towards
from pathfinder.retrieval.widening.imagine import imagine
from pathfinder.types import Imagine, SearchRequest

EMBEDDER = HashEmbedder()
QUESTION = "Why are discs warm?"
(VECTOR,) = EMBEDDER.embed([QUESTION], "query")
HITS = EMBEDDER.embed(["warm discs", "dusty discs"], "document")


def first_hits():
    return HITS


def nobody():
    raise AssertionError("the first hits were looked up for nothing")


def imagined(chat=None, hits=first_hits, vector=VECTOR, **fields):
    log = StageLog()
    request = SearchRequest(QUESTION, **({"imagine": Imagine.HYDE} | fields))
    return *imagine(request, vector, hits, Models(EMBEDDER, None, chat), log), log.notes


def test_where_only_words_are_looked_up_nothing_is_imagined():
    chat = ScriptedChat([])
    assert imagined(chat, nobody, None) == (None, (), "not used: words only", ())
    assert chat.asked == []


@pytest.mark.parametrize(
    ("error", "ran"),
    [
        (RateLimited("fake asks to slow down (HTTP 429): wait"), "feedback (HTTP 429 from fake:scripted)"),
        (MissingKey("no key is set for fake"), "feedback (no key for fake:scripted)"),
        (MissingDependency("fake needs a package"), "feedback (package missing for fake:scripted)"),
    ],
)
def test_a_model_that_fails_is_replaced_by_feedback_and_the_badge_says_why(error, ran):
    vector, documents, badge, notes = imagined(ScriptedChat([Reply("", error)]))
    assert np.array_equal(vector, towards(VECTOR, HITS))
    assert (documents, badge, notes) == ((), ran, (f"no abstract was imagined: {error}",))


def test_without_a_model_feedback_stands_in():
    vector, documents, badge, notes = imagined()
    assert np.array_equal(vector, towards(VECTOR, HITS))
    assert (documents, badge, notes) == ((), "feedback (no chat model)", ())


def test_an_abstract_longer_than_the_embedder_reads_is_said_to_be():
    _, (document,), _, notes = imagined(ScriptedChat(["disc " * 257]), nobody)
    assert len(document.split()) == 257
    assert notes == ("an imagined abstract is long: its meaning is taken from its first 256 tokens",)


def test_feedback_that_is_asked_for_asks_no_model():
    chat = ScriptedChat([])
    vector, _, badge, _ = imagined(chat, imagine=Imagine.FEEDBACK)
    assert np.array_equal(vector, towards(VECTOR, HITS))
    assert (badge, chat.asked) == ("feedback, first 5 hits", [])


def test_the_question_and_its_abstracts_are_averaged_in_equal_parts():
    texts = ("Viscous heating warms discs.", "Stars irradiate discs.")
    vector, documents, badge, _ = imagined(ScriptedChat(texts), nobody, n_hypothetical=2)
    mean = (VECTOR + EMBEDDER.embed(texts, "document").sum(axis=0)) / 3
    assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert (set(documents), badge) == (set(texts), "2 abstracts by fake:scripted")
