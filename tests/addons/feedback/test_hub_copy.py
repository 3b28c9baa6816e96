"""The copy of feedback in a data set: it follows the store, withdrawals included, and fills a new one."""

import datetime
import json
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from huggingface_hub.errors import EntryNotFoundError

from pathfinder.addons.feedback.hub_copy import FILE_NAME, HubCopy
from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.errors import ProviderError, StoreError
from tests.feedback_made import JUDGED

TODAY = datetime.datetime.now(datetime.UTC).date()
NEVER = 10**6


class Hub:
    """A Hub with one data set, which does everything at once."""

    def __init__(self) -> None:
        self.commits: list[tuple[str, bool]] = []
        self.text: str | None = None
        self.n_squashed = 0
        self.is_down = False

    def create_repo(self, repo_id, *, repo_type, private, exist_ok):
        if self.is_down:
            raise OSError("no route to host")
        assert (repo_type, exist_ok) == ("dataset", True)
        self.commits.append((repo_id, private))
        return SimpleNamespace(repo_id=repo_id)

    def hf_hub_download(self, repo_id, filename, *, repo_type, local_dir):
        if self.text is None:
            raise EntryNotFoundError("no such file")
        Path(local_dir).mkdir(parents=True, exist_ok=True)
        Path(local_dir, filename).write_text(self.text)
        return str(Path(local_dir, filename))

    def create_commit(self, *, repo_id, repo_type, operations, commit_message, revision):
        (operation,) = operations
        assert operation.path_in_repo == FILE_NAME
        with operation.as_file() as file:
            self.text = file.read().decode()

    def super_squash_history(self, *, repo_id, repo_type, branch):
        self.n_squashed += 1

    def run_as_future(self, work):
        future: Future = Future()
        future.set_result(work())
        return future

    @property
    def codes(self):
        return [json.loads(line)["code"] for line in (self.text or "").splitlines()]


def copy_to_hub(data, hub):
    return HubCopy(data, "owner/feedback", hub, keep_days=365, every_minutes=NEVER)


def test_a_withdrawn_judgement_is_gone_from_the_data_set_after_the_next_push(tmp_path):
    store, hub = FeedbackStore(tmp_path), Hub()
    for code in ("code-1", "code-2"):
        store.add(replace(JUDGED, code=code, day=TODAY))
    copy = copy_to_hub(tmp_path, hub)
    copy.trigger().result()
    assert hub.codes == ["code-1", "code-2"]
    store.withdraw("code-1")
    copy.trigger().result()
    copy.stop()
    assert hub.codes == ["code-2"]
    assert {private for _, private in hub.commits} == {True}
    assert hub.n_squashed >= 2


def test_judgements_that_are_too_old_are_forgotten_here_and_there(tmp_path):
    store, hub = FeedbackStore(tmp_path), Hub()
    store.add(replace(JUDGED, code="old", day=TODAY - datetime.timedelta(days=400)))
    store.add(replace(JUDGED, code="new", day=TODAY))
    copy = copy_to_hub(tmp_path, hub)
    copy.trigger().result()
    copy.stop()
    assert hub.codes == ["new"] == [each.code for each in store.judgements()]


def test_a_new_store_is_filled_from_the_data_set_and_an_old_one_is_not(tmp_path):
    store, hub = FeedbackStore(tmp_path / "before"), Hub()
    store.add(replace(JUDGED, day=TODAY))
    copy = copy_to_hub(tmp_path / "before", hub)
    copy.trigger().result()
    copy.stop()
    after = FeedbackStore(tmp_path / "after")
    copy_to_hub(tmp_path / "after", hub).stop()
    assert after.judgements() == store.judgements()
    after.withdraw(JUDGED.code)
    copy_to_hub(tmp_path / "after", hub).stop()
    assert after.judgements() == ()


def test_a_hub_that_is_down_is_said_and_judgements_are_stored_here(tmp_path):
    store, hub = FeedbackStore(tmp_path), Hub()
    hub.is_down = True
    with pytest.raises(ProviderError, match=r"'owner/feedback'.*OSError.*HF_TOKEN"):
        copy_to_hub(tmp_path, hub)
    store.add(JUDGED)
    assert len(store.judgements()) == 1


def test_a_file_that_is_no_copy_is_left_alone(tmp_path):
    hub = Hub()
    hub.text = "a table of somebody's\n"
    with pytest.raises(StoreError, match=r"1.*judgements\.jsonl.*'owner/feedback'"):
        copy_to_hub(tmp_path, hub)
    assert hub.text == "a table of somebody's\n"
