"""The address bar: every setting of a search as query parameters, and back.

Defaults are left out, so that a link stays short. What is unknown or broken is ignored with a note: a
link that someone mangled still opens.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pathfinder.errors import UsageError
from pathfinder.types import DEFAULT_TOP_K, CitationProfile, Preset, SearchRequest, Weighting

MAX_QUESTION_IN_ADDRESS = 1500
"""Characters; browsers and the servers between cut longer addresses."""

MIN_STRENGTH = 0.05
"""The least that a weight can be set to while it is on; the page has no place for less."""
MIN_YEAR, MAX_YEAR = 0, 9999


@dataclass(frozen=True, slots=True)
class Form:
    """What the reader has typed and switched, before it is a request."""

    question: str = ""
    top_k: int = DEFAULT_TOP_K
    year_from: int | None = None
    year_to: int | None = None
    extra_keywords: tuple[str, ...] = ()
    dropped_keywords: tuple[str, ...] = ()
    weighting: Weighting = field(default_factory=Weighting)

    def request(self) -> SearchRequest:
        """Raises `UsageError` for an empty question or years upside down."""
        return SearchRequest(
            query=self.question,
            top_k=self.top_k,
            year_from=self.year_from,
            year_to=self.year_to,
            extra_keywords=self.extra_keywords,
            dropped_keywords=self.dropped_keywords,
            weighting=self.weighting,
        )


def split_keywords(text: str) -> tuple[str, ...]:
    """Keywords that are separated by commas."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def to_parameters(form: Form) -> tuple[dict[str, str], str | None]:
    """The parameters of a link to `form`, and a note when the question is too long for one."""
    weighting = form.weighting
    parameters = {
        "q": form.question,
        "k": str(form.top_k),
        "from": _number(form.year_from),
        "to": _number(form.year_to),
        "keywords": ", ".join(form.extra_keywords),
        "without": ", ".join(form.dropped_keywords),
        "wk": f"{weighting.keywords:g}",
        "wt": f"{weighting.recency:g}",
        "wc": f"{weighting.citations:g}",
        "preset": weighting.preset.value,
        "citations": weighting.citation_profile.value,
    }
    kept = {name: value for name, value in parameters.items() if value != _DEFAULTS.get(name, "")}
    if len(form.question) <= MAX_QUESTION_IN_ADDRESS:
        return kept, None
    del kept["q"]
    return kept, f"the question has more than {MAX_QUESTION_IN_ADDRESS:,} characters, so the link leaves it out"


_DEFAULTS = {
    "k": str(DEFAULT_TOP_K),
    "wk": "0",
    "wt": "0",
    "wc": "0",
    "preset": Preset.BALANCED.value,
    "citations": CitationProfile.SIGMOID.value,
}


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def from_parameters(parameters: Mapping[str, str]) -> tuple[Form, tuple[str, ...]]:
    """The form that a link describes, and a note for every parameter that was ignored."""
    form, notes = Form(), []
    for name, text in parameters.items():
        if name not in _READERS:
            notes.append(f"the link's setting {name!r} is unknown and was ignored")
            continue
        try:
            changed = _READERS[name](form, text)
            replace(changed, question=changed.question or "?").request()
        except ValueError:
            notes.append(f"the link's setting {name}={text[:80]!r} is not one that can be made and was ignored")
        else:
            form = changed
    return form, tuple(notes)


def _weigh(**readers: Callable[[str], object]) -> Callable[[Form, str], Form]:
    """A reader that changes one field of the weighting."""
    ((name, read),) = readers.items()

    def change(form: Form, text: str) -> Form:
        return replace(form, weighting=replace(form.weighting, **{name: read(text)}))  # type: ignore[arg-type]

    return change


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


_READERS: dict[str, Callable[[Form, str], Form]] = {
    "q": lambda form, text: replace(form, question=text),
    "k": lambda form, text: replace(form, top_k=int(text)),
    "from": lambda form, text: replace(form, year_from=_year(text)),
    "to": lambda form, text: replace(form, year_to=_year(text)),
    "keywords": lambda form, text: replace(form, extra_keywords=split_keywords(text)),
    "without": lambda form, text: replace(form, dropped_keywords=split_keywords(text)),
    "wk": _weigh(keywords=_strength),
    "wt": _weigh(recency=_strength),
    "wc": _weigh(citations=_strength),
    "preset": _weigh(preset=Preset),
    "citations": _weigh(citation_profile=CitationProfile),
}
