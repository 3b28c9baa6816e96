"""A chat model as the second judge of the evidence: its verdicts stand beside those of the local checker."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import ConfigDict

from pathfinder.answering.shelf import keys_of
from pathfinder.answering.sources import quoted
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, parse_json, unreadable
from pathfinder.types import CheckedSentence, Ledger, Verdict

TOKENS_A_SENTENCE = 40
"""Of a reply: a key, a verdict and the JSON around them take about 25."""
MORE_TOKENS = 200


@dataclass(frozen=True)
class _Said:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    verdict: Verdict


@dataclass(frozen=True)
class _Reply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    verdicts: tuple[_Said, ...]


def judged_again(ledger: Ledger, chat: ChatModel) -> Ledger:
    """`ledger` with a `second_verdict` on every sentence, by `chat`, in one call; the first verdicts and sums stay.

    The model sees each sentence and the sentences of the sources that the local checker found for it. Raises a
    `ProviderError` for a reply that cannot be read or that does not judge every sentence exactly once: no verdict of
    such a reply is taken. Without a sentence, it is not asked.
    """
    if not ledger.sentences:
        return ledger
    claims = [_claim(sentence) for sentence in ledger.sentences]
    # Made from all that the model is shown, so that no text can hold the key of a claim.
    keys = keys_of("\n".join(claims), [str(n) for n in range(len(claims))])
    blocks = [f'<claim key="{key}">\n{claim}\n</claim>' for key, claim in zip(keys.values(), claims, strict=True)]
    prompt = render("second_judge", claims="\n\n".join(blocks), n=str(len(blocks)))
    reply = complete(
        chat,
        render("second_judge_system"),
        prompt,
        temperature=0.0,
        max_tokens=MORE_TOKENS + TOKENS_A_SENTENCE * len(blocks),
    )
    said = parse_json(reply, _Reply, chat.name).verdicts
    if wrong := _wrong_keys([one.key for one in said], list(keys.values())):
        raise unreadable(reply, wrong, chat.name)
    verdicts = {one.key: one.verdict for one in said}
    sentences = [
        replace(sentence, second_verdict=verdicts[key])
        for sentence, key in zip(ledger.sentences, keys.values(), strict=True)
    ]
    return replace(ledger, sentences=tuple(sentences))


def _claim(sentence: CheckedSentence) -> str:
    sources = [f"Source: {quoted(found.sentence)}" for found in sentence.evidence]
    return "\n".join([f"Text: {quoted(sentence.text)}", *(sources or ["Source: none was found"])])


def _wrong_keys(said: Sequence[str], given: Sequence[str]) -> str:
    """What is wrong with the keys of a reply, in words; empty where each key was said once."""
    counts = Counter(said)
    faults = (
        ("no verdict on", [key for key in given if key not in counts]),
        ("a key that was not given:", sorted(key[:20] for key in counts.keys() - set(given))),
        ("more than one verdict on", [key for key in given if counts[key] > 1]),
    )
    return "; ".join(f"{words} {', '.join(keys)}" for words, keys in faults if keys)
