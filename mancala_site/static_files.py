"""How static files are kept for serving: smaller, compressed, named after their content. Serves nothing itself."""

from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

try:
    import minify
except ImportError:  # no wheel for this platform: files are served as they were written
    minify = None

_KINDS = {".css": "text/css", ".js": "application/javascript"}


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Also follows the imports of JavaScript modules, so that a module's name changes when one it imports does.

    It sees only relative imports that end in a semicolon; tests/test_architecture.py holds ours to that.
    """

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        kind = None if name.startswith("admin/") else _KINDS.get(PurePath(name).suffix)
        if minify and kind:
            content = ContentFile(minify.string(kind, b"".join(content.chunks()).decode()))
        return str(super()._save(name, content))
