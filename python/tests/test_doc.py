"""Every example in the documents runs: docstrings, doc/python.md, README.md, the notebook."""
import contextlib
import doctest
import importlib
import io
import json
import pathlib
import re

import pytest

import spar

ROOT = pathlib.Path(__file__).parents[2]
MODULES = ["spar", "spar.check", "spar.client", "spar.custom", "spar.decision", "spar.experiment", "spar.html", "spar.policy",
           "spar.simulation", "spar._spar"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    found = [test for test in finder.find(module, globs=dict(vars(module))) if test.examples]
    for kind in ("Rng", "Policy") if name == "spar._spar" else ():  # doctest does not look into types written in C
        of = getattr(module, kind)
        for text in [of.__doc__ or ""] + [getattr(of, method).__doc__ for method in ("ask", "tell") if kind == "Policy"]:
            found.append(doctest.DocTestParser().get_doctest(text, {}, kind, None, 0))
    for test in found:
        runner.run(test)
    assert runner.failures == 0
    assert runner.tries > 0 or name in ("spar.client",)


def test_every_public_name_is_documented():
    import spar
    for name in spar.__all__:
        assert getattr(spar, name).__doc__, name
        for method in vars(getattr(spar, name)):
            if not method.startswith("_") and callable(getattr(getattr(spar, name), method)):
                assert getattr(getattr(spar, name), method).__doc__, f"{name}.{method}"


def test_the_manual(tmp_path, monkeypatch):
    """The blocks of doc/python.md, one after the other; what is printed stands there after '#> '."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "doc/python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 7
    names = {}
    for block in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, "doc/python.md", "exec"), names)
        wanted = re.findall(r"^#> (.*)$", block, re.M)
        assert said.getvalue().splitlines() == wanted, block


def test_the_readme(tmp_path, monkeypatch):
    """Its example, with fewer runs, on the experiment that its first commands make."""
    monkeypatch.chdir(tmp_path)
    block, = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    spar.Experiment.create("tea.db", options=["Assam", "Darjeeling", "Earl-Grey", "Sencha"]).close()
    assert block.count("m=4)") == 1
    exec(compile(block.replace("m=4)", "m=4, rounds=50, runs=2)"), "README.md", "exec"), {})


def test_the_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "examples/tour.ipynb").read_text())
    assert notebook["nbformat"] == 4
    names, shown = {}, 0
    for cell in notebook["cells"]:
        assert cell["cell_type"] in ("markdown", "code") and not cell.get("outputs")
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            *body, last = source.rstrip().split("\n")
            with contextlib.redirect_stdout(io.StringIO()):
                exec("\n".join(body), names)
                try:
                    value = eval(last, names)
                except SyntaxError:
                    exec(last, names)
                    continue
            shown += hasattr(value, "_repr_html_") or hasattr(value, "_repr_svg_")
            if hasattr(value, "_repr_html_"):
                assert "<" in value._repr_html_()
    assert shown >= 4
