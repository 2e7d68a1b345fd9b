"""Bundles as the API sends and takes them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from ninja import Field, Schema
from pydantic import StringConstraints

from league.api.unknown_names import Body
from league.bots.bundles import stepwise
from league.bots.models import MAX_PATH_LENGTH, OpenUpload
from league.bots.schemas import Line

MAX_FILES = 10_000
"""Far above the limit of a bundle, which has its own error."""
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", max_length=64)]
UploadId = Annotated[UUID, Field(json_schema_extra={"maxLength": 36})]
FilePath = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATH_LENGTH)]
_DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_TIME = "2026-03-01T12:00:00Z"


class AnnouncedFile(Body):
    """A file of a bundle that will be uploaded."""

    path: FilePath = Field(
        description="Below the folder with `bot.py`, with `/` between the parts.",
        examples=["weights.npy"],
    )
    size: Annotated[int, Field(ge=0, le=2**40)] = Field(description="Bytes.", examples=[131200])
    digest: Digest = Field(description="SHA-256 of the content, in hex.", examples=[_DIGEST])


class BundleIn(Body):
    """All files of a bundle, without their contents."""

    files: Annotated[list[AnnouncedFile], Field(min_length=1, max_length=MAX_FILES)]
    note: Line = Field("", description="What is new in it.", examples=["first try"])


class OpenUploadOut(Schema):
    """An upload that is not finished. What is `missing` has to be sent."""

    id: UUID = Field(examples=["6f1c2b1e-9a53-4f0e-8a4c-6d5b7f1f0c11"])
    bot: str = Field(examples=["sapphire-shark"])
    digest: str = Field(description="Of the bundle.", examples=[_DIGEST])
    missing: list[str] = Field(
        description="Digests of the contents that the league lacks.", examples=[[_DIGEST]]
    )
    note: str = Field(examples=["first try"])
    expires_at: datetime = Field(
        description="When it is deleted unless it is finished.", examples=[_TIME]
    )


class OpenUploads(Schema):
    """What somebody uploads at the moment, and the space their files take."""

    items: list[OpenUploadOut]
    used_bytes: int = Field(
        description="All files of your bots and of these uploads, equal ones counted once.",
        examples=[1048576],
    )
    limit_bytes: int = Field(examples=[209715200])


class FileOut(Schema):
    """A file of a bundle."""

    path: str = Field(examples=["weights.npy"])
    size: int = Field(description="Bytes.", examples=[131200])
    digest: str | None = Field(
        description="SHA-256 of the content; null if you may not read it.", examples=[_DIGEST]
    )


class FilesOut(Schema):
    """The files of a version."""

    digest: str = Field(description="Of the bundle.", examples=[_DIGEST])
    entry: str = Field(description="The file with the bot.", examples=["bot.py"])
    size: int = Field(description="Bytes of all files.", examples=[132900])
    files: list[FileOut]


def show_open_upload(upload: OpenUpload) -> OpenUploadOut:
    """Return what its owner sees of an unfinished upload."""
    return OpenUploadOut(
        id=upload.pk,
        bot=upload.bot.slug,
        digest=upload.digest,
        missing=stepwise.missing(upload),
        note=upload.note,
        expires_at=upload.created_at + stepwise.LIFETIME,
    )
