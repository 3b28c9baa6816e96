"""The embedders of OpenAI and the rerankers of Cohere: their keys, and what can go wrong between us and them."""

import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UsageError
from pathfinder.llm.providers import NO_KEY
from pathfinder.models import cohere_reranker, openai_embedder
from pathfinder.models.loading import load_embedder, load_reranker
from pathfinder.settings import Settings
from tests.wire import Embeds, Fails, Hangs, Reranks, Resets, Wire

KEY = "a-key-that-must-not-be-seen"
TEXTS = ["dark matter halos", "exoplanet atmospheres", "stellar streams"]


class Vendor(NamedTuple):
    make: Callable[..., Any]
    load: Callable[[str, Settings], Any]
    ask: Callable[[Any], object]
    reply: object
    n_retries: int
    timeout: object
    address: Callable[[str], str]
    model: str
    others: tuple[str, ...]


OPENAI = Vendor(
    *(openai_embedder.OpenAIEmbedder, load_embedder, lambda embedder: embedder.embed(TEXTS, "query"), Embeds()),
    *(openai_embedder.MAX_RETRIES["query"], {"query": 0.1, "document": 20}, lambda url: url),
    *("text-embedding-3-small", ("", "text-embedding-ada-002", "gpt-4o")),
)
COHERE = Vendor(
    *(cohere_reranker.CohereReranker, load_reranker, lambda reranker: reranker.rerank("streams", TEXTS), Reranks(len)),
    *(cohere_reranker.MAX_RETRIES, 0.1, lambda url: url.removesuffix("/v1")),
    *("rerank-v3.5", ("", "command-r", "embed-v4.0")),
)
VENDORS = {"openai": OPENAI, "cohere": COHERE}


@pytest.fixture(params=VENDORS)
def name(request):
    return request.param


def failure(name, *plan, **options):
    """What was raised, and how often the server was asked."""
    own = VENDORS[name]
    with Wire(*plan) as wire, pytest.raises(ProviderError) as caught:
        own.ask(own.make(own.model, api_key=KEY, base_url=own.address(wire.url), **options))
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)
    assert f"{name}:{own.model}" in str(caught.value)
    return caught.value, len(wire.received)


def test_another_kind_of_model_is_refused_with_those_that_are_known_and_so_is_one_without_a_key(name):
    own = VENDORS[name]
    for model in own.others:
        with pytest.raises(UsageError, match=own.model):
            own.make(model, api_key=KEY)
    for api_key in (None, ""):
        with pytest.raises(MissingKey, match=f"set {name.upper()}_API_KEY, or choose (a|the) local"):
            own.make(own.model, api_key=api_key)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_said_to_be_so_at_once(name, status):
    error, n_asked = failure(name, Fails(status, f"Incorrect API key provided: {KEY}"))
    assert (type(error), n_asked) == (RejectedKey, 1)
    assert f"check {name.upper()}_API_KEY" in str(error)


@pytest.mark.parametrize("status", [429, 500, 503, 400, 404, 422])
def test_a_failure_is_told_in_the_words_of_the_server_and_tried_again_before_if_it_may_pass(name, status):
    error, n_asked = failure(name, Fails(status, f"10 calls a minute ({KEY})"))
    assert type(error) is (RateLimited if status == 429 else ProviderError)
    assert n_asked == (1 + VENDORS[name].n_retries if status in (429, 500, 503) else 1)
    assert "10 calls a minute (***)" in str(error)
    assert "headers" not in str(error)


def test_no_answer_in_time_and_a_connection_that_is_reset_are_unreachable(name):
    error, n_asked = failure(name, Hangs(), timeout_seconds=VENDORS[name].timeout)
    # Cohere's package does not try again.
    assert (type(error), n_asked) == (Unreachable, 1 + (name == "openai") * VENDORS[name].n_retries)
    assert "timed out" in str(error)
    assert type(failure(name, Resets())[0]) is Unreachable


def test_settings_give_key_and_address_and_a_server_of_ones_own_needs_no_key(name):
    own = VENDORS[name]
    with Wire(own.reply) as wire:
        url = own.address(wire.url)
        settings = Settings(_env_file=None, **{f"{name}_api_key": KEY, f"{name}_base_url": url})
        model = own.load(f"{name}:{own.model}", settings)
        for each in (model, own.make(own.model, api_key=None, base_url=url)):
            own.ask(each)
    assert model.name == f"{name}:{own.model}"
    assert [request.key for request in wire.received] == [KEY, NO_KEY]
