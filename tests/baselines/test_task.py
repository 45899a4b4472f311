"""What differs between classification and regression."""

import numpy as np
import pytest
from small_forests import FIGURE, forest

from hedgerow import Forest, InvalidDataError, InvalidParameterError
from hedgerow.baselines import SirusClassifier
from hedgerow.baselines.task import Labels, Numbers

STUMP = {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, 0, 0], "threshold": [0.5, 0, 0]}
REGRESSION = Forest.from_arrays([STUMP | {"value": [0.0, 1.0, 2.0]}], ["a"])


def test_labels_become_shares_and_numbers_stay():
    task, y = Labels.of(SirusClassifier(), ["b", "a", "b"])
    assert task.classes.tolist() == ["a", "b"]
    assert task.numeric(y).tolist() == [[0, 1], [1, 0], [0, 1]]
    task, y = Numbers.of(SirusClassifier(), [1, 2])
    assert task.classes is None
    assert task.numeric(y).tolist() == [1.0, 2.0]


def test_classes_are_those_of_the_forest_in_its_order():
    labels = forest(FIGURE, classes=("no", "perhaps", "yes"))
    assert Labels(np.array(["yes", "no"])).among(labels, None).classes.tolist() == ["no", "perhaps", "yes"]
    with pytest.raises(InvalidDataError, match="not trained on"):
        Labels(np.array(["never"])).among(labels, None)


def test_a_forest_of_the_other_task_is_rejected_with_a_way_out():
    with pytest.raises(InvalidParameterError, match="use OtherRegressor"):
        Labels(np.array([0, 1])).among(REGRESSION, "OtherRegressor")
    with pytest.raises(InvalidParameterError, match="use OtherClassifier"):
        Numbers().among(forest(FIGURE), "OtherClassifier")


def test_one_class_cannot_be_learned():
    with pytest.raises(InvalidDataError, match="only one class"):
        Labels(np.array([0, 1])).check_learnable(np.array([1, 1]))
