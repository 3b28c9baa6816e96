"""The pace of two processes that share a cache folder, on the real clock; and the pages that they store."""

import datetime
import subprocess
import sys
from itertools import pairwise
from time import monotonic, sleep

from pathfinder.sources.page_store import PageStore, RecordPage
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

SECONDS = 0.1

SCRIPT = """
import sys
from pathlib import Path
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.web import WebSurroundings, Web

with Web(Host("Papers", sys.argv[1], "X", pace_seconds=float(sys.argv[3])), WebSurroundings(Path(sys.argv[2]))) as web:
    for _ in range(3):
        web.get("works", {}, lambda fetched: fetched.content)
"""


def test_two_processes_keep_the_pace_of_one_by_the_hosts_own_clock(tmp_path):
    times, open_requests, most_open = [], [0], [0]

    def answer(request):
        times.append(monotonic())
        open_requests[0] += 1
        most_open[0] = max(most_open[0], open_requests[0])
        sleep(0.02)
        open_requests[0] -= 1
        return Reply(b"{}")

    with running(LoopbackHost(answer)) as host:
        command = [sys.executable, "-c", SCRIPT, host.address, str(tmp_path), str(SECONDS)]
        processes = [subprocess.Popen(command) for _ in range(2)]
        assert [process.wait(60) for process in processes] == [0, 0]
    assert len(times) == 6
    assert min(later - earlier for earlier, later in pairwise(times)) >= SECONDS
    assert most_open == [1]


DAY = datetime.date(2026, 11, 22)


def test_a_page_that_was_cut_short_on_disk_is_fetched_again(tmp_path):
    store = PageStore(tmp_path / "pages", "request")
    for number in range(3):
        store.add(RecordPage(({"id": number},), f"cursor {number}"), number, DAY)
    damaged = tmp_path / "pages" / "page-000001.json"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    assert [page.next for page in store.pages()] == ["cursor 0"]


def test_pages_of_another_request_are_removed(tmp_path):
    PageStore(tmp_path / "pages", "one").add(RecordPage(()), 0, DAY)
    assert list(PageStore(tmp_path / "pages", "another").pages()) == []
    assert not (tmp_path / "pages").exists()
