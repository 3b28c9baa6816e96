import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathfinder.errors import BrokenStream, UsageError
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat, WordReranker
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.settings import Settings


def test_a_dimension_below_two_and_a_name_without_one_are_refused():
    for dimension in (1, 0, -1):
        with pytest.raises(UsageError, match=f"at least 2, got {dimension}"):
            HashEmbedder(dimension)
    for model in ("", "hash", "hash-", "hash-0", "hash--1", "hash-x", "hash-64 "):
        with pytest.raises(UsageError, match="write fake:hash-64"):
            HashEmbedder.from_settings(model, Settings(_env_file=None))


@pytest.mark.parametrize(
    ("first", "second", "cosine"),
    [
        ("Dark matter, halos", "halos DARK (matter)", 1),
        ("dark matter halos", "exoplanet atmospheres", 0),
        ("dark", "dark matter", 1 / np.sqrt(2)),
    ],
)
def test_the_cosine_of_two_texts_is_that_of_their_words(first, second, cosine):
    vector, other = HashEmbedder(4096).embed([first, second], "document")
    assert vector @ other == pytest.approx(cosine, abs=4 / np.sqrt(4096))


def test_vectors_are_float32_unit_vectors_also_for_texts_without_words():
    assert isinstance(HashEmbedder(), Embedder)
    vectors = HashEmbedder(7).embed(["", "...", "stars", "★ 🌌", "\ud800"], "document")
    assert (vectors.dtype, vectors.shape) == (np.float32, (5, 7))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5))
    assert HashEmbedder(7).embed([], "document").shape == (0, 7)


def test_the_vectors_are_the_same_in_every_process():
    script = "from pathfinder.models.fake import *; print(HashEmbedder(3).embed(['dark matter'], 'query').tolist())"
    for seed in ("1", "2"):
        output = subprocess.check_output([sys.executable, "-c", script], text=True, env={"PYTHONHASHSEED": seed})
        assert output == f"{HashEmbedder(3).embed(['dark matter'], 'query').tolist()}\n"


def test_a_text_is_read_to_its_256th_word():
    embedder = HashEmbedder()
    full, over = "star " * 256, "star " * 256 + "galaxy"
    assert (embedder.is_cut(full), embedder.is_cut(over)) == (False, True)
    assert np.array_equal(*embedder.embed([full, over], "document"))


def test_a_script_is_said_piece_by_piece_in_order():
    chat = ScriptedChat(["Warm  discs [1].\nYes.", "No."])
    assert isinstance(chat, ChatModel)
    assert list(chat.stream("be brief", "why?")) == ["Warm  ", "discs ", "[1].\n", "Yes."]
    assert list(chat.stream("be brief", "sure?")) == ["No."]
    assert chat.received == [("be brief", "why?"), ("be brief", "sure?")]


def test_a_script_can_break_after_some_pieces():
    stream = ScriptedChat([Reply("Warm discs", BrokenStream("it broke", "Warm discs"))]).stream("", "why?")
    assert [next(stream), next(stream)] == ["Warm ", "discs"]
    with pytest.raises(BrokenStream) as caught:
        next(stream)
    assert caught.value.partial_reply == "Warm discs"


def test_a_document_scores_the_share_of_the_words_that_it_has():
    reranker = WordReranker()
    scores = reranker.rerank("Dark matter, dark halos?", ["Halos of dark matter", "dark rooms", "starbursts", ""])
    assert scores.tolist() == [1, 1 / 3, 0, 0]
    assert reranker.rerank("star", ["starburst"]).tolist() == [0]
    assert reranker.rerank("?", ["dark"]).tolist() == [0]
    assert reranker.rerank("dark", []).shape == (0,)
    assert isinstance(reranker, Reranker)


@pytest.mark.parametrize("script", [[], {"discs": "Warm."}])
def test_a_script_that_is_used_up_or_has_no_reply_to_a_prompt_says_so(script):
    with pytest.raises(AssertionError, match="no reply left for call 1"):
        ScriptedChat(script).stream("", "why is the sky blue?")


def test_a_script_can_answer_by_what_is_asked():
    by_part = ScriptedChat({"discs": "Warm discs.", "halos": Reply("Dark halos.")})
    by_whole = ScriptedChat(lambda prompt: prompt.upper())
    assert "".join(by_part.stream("", "why halos?")) == "Dark halos."
    assert "".join(by_part.stream("", "why discs?")) == "Warm discs."
    assert "".join(by_whole.stream("", "why?")) == "WHY?"


def test_callers_at_the_same_time_each_get_their_own_reply_and_every_call_is_noted():
    chat = ScriptedChat(lambda prompt: f"to {prompt}")
    prompts = [str(number) for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        ask = pool.map(lambda prompt: "".join(chat.stream("", prompt, temperature=int(prompt), max_tokens=9)), prompts)
        assert list(ask) == [f"to {prompt}" for prompt in prompts]
    assert sorted(int(prompt) for _, prompt in chat.received) == list(range(200))
    assert [(int(prompt), 9) for _, prompt in chat.received] == chat.settings
