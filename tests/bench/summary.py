"""All goals in one table, from what the parts of `make bench` measured last.

`make bench BENCH=summary` prints it as text and as the table of docs/performance.md.
"""

from tests.bench.former.rows import kept_rows, markdown, print_table

PARTS = ("boxed", "pipeline", "rating", "mixed", "views", "games")


def main() -> None:
    """Print both forms, and when each part was measured."""
    kept = kept_rows(PARTS)
    rows = [row for _, _, part_rows in kept for row in part_rows]
    if not rows:
        print(
            f'Nothing was measured yet. Measure it:  make bench BENCH="{" ".join(PARTS)} summary"'
        )
        return
    print_table(rows)
    print(f"\n{markdown(rows)}\n")
    for part, measured_at, _ in kept:
        print(f"{part}: measured {measured_at}")


if __name__ == "__main__":
    main()
