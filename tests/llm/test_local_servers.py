"""Chat servers on this machine, which are looked for at their usual ports: found, absent, strange and slow."""

import json
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pathfinder.llm.providers import PROGRAMS, LocalServer, find_local_servers
from tests.serving import free_port

HANG = 300.0
"""Seconds after which a test that hangs ends."""
MODELS = json.dumps({"object": "list", "data": [{"id": "qwen3:4b", "object": "model"}, {"id": "smollm2:135m"}]})


@contextmanager
def listening(body, status=200, before=lambda: None, drip=0.0):
    """A server on loopback that answers everything with `body`, once `before` returns and with `drip` seconds between
    its bytes; the port, and the paths that were asked for.
    """
    paths = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            before()
            self.send_response(status)
            self.end_headers()
            with suppress(ConnectionError):
                for byte in body.encode() if drip else ():
                    self.wfile.write(bytes([byte]))
                    time.sleep(drip)
                if not drip:
                    self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server.server_address[1], paths
    finally:
        server.shutdown()
        server.server_close()


def test_the_usual_ports_are_those_of_the_documentation():
    assert PROGRAMS == {"Ollama": 11434, "llama.cpp": 8080, "LM Studio": 1234, "vLLM": 8000}


def test_a_server_is_found_with_its_models_and_asked_for_nothing_else():
    with listening(MODELS) as (port, paths):
        servers = find_local_servers([("Ollama", port), ("vLLM", free_port())], HANG)
    assert servers == (LocalServer("Ollama", f"http://127.0.0.1:{port}/v1", ("qwen3:4b", "smollm2:135m")),)
    assert paths == ["/v1/models"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("<html>a page</html>", 200),
        ('{"data": [{"name": "no id"}]}', 200),
        ('{"data": []}', 200),
        ('{"data": [{"id": "a\\nb"}]}', 200),
        ('{"error": "no key"}', 401),
        ("", 200),
    ],
)
def test_what_lists_no_models_is_no_chat_server(body, status):
    with listening(body, status) as (port, _):
        assert find_local_servers([("vLLM", port)], HANG) == ()


def test_a_server_that_is_slow_or_answers_drop_by_drop_is_not_waited_for():
    released = threading.Event()
    with listening(MODELS, before=lambda: released.wait(HANG)) as (port, _):
        assert find_local_servers([("vLLM", port)], 0.1) == ()
        released.set()
    with listening(MODELS, drip=0.02) as (port, _):  # about 100 bytes, so 2 s in all at the least
        assert find_local_servers([("vLLM", port)], 0.1) == ()


def test_where_nobody_listens_nothing_is_found():
    assert find_local_servers([("vLLM", free_port())]) == ()
