"""The places where files of bots can be. Not for all tests of the league: they are slow to load."""

from tests.league.blobs.stores import blob_store, s3_address

__all__ = ["blob_store", "s3_address"]
