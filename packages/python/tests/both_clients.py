"""Each test with both clients, against one scripted server."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .scripted_server import API_KEY, KINDS, Async, Scripted, ScriptedServer, Sync


class BothClients(unittest.TestCase):
    """What the tests of requests share."""

    server: ScriptedServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ScriptedServer()
        cls.addClassCleanup(cls.server.close)

    def setUp(self) -> None:
        self.server.plays(Scripted())

    @contextmanager
    def client(self, kind: type[Sync] | type[Async], **settings: Any) -> Iterator[Sync | Async]:
        made = kind(**{"base_url": self.server.url, "api_key": API_KEY, **settings})
        try:
            yield made
        finally:
            made.close()

    def each(self, **settings: Any) -> Iterator[Sync | Async]:
        """A client of each kind, after the other, with a fresh script."""
        for kind in KINDS:
            self.server.plays(Scripted())
            with self.subTest(kind.name), self.client(kind, **settings) as made:
                yield made
