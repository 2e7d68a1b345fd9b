"""What the texts of a code say about a fault of a match: for the author, with method and line."""

from runners.faults import Value
from runners.limits import DEFAULT
from runners.match import FailedDecision, Fault
from runners.upload import traceback_lines
from runners.upload.source import Outline

_LATE = "It did not answer "


def fault_values(fault: Fault, outline: Outline, file: str) -> dict[str, Value]:
    """Return the values for the message of a fault; `file` is the bot's file in its traceback."""
    own_line = traceback_lines.read(fault.traceback, file)
    values: dict[str, Value] = {"file": file, **_reason(fault)}
    values |= {"line": own_line.line, "where": own_line.where}
    if "reason" not in values:
        values["error"] = own_line.error
    if fault.asked:
        values |= _decision_values(fault.asked, outline)
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


def _decision_values(asked: FailedDecision, outline: Outline) -> dict[str, Value]:
    more = asked.option_count - len(asked.options)
    options = ", ".join(f"`{option}`" for option in asked.options)
    values: dict[str, Value] = {
        "decision": f"`{asked.decision}`",
        "method": outline.method_for(asked.decision),
        "move": asked.move,
        "count": asked.option_count,
        "options": f"{options} and {more:,} more" if more else options,
    }
    if asked.returned == "NoneType":
        values["returned"] = "`None`"
    elif asked.returned:
        values["returned"] = f"an object of the class `{asked.returned}`"
        values["hint"] = "A move is a text, such as one of the options"
    return values
