"""Time that an MCP search over standard input and output takes beyond the search itself.

    python -m benchmarks.mcp_time CORPUS QUESTIONS [--searches 60]

sends distinct questions to `pathfinder mcp` through the SDK's client, and runs the same searches in this process; both
must find the same papers. Target: a median of at most 60 ms beyond the search itself.
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

import anyio
import numpy as np
from mcp import Client, StdioServerParameters
from numpy.typing import NDArray

from benchmarks.api_load import COMMAND
from benchmarks.digest_time import read_questions
from pathfinder.session import Pathfinder


async def measure(corpus: Path, questions: list[str]) -> tuple[list[float], list[float]]:
    """Return how long each search took over MCP, and how long the same search took in this process [s]."""
    pf = Pathfinder.open(corpus)
    pf.search(questions[0], top_k=5)
    server = StdioServerParameters(command=sys.executable, args=["-c", COMMAND, "mcp", "--corpus", str(corpus)])
    over_mcp, alone = [], []
    async with Client(server) as client:
        await client.call_tool("search_papers", {"query": questions[0]})
        for question in questions[1:]:
            before = perf_counter()
            reply = await client.call_tool("search_papers", {"query": question})
            between = perf_counter()
            result = pf.search(question, top_k=5)
            alone.append(perf_counter() - between)
            over_mcp.append(between - before)
            paper_ids = [hit["paper_id"] for hit in json.loads(reply.content[0].text)["hits"]]
            assert paper_ids == [hit.paper.paper_id for hit in result.hits], question
    return over_mcp, alone


def main() -> None:
    """Print the times, their difference and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--searches", type=int, default=60)
    args = parser.parse_args()
    questions = read_questions(args.questions)[: args.searches + 1]
    over_mcp, alone = (np.array(times) for times in anyio.run(measure, args.corpus, questions))
    beyond = over_mcp - alone
    print(f"{len(alone)} searches, medians: over MCP {_ms(over_mcp)} ms, in this process {_ms(alone)} ms")
    print(f"beyond the search: {_ms(beyond)} ms, 95th percentile {_ms(beyond, 95)} ms (target for the median: 60 ms)")
    print(f"ratio: {np.median(over_mcp / alone):.2f}")


def _ms(seconds: NDArray[np.float64], percentile: int = 50) -> str:
    return f"{np.percentile(seconds, percentile) * 1000:.0f}"


if __name__ == "__main__":
    main()
