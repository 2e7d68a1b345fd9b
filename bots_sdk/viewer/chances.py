"""The win-chance line above the slider: a line for each seat, and a note on what it is."""

from html import escape

from bots_sdk.chances.values import PER_MILLE, Chances, TurningPoint
from engine.facets.presentation import Mark
from engine.game import Seat, seat_letter

HEIGHT = 24
"""Of the band above the track, in pixels."""
TOP = 9
"""Where the letter of a seat that won stands: wholly within the band."""
NEAR = 400
"""Lines that end nearer to each other than this, per mille, share a label."""


def chance_lines(chances: Chances, last: int) -> str:
    """Return the drawing above the track; nothing if no chances are known."""
    if not chances.rows:
        return ""
    seats = range(len(chances.rows[-1].chances))
    paths = "".join(
        f'<path class="kv-line kv-s{seat}" vector-effect="non-scaling-stroke" '
        f'd="{_path(chances, seat, max(1, last))}"/>'
        for seat in seats
    )
    return (
        f'<svg class="kv-chances" aria-hidden="true" width="100%" height="{HEIGHT}" '
        f'viewBox="0 0 {PER_MILLE} {PER_MILLE}" preserveAspectRatio="none">{paths}</svg>'
        f'<svg class="kv-chance-ends" aria-hidden="true" width="100%" height="{HEIGHT}">'
        f"{_ends(chances.rows[-1].chances)}</svg>"
    )


def _path(chances: Chances, seat: Seat, last: int) -> str:
    """Return a line that is level between two rows, so that it never tells of the next one."""
    places = [
        (f"{row.step * PER_MILLE / last:.4g}", PER_MILLE - row.chances[seat])
        for row in chances.rows
    ]
    (x, y), *others = places
    return f"M{x} {y}" + "".join(f"H{x}V{y}" for x, y in others)


def _ends(final: list[int]) -> str:
    """Return the letters at the ends of the lines, those of neighbours side by side."""
    groups: list[list[Seat]] = []
    for seat in sorted(range(len(final)), key=lambda seat: (-final[seat], seat)):
        if groups and final[groups[-1][0]] - final[seat] < NEAR:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    return "".join(_label(group, final[group[0]]) for group in groups)


def _label(seats: list[Seat], chance: int) -> str:
    letters = " ".join(f'<tspan class="kv-s{seat}">{seat_letter(seat)}</tspan>' for seat in seats)
    y = TOP + (HEIGHT - 1 - TOP) * (PER_MILLE - chance) / PER_MILLE
    return f'<text x="100%" dx="-14" y="{y:.0f}">{letters}</text>'


def chance_note(chances: Chances) -> str:
    """Return what the line is, and how far it may be off."""
    if not chances.rows:
        return ""
    return (
        '<p class="kv-chance-note">The lines above the slider tell how likely each seat was to '
        f"win. An estimate: {chances.playouts} games played out by {escape(chances.policy)} from "
        f"each of {len(chances.estimates)} positions; about ±{error_points(chances)} points.</p>"
    )


def error_points(chances: Chances) -> int:
    """Return the standard error in points of per cent, rounded up."""
    return -(-chances.error // 10)


def turning_marks(chances: Chances) -> list[Mark]:
    """Return a mark for each turning point: `B rises from 31 % to 62 %`."""
    return [Mark(point.step, "turn", _turn(chances, point)) for point in chances.turning_points]


def _turn(chances: Chances, point: TurningPoint) -> str:
    seat, rows = seat_letter(point.seat), {row.step: row.chances for row in chances.rows}
    then, now = (chances.in_words(step, point.seat) for step in (point.first, point.last))
    if point.forfeited:
        return f"{seat} forfeits with a chance of {then}"
    verb = "rises" if rows[point.first][point.seat] < rows[point.last][point.seat] else "falls"
    return f"{seat} {verb} from {then} to {now}"
