"""Text is measured as matplotlib draws it."""

import matplotlib.pyplot as plt
import pytest

from hedgerow.plotting.lettering import FONT_SIZE, fit, text_width


@pytest.mark.parametrize("text", ["a question <= 0.5", "WWWW", "it costs $5 and $6", "größe"])
@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_text_is_about_as_wide_as_it_is_drawn(text, weight):
    figure = plt.figure(dpi=100)
    drawn = figure.text(0, 0, text.replace("$", r"\$"), fontsize=FONT_SIZE, weight=weight)
    inches = drawn.get_window_extent(figure.canvas.get_renderer()).width / 100
    assert inches <= text_width(text, weight=weight) + 0.01  # a pixel
    assert text_width(text, weight=weight) <= 1.2 * inches


def test_nothing_has_no_width():
    assert text_width("") == 0
    assert text_width(" ") == 0


def test_lines_fit_their_room_at_the_given_size():
    text = "a question about the average balance of the year <= 0.5"
    small, large = (fit(text, 1.5, size) for size in (8, 16))
    assert len(large) > len(small) > 1
    assert all(text_width(line, 16) <= 1.5 for line in large)
    assert " ".join(large) == text
    assert len(fit(text, 1.5, 16, most_lines=2)) <= 2
