"""Replies of chat models by the content of what was asked, so that the same question is not paid for twice."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from pathfinder.models.ports import Said

MAX_REPLIES = 1000


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A whole reply as it came."""

    pieces: tuple[str, ...]
    said: Said


class ReplyCache:
    """The latest replies of one chat model at one address, in this process only. Threads may share it.

    Callers see to it that a cache serves one model: two servers may give the same name to different ones.
    """

    def __init__(self, max_replies: int = MAX_REPLIES) -> None:
        self._max_replies, self._lock = max_replies, Lock()
        self._kept: OrderedDict[str, KeptReply] = OrderedDict()

    def get(self, key: str) -> KeptReply | None:
        """The reply under `key`; `None` where there is none, or it has made room for others."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, replies: Mapping[str, KeptReply]) -> None:
        """Remember `replies` by their keys; beyond `max_replies`, those go that were not used for longest."""
        with self._lock:
            self._kept |= replies
            while len(self._kept) > self._max_replies:
                self._kept.popitem(last=False)

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)


def content_key(*content: object) -> str:
    """A key for what is asked: SHA-256 of its JSON; what JSON does not know is told by its `repr`."""
    text = json.dumps(content, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
