"""What a hostile client, or a careless operator, may try: requests whose end is not clear, addresses that are made up,
floods of what nobody counts, replies that nobody reads, tokens that end while a body comes, files that vanish."""
import re
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, ok  # noqa: E402
from server import Server  # noqa: E402


def raw(server, text, wait=5.0):
    """Sends bytes; the status of every reply until the other side closes, and whether it did."""
    got, closed = b"", True
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as s:
        try:
            s.sendall(text.encode("latin-1"))
            while part := s.recv(65536):
                got += part
        except TimeoutError:
            closed = False
        except ConnectionError:
            pass  # closed while there was more to read
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", got)], closed


def test_framing(server, voter):
    """Behind each request there is another one, which must not be answered where the end of the first is not clear."""
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    post = f"POST {server.base}/screens HTTP/1.1\r\nAuthorization: {voter['Authorization']}\r\n" \
        "Content-Type: application/json\r\n"
    behind = f"GET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    chunk = "2\r\n{}\r\n0\r\n\r\n"
    for what, headers, body in (
            ("a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunk),
            ("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n", chunk),
            ("two lengths", "Content-Length: 2\r\nContent-Length: 40\r\n", "{}"),
            ("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunk),
            ("an unknown coding", "Transfer-Encoding: gzip, chunked\r\n", chunk),
            ("a coding and a blank", "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a length and a blank", "Content-Length : 2\r\n", "{}"),
            ("a coding in the next line", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a line that goes on", "X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a lone carriage return", "X: y\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"),
            ("another host, too", "Host: example.org\r\nContent-Length: 2\r\n", "{}")):
        got, closed = raw(server, post + host + headers + "\r\n" + body + behind)
        ok(got in ([400], []) and closed, f"{what}: refused, and the end ({got})")
    for what, headers, body in (("a length", "Content-Length: 2\r\n", "{}"),
                                ("chunks", "Transfer-Encoding: chunked\r\n", chunk)):
        got, _ = raw(server, post + host + headers + "\r\n" + body + behind)
        ok(got[0] in (200, 201) and got[1:] == [200], f"{what} alone: answered, and so is what follows")


def test_forwarded():
    with Server(SPAR, args=["--trust-proxy", "127.0.0.1", "--limit", "address-rate=20"], limits=True) as server:
        text = "".join(f"GET /v1/experiments HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Forwarded-For: 10.0.0.{i}\r\n"
                       f"X-Forwarded-For: 203.0.113.5\r\n{'Connection: close' if i == 39 else 'X: y'}\r\n\r\n"
                       for i in range(40))
        got, _ = raw(server, text)
        ok(20 <= got.count(200) < 30 and got.count(429) > 10,
           "a client cannot make up addresses by a line before that of the proxy")


with Server(SPAR) as server:
    voter = server.voter()
    test_framing(server, voter)
test_forwarded()
done()
