"""The shape of the project, as docs/architecture.md draws it: who may import whom, and who alone may do what.

Reads the files; runs none of them.
"""

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.processes import PROJECT

# From the top: a module imports only from rows below its own.
ROWS = (
    (
        "consumers",
        "sockets",
        "views",
        "teaching",
        "reviewing",
        "studying",
        "sharing",
        "pages",
        "forms",
        "admin",
        "urls",
        "routing",
        "apps",
        "management",
        "templatetags",
    ),
    ("bots", "advice", "reviews", "solver"),
    ("actions",),
    (
        "snapshot",
        "lists",
        "thinking",
        "fairness",
        "players",
        "broadcast",
        "hub",
        "topics",
        "listener",
        "storage",
        "reading",
        "presence",
        "reactions",
        "metrics",
        "caps",
        "board_view",
        "lesson",
        "card",
        "qr",
        "history",
        "hindsight",
        "preferences",
    ),
    ("models", "protocol"),
    ("database",),
    ("rules", "clock", "engine", "names", "limits", "heaps", "computers", "puzzles"),
)
EDGES, CORE = ROWS[0], ROWS[-1]

# The few steps within a row.
NEIGHBOURS = {
    ("urls", "views"),
    ("urls", "teaching"),
    ("urls", "sharing"),
    ("urls", "reviewing"),
    ("urls", "studying"),
    ("routing", "consumers"),
    ("routing", "sockets"),
    ("consumers", "sockets"),
    ("routing", "reviewing"),
    ("reviewing", "sockets"),
    ("reviewing", "forms"),
    ("reviewing", "pages"),
    ("views", "forms"),
    ("studying", "forms"),
    ("studying", "pages"),
    ("views", "pages"),
    ("teaching", "forms"),
    ("teaching", "pages"),
    ("sharing", "forms"),
    ("lists", "snapshot"),
    ("lists", "presence"),
    ("lesson", "snapshot"),
    ("history", "snapshot"),
    ("hindsight", "fairness"),
    ("broadcast", "hub"),
    ("broadcast", "topics"),
    ("hub", "topics"),
    ("hub", "listener"),
    ("hub", "presence"),
    ("topics", "listener"),
    ("topics", "presence"),
    ("storage", "metrics"),
    ("reading", "storage"),
    ("clock", "rules"),
    ("engine", "rules"),
    ("puzzles", "rules"),
}

# And their asynchronous twins, whose names begin with an "a".
WRITES = ("save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create")

# What these save is a picture.
PICTURES = {"card", "qr"}

PYTHON = sorted([*(PROJECT / "games").rglob("*.py"), *(PROJECT / "mancala_site").rglob("*.py")])
PRODUCT = [path for path in PYTHON if path.is_relative_to(PROJECT / "games") and "migrations" not in path.parts]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))
SCRIPTS = sorted((PROJECT / "static" / "js").rglob("*.js"))


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def each(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=name_of)


def module_of(path: Path) -> str:
    """As it is imported: games/rules/kalah.py -> games.rules.kalah."""
    return ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path) for path in PYTHON}


def part_of(module: str) -> str | None:
    """The name by which a module stands in ROWS: games.rules.kalah -> rules."""
    parts = module.split(".")
    return parts[1] if parts[0] == "games" and len(parts) > 1 else None


def row_of(part: str) -> int:
    (row,) = [number for number, parts in enumerate(ROWS) if part in parts] or [None]
    assert row is not None, f"games/{part} stands in no row; architecture.md and ROWS say where it belongs"
    return row


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name_of(path)}:{node.lineno}: imports are absolute"
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                yield module if module in MODULES else str(node.module)


@each(PRODUCT)
def test_a_module_imports_only_from_rows_below_its_own(path):
    part = part_of(module_of(path))
    for module in imports(path):
        imported = part_of(module)
        if part is None or imported is None or part == imported:
            continue
        allowed = row_of(imported) > row_of(part) or (part, imported) in NEIGHBOURS
        assert allowed, f"{part} imports {imported}, which does not stand below it"


@each(PRODUCT)
def test_nothing_of_the_product_imports_its_deployment(path):
    assert not [module for module in imports(path) if module.startswith("mancala_site")]


@each([path for path in PRODUCT if part_of(module_of(path)) in CORE])
def test_the_core_imports_only_the_standard_library_and_itself(path):
    compiler = {"llvmlite", "numba", "numpy"} if name_of(path) == "games/engine/compiled.py" else set()
    for module in imports(path):
        assert module.split(".")[0] in {*sys.stdlib_module_names, *compiler} or part_of(module) in CORE, module


@each([path for path in PRODUCT if part_of(module_of(path)) == "rules"])
def test_the_rules_are_pure(path):
    impure = {"time", "datetime", "random", "secrets", "logging", "json", "os", "io"}
    assert not impure & {module.split(".")[0] for module in imports(path)}


@each([path for path in PYTHON if path not in PRODUCT and "mancala_site" in path.parts])
def test_the_deployment_knows_only_the_urls_and_the_sockets_of_the_product(path):
    named = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    mentioned = {name for name in named if isinstance(name, str) and re.fullmatch(r"games(\.\w+)*", name)}
    imported = {module for module in imports(path) if part_of(module) or module == "games"}
    assert mentioned | imported <= {"games", "games.urls", "games.routing", "games.preferences.of_request"}


def test_the_package_of_the_product_is_empty_so_that_the_rules_import_without_django():
    assert (PROJECT / "games" / "__init__.py").read_text() == ""


@pytest.mark.parametrize(
    ("shape", "strangers"),
    [("protocol", ("games.models", "django", "channels")), ("models", ("games.protocol", "channels"))],
)
def test_protocol_and_models_know_nothing_of_each_other_or_of_channels(shape, strangers):
    assert not [m for m in imports(PROJECT / "games" / f"{shape}.py") if m.startswith(strangers)]


@each([path for path in PRODUCT if path.name != "hub.py"])
def test_only_the_hub_uses_the_channel_layer(path):
    assert "channels.layers" not in set(imports(path))
    assert "channel_layer." not in path.read_text()


@each([path for path in PRODUCT if path.name != "players.py"])
def test_only_players_looks_into_sessions(path):
    assert not re.search(r"\.session\b|\[.session.\]|django\.contrib\.sessions", path.read_text())


@each([path for path in PRODUCT if part_of(module_of(path)) not in {"actions", *PICTURES}])
def test_only_actions_write(path):
    calls = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    for call in calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr.removeprefix("a") in WRITES:
            pytest.fail(f"{name_of(path)}:{call.lineno} calls .{call.func.attr}()")


@each([path for path in PRODUCT if part_of(module_of(path)) in PICTURES])
def test_what_is_saved_as_a_picture_is_no_row(path):
    assert not [module for module in imports(path) if module.startswith(("django", "games.models", "games.snapshot"))]


@each([path for path in PRODUCT if path.name in {"consumers.py", "sockets.py"}])
def test_consumers_make_no_query(path):
    assert "games.models" not in set(imports(path))


class Inline(HTMLParser):
    """Collects what a strict Content-Security-Policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        inline = [f"{name}=" for name in names if name == "style" or name.startswith("on")]
        inline += [value for _, value in attrs if value and value.startswith("javascript:")]
        if tag == "style" or (tag == "script" and "src" not in names):
            inline.append(f"<{tag}>")
        self.found += [f"line {self.getpos()[0]}: {what}" for what in inline]


@each(TEMPLATES)
def test_templates_hold_no_inline_script_or_style(path):
    parser = Inline()
    parser.feed(re.sub(r"{%.*?%}|{#.*?#}", "", path.read_text(), flags=re.DOTALL))
    assert not parser.found


IMPORT = re.compile(
    r"""^(?:import|export)\b[^'"`;()]*?\bfrom\s*(?P<q>['"])(?P<from>.+?)(?P=q)(?P<end>.?)"""
    r"""|^import\s*(?P<q2>['"])(?P<bare>.+?)(?P=q2)(?P<end2>.?)""",
    re.MULTILINE,
)


@each(SCRIPTS)
def test_imports_of_modules_are_relative_and_end_in_a_semicolon(path):
    """Else the storage of static files would overlook them, and a browser could mix two versions of the site."""
    text = path.read_text()
    statements = list(IMPORT.finditer(text))
    assert len(statements) == len(re.findall(r"^import\b|^export\b[^=;(]*?\bfrom\b", text, re.MULTILINE))
    for statement in statements:
        source, end = statement["from"] or statement["bare"], statement["end"] or statement["end2"]
        assert source.startswith(("./", "../")), source
        assert end == ";", statement[0]
        assert (path.parent / source).resolve().is_file(), source


def modules_of(script: Path) -> set[Path]:
    """A script and whatever it imports at once."""
    found, ahead = set(), [script.resolve()]
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            statements = IMPORT.finditer(path.read_text())
            ahead += [(path.parent / (one["from"] or one["bare"])).resolve() for one in statements]
    return found


def sent_for(template: Path, pattern: str) -> set[Path]:
    """The files that a template names in such a place, and those that it extends."""
    text = template.read_text()
    parents = re.findall(r"""{% extends ["'](.+?)["'] %}""", text)
    own = {PROJECT / "static" / name for name in re.findall(pattern, text)}
    return own.union(*(sent_for(PROJECT / "templates" / parent, pattern) for parent in parents))


@each([path for path in TEMPLATES if 'type="module"' in path.read_text()])
def test_a_page_sends_for_all_its_modules_at_once(path):
    """A browser would find out one import after the other."""
    scripts = sent_for(path, r"""type="module" src="{% static ["'](.+?)["'] %}""")
    ahead = sent_for(path, r"""rel="modulepreload" href="{% static ["'](.+?)["'] %}""")
    assert ahead | scripts == set().union(*map(modules_of, scripts))


@each(SCRIPTS)
def test_scripts_write_no_html(path):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(", path.read_text())


@each([path for path in SCRIPTS if name_of(path) != "static/js/lib/connection.js"])
def test_only_the_connection_touches_the_websocket(path):
    assert not re.search(r"new\s+WebSocket\b", path.read_text())


def test_the_state_in_the_browser_is_pure():
    text = re.sub(r"(?s:/\*.*?\*/)|//.*", "", (PROJECT / "static/js/game/state.js").read_text())
    assert not re.search(r"\b(document|window|Date|WebSocket)\b", text)


def test_there_is_something_to_look_at():
    assert all((PRODUCT, TEMPLATES, SCRIPTS))
