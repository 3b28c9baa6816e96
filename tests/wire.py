"""A small server on loopback that speaks OpenAI's wire format, and can be told to fail in every way a real one does.

    with Wire(Says("Warm ", "discs [1].")) as wire:
        chat = langchain_chat("openai:gpt-4o-mini", api_key="sk-test", base_url=wire.url)

It does what its `plan` says, one entry for each request, and goes on with the last one.
"""

import base64
import json
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np

from pathfinder.models.fake import HashEmbedder


class Says:
    """A streamed reply in these pieces, and after them `then`: "finish", or break off in one of six ways.

    "stop" closes the stream in order but without the last event, "close" the connection in the middle of the stream,
    "reset" does so with RST, "hang" sends no more, "garbage" sends no JSON, "error" an error event. Each of `pieces`
    waits `pause` seconds before it. `calls` are pieces of tool calls, as deltas in OpenAI's shape; `usage` is tokens
    read and written, told in a last event without a choice.
    """

    def __init__(
        self,
        *pieces: str,
        then: str = "finish",
        finish_reason: str = "stop",
        pause: float = 0.0,
        calls: Sequence[dict[str, Any]] = (),
        usage: tuple[int, int] | None = None,
    ) -> None:
        self.pieces, self.then, self.finish_reason = pieces, then, finish_reason
        self.pause, self.calls, self.usage = pause, calls, usage


@dataclass(frozen=True)
class Fails:
    """An HTTP error, with a body in OpenAI's shape; the SDK is told to try again at once."""

    status: int
    message: str = "no"
    code: str = "some_code"
    retry_after: str | None = None
    """In seconds, as the header says it."""


@dataclass(frozen=True)
class Answers:
    """What `act` makes of the body of the request: a model whose reply depends on what it was shown."""

    act: "Callable[[dict[str, Any]], Act]"


@dataclass(frozen=True)
class Hangs:
    """No answer at all."""


@dataclass(frozen=True)
class Resets:
    """The connection is reset (RST) when the request has been read."""


@dataclass(frozen=True)
class Replies:
    """This body, whatever was asked."""

    body: str
    content_type: str = "application/json"


@dataclass(frozen=True)
class Embeds:
    """Word-bag vectors of `dimension`, `scale` long, in any order; `drop` of them left out."""

    dimension: int = 1536
    scale: float = 1.0
    drop: int = 0
    is_reversed: bool = False
    as_floats: bool = False


@dataclass(frozen=True)
class Reranks:
    """Scores in Cohere's shape, best first: what `score` makes of a document's text."""

    score: Callable[[str], float]


Act = Says | Fails | Hangs | Resets | Replies | Embeds | Reranks | Answers


@dataclass
class WireRequest:
    """One request as it arrived."""

    path: str
    """With the parameters of the address."""
    key: str
    body: dict[str, Any] = field(repr=False)


class Wire:
    """The server; a context manager. `url` is what an SDK takes as its base address."""

    def __init__(self, *plan: Act) -> None:
        self.plan: list[Act] = list(plan)
        self.received: list[WireRequest] = []
        self.released = threading.Event()
        """Set at the end, so that a handler that hangs can go home."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.wire = self  # type: ignore[attr-defined]
        self._server.daemon_threads = False
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_act(self) -> Act:
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        self._act(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self) -> None:
        self._act({})

    def _act(self, body: dict[str, Any]) -> None:
        wire: Wire = self.server.wire  # type: ignore[attr-defined]
        key = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        wire.received.append(WireRequest(self.path, key, body))
        self.close_connection = True
        act = wire.next_act()
        match act.act(body) if isinstance(act, Answers) else act:
            case Says() as says:
                self._stream(says, wire)
            case Fails() as failure:
                error = {"message": failure.message, "code": failure.code, "type": "t", "param": None}
                # OpenAI tells it in `error`, Cohere in `message`.
                text = json.dumps({"error": error, "message": failure.message})
                self._reply(text, status=failure.status, retry_after=failure.retry_after)
            case Hangs():
                wire.released.wait()
            case Resets():
                self._reset()
            case Replies(body=text, content_type=content_type):
                self._reply(text, content_type=content_type)
            case Embeds() as embeds:
                self._reply(json.dumps(_embeddings(embeds, body)))
            case Reranks() as reranks:
                self._reply(json.dumps(_rerank_reply(reranks, body)))

    def _reply(
        self, text: str, *, status: int = 200, content_type: str = "application/json", retry_after: str | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(text.encode())))
        self.send_header("retry-after-ms", "1")
        if retry_after is not None:
            self.send_header("Retry-After", retry_after)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())

    def _stream(self, says: Says, wire: Wire) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in says.pieces:
            wire.released.wait(says.pause)
            self._send_chunk(_event({"choices": [_choice({"role": "assistant", "content": piece})]}))
        for call in says.calls:
            self._send_chunk(_event({"choices": [_choice({"tool_calls": [call]})]}))
        self._end(says, wire)

    def _end(self, says: Says, wire: Wire) -> None:
        match says.then:
            case "finish":
                self._send_chunk(_event({"choices": [_choice({}, says.finish_reason)]}))
                if says.usage:
                    self._send_chunk(_event({"choices": [], "usage": _usage(says.usage)}))
                self._send_chunk(b"data: [DONE]\n\n")
                self._send_chunk(b"")
            case "stop":
                self._send_chunk(b"")
            case "reset":
                self._reset()
            case "hang":
                wire.released.wait()
            case "comments":
                while not wire.released.wait(0.02):
                    self._send_chunk(b": still at it\n\n")
                self._send_chunk(b"")
            case "garbage":
                self._send_chunk(b"data: {not json}\n\n")
                self._send_chunk(b"")
            case "error":
                self._send_chunk(_event({"error": {"message": "overloaded", "type": "server_error"}}))
                self._send_chunk(b"")

    def _reset(self) -> None:
        # A lingering time of 0 makes the close a RST.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _send_chunk(self, payload: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(payload), payload))
        self.wfile.flush()


def _choice(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(tokens: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}


def _event(fields: dict[str, Any]) -> bytes:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    return b"data: " + json.dumps(head | fields).encode() + b"\n\n"


def _embeddings(embeds: Embeds, body: dict[str, Any]) -> dict[str, Any]:
    vectors = HashEmbedder(embeds.dimension).embed(body["input"], "document") * np.float32(embeds.scale)
    as_base64 = body.get("encoding_format") == "base64" and not embeds.as_floats
    entries = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(vector.tobytes()).decode() if as_base64 else vector.tolist(),
        }
        for index, vector in enumerate(vectors)
    ]
    sent_entries = entries[: len(entries) - embeds.drop]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {
        "object": "list",
        "model": body["model"],
        "data": sent_entries[::-1] if embeds.is_reversed else sent_entries,
        "usage": usage,
    }


def _rerank_reply(reranks: Reranks, body: dict[str, Any]) -> dict[str, Any]:
    scores = [reranks.score(document) for document in body["documents"]]
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    results = [{"index": index, "relevance_score": scores[index]} for index in order]
    return {"id": "x", "results": results, "meta": {"api_version": {"version": "2"}}}
