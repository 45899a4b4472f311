"""What is handed on from one step to the next cannot be changed by accident."""

from frozen_values import changeable

import hedgerow.rules


def test_only_what_is_filled_in_step_by_step_can_be_changed():
    assert changeable(hedgerow.rules) == {"Box"}  # which is put in its place after it is made
