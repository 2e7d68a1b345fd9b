"""The covering sample that stands for a product."""

from tests.full import combinations


def test_a_sample_has_every_value_of_every_dimension_and_the_whole_product_all_pairs():
    letters, numbers = "ABCDE", (1, 2, 3)
    sample = combinations(letters, numbers, full=False)
    assert len(sample) == 5
    assert {letter for letter, _ in sample} == set(letters)
    assert {number for _, number in sample} == set(numbers)
    assert len(set(combinations(letters, numbers, full=True))) == 15
