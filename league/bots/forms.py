"""Forms of bots: a file as text or as a file, and what stands beside it."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from runners.faults import message


class CodeForm(forms.Form):
    """Code: pasted, or as a file, which goes before what is in the box."""

    use_required_attribute = False
    code = forms.CharField(required=False, strip=False)
    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="A file instead",
        widget=forms.FileInput(attrs={"accept": ".py,text/x-python"}),
    )
    note = forms.CharField(
        required=False,
        max_length=200,
        label="Note for the version list",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_code(self) -> str:
        """Browsers send other ends of lines than files have; the same code must stay the same."""
        code: str = self.cleaned_data["code"]
        return code.replace("\r\n", "\n")

    def clean_file(self) -> "UploadedFile[Any] | None":
        """A file of any size may arrive; only a fair one is read."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        most = settings.LIMITS.source_kib
        if file and file.size is not None and file.size > most << 10:
            size = -(-file.size // 1024)
            told = message("E106", reason=f"The file has {size:,} KB, the limit is {most} KB")
            raise forms.ValidationError(f"{told.code} {told.explanation} {told.fix}")
        return file

    def clean(self) -> dict[str, Any]:
        """Either way there is something to read."""
        said: dict[str, Any] = self.cleaned_data
        file = said.get("file")
        said["source"] = file.read() if file else said.get("code", "").encode()
        if not said["source"].strip() and "file" not in self.errors:
            self.add_error("code", "Paste your bot here, or choose a file.")
        return said

    def show_text(self, text: str) -> None:
        """Put the text of the file into the box, where its author can go on with it."""
        self.data = {**dict(self.data.items()), "code": text}


class NewBotForm(CodeForm):
    """The first version of a bot, and its name."""

    name = forms.CharField(
        max_length=40,
        help_text="3 to 40 letters, digits, spaces and hyphens. Everybody sees it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def name_later(self) -> None:
        """Code can be checked before it has a name."""
        self.fields["name"].required = False


class AboutForm(forms.Form):
    """What the page of a bot says, and shows."""

    about = forms.CharField(
        required=False,
        max_length=200,
        help_text="One sentence below its name.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    notes_public = forms.BooleanField(
        required=False,
        label="Show its notes to everybody",
        help_text="What it says with self.note, beside its moves, in matches from now on.",
    )
