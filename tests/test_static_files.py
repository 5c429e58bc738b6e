"""The static files as they are served: smaller than they were written, and naming one another by their content."""

import re
from pathlib import Path

import pytest

from tests.processes import PROJECT

HASHED = re.compile(r"\.[0-9a-f]{12}\.(css|js)$")


@pytest.fixture
def served(site_data: Path) -> Path:
    return site_data / "static"


def hashed(folder: Path, ending: str) -> list[Path]:
    ours = [*folder.glob(f"{ending}/**/*.{ending}")]
    return [path for path in ours if HASHED.search(path.name)]


def test_a_module_imports_others_by_their_hashed_names(served):
    """B125: files of two versions never mix."""
    modules = hashed(served, "js")
    imports = [(module, found) for module in modules for found in re.findall(r'from"([./][^"]+)"', module.read_text())]
    assert len(imports) > 30
    for module, found in imports:
        assert HASHED.search(found), f"{module.name} imports {found}"
        assert (module.parent / found).exists(), f"{module.name} imports {found}"


def test_what_the_authors_wrote_to_one_another_is_not_sent(served):
    written = {path.name: path for path in (PROJECT / "static").glob("**/*.*") if path.suffix in {".css", ".js"}}
    for path in (*hashed(served, "js"), *hashed(served, "css")):
        original = written[re.sub(r"\.[0-9a-f]{12}\.", ".", path.name)]
        assert "/*" not in path.read_text(), path.name
        assert path.stat().st_size < original.stat().st_size, path.name


def test_every_file_is_there_compressed_too(served):
    for path in (*hashed(served, "js"), *hashed(served, "css")):
        for ending in (".br", ".gz"):
            packed = path.with_name(f"{path.name}{ending}")
            assert packed.exists() or path.stat().st_size < 200, packed.name
