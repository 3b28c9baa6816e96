"""A chat model in a file on this machine: llama.cpp runs it, and is called like any other server."""

import math
import struct
from collections.abc import Callable, Generator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO, Self

from pathfinder.errors import ProviderError
from pathfinder.llm.langchain_chat import LangChainChat
from pathfinder.models.llama_server import LlamaOptions, LlamaServer, server_for, usable_cores
from pathfinder.models.ports import ChatReply, ReplyForm, Tool, Turn
from pathfinder.settings import MIN_CONTEXT, Settings
from pathfinder.types import Usage

MAX_CONTEXT = 8_192
"""Context length in tokens, used if none is set and the model was trained for a longer one: a longer context takes more
memory, and a CPU takes minutes to read a prompt of that length.
"""

PATIENCE_SECONDS = 600.0
"""Minimum time to wait for the first word: a CPU reads a long prompt at 10 to 100 tokens a second. The question's
budget may end the wait earlier.
"""


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A model file, as described by its header."""

    path: Path
    n_bytes: int
    architecture: str
    """Name of the model's architecture, such as "llama"."""
    context_tokens: int | None
    """Number of tokens that the model was trained to read; `None` if the file does not say."""


class GgufChat:
    """A chat model from a GGUF file. Nothing is read or started before the first reply is requested."""

    def __init__(
        self, path: Path, settings: Settings, server_of: Callable[[LlamaOptions], LlamaServer] = server_for
    ) -> None:
        self.name = f"gguf:{path.stem}"
        """Name without the file's folders, which are private to the owner."""
        self._path, self._settings, self._server_of = path, settings, server_of
        self.waits = (math.inf, math.inf)
        """Maximum number of seconds until a reply begins, and until it ends."""
        self.form: ReplyForm | None = None
        """Form of the replies; `None` for plain text."""

    @classmethod
    def from_settings(cls, model: str, settings: Settings) -> Self:
        """Create the chat model in the file `model`. Raises `ProviderError` if no file is named."""
        if not model.strip():
            raise ProviderError("gguf: names no file: write gguf:/path/to/model.gguf in PATHFINDER_CHAT_MODEL")
        return cls(Path(model.strip()).expanduser(), settings)

    @property
    def context_tokens(self) -> int | None:
        """Maximum number of tokens in prompt and reply together; `None` for a file that cannot be read."""
        try:
            return self._options.context_tokens
        except ProviderError:
            return None

    @property
    def loading(self) -> str | None:
        """Progress of loading; `None` if nothing is being loaded."""
        try:
            seconds = self._server_of(self._options).loading_seconds
        except ProviderError:
            return None
        size = f"{self._file.n_bytes / 1e6:,.0f} MB"
        return None if seconds is None else f"loading {self._path.stem} ({size}), {seconds:.0f} s"

    def with_deadline(self, seconds: float, overrun: float = 0.0) -> Self:
        """Return the same model with a deadline; loading counts towards it."""
        begins, ends = self.waits
        other = copy(self)
        other.waits = (min(begins, seconds), min(ends, seconds + overrun))
        return other

    def with_form(self, form: ReplyForm) -> Self:
        """Return the same model, made to keep to `form` by llama.cpp."""
        other = copy(self)
        other.form = form
        return other

    def stream(
        self, system: str, prompt: str, *, temperature: float | None = None, max_tokens: int | None = None
    ) -> Generator[str, None, Usage | None]:
        """Yield the reply in chunks; return its usage.

        Raises a `ProviderError` for a file that cannot be used, `MissingDependency` if llama.cpp is not installed, and
        the errors of `LangChainChat.stream`.
        """
        chat = self._chat()
        return (yield from chat.stream(system, prompt, temperature=temperature, max_tokens=self._most(max_tokens)))

    def converse(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> Generator[str, None, ChatReply]:
        """Yield the next turn in chunks; return the complete turn. Raises the same errors as `stream`."""
        chat = self._chat()
        return (yield from chat.converse(turns, tools, temperature=temperature, max_tokens=self._most(max_tokens)))

    def _chat(self) -> LangChainChat:
        """Return a client for the running server, loading the model if needed."""
        server = self._server_of(self._options)
        begins, ends = self.waits
        address = server.address(begins)
        chat = LangChainChat(
            f"openai:{self._path.stem}",
            api_key=server.key,
            base_url=f"{address}/v1",
            timeout_seconds=max(self._settings.chat_timeout_seconds, PATIENCE_SECONDS),
            context_tokens=self._options.context_tokens,
            label=self.name,
        )
        chat = chat if self.form is None else chat.with_form(self.form)
        return chat if math.isinf(ends) else chat.with_deadline(begins, ends - begins)

    def _most(self, max_tokens: int | None) -> int:
        limit = self._options.reply_tokens
        return limit if max_tokens is None else min(max_tokens, limit)

    @cached_property
    def _file(self) -> GgufFile:
        return read_gguf(self._path)

    @property
    def _options(self) -> LlamaOptions:
        settings = self._settings
        context = settings.chat_context or max(min(self._file.context_tokens or MAX_CONTEXT, MAX_CONTEXT), MIN_CONTEXT)
        return LlamaOptions(
            self._file.path,
            context,
            settings.chat_slots,
            settings.chat_threads or usable_cores(),
            min(settings.chat_reply_tokens, context // 4),
            settings.chat_seed,
        )


# Reads the header of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): enough to reject a file
# that is not a model, or is truncated, before anything is loaded.

MAGIC = b"GGUF"
VERSIONS = (2, 3)
"""Versions with 64-bit lengths; version 1 was replaced in August 2023."""
MAX_COUNT = 1_000_000
"""Maximum plausible number of entries, tensors or dimensions: a larger one means that the file is damaged."""

_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Size in bytes of a value of each type, except strings and arrays."""
_INTEGERS = {4: "<I", 5: "<i", 10: "<Q", 11: "<q"}


class _DamagedHeader(Exception):
    """Raised if the header cannot be read any further."""


def read_gguf(path: Path) -> GgufFile:
    """Read the file's header. Raises `ProviderError` for a file that is missing, truncated, or not a GGUF model."""
    try:
        with path.open("rb") as file:
            n_bytes = path.stat().st_size
            return _read(path, file, n_bytes)
    except FileNotFoundError:
        raise ProviderError(f"there is no model file {path}: check the path in PATHFINDER_CHAT_MODEL") from None
    except IsADirectoryError:
        raise ProviderError(f"{path} is a folder: set PATHFINDER_CHAT_MODEL to the .gguf file inside it") from None
    except OSError as error:
        raise ProviderError(f"the model file {path} cannot be read ({error.strerror}): check its permissions") from None


def _read(path: Path, file: BinaryIO, n_bytes: int) -> GgufFile:
    if file.read(4) != MAGIC:
        raise ProviderError(
            f"{path} is no GGUF file: it does not begin with GGUF; download a model in that format, such as "
            "SmolLM2-135M-Instruct.Q4_1.gguf"
        )
    try:
        version = _number(file, "<I")
        if version not in VERSIONS:
            raise ProviderError(
                f"{path} is in version {version} of GGUF, but only versions 2 and 3 can be read: download it again"
            )
        n_tensors, n_entries = _count(file), _count(file)
        entries = dict(_entry(file) for _ in range(n_entries))
        last = max((_tensor(file) for _ in range(n_tensors)), default=0)
    except _DamagedHeader:
        raise ProviderError(
            f"{path} is cut off or damaged: its {n_bytes:,} bytes end before its list of tensors; download it again"
        ) from None
    if file.tell() + last >= n_bytes:
        raise ProviderError(
            f"{path} is cut off: it has {n_bytes:,} bytes, and its last tensor begins at byte {file.tell() + last:,} "
            "or later; download it again"
        )
    architecture = str(entries.get("general.architecture", "unknown"))
    context = entries.get(f"{architecture}.context_length")
    return GgufFile(path, n_bytes, architecture, context if isinstance(context, int) else None)


def _entry(file: BinaryIO) -> tuple[str, str | int | None]:
    """Read a key and its value, if that is a string or a whole number; any other value is skipped."""
    key = _text(file)
    return key, _value(file, _number(file, "<I"))


def _value(file: BinaryIO, kind: int) -> str | int | None:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        inner, n = _number(file, "<I"), _count(file)
        skip = partial(_skip, file, _SIZES[inner] * n) if inner in _SIZES else partial(_skip_values, file, inner, n)
        skip()
        return None
    if kind in _INTEGERS:
        return _number(file, _INTEGERS[kind])
    if kind not in _SIZES:
        raise _DamagedHeader
    _skip(file, _SIZES[kind])
    return None


def _skip_values(file: BinaryIO, kind: int, n: int) -> None:
    for _ in range(n):
        _value(file, kind)


def _tensor(file: BinaryIO) -> int:
    """Read the description of a tensor; return the position of its data, counted from the end of the header."""
    _text(file)
    n_dimensions = _number(file, "<I")
    _skip(file, 8 * min(n_dimensions, MAX_COUNT) + 4)
    return _number(file, "<Q")


def _text(file: BinaryIO) -> str:
    return _bytes(file, _count(file)).decode("utf-8", "replace")


def _count(file: BinaryIO) -> int:
    n = _number(file, "<Q")
    if n > MAX_COUNT:
        raise _DamagedHeader
    return n


def _number(file: BinaryIO, form: str) -> int:
    (number,) = struct.unpack(form, _bytes(file, struct.calcsize(form)))
    return int(number)


def _skip(file: BinaryIO, n: int) -> None:
    file.seek(n, 1)


def _bytes(file: BinaryIO, n: int) -> bytes:
    content = file.read(n)
    if len(content) < n:
        raise _DamagedHeader
    return content
