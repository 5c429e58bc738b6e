from dataclasses import replace

import pytest

from games.engine import compiled
from games.engine.engine import Engine


@pytest.fixture(scope="session")
def kernel(tmp_path_factory):
    """The compiled kernel, as it is kept beside the plain one; only the first time ever it is compiled."""
    found = compiled.load(tmp_path_factory.mktemp("kernel"))
    assert found is not None, "numba is not installed"
    return found


@pytest.fixture(scope="session")
def engine(kernel, tmp_path_factory):
    """Compiled, with the values of fewer endings than usual: always at hand, whether or not a thread has been there."""
    made = Engine(tmp_path_factory.mktemp("engine"))
    made.use(replace(kernel, most_endings=20_000))
    made._tools.endings.held = made._tools.endings.found
    return made


@pytest.fixture(scope="session")
def plain(tmp_path_factory):
    """As an engine begins, without endings."""
    return Engine(tmp_path_factory.mktemp("plain"), most_endings=0)
