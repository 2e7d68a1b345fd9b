# tries: raise an exception that nobody expects; verdict: raised
from bots_sdk import Bot


class Unexpected(BaseException):
    def __repr__(self):
        raise Unexpected

    __str__ = __repr__


class Hostile(Bot):
    def decide(self, view, options):
        raise Unexpected
