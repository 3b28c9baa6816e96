import subprocess
import sys

import pytest

from pathfinder.errors import MissingKey, UsageError
from pathfinder.models.loading import EMBEDDERS, RERANKERS, load_chat, load_embedder, load_reranker
from pathfinder.settings import Settings


@pytest.fixture
def settings():
    return Settings(_env_file=None, openai_api_key=None, chat_model=None)


@pytest.mark.parametrize(
    "name", ["", " ", ":", "openai", "openai:", ":text-embedding-3-small", "cohere:embed", "OpenAI:x"]
)
def test_a_name_that_nobody_answers_to_is_refused_with_the_names_that_are_known(name, settings):
    with pytest.raises(UsageError) as caught:
        load_embedder(name, settings)
    assert all(f"{vendor}:" in str(caught.value) for vendor in EMBEDDERS)
    assert "local:all-MiniLM-L6-v2" in str(caught.value)


def test_another_local_model_is_refused_with_the_one_there_is(settings):
    with pytest.raises(UsageError, match="the one that ships with Pathfinder is local:all-MiniLM-L6-v2"):
        load_embedder("local:all-mpnet-base-v2", settings)


@pytest.mark.parametrize("name", ["local:all-MiniLM-L6-v2", "fake:hash-16"])
def test_a_model_answers_to_the_name_that_it_was_loaded_by(name, settings):
    assert load_embedder(name, settings).name == name


@pytest.mark.parametrize(
    "name", ["", "local", "off", ":", "cohere", "cohere:", ":rerank-v3.5", "openai:gpt-4o", "Cohere:x"]
)
def test_a_name_that_no_reranker_answers_to_is_refused_with_the_names_that_are_known(name, settings):
    with pytest.raises(UsageError) as caught:
        load_reranker(name, settings)
    assert all(f"{vendor}:" in str(caught.value) for vendor in RERANKERS)


def test_without_a_key_a_reranker_says_so(settings):
    with pytest.raises(MissingKey, match=r"cohere:rerank-v3\.5"):
        load_reranker("cohere:rerank-v3.5", settings)


def test_a_reranker_answers_to_the_name_that_it_was_loaded_by(settings):
    assert load_reranker(" fake:words", settings).name == "fake:words"
    with pytest.raises(UsageError, match="write fake:words"):
        load_reranker("fake:letters", settings)


def test_without_a_chat_model_there_is_none(settings):
    assert load_chat(settings) is None
    assert load_chat(settings.model_copy(update={"chat_model": ""})) is None


def test_a_chat_model_is_named_before_anything_is_asked_of_it(settings):
    chat = load_chat(settings.model_copy(update={"chat_model": "openai:gpt-4o-mini"}))
    assert chat is not None
    assert chat.name == "openai:gpt-4o-mini"


def test_loading_imports_no_vendor():
    vendors = {"openai", "cohere", "langchain", "langchain_openai", "sentence_transformers", "torch", "onnxruntime"}
    script = f"import sys, pathfinder.models.loading; print({vendors} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
