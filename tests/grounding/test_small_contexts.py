"""A model that reads little is shown as much of the papers as fits, in whole sentences, and that is said."""

from dataclasses import replace

import pytest

from pathfinder.grounding.sources import CitationRegistry, as_sources, room_for_sources
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.types import AnswerRequest, Paper
from tests.answering.results import PAPERS, answer, context, registry_of, result, with_keys


class SmallChat(ScriptedChat):
    """A scripted model that reads 2,048 tokens."""

    context_tokens = 2048


def test_the_room_is_what_instructions_and_reply_leave():
    # Of 2,048 tokens, 700 are instructions, 512 the reply; 0.7 of the 836 that are left are estimated tokens.
    assert room_for_sources(8_000, 2048) == 585
    # Of 32,768, 700 and 1,024: 0.7 of 31,044 is more than is wanted.
    assert room_for_sources(8_000, 32_768) == 8_000
    assert room_for_sources(8_000, None) == 8_000
    assert room_for_sources(8_000, 1024) == 100


def test_the_first_paper_is_cut_to_whole_sentences_and_at_least_one():
    paper = Paper("a", "Dust", "Dust is cold. Dust is not warm. " + "It is so. " * 200)
    registry = CitationRegistry("why?", (paper,))
    sources = as_sources(registry, [paper], 30)
    # 30 tokens are 120 characters: 113 with two sentences more, 123 with three.
    assert sources.text.endswith("Passages: Dust is cold. Dust is not warm. It is so. It is so.\n</source>")
    assert sources.shortened_papers == (paper,)
    assert "Passages: Dust is cold.\n" in as_sources(registry, [paper], 1).text


@pytest.mark.parametrize("n_words", [200, 2000])
def test_papers_are_cut_to_what_a_model_can_read_and_that_is_said(n_words):
    long = replace(PAPERS[1], abstract="The dust is cold in all maps. " * (n_words // 7))
    search_result = result((PAPERS[0], long))
    chat = SmallChat(
        [with_keys("The expansion rate is measured with Cepheids [@cepheids].", registry_of(search_result))]
    )
    citations = answer(search_result, AnswerRequest(), context(HashEmbedder(64), chat))
    prompt = chat.received[0][1]
    # 2,048 tokens, of which 512 are the reply, at 4 characters each.
    assert len(prompt) < 4 * (2048 - 512)
    notes = [
        note
        for note in citations.notes
        if "reads at most 2,048 tokens at once: papers were shortened or left out to fit" in note
    ]
    assert bool(notes) == (n_words == 2000)
