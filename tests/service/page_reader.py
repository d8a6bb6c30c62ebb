"""page_reader.py - pages as a browser without scripts sees them: cookies, forms, links, what is on a page. Standard library
only."""
import html.parser
import http.client
import re
import urllib.parse

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SVG = {"line", "rect", "circle", "path"}


class Node:
    def __init__(self, tag, attrs, parent):
        self.tag, self.attrs, self.parent, self.inside = tag, dict(attrs), parent, []

    def all(self, tag=None, **attrs):
        """Every element inside, of that kind and with these attributes (class_: one of its classes)."""
        for child in self.inside:
            if isinstance(child, str):
                continue
            wanted = all(value in child.attrs.get("class", "").split() if name == "class_"
                         else child.attrs.get(name.replace("_", "-")) == value for name, value in attrs.items())
            if (tag is None or child.tag == tag) and wanted:
                yield child
            yield from child.all(tag, **attrs)

    def one(self, tag=None, **attrs):
        return next(self.all(tag, **attrs), None)

    @property
    def text(self):
        """With single blanks."""
        parts = []

        def walk(node):
            for child in node.inside:
                if isinstance(child, str):
                    parts.append(child)
                elif child.tag not in ("script", "style", "title"):
                    walk(child)
        walk(self)
        return " ".join("".join(parts).split())


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Node("", [], None)
        self.faults = []
        self.feed(text)
        if self.at is not self.root:
            self.faults.append(f"<{self.at.tag}> is not closed")

    def handle_starttag(self, tag, attrs):
        node = Node(tag, attrs, self.at)
        self.at.inside.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag, attrs):
        self.at.inside.append(Node(tag, attrs, self.at))

    def handle_endtag(self, tag):
        if self.at.tag != tag:
            self.faults.append(f"</{tag}> inside <{self.at.tag}>")
        else:
            self.at = self.at.parent

    def handle_data(self, data):
        self.at.inside.append(data)


class Browser:
    def __init__(self, port, language="en"):
        self.port, self.language, self.cookies = port, language, {}

    def request(self, method, path, body=None, headers=None, follow=True):
        """status, headers, text; follows 303."""
        sent = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": self.language, **(headers or {})}
        if self.cookies and "Cookie" not in sent:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=240)
        try:
            connection.request(method, path, body, sent)
            reply = connection.getresponse()
            text = reply.read().decode(errors="replace")
        finally:
            connection.close()
        got = {name.lower(): value for name, value in reply.getheaders()}
        for name, value in reply.getheaders():
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition(";")
                name, _, value = cookie.partition("=")
                self.cookies[name] = value
                if "Max-Age=0" in rest:
                    del self.cookies[name]
        if follow and reply.status == 303:
            return self.request("GET", got["location"])
        return reply.status, got, text

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def page(self, path):
        status, _, text = self.get(path)
        return status, Page(text)

    def post(self, path, fields, headers=None, follow=True):
        return self.request("POST", path, urllib.parse.urlencode(fields),
                            {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}, follow)

    def post_files(self, path, fields, files, follow=True):
        """files: (field, name, bytes)."""
        parts = [(f'name="{name}"', value.encode()) for name, value in fields]
        parts += [(f'name="{field}"; filename="{name}"\r\nContent-Type: application/octet-stream', data)
                  for field, name, data in files]
        body = b"".join(b"--EDGE\r\nContent-Disposition: form-data; " + head.encode() + b"\r\n\r\n" + data + b"\r\n"
                        for head, data in parts) + b"--EDGE--\r\n"
        return self.request("POST", path, body, {"Content-Type": "multipart/form-data; boundary=EDGE"}, follow)

    def csrf(self, path="/manage"):
        found = re.search(r'name="csrf" value="(\w+)"', self.get(path)[2])
        return found[1] if found else ""


def manager(server, token=None):
    """A browser that has logged in."""
    browser = Browser(server.port)
    if not token:
        if not server.tokens:
            server.token()
        token = server.tokens[0]
    status, _, text = browser.post("/login", {"token": token})
    assert status == 200 and "spar_session" in browser.cookies, text
    return browser
