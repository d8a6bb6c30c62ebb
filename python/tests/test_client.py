"""The client, against a real `spar serve`."""
import os
import pathlib
import re
import socket
import sys
import threading

import pytest

import spar
from spar.client import DeniedError

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/service"))


@pytest.fixture
def server(command, tmp_path):
    from server import Server
    if "serve" not in command("help"):
        pytest.skip("this spar has no serve")
    made = Server(os.environ["SPAR_EXE"], options=["a", "b", "c"], init=["--seed", 3, "--m", 3], folder=str(tmp_path))
    made.token = made.shell("token", "new", made.file).split()[-1]  # before it runs: then it reads them once a second
    with made as running:
        running.url = f"http://127.0.0.1:{running.port}"
        yield running


def test_a_voter(server):
    client = spar.Client(server.url)
    assert [e["name"] for e in client.experiments()] == ["tea"]
    with pytest.raises(DeniedError):
        client.experiment("tea").status()
    ann = client.experiment("tea").join()
    screen = ann.ask()
    assert sorted(screen.arms) == ["a", "b", "c"] and len(screen) == 3 and screen[0] == screen.arms[0]
    assert [s.number for s in ann.open_screens()] == [screen.number]
    assert ann.tell(screen, winner="b")["saved"] and ann.tell(screen, winner="b")["saved"]  # again: once only
    with pytest.raises(spar.ConflictError):
        ann.tell(screen, winner="a")
    again = ann.undo(screen)
    ann.tell(again, ranking=[again[0], (again[1], again[2])], comment="fine", taken=900)
    screen = ann.ask()
    ann.tell(screen, pairs=[(screen[0], screen[1]), (screen[1], screen[2], "tie")])
    with pytest.raises(spar.InvalidError, match="not on the screen"):
        ann.tell(ann.ask(), winner="zebra")
    with pytest.raises(TypeError):
        ann.tell(screen)
    with pytest.raises(spar.UnknownError):
        client.experiment("coffee").describe()


def test_a_manager(server):
    with spar.Client(server.url, server.token) as client:
        tea = client.experiment("tea")
        for i in range(20):
            screen = tea.ask(voter=f"v{i % 7}")
            tea.tell(screen, winner="c", voter=f"v{i % 7}")
        status = tea.status()
        assert status["verdict"] == "best" and status["leader"] == "c"
        tea.add("d", title="Dora")
        tea.retire("a")
        tea.set(question="Which?")
        about = tea.describe()
        assert about["question"] == "Which?" and {o["id"]: o["live"] for o in about["options"]}["a"] is False
        tea.end()
        with pytest.raises(spar.Error):
            tea.ask(voter="x")
        tea.reopen()
        assert tea.export("csv").count("\n") == 21 and "v3" not in tea.export("csv")
        assert "v3" in tea.export("csv", with_names=True)
        assert tea.import_votes("model_a,model_b,winner\nb,c,model_a\n")["added"] == 1
        with spar.Experiment(server.file, readonly=True) as file:
            assert file.answers == 21  # the same file
        more = client.create("coffee", options=["x", {"id": "y", "title": "Y", "image": b"GIF89a", "image_type": "image/gif"}],
                             seed=5)
        assert sorted(more.ask(voter="ann").arms) == ["x", "y"] and "coffee" in repr(more)


def test_same_screens_as_the_file(server, tmp_path):
    """What a server asks is what the experiment asks."""
    tea = spar.Client(server.url, server.token).experiment("tea")
    with spar.Experiment.create(tmp_path / "twin.db", options=["a", "b", "c"], m=3, seed=3) as twin:
        for i in range(5):
            there, here = tea.ask(voter=f"v{i}"), twin.ask(voter=f"v{i}")
            assert (there.number, there.arms) == (here.number, here.arms)
            tea.tell(there, winner="b", voter=f"v{i}")
            twin.tell(here, winner="b", voter=f"v{i}")


def test_items(server):
    client = spar.Client(server.url, server.token)
    models = client.create("models", options=["small", "large"], seed=2)
    items = [{"id": f"q{i}", "prompt": f"What is {i}?", "group": "sums", "outputs": {"small": "?", "large": f"{i}."}}
             for i in range(4)]
    assert models.add_items(items[:3])["added"] == 3 and models.add_items(items) == {"added": 1, "changed": 0, "items": 4}
    ann, seen = models.join(), []
    for _ in items:
        screen = ann.ask()
        seen.append(screen.item["id"])
        asked = items[int(seen[-1][1:])]
        assert screen.item["prompt"] == asked["prompt"]
        assert screen.outputs == tuple(asked["outputs"][arm] for arm in screen.arms)
        ann.tell(screen, winner="large")
    assert sorted(seen) == ["q0", "q1", "q2", "q3"]
    with pytest.raises(spar.AllSeenError):
        ann.ask()
    assert models.status()["items"] == 4 and models.export("dpo").count("\n") == 4
    assert client.experiment("tea").ask(voter="ann").item is None
    with pytest.raises(spar.ConflictError, match="another prompt"):
        models.add_items([dict(items[0], prompt="changed")])


def test_settings(server):
    client = spar.Client(server.url, server.token)
    ann = client.create("seat", space="height 40..60 cm, mode {a,b}", seed=1).join()
    for _ in range(3):
        screen = ann.ask()
        assert all(40 <= setting["height"] <= 60 and setting["mode"] in "ab" for setting in screen.settings)
        best = max(range(2), key=lambda i: screen.settings[i]["height"])
        ann.tell(screen, winner=screen.arms[best])
    assert client.experiment("seat").status()["answers"] == 3
    assert client.experiment("tea").ask(voter="ann").settings is None


class Careless(threading.Thread):
    """Hands requests on, and loses every second reply."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.to, self.listener, self.lost = port, socket.create_server(("127.0.0.1", 0)), 0
        self.port = self.listener.getsockname()[1]

    def run(self):
        for count in range(10**6):
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            with near, socket.create_connection(("127.0.0.1", self.to)) as far:
                request = self.message(near)
                far.sendall(request.replace(b":%d\r\n" % self.port, b":%d\r\n" % self.to))  # the name it is known by
                reply = self.message(far)
                if count % 2:
                    near.sendall(reply)
                else:
                    self.lost += 1

    @staticmethod
    def message(one):
        """The head, and a body of the length that it names."""
        text = b""
        while b"\r\n\r\n" not in text:
            part = one.recv(65536)
            if not part:
                return text  # closed
            text += part
        head, _, body = text.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        while length and len(body) < int(length[1]):
            part = one.recv(65536)
            if not part:
                break
            text, body = text + part, body + part
        return text


def test_lost_replies_have_one_effect(server):
    careless = Careless(server.port)
    careless.start()
    tea = spar.Client(f"http://127.0.0.1:{careless.port}", server.token).experiment("tea")
    for i in range(4):
        screen = tea.ask(voter=f"v{i}")
        tea.tell(screen, tie=True, voter=f"v{i}")
    careless.listener.close()
    counts = spar.Client(server.url, server.token).experiment("tea").describe()["counts"]
    assert careless.lost >= 8 and counts["screens"] == 4 and counts["answers"] == 4


def test_no_server():
    with pytest.raises(spar.StorageError, match="no reply"):
        spar.Client("http://127.0.0.1:9", retries=1).experiments()
    for wrong in "ftp://x", "nothing", "http://":
        with pytest.raises(spar.InvalidError):
            spar.Client(wrong)


def test_wrong_types():
    client = spar.Client("http://127.0.0.1:1")  # nothing is sent
    with pytest.raises(TypeError, match="options='abc': expected a list"):
        client.create("tea", options="abc")
    with pytest.raises(TypeError, match="an option is an id.* not 1"):
        client.create("tea", options=[1, 2])
    with pytest.raises(TypeError, match="expected what ask"):
        client.experiment("tea").tell(spar.Screen(1, ("a", "b")), winner="a")
