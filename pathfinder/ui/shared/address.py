"""The address bar: converts every setting of a search to query parameters and back.

Default values are left out to keep links short. Unknown or broken parameters are ignored with a note, so that a damaged
link still opens.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pathfinder.answering.modes.registry import styles_of
from pathfinder.answering.settings import AnswerSettings
from pathfinder.retrieval.expansion.synonyms import check_synonyms
from pathfinder.retrieval.factors import factor_settings
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types.setting_kinds import Strength, Synonyms
from pathfinder.types.settings import Setting, settings_of

MAX_QUESTION_IN_ADDRESS = 1500
"""Maximum number of characters in a question; browsers, and servers along the way, truncate long addresses."""
MAX_REGION_IN_ADDRESS = 2000
"""Maximum number of characters in a region, enough for about a hundred corners."""
MAX_PAPERS_IN_ADDRESS = 2000
"""Maximum number of characters in a list of papers, enough for about a hundred."""
MIN_YEAR = 0
_QUESTION = "q"


_NO_QUESTION = SearchRequest("no question yet")


@dataclass(frozen=True, slots=True)
class Form:
    """All settings on the page. The question may be empty."""

    question: str = ""
    search: SearchRequest = _NO_QUESTION
    """Settings of the search; the `query` in it is ignored."""
    answering: AnswerSettings = field(default_factory=AnswerSettings)

    @property
    def weighting(self) -> Weighting:
        """Weights of the search."""
        return self.search.weighting

    def with_search(self, **settings: Any) -> "Form":
        """Change settings of the search. Raises `UsageError` for invalid values."""
        return replace(self, search=replace(self.search, **settings))

    def request(self) -> SearchRequest:
        """Make the request. Raises `UsageError` for an empty question."""
        return replace(self.search, query=self.question)


def to_parameters(form: Form) -> tuple[dict[str, str], str | None]:
    """Write `form` as the parameters of a link; a note says if question, region or papers are too long for one."""
    own, defaults = _write(form), _write(Form())
    parameters = {name: text for name, text in own.items() if text != defaults[name]}
    left_out = []
    for name, what, most in (
        (_QUESTION, "the question has", MAX_QUESTION_IN_ADDRESS),
        ("region", "the region of the map takes up", MAX_REGION_IN_ADDRESS),
        ("within", "the ids of the papers to search take up", MAX_PAPERS_IN_ADDRESS),
    ):
        if len(parameters.get(name, "")) > most:
            del parameters[name]
            left_out.append(f"{what} more than {most:,} characters")
    them = "it" if len(left_out) == 1 else "them"
    return parameters, f"{' and '.join(left_out)}, so the link leaves {them} out" if left_out else None


def from_parameters(parameters: Mapping[str, str]) -> tuple[Form, tuple[str, ...]]:
    """Read the form described by a link; return it with a note for every parameter that was ignored."""
    form, notes = Form(), []
    linked_settings = {setting.link: (part, setting) for part, setting in _link_settings()}
    for name, text in parameters.items():
        if name != _QUESTION and name not in linked_settings:
            notes.append(f"the link's setting {name!r} is unknown and was ignored")
            continue
        try:
            if name == _QUESTION:
                changed_form = replace(form, question=text)
            else:
                part, setting = linked_settings[name]
                changed_form = _set(form, part, setting, read_setting(setting, text))
            replace(changed_form, question=changed_form.question or "?").request()
        except ValueError:
            notes.append(f"the link's setting {name}={text[:80]!r} is not valid and was ignored")
        else:
            form = changed_form
    return _without_refused_style(form, notes), tuple(notes)


def _without_refused_style(form: Form, notes: list[str]) -> Form:
    """Drop a style that the mode does not support, with a note: links of version 0.1.0 may combine any two."""
    answering = form.answering
    style = answering.specialisation
    if style is None or style in styles_of(answering.generation):
        return form
    notes.append(
        f"the link's style {style.value} was ignored: the answer mode {answering.generation} does not support it"
    )
    return replace(form, answering=replace(answering, specialisation=None))


def read_setting(setting: Setting, text: str) -> Any:
    """Read the value of a setting. Raises a `ValueError` for text that cannot be read."""
    value = setting.kind.read(text)
    if isinstance(setting.kind, Synonyms):
        return check_synonyms({term: list(names) for term, names in value}, "your own synonyms")
    return value


def _link_settings() -> Iterator[tuple[type, Setting]]:
    """List the settings stored in a link, each with the part of the form to which it belongs."""
    parts = ((SearchRequest, settings_of(SearchRequest)), (Weighting, (*factor_settings(), *settings_of(Weighting))))
    for part, settings in (*parts, (AnswerSettings, settings_of(AnswerSettings))):
        yield from ((part, setting) for setting in settings if setting.link is not None)


def settings_on(form: Form) -> tuple[tuple[Setting, Any], ...]:
    """Return the settings that a link can hold, always in the same order, with their values."""
    return tuple((setting, _value(form, part, setting)) for part, setting in _link_settings())


def changed_settings(form: Form) -> Iterator[tuple[Setting, Any, Form]]:
    """Yield each setting that is not at its default, with its value, and the form with the default."""
    for part, setting in _link_settings():
        value = _value(form, part, setting)
        if value != setting.default:
            yield setting, value, _set(form, part, setting, setting.default)


def _write(form: Form) -> dict[str, str]:
    texts = {str(setting.link): setting.kind.write(value) for setting, value in settings_on(form)}
    return {_QUESTION: form.question, **texts}


def _value(form: Form, part: type, setting: Setting) -> Any:
    if isinstance(setting.kind, Strength):
        return form.weighting.strengths.get(setting.name, setting.default)
    parts = {SearchRequest: form.search, Weighting: form.weighting, AnswerSettings: form.answering}
    return getattr(parts[part], setting.name)


def _set(form: Form, part: type, setting: Setting, value: Any) -> Form:
    if part is AnswerSettings:
        return replace(form, answering=replace(form.answering, **{setting.name: value}))
    if isinstance(setting.kind, Strength):
        return form.with_search(weighting=form.weighting.with_strength(setting.name, value))
    if part is Weighting:
        return form.with_search(weighting=replace(form.weighting, **{setting.name: value}))
    return form.with_search(**{setting.name: value})
