"""A chat model as a second judge of the evidence: its verdicts are shown alongside those of the local checker."""

from dataclasses import dataclass, replace

from pydantic import ConfigDict

from pathfinder.grounding.batches import key_faults
from pathfinder.grounding.sources import keys_of, source_text
from pathfinder.llm.chat import complete, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.types import CheckedSentence, Ledger, Verdict

TOKENS_A_SENTENCE = 40
"""Number of reply tokens per sentence: a key, a verdict and the JSON around them take about 25."""
MORE_TOKENS = 200


@dataclass(frozen=True)
class _VerdictReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    verdict: Verdict


@dataclass(frozen=True)
class _JudgeReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    verdicts: tuple[_VerdictReply, ...]


def judge_again(ledger: Ledger, chat: ChatModel) -> Ledger:
    """Add a `second_verdict` by `chat` on every sentence to `ledger`, in a single call; everything else stays the same.

    The model sees each sentence with the sentences that the local checker found for it in the sources. Raises a
    `ProviderError` for a reply that cannot be read or that does not judge every sentence exactly once, and keeps
    none of its verdicts. If there are no sentences, the model is not called.
    """
    if not ledger.sentences:
        return ledger
    claims = [_claim(sentence) for sentence in ledger.sentences]
    # The keys are derived from everything that the model is shown, so that no text can contain the key of a claim.
    keys = keys_of("\n".join(claims), [str(n) for n in range(len(claims))])
    blocks = [f'<claim key="{key}">\n{claim}\n</claim>' for key, claim in zip(keys.values(), claims, strict=True)]
    prompt = render("second_judge", claims="\n\n".join(blocks), n=str(len(blocks)))
    reply = complete(
        chat,
        render("second_judge_system"),
        prompt,
        temperature=0.0,
        max_tokens=MORE_TOKENS + TOKENS_A_SENTENCE * len(blocks),
        form=_JudgeReply,
    )
    entries = parse_json(reply, _JudgeReply, chat).verdicts
    if faults := key_faults([entry.key for entry in entries], list(keys.values()), "verdict on"):
        raise unreadable(reply, faults, chat)
    verdicts = {entry.key: entry.verdict for entry in entries}
    sentences = [
        replace(sentence, second_verdict=verdicts[key])
        for sentence, key in zip(ledger.sentences, keys.values(), strict=True)
    ]
    return replace(ledger, sentences=tuple(sentences))


def _claim(sentence: CheckedSentence) -> str:
    sources = [f"Source: {source_text(item.sentence)}" for item in sentence.evidence]
    return "\n".join([f"Text: {source_text(sentence.text)}", *(sources or ["Source: none was found"])])
