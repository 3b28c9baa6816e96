"""Measures what a live source adds: success@10 for papers not in the corpus, and the time that it takes.

    python -m benchmarks.live CORPUS --papers PAPERS.jsonl.gz --more OTHER.jsonl.gz --questions FOLDER [--json FILE]

CORPUS is a corpus of PAPERS. The questions (queries.jsonl and qrels.tsv), each answered by one of its papers, are
divided into five folds. For each fold, the papers that answer its questions are held out: no index returns them, and
the corpus does not know their identifiers. They are still counted in the word statistics (24 of 16,659 papers).

The live source is a server on loopback that mimics Semantic Scholar's API. It ranks PAPERS and the first 20,000
papers of OTHER by plain BM25 with the words that it receives, and returns ten.
"""

import argparse
import gzip
import json
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.paper_columns import TABLE_SCHEMA
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.evaluation.intervals import interval_of_mean
from pathfinder.index.ports import Ranking, VectorIndex, WordIndex
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.session import Pathfinder
from pathfinder.settings import Settings
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.live.access import LiveAccess
from pathfinder.types import LiveSource, SearchResult, StageOutcome

N_FOLDS, N_MORE, TOP_K = 5, 20_000, 10
_SOURCE = LiveSource.SEMANTIC_SCHOLAR
_IDENTIFIERS = ("arxiv_id", "doi", "bibcode", "openalex_id", "pmid")


@dataclass(frozen=True)
class HeldOut:
    """An index that never returns certain papers; all other requests are passed to the index itself."""

    index: VectorIndex | WordIndex
    paper_ids: frozenset[str]

    def __len__(self) -> int:
        return len(self.index)

    def __getattr__(self, name: str) -> object:
        return getattr(self.index, name)

    def search(self, query: object, n: int, predicate: Predicate = EVERY_PAPER, *more: object) -> Ranking:
        """Search with the papers excluded by the filter."""
        return self.index.search(query, n, predicate.without(self.paper_ids), *more)  # type: ignore[arg-type, call-arg]


def without(corpus: Corpus, paper_ids: frozenset[str], table: pa.Table) -> Corpus:
    """Return `corpus` without the papers in `paper_ids`; `table` is the table of its papers."""
    is_out = pc.is_in(table["paper_id"], value_set=pa.array(sorted(paper_ids)))
    names = pa.array([f"held-out-{row}" for row in range(table.num_rows)])
    changes = {"paper_id": pc.if_else(is_out, names, table["paper_id"])}
    changes |= {name: pc.if_else(is_out, pa.scalar(None, pa.string()), table[name]) for name in _IDENTIFIERS}
    for name, column in changes.items():
        place = table.schema.get_field_index(name)
        table = table.set_column(place, table.schema.field(name), column)
    dense, sparse = HeldOut(corpus.dense, paper_ids), HeldOut(corpus.sparse, paper_ids)
    return replace(corpus, papers=PaperTable(table), dense=dense, sparse=sparse)  # type: ignore[arg-type]


@contextmanager
def scholar(records: Sequence[dict[str, object]], folder: Path) -> Iterator[str]:
    """Serve `records`, ranked by BM25, and yield the address."""
    write_sparse((f"{record['title']}. {record['abstract']}" for record in records), folder)
    index = SparseIndex.open(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parameters = parse_qs(urlsplit(self.path).query)
            rows = index.search(parameters["query"][0], int(parameters["limit"][0])).rows.tolist()
            body = json.dumps({"total": len(rows), "data": [records[row] for row in rows]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def read_records(path: Path, most: int | None, start: int) -> list[dict[str, object]]:
    """Read papers as Semantic Scholar would return them, numbered from `start`."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        papers = [json.loads(line) for line in islice(file, most)]
    return [
        {
            "corpusId": number,
            "externalIds": {"ArXiv": paper["id"]},
            "title": paper["title"],
            "abstract": paper["abstract"],
            "authors": [{"name": name} for name in paper.get("authors") or [] if isinstance(name, str)],
        }
        for number, paper in enumerate(papers, start)
    ]


def read_questions(folder: Path) -> list[tuple[str, str]]:
    """Return each question with the id of its paper, in file order."""
    lines = (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    paper_of = {question: paper for question, paper, _ in (line.split("\t") for line in lines)}
    records = map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    return [(record["text"], paper_of[record["_id"]]) for record in records]


@dataclass(frozen=True)
class Outcome:
    """Results for one question."""

    whole: bool
    """True if the question's paper is among the hits when the corpus has it."""
    off: bool
    """The same, with the paper held out."""
    live: bool
    """The same, with the paper held out and the live source on."""
    offered: bool
    """True if the source answered in time and its ten papers include the question's paper."""
    failed: bool
    seconds_off: float
    seconds_live: float


def ask(question: str, paper_id: str, whole: Pathfinder, held_out: Pathfinder) -> Outcome:
    """Search the whole corpus for a question, then the corpus without its paper, alone and with the live source."""
    all_in = whole.search(question, top_k=TOP_K)
    start = time.perf_counter()
    off = held_out.search(question, top_k=TOP_K)
    middle = time.perf_counter()
    live = held_out.search(question, top_k=TOP_K, live=(_SOURCE,))
    seconds_live = time.perf_counter() - middle
    pool = live.candidates
    live_ids = {paper.arxiv_id for row, paper in zip(pool.rows.tolist(), pool.papers, strict=True) if row in pool.live}
    return Outcome(
        _has(all_in, paper_id),
        _has(off, paper_id),
        _has(live, paper_id),
        paper_id in live_ids,
        any(entry.status is StageOutcome.FAILED for entry in live.stage_status if entry.name.startswith("live")),
        middle - start,
        seconds_live,
    )


def _has(result: SearchResult, paper_id: str) -> bool:
    return paper_id in {hit.paper.arxiv_id or hit.paper.paper_id for hit in result.hits}


def measure(arguments: argparse.Namespace, scratch: Path) -> list[Figure]:
    """Ask all questions, fold by fold."""
    records = read_records(arguments.papers, None, 0)
    records += read_records(arguments.more, N_MORE, len(records))
    questions = read_questions(arguments.questions)
    with scholar(records, scratch / "words") as address:
        moments = iter(
            range(0, 10**9, 3600)
        )  # An hour passes between readings of the clock, so we never wait to keep to the permitted pace.
        settings = Settings(_env_file=None, cache=scratch / "cache", semantic_scholar_url=address)
        access = LiveAccess(settings, clock=Clock(lambda: 1.8e9 + next(moments), lambda _: None))
        whole = Pathfinder.open(arguments.corpus, settings=settings).with_live(access)
        table = table_of(whole.corpus)
        outcomes = []
        for fold in range(N_FOLDS):
            own = questions[fold::N_FOLDS]
            corpus = without(whole.corpus, frozenset(paper for _, paper in own), table)
            held_out = Pathfinder(corpus, whole.embedder, whole.models.extractor).with_live(access)
            held_out.search(own[0][0], live=(_SOURCE,))  # The time to load models at first use is not measured.
            outcomes += [ask(question, paper, whole, held_out) for question, paper in own]
    return figures_of(outcomes)


def table_of(corpus: Corpus) -> pa.Table:
    """Return all columns of the papers."""
    return pa.table([corpus.papers.column(name) for name in TABLE_SCHEMA.names], schema=TABLE_SCHEMA)


def figures_of(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Return the shares of questions with each outcome, and the times that the searches took."""
    figures = [Figure("questions", len(outcomes), "")]
    for name, words in (
        ("whole", "success@10, nothing held out"),
        ("off", "success@10, papers held out"),
        ("live", "success@10, papers held out, live source on"),
        ("offered", "share whose paper the source gave"),
    ):
        values = np.array([float(getattr(outcome, name)) for outcome in outcomes])
        interval = interval_of_mean(values) if 0 < values.mean() < 1 else None
        figures.append(Figure(words, float(values.mean()), ""))
        if interval is not None:
            figures += [Figure(f"{words}: low", interval.low, ""), Figure(f"{words}: high", interval.high, "")]
    figures.append(Figure("searches in which the source failed", sum(outcome.failed for outcome in outcomes), ""))
    added_seconds = [outcome.seconds_live - outcome.seconds_off for outcome in outcomes]
    for name, seconds in (
        ("off", [outcome.seconds_off for outcome in outcomes]),
        ("added by the source", added_seconds),
    ):
        median, high = np.percentile(seconds, [50, 95])
        figures += [Figure(f"seconds, {name}: median", median, "s"), Figure(f"seconds, {name}: 95%", high, "s")]
    return figures


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    for name in ("--papers", "--more", "--questions"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="pathfinder-") as scratch:
        print_figures(measure(arguments, Path(scratch)), arguments.json)


if __name__ == "__main__":
    main()
