"""`Refused`: a user asked for something that is not allowed."""

from runners.faults import Message, Value, message


class Refused(Exception):
    """A refusal with its code and message. Nothing was stored."""

    def __init__(self, code: str, *, status: int = 409, **values: Value) -> None:
        self.message: Message = message(code, **values)
        self.status = status
        self.values = values
        super().__init__(f"{code} {self.message.title}: {self.message.explanation}")

    @property
    def code(self) -> str:
        """Return the code of the refusal."""
        return self.message.code
