"""A client that is made when it is first asked for."""

import threading
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
Client = TypeVar("Client")


class LazyClient(Generic[Client]):
    """What ``make`` makes of the arguments, once, by whichever thread asks first.

    Making a client loads its library and reads its configuration, which takes longer than a function may take
    to start; a failure is raised to who asks, and the next one tries again.
    """

    def __init__(self, make: Callable[P, Client], *args: P.args, **kwargs: P.kwargs) -> None:
        self._make: Callable[[], Client] = lambda: make(*args, **kwargs)
        self._made: Client | None = None
        self._making = threading.Lock()

    def get(self) -> Client:
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made
