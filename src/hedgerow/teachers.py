"""A strong model that teaches the list, including in the gaps between samples.

A list must partition the training samples. One that combines several trees leaves gaps between its rules, where a new
sample gets the default, and with few samples the choice of rules depends much on chance. A teacher, a model that is
more accurate than any short list, helps with both. The list then learns from the samples, with a mix of their targets
and the teacher's out-of-bag predictions, and from synthetic rows: samples with some columns taken from another one, or
samples that are moved as samples of one class differ, with the teacher's predictions as targets. What is shown about a
rule (how many samples, which share, how far their targets spread) counts the samples alone.

:mod:`hedgerow.pipeline.lesson` says how a list is taught.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from hedgerow._support.checks import check_integer
from hedgerow.candidates.ensembles import clone_ensemble
from hedgerow.exceptions import InvalidParameterError

__all__ = [
    "Oracle",
    "Teacher",
]


@dataclass(frozen=True)
class Oracle:
    """A model that is fitted and stays as it is, whatever it is made of, and how to ask it.

    Parameters
    ----------
    model : estimator, pipeline, booster, path, Forest or callable
        What has ``predict_proba`` or ``predict``, or a function of a table. A function returns one prediction per row;
        for labels also one row of class shares per row or, of two classes, the share of the second.
    batch : int
        The largest number of rows per call.
    limit : int or None
        The largest number of rows in all calls of one ``fit``, and of one later question, such as ``agreement(X)``.
        Training samples come first, then as many synthetic rows as are left. Cross-validation by the estimators with CV
        in their name is one ``fit``: it asks about each sample once, and its folds and the final list have equal parts
        of the rest. A ``scoring`` of your own that asks the model does not count.
    classes : sequence or None
        The labels of ``y`` in the model's own order: that of the shares that a function returns, or the names of the
        classes 0, 1, ... of a model that knows only these numbers. None is the sorted order of the labels. A model that
        has other labels, or has them in another order, is refused.
    returns : "labels", "shares" or None
        What one number per row stands for, of two classes: a label, or the share of the second class. None finds it out
        in ``fit``, from all predictions for the training samples (which are refused if they could be either), and keeps
        it.

    Examples
    --------
    >>> Oracle(lambda X: X[:, 0] > 0.5, batch=1000, limit=20_000).batch
    1000
    """

    model: Any
    batch: int = 10_000
    limit: int | None = None
    classes: Sequence[Any] | None = None
    returns: Literal["labels", "shares"] | None = None

    def __post_init__(self) -> None:
        if self.returns not in ("labels", "shares", None):
            raise InvalidParameterError(
                f"returns of an Oracle must be 'labels', 'shares' or None; got {self.returns!r}."
            )
        check_integer("batch", self.batch, least=1)
        check_integer("limit", self.limit, least=1, optional=True)
        if isinstance(self.model, type):
            raise InvalidParameterError(f"The model is the class {self.model.__name__}; pass a fitted instance of it.")

    def __sklearn_clone__(self) -> Oracle:
        return self


def as_oracle(model: Any) -> Oracle:
    """Return a model as an :class:`Oracle`, if it is none yet."""
    return model if isinstance(model, Oracle) else Oracle(model)


def unwrapped(model: Any) -> Any:
    """Return the model itself, of an :class:`Oracle` or not."""
    return model.model if isinstance(model, Oracle) else model


@dataclass(frozen=True)
class Teacher:
    """The model that teaches a rule list, and how.

    Parameters
    ----------
    model : estimator, pipeline, booster, path, Forest or Oracle
        A fitted model is used as it is; an unfitted one is cloned and fitted; one in a ``FrozenEstimator`` is never
        fitted again. Any regressor, or any classifier with ``predict_proba``, will do: it need not consist of trees.
        Out-of-bag predictions (``oob_score=True``) are only taken from a model that is fitted here: for another it is
        not known whether they belong to the same samples.
    share : float
        The share of the model's predictions in the targets by which rules are chosen. What a rule predicts comes
        from ``y``, unless the share is 1.
    copies, most : int
        The number of synthetic rows per sample, and the largest number in all.
    swap : float
        The probability that a column of a synthetic row comes from another sample. Adjacent columns of zeros and ones
        of which exactly one is 1 in every sample (a one-hot encoded category) are swapped together.
    weight : float
        The weight of a synthetic row; that of the sample it is made from is 1.
    enough : int
        With more samples than this the weight falls in proportion, because then the samples say most themselves.
    alone : int
        A rule that covers at least this many samples predicts from them alone. In a smaller one, the synthetic rows
        that it covers count as well.
    opinion : float
        How many samples the model's opinion is worth in what a rule predicts: its class shares are
        (n * those of its samples + opinion * mean of the model's predictions for them) / (n + opinion), where n is the
        weight of the samples. Few samples make rough shares; these are closer to what new samples show. Only for
        labels.
    unseen : bool
        Whether a synthetic row all of whose columns come from one sample gets the model's out-of-bag prediction for
        that sample, if there is one. In tables of few columns such rows are many, and a model may remember their
        targets.
    rows : "swap", "near" or "scatter"
        How synthetic rows are made. "swap": some columns come from another sample. "near": each of them comes from one
        of the samples nearest to the one that the row is made from. "scatter": all columns are moved
        together, by a draw from a normal distribution whose covariance is that of the samples within their classes;
        only for labels and tables of numbers. It suits few samples with many columns that say nearly the same, such
        as the features of time series.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from hedgerow import RuleListRegressor
    >>> from hedgerow.teachers import Teacher
    >>> X, y = load_diabetes(return_X_y=True)
    >>> teacher = Teacher(RandomForestRegressor(30, min_samples_leaf=3, random_state=0), copies=2)
    >>> trees = RandomForestRegressor(5, max_leaf_nodes=8, random_state=0)
    >>> rules = RuleListRegressor(trees, max_rules=4, teacher=teacher, random_state=0).fit(X, y)
    >>> sum(rule.coverage for rule in rules.rule_list_) == len(X)
    True
    """

    model: Any
    share: float = 0.25
    copies: int = 50
    most: int = 5000
    swap: float = 0.3
    weight: float = 0.1
    enough: int = 1000
    alone: int = 10
    opinion: float = 0.0
    unseen: bool = False
    rows: str = "swap"

    def __post_init__(self) -> None:
        between = "a number between 0 and 1"
        for name, kind, least, most, possible in (
            ("share", Real, 0, 1, between),
            ("swap", Real, 0, 1, between),
            ("weight", Real, np.nextafter(0, 1), np.finfo(float).max, "a finite number above 0"),
            ("copies", Integral, 0, np.inf, "an integer of at least 0"),
            ("most", Integral, 0, np.inf, "an integer of at least 0"),
            ("enough", Integral, 1, np.inf, "an integer of at least 1"),
            ("alone", Integral, 0, np.inf, "an integer of at least 0"),
            ("opinion", Real, 0, np.finfo(float).max, "a finite number of at least 0"),
        ):
            value = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool) or not least <= float(value) <= most:
                raise InvalidParameterError(f"{name} of a Teacher must be {possible}; got {value!r}.")
        if self.rows not in ("swap", "near", "scatter"):
            raise InvalidParameterError(f"rows of a Teacher must be 'swap', 'near' or 'scatter'; got {self.rows!r}.")

    def __sklearn_clone__(self) -> Teacher:
        return replace(self, model=clone_ensemble(self.model))

    @property
    def makes_rows(self) -> bool:
        """Whether there are synthetic rows."""
        return self.copies > 0 and self.most > 0

    @property
    def is_explained(self) -> bool:
        """Whether the list is to explain the model, whose predictions are then all that counts."""
        return isinstance(self.model, Oracle) and self.share == 1

    @property
    def is_asked(self) -> bool:
        """Whether the model is one that is asked about the samples as it is."""
        return isinstance(self.model, Oracle) and (self.share > 0 or self.opinion > 0)
