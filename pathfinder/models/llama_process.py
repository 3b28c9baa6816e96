"""The program that runs llama.cpp for one model file, in a separate process; `gguf_chat` starts it.

The process is separate because loading holds Python's global lock: inside the app, a 5 GB model would stop every page
until it was loaded. It also ends at once when it is killed, whereas a server that is closed waits for its replies.

It reads one line of JSON from standard input (path, key, context_tokens, n_slots, n_threads, reply_tokens, seed), and
writes one line of JSON to standard output: `{"address": "http://127.0.0.1:40123"}`, or `{"error": "..."}`. It ends when
its standard input is closed, so it does not outlive the app. Nothing from Pathfinder is imported here.
"""

import json
import os
import sys
from typing import Any

ERRORS_ONLY = 1
"""Logging level; the messages go to standard error."""
PROMPT_CACHE_MIB = 256
"""Memory for storing prompts that may be read again; llama.cpp's own default is 8 GiB."""
TOKENS_PER_STEP = 256
"""Number of prompt tokens that are read in one step, after which a stop takes effect; llama.cpp's own default,
2,048, keeps a CPU busy for up to ten seconds.
"""


def main() -> None:
    """Load the model, report the server's address, and wait for the end of standard input."""
    options = json.loads(sys.stdin.readline())
    try:
        server = start(options)
    except RuntimeError as error:
        _say({"error": str(error)})
        return
    _say({"address": server.listening_address})
    sys.stdin.read()
    os._exit(0)  # a server that is closed in the usual way waits for replies that nobody will read


def start(options: dict[str, Any]) -> Any:
    """Start llama.cpp's server on a free port of this machine. Raises `RuntimeError` if it cannot load the model."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options["path"]
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [options["key"]]
    params.n_parallel = options["n_slots"]
    params.n_ctx = options["context_tokens"] * options["n_slots"]
    params.n_predict = options["reply_tokens"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options["n_threads"]
    params.n_batch = params.n_ubatch = TOKENS_PER_STEP
    if options["seed"] is not None:
        params.sampling.seed = options["seed"]
    params.verbosity, params.cache_ram_mib = ERRORS_ONLY, PROMPT_CACHE_MIB
    params.ui = params.endpoint_slots = params.warmup = False
    return xllamacpp.Server(params)


def _say(line: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
