"""Colors that everyone can tell apart, for plots and pages alike."""

from __future__ import annotations

#: From the palette of Okabe and Ito.
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6B6B6B"
AMBER, SKY, INK = "#E69F00", "#56B4E9", "#222222"

#: The colors of the first classes, the same in every picture.
CLASS_COLORS = (BLUE, ORANGE, GREEN, PINK, AMBER, SKY)

#: For more classes, where each is named beside its color, as on a page. Further ones would look alike.
MORE_CLASS_COLORS = (*CLASS_COLORS, "#882255", "#8F8F1F", "#6A51D6", "#8C564B", "#1B7837", "#E7298A")
