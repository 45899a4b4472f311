"""Colors that everyone can tell apart, for plots and pages alike."""

from __future__ import annotations

#: From the palette of Okabe and Ito.
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6B6B6B"
AMBER, SKY, INK = "#E69F00", "#56B4E9", "#222222"

#: The colors of the first classes, the same in every picture.
CLASS_COLORS = (BLUE, ORANGE, GREEN, PINK, AMBER, SKY)
