import subprocess
import sys

import pytest

from pathfinder.errors import UsageError
from pathfinder.models.loading import EMBEDDERS, RERANKERS, load_chat, load_embedder, load_reranker
from pathfinder.settings import Settings


@pytest.fixture
def settings():
    return Settings(_env_file=None, openai_api_key=None, chat_model=None)


NAMES = {
    load_embedder: ("", " ", ":", "openai", "openai:", ":text-embedding-3-small", "cohere:embed", "OpenAI:x"),
    load_reranker: ("", "local", "off", ":", "cohere", "cohere:", ":rerank-v3.5", "openai:gpt-4o", "Cohere:x"),
}


@pytest.mark.parametrize(("load", "name"), [(load, name) for load, names in NAMES.items() for name in names])
def test_a_name_that_nobody_answers_to_is_refused_with_the_names_that_are_known(load, name, settings):
    with pytest.raises(UsageError) as caught:
        load(name, settings)
    vendors = EMBEDDERS if load is load_embedder else RERANKERS
    assert all(f"{vendor}:" in str(caught.value) for vendor in vendors)


def test_a_model_of_a_vendor_that_it_does_not_have_is_refused_with_those_that_there_are(settings):
    with pytest.raises(UsageError, match="local:all-MiniLM-L6-v2"):
        load_embedder("local:all-mpnet-base-v2", settings)
    with pytest.raises(UsageError, match="write fake:words"):
        load_reranker("fake:letters", settings)


def test_a_model_answers_to_the_name_that_it_was_loaded_by(settings):
    for name in ("local:all-MiniLM-L6-v2", "fake:hash-16"):
        assert load_embedder(name, settings).name == name
    assert load_reranker(" fake:words", settings).name == "fake:words"


def test_a_chat_model_is_named_before_anything_is_asked_of_it_and_without_a_setting_there_is_none(settings):
    assert load_chat(settings) is None
    assert load_chat(settings.model_copy(update={"chat_model": ""})) is None
    chat = load_chat(settings.model_copy(update={"chat_model": "openai:gpt-4o-mini"}))
    assert chat is not None
    assert chat.name == "openai:gpt-4o-mini"


def test_loading_imports_no_vendor():
    vendors = {"openai", "cohere", "langchain", "langchain_openai", "sentence_transformers", "torch", "onnxruntime"}
    script = f"import sys, pathfinder.models.loading; print({vendors} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
