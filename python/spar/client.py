"""A client of `spar serve`, with the standard library only."""
from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.parse
import uuid

from ._spar import (AllSeenError, BusyError, ConflictError, Error, FullError, InvalidError, StorageError, UnknownError,
                    UnsupportedError)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

__all__ = ["Client", "DeniedError", "Served", "ServedScreen"]

class DeniedError(Error, PermissionError):
    """Not for those who have no token, or not this one."""


EXCEPTIONS: Dict[int, Type[Error]] = {
    400: InvalidError, 401: DeniedError, 403: DeniedError, 404: UnknownError, 405: UnsupportedError, 406: UnsupportedError,
    409: ConflictError, 410: ConflictError, 413: InvalidError, 415: InvalidError, 421: InvalidError, 422: ConflictError, 429: BusyError,
    503: BusyError, 507: FullError,
}


class Client:
    """The experiments that a server has.

    url      as people use it: 'http://127.0.0.1:8080'
    token    a manage token (`spar token new tea.db`); without, one may vote
    retries  how often a request that had no reply, or came too early, is sent again. Every request has one effect: that
             is what the server is made for
    timeout  seconds to wait for a reply

    A client may be shared by threads, which take turns.

    >>> Client("http://127.0.0.1:8080")
    <spar.Client http://127.0.0.1:8080>
    """

    def __init__(self, url: str, token: Optional[str] = None, *, retries: int = 4, timeout: float = 30) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidError(f"{url}: expected http://HOST:PORT or https://HOST")
        self.url = url.rstrip("/")
        self._parts, self._token, self._retries, self._timeout = parts, token, retries, timeout
        self._connection: Optional[http.client.HTTPConnection] = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<spar.Client {self.url}>"

    # --- experiments

    def experiments(self) -> List[Dict[str, Any]]:
        """The experiments: name, question, closed."""
        return self.request("GET", "/v1/experiments")["experiments"]

    def experiment(self, name: str) -> "Served":
        """One of them; it is looked at when it is asked something."""
        return Served(self, name)

    def create(self, name: str, options: Sequence[Union[str, Mapping[str, Any]]] = (), **settings: Any) -> "Served":
        """A new one: question, policy, m, answer, seed, results, access as for Experiment.create. For managers."""
        if isinstance(options, str):
            raise TypeError(f"options={options!r}: expected a list of ids or dicts")
        body = {key: value for key, value in settings.items() if value is not None}
        self.request("POST", "/v1/experiments", dict(body, name=name, options=[option_of(o) for o in options]))
        return Served(self, name)

    # --- requests

    def request(self, method: str, path: str, body: Any = None, *, query: Optional[Mapping[str, Any]] = None,
                authorization: Optional[str] = None, raw: bool = False) -> Any:
        """One request, with one effect however often it must be sent: what the server says, as data (raw: as text)."""
        if query:
            path += "?" + urllib.parse.urlencode({key: str(value) for key, value in query.items()})
        headers = {"Accept": "*/*" if raw else "application/json"}
        if authorization or self._token:
            headers["Authorization"] = authorization or f"Bearer {self._token}"
        sent: Optional[bytes] = None
        if isinstance(body, bytes):
            sent = body
            headers["Content-Type"] = "application/octet-stream"
        elif method != "GET":
            sent = json.dumps({} if body is None else body).encode()
            headers["Content-Type"] = "application/json"
        if method != "GET":
            headers["Idempotency-Key"] = uuid.uuid4().hex
        status, text = self._send(method, self._parts.path.rstrip("/") + path, sent, headers)
        if status >= 400:
            raise error_of(status, text)
        return text.decode() if raw else json.loads(text) if text else None

    def _send(self, method: str, path: str, body: Optional[bytes], headers: Dict[str, str]) -> Tuple[int, bytes]:
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                status, text, wait = self._try(method, path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                if last:
                    raise StorageError(f"{self.url}: no reply: {error or type(error).__name__}") from error
                wait = 0.1 * 2**attempt
            else:
                if status not in (429, 503) or last:
                    return status, text
            time.sleep(wait)
        raise AssertionError("not reached")

    def _try(self, method: str, path: str, body: Optional[bytes], headers: Dict[str, str]) -> Tuple[int, bytes, float]:
        with self._lock:
            try:
                if self._connection is None:
                    kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
                    self._connection = kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)
                self._connection.request(method, path, body, headers)
                reply = self._connection.getresponse()
                text = reply.read()
                return reply.status, text, float(reply.getheader("Retry-After") or 1)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends the connection; the next request makes a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


def error_of(status: int, text: bytes) -> Error:
    try:
        problem = json.loads(text)
        sentence = problem["detail"]
        if problem.get("type") == "urn:spar:problem:all_seen":
            return AllSeenError(sentence)
    except (ValueError, KeyError, TypeError):
        sentence = f"the server says {status}"
    return EXCEPTIONS.get(status, StorageError)(sentence)


def option_of(option: Union[str, Mapping[str, Any]], more: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    """An option as the server takes it; bytes of an image in base64."""
    if not isinstance(option, str) and not hasattr(option, "keys"):
        raise TypeError(f"an option is an id, a text, or a dict with one, not {option!r}")
    made: Dict[str, Any] = {"id": option} if isinstance(option, str) else dict(option)
    made.update(more or {})
    if isinstance(made.get("image"), bytes):
        import base64
        made["image"] = base64.b64encode(made["image"]).decode()
    return made


class ServedScreen:
    """A screen of a server: number, arms (ids in the order they are shown), options, the token of its answer; settings, in
    a space, one mapping for each arm."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.number: int = data["screen"]
        self.options: List[Dict[str, Any]] = data["options"]
        self.arms = tuple(option["id"] for option in self.options)
        self.question: Optional[str] = data.get("question")
        self.item: Optional[Dict[str, Any]] = data.get("item")
        self.outputs = tuple(option.get("body") for option in self.options) if self.item else None
        self.settings = tuple({axis["name"]: axis["value"] for axis in one} for one in data["settings"]) \
            if "settings" in data else None
        self.token: str = data["token"]

    def __len__(self) -> int:
        return len(self.arms)

    def __getitem__(self, i: int) -> str:
        return self.arms[i]

    def __repr__(self) -> str:
        return f"ServedScreen({self.number}, {self.arms!r})"

    def place(self, arm: str) -> str:
        """A, B, C ...: how answers name what is shown."""
        if arm not in self.arms:
            raise InvalidError(f"{arm!r} is not on the screen, which shows {self.arms!r}")
        return self.options[self.arms.index(arm)]["place"]


class Served:
    """One experiment of a server: ask, tell, status and the rest as Experiment has them."""

    def __init__(self, client: Client, name: str, secret: Optional[str] = None) -> None:
        self.client, self.name, self._secret = client, name, secret

    def __repr__(self) -> str:
        return f"<spar experiment {self.name} at {self.client.url}>"

    def _request(self, method: str, path: str = "", body: Any = None, **more: Any) -> Any:
        return self.client.request(method, f"/v1/experiments/{urllib.parse.quote(self.name, safe='')}{path}", body,
                                   authorization=f"Voter {self._secret}" if self._secret else None, **more)

    def join(self, invitation: Optional[str] = None) -> "Served":
        """Becomes a voter: the same experiment as one who may vote, without a manage token."""
        body = {} if invitation is None else {"invitation": invitation}
        return Served(self.client, self.name, self._request("POST", "/voters", body)["secret"])

    def describe(self) -> Dict[str, Any]:
        """Question, settings and options."""
        return self._request("GET")

    def ask(self, voter: Optional[str] = None) -> ServedScreen:
        """A screen. Managers may ask for any voter; a voter has at most two that are open."""
        return ServedScreen(self._request("POST", "/screens", {} if voter is None else {"voter": voter}))

    def tell(self, screen: ServedScreen, winner: Optional[str] = None, ranking: Optional[Sequence[Any]] = None,
             pairs: Optional[Sequence[Tuple[Any, ...]]] = None, tie: bool = False, bad: bool = False, skip: bool = False,
             voter: Optional[str] = None, comment: Optional[str] = None, taken: Optional[int] = None) -> Dict[str, Any]:
        """The answer to a screen, as for Policy.tell; it is on the server's disk when this returns."""
        if not isinstance(screen, ServedScreen):
            raise TypeError(f"tell(screen, ...): expected what ask() gave, not {screen!r}")
        body: Dict[str, Any] = {"token": screen.token}
        if winner is not None:
            body["winner"] = screen.place(winner)
        if ranking is not None:
            body["ranking"] = ",".join("=".join(screen.place(arm) for arm in level) if isinstance(level, (list, tuple, set))
                                       else screen.place(level) for level in ranking)
        if pairs is not None:
            body["pairs"] = ",".join(pair_of(screen, pair) for pair in pairs)
        body.update({word: True for word, said in (("tie", tie), ("bad", bad), ("skip", skip)) if said})
        if len(body) != 2:
            raise TypeError("an answer is exactly one of winner=, ranking=, pairs=, tie=True, bad=True, skip=True")
        body.update({key: value for key, value in (("voter", voter), ("comment", comment), ("taken", taken))
                     if value is not None})
        return self._request("POST", "/answers", body)

    def undo(self, screen: ServedScreen) -> ServedScreen:
        """Takes the answer back: the screen is open again."""
        return ServedScreen(self._request("POST", "/undo", {"token": screen.token}))

    def open_screens(self) -> List[ServedScreen]:
        """The voter's screens that wait for an answer."""
        return [ServedScreen(screen) for screen in self._request("GET", "/screens")["screens"]]

    def status(self) -> Dict[str, Any]:
        """What may be concluded so far: the fields of `spar status --json`."""
        return self._request("GET", "/status")

    def add(self, option: Union[str, Mapping[str, Any]], **fields: Any) -> Dict[str, Any]:
        """A new option, or a new version of the one with this id. For managers, like all that follows."""
        return self._request("POST", "/options", option_of(option, fields))

    def retire(self, id: str) -> Dict[str, Any]:
        """The option is not shown any more."""
        return self._request("DELETE", "/options/" + urllib.parse.quote(id, safe=""))

    def set(self, **settings: Any) -> Dict[str, Any]:
        """Changes question, m, results or access."""
        return self._request("PATCH", "", settings)

    def end(self) -> Dict[str, Any]:
        """No more screens are given out."""
        return self._request("POST", "/close")

    def reopen(self) -> Dict[str, Any]:
        """Screens are given out again."""
        return self._request("POST", "/reopen")

    def export(self, format: str = "jsonl", with_names: bool = False) -> str:
        """The answers as a text: 'jsonl', 'csv', 'arena', 'preflib' or 'dpo'."""
        return self._request("GET", "/export", query={"format": format, "names": str(with_names).lower()}, raw=True)

    def add_items(self, items: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
        """New items, or outputs of items whose id is there, as Experiment.add_items takes them."""
        return self._request("POST", "/items", "".join(json.dumps(item) + "\n" for item in items).encode())

    def import_votes(self, text: Union[str, bytes], format: str = "auto", add_options: bool = False) -> Dict[str, Any]:
        """Adds answers that were given elsewhere, each once."""
        return self._request("POST", "/import", text.encode() if isinstance(text, str) else text,
                             query={"format": format, "add_options": str(add_options).lower()})


def pair_of(screen: ServedScreen, pair: Sequence[Any]) -> str:
    signs = {"win": ">", "loss": "<", "tie": "="}
    if len(pair) not in (2, 3) or (len(pair) == 3 and pair[2] not in signs):
        raise ValueError(f"{pair!r}: a pair is (a, b), a beats b, or (a, b, 'win' | 'tie' | 'loss')")
    return screen.place(pair[0]) + signs[pair[2] if len(pair) == 3 else "win"] + screen.place(pair[1])
