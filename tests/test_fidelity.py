"""The front door to the measures of fidelity."""

import hedgerow.fidelity
from hedgerow.evidence import fidelity


def test_the_measures_are_those_of_the_evidence():
    assert all(getattr(hedgerow.fidelity, name) is getattr(fidelity, name) for name in hedgerow.fidelity.__all__)
    assert {"represented_trees", "feature_f1", "importance_correlation", "disagreement"} <= set(
        hedgerow.fidelity.__all__
    )
