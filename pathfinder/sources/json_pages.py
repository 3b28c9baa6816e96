"""JSON pages from a host, checked before anything is read from them."""

from collections.abc import Mapping
from json import JSONDecodeError
from typing import Any

from pathfinder.corpus.schemas.fields import MAX_COUNT
from pathfinder.text.strict_json import parse_json


def json_object(content: bytes) -> Mapping[str, Any]:
    """Return the JSON object in `content`. Raises `ValueError` if `content` is anything else."""
    value = json_value(content)
    if not isinstance(value, dict):
        raise ValueError("JSON that is not an object")
    return value


def json_value(content: bytes) -> Any:
    """Return the value in `content`. Raises `ValueError` if `parse_json` cannot read it; the message quotes nothing
    from the content except a key that occurs twice.
    """
    try:
        return parse_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("not JSON: invalid UTF-8") from None
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    except JSONDecodeError as error:
        raise ValueError(f"not JSON at character {error.pos + 1}") from None


def object_of(reply: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the object in a field. Raises `ValueError` if there is none."""
    value = reply.get(name)
    if not isinstance(value, dict):
        raise ValueError(f'JSON without the field "{name}"')
    return value


def list_of(reply: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    """Return the list in a field. Raises `ValueError` if there is none."""
    value = reply.get(name)
    if not isinstance(value, list):
        raise ValueError(f"JSON without a list of {name}")
    return tuple(value)


def next_cursor(reply: Mapping[str, Any], name: str, cursor: str | None, records: tuple[Any, ...]) -> str | None:
    """Return the cursor of the next page, which the field `name` holds; `None` after the last. Raises `ValueError` if
    it is the `cursor` of this page, or if this page has no `records` although another one follows.
    """
    following = reply.get(name)
    if following is None:
        return None
    if not isinstance(following, str) or following == cursor:
        raise ValueError("a page that names itself as the next one")
    if not records:
        raise ValueError("an empty page in the middle of the list")
    return following


def end_of_page(start: int, n_records: int, total: int) -> int:
    """Return the number of records up to the end of a page that begins after `start` of `total`. Raises `ValueError` if
    it is empty although more are expected; it may have records if fetched again.
    """
    if not n_records and start < total:
        raise ValueError(f"an empty page after {start} of {total} records")
    return start + n_records


def whole_number(reply: Mapping[str, Any], name: str) -> int | None:
    """Return a count that the host states; `None` if it states none, or an impossible one."""
    value = reply.get(name)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1000 * MAX_COUNT
    return value if is_count else None
