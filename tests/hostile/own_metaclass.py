# tries: be a class whose metaclass lies about everything; verdict: ok|load|raised
from bots_sdk import Bot


class Lies(type(Bot)):  # type: ignore[misc]
    def __instancecheck__(cls, other):
        return True

    def __subclasscheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return 0


class Hostile(Bot, metaclass=Lies):
    def decide(self, view, options):
        return options[0]
