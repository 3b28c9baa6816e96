"""A model file as a chat model: the process that runs it, its client, and what can go wrong."""

import json
from threading import Thread
from time import monotonic, sleep

import pytest

from pathfinder.errors import MissingDependency, ProviderError, TimeSpent
from pathfinder.models import gguf_chat as module
from pathfinder.models.gguf_chat import LlamaOptions, LlamaServer, gguf_chat, read_context, server_for, stop_servers
from pathfinder.models.loading import load_chat
from pathfinder.models.ports import ChatRequest, Turn
from pathfinder.settings import Settings
from tests.models.gguf import ENTRIES, entry, model_file, program, serving_at
from tests.wire import Says, Wire

PATIENCE_SECONDS = 300.0


@pytest.fixture
def started():
    """Servers to be ended after the test."""
    servers = []
    yield servers.append
    for server in servers:
        server.stop()


def settings(**fields):
    return Settings(_env_file=None, **fields)


def chat_of(path, started, command, **fields):
    """A model in the file `path`, run by `command`."""
    servers = {}

    def server_of(options):
        if options not in servers:
            servers[options] = LlamaServer(options, command)
            started(servers[options])
        return servers[options]

    return gguf_chat(path, settings(**fields), server_of)


def options(path, **fields):
    return LlamaOptions(path, 2048, **fields)


def test_a_setting_names_the_file_and_nothing_is_read_before_the_first_call(tmp_path):
    chat = load_chat(settings(chat_model=f"gguf:{tmp_path}/Some-Model.Q4.gguf"))
    assert chat.name == "gguf:Some-Model.Q4"
    assert (chat.context_tokens, chat.loading()) == (None, None)
    with pytest.raises(ProviderError, match="there is no model file"):
        next(chat.stream("", "why?"))
    with pytest.raises(ProviderError, match="names no file: write gguf:/path"):
        load_chat(settings(chat_model="gguf:"))


def test_the_model_is_run_as_the_settings_say_and_asked_as_any_server_is(tmp_path, started):
    path, log = model_file(tmp_path), tmp_path / "log"
    with Wire(Says("Warm."), Says("Cold.")) as wire:
        command = serving_at(wire.url.removesuffix("/v1"), log)
        fields = {"chat_threads": 3, "chat_slots": 2, "chat_seed": 7, "chat_context": 4096, "chat_reply_tokens": 100}
        chat = chat_of(path, started, command, **fields)
        assert "".join(chat.stream("Be brief.", "why?", max_tokens=500)) == "Warm."
        turn = chat.converse((Turn("human", "why?"),), ())
        assert "".join(turn) == "Cold."
        bodies = [request.body for request in wire.received]
        keys = {request.key for request in wire.received}
    (ran,) = map(json.loads, log.read_text().splitlines())
    assert ran["path"] == str(path)
    own = {"n_threads": 3, "n_slots": 2, "seed": 7, "context_tokens": 4096, "reply_tokens": 100}
    assert own.items() <= ran.items()
    assert keys == {ran["key"]}
    assert len(ran["key"]) > 20
    # A reply may have 100 tokens, whatever a mode asks for.
    assert [body.get("max_tokens") or body.get("max_completion_tokens") for body in bodies] == [100, 100]


def test_without_a_setting_the_context_is_that_of_the_file_within_bounds(tmp_path, started):
    def context(n):
        path = model_file(tmp_path, entries={"general.architecture": "a", "a.context_length": n})
        return chat_of(path, started, ()).context_tokens

    # At least 1,024, at most 8,192.
    assert [context(n) for n in (512, 2048, 131_072)] == [1024, 2048, 8192]


def test_a_reply_takes_at_most_a_quarter_of_the_context(tmp_path, started):
    log = tmp_path / "log"
    with Wire(Says("Warm.")) as wire:
        chat = chat_of(model_file(tmp_path), started, serving_at(wire.url[:-3], log), chat_context=1024)
        list(chat.stream("", "why?"))
    assert json.loads(log.read_text())["reply_tokens"] == 256


def test_llama_cpp_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match=r"pip install 'pathfinder\[local-chat\]'"):
        LlamaServer(options(model_file(tmp_path))).address()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print(json.dumps({'error': 'unknown architecture'}))", "(unknown architecture)"),
        ("sys.stderr.write('out of memory')", "(out of memory)"),
        ("print('Segmentation fault')", "(Segmentation fault)"),
        ("pass", "choose a smaller one"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_said_with_the_words_of_llama_cpp(tmp_path, started, body, words):
    server = LlamaServer(options(model_file(tmp_path)), program(body))
    started(server)
    with pytest.raises(ProviderError, match=r"llama.cpp cannot load tiny.gguf") as raised:
        server.address(PATIENCE_SECONDS)
    assert str(raised.value).endswith(words)


def test_loading_shows_its_time_and_a_wait_that_is_too_long_ends_while_it_goes_on(tmp_path, started):
    ready = tmp_path / "ready"
    wait = f"import pathlib\nwhile not pathlib.Path({str(ready)!r}).exists(): time.sleep(0.01)\n"
    with Wire(Says("Warm.")) as wire:
        command = program(f"{wait}print(json.dumps({{'address': {wire.url[:-3]!r}}}), flush=True)\nsys.stdin.read()")
        chat = chat_of(model_file(tmp_path), started, command)
        assert chat.loading() is None
        with pytest.raises(TimeSpent, match=r"tiny.gguf is still being loaded after 0 s: ask again later"):
            next(chat.reply(ChatRequest((Turn("human", "why?"),), begins=0.05)))
        assert chat.loading() == "loading tiny (0 MB), 0 s"
        ready.touch()
        assert "".join(chat.stream("", "why?")) == "Warm."
    assert chat.loading() is None


def test_threads_share_one_process_and_one_that_died_is_started_again(tmp_path, started):
    log = tmp_path / "log"
    server = LlamaServer(options(model_file(tmp_path)), serving_at("http://127.0.0.1:9", log))
    started(server)
    threads = [Thread(target=server.address, args=(PATIENCE_SECONDS,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(log.read_text().splitlines()) == 1
    server.stop()
    server.address(PATIENCE_SECONDS)
    assert len(log.read_text().splitlines()) == 2


def test_an_app_has_one_server_for_each_model_and_its_options_and_ends_them_all(tmp_path):
    path = model_file(tmp_path)
    first, same, other = (server_for(options(path, seed=seed)) for seed in (1, 1, 2))
    try:
        assert first is same
        assert first is not other
    finally:
        stop_servers()
    assert server_for(options(path, seed=1)) is not first
    stop_servers()


def test_the_process_ends_when_nobody_holds_its_input_any_more(tmp_path, started):
    gone = tmp_path / "gone"
    command = program(
        "print(json.dumps({'address': 'http://127.0.0.1:9'}), flush=True)\nsys.stdin.read()\n"
        f"open({str(gone)!r}, 'w').close()"
    )
    server = LlamaServer(options(model_file(tmp_path)), command)
    started(server)
    server.address(PATIENCE_SECONDS)
    server._run.process.stdin.close()
    end = monotonic() + PATIENCE_SECONDS
    while not gone.exists() and monotonic() < end:
        sleep(0.01)
    assert gone.exists()


def test_the_head_of_a_model_file_says_how_much_the_model_reads(tmp_path):
    assert read_context(model_file(tmp_path)) == 8192
    assert read_context(model_file(tmp_path, entries={"general.architecture": "llama"})) is None


def test_a_length_of_64_bits_is_read_as_one(tmp_path):
    path = model_file(tmp_path)
    of_32, value = entry("llama.context_length", 8192), (8192).to_bytes(8, "little")
    path.write_bytes(path.read_bytes().replace(of_32, of_32[:-8] + b"\x0a\0\0\0" + value))
    assert read_context(path) == 8192


def test_a_file_that_is_damaged_after_its_beginning_is_left_to_llama_cpp(tmp_path):
    path = model_file(tmp_path, entries={"general.name": "x", **ENTRIES})
    path.write_bytes(path.read_bytes()[:40])
    assert read_context(path) is None


def test_a_missing_file_a_folder_and_a_file_of_another_kind_are_refused_by_name(tmp_path):
    other = tmp_path / "paper.pdf"
    for content in (b"%PDF-1.7", b""):
        other.write_bytes(content)
        for path in (tmp_path / "none.gguf", tmp_path, other):
            with pytest.raises(ProviderError, match=path.name):
                read_context(path)
