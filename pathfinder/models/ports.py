"""The ports of the models: what Pathfinder needs from an embedder, a chat model, a reranker and a moderator; and an
embedder whose key is missing, which knows enough about the model to open a corpus made with it.
"""

import math
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import MissingKey
from pathfinder.types import Usage

Vectors = NDArray[np.float32]
"""Unit vectors, shape (n, dimension)."""

Kind = Literal["query", "document"]
"""Role of a text in a search; some models encode queries and documents differently."""


class Moderator(Protocol):
    """Decides which questions are accepted."""

    def check(self, question: str) -> None:
        """Raise a `PathfinderError` for a question that is not accepted."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their cosine similarity."""

    @property
    def name(self) -> str:
        """Name as `vendor:model`, such as `local:all-MiniLM-L6-v2`, which is recorded in the corpus and shown in
        badges.
        """

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    @property
    def max_tokens(self) -> int:
        """Maximum number of tokens read from a text; any further tokens are not embedded."""

    def is_cut(self, text: str) -> bool:
        """Return whether `text` is longer than `max_tokens`, so that its end is not embedded."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed `texts`, in order.

        Some models encode queries and documents differently, so the caller specifies the kind. Returns float32 of shape
        (len(texts), dimension), each row of length 1.
        """


@runtime_checkable
class RemoteModel(Protocol):
    """A model that may be reached over a network, so that a caller may have to wait."""

    @property
    def is_remote(self) -> bool:
        """True if calls leave this machine."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The vectors of one text's tokens, before they are pooled into a single vector.

    Only tokens that were read are included: if a text is truncated, there are none after the cut.
    """

    vectors: NDArray[np.float32]
    """Vectors of any length, shape (n, dimension); their normalised mean is the vector of the text."""
    ids: NDArray[np.int32]
    """Index of each token in the model's vocabulary, shape (n,)."""
    spans: NDArray[np.int32]
    """Span of each token, `text[start:end]`, shape (n, 2); empty for tokens added by the model."""


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also provides the vectors of a text's tokens."""

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the tokens of each of `texts`, in order."""

    def embed_with_tokens(self, texts: Sequence[str], kind: Kind) -> tuple[Vectors, list[TokenVectors]]:
        """Return what `embed` and `embed_tokens` would return, computed in a single pass; the vectors are those of
        `embed` to the last bit.
        """


@runtime_checkable
class RoundedEmbedder(Embedder, Protocol):
    """An embedder that can also compute at lower precision: faster, with vectors that differ slightly."""

    @property
    def precision(self) -> str:
        """Number format in which it computes, such as "float32" or "int8"."""

    def for_building(self) -> Self:
        """Return the version of this model that embeds the many papers in a corpus; its vectors can be searched with
        queries that this model embeds.
        """


@runtime_checkable
class FiledEmbedder(Embedder, Protocol):
    """An embedder made of files that somebody could exchange for others under the same name."""

    @property
    def files(self) -> Mapping[str, str]:
        """SHA-256 of every file on which the vectors depend, by its path in the model's folder."""


@runtime_checkable
class BoundedEmbedder(Embedder, Protocol):
    """An embedder whose vectors have no large coordinates, so that one byte is enough for each coordinate."""

    @property
    def largest_coordinate(self) -> float:
        """Upper limit on the absolute values of its vectors' coordinates."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Estimated cost of embedding, shown before it starts."""

    tokens: int
    """Approximate number of tokens that will be billed."""
    dollars: float
    """Price in US dollars."""
    priced_on: str
    """Date of that price."""


@runtime_checkable
class PricedEmbedder(Embedder, Protocol):
    """An embedder that costs money."""

    def estimate(self, texts: Iterable[str]) -> CostEstimate:
        """Estimate the cost of embedding `texts`."""


@runtime_checkable
class ChatModel(Protocol):
    """Writes text from a prompt: the least that a plug-in provides.

    A model that supports tools also has `converse`, with the signature of `Chat.converse`, and one that knows how much
    it can read has `context_tokens`. A plug-in that does more, such as keeping to a time limit or to the form of a
    reply, returns a `Chat` (`pathfinder.llm.chat`).
    """

    @property
    def name(self) -> str:
        """Name as `vendor:model`, such as `openai:gpt-4o-mini`."""

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply chunk by chunk; return its usage, if the provider reports it.

        If `temperature` or `max_tokens` (the limit for the reply) is `None`, the provider's own value applies. A reply
        cut off at `max_tokens` is still a valid reply. Raises a `ProviderError` if the call fails; it is a
        `BrokenStream` if the reply stops midway.
        """


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a chat model may call."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON schema of the arguments."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call by a chat model, not yet checked."""

    call_id: str
    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation with tools."""

    role: Literal["system", "human", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Tool calls made in an assistant's turn."""
    call_id: str | None = None
    """Id of the call that a tool's turn answers; `None` for other turns."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A complete reply in a conversation with tools."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    """Tool calls in the reply; empty if the model has nothing more to look up."""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """Form of a JSON reply, for servers that can make a model keep to it."""

    name: str
    schema: Mapping[str, object]
    """JSON schema of the reply."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a chat model is asked for."""

    turns: tuple[Turn, ...]
    """The conversation so far; a system prompt, if any, comes first."""
    tools: tuple[Tool, ...] = ()
    """Tools that the model may call in its reply."""
    temperature: float | None = None
    """Randomness of the reply; `None` for the provider's own value."""
    max_tokens: int | None = None
    """Maximum number of tokens in the reply, `None` for the provider's own limit; a reply cut off there is valid."""
    form: ReplyForm | None = None
    """Form of the reply; it must still be parsed strictly, because not every server supports this."""
    begins: float = math.inf
    """Maximum number of seconds until the reply begins. All waiting counts, including retries; `TimeSpent` is raised if
    it is late.
    """
    ends: float = math.inf
    """Maximum number of seconds until the reply ends."""


@runtime_checkable
class Reranker(Protocol):
    """Reads a question together with a document, and scores how well the document answers the question."""

    @property
    def name(self) -> str:
        """Name as `vendor:model`, such as `cohere:rerank-v3.5`."""

    def rerank(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        """Return one finite score for each document, in order, as an array of shape (n,); higher is better.

        Raises a `ProviderError` rather than making up a score.
        """


@dataclass(frozen=True, slots=True)
class KeylessEmbedder:
    """Stand-in for an embedder whose key is missing; it embeds nothing."""

    name: str
    dimension: int
    max_tokens: int
    problem: str
    """Error message, which names the missing key and says what to do."""

    def is_cut(self, text: str) -> bool:
        """Return false, because nothing is embedded."""
        return False

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Raise `MissingKey`."""
        raise MissingKey(self.problem)
