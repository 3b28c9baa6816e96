"""A provider's refusal, with the status that its client would have set."""

from pathfinder.errors import RateLimited


def busy(message: str) -> RateLimited:
    error = RateLimited(message)
    error.status = 429
    return error
