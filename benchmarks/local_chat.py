"""Measure how often a chat model run from a file gives each answer mode a usable reply.

    python -m benchmarks.local_chat CORPUS MODEL.gguf [--questions N] [--reply-tokens N] [--python PYTHON] [--json FILE]

Each of the questions is asked in every mode that needs a chat model, with three papers and a budget of 60 s. An answer
counts as written if the model's words are shown, as folded if they are not an answer (`pathfinder.answering.answer`),
as abstained if the model says that it does not know, and as quoted if the model failed and the papers answer instead.
PYTHON is the interpreter that has xllamacpp, if it is not this one.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from pathfinder import Pathfinder, Settings
from pathfinder.answering.modes.registry import mode_names
from pathfinder.models.gguf_chat import PROGRAM, LlamaOptions, LlamaServer, gguf_chat
from pathfinder.types import Answer, Budget, ModeName, StageOutcome

QUESTIONS = (
    "What is the value of the Hubble constant?",
    "How do galaxies form and grow?",
    "What is dark matter made of?",
    "How are exoplanets found?",
    "What powers quasars?",
    "How old are globular clusters?",
    "What do gravitational waves tell about neutron stars?",
    "Why is the cosmic microwave background polarised?",
)
BUDGET = Budget(steps=2, seconds=60.0, tokens=30_000, calls=6)


def outcome(answer: Answer) -> str:
    """Name the outcome of a question."""
    if answer.folded is not None:
        return "folded"
    status = next(entry for entry in answer.stage_status if entry.name == "answer")
    if status.status is StageOutcome.SUBSTITUTED:
        return "quoted"
    return "abstained" if answer.abstained else "written"


def main() -> None:
    """Ask every question in every mode."""
    parser = argparse.ArgumentParser(description="How often a model in a file gives a reply that can be used.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--reply-tokens", type=int, default=256)
    parser.add_argument("--python", default=PROGRAM[0])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    settings = Settings(_env_file=None, chat_context=4096, chat_reply_tokens=arguments.reply_tokens, chat_seed=1)
    servers: dict[LlamaOptions, LlamaServer] = {}

    def server_of(options: LlamaOptions) -> LlamaServer:
        return servers.setdefault(options, LlamaServer(options, (arguments.python, *PROGRAM[1:])))

    pf = Pathfinder.open(arguments.corpus, settings=settings, chat=gguf_chat(arguments.model, settings, server_of))
    figures: dict[str, dict[str, float]] = {}
    for mode in (name for name in mode_names() if name != ModeName.EXTRACTIVE):
        counts, seconds = Counter[str](), []
        for question in QUESTIONS[: arguments.questions]:
            answer = pf.answer(pf.search(question, top_k=3), generation=mode, budget=BUDGET)
            counts[outcome(answer)] += 1
            seconds.append(sum(call.seconds for call in answer.calls))
        figures[mode] = {**counts, "median_seconds": round(sorted(seconds)[len(seconds) // 2], 1)}
        print(f"{mode}: {figures[mode]}", flush=True)
    for server in servers.values():
        server.stop()
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
