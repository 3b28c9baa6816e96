"""Runs a Milvus server with its data in the folder that is given, until it is told to end."""

import signal
import sys

from milvus import MilvusServer, MilvusServerConfig


def main() -> None:
    server = MilvusServer(MilvusServerConfig(data_dir=sys.argv[1]))
    server.start()
    signal.signal(signal.SIGTERM, lambda *_: server.stop())
    server.wait()


if __name__ == "__main__":
    main()
