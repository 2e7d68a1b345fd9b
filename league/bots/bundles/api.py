"""The API of bots with files: uploads in steps, and reading the files of a version."""

from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Path, Router, Status

from league.accounts.auth import ApiRequest, anyone, uploader
from league.accounts.models import Token, User
from league.api.problems import Problem
from league.bots.bundles import files, quota, sources, stepwise
from league.bots.bundles.schemas import (
    BundleIn,
    Digest,
    FileOut,
    FilePath,
    FilesOut,
    OpenUploadOut,
    OpenUploads,
    UploadId,
    show_open_upload,
)
from league.bots.models import BotVersion, OpenUpload
from league.bots.ownership import own_bot, refuse_unreadable, visible_to
from league.bots.schemas import CheckedVersion, Number, Slug, show_check
from league.errors import Refused
from league.web.attachment import MEDIA_TYPE, attachment
from runners.bundles.bundle import ListedFile, Listing

router = Router(tags=["Files"], auth=anyone)
_BYTES = {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
_BLOB = {"type": "string", "format": "binary", "maxLength": 2**40}


@router.post(
    "/bots/{slug:slug}/uploads",
    auth=uploader,
    response={201: OpenUploadOut, 409: Problem, 413: Problem},
)
def begin_upload(
    request: ApiRequest, response: HttpResponse, slug: Slug, bundle: BundleIn
) -> Status[OpenUploadOut]:
    """Announce the files of a bundle. Send what is `missing`, then finish. Announcing the same
    files again leads back to the same upload, so one that broke off goes on where it stopped.
    """
    bot = own_bot(request.auth, slug)
    listed = [ListedFile(file.path, file.size, file.digest) for file in bundle.files]
    upload = stepwise.begin(bot, listed, bundle.note)
    response["Location"] = request.build_absolute_uri(f"/api/v1/uploads/{upload.pk}")
    return Status(201, show_open_upload(upload))


@router.get("/uploads", auth=uploader, response=OpenUploads)
def list_uploads(request: ApiRequest) -> OpenUploads:
    """List your unfinished uploads, and the space that your files take."""
    usage = quota.usage(request.auth.owner)
    return OpenUploads(
        items=[show_open_upload(upload) for upload in _own_uploads(request)],
        used_bytes=usage.used,
        limit_bytes=usage.limit,
    )


@router.get("/uploads/{uuid:upload}", auth=uploader, response=OpenUploadOut)
def read_upload(request: ApiRequest, upload: UploadId) -> OpenUploadOut:
    """Read an unfinished upload of yours, with what is missing."""
    return show_open_upload(_own_upload(request, upload))


@router.put(
    "/uploads/{uuid:upload}/blobs/{digest}",
    auth=uploader,
    response={204: None, 413: Problem, 503: Problem},
    openapi_extra={"requestBody": {"required": True, "content": {MEDIA_TYPE: {"schema": _BLOB}}}},
)
def send_blob(request: ApiRequest, upload: UploadId, digest: Path[Digest]) -> Status[None]:
    """Send a content that is missing, as it is: no form, no encoding. Its size and digest must be
    those that were announced. Harmless if repeated.
    """
    stepwise.receive(_own_upload(request, upload), digest, request)
    return Status(204, None)


@router.post(
    "/uploads/{uuid:upload}/finish",
    auth=uploader,
    response={202: CheckedVersion, 409: Problem, 503: Problem},
)
def finish_upload(
    request: ApiRequest, response: HttpResponse, upload: UploadId
) -> Status[CheckedVersion]:
    """Upload the bundle as the next version, once nothing is missing. It goes on as if it had come
    in one request: a worker checks it.
    """
    open_upload = _own_upload(request, upload)
    slug = open_upload.bot.slug
    stored = stepwise.finish(open_upload)
    version = _versions().get(pk=stored.version.pk)
    address = f"/api/v1/bots/{slug}/versions/{version.number}"
    response["Location"] = request.build_absolute_uri(address)
    return Status(202, show_check(request, version, stored.reused))


@router.delete("/uploads/{uuid:upload}", auth=uploader, response={204: None})
def cancel_upload(request: ApiRequest, upload: UploadId) -> Status[None]:
    """Delete an unfinished upload of yours with all that was sent for it."""
    stepwise.cancel(_own_upload(request, upload))
    return Status(204, None)


@router.get("/bots/{slug:slug}/versions/{int:number}/files", response={200: FilesOut, 403: Problem})
def list_files(request: ApiRequest, slug: Slug, number: Number) -> FilesOut:
    """List the files of a version with their sizes. The code must be published, or be yours (with
    the scope `read`).
    """
    version = _readable_version(request, slug, number)
    listing = sources.listing(version.source_id)
    digests = {file.path: file.digest for file in files.readable(version, _reader(request))}
    return FilesOut(
        digest=version.source_id,
        entry=listing.entry or "",
        size=listing.size,
        files=[
            FileOut(path=file.path, size=file.size, digest=digests.get(file.path))
            for file in listing.files
        ],
    )


@router.get(
    "/bots/{slug:slug}/versions/{int:number}/files/{path:path}",
    response={200: None, 403: Problem, 503: Problem},
    openapi_extra={"responses": {200: _BYTES}},
)
def read_file(
    request: ApiRequest, slug: Slug, number: Number, path: Path[FilePath]
) -> HttpResponseBase:
    """Read one file of a version. Data files must be published as data, or be yours."""
    version = _readable_version(request, slug, number)
    readable = files.readable(version, _reader(request))
    file = next((file for file in readable if file.path == path), None)
    if file is None:
        raise Refused(
            "L010", status=404, reason=f"v{number} has no file `{path}` that you may read"
        )
    digest = file.digest
    return attachment(request, digest, path.rpartition("/")[2], lambda: files.read(digest))


@router.get(
    "/bots/{slug:slug}/versions/{int:number}/bundle.zip",
    response={200: None, 403: Problem, 503: Problem},
    openapi_extra={"responses": {200: _BYTES}},
)
def read_bundle(request: ApiRequest, slug: Slug, number: Number) -> HttpResponseBase:
    """Read all files of a version that you may read as one `.zip`, always the same bytes."""
    version = _readable_version(request, slug, number)
    readable = files.readable(version, _reader(request))
    etag = Listing.of(readable).digest
    name = f"{slug}-v{number}.zip"
    return attachment(request, etag, name, lambda: files.archive(readable))


def _versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("bot", "source").prefetch_related("plays")


def _readable_version(request: ApiRequest, slug: Slug, number: Number) -> BotVersion:
    """Return a bundle whose code the caller may read."""
    caller = request.auth
    get_object_or_404(visible_to(caller), slug=slug)
    version = get_object_or_404(_versions(), bot__slug=slug, number=number)
    refuse_unreadable(caller, version)
    if not version.source.bundle:
        reason = f"v{number} is a single file; read its source"
        raise Refused("L010", status=404, reason=reason)
    return version


def _reader(request: ApiRequest) -> User | None:
    """Return the caller, if the key may read what is private."""
    return request.auth.user if request.auth.may(Token.Scope.READ) else None


def _own_uploads(request: ApiRequest) -> QuerySet[OpenUpload]:
    own = OpenUpload.objects.filter(bot__owner=request.auth.owner)
    return own.select_related("bot__owner").order_by("created_at", "pk")


def _own_upload(request: ApiRequest, upload: UploadId) -> OpenUpload:
    return get_object_or_404(_own_uploads(request), pk=upload)
