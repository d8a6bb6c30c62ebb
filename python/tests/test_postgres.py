"""Experiments in a PostgreSQL database, where the extension was built with libpq."""
import json
import pathlib
import sys
import threading

import pytest

import spar

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/fleet"))
TEAS = ["Assam", "Darjeeling", "Sencha"]


def refusal():
    """What an address without a server is refused with."""
    with pytest.raises(spar.Error) as caught:
        spar.Experiment("postgresql://spar@127.0.0.1:1/votes#tea")
    return caught.value


HAVE_LIBPQ = "without PostgreSQL" not in str(refusal())


@pytest.fixture(scope="module")
def server():
    import postgres
    if not HAVE_LIBPQ or postgres.absent():
        pytest.skip("the extension was built without libpq" if not HAVE_LIBPQ else postgres.absent())
    with pytest.MonkeyPatch.context() as without:
        without.delenv("LD_PRELOAD", raising=False)  # PostgreSQL hangs with the sanitizers of the extension
        with postgres.Server(settings={"fsync": "off"}) as running:
            yield running


@pytest.mark.skipif(HAVE_LIBPQ, reason="the extension was built with libpq")
def test_without_libpq():
    assert isinstance(refusal(), spar.UnknownError) and "needs libpq" in str(refusal())
    with pytest.raises(spar.UnknownError, match="needs libpq"):
        spar.Experiment.create("postgresql://spar@127.0.0.1:1/votes#tea", options=TEAS)


@pytest.mark.skipif(not HAVE_LIBPQ, reason="the extension was built without libpq")
def test_no_server():
    assert isinstance(refusal(), (spar.StorageError, spar.BusyError)) and "127.0.0.1" in str(refusal())


def test_an_experiment(server, command, tmp_path):
    place = server.url + "#tea"
    with spar.Experiment.create(place, options=TEAS, question="Which tea?", seed=5) as tea, \
            spar.Experiment.create(tmp_path / "twin.db", options=TEAS, seed=5) as twin:
        for i in range(12):
            screen, same = tea.ask(voter=f"v{i}"), twin.ask(voter=f"v{i}")
            assert (screen.number, screen.arms) == (same.number, same.arms)
            assert tea.tell(screen, winner="Sencha", voter=f"v{i}") and not tea.tell(screen, winner="Sencha", voter=f"v{i}")
            twin.tell(same, winner="Sencha", voter=f"v{i}")
        with pytest.raises(spar.ConflictError):
            tea.tell(screen, winner="Assam", voter="v11")
        assert tea.verify() and tea.verify(tea.head) and not tea.verify(bytes(32))
        tea.export(tmp_path / "tea.csv", "csv")
        assert (tmp_path / "tea.csv").read_text().count("\n") == 13
        with pytest.raises(spar.Error):
            tea.backup(str(tmp_path / "copy.db"))  # PostgreSQL has its own
        assert json.loads(command("status", place, "--json")) == tea.status()
    with pytest.raises(spar.ConflictError):
        spar.Experiment.create(place, options=TEAS)
    with pytest.raises(spar.Error):
        spar.Experiment(server.url + "#coffee")
    with spar.Experiment(place, readonly=True) as tea:
        assert tea.answers == 12 and tea.question == "Which tea?"


def test_many_at_once(server):
    """Threads with an experiment each, as processes on several machines would have."""
    place = server.url + "#many"
    spar.Experiment.create(place, options=TEAS).close()

    def work(voter):
        with spar.Experiment(place) as mine:
            for _ in range(8):
                screen = mine.ask(voter=voter)
                mine.tell(screen, winner=screen.arms[0], voter=voter)
    threads = [threading.Thread(target=work, args=(f"v{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with spar.Experiment(place) as all_of_them:
        assert all_of_them.answers == 32 and all_of_them.verify()


def test_a_connection_that_is_lost(server):
    with spar.Experiment.create(server.url + "#lost", options=TEAS) as tea:
        tea.tell(tea.ask(), tie=True)
        server.restart("immediate")
        tea.tell(tea.ask(), tie=True)
        assert tea.answers == 2 and tea.verify()
