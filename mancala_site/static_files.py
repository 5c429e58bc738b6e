"""How static files are stored for serving: compressed, and named after their content. Serves nothing itself."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Also follows the imports of JavaScript modules, so that a module's name changes when one it imports does.

    It sees only relative imports that end in a semicolon; tests/test_architecture.py holds ours to that.
    """

    support_js_module_import_aggregation = True
