"""Static files: which there are, and how browsers get them."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class Files(StaticFilesConfig):
    """Extensions of htmx that we do not use name modules that are not there."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


class Static(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """Compressed, with a hash in the name, so that browsers keep them forever.

    Modules import each other by name, so these names get their hashes too.
    """

    support_js_module_import_aggregation = True
    manifest_strict = False
