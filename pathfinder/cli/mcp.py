"""`pathfinder mcp`: lets a model read a corpus, over standard input and output."""

from pathfinder.cli.options import CorpusFolder
from pathfinder.cli.settings import open_pathfinder


def mcp(corpus: CorpusFolder = None) -> None:
    """Let a desktop assistant read the corpus: an MCP server over standard input and output; see docs/api.md."""
    from pathfinder.serving.mcp_tools import mcp_server

    mcp_server(open_pathfinder(corpus)).run("stdio")
