"""Accuracy of the local evidence checker: does it separate sentences that a source supports from those that it does
not?

    python -m benchmarks.evidence ANSWERS.jsonl [--half tuning|judging] [--words-alone]

ANSWERS are expert answers with citations, one per line: `output` with citation marks numbered from [0], `ctxs` with the
title and text of each source. Thresholds were set on the tuning half; the reported figures are for the judging half.
Targets: an area under the curve of 0.90 for true citations against citations from other answers, and of 0.75 against
other citations in the same answer; 85% of changed numbers and of swapped citations caught; at most 10% of untouched
sentences marked. The targets for the areas apply to the check by words alone. Each text is embedded once, by the model
that ships with Pathfinder.
"""

import argparse
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from pathfinder.assessment.evidence.ledger import check_sentences
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource, agrees, support
from pathfinder.assessment.evidence.polarity import OPPOSITES
from pathfinder.grounding.pasted_text import read_cited
from pathfinder.models.minilm import MiniLM
from pathfinder.models.ports import Embedder, Kind, Vectors
from pathfinder.text.quantities.written_numbers import Quantity
from pathfinder.types import CheckedSentence, Source, Verdict

SEED = 20261121
MARKED_VERDICTS = {Verdict.NOT_FOUND, Verdict.CONTRADICTED}
"""Verdicts that mark a sentence as untrustworthy."""
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve twenty thirty fifty".split()
_SAME = dict(zip(_NUMBER_WORDS, "2 3 4 5 6 7 8 9 10 11 12 20 30 50".split(), strict=True))
_SAME |= {digits: word for word, digits in _SAME.items()}
_NUMERIC = re.compile(rf"\d+(?:[.,]\d+)*|\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)

OTHERS_EACH = 3
"""Number of citations from other answers with which each true citation is compared."""


@dataclass(frozen=True, slots=True)
class Expert:
    """An answer with its sources."""

    sentences: tuple[tuple[str, tuple[str, ...]], ...]
    """Sentences, each with its citations; only sources that have a text are cited."""
    sources: dict[str, Source]

    @property
    def cited_claims(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Sentences with citations."""
        return tuple(sentence for sentence in self.sentences if sentence[1])


def read_half(path: Path, half: str) -> list[Expert]:
    """Return half of the answers, chosen by a seeded shuffle of their ids."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ids = sorted(line["id"] for line in lines)
    random.Random(SEED).shuffle(ids)  # noqa: S311 - a shuffle that repeats
    first = set(ids[: len(ids) // 2])
    return [_expert(line) for line in lines if (line["id"] in first) == (half == "tuning")]


def _expert(line: dict[str, object]) -> Expert:
    contexts = line["ctxs"]
    assert isinstance(contexts, list)
    sources = {
        str(place): Source(str(place), context["title"], context["text"])
        for place, context in enumerate(contexts)
        if isinstance(context["text"], str)  # two of the sources have no text
    }
    sentences = read_cited(str(line["output"]), sources.keys())
    return Expert(
        tuple((text, tuple(doc_id for doc_id in ids if doc_id in sources)) for text, ids in sentences), sources
    )


class Remembering:
    """An embedder that embeds each text only once."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimension, self.max_tokens = embedder.name, embedder.dimension, embedder.max_tokens
        self.is_cut = embedder.is_cut
        self._embed = embedder.embed
        self._vectors: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """See `Embedder.embed`; the kind is always the same here."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors |= dict(zip(new, self._embed(new, kind), strict=True))
        return np.array([self._vectors[text] for text in texts])


# Areas under the curve ------------------------------------------------------------------------------


def areas(experts: Sequence[Expert], rng: random.Random) -> dict[str, float]:
    """Compare the support from true citations with that from citations in other answers, and with that from other
    citations in the same answer.
    """
    parsed_sources = [{name: ParsedSource(source) for name, source in expert.sources.items()} for expert in experts]
    true, of_others, of_same = [], [], []
    for place, expert in enumerate(experts):
        foreign = [
            source for other, sources in enumerate(parsed_sources) if other != place for source in sources.values()
        ]
        used_ids = {name for _, ids in expert.cited_claims for name in ids}
        for text, ids in expert.cited_claims:
            claim = ParsedSentence(text).stems
            true += [support(claim, [parsed_sources[place][name]]) for name in ids]
            of_same += [support(claim, [parsed_sources[place][name]]) for name in sorted(used_ids.difference(ids))]
            of_others += [support(claim, [source]) for source in rng.sample(foreign, OTHERS_EACH * len(ids))]
    return {
        "n_true": len(true),
        "n_other_answers": len(of_others),
        "n_same_answer": len(of_same),
        "against_other_answers": area(true, of_others),
        "against_same_answer": area(true, of_same),
    }


def area(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return the share of pairs in which the positive value is higher; ties count half."""
    high, low = np.array(positive)[:, None], np.array(negative)[None]
    return float((high > low).mean() + 0.5 * (high == low).mean())


# Planted faults -------------------------------------------------------------------------------------


KINDS = (
    "untouched",
    "number",
    "number in digits",
    "number in a word",
    "number not in the source",
    "number as parsed",
    "parsed, not in the source",
    "direction",
    "swap",
    "swap within the answer",
)
"""Kinds of planted fault. Of the faults in numbers, the first changes any token that is also in a cited source; the
next two are subsets of it. The two "parsed" kinds change only the numbers that the checker itself reads, as in earlier
reports: numbers that it cannot read are left alone.
"""


def faults(
    experts: Sequence[Expert], rng: random.Random, embedder: Embedder | None
) -> dict[str, list[tuple[Verdict, Verdict]]]:
    """Return, for each kind of fault, the verdicts on the sentences before and after it was planted."""
    verdicts: dict[str, list[tuple[Verdict, Verdict]]] = {kind: [] for kind in KINDS}
    for place, expert in enumerate(experts):
        foreign = [
            source for other, expert in enumerate(experts) if other != place for source in expert.sources.values()
        ]
        sources = tuple(expert.sources.values())
        for nth, (text, ids) in enumerate(expert.sentences):
            if not ids:
                continue

            def verdict(
                text: str, ids: tuple[str, ...], sources: Sequence[Source], expert: Expert = expert, nth: int = nth
            ) -> Verdict:
                """Return the verdict on the sentence in its context, with its words or citations replaced."""
                sentences = (*expert.sentences[:nth], (text, ids), *expert.sentences[nth + 1 :])
                near = sentences[max(0, nth - 1) : nth + 2]
                return check_sentences(near, sources, embedder).sentences[min(nth, 1)].verdict

            before = verdict(text, ids, sources)
            verdicts["untouched"].append((before, before))
            cited_sources = [ParsedSource(expert.sources[name]) for name in ids]
            # Seeded only by the sentence, so that splitting sentences differently elsewhere does not change the faults
            # drawn here.
            own = random.Random(f"{SEED} {text}")  # noqa: S311 - faults that repeat
            for token, other_text in other_tokens(text, own):
                after = (before, verdict(other_text, ids, sources))
                if not is_said(token, [source.source for source in cited_sources]):
                    verdicts["number not in the source"].append(after)
                    continue
                verdicts["number"].append(after)
                verdicts["number in digits" if token[0].isdigit() else "number in a word"].append(after)
            for number, other_text in other_numbers(text, own):
                is_given = any(agrees(number, quantity) for source in cited_sources for quantity in source.quantities)
                kind = "number as parsed" if is_given else "parsed, not in the source"
                verdicts[kind].append((before, verdict(other_text, ids, sources)))
            if (other_text := other_direction(text, rng)) is not None:
                verdicts["direction"].append((before, verdict(other_text, ids, sources)))
            strangers = _rename(rng.sample(foreign, len(ids)))
            new = tuple(source.source_id for source in strangers)
            verdicts["swap"].append((before, verdict(text, new, (*sources, *strangers))))
            free = sorted(expert.sources.keys() - set(ids))
            if free:
                verdicts["swap within the answer"].append((before, verdict(text, (rng.choice(free),), sources)))
    return verdicts


def other_tokens(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each numeric token of `text`, and the text with another number in its place.

    Tokens are found without the checker: runs of digits with their points and commas, wherever they occur (even in
    ranges, exponents and names), in which one digit is changed; and words for numbers from two upwards.
    """
    for match in _NUMERIC.finditer(text):
        yield match[0], f"{text[: match.start()]}{_other_token(match[0], rng)}{text[match.end() :]}"


def _other_token(token: str, rng: random.Random) -> str:
    if token.lower() in _NUMBER_WORDS:
        other = rng.choice([word for word in _NUMBER_WORDS if word != token.lower()])
        return other.capitalize() if token[0].isupper() else other
    place = rng.choice([match.start() for match in re.finditer(r"\d", token)])
    digit = rng.choice([sign for sign in "123456789" if sign != token[place]])
    return token[:place] + digit + token[place + 1 :]


def is_said(token: str, sources: Sequence[Source]) -> bool:
    """Return whether one of `sources` contains `token` as a separate number, in digits or as a word."""
    forms = {token.lower(), *(other for word, other in _SAME.items() if word == token.lower())}
    texts = [f"{source.title} {source.text}".lower() for source in sources]
    return any(
        re.search(rf"(?<![\w.,]){re.escape(form)}(?![.,]?\w)|(?<=[^\W\d]){re.escape(form)}(?!\w)", text)
        for form in forms
        for text in texts
    )


def other_numbers(text: str, rng: random.Random) -> Iterator[tuple[Quantity, str]]:
    """Yield each number that the checker itself reads in `text`, and the text with one digit of it changed."""
    claim = ParsedSentence(text)
    end = 0
    for number in claim.quantities:
        start = claim.plain.index(number.text, end)
        end = start + len(number.text)
        if not (digits := [match.start() for match in re.finditer(r"\d", _mantissa(number.text))]):
            continue
        place = start + rng.choice(digits)
        digit = rng.choice([sign for sign in "123456789" if sign != claim.plain[place]])
        yield number, claim.plain[:place] + digit + claim.plain[place + 1 :]


def _mantissa(text: str) -> str:
    match = re.match(r"[^\d]*\d+(?:[.,]\d+)*", text)
    return match[0] if match else ""


def other_direction(text: str, rng: random.Random) -> str | None:
    """Return `text` with one word replaced by its opposite ("higher" by "lower"); `None` if no word has one."""
    places = [match for match in re.finditer(r"[A-Za-z]+", text) if match[0].lower() in OPPOSITES]
    if not places:
        return None
    word = rng.choice(places)
    return f"{text[: word.start()]}{OPPOSITES[word[0].lower()]}{text[word.end() :]}"


def _rename(sources: Sequence[Source]) -> tuple[Source, ...]:
    return tuple(Source(f"other{n}", source.title, source.text) for n, source in enumerate(sources))


# The whole ------------------------------------------------------------------------------------------


def _rows(outcomes: dict[str, list[tuple[Verdict, Verdict]]]) -> Iterator[dict[str, object]]:
    for kind, verdicts in outcomes.items():
        passing_verdicts = [after for before, after in verdicts if before not in MARKED_VERDICTS]
        yield {
            "fault": kind,
            "n": len(verdicts),
            "marked": _share(sum(after in MARKED_VERDICTS for _, after in verdicts), len(verdicts)),
            "n_not_marked_before": len(passing_verdicts),
            "of_these_marked": _share(
                sum(after in MARKED_VERDICTS for after in passing_verdicts), len(passing_verdicts)
            ),
            "verdicts": {verdict.value: sum(after is verdict for _, after in verdicts) for verdict in Verdict},
        }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _check(experts: Sequence[Expert], embedder: Embedder | None) -> tuple[list[CheckedSentence], dict[str, float]]:
    start = perf_counter()
    ledgers = [check_sentences(expert.sentences, tuple(expert.sources.values()), embedder) for expert in experts]
    seconds = (perf_counter() - start) / len(experts)
    sums = {
        name: float(np.mean([value for ledger in ledgers if (value := getattr(ledger, name)) is not None]))
        for name in ("precision", "recall", "f1")
    }
    return [sentence for ledger in ledgers for sentence in ledger.sentences], {**sums, "seconds_an_answer": seconds}


def main() -> None:
    """Measure one half of the answers."""
    parser = argparse.ArgumentParser(description="How well the local checker of evidence does on expert answers.")
    parser.add_argument("answers", type=Path)
    parser.add_argument("--half", choices=("tuning", "judging"), default="judging")
    parser.add_argument("--words-alone", action="store_true", help="compare no meanings, as without the model")
    arguments = parser.parse_args()
    embedder = None if arguments.words_alone else Remembering(MiniLM())
    experts = read_half(arguments.answers, arguments.half)
    rng = random.Random(SEED)  # noqa: S311 - faults that repeat
    figures = areas(experts, rng)
    sentences, sums = _check(experts, embedder)
    rows = list(_rows(faults(experts, rng, embedder)))
    print(f"{arguments.half} half: {len(experts)} answers, {len(sentences)} sentences, {figures['n_true']} citations")
    print(f"area under the curve against citations of other answers  {figures['against_other_answers']:.3f}  (>= 0.90)")
    print(f"area under the curve against others of the same answer   {figures['against_same_answer']:.3f}  (>= 0.75)")
    print(f"{'planted fault':<26}{'n':>5}{'marked':>9}{'passed before':>15}{'of these':>10}")
    for row in rows:
        print("{fault:<26}{n:>5}{marked:>9.1%}{n_not_marked_before:>15}{of_these_marked:>10.1%}".format(**row))
    print(
        json.dumps(
            {"half": arguments.half, "words_alone": arguments.words_alone, "areas": figures, "faults": rows, **sums}
        )
    )


if __name__ == "__main__":
    main()
