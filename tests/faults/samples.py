"""Good input of every kind, from which damaged input is made."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pathfinder.addons.screening.decisions import Screening, session_text
from pathfinder.operations.export.traces import to_json
from pathfinder.types import Ended, Step, StepKind, Trace
from pathfinder.ui.shared.address import to_parameters
from tests.corpus.readers.test_xml_files import ATOM, ENDNOTE, OAI
from tests.ui.test_address import FULL

QUESTION = "How old are globular clusters?"

LINK = to_parameters(FULL)[0]
"""Parameters of a link with every setting."""

_SEARCH: dict[str, Any] = {
    "query": QUESTION,
    "top_k": 3,
    "year_from": 1900,
    "weights": {"recency": 0.5},
    "extra_keywords": ["dust"],
    "passages": True,
    "titles": True,
    "region": "-99,-99;99,-99;99,99;-99,99",
    "authors": [],
    "own_expansions": "BH: black hole",
    "fusion": "min-max",
    "sides": "hybrid",
    "depth": 1,
    "page_size": 2,
    "reranker": "off",
    "today": "2020-01-01",
    "refereed": "any",
    "recency_midpoint_years": 5.0,
}

BODIES: dict[str, dict[str, Any]] = {
    "search": _SEARCH,
    "reweigh": {"query": QUESTION, "weights": {"recency": 1.0}, "preset": "balanced"},
    "similar": {"papers": ["hubble-1929"], "less": ["riess-2022"], "top_k": 3, "text": "dust", "place": [0.0, 1.0]},
    "consensus": {"query": QUESTION, "as_of": 2010, "over_time": True},
    "table": {"query": QUESTION, "top_k": 2, "columns": ["result", "value of the age"]},
    "tensions": {"query": QUESTION, "papers": 9, "year_from": 1900},
    "network": {"query": QUESTION, "papers": 9, "by": "likeness"},
    "timeline": {"query": QUESTION, "papers": 9, "consensus": False},
    "check": {"text": "It is 73 km/s [1].", "sources": [{"id": "1", "title": "A rate", "text": "It is 67 km/s."}]},
    "map/region": {"region": "-99,-99;99,-99;99,99;-99,99"},
    "export": {"papers": ["hubble-1929", "riess-2022"], "format": "csv"},
    "answer": {"query": QUESTION, "generation": "extractive", "top_k": 3, "form": "fact", "steps": 3, "seconds": 5},
}
"""Bodies of the API by address."""

TOOL_CALLS: dict[str, dict[str, Any]] = {
    "search_papers": {"query": QUESTION, "top_k": 3, "settings": {"year_from": 1900, "weights": {"recency": 0.5}}},
    "get_paper": {"paper_id": "hubble-1929"},
    "answer_question": {"query": QUESTION, "top_k": 2, "settings": {"form": "fact"}, "full": True},
    "check_text": BODIES["check"],
    "similar_papers": {"papers": ["hubble-1929"], "less": [], "text": "dust", "top_k": 2, "region": "-9,-9;9,-9;9,9"},
    "consensus": {"query": QUESTION, "top_k": 2, "as_of": 2015, "over_time": False, "settings": {"depth": 1}},
    "map_region": {"region": "-99,-99;99,99", "full": False},
    "compare_papers": {"papers": ["hubble-1929", "riess-2022"], "columns": ["result"], "full": True},
    "tensions": {"query": QUESTION, "papers": 9, "settings": {"year_from": 1900}},
    "paper_network": {"query": QUESTION, "papers": 9, "by": "likeness", "settings": {"depth": 1}},
    "timeline": {"query": QUESTION, "papers": 9, "full": False},
}
"""Arguments of the tools of MCP by name."""

_RECORDS: list[dict[str, Any]] = [
    {
        "id": "a",
        "title": "Dust in spirals",
        "abstract": "Dust is cold.",
        "authors": ["Smith, A."],
        "date": "2020-02-29",
        "year": 2020,
        "citation_count": 5,
        "doi": "10.1/x",
        "references": ["b"],
        "keywords": ["dust"],
    },
    {"id": "b", "title": "Ice", "abstract": "Ice is warm."},
]

_JSON_LINES = "\n".join(map(json.dumps, _RECORDS)).encode()


def _parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"id": ["a", "b"], "title": ["Dust", "Ice"], "abstract": ["x", "y"], "year": [1, 2]}), sink)
    return sink.getvalue()


def papers_files() -> dict[str, bytes]:
    """Return a file of each format that a corpus is built from, by name."""
    return {
        "a.jsonl": _JSON_LINES,
        "a.json": json.dumps(_RECORDS).encode(),
        "a.jsonl.gz": gzip.compress(_JSON_LINES),
        "a.csv": b'id,title,abstract,year,authors\na,Dust,"Dust, cold.",2020,"Smith, A.; B"\nb,Ice,Ice,2021,X\n',
        "a.tsv": b"id\ttitle\tabstract\na\tDust\tCold\n",
        "a.bib": b'@string{apj="ApJ"}\n@article{a, title={{Dust} at $z=1$}, author={Smith, A. and B}, year=2020, '
        b'abstract={Cold \\alpha.}, doi={10.1/x}}\n@book{b, title="Ice", journal=apj # " x"}\n',
        "a.ris": b"TY  - JOUR\nAU  - Smith, Anna\nTI  - Dust\nPY  - 2001\nDA  - 2001/03/04/\nAB  - First\nER  - \n",
        "a.nbib": b"PMID- 1\nTI  - Dust\nAB  - Cold\nDP  - 2001 Mar\n\n",
        "a.enw": b"%0 Journal Article\n%T Dust\n%A Smith, Anna\n%D 2001\n%X Cold\n",
        "endnote.xml": ENDNOTE.encode(),
        "atom.xml": ATOM.encode(),
        "oai.xml": OAI.encode(),
        "a.parquet": _parquet(),
    }


def trace_file() -> bytes:
    """Return the file of a trace."""
    steps = (
        Step(StepKind.ACTION, 'search(query="dust?")', "search", (("query", "dust?"), ("top_k", 3))),
        Step(StepKind.OBSERVATION, "2 papers were found.", paper_ids=("a", "b")),
        Step(StepKind.FINAL, "It is cold [k3q7z]."),
    )
    return to_json(Trace("dust?", "agent", steps, Ended.STEPS, 1)).encode()


def screening_file() -> bytes:
    """Return the file of a screening."""
    return session_text(Path("corpus"), Screening("dust?", ("a", "b", "c"), n_identified=9)).encode()


def mcp_message(tool: str) -> dict[str, Any]:
    """Return a message of MCP that calls a tool."""
    params = {"name": tool, "arguments": TOOL_CALLS[tool], "uri": "pathfinder://papers/hubble-1929"}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
