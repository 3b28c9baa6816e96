"""Runs small matrix products on one thread: dividing them among several threads costs more CPU time than it saves."""

from threading import Lock
from types import TracebackType

from threadpoolctl import ThreadpoolController, threadpool_limits


class OneThread:
    """A context in which NumPy's linear algebra uses one thread.

    The setting applies to the whole process: when several searches run at once, the first to start applies it, and
    the last to finish undoes it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_inside = 0
        self._libraries: ThreadpoolController | None = None
        self._limit: threadpool_limits | None = None

    def __enter__(self) -> None:
        with self._lock:
            # The libraries are looked up only once, because that takes longer than a search.
            self._libraries = self._libraries or ThreadpoolController()
            if self._n_inside == 0:
                self._limit = self._libraries.limit(limits=1, user_api="blas")
            self._n_inside += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0 and self._limit is not None:
                self._limit.restore_original_limits()


ONE_THREAD = OneThread()
"""Shared by all searches in this process."""


def keep_one_thread() -> None:
    """Limit NumPy's linear algebra to one thread in this process from now on, whichever thread searches.

    For servers: threadpoolctl changes nothing for a thread as long as another thread that has set a limit is alive, so
    `ONE_THREAD` would take effect for only one of the threads that search, and the matrix products of all the others
    would still be split across threads.
    """
    ThreadpoolController().limit(limits=1, user_api="blas")
