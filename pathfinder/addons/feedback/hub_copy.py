"""A copy of all judgements in a private data set on the Hugging Face Hub, because a Space restarts with an empty disk.

The file in the data set is rewritten from the store before each push, and its history is squashed, so that judgements
that were withdrawn or are too old disappear from it too. A store that does not exist yet is filled from the data set.
"""

import datetime
from pathlib import Path
from typing import Any

import httpx
from huggingface_hub import CommitScheduler, HfApi
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError

from pathfinder.addons.feedback.judgements import JUDGEMENT, FeedbackStore
from pathfinder.errors import ProviderError, StoreError
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import parse_as

FILE_NAME = "judgements.jsonl"
EVERY_MINUTES = 5.0


def hub(token: str) -> HfApi:
    """Return the interface to the Hub with a token that allows writing."""
    return HfApi(token=token)


class HubCopy(CommitScheduler):
    """Pushes the judgements of a store every few minutes from a separate thread, and when `trigger` is called."""

    def __init__(
        self, data: Path, data_set: str, api: HfApi, *, keep_days: int, every_minutes: float = EVERY_MINUTES
    ) -> None:
        """`data` is the owner's folder, and `data_set` the id of the data set on the Hub, `owner/name`; a private one
        is created if it does not exist.

        Raises `ProviderError` if the Hub cannot be reached or refuses access, and `StoreError` if the file in the
        data set is not a copy of judgements. In either case, nothing is pushed.
        """
        self._store, self._keep_days = FeedbackStore(data), keep_days
        folder = data / "hub"
        try:
            api.create_repo(data_set, repo_type="dataset", private=True, exist_ok=True)
            if not self._store.database.exists:
                _fill(self._store, data_set, api, folder)
            super().__init__(
                repo_id=data_set,
                folder_path=folder,
                every=every_minutes,
                repo_type="dataset",
                private=True,
                allow_patterns=FILE_NAME,
                squash_history=True,
                hf_api=api,
            )
        except (HfHubHTTPError, httpx.HTTPError, OSError) as error:
            raise ProviderError(
                f"feedback is not copied to the data set {data_set!r} ({type(error).__name__}): check its name, and "
                "that HF_TOKEN allows writing to it; judgements are stored on this machine only"
            ) from error

    def push_to_hub(self) -> Any:
        """Rewrite the file if a judgement was added, withdrawn or forgotten, and push it."""
        self._store.forget_before(datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=self._keep_days))
        text = "".join(f"{JUDGEMENT.dump_json(each).decode()}\n" for each in self._store.judgements())
        path = Path(self.folder_path, FILE_NAME)
        with self.lock:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                write_file(path, text, private=True)
        return super().push_to_hub()


def _fill(store: FeedbackStore, data_set: str, api: HfApi, folder: Path) -> None:
    """Add the judgements in the data set to a new store; if the data set has none, the store stays as it is."""
    try:
        path = api.hf_hub_download(data_set, FILE_NAME, repo_type="dataset", local_dir=folder)
    except EntryNotFoundError:
        return
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        try:
            store.add(parse_as(JUDGEMENT, line, strict=True))
        except ValueError as error:
            raise StoreError(
                f"line {number} of {FILE_NAME} in the data set {data_set!r} is not a judgement: move the file elsewhere"
            ) from error
