"""What the texts of a code say about a fault of a match: for the author, with method and line."""

from runners.faults import Value
from runners.limits import DEFAULT
from runners.match import Fault
from runners.upload import traceback_lines
from runners.upload.asked import decision_values, returned_values
from runners.upload.source import Outline

_LATE = "It did not answer "


def fault_values(fault: Fault, outline: Outline, file: str) -> dict[str, Value]:
    """Return the values for the message of a fault; `file` is the bot's file in its traceback."""
    own_line = traceback_lines.read(fault.traceback, file, outline.modules)
    values: dict[str, Value] = {"file": file, **own_line.values(), **_reason(fault)}
    if "reason" in values:
        del values["error"]
    if asked := fault.asked:
        method = outline.method_for(asked.decision)
        values |= decision_values(
            asked.decision, method, asked.move, asked.options, asked.option_count
        )
        values |= returned_values(asked.returned)
    return values


def _reason(fault: Fault) -> dict[str, Value]:
    """Return the reason of a fault as its texts say it."""
    detail = fault.detail.removeprefix("The bot does not start. ").rstrip(".")
    if detail.startswith(_LATE):
        short = detail.removeprefix(_LATE)
        return {"reason": short if fault.code == "E302" else f"It did not finish {short}"}
    if fault.code in {"E301", "E308", "E309"}:
        return {"reason": detail}
    return {"memory_mib": DEFAULT.memory_mib}
