"""Live experiments."""
import json
import threading

import pytest

import spar

TEAS = ["Assam", "Darjeeling", "Earl-Grey", "Sencha"]


def vote(tea, n, voter="ann"):
    for _ in range(n):
        screen = tea.ask(voter=voter)
        tea.tell(screen, winner="Sencha" if "Sencha" in screen.arms else screen.arms[0], voter=voter)


def test_a_vote(tmp_path, command):
    path = tmp_path / "tea.db"
    with spar.Experiment.create(path, options=TEAS, question="Which tea?", seed=3) as tea:
        assert tea.question == "Which tea?" and tea.m == 4 and len(tea.options) == 4 and not tea.closed
        vote(tea, 20)
        assert tea.answers == 20
        status = tea.status()
        assert status.verdict == "best" and status.leader == "Sencha" and "Sencha is best" in status.sentence
        assert "Sencha" in str(status) and "<svg" in str(status.plot()) and "best" in repr(status)
        assert "<svg" in status._repr_html_() and "Which tea?" in tea._repr_html_() and "20 answers" in repr(tea)
        assert tea.verify() and tea.verify()["screens"] == 20
    assert json.loads(command("status", path, "--json")) == status  # the same as the command says
    assert json.loads(command("verify", path, "--json"))["head"] == tea_head(path)
    with pytest.raises(ValueError, match="closed"):
        tea.ask()
    tea.close()  # again: nothing


def tea_head(path):
    with spar.Experiment(path, readonly=True) as tea:
        return tea.head.hex()


def test_same_seed_same_screens_as_the_command(tmp_path, command):
    command("init", tmp_path / "a.db", *TEAS, "--seed", 5)
    with spar.Experiment.create(tmp_path / "b.db", options=TEAS, seed=5) as tea:
        for _ in range(6):
            asked = json.loads(command("ask", tmp_path / "a.db", "--voter", "ann", "--json"))
            screen = tea.ask(voter="ann")
            shown = [option["id"] for option in asked["options"]]
            assert asked["screen"] == screen.number and shown == list(screen.arms)
            command("tell", tmp_path / "a.db", screen.number, "--voter", "ann", "--winner", screen.arms[1])
            tea.tell(screen, winner=screen.arms[1], voter="ann")


def test_answers(tmp_path):
    with spar.Experiment.create(tmp_path / "x.db", options=["a", "b", "c"], m=3, answer="ranking") as x:
        s = x.ask()
        assert x.tell(s, ranking=list(s.arms), comment="good", taken=1500) is True
        assert x.tell(s, ranking=list(s.arms), comment="good", taken=1500) is False  # it was there already
        with pytest.raises(spar.ConflictError):
            x.tell(s, tie=True)
        x.undo(s)
        x.tell(s.number, pairs=[(s[0], s[1])])
        with pytest.raises(spar.UnknownError):
            x.tell(10**6, tie=True)
        with pytest.raises(spar.InvalidError, match="not on the screen"):
            x.tell(x.ask(), winner="zebra")
        assert len(x.open_screens()) == 1 and x.screen(s.number) == s
        with pytest.raises(TypeError):
            x.tell("first", tie=True)


def test_options_come_and_go(tmp_path):
    with spar.Experiment.create(tmp_path / "x.db", options=[{"id": "a", "title": "Anna", "body": "*hello*"}, "b"]) as x:
        x.add("c", title="Carla")
        x.add({"id": "d", "body": "text"}, title="Dora")
        x.retire("b")
        assert [(o["id"], o["title"], o["live"]) for o in x.options] == [
            ("a", "Anna", True), ("b", "b", False), ("c", "Carla", True), ("d", "Dora", True)]
        assert x.options[0]["body"] == "*hello*"
        assert all("b" not in x.ask().arms for _ in range(10))
        x.end()
        assert x.closed
        with pytest.raises(spar.UnsupportedError):
            x.ask()
        x.reopen()
        x.ask()
        with pytest.raises(ValueError, match="id and perhaps"):
            x.add("e", colour="red")
        with pytest.raises(spar.InvalidError):
            x.add("e\nf")
        with pytest.raises(spar.Error):
            x.add("e", image=b"no", image_type="text/html")


def test_files(tmp_path, command):
    path = tmp_path / "tea.db"
    with spar.Experiment.create(path, options=TEAS, seed=1) as tea:
        vote(tea, 12)
        vote(tea, 3, voter="bob")
        for form in "jsonl", "csv", "arena", "preflib":
            tea.export(tmp_path / ("py." + form), form)
            assert (tmp_path / ("py." + form)).read_text() == command("export", path, "--format", form)
        assert "ann" not in (tmp_path / "py.csv").read_text()
        tea.export(tmp_path / "names.csv", "csv", with_names=True)
        assert "ann" in (tmp_path / "names.csv").read_text() and (tmp_path / "names.csv").stat().st_mode & 0o077 == 0
        with pytest.raises(ValueError):
            tea.export(tmp_path / "x", "xml")
        with pytest.raises(spar.StorageError):
            tea.export(tmp_path / "no" / "such" / "folder", "csv")
        tea.backup(str(tmp_path / "copy.db"))
        tea.forget("ann")
    with spar.Experiment.open(tmp_path / "copy.db") as copy:
        assert copy.answers == 15
        head = copy.head
        assert copy.verify(head) and copy.verify(head.hex())
        assert not copy.verify(bytes(32)) and "does not hold" in repr(copy.verify(bytes(32)))
        with pytest.raises(ValueError):
            copy.verify(b"short")


def test_errors(tmp_path):
    with pytest.raises(spar.Error):
        spar.Experiment(tmp_path / "nothing.db")
    (tmp_path / "text.db").write_text("hello")
    with pytest.raises(spar.Error, match="text.db"):
        spar.Experiment(tmp_path / "text.db")
    spar.Experiment.create(tmp_path / "x.db", options=["a", "b"]).close()
    with pytest.raises(spar.ConflictError):
        spar.Experiment.create(tmp_path / "x.db", options=["a", "b"])
    with pytest.raises(ValueError):
        spar.Experiment.create(tmp_path / "y.db", options=["a"], answer="shout")
    with pytest.raises(spar.Error):
        spar.Experiment.create(tmp_path / "y.db", options=["a", "a"])
    with pytest.raises(TypeError):
        spar.Experiment(3)
    with spar.Experiment(tmp_path / "x.db", readonly=True) as x:
        with pytest.raises(spar.Error):
            x.ask()


def test_threads_share_one(tmp_path):
    with spar.Experiment.create(tmp_path / "x.db", options=TEAS) as x:
        def work(voter):
            for _ in range(15):
                s = x.ask(voter=voter)
                x.tell(s, winner=s.arms[0], voter=voter)
                assert len(x.options) == 4 and x.answers > 0
            assert x.status(standings="none").verdict  # takes a second: the others wait
        threads = [threading.Thread(target=work, args=(f"v{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert x.answers == 60 and x.verify()


def test_two_openings(tmp_path):
    with spar.Experiment.create(tmp_path / "x.db", options=TEAS) as one, spar.Experiment(tmp_path / "x.db") as two:
        s = one.ask()
        two.tell(s, winner=s.arms[0])
        assert two.answers == 1 and one.answers == 0
        one.refresh()
        assert one.answers == 1


def test_a_screen_of_another_experiment(tmp_path):
    one, two = (spar.Experiment.create(tmp_path / f"{seed}.db", options=list("abcdefgh"), seed=seed) for seed in (1, 2))
    screen, other = one.ask(voter="ann"), two.ask(voter="ann")
    assert screen.number == other.number and screen.arms != other.arms
    with pytest.raises(spar.InvalidError, match="asked elsewhere"):
        two.tell(screen, winner=screen.arms[0], voter="ann")
    assert two.tell(other, winner=other.arms[0], voter="ann") and one.tell(screen.number, tie=True, voter="ann")
    for experiment in (one, two):
        experiment.close()


def test_options_are_a_list(tmp_path):
    with pytest.raises(TypeError, match="options='abc': expected a list"):
        spar.Experiment.create(tmp_path / "x.db", options="abc")
    with pytest.raises(TypeError, match="an option is an id.* not 1"):
        spar.Experiment.create(tmp_path / "x.db", options=[1, 2])
    assert not (tmp_path / "x.db").exists()


def test_a_space(tmp_path, command):
    path = tmp_path / "device.db"
    space = "speed 0.1..2 m/s, gain 1..10 log, mode {a,b}"
    with spar.Experiment.create(path, space=space, seed=3) as device:
        assert device.space == space and device.m == 2 and device.recommend() is None
        for _ in range(30):
            screen = device.ask()
            assert screen.settings == screen.arms and screen.settings[0] != screen.settings[1]
            assert all(0.1 <= s["speed"] <= 2 and 1 <= s["gain"] <= 10 and s["mode"] in "ab" for s in screen.settings)
            device.tell(screen, winner=min(screen.settings, key=lambda s: abs(s["speed"] - 1) + (s["mode"] == "a")))
        best = device.recommend()
        assert best["mode"] == "b" and 0.4 < best["speed"] < 1.6 and best.interval[0] < best.strength < best.interval[1]
        assert 0 < best.chance < 1 and "m/s" in best.text and best.text in repr(best)
        device.undo(30)
        assert device.verify() and device.answers == 29
        with pytest.raises(spar.UnsupportedError, match="axes are fixed"):
            device.add("x")
        with pytest.raises(spar.InvalidError, match="is not on the screen"):
            device.tell(device.ask(), winner="A")
    assert json.loads(command("status", path, "--json"))["recommendation"]["settings"][0]["unit"] == "m/s"
    with pytest.raises(ValueError, match="needs a space"):
        spar.Experiment.create(tmp_path / "x.db", options=TEAS, against_last=True)
    with spar.Experiment.create(tmp_path / "list.db", options=TEAS) as tea, pytest.raises(ValueError, match="in a space"):
        tea.recommend()


def items_of(n, models=("small", "large", "odd")):
    return [{"id": f"q{i}", "prompt": f"What is {i}?", "group": "even" if i % 2 == 0 else None,
             "outputs": {model: f"{model} says {i}" for model in models}} for i in range(n)]


def test_items(tmp_path, command):
    path = tmp_path / "items.db"
    with spar.Experiment.create(path, items=items_of(5), seed=2) as models:
        assert models.m == 2 and [option["id"] for option in models.options] == ["small", "large", "odd"]
        assert models.add_items(items_of(6)) == (1, 0)
        seen = []
        for _ in range(6):
            screen = models.ask(voter="ann")
            number = screen.item["id"][1:]
            assert screen.item["prompt"] == f"What is {number}?" and (screen.item["group"] is None) == (int(number) % 2 == 1)
            assert screen.outputs == tuple(f"{arm} says {number}" for arm in screen.arms)
            assert models.screen(screen.number).item == screen.item
            models.tell(screen, winner=min(screen.arms), voter="ann")
            seen.append(number)
        assert sorted(seen) == list("012345")
        with pytest.raises(spar.AllSeenError, match="all seen"):
            models.ask(voter="ann")
        by_group = {group["group"]: (group["items"], group["answers"]) for group in models.status()["by_group"]}
        assert by_group == {"even": (3, 3), None: (3, 3)}
        notes = models.export(tmp_path / "train.jsonl", "dpo")
        rows = [json.loads(line) for line in open(tmp_path / "train.jsonl")]
        assert len(rows) == 6 and set(rows[0]) == {"prompt", "chosen", "rejected"} and notes == []
        with pytest.raises(spar.ConflictError, match="items:1: item 'q0'.*another prompt"):
            models.add_items([{"id": "q0", "prompt": "changed", "outputs": {"odd": "odd says 0"}}])
        with pytest.raises(ValueError, match="items:1: item 'q7': 'outputs'"):
            models.add_items([{"id": "q7", "prompt": "p"}])
        with pytest.raises(TypeError):
            models.add_items("q7")
        assert models.verify()
    with pytest.raises(LookupError, match="items:1.*'large'"):
        spar.Experiment.create(tmp_path / "no.db", options=["small"], items=items_of(1))
    assert not (tmp_path / "no.db").exists()
    with spar.Experiment.create(tmp_path / "plain.db", options=TEAS) as tea:
        assert tea.ask().item is None and tea.ask().outputs is None
