"""How well a color can be read on white, as accessibility guidelines measure it."""

import matplotlib as mpl
import numpy as np


def contrast_with_white(color):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in mpl.colors.to_rgb(color)]
    return 1.05 / (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05)
