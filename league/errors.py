"""`Refused`: a user asked for what is not allowed. Says why in the words of the one table."""

from runners.faults import Message, Value, message


class Refused(Exception):
    """No, and why. Nothing was stored."""

    def __init__(self, code: str, *, status: int = 409, **values: Value) -> None:
        self.message: Message = message(code, **values)
        self.status = status
        self.values = values
        super().__init__(f"{code} {self.message.title}: {self.message.explanation}")

    @property
    def code(self) -> str:
        """The code of the refusal."""
        return self.message.code
