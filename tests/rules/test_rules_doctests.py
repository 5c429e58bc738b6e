"""The examples in the rules' own docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import games.rules

MODULES = [module.name for module in pkgutil.iter_modules(games.rules.__path__, "games.rules.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true_in(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 0
