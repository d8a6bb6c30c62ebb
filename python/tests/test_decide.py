"""Decisions and plans."""
import json
import os
import pathlib

import pytest

import spar

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
ROWS = [("tea", "coffee", "tea", "ann"), ("tea", "juice", "tea", "bob"), ("juice", "coffee", "tie", "cy")] * 30


def test_same_as_the_command(command):
    path = EXAMPLES / "votes-arena.csv"
    decision = spar.decide(path)
    said = json.loads(command("decide", path, "--json", "--standings", "auto"))
    assert decision.data == said
    bare = spar.decide(path, standings="none", delta=0.1, eps=0.3, voters="all")
    assert bare.data == json.loads(command("decide", path, "--json", "--delta", 0.1, "--eps", 0.3,
                                                 "--standings", "none"))
    assert bare.standings is None
    with pytest.raises(ValueError):
        bare.plot("standings")


def test_rows():
    decision = spar.decide(ROWS)
    assert decision.verdict == "best" and decision.leader == "tea" and "tea is best" in decision.sentence
    verdict, standings = decision
    assert verdict == "best" and standings
    assert {option["name"] for option in decision.options} == {"tea", "coffee", "juice"}
    assert "<svg" in str(decision.plot()) and "<svg" in str(decision.plot("standings")) and "tea" in str(decision)
    assert "tea is best" in decision._repr_html_() and repr(decision) == "<spar.Decision tea is best (error at most 5 %)>"
    mapped = spar.decide([{"left": a, "right": b, "better": w, "who": v} for a, b, w, v in ROWS],
                         columns={"a": "left", "b": "right", "winner": "better", "voter": "who"})
    assert mapped.data["options"] == decision.data["options"] and mapped.standings == decision.standings
    lines = spar.decide(["tea > coffee"] * 30)
    assert lines.verdict == "best"
    assert spar.decide([]).verdict == "none"


def test_wrong_votes():
    with pytest.raises(spar.Error, match="^votes"):
        spar.decide([("a", "b", "zebra")])
    with pytest.raises(ValueError):
        spar.decide([("a", "b")])
    with pytest.raises(ValueError):
        spar.decide(ROWS, delta=2)
    with pytest.raises(ValueError):
        spar.decide(ROWS, columns={"left": "a"})
    with pytest.raises(spar.InvalidError, match="names of voters"):
        spar.decide([row[:3] for row in ROWS], voters="first")
    with pytest.raises(spar.Error, match="nowhere.csv"):
        spar.decide("nowhere.csv")
    assert spar.decide(ROWS, voters="first").data["voters"] == "first"


def test_plan(command):
    forecast = spar.plan(4, gap=0.8, m=[2, 4], truths=30, limit=3000)
    said = json.loads(command("plan", "--options", 4, "--gap", 0.8, "--m", 2, "--m", 4, "--truths", 30, "--limit", 3000,
                              "--json"))
    assert forecast["cases"] == said["cases"] and forecast["truths"] == said["truths"]
    assert [case["m"] for case in forecast.cases] == [2, 4] and forecast.cases[0]["decided"] > 0.9
    assert "screens" in str(forecast) and "<svg" in str(forecast.plot()) and "screens" in repr(forecast)
    assert "<svg" in forecast._repr_html_()
    sd = spar.plan(5, sd=0.7, truths=10, limit=500)
    assert sd["truths"].startswith("5 options")
    assert spar.plan(values=[0, -1, -2], truths=10)["played"] == 10


def test_plan_from_a_pilot(command):
    path = EXAMPLES / "votes-arena.csv"
    forecast = spar.plan(votes=path, truths=10, limit=2000)
    said = json.loads(command("plan", path, "--truths", 10, "--limit", 2000, "--json"))
    assert forecast["cases"] == said["cases"] and forecast["silent"] == said["silent"]
    assert spar.plan(votes=ROWS, truths=5, limit=500)["played"] == 5


def test_wrong_plans():
    with pytest.raises(spar.Error):
        spar.plan(1)
    with pytest.raises(spar.Error):
        spar.plan(4, policy="nonsense")
    with pytest.raises(spar.Error):
        spar.plan(4, delta=3)
    with pytest.raises((ValueError, TypeError)):
        spar.plan(values=["a", "b"])


def test_names_that_are_numbers():
    rows = [(1, 2, 1), (2, 3, 2), (1, 3, 1)]  # as many rows as columns: not a square of win counts
    assert [option["name"] for option in spar.decide(rows).options] == ["1", "2", "3"]
    assert spar.decide(rows * 20).leader == "1"
    mine = [{"left": 1, "right": 2, "better": 1}] * 3
    assert spar.decide(mine, columns={"a": "left", "b": "right", "winner": "better"}).leader == "1"


@pytest.mark.parametrize("votes, error, sentence", [
    (None, TypeError, "votes: expected .*not None"),
    ([("a",)], ValueError, "a vote is"),
    ([3, 4], ValueError, "a vote is"),
    ([{"a": 1}], spar.ParseError, "no column 'model_a'"),
])
def test_what_is_no_vote(votes, error, sentence):
    with pytest.raises(error, match=sentence):
        spar.decide(votes)
