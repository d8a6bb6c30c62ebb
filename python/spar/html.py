"""What is made of reports: data, and what notebooks show."""
from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Iterable, Sequence, Union

__all__ = ["Svg", "escape", "loads", "table"]


def loads(text: str) -> Any:
    """What a report of the library says; json is imported when it is first needed."""
    import json
    return json.loads(text)


def escape(text: Any) -> str:
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(h)}</th>" for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Svg:
    """A picture. A notebook shows it; str() is its text, save() writes it to a file.

    >>> Svg("<svg/>")
    <Svg, 6 characters>
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Svg, {len(self._text)} characters>"

    def _repr_svg_(self) -> str:
        return self._text

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text)
