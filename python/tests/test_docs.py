"""The examples of docs/python.md and of the README."""

import doctest
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["docs/python.md", "python/README.md"])
def test_examples(name):
    pytest.importorskip("pyarrow")
    page = Path(__file__).resolve().parents[2] / name
    if not page.exists():
        pytest.skip("not in a clone of the repository")
    # doctest would take the end of a code block for output.
    text = "\n".join("" if line.startswith("```") else line for line in page.read_text("utf-8").splitlines())
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    result = runner.summarize()
    assert result.failed == 0 and result.attempted >= 5


def test_licences():
    package = Path(__file__).resolve().parents[1]
    for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
        if (root := package.parent / name).exists():
            assert (package / "licenses" / name).read_bytes() == root.read_bytes()
