"""Replies of a chat model, damaged in every way: each answer is whole, harmless, and cites only what was given."""

import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

from pathfinder.answering.modes.registry import styles_of
from pathfinder.errors import BrokenStream, PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.llm.filters import WholeCharacters, of_whole_characters
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import ChatReply, ToolCall
from pathfinder.operations.ask import answer_record
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import AnswerRequest, Audience, ModeName, SearchResult
from tests.faults.mutation import STRANGE_TEXTS, Mutator
from tests.faults.test_fuzz import SEED, share
from tests.faults.watch import in_time, writes_only_in
from tests.inert import HOSTILE, acts

LOG = logging.getLogger(__name__)
QUESTIONS = ("What is the value of the Hubble constant?", "How many papers did Riess write?", "Do planets have rings?")
REPLIES = (
    "The constant is 73 km/s/Mpc [k3q7z]. It was measured with Cepheids [m2x9a, 1].",
    "I don't know.",
    '{"thought": "first", "sub_questions": ["What is the distance ladder?"]}',
    "Feedback: too short\nQuestion: what else?",
    "<first>It is 73 [k3q7z].</first><check>Yes</check><refined>It is 73.</refined>",
    'author:"Riess" year:2022',
    '{"stances": [{"key": "k3q7z", "stance": "supports", "quote": "It is 73"}]}',
    '{"category": "single-paper", "flags": [], "reason": "one fact"}',
    '{"question": "What is the value?"}',
)
REQUESTS = [AnswerRequest(generation, style) for generation in ModeName for style in styles_of(generation)]
REQUESTS += [AnswerRequest(second_judge=True), AnswerRequest(from_memory=True)]


def damaged_reply(mutator: Mutator) -> Reply:
    """Draw a reply that a model might give on its worst day, some with calls of tools, some broken off."""
    text, calls = mutator.choice(REPLIES), ()
    chance = mutator.luck.random()
    if chance < 0.4 and text.startswith("{"):
        text = json.dumps(mutator.value(json.loads(text)))
    elif chance < 0.7:
        text = mutator.text(text)
    elif chance < 0.8:
        text = f"{mutator.choice(HOSTILE)} {text}"
    if mutator.luck.random() < 0.4:
        arguments = mutator.value({"query": "dust", "top_k": 3, "year_from": 2000, "key": "k3q7z"})
        tool = mutator.choice(("search", "search", "read", mutator.choice(STRANGE_TEXTS)))
        calls = (ToolCall("1", tool, arguments if isinstance(arguments, dict) else {"query": arguments}),)
    return Reply(text, BrokenStream("it broke off", text) if mutator.luck.random() < 0.05 else None, calls)


def check_answer(own: Pathfinder, search_result: SearchResult, request: AnswerRequest) -> None:
    answer = own.answer(search_result, request)
    json.dumps(answer_record(search_result, answer), ensure_ascii=False).encode()
    for text in (answer.text, *answer.notes, *(claim.text for claim in answer.claims)):
        assert not acts(for_markdown(text)), text
    cited_ids = {paper_id for claim in answer.claims for paper_id in claim.citations}
    assert cited_ids <= {paper.paper_id for paper in answer.sources}


@share(40)
def test_any_reply_of_a_model_ends_in_an_answer_or_in_a_reason(pf: Pathfinder, tmp_path: Path, n: int) -> None:
    results = {question: pf.search(question, top_k=3) for question in QUESTIONS}
    plain = pf.answer(results[QUESTIONS[0]])
    mutator, tally = Mutator(SEED), Counter[str]()

    def use(own: Pathfinder, result: SearchResult) -> Any:
        match mutator.choice(("answer",) * 6 + ("route", "follow up", "consensus", "rewrite")):
            case "route":
                return own.route(result)
            case "follow up":
                return own.follow_up([result.request.query], "and then?")
            case "consensus":
                return own.consensus(result)
            case "rewrite":
                return own.rewrite(plain, Audience.STUDENT)
            case _:
                return check_answer(own, result, mutator.choice(REQUESTS))

    for _ in range(n):
        own = pf.with_chat(ScriptedChat(lambda _: damaged_reply(mutator)))
        with in_time(30), writes_only_in(tmp_path):
            try:
                use(own, results[mutator.choice(QUESTIONS)])
                tally["used"] += 1
            except PathfinderError:
                tally["refused"] += 1
    LOG.info("replies of a model: %s", tally)
    assert tally["used"] > n / 2


def test_a_character_that_a_server_cuts_in_two_is_whole_again_and_a_half_is_dropped() -> None:
    characters = WholeCharacters()
    assert [characters.feed(chunk) for chunk in ("a\ud83d", "\ude00b", "\ude00c", "d\ud83d", "e")] == [
        "a", "\U0001f600b", "c", "d", "e",
    ]  # fmt: skip
    call = ToolCall("1", "search\ud800", {"query": "\ud83d\ude00", "years": [1, "\udfff"]})
    (whole,) = of_whole_characters(ChatReply("\ud800It is.", (call,), None)).calls
    assert whole == ToolCall("1", "search", {"query": "\U0001f600", "years": [1, ""]})
