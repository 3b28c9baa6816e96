"""The doors that models come through: what Pathfinder asks of an embedder and of a chat model."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Usage

Vectors = NDArray[np.float32]
"""Unit vectors, shape (n, dimension)."""

Kind = Literal["query", "document"]
"""Which side of a search a text stands on: some models treat the two differently."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their cosine similarity."""

    @property
    def name(self) -> str:
        """What the corpus records and the badge shows: `vendor:model`, such as `local:all-MiniLM-L6-v2`."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    @property
    def max_tokens(self) -> int:
        """How much of a text is read; what comes after is not embedded."""

    def is_cut(self, text: str) -> bool:
        """Whether `text` is longer than `max_tokens`, so that its end is not embedded."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Embed `texts` in their order.

        A query and a document go through different encoders in some models, so the caller says which
        it has. Returns float32 of shape (len(texts), dimension), each row of length 1.
        """


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """What a model makes of each token of one text, before it makes one vector of them all.

    Only the tokens that were read: a text that is cut has none behind its cut.
    """

    vectors: NDArray[np.float32]
    """Shape (n, dimension), of any length: their normalised mean is the text's vector."""
    ids: NDArray[np.int32]
    """Places in the model's vocabulary, shape (n,)."""
    spans: NDArray[np.int32]
    """Where each token lies, shape (n, 2): `text[start:end]`; empty for marks that the model adds."""


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also tells the vectors of a text's tokens."""

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each of `texts`, in their order."""

    def embed_with_tokens(self, texts: Sequence[str], kind: Kind) -> tuple[Vectors, list[TokenVectors]]:
        """What `embed` gives, to the last bit, and what `embed_tokens` gives, for the price of one."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What embedding costs, told before it starts."""

    tokens: int
    """About how many will be counted."""
    dollars: float
    """Their price in US dollars."""
    priced_on: str
    """When that price was looked up."""


@runtime_checkable
class PricedEmbedder(Embedder, Protocol):
    """An embedder that someone is paid for."""

    def estimate(self, texts: Iterable[str]) -> CostEstimate:
        """What embedding `texts` will cost, about."""


@runtime_checkable
class ChatModel(Protocol):
    """Writes text from a prompt."""

    @property
    def name(self) -> str:
        """`vendor:model`, such as `openai:gpt-4o-mini`."""

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply piece by piece; return what it took, where the provider says it.

        `temperature` is how far the model strays and `max_tokens` how long the reply may be; `None`: the
        provider's own. A reply that `max_tokens` ends is a reply. Raises a `ProviderError`; `BrokenStream` if it
        stops midway.
        """


@dataclass(frozen=True, slots=True)
class Tool:
    """What a chat model may ask to have done."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON schema of its arguments."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a chat model asks to have done; nothing of it has been checked."""

    call_id: str
    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation with tools."""

    role: Literal["system", "human", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant."""
    call_id: str | None = None
    """Of a tool: the call that it answers."""


@dataclass(frozen=True, slots=True)
class Said:
    """A whole reply in a conversation with tools."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    """None: the model has nothing more to look up."""
    usage: Usage | None = None


@runtime_checkable
class ToolChat(ChatModel, Protocol):
    """A chat model that can ask for tools."""

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, Said]:
        """Yield the words of the next turn as they come; return it whole, with the tools that it asks for.

        Raises a `ProviderError`, also for a model or provider that knows no tools.
        """


@runtime_checkable
class PatientChat(ChatModel, Protocol):
    """A chat model that can be told how long it is waited for."""

    def patient(self, seconds: float, overrun: float = 0.0) -> Self:
        """The same model, each of whose replies begins within `seconds` and ends within `overrun` more.

        All that a call waits for counts, tries after the first one too. What comes later is dropped, and a
        `TimeSpent` raised. Told twice, the shorter time counts.
        """


@runtime_checkable
class Reranker(Protocol):
    """Reads question and document together, and says how far the one answers the other."""

    @property
    def name(self) -> str:
        """`vendor:model`, such as `cohere:rerank-v3.5`."""

    def rerank(self, query: str, documents: Sequence[str]) -> NDArray[np.float64]:
        """One score for each document in the documents' order, shape (n,), finite; higher is better.

        Raises a `ProviderError`, and never gives a score that the model did not.
        """
