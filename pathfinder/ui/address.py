"""The address bar: every setting of a search as query parameters, and back.

Defaults are left out, so that a link stays short. What is unknown or broken is ignored with a note: a
link that someone mangled still opens.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.retrieval.widening.own_map import checked_map
from pathfinder.types import (
    LOCAL_RERANKER,
    NO_RERANKER,
    CitationProfile,
    Generation,
    Imagine,
    Preset,
    Region,
    Specialisation,
)
from pathfinder.ui.form import Form

MAX_QUESTION_IN_ADDRESS = 1500
"""Characters; browsers and the servers between cut longer addresses."""
MAX_REGION_IN_ADDRESS = 2000
"""Characters: about a hundred corners."""

MIN_STRENGTH = 0.01
"""The least that a weight can be set to while it is on, and the step of its slider."""
MIN_YEAR, MAX_YEAR = 0, 9999
MAX_STEPS, MAX_SECONDS, MAX_TOKENS = 20, 900, 500_000
"""The most that one answer of a page may take: a link is a stranger's, and whose key it is pays."""

RERANKERS = (NO_RERANKER, LOCAL_RERANKER, "cohere:rerank-v3.5", "cohere:rerank-english-v3.0")
"""What a page offers. A link may name no other: it would have the server load what a stranger names."""


def split_keywords(text: str) -> tuple[str, ...]:
    """Keywords that are separated by commas."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def split_names(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Other names of one's own: "MW: Milky Way, our Galaxy; BH: black hole". Raises `UsageError` for another form."""
    entries = [entry.partition(":") for entry in text.split(";") if entry.strip()]
    own = {term.strip(): [*split_keywords(names)] for term, _, names in entries}
    return checked_map(own, "your own other names")


def join_names(own: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """What `split_names` reads."""
    return "; ".join(f"{term}: {', '.join(names)}" for term, names in own)


def to_parameters(form: Form) -> tuple[dict[str, str], str | None]:
    """The parameters of a link to `form`, and a note when the question or the region is too long for one."""
    written, defaults = _written(form), _written(Form())
    kept = {name: text for name, text in written.items() if text != defaults[name]}
    left_out = []
    if len(form.question) > MAX_QUESTION_IN_ADDRESS:
        del kept["q"]
        left_out.append(f"the question has more than {MAX_QUESTION_IN_ADDRESS:,} characters")
    if len(kept.get("region", "")) > MAX_REGION_IN_ADDRESS:
        del kept["region"]
        left_out.append(f"the region of the map takes more than {MAX_REGION_IN_ADDRESS:,} characters")
    return kept, f"{' and '.join(left_out)}, so the link leaves it out" if left_out else None


def _written(form: Form) -> dict[str, str]:
    parts = ((form, _OF_FORM), (form.weighting, _OF_WEIGHTING), (form.answering, _OF_ANSWERING))
    return {name: _text(getattr(part, entry.field)) for part, entries in parts for name, entry in entries.items()}


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Region):
        return value.text
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return join_names(value)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def from_parameters(parameters: Mapping[str, str]) -> tuple[Form, tuple[str, ...]]:
    """The form that a link describes, and a note for every parameter that was ignored."""
    form, notes = Form(), []
    for name, text in parameters.items():
        if not any(name in entries for entries in (_OF_FORM, _OF_WEIGHTING, _OF_ANSWERING)):
            notes.append(f"the link's setting {name!r} is unknown and was ignored")
            continue
        try:
            changed = _changed(form, name, text)
            replace(changed, question=changed.question or "?").request()
        except ValueError:
            notes.append(f"the link's setting {name}={text[:80]!r} is not one that can be made and was ignored")
        else:
            form = changed
    return form, tuple(notes)


def _changed(form: Form, name: str, text: str) -> Form:
    if name in _OF_FORM:
        entry = _OF_FORM[name]
        return replace(form, **{entry.field: entry.read(text)})
    if name in _OF_WEIGHTING:
        entry = _OF_WEIGHTING[name]
        return replace(form, weighting=replace(form.weighting, **{entry.field: entry.read(text)}))
    entry = _OF_ANSWERING[name]
    return replace(form, answering=replace(form.answering, **{entry.field: entry.read(text)}))


def _strength(text: str) -> float:
    strength = float(text)
    if 0 < strength < MIN_STRENGTH:
        raise UsageError(f"a weight that is on is at least {MIN_STRENGTH}, got {strength}; set 0 for off")
    return strength


def _year(text: str) -> int:
    year = int(text)
    if not MIN_YEAR <= year <= MAX_YEAR:
        raise UsageError(f"a year lies in {MIN_YEAR}..{MAX_YEAR}, got {year}")
    return year


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise UsageError(f"a switch is 0 or 1, got {text!r}")
    return text == "1"


def _reranker(text: str) -> str:
    if text not in RERANKERS:
        raise UsageError(f"a page reranks with one of {', '.join(RERANKERS)}, got {text!r}")
    return text


def _within(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not 1 <= int(text) <= most:
            raise UsageError(f"a page spends 1 to {most}, got {text}")
        return int(text)

    return read


@dataclass(frozen=True, slots=True)
class _Entry:
    """One parameter: the field that it sets, and how its text is read."""

    field: str
    read: Callable[[str], Any]


_OF_FORM = {
    "q": _Entry("question", str),
    "k": _Entry("top_k", int),
    "from": _Entry("year_from", _year),
    "to": _Entry("year_to", _year),
    "years": _Entry("reads_years", _switch),
    "keywords": _Entry("extra_keywords", split_keywords),
    "without": _Entry("dropped_keywords", split_keywords),
    "imagine": _Entry("imagine", Imagine),
    "hypothetical": _Entry("n_hypothetical", int),
    "expand": _Entry("expands", _switch),
    "names": _Entry("own_expansions", split_names),
    "parts": _Entry("decomposes", _switch),
    "depth": _Entry("depth", int),
    "page": _Entry("page_size", int),
    "passages": _Entry("passages", _switch),
    "titles": _Entry("titles", _switch),
    "rerank": _Entry("reranker", _reranker),
    "region": _Entry("region", Region.read),
}
_OF_WEIGHTING = {
    "wk": _Entry("keywords", _strength),
    "wt": _Entry("recency", _strength),
    "wc": _Entry("citations", _strength),
    "wi": _Entry("title", _strength),
    "wp": _Entry("position", _strength),
    "wv": _Entry("coverage", _strength),
    "wd": _Entry("diversity", _strength),
    "wr": _Entry("rerank", _strength),
    "preset": _Entry("preset", Preset),
    "citations": _Entry("citation_profile", CitationProfile),
}
_OF_ANSWERING = {
    "answer": _Entry("generation", Generation),
    "as": _Entry("specialisation", Specialisation),
    "steps": _Entry("steps", _within(MAX_STEPS)),
    "seconds": _Entry("seconds", _within(MAX_SECONDS)),
    "tokens": _Entry("tokens", _within(MAX_TOKENS)),
    "judge": _Entry("second_judge", _switch),
    "memory": _Entry("from_memory", _switch),
}
