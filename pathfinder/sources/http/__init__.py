"""HTTP as a polite guest: one pace per host and machine, retries, cached pages, and errors that say what to do."""

from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import Fetched, Surroundings, Web, surroundings_of

__all__ = ["Clock", "Credential", "Fetched", "Host", "Surroundings", "Web", "surroundings_of"]
