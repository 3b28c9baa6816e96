"""Record what a checkout of Pathfinder does, as the expectations of these tests.

    python -m tests.contract.record --checkout DIR [hits] [commands] [links] [api]

Run it from the root of this project; `--checkout` names the code that is recorded, by default this one. Everything that
lies here was recorded with 0.1.0, except for what 0.2.0 added (see `cases.py`). The corpora were built by the command
line of 0.1.0 from the sources beside them:

    pathfinder build landmarks.jsonl --out landmarks --snapshot 2025-01-01 --thesaurus thesaurus.json \\
        --reviews reviews.jsonl
    pathfinder build bees.jsonl --out bees --snapshot 2024-06-01 --no-passages

and packed without their lock file. From the second the drawn part ("atlas") was taken out, as if it had never been
drawn, so that the fixture stays small.

`links.py` and `workspace.py` name a few functions of Pathfinder's inside. Where the checkout has them elsewhere, take
the versions of these two files that lie beside its code in the history, or repoint their imports for the recording.
"""

import argparse
import json
import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def record_hits() -> None:
    """The hits for every question."""
    from tests.contract.cases import QUESTIONS
    from tests.contract.hits import hits
    from tests.contract.workspace import fill, shared_models

    with tempfile.TemporaryDirectory() as place, shared_models():
        folder = fill(Path(place))
        records = [
            {
                "name": name,
                "corpus": corpus,
                "question": question,
                "fields": fields,
                "hits": hits(folder / corpus, question, fields),
            }
            for name, (corpus, question, fields) in QUESTIONS.items()
        ]
    write(HERE / "hits.json", records)


def record_commands() -> None:
    """What every command gives, one file each."""
    from tests.contract.cases import COMMANDS, MADE_FILES
    from tests.contract.commands import outcome
    from tests.contract.workspace import fill, shared_models

    with tempfile.TemporaryDirectory() as place, shared_models(), chdir(fill(Path(place))):
        for name, arguments in COMMANDS.items():
            write(HERE / "commands" / f"{name}.json", outcome(arguments, MADE_FILES.get(name, ())))


def record_links() -> None:
    """What every link means."""
    from tests.contract.cases import LINKS
    from tests.contract.links import meaning
    from tests.contract.workspace import fill

    with tempfile.TemporaryDirectory() as place:
        corpus = fill(Path(place)) / "landmarks"
        links = [
            {"name": name, "page": page, "query": query, "meaning": meaning(page, query, corpus)}
            for name, (page, query) in LINKS.items()
        ]
    write(HERE / "links.json", links)


def record_api() -> None:
    """The signatures of the public API."""
    from tests.contract.signatures import public_api

    write(HERE / "api.json", public_api())


def write(path: Path, record: Any) -> None:
    """One readable file."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


RECORDERS = {"hits": record_hits, "commands": record_commands, "links": record_links, "api": record_api}


def main() -> None:
    """Record the parts that are named, by default all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--checkout", type=Path, default=HERE.parents[1])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(RECORDERS)}")
    options = parser.parse_args()
    sys.path.insert(0, str(options.checkout.resolve()))
    for name in [name for name in os.environ if name.startswith("PATHFINDER_") or name.endswith("_API_KEY")]:
        del os.environ[name]
    for part in options.parts or RECORDERS:
        RECORDERS[part]()


if __name__ == "__main__":
    main()
