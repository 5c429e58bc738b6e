"""Every sentence can be translated, is translated, and is translated well enough to be put together by a program.

Reads templates and catalogs, and runs gettext as `make words` does. How pages speak: tests/pages/test_languages.py.
"""

import gettext
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import PROJECT

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
TEMPLATES = sorted((PROJECT / "templates").rglob("*.html"))

every_language = pytest.mark.parametrize("language", LANGUAGES)


# Catalogs -----------------------------------------------------------------------------------------


def catalog_of(compiled: Path) -> dict:
    """What a .mo file holds: sentences by what they translate, plural forms by (sentence, form)."""
    with compiled.open("rb") as file:
        return gettext.GNUTranslations(file)._catalog


def committed(language: str) -> dict:
    return catalog_of(PROJECT / "locale" / language / "LC_MESSAGES" / "django.mo")


def entries(language: str) -> list[tuple[str, str]]:
    """(sentence, translation) of every form in the compiled catalog, contexts left out."""
    plain = ((key[0] if isinstance(key, tuple) else key, text) for key, text in committed(language).items() if key)
    return [(key.rpartition("\x04")[2], text) for key, text in plain]


def compiled(catalog: Path, folder: Path) -> tuple[Path, str]:
    """The .mo file of a .po file, and what msgfmt says of it."""
    target = folder / "compiled.mo"
    command = ["msgfmt", "--check-format", "--statistics", "-o", str(target), str(catalog)]
    return target, subprocess.run(command, check=True, capture_output=True, text=True, env={"LC_ALL": "C"}).stderr


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """A copy of the catalogs after the first step of `make words`."""
    copy = tmp_path_factory.mktemp("words")
    for name in ("games", "mancala_site", "templates", "locale"):
        shutil.copytree(PROJECT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "manage.py", copy)
    options = re.search(r"manage\.py (makemessages .+)", (PROJECT / "Makefile").read_text())[1]
    subprocess.run([sys.executable, "manage.py", *shlex.split(options)], cwd=copy, check=True)
    return copy / "locale"


@every_language
def test_the_catalog_holds_what_templates_and_code_say_all_of_it_translated_and_nothing_guessed(
    collected, language, tmp_path
):
    catalog, said = compiled(collected / language / "LC_MESSAGES" / "django.po", tmp_path)
    assert re.fullmatch(r"\d+ translated messages\.\n", said), f"make words: {said}"
    assert catalog_of(catalog).keys() == committed(language).keys()


@every_language
def test_the_compiled_catalog_is_made_of_the_one_beside_it(language, tmp_path):
    folder = PROJECT / "locale" / language / "LC_MESSAGES"
    assert catalog_of(compiled(folder / "django.po", tmp_path)[0]) == committed(language)
    assert "#~" not in (folder / "django.po").read_text()


# Translations -------------------------------------------------------------------------------------

PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|</?[^>]+>")
TAG = re.compile(r"<[^>]+>")

# What is not written in a language: a foreign quote, a typewriter's apostrophe, a space that breaks or lacks.
ODD = {
    "de": r"[«»”’]\B|'|\"|“\w|\.\.\.|\w…",
    "fr": r"[“”„'\"]|\.\.\.|(?<![\u202f\u00a0])[;!?]|(?<!\u00a0)[:»]|«(?!\u00a0)",
    "es": r"[“”„'\"]|\.\.\.|«\s|\s»|\s[;:!]",
}


@every_language
def test_a_translation_keeps_what_is_filled_in_and_the_markup(language):
    counted = {key[0].rpartition("\x04")[2] for key in committed(language) if isinstance(key, tuple)}
    for sentence, text in entries(language):
        filled_in, kept = (Counter(PLACEHOLDER.findall(part)) for part in (sentence, text))
        if sentence in counted:  # “the last stone” needs no number
            del filled_in["%(n)s"], kept["%(n)s"]
        assert filled_in == kept, sentence


@every_language
def test_a_translation_fits_into_an_attribute_and_is_typeset_as_its_language_is(language):
    for sentence, text in entries(language):
        plain = TAG.sub("", text)
        assert not re.search(r'[<>"]', plain), sentence
        assert not (odd := re.search(ODD[language], plain)), (text, odd[0])
        assert text == text.strip(), sentence
        assert "  " not in text, sentence


def test_joy_and_questions_are_opened_in_spanish():
    for _, text in entries("es"):
        assert text.count("!") == text.count("¡")
        assert text.count("?") == text.count("¿")


@every_language
def test_the_page_and_its_script_say_the_same(language):
    """A label written by the server is not rewritten in other words when the script takes over."""
    pairs = entries(language)
    translated = dict(pairs)
    stones = {"{n} stone": translated["{n} stone"], "{n} stones": translated["{n} stones"]}
    of_scripts = {
        sentence.replace("{stones}", form): text.replace("{stones}", counted)
        for sentence, text in pairs
        if "{" in sentence
        for form, counted in stones.items()
    }
    of_pages = [tuple(re.sub(r"%\((\w+)\)s", r"{\1}", part) for part in pair) for pair in pairs if "%(" in pair[0]]
    shared = [(text, of_scripts[sentence]) for sentence, text in of_pages if sentence in of_scripts]
    assert len(shared) > 5
    for of_page, of_script in shared:
        assert of_page in (of_script, of_script.replace(*stones.values()))  # one stone, several


# Templates ----------------------------------------------------------------------------------------

SPOKEN = {
    "aria-label",
    "aria-description",
    "alt",
    "title",
    "placeholder",
    "label",
    "data-words",
    "data-kept",
    "data-lost",
}
DESCRIBING = {"description", "og:title", "og:description", "og:site_name", "og:image:alt"}
SAME_EVERYWHERE = {"Mancala", "abcd-efgh"}  # and letters: of pits, of keys
UNSEEN = re.compile(
    r"\{% blocktranslate.*?\{% endblocktranslate %\}|\{% comment.*?\{% endcomment %\}"
    r"|\{% block (?:body_class|skip_target) %\}\w*\{% endblock %\}",
    re.DOTALL,
)
MARK = re.compile(r"\{[%#{].*?[%#}]\}", re.DOTALL)
LITERAL = re.compile(r'(?<!_\()"([^"]*)"')


class Visible(HTMLParser):
    """What a reader may see or hear of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        held = dict(attrs)
        names = SPOKEN | ({"content"} if {held.get("name"), held.get("property")} & DESCRIBING else set())
        self.texts += [text for name, text in attrs if name in names and text]

    def handle_data(self, data):
        self.texts.append(data)


def untranslated(template: str) -> list[str]:
    """The words of a template that no catalog will ever see."""
    without_sentences = UNSEEN.sub("", template)
    marks = [mark for mark in MARK.findall(without_sentences) if not re.match(r"\{#|\{% (translate|load)", mark)]
    literals = [text for mark in marks for text in LITERAL.findall(mark) if re.match(r"[A-Z]\w* [a-z]", text)]
    words = [
        word for text in Visible(MARK.sub("", without_sentences)).texts for word in re.findall(r"[\w’-]{2,}", text)
    ]
    return literals + [word for word in words if re.search(r"[^\W\d_]", word) and word not in SAME_EVERYWHERE]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_a_template_says_nothing_that_cannot_be_translated(path):
    assert untranslated(path.read_text()) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p aria-label="Hello">{{ name }}</p>', ["Hello"]),
        ('{% include "a.html" with words="Hello there" %}', ["Hello there"]),
        ('<p title="{% if a %}{% translate "Hello" %}{% else %}Bye{% endif %}">×</p>', ["Bye"]),
        ('{# Hello #}<p data-words="{% translate "Hello" %}">Mancala · {{ name|default:"x" }} – 3</p>', []),
        (
            '{% blocktranslate trimmed %}Hello <b>{{ name }}</b>{% endblocktranslate %}{% firstof a _("Hello you") %}',
            [],
        ),
    ],
)
def test_untranslated_words_are_found_where_a_reader_meets_them(template, found):
    assert untranslated(template) == found
