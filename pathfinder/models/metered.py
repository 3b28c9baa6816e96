"""A chat model whose calls are counted, priced, bounded, and not paid for twice."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from pathfinder.errors import PathfinderError, ProviderError
from pathfinder.models.account import Account, Prices, Terms, estimated
from pathfinder.models.ports import ChatModel, PatientChat, Said, Tool, ToolChat, Turn
from pathfinder.models.reply_cache import KeptReply, ReplyCache, content_key
from pathfinder.types import Call, Usage

MAX_FAILURE = 200
"""Characters of what went wrong that a call keeps."""

STOPPED = "stopped before its end"


class MeteredChat:
    """Passes everything on to another chat model in the course of one operation. Threads may share it.

    Whoever asks the same several times over within an operation wants several replies, and gets them; the same
    operation asked again gets the same ones from the cache. There goes only what `keep` was called for.
    """

    def __init__(
        self,
        chat: ChatModel,
        purpose: str,
        *,
        limit_tokens: int | None = None,
        prices: Prices | None = None,
        cache: ReplyCache | None = None,
        account: Account | None = None,
    ) -> None:
        """`purpose` is what the calls are for, in a word; `limit_tokens` counts those read and written, of all calls
        together: once they are reached, no call is made. Calls that are under way are not cut. `account`: that of an
        operation under way, whose terms count instead of those given here."""
        self._chat, self._purpose = chat, purpose
        self._account = account or Account(Terms(prices, cache, limit_tokens))

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call that has come to its end, well or not, in that order, whatever it was for."""
        return self._account.calls

    @property
    def tokens(self) -> int:
        """Read and written so far, about where the provider does not say; remembered replies take none."""
        return self._account.tokens

    def under(self, purpose: str) -> "MeteredChat":
        """The same model and the same account, for another purpose."""
        return MeteredChat(self._chat, purpose, account=self._account)

    def patient(self, seconds: float, overrun: float = 0.0) -> "MeteredChat":
        """The same model and the same account, waited for no longer; as ever where the other model cannot be told."""
        chat = self._chat
        told = chat.patient(seconds, overrun) if isinstance(chat, PatientChat) else chat
        return MeteredChat(told, self._purpose, account=self._account)

    def keep(self) -> None:
        """Remember the replies of this operation: call it when they were of use, so that a bad one can be asked for
        again."""
        self._account.keep()

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """What the other model says; returns what it took, about where the provider does not say.

        Raises what the other model raises, and `BudgetSpent`.
        """
        said = yield from self._call(
            lambda: _as_said(self._chat.stream(system, prompt, temperature=temperature, max_tokens=max_tokens)),
            system + prompt,
            content_key(self.name, "stream", system, prompt, temperature, max_tokens),
        )
        return said.usage

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, Said]:
        """Like `stream`, with tools. Raises a `ProviderError` where the other model knows none."""
        chat = self._chat
        if not isinstance(chat, ToolChat):
            raise ProviderError(f"{self.name} knows no tools: choose another chat model, or another way of answering")
        return (
            yield from self._call(
                lambda: chat.converse(turns, tools, temperature=temperature, max_tokens=max_tokens),
                "".join(turn.text + _written(turn) for turn in turns) + repr(tools),
                content_key(self.name, "converse", list(turns), list(tools), temperature, max_tokens),
            )
        )

    def _call(
        self, begin: Callable[[], Generator[str, None, Said]], read: str, content: str
    ) -> Generator[str, None, Said]:
        account = self._account
        key = account.key(content)
        if (kept := account.remembered(key)) is not None:
            account.record(Call(self._purpose, self.name, 0.0, kept.said.usage, 0.0, is_cached=True))
            yield from kept.pieces
            return kept.said
        account.check_limit(self.name)
        start, pieces, usage = account.clock(), list[str](), None
        failure: str | None = STOPPED
        try:
            said = yield from _noted(begin(), pieces)
            usage = said.usage or estimated(read, "".join(pieces) + _written(said))
            failure = None
        except PathfinderError as error:
            failure = str(error)[:MAX_FAILURE]
            raise
        finally:
            if failure and pieces:
                usage = estimated(read, "".join(pieces))
            account.record(Call(self._purpose, self.name, account.clock() - start, usage, failure=failure))
        said = replace(said, usage=usage)
        account.add_reply(key, KeptReply(tuple(pieces), said))
        return said


def settled(meter: MeteredChat | None, notes: Sequence[str]) -> tuple[Call, ...]:
    """The calls of an operation that is over. Its replies are remembered, unless a note says of the model what went
    wrong: then it can be asked again."""
    if meter is None:
        return ()
    if not any(meter.name in note for note in notes):
        meter.keep()
    return meter.calls


def _written(said: Said | Turn) -> str:
    """The tool calls as text, to count them."""
    return "".join(f"{call.name}{dict(call.arguments)}" for call in said.calls)


def _as_said(reply: Generator[str, None, Usage | None]) -> Generator[str, None, Said]:
    usage = yield from reply
    return Said("", usage=usage)


def _noted(reply: Generator[str, None, Said], pieces: list[str]) -> Generator[str, None, Said]:
    """`reply`, its pieces noted as they come."""
    try:
        while True:
            try:
                piece = next(reply)
            except StopIteration as end:
                said: Said = end.value
                return said
            pieces.append(piece)
            yield piece
    finally:
        reply.close()  # whoever stops reading lets the connection go
