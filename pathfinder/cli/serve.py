"""`pathfinder app`, `serve` and `mcp`: the page, answers to other programs over HTTP, and to an assistant."""

import os
import sys
from typing import Annotated, TypeAlias

import typer

from pathfinder.cli.open_corpus import open_pathfinder
from pathfinder.cli.options import CorpusFolder
from pathfinder.cli.output import write_lines, write_notes
from pathfinder.settings import read_settings

_Port: TypeAlias = Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")]
_Host: TypeAlias = Annotated[
    str,
    typer.Option("--host", metavar="ADDRESS", help="Address to listen on; any address but loopback requires keys."),
]
_PageHost: TypeAlias = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")]
_PageOnly: TypeAlias = Annotated[bool, typer.Option("--page-only", help="Leave the API out.")]
_Opens: TypeAlias = Annotated[bool, typer.Option("--open/--no-open", help="Open the browser of this machine.")]
_Processes: TypeAlias = Annotated[
    int,
    typer.Option(
        "--processes",
        metavar="N",
        min=1,
        max=64,
        help="Number of processes that search; with 1, the server itself searches.",
    ),
]
_NewKey: TypeAlias = Annotated[bool, typer.Option("--new-key", help="Make a key for other machines, and exit.")]


def app(
    corpus: CorpusFolder = None,
    port: _Port = 8501,
    host: _PageHost = "127.0.0.1",
    page_only: _PageOnly = False,
    opens: _Opens = True,
) -> None:
    """Open the page in the browser, with the API beside it, until Ctrl-C is pressed."""
    from pathfinder.corpus.manifest import corpora_at
    from pathfinder.ui import server

    if corpus is not None:
        os.environ["PATHFINDER_CORPUS"] = str(corpus)
    none_at = [folder for folder in read_settings().corpora if not corpora_at(folder)]
    remedy = "is no corpus, and holds none: name the folder of a corpus, or one with corpora directly inside it"
    write_notes([f"{folder}, in PATHFINDER_CORPORA, {remedy}" for folder in none_at])
    server.start(host, port, has_api=not page_only, opens=opens)


def serve(
    corpus: CorpusFolder = None,
    port: _Port = 8600,
    host: _Host = "127.0.0.1",
    processes: _Processes = 1,
    new_key: _NewKey = False,
) -> None:
    """Answer other programs over HTTP until Ctrl-C is pressed; see docs/api.md."""
    from pathfinder.serving import access

    if new_key:
        key, digest = access.new_key()
        write_lines((f"key, for the caller: {key}", f"digest, for PATHFINDER_API_KEYS: {digest}"))
        return
    import uvicorn

    from pathfinder.serving.api import api
    from pathfinder.serving.errors import PREFIX
    from pathfinder.serving.processes import SearchProcesses
    from pathfinder.serving.slow_callers import BACKLOG, closing_after
    from pathfinder.serving.watching import log_of

    settings = read_settings()
    rights = access.access_of(host, port, settings)
    access.check_address(host, port)
    pf = open_pathfinder(corpus)
    searching = SearchProcesses(pf.corpus.folder, processes, rights) if processes > 1 else None
    app = api(pf, rights, log_of(settings, sys.stderr), searching)
    write_notes([f"http://{host}:{port}{PREFIX}; its description: {PREFIX}/openapi.json"], label="listening")
    uvicorn.run(
        app,
        host=host,
        port=port,
        http=closing_after(),
        backlog=BACKLOG,
        access_log=False,  # the log would name the callers
        log_level="warning",
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )


def mcp(corpus: CorpusFolder = None) -> None:
    """Let a desktop assistant read the corpus: an MCP server over standard input and output; see docs/api.md."""
    from pathfinder.serving.access import ServerAccess
    from pathfinder.serving.mcp_server import mcp_server
    from pathfinder.serving.processes import ServedCorpus

    pf = open_pathfinder(corpus)
    mcp_server(pf, ServedCorpus(pf, ServerAccess()).current).run("stdio")
