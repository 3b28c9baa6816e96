import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pathfinder.errors import BrokenStream, UsageError
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat, WordReranker
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.settings import Settings


def test_the_fakes_are_what_the_ports_ask_for():
    assert isinstance(HashEmbedder(), Embedder)
    assert isinstance(ScriptedChat([]), ChatModel)


@pytest.mark.parametrize("dimension", [1, 0, -1])
def test_a_dimension_below_two_is_refused(dimension):
    with pytest.raises(UsageError, match=f"at least 2, got {dimension}"):
        HashEmbedder(dimension)


@pytest.mark.parametrize("model", ["", "hash", "hash-", "hash-0", "hash--1", "hash-x", "hash-64 "])
def test_a_name_without_a_dimension_is_refused(model):
    with pytest.raises(UsageError, match="write fake:hash-64"):
        HashEmbedder.from_settings(model, Settings(_env_file=None))


def test_the_same_words_have_cosine_one_whatever_their_order_and_case():
    first, other = HashEmbedder().embed(["Dark matter, halos", "halos DARK (matter)"], "query")
    assert first @ other == pytest.approx(1)


def test_texts_without_a_word_in_common_have_cosine_about_zero():
    first, other = HashEmbedder(4096).embed(["dark matter halos", "exoplanet atmospheres"], "document")
    assert abs(first @ other) < 4 / np.sqrt(4096)


def test_one_word_of_two_gives_a_cosine_of_about_one_over_root_two():
    first, other = HashEmbedder(4096).embed(["dark", "dark matter"], "document")
    assert first @ other == pytest.approx(1 / np.sqrt(2), abs=4 / np.sqrt(4096))


def test_vectors_are_float32_unit_vectors_also_for_texts_without_words():
    vectors = HashEmbedder(7).embed(["", "...", "stars", "★ 🌌", "\ud800"], "document")
    assert (vectors.dtype, vectors.shape) == (np.float32, (5, 7))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5))


def test_no_texts_give_no_vectors():
    assert HashEmbedder(7).embed([], "document").shape == (0, 7)


def test_the_vectors_are_the_same_in_every_process():
    script = "from pathfinder.models.fake import *; print(HashEmbedder(3).embed(['dark matter'], 'query').tolist())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{HashEmbedder(3).embed(['dark matter'], 'query').tolist()}\n"}


def test_a_text_is_read_to_its_256th_word():
    embedder = HashEmbedder()
    full, over = "star " * 256, "star " * 256 + "galaxy"
    assert (embedder.is_cut(full), embedder.is_cut(over)) == (False, True)
    assert np.array_equal(*embedder.embed([full, over], "document"))


def test_a_script_is_said_piece_by_piece_in_order():
    chat = ScriptedChat(["Warm  discs [1].\nYes.", "No."])
    assert list(chat.stream("be brief", "why?")) == ["Warm  ", "discs ", "[1].\n", "Yes."]
    assert list(chat.stream("be brief", "sure?")) == ["No."]
    assert chat.received == [("be brief", "why?"), ("be brief", "sure?")]


def test_a_script_can_break_after_some_pieces():
    stream = ScriptedChat([Reply("Warm discs", BrokenStream("it broke", "Warm discs"))]).stream("", "why?")
    assert [next(stream), next(stream)] == ["Warm ", "discs"]
    with pytest.raises(BrokenStream) as caught:
        next(stream)
    assert caught.value.partial_reply == "Warm discs"


def test_a_script_that_is_used_up_says_so():
    with pytest.raises(AssertionError, match="no reply left for call 1"):
        ScriptedChat([]).stream("", "why?")


def test_a_document_scores_the_share_of_the_words_that_it_has():
    reranker = WordReranker()
    scores = reranker.rerank("Dark matter, dark halos?", ["Halos of dark matter", "dark rooms", "starbursts", ""])
    assert scores.tolist() == [1, 1 / 3, 0, 0]
    assert reranker.rerank("star", ["starburst"]).tolist() == [0]
    assert reranker.rerank("?", ["dark"]).tolist() == [0]
    assert reranker.rerank("dark", []).shape == (0,)
    assert isinstance(reranker, Reranker)


def test_a_script_by_prompt_has_no_reply_to_a_prompt_that_nobody_wrote_down():
    with pytest.raises(AssertionError, match="no reply left for call 1"):
        ScriptedChat({"discs": "Warm."}).stream("", "why is the sky blue?")


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
