"""Forms of bots: their code, and what their pages say."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from league.bots.bundles import sent_files
from league.bots.bundles.sent_files import SentFiles
from runners.bundles.unpack import is_zip
from runners.faults import message


class CodeForm(forms.Form):
    """Code: pasted, or as a file, which takes precedence."""

    use_required_attribute = False
    code = forms.CharField(required=False, strip=False)
    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="File",
        widget=forms.FileInput(attrs={"accept": ".py,text/x-python"}),
    )
    note = forms.CharField(
        required=False,
        max_length=200,
        label="Note for the version list",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_code(self) -> str:
        """Normalize line ends, which browsers change: the same code must stay the same."""
        code: str = self.cleaned_data["code"]
        return code.replace("\r\n", "\n")

    def clean_file(self) -> "UploadedFile[Any] | None":
        """Refuse a file that is too large before it is read."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file:
            _refuse_large(file)
        return file

    def clean(self) -> dict[str, Any]:
        """Put the code into `source`, wherever it came from."""
        data: dict[str, Any] = self.cleaned_data
        source = data["source"] = self.read_source(data)
        is_empty = isinstance(source, bytes) and not source.strip()
        if is_empty and not {"file", "paths", "listing"} & self.errors.keys():
            self.add_error("code", "Paste your bot here, or choose a file.")
        return data

    def read_source(self, data: dict[str, Any]) -> bytes | SentFiles:
        """Return the bytes of the file, or of the text in the editor."""
        file = data.get("file")
        return bytes(file.read()) if file else str(data.get("code", "")).encode()

    def show_text(self, text: str) -> None:
        """Put the text of the file into the editor, where its author can change it."""
        self.data = {**dict(self.data.items()), "code": text}


class SeveralFiles(forms.FileInput):
    """A choice of any number of files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[Any]]":
        """Return the files that were sent."""
        files = data if isinstance(data, list) else [data] if data else []
        return [super(FilesField, self).clean(file, initial) for file in files]


class UploadForm(CodeForm):
    """Code for the league: pasted, a file, a zip, or the files of a bundle with their paths.

    `listing` has the names and sizes of all files when a page asks about them before it sends them.
    """

    file = FilesField(
        required=False,
        allow_empty_file=True,
        label="File, files or .zip",
        help_text="A .py file, all files of a bundle, or a .zip of its folder.",
    )
    paths = forms.JSONField(required=False, widget=forms.HiddenInput)
    listing = forms.JSONField(required=False, widget=forms.HiddenInput)

    def clean_file(self) -> "list[UploadedFile[Any]]":  # type: ignore[override]
        """Refuse a single file that is too large before it is read."""
        files: list[UploadedFile[Any]] = self.cleaned_data["file"]
        if len(files) == 1 and not self.data.get("paths") and not _is_archive(files[0]):
            _refuse_large(files[0])
        return files

    def read_source(self, data: dict[str, Any]) -> bytes | SentFiles:
        """Return the text, the bytes of the only file, or the files."""
        files, paths, listing = (data.get(name) for name in ("file", "paths", "listing"))
        if not files and listing is None:
            return str(data.get("code", "")).encode()
        files = files or []
        if len(files) == 1 and paths is None and listing is None:
            return bytes(files[0].read())
        try:
            return sent_files.read(files, paths, listing)
        except ValueError as error:
            self.add_error("file", f"{error} Choose the files again.")
            return b""


class NewBotForm(UploadForm):
    """The first version of a bot, and its name."""

    name = forms.CharField(
        max_length=40,
        help_text="3 to 40 letters, digits, spaces and hyphens. Everybody sees it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def allow_no_name(self) -> None:
        """Allow code without a name, which can be checked but not uploaded."""
        self.fields["name"].required = False


def _refuse_large(file: "UploadedFile[Any]") -> None:
    limit = settings.LIMITS.source_kib
    if file.size is not None and file.size > limit << 10:
        size = -(-file.size // 1024)
        problem = message("E106", reason=f"The file has {size:,} KB, the limit is {limit} KB")
        raise forms.ValidationError(f"{problem.code} {problem.explanation} {problem.fix}")


def _is_archive(file: "UploadedFile[Any]") -> bool:
    beginning = file.read(4)
    file.seek(0)
    return is_zip(beginning)


class AboutForm(forms.Form):
    """What the page of a bot says and shows."""

    about = forms.CharField(
        required=False,
        max_length=200,
        help_text="A sentence below its name.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    notes_public = forms.BooleanField(
        required=False,
        label="Public notes",
        help_text="Everybody can read what it writes with self.note, in matches from now on.",
    )


class RenameForm(forms.Form):
    """Another name for a bot."""

    name = forms.CharField(
        max_length=40,
        help_text="3 to 40 letters, digits, spaces and hyphens. The address of the bot stays.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
