"""Models without weights, for tests and notebooks: vectors that can be worked out by hand, and scripted replies."""

import hashlib
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.models.ports import ChatReply, Kind, Tool, ToolCall, Turn, Vectors
from pathfinder.settings import Settings
from pathfinder.types import Usage

DEFAULT_DIMENSION = 64
MAX_WORDS = 256


class HashEmbedder:
    """A bag of words as a vector: the normalised sum of one fixed direction per word.

    Texts with the same words, in any order and case, have cosine 1; texts with no word in common have a cosine near 0
    (random directions: a standard deviation of 1/sqrt(dimension)). The vectors are the same in every process and on
    every machine. A text without words has its own direction.
    """

    max_tokens = MAX_WORDS

    def __init__(self, dimension: int = DEFAULT_DIMENSION) -> None:
        # In one dimension, half of all pairs of words would cancel.
        if dimension < 2:
            raise UsageError(f"the dimension of a HashEmbedder must be at least 2, got {dimension}")
        self.dimension = dimension

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Create the embedder named `fake:hash-DIMENSION`."""
        match = re.fullmatch(r"hash-([1-9]\d{0,4})", model)
        if match is None:
            raise UsageError(
                f"there is no fake embedder {model!r}: write fake:hash-{DEFAULT_DIMENSION}, or another dimension"
            )
        return cls(int(match[1]))

    @property
    def name(self) -> str:
        return f"fake:hash-{self.dimension}"

    def is_cut(self, text: str) -> bool:
        return len(_words(text)) > MAX_WORDS

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed the first 256 words of each text; queries and documents are treated alike."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            words = _words(text)[:MAX_WORDS] or [""]
            vector_sum = np.sum([self._direction(word) for word in words], axis=0)
            vectors[row] = vector_sum / np.linalg.norm(vector_sum)
        return vectors

    def _direction(self, word: str) -> NDArray[np.float64]:
        digest = hashlib.shake_256(word.encode("utf-8", "surrogatepass")).digest(self.dimension)
        # Bytes are in 0..255: after subtracting 127.5 they lie evenly around 0, and none of them is 0.
        direction = np.frombuffer(digest, dtype=np.uint8) - 127.5
        return direction / np.linalg.norm(direction)


class WordReranker:
    """Scores a document by the fraction of the query's words that it contains, in [0, 1]; 0 if the query has none."""

    name = "fake:words"

    @classmethod
    def from_settings(cls, model: str, _settings: Settings) -> Self:
        """Create the reranker named `fake:words`."""
        if model != "words":
            raise UsageError(f"there is no fake reranker {model!r}: write fake:words")
        return cls()

    def rerank(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        """Return one score for each document, in order."""
        query_words = set(_words(query))
        n_shared = [len(query_words & set(_words(document))) for document in documents]
        return np.array(n_shared, dtype=np.float64) / max(len(query_words), 1)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@dataclass(frozen=True, slots=True)
class Reply:
    """A single reply of a `ScriptedChat`: the words of `text` one by one, followed by `error`, if there is one."""

    text: str
    error: PathfinderError | None = None
    calls: tuple[ToolCall, ...] = ()
    """Tool calls in the reply, in a conversation with tools."""
    usage: Usage | None = None


Script = Iterable[str | Reply] | Mapping[str, str | Reply] | Callable[[str], str | Reply]
"""Replies in order, replies by a part of the prompt (the first that matches counts), or a function from the whole
prompt to its reply.
"""


class ScriptedChat:
    """A chat model that follows a script, word by word; it may be shared by several callers.

    If they call at the same time, it is a matter of chance which of them gets which reply: in that case, script the
    replies by prompt.
    """

    name = "fake:scripted"

    def __init__(self, script: Script) -> None:
        self._reply_to = _reader(script)
        self._lock = Lock()
        self.received: list[tuple[str, str]] = []
        """The `(system, prompt)` of every call, in order."""
        self.settings: list[tuple[float | None, int | None]] = []
        """The `(temperature, max_tokens)` of every call, in the same order."""

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the words of the reply, each with the white space that follows it. Raises the error of the reply, if it
        has one.
        """
        return _speak(self._reply(system, prompt, temperature, max_tokens))

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield and return as `stream` does; the reply is looked up by all turns except the system's, one per line."""
        system = "\n".join(turn.text for turn in turns if turn.role == "system")
        prompt = "\n".join(turn.text for turn in turns if turn.role != "system")
        reply = self._reply(system, prompt, temperature, max_tokens)

        def converse() -> Generator[str, None, ChatReply]:
            usage = yield from _speak(reply)
            return ChatReply(reply.text, reply.calls, usage)

        return converse()

    def _reply(self, system: str, prompt: str, temperature: float | None, max_tokens: int | None) -> Reply:
        with self._lock:
            self.received.append((system, prompt))
            self.settings.append((temperature, max_tokens))
            reply = self._reply_to(prompt)
            if reply is None:
                raise AssertionError(f"the script has no reply left for call {len(self.received)}: add one")
        return Reply(reply) if isinstance(reply, str) else reply


def _reader(script: Script) -> Callable[[str], str | Reply | None]:
    """Return a function from a prompt to its reply; it returns `None` if the script has no reply."""
    if callable(script):
        return script
    if isinstance(script, Mapping):
        return lambda prompt: next((reply for part, reply in script.items() if part in prompt), None)
    replies = iter(script)
    return lambda _: next(replies, None)


def _speak(reply: Reply) -> Generator[str, None, Usage | None]:
    yield from re.findall(r"\s*\S+\s*|\s+", reply.text)
    if reply.error is not None:
        raise reply.error
    return reply.usage
