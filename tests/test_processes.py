"""Processes that search for a server: their answers are those of the library, and none outlives the server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import Pipe
from pathlib import Path

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import STOP, ReaderStopped, StopSignal
from pathfinder.operations import body_of
from pathfinder.operations.search import OPERATION as SEARCH
from pathfinder.operations.search import search_record
from pathfinder.retrieval.stages import StageLog
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.guard import CallerLeft
from pathfinder.serving.processes import _STOP_SIGNALS, SearchProcesses, _note_abandoned_calls

pytestmark = pytest.mark.usefixtures("bare_main_module")

QUESTION = "How old are globular clusters?"
BODY = body_of(SEARCH).model_validate({"query": QUESTION, "top_k": 3})
VERSION = (1, 1)
"""Whatever version it is, a process opens the corpus that is on disk."""


@pytest.fixture
def processes(golden_corpus: Path) -> Iterator[SearchProcesses]:
    with closing(SearchProcesses(golden_corpus, 1, ServerAccess())) as running:
        yield running


def children_of(process_id: int) -> list[int]:
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process_id and "spawn_main" in (stat.parent / "cmdline").read_text():
            children.append(int(stat.parent.name))
    return children


def is_running(process_id: int) -> bool:
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_ended(process_ids: list[int]) -> None:
    for _ in range(6000):
        if not any(map(is_running, process_ids)):
            return
        time.sleep(0.05)
    pytest.fail("a process outlives its server")


def test_an_answer_is_that_of_the_library_and_a_killed_process_is_replaced(
    processes: SearchProcesses, pf: Pathfinder
) -> None:
    async def all_of_it() -> None:
        answered = await processes.answer("search", BODY, VERSION)
        expected = search_record(pf.search(QUESTION, top_k=3))
        assert answered.status_code == 200
        assert json.loads(bytes(answered.body))["hits"] == json.loads(json.dumps(expected["hits"]))

        refused = await processes.answer(
            "search", body_of(SEARCH).model_validate({"query": "q", "year_from": 2020, "year_to": 2010}), VERSION
        )
        assert (refused.status_code, json.loads(bytes(refused.body))["code"]) == (400, "usage")

        (working,) = children_of(os.getpid())
        os.kill(working, signal.SIGSTOP)  # it cannot answer before it is killed
        call = asyncio.create_task(processes.answer("search", BODY, VERSION))
        await asyncio.sleep(0.1)
        os.kill(working, signal.SIGKILL)
        lost = await call
        assert (lost.status_code, set(json.loads(bytes(lost.body)))) == (503, {"code", "message", "way_out"})
        assert int(lost.headers["Retry-After"]) > 0

        again = await processes.answer("search", BODY, VERSION)
        assert json.loads(bytes(again.body))["hits"] == json.loads(bytes(answered.body))["hits"]

        (idle,) = children_of(os.getpid())
        watching = asyncio.create_task(processes.watch(every=0.01))
        os.kill(idle, signal.SIGKILL)
        while not [process for process in children_of(os.getpid()) if process != idle]:
            await asyncio.sleep(0.01)
        watching.cancel()

    asyncio.run(all_of_it())


def test_a_call_that_waits_for_its_process_is_never_begun_if_its_caller_leaves(processes: SearchProcesses) -> None:
    async def four_calls() -> None:
        (working,) = children_of(os.getpid())
        await processes.answer("search", BODY, VERSION)
        os.kill(working, signal.SIGSTOP)  # the first call is being answered, and the second is in the process's hands
        calls, callers = [], []
        for _ in range(4):
            callers.append(StopSignal())
            STOP.set(callers[-1])
            calls.append(asyncio.create_task(processes.answer("search", BODY, VERSION)))
            await asyncio.sleep(0.1)
        callers[1].set()
        callers[2].set()
        os.kill(working, signal.SIGCONT)
        replies = await asyncio.gather(*calls, return_exceptions=True)
        assert [getattr(reply, "status_code", type(reply)) for reply in replies] == [200, CallerLeft, CallerLeft, 200]

    asyncio.run(four_calls())


def test_a_process_that_cannot_open_the_corpus_answers_with_the_reason(tmp_path: Path) -> None:
    with closing(SearchProcesses(tmp_path / "none", 1, ServerAccess())) as running:
        for _ in range(2):
            reply = asyncio.run(running.answer("search", BODY, VERSION))
            record = json.loads(bytes(reply.body))
            assert (reply.status_code, record["code"], set(record)) == (
                500,
                "CorpusError",
                {"code", "message", "way_out"},
            )
            assert str(tmp_path / "none") in record["message"]


def test_all_processes_end_with_a_server_that_is_killed(golden_corpus: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from pathfinder.serving.access import ServerAccess\n"
        "from pathfinder.serving.processes import SearchProcesses\n"
        "if __name__ == '__main__':\n"
        "    processes = SearchProcesses(Path(sys.argv[1]), 2, ServerAccess())\n"
        "    print('ready', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(golden_corpus)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        started = children_of(server.pid)
        assert len(started) == 2
        server.kill()
    wait_until_ended(started)


def test_a_search_ends_before_its_next_stage_once_its_caller_has_left() -> None:
    heard, told = Pipe(duplex=False)
    _STOP_SIGNALS[7] = stop = StopSignal()
    earlier, log = STOP.set(stop), StageLog()
    try:
        with log.stage("begun"):
            told.send_bytes(b"7")
            _note_abandoned_calls(heard)
        with pytest.raises(ReaderStopped), log.stage("never begun"):
            pass
    finally:
        STOP.reset(earlier)
        del _STOP_SIGNALS[7]
    assert [stage.name for stage in log.stages] == ["begun"]
