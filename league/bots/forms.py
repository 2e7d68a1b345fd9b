"""Forms of bots: their code, and what their pages say."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

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
        limit = settings.LIMITS.source_kib
        if file and file.size is not None and file.size > limit << 10:
            size = -(-file.size // 1024)
            problem = message("E106", reason=f"The file has {size:,} KB, the limit is {limit} KB")
            raise forms.ValidationError(f"{problem.code} {problem.explanation} {problem.fix}")
        return file

    def clean(self) -> dict[str, Any]:
        """Put the code into `source`, wherever it came from."""
        data: dict[str, Any] = self.cleaned_data
        file = data.get("file")
        data["source"] = file.read() if file else data.get("code", "").encode()
        if not data["source"].strip() and "file" not in self.errors:
            self.add_error("code", "Paste your bot here, or choose a file.")
        return data

    def show_text(self, text: str) -> None:
        """Put the text of the file into the editor, where its author can change it."""
        self.data = {**dict(self.data.items()), "code": text}


class NewBotForm(CodeForm):
    """The first version of a bot, and its name."""

    name = forms.CharField(
        max_length=40,
        help_text="3 to 40 letters, digits, spaces and hyphens. Everybody sees it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def allow_no_name(self) -> None:
        """Allow code without a name, which can be checked but not uploaded."""
        self.fields["name"].required = False


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
