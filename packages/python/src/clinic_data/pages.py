"""A paginated list: walked by rows or by pages, which are requested while they are walked."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .answer import Answer
from .generated.resources import ListWarning

Row = TypeVar("Row")


class FilterWarning(UserWarning):
    """A list is empty, or a query counts less than it seems: a filter names an id that the clinic does not have."""


# Python shows a warning once for each text and line, and the next unknown id would count zero in silence. A program's own filters go first.
warnings.simplefilter("always", FilterWarning, append=True)


class Rows(list[Row]):
    """A whole list, which has no pages."""

    def __init__(self, rows: Iterable[Row], warnings: list[ListWarning]) -> None:
        super().__init__(rows)
        self.warnings: list[ListWarning] = warnings
        """One for each filter that names an id which the clinic does not have. Only an empty list has some."""


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of a list."""

    data: list[Row]
    """The rows of this page."""
    next_cursor: str | None
    """Send it back as `cursor` for the next page. None on the last page."""
    resume_cursor: str | None
    """Only of the event feed: the position up to which it has been read. Keep it, and send it as `cursor` to go on."""
    warnings: list[ListWarning]
    """One for each filter that names an id which the clinic does not have. Only an empty page has some."""
    body: Mapping[str, Any]
    """The whole answer, also with what a later version adds."""


_MOST_ROWS = 100
"""The contract's largest page. A walk is limited by the number of its requests."""


def fields_of_page(fields: Mapping[str, Any], cursor: str | None) -> dict[str, Any]:
    """The fields of a list's request. Whoever wants a second page walks: further pages are as large as allowed."""
    if cursor is None:
        return dict(fields)
    return {**fields, "limit": fields.get("limit", _MOST_ROWS), "cursor": cursor}


def page_of(answer: Answer) -> Page[Any]:
    """Raises UnexpectedAnswerError for an answer that is no list."""
    rows, body = answer.data, answer.body
    return Page(list(rows), body.get("next_cursor"), body.get("resume_cursor"), warnings_of(body), body)


def warnings_of(body: Mapping[str, Any]) -> list[ListWarning]:
    """The warnings beside the rows of a list."""
    meta: Mapping[str, Any] = body.get("meta") or {}
    return list(meta.get("warnings") or [])


def rows_of(answer: Answer) -> Rows[Any]:
    """A whole list. The warning is told at the line that called the method, which is three calls above."""
    rows = Rows[Any](answer.data, warnings_of(answer.body))
    _tell(rows.warnings, 4)
    return rows


def told_data(answer: Answer) -> Any:
    """The data of a whole answer, with the warnings of a query told: at the line that called the method, as for a list."""
    _tell(warnings_of(answer.body), 4)
    return answer.data


def _tell(found: Iterable[ListWarning], calls_above: int) -> None:
    """Through Python's own warnings: whoever walks rows sees no page, and an empty walk ends in silence."""
    for one in found:
        told = f"{one.get('parameter')} {one.get('detail')}"
        warnings.warn(told, FilterWarning, stacklevel=calls_above + 1)


class Pages(Generic[Row]):
    """Sends nothing until it is walked. Each walk asks anew, from the `cursor` of the call on, if it has one.

    Example:
        >>> for patient in client.patients.list(query="levi"):
        ...     print(patient["id"])
        >>> page = client.patients.list(limit=10).page()
        >>> print(len(page.data), page.next_cursor)
    """

    def __init__(self, ask: Callable[[str | None], Page[Row]]) -> None:
        self._ask = ask

    def __repr__(self) -> str:
        return "<a list that is not read yet: walk it with for, or call page() or pages()>"

    def page(self) -> Page[Row]:
        """Asks for one page: the first, or the one that the call's `cursor` names."""
        return self._ask(None)

    def pages(self) -> Iterator[Page[Row]]:
        """All pages from that one on."""
        page = self.page()
        yield page
        while page.next_cursor is not None:
            page = self._ask(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[Row]:
        """The rows of all pages."""
        for page in self.pages():
            _tell(page.warnings, 2)
            yield from page.data


class AsyncPages(Generic[Row]):
    """Sends nothing until it is walked. Each walk asks anew, from the `cursor` of the call on, if it has one.

    Example:
        >>> async for patient in client.patients.list(query="levi"):
        ...     print(patient["id"])
        >>> page = await client.patients.list(limit=10).page()
        >>> print(len(page.data), page.next_cursor)
    """

    def __init__(self, ask: Callable[[str | None], Awaitable[Page[Row]]]) -> None:
        self._ask = ask

    def __repr__(self) -> str:
        return "<a list that is not read yet: walk it with async for, or call page() or pages()>"

    async def page(self) -> Page[Row]:
        """Asks for one page: the first, or the one that the call's `cursor` names."""
        return await self._ask(None)

    async def pages(self) -> AsyncIterator[Page[Row]]:
        """All pages from that one on."""
        page = await self.page()
        yield page
        while page.next_cursor is not None:
            page = await self._ask(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[Row]:
        """The rows of all pages."""
        async for page in self.pages():
            _tell(page.warnings, 2)
            for row in page.data:
                yield row
