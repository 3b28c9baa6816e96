"""Runs a Milvus server with its data in the folder that is given, until it is told to end.

The file `pid` in this folder has the number of the server's own process. The server looks more often than usual for
what it has to do next, so that tests do not wait for it.
"""

import re
import signal
import socket
import sys
from pathlib import Path

from milvus import MilvusServer, MilvusServerConfig

SHORTER = {"assignmentExpiration": 200, "distPullInterval": 100, "checkInterval": 100, "checkHandoffInterval": 500}
"""Milliseconds in place of those of the configuration that the server comes with."""
SESSION_SECONDS = 4
"""Time after which a server that was killed counts as gone; another waits for that when it starts."""
ADDED = {"checkSegmentInterval": 100, "checkChannelInterval": 100}
"""Milliseconds that this configuration lacks."""


class SamePorts(MilvusServerConfig):
    """A configuration whose server takes the same ports when it starts again, because others would not be found."""

    def try_bind_port(self, port: int) -> socket.socket:
        probe = socket.socket()
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return probe


def main() -> None:
    data = Path(sys.argv[1])
    config = SamePorts(data_dir=str(data))
    config.template_text = in_short_steps(config.template_text)
    server = MilvusServer(config)
    signal.signal(signal.SIGTERM, lambda *_: server.stop())
    server.start()
    (data / "pid").write_text(str(server.server_proc.pid))
    server.wait()


def in_short_steps(template: str) -> str:
    for name, milliseconds in SHORTER.items():
        template = re.sub(rf"\b{name}: \d+", f"{name}: {milliseconds}", template)
    template = re.sub(r"(\n  session:\n    ttl): \d+", rf"\1: {SESSION_SECONDS}", template)
    added = "".join(f"  {name}: {milliseconds}\n" for name, milliseconds in ADDED.items())
    return template.replace("\nqueryCoord:\n", f"\nqueryCoord:\n{added}", 1)


if __name__ == "__main__":
    main()
