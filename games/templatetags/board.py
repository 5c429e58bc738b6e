"""What the templates of a board need beside Django's own tags. Never a sentence, never a rule."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import clock

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """The drawing `name` of img/icons.svg. It is decoration: the words stand beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.filter
def face(left: int) -> str:
    """What a clock shows of a time in ms.

    >>> face(299_999)
    '4:59'
    """
    return f"{left // 60_000}:{left // 1000 % 60:02}"


@register.filter
def control(key: str | None) -> clock.Control | None:
    """The time control that a key names, if there is any."""
    return clock.by_key(key) if key else None


@register.simple_tag(takes_context=True)
def look(context: template.Context, name: str, auto: str) -> str:
    """When the theme `name` holds, as a media query: `auto` unless the reader has chosen one."""
    chosen = context["preferences"]["theme"]
    if chosen == "auto":
        return auto
    return "all" if chosen == name else "not all"
