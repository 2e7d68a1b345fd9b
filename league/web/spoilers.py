"""Who sees results at once, and not only after the replay: whoever asks for them by the address.

All guests get the same page, with results in closed details; what a browser remembers is applied by
`spoilers.js`. Pages add those whose results they are.
"""

from django.http import HttpRequest

RESULT = {"result": "1"}
"""What the query of an address says if the result is to be seen."""


def asks_for_result(request: HttpRequest) -> bool:
    """Return whether the address asks for the result."""
    return all(request.GET.get(name) == value for name, value in RESULT.items())
