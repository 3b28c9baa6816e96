"""Consensus through the facade, over the golden corpus."""

import json
import re

import pytest

from pathfinder import Pathfinder
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import ProviderError
from pathfinder.models.fake import ScriptedChat
from tests.assessment.consensus.literature import SOURCE, opinion_reply

QUESTION = "What is the value of the Hubble constant?"


def supporting(prompt):
    """Say that every paper supports the statement, and quote the beginning of its abstract."""
    if "<statement>" not in prompt:
        return opinion_reply()
    entries = [
        {"key": key, "stance": "supports", "quote": " ".join(text.split()[:6])}
        for key, _, _, text in SOURCE.findall(prompt)
    ]
    return json.dumps({"stances": entries})


def with_chat(pf, script=supporting):
    chat = ScriptedChat(script)
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat), chat


def years_shown(chat):
    return {int(year) for _, prompt in chat.received for year in re.findall(r"\nYear: (\d+)\n", prompt)}


def test_every_hit_is_read_and_every_call_is_counted(pf):
    own, chat = with_chat(pf)
    result = own.search(QUESTION, top_k=10)
    reading = own.consensus(result)
    assert [stance.paper_id for stance in reading.stances] == [hit.paper.paper_id for hit in result.hits]
    assert all(stance.is_quote_found for stance in reading.stances)
    assert [call.purpose for call in reading.calls] == ["consensus"] * len(chat.received)
    assert len(chat.received) == 3  # the statement, then 8 and 2 papers


def test_the_same_consensus_is_not_paid_for_twice(pf):
    own, chat = with_chat(pf)
    result = own.search(QUESTION, top_k=5)
    assert own.consensus(result).stances == own.consensus(result).stances
    assert len(chat.received) == 2


def test_a_reply_that_could_not_be_read_is_asked_for_again(pf):
    own, chat = with_chat(pf, lambda prompt: "They agree.")
    result = own.search(QUESTION, top_k=5)
    for _ in range(2):
        with pytest.raises(ProviderError, match="did not reply in the requested form"):
            own.consensus(result)
    assert len(chat.received) == 2


def test_as_of_a_year_no_later_paper_is_shown_to_the_model(pf):
    own, chat = with_chat(pf)
    result = own.search(QUESTION, top_k=10)
    reading = own.consensus(result, as_of=2000)
    assert reading.as_of == 2000
    assert len(reading.stances) > 0
    assert max(years_shown(chat)) <= 2000
    assert max(stance.year for stance in reading.stances) <= 2000


def test_over_time_more_papers_are_read_than_are_listed(pf):
    own, _ = with_chat(pf)
    result = own.search(QUESTION, top_k=5)
    consensus = own.consensus(result)
    history = own.consensus_over_time(result, known=consensus, n_papers=20)
    assert history.stances[:5] == consensus.stances
    assert len(history.stances) == 20
    assert history.years[-1].n_supports == sum(stance.year is not None for stance in history.stances)
