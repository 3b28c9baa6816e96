"""From an ADS BibTeX export without abstracts to the first answer from a full text: the time that one command takes.

usage: python -m benchmarks.completing CORPUS.jsonl.gz OUT [--entries 450]

CORPUS holds papers with abstracts, authors and arXiv ids, a JSON object a line. A library of their bare bibliographic
facts is written, a host on loopback that answers at once serves the rest (records as OpenAlex, arXiv and Crossref do,
and texts of 4,500 words made from abstracts: three in four LaTeX, one a PDF), and `pathfinder build --complete` runs in
a process of its own, whose waits for the pace of hosts take no time. As soon as full texts can be searched, a question
is asked that only a sentence in the text of the first paper answers.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.fulltext.made_pdf import pdf
from tests.sources.hosts.loopback import Reply, Request, running
from tests.sources.hosts.record_hosts import Known, RecordHosts

SENTENCE, VALUE = "The exposure time of the calibration frames was 137 seconds.", "137 seconds"
QUESTION = 'What was the exposure time of the calibration frames in "{}"?'
ENTRY = """@ARTICLE{{{key},
       author = {{{authors}}},
        title = "{{{title}}}",
      journal = {{arXiv e-prints}},
         year = {year},
{identifiers}       adsurl = {{https://ui.adsabs.harvard.edu/abs/{key}}},
      adsnote = {{Provided by the SAO/NASA Astrophysics Data System}}
}}
"""

PROGRAM = """
import resource, sys, time
from pathfinder.fulltext import fetching
from pathfinder.sources.http import pace
from pathfinder.sources.http.addresses import AddressRule
passed = 0.0
def sleep(seconds):
    global passed
    passed += seconds
start = time.monotonic()
pace.Clock.__init__.__defaults__ = (lambda: time.time() + passed, sleep)
rule = AddressRule("http", None, lambda ip: ip.is_loopback)
old = fetching.Guests.__init__
fetching.Guests.__init__ = lambda self, settings, around: old(self, settings, around, rule, fetching.read_apart)
from pathfinder.cli import main
status = main(sys.argv[1:])
mine, others = (sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(f"waits for hosts, left out: {passed:.0f} s; own: {time.monotonic() - start:.1f} s", file=sys.stderr)
print(f"processor: {mine:.0f} s, and {others:.0f} s in readers of files", file=sys.stderr)
sys.exit(status)
"""


class Hosts(RecordHosts):
    """The hosts, with a text for each paper on arXiv."""

    def __init__(self, papers: Sequence[Known], texts: dict[str, bytes]) -> None:
        super().__init__(*papers)
        self.texts = texts

    def _route(self, request: Request) -> tuple[str, Reply]:
        if request.path.startswith("/e-print/"):
            content = self.texts.get(request.path.removeprefix("/e-print/"))
            return "texts", Reply(content, kind="application/x-eprint") if content else Reply(b"", 404)
        return super()._route(request)


def main() -> None:
    """Measure, and print the times."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--entries", type=int, default=450)
    arguments.add_argument("--until-answer", action="store_true", help="end with the first answer")
    asked = arguments.parse_args()
    shutil.rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    records = _records(asked.corpus, asked.entries)
    (asked.out / "library.bib").write_text("".join(map(_entry, records)), encoding="utf-8")
    papers = [_known(record, number) for number, record in enumerate(records)]
    texts = {record["id"]: _text(record, number, records) for number, record in enumerate(records)}
    with running(Hosts(papers, texts)) as host:
        names = ("ARXIV", "OAI", "OPENALEX", "CROSSREF", "SEMANTIC_SCHOLAR", "RETRACTIONS")
        environment = {**os.environ, **{f"PATHFINDER_{name}_URL": host.address for name in names}}
        environment["PATHFINDER_CACHE"] = str(asked.out / "cache")
        _measure(asked.out, environment, QUESTION.format(records[0]["title"]), until_answer=asked.until_answer)


def _measure(out: Path, environment: dict[str, str], question: str, *, until_answer: bool) -> None:
    corpus, start = out / "corpus", time.monotonic()
    command = [sys.executable, "-c", PROGRAM, "build", str(out / "library.bib"), "--out", str(corpus), "--complete"]
    with (out / "log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603  our own program
            command, env=environment, stdout=log, stderr=log
        )
        answered = False
        while process.poll() is None:
            manifest = corpus / "manifest.json"
            if not answered and manifest.exists() and "fulltextpassages" in json.loads(manifest.read_text())["parts"]:
                seconds = time.monotonic() - start
                answered = _answers(corpus, environment, question)
                print(f"full texts can be searched after {seconds:.1f} s; answered from one: {answered}")
                used = _processor_seconds(process.pid)
                print(f"with the answer: {time.monotonic() - start:.1f} s; processor: {used:.1f} s; {os.getloadavg()}")
                if until_answer and answered:
                    process.kill()
            time.sleep(0.5)
    print(f"the command: {time.monotonic() - start:.1f} s, status {process.returncode}")
    print((out / "log").read_text()[-3000:])


def _processor_seconds(process_id: int) -> float:
    """Return the time that a process and its children that have ended have used, in seconds."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _answers(corpus: Path, environment: dict[str, str], question: str) -> bool:
    command = [
        sys.executable,
        "-c",
        "from pathfinder.cli import main; raise SystemExit(main())",
        "ask",
        question,
        "--corpus",
        str(corpus),
        "--json",
    ]
    reply = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if reply.returncode:
        print(reply.stderr[-500:])
        return False
    (corpus.parent / "answer.json").write_text(reply.stdout)
    record = json.loads(reply.stdout)
    print(record["answer"]["text"][:400])
    return VALUE in record["answer"]["text"]


def _records(path: Path, n: int) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    fit = [record for record in records if record.get("authors") and len(record["abstract"]) > 400]
    return fit[:: len(fit) // n][:n]


def _entry(record: dict[str, Any]) -> str:
    doi = f"          doi = {{{record['doi']}}},\n" if record.get("doi") else ""
    eprint = f"archivePrefix = {{arXiv}},\n       eprint = {{{record['id']}}},\n"
    authors = " and ".join(f"{{{name.split()[-1]}}}, {' '.join(name.split()[:-1])}" for name in record["authors"])
    key = f"{record['date'][:4]}arXiv{record['id'].replace('.', '').replace('/', '')}X"
    title = record["title"].replace("{", "").replace("}", "")
    return ENTRY.format(key=key, authors=authors, title=title, year=record["date"][:4], identifiers=doi + eprint)


def _known(record: dict[str, Any], number: int) -> Known:
    title, abstract = (text.replace("&", "and").replace("<", "under") for text in (record["title"], record["abstract"]))
    authors = tuple(name.replace("&", "and") for name in record["authors"])
    year = int(record["date"][:4])
    return Known(title, authors, year, record.get("doi"), record["id"], abstract, (f"W{number + 1}",), number)


def _text(record: dict[str, Any], number: int, records: Sequence[dict[str, Any]]) -> bytes:
    """Return a text of some 4,500 words, most of them from the abstracts of other papers."""
    others = [records[(number + 7 * step) % len(records)]["abstract"] for step in range(24)]
    parts = [record["abstract"], SENTENCE, *others] if number == 0 else [record["abstract"], *others]
    if (number + 1) % 4:
        heads = ("Introduction", "Data", "Method", "Results", "Discussion", "Conclusions")
        plain = ["".join(sign for sign in part if sign not in "\\%#&_^~{}$") for part in parts]
        body = "\n\n".join(
            f"\\section{{{head}}}\n" + "\n\n".join(plain[place :: len(heads)]) for place, head in enumerate(heads)
        )
        title = "".join(sign for sign in record["title"] if sign not in "\\%#&_^~{}$")
        return (
            "\\documentclass{article}\\title{" + title + "}\\begin{document}\\maketitle\n" + body + "\n\\end{document}"
        ).encode()
    lines = [line for part in parts for line in (*textwrap.wrap(part.encode("ascii", "ignore").decode(), 90), "")]
    pages = [lines[start : start + 55] for start in range(0, len(lines), 55)]
    title = record["title"].encode("ascii", "ignore").decode()[:80]
    placed = [[(60.0, 760.0 - 13 * row, 10.0, line) for row, line in enumerate(page) if line] for page in pages]
    placed[0] = [(60.0, 780.0, 16.0, title), *placed[0]]
    return pdf(placed)


if __name__ == "__main__":
    main()
