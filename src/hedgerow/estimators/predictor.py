"""What every fitted estimator offers, with or without cross-validation: its rule list, as scikit-learn asks for it."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, overload

from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.lettering import close_names
from hedgerow.candidates.ensembles import clone_with_ensemble, takes_missing
from hedgerow.estimators.validation import check_as_many, check_samples, models_of
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import forest_of, predictions_of
from hedgerow.pipeline.settings import Settings
from hedgerow.presets import FAITHFUL
from hedgerow.rules.in_chunks import look, score
from hedgerow.rules.rule_list import RuleList
from hedgerow.sources.choice import as_source
from hedgerow.sources.source import Source
from hedgerow.tasks import Labels, TaskKind
from hedgerow.teachers import as_oracle

if TYPE_CHECKING:
    from hedgerow.evidence.disagreements import Disagreements
    from hedgerow.evidence.explanation import Reasons
    from hedgerow.evidence.fidelity import Fidelity


class Scored:
    """The score of scikit-learn's mixins, which come after it, also for rows that are read in chunks."""

    rule_list_: RuleList

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the accuracy, or R².

        Parameters
        ----------
        X, y, sample_weight :
            Samples with their targets and weights; or a source of rows (:mod:`hedgerow.sources`), which has its own.
        """
        source = as_source(X, y, sample_weight)
        if source is not None:
            check_is_fitted(self, "rule_list_")
            return score(self.rule_list_, source, getattr(self, "n_jobs", None))
        if y is None:
            raise InvalidDataError("score needs targets: pass y, with one target per row of X.")
        found: float = super().score(X, y, sample_weight)  # type: ignore[misc]
        return found


class RuleListPredictor(BaseEstimator):  # type: ignore[misc]
    """Predictions and explanations by a fitted ``rule_list_``."""

    task_kind: ClassVar[TaskKind]
    #: What every preset sets at once, under the names of this class.
    set_by_presets: ClassVar[dict[str, Any]]
    ensemble: Any
    teacher: Any
    rule_list_: RuleList
    ensemble_: Any
    forest_: Forest
    #: Those of the fit, settled and with the fitted ensemble.
    settings_: Settings

    def __init_subclass__(cls, **keywords: Any) -> None:
        """Give each class a constructor by its own name, which Python says if a parameter is unknown."""
        super().__init_subclass__(**keywords)
        inherited = cls.__init__
        if "__init__" not in cls.__dict__ and isinstance(inherited, FunctionType):
            own = FunctionType(inherited.__code__, inherited.__globals__, "__init__", None, inherited.__closure__)
            own.__kwdefaults__, own.__defaults__ = inherited.__kwdefaults__, inherited.__defaults__
            own.__annotations__, own.__doc__ = inherited.__annotations__, inherited.__doc__
            own.__qualname__, own.__module__ = f"{cls.__qualname__}.__init__", inherited.__module__
            cls.__init__ = own  # type: ignore[method-assign]

    def to_settings(self) -> Settings:
        """Return the parameters, checked: what the functions of :mod:`hedgerow.pipeline` take."""
        raise NotImplementedError

    @classmethod
    def _made(cls, **parameters: Any) -> Self:
        """Return an unfitted estimator with these parameters; refuse an unknown name."""
        known = cls._get_param_names()
        for name in parameters:
            if name not in known:
                close = close_names(name, known)
                way_out = f"Did you mean {close[0]}?" if close else f"The parameters are: {', '.join(known)}."
                raise InvalidParameterError(f"{cls.__name__} has no parameter {name!r}. {way_out}")
        return cls(**parameters)

    @classmethod
    def _of_preset(cls, preset: dict[str, Any], others: dict[str, Any], **given: Any) -> Self:
        """Return an unfitted estimator with a preset, which the other parameters may change."""
        return cls._made(**given | cls.set_by_presets | preset | others)

    @classmethod
    def _of_faithful(cls, model: Any, others: dict[str, Any], **given: Any) -> Self:
        """Return an unfitted estimator that explains a model; refuse what would make it explain something else."""
        for name in ("ensemble", "preset"):
            if name in others:
                raise InvalidParameterError(
                    f"faithful(model) takes no {name}: the model is what the list explains. Leave {name} out."
                )
        return cls._of_preset(FAITHFUL, others, ensemble=as_oracle(model), **given)

    @property
    def without_search(self) -> Any:
        """The fitted estimator without cross-validation: this one, or the best that a search has fitted."""
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the prediction of the first matching rule, otherwise that of the default or the ensemble.

        ``X`` is a table, or a source of rows that are read in chunks (:mod:`hedgerow.sources`).
        """
        source = as_source(X)
        if source is not None:
            return self._looked_at(source, "predictions")
        X = self._checked(X)
        return self.rule_list_.predict(X)

    def apply(self, X: Any) -> IntArray:
        """Return the position in ``rule_list_`` of the first rule that matches each sample, -1 if none does."""
        source = as_source(X)
        if source is not None:
            return self._looked_at(source, "fired")
        X = self._checked(X)
        return self.rule_list_.apply(X)

    @overload
    def explain(self, X: Any, *, reasons: Literal[False] = False) -> list[str]: ...

    @overload
    def explain(
        self, X: Any, *, reasons: Literal[True], changeable: Any = None, reference: Any = None, answer: Any = None
    ) -> list[Reasons]: ...

    def explain(
        self, X: Any, *, reasons: bool = False, changeable: Any = None, reference: Any = None, answer: Any = None
    ) -> list[str] | list[Reasons]:
        """Return one sentence per sample: which rule makes the prediction, and why.

        Parameters
        ----------
        X : array or data frame
        reasons : bool
            Return a :class:`hedgerow.evidence.Reasons` per sample instead: also why the prediction is not another one,
            and the smallest changes that would make it so.
        changeable, reference, answer :
            With ``reasons``: what :func:`hedgerow.evidence.reasons` takes.
        """
        X = self._checked(X)
        if not reasons:
            if any(given is not None for given in (changeable, reference, answer)):
                raise InvalidParameterError(
                    "changeable, reference and answer are about changes: set reasons=True, too."
                )
            return self.rule_list_.explain(X)
        from hedgerow.evidence.reasoning import Reasoner

        reasoner = Reasoner.of(self, reference, changeable)
        return [reasoner.reasons(_safe_indexing(X, [i]), answer) for i in range(X.shape[0])]

    def fidelity(self, X: Any, y: Any = None) -> Fidelity:
        """Return how faithful the list is to the ensemble on ``X``; with ``y``, also the scores of both.

        A list that was made by ``faithful`` is compared with the model that it explains.
        """
        from hedgerow.evidence.fidelity import summarize, summarize_in_chunks

        check_is_fitted(self, "rule_list_")
        whole = "model" if self.is_explanation else "ensemble"
        model, forest = self.explained
        source = as_source(X, y)
        if source is not None:
            return summarize_in_chunks(
                self.rule_list_, model, source, forest, n_jobs=getattr(self, "n_jobs", None), whole=whole
            )
        X = self._checked(X)
        if y is not None:
            check_as_many(X, y)
        return summarize(self.rule_list_, model, X, y, forest, whole=whole)

    def disagreements(self, X: Any, *, max_rules: int = 4) -> Disagreements:
        """Return where the list and what it explains differ on ``X``: the rows, and the regions.

        Parameters
        ----------
        X : array or data frame
            The rows, best such as the list was not learned from.
        max_rules : int
            The largest number of regions: rules of a small list of its own that tells where differences are frequent.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from sklearn.svm import SVC
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_wine(return_X_y=True, as_frame=True)
        >>> rules = RuleListClassifier.faithful(SVC().fit(X, y), max_rules=2, random_state=0).fit(X, y)
        >>> print(rules.disagreements(X))
        List and model differ on 44 of 178 rows, 24.7 % (95 % interval: 19.0 % to 31.5 %).
        differ  rows  where
        97.8 %    45  622.5 < proline <= 837.5
         0.0 %    74  proline <= 622.5
         0.0 %    59  proline > 837.5
        """
        from hedgerow.evidence.disagreements import find_disagreements

        X = self._checked(X)
        model, forest = self.explained
        return find_disagreements(self.rule_list_, model, X, forest, max_rules=max_rules)

    @property
    def explained(self) -> tuple[Any, Forest | None]:
        """What the list is to be faithful to, and its neutral form if known: ``faithful``'s model, or the ensemble."""
        teacher = self.settings_.teacher
        if teacher is not None and self.is_explanation:
            return teacher.model, None
        return self.ensemble_, self.forest_

    @property
    def is_explanation(self) -> bool:
        """Whether the list was made to explain a model (``faithful``)."""
        teacher = self.settings_.teacher
        return teacher is not None and teacher.is_explained

    def agreement(self, X: Any, y: Any = None) -> float:
        """Return how far the list agrees with what it explains: the share of equal labels, or R² to the model's values.

        ``y`` is not used; it is there so that this can serve as a score.
        """
        X = self._checked(X)
        model, forest = self.explained
        task = self.rule_list_.task
        expected, _ = predictions_of(model, forest_of(model) if forest is None else forest, task, X)
        return task.score(expected, self.rule_list_.predict(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = models_of(self) or [self.task_kind.forest()]
        tags.input_tags.allow_nan = all(takes_missing(model) for model in given)
        return tags

    def __sklearn_clone__(self) -> Self:
        return clone_with_ensemble(self)

    def _looked_at(self, source: Source, part: str) -> AnyArray:
        check_is_fitted(self, "rule_list_")
        return look(self.rule_list_, source, part, getattr(self, "n_jobs", None))

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "rule_list_")
        return check_samples(self, X, reset=False)


class ClassPredictor(RuleListPredictor):
    """What classifiers offer besides."""

    task_kind = Labels

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the class shares of the rule that makes the prediction for each sample."""
        source = as_source(X)
        if source is not None:
            return self._looked_at(source, "shares")
        X = self._checked(X)
        return self.rule_list_.predict_proba(X)
