"""Caches chat replies by the content of the request, so that the same request is paid for only once."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from pathfinder.models.ports import ChatReply

MAX_REPLIES = 1000


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A complete reply, as it was received."""

    chunks: tuple[str, ...]
    reply: ChatReply

    @property
    def text(self) -> str:
        """The text of the reply, without surrounding white space."""
        return "".join(self.chunks).strip()


class ReplyCache:
    """Most recent replies of one chat model at one address, in this process only. Threads may share it.

    A cache must serve one model only: two servers may give different models the same name.
    """

    def __init__(self, max_replies: int = MAX_REPLIES) -> None:
        self._max_replies, self._lock = max_replies, Lock()
        self._replies: OrderedDict[str, StoredReply] = OrderedDict()

    def get(self, key: str) -> StoredReply | None:
        """Return the reply stored under `key`; `None` if there is none or it was dropped."""
        with self._lock:
            if key in self._replies:
                self._replies.move_to_end(key)
            return self._replies.get(key)

    def store(self, replies: Mapping[str, StoredReply]) -> None:
        """Store `replies` by their keys. Beyond `max_replies`, the least recently used ones are dropped."""
        with self._lock:
            self._replies |= replies
            while len(self._replies) > self._max_replies:
                self._replies.popitem(last=False)

    def __len__(self) -> int:
        with self._lock:
            return len(self._replies)


def content_key(*content: object) -> str:
    """Make a key for a request: the SHA-256 of its JSON; values that JSON cannot express appear as their `repr`."""
    text = json.dumps(content, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
