"""What an expert may do to a fitted list: insist on something, solve again, and ask what it costs."""

from __future__ import annotations

import copy
import time
import warnings
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Literal, Self

from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.checks import check_time_limit
from hedgerow.constraints import check_constraints, words_of
from hedgerow.estimators.predictor import RuleListPredictor
from hedgerow.exceptions import InfeasibleError, InvalidParameterError, TimeLimitError
from hedgerow.pipeline.alternatives import find_alternatives
from hedgerow.pipeline.build import training_score
from hedgerow.pipeline.editing import SAME, Wishes, edited
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import Posed
from hedgerow.pipeline.price import Price
from hedgerow.rules.alternatives import Alternatives
from hedgerow.rules.edit import Edit, Kind
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution


class EditableList(RuleListPredictor):
    """A fitted list whose problem is kept, so that it can be solved again under an expert's wishes."""

    solution_: Solution
    posed_: Posed

    @classmethod
    @abstractmethod
    def of(cls, extracted: Extracted) -> Self:
        """Return the fitted estimator of a list that the pipeline extracted."""

    @abstractmethod
    def _posed(self, asked_for: str, X: Any = None, y: Any = None, sample_weight: Any = None) -> Posed:
        """Return the problem with its training rows."""

    def with_rows(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Return an unpickled estimator with its training samples, which a pickle leaves out.

        Whatever solves the problem again (:meth:`resolve`, :meth:`price`, :meth:`alternatives`) then needs no samples.

        Parameters
        ----------
        X, y, sample_weight :
            The very samples and weights that the estimator was fitted to, in their order. Others are refused, by a
            checksum that the pickle has; of rows in chunks, which have none, if the list does not follow
            from them. A source of rows (:mod:`hedgerow.sources`) has its own ``y`` and weights.

        Examples
        --------
        >>> import pickle
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y)
        >>> loaded = pickle.loads(pickle.dumps(rules))
        >>> loaded.with_rows(X, y).price(forbid="petal width (cm)").objective > 0
        True
        """
        twin = copy.copy(self)
        twin.posed_ = self._posed("with_rows", X, y, sample_weight)
        return twin

    def resolve(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        pin: Any = (),
        forbid: Any = (),
        add: Any = (),
        constraints: Any = (),
        max_rules: int | Literal["same"] | None = "same",
        time_limit: float | None = None,
    ) -> Self:
        """Return the best list under an expert's wishes, as a fitted estimator of the same class.

        Nothing is fitted, read or scored again, so that this takes a fraction of a second where ``fit`` takes longer.
        The list is proven the best one under the wishes, which add up: a list that was resolved can be resolved again,
        and this one stays as it is. ``rule_list_.edits`` says what was changed and what it cost, and so does its JSON.
        The wishes are parameters of the estimator that is returned, so that ``fit`` on other samples keeps to them.

        Parameters
        ----------
        X, y, sample_weight : optional
            The training samples; needed only after the estimator was unpickled, because a pickle leaves them out.
        pin : rules
            Rules that stay: positions in ``rule_list_``, rules as text ("age > 40 and color in {red, blue}") or as
            :class:`~hedgerow.Rule`. One that is not among the candidates becomes one.
        forbid : rules or features
            Rules of the list, with all others that have the same training samples; or features, by name.
        add : rules
            Rules that compete with the candidates, such as those of the list with another threshold
            (:meth:`hedgerow.Rule.with_bounds`).
        constraints : constraints
            See :mod:`hedgerow.constraints`.
        max_rules : int, None or "same"
            Another budget.
        time_limit : float or None
            Seconds for the solver, if they are not to be those of the estimator.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y)
        >>> other = rules.resolve(forbid="petal width (cm)")
        >>> print(other.rule_list_.edits[0].describe())
        without petal width (cm)
        """
        check_time_limit(time_limit)
        posed = self._posed("resolve", X, y, sample_weight)
        wishes = Wishes(pin, forbid, add, constraints, max_rules)
        extracted = edited(posed, self.solution_, self.rule_list_, wishes, time_limit)
        if not extracted.solution.optimal:
            warnings.warn(
                f"The search ended early: {extracted.solution.describe()}. More time may give a proof.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self.of(extracted)

    def alternatives(
        self,
        k: int | None = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        within: float | None = None,
        differ_by: float | None = None,
        time_limit: float | None = None,
    ) -> Alternatives:
        """Return the best lists among the same candidates, in order, each proven to be the next best.

        A budget and constraints hold for all of them. Two lists that part the training samples in the same way are one
        list, whatever their rules look at; of these, the best one is taken.

        Parameters
        ----------
        k : int, optional
            How many lists at most: 10 by default, or 1000 with ``within``. If there are more, the result says so.
        X, y, sample_weight : optional
            The training samples; needed only after the estimator was unpickled, because a pickle leaves them out.
        within : float, optional
            All lists whose objective is lower than the best one by at most this share of its size, such as 0.02.
        differ_by : float, optional
            Leave out near-duplicates: a list is taken only if, to get from it to any better one that was taken, at
            least this share of the training samples would have to change their rule.
        time_limit : float, optional
            Seconds; by default the ``time_limit`` of the estimator, or one minute if it has none. What is found by then
            is returned: lists in order, with none missing between them.

        Returns
        -------
        Alternatives
            The lists with their objectives and scores, how often each feature, condition and rule occurs, and how much
            the lists rely on each feature.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y)
        >>> others = rules.alternatives(3)
        >>> len(others), others.objectives[0] == rules.solution_.objective
        (3, True)
        """
        posed = self._posed("alternatives", X, y, sample_weight)
        known = Extracted(posed, self.solution_, self.rule_list_)
        return find_alternatives(known, k, within, differ_by, time_limit)

    def to_json(
        self,
        indent: int | None = None,
        *,
        certificate: bool = False,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        time_limit: float | None = 60.0,
    ) -> str:
        """Write ``rule_list_`` as JSON; with a certificate, others can check its proof without hedgerow.

        Parameters
        ----------
        indent : int, optional
            As for :meth:`hedgerow.RuleList.to_json`.
        certificate : bool
            Whether to add the trees, the settings and the steps of a proof, from which :func:`hedgerow.evidence.check`
            and its stand-alone script prove the list again.
        X, y, sample_weight : optional
            The training samples; a certificate needs them after the estimator was unpickled.
        time_limit : float or None
            Seconds for the steps of the proof.

        Raises
        ------
        CertificateError
            If something in the list cannot be computed without hedgerow, the list is not proven optimal, or there is
            not enough time; the message says which.
        """
        from hedgerow.exporters.json.certificate import certificate_record
        from hedgerow.exporters.json.to_json import export

        check_is_fitted(self, "rule_list_")
        if not certificate:
            return export(self.rule_list_, indent)
        posed = self._posed("to_json", X, y, sample_weight)
        return export(self.rule_list_, indent, certificate_record(posed, self.solution_, time_limit))

    def price(
        self,
        constraint: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        *,
        pin: Any = (),
        forbid: Any = (),
        add: Any = (),
        max_rules: int | Literal["same"] | None = "same",
        time_limit: float | None = None,
    ) -> Price:
        """Return what a wish costs: in objective, in training score and, with held-out samples, in their score.

        Parameters
        ----------
        constraint : a constraint or a list of them, optional
            See :mod:`hedgerow.constraints`.
        X_test, y_test : optional
            Samples that the list was not learned from.
        pin, forbid, add, max_rules, time_limit :
            As for :meth:`resolve`.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y)
        >>> price = rules.price(forbid="petal width (cm)")
        >>> price.objective > 0
        True
        """
        if (X_test is None) is not (y_test is None):
            raise InvalidParameterError("A held-out score needs both X_test and y_test.")
        posed = self._posed("price")
        given = Wishes(pin, forbid, add, () if constraint is None else constraint, max_rules)
        try:
            found = edited(posed, self.solution_, self.rule_list_, given, time_limit)
        except (InfeasibleError, TimeLimitError) as error:
            return Price(
                _in_words(given, self.rule_list_), reason=str(error), in_time=not isinstance(error, TimeLimitError)
            )
        new = self.of(found)
        step = found.posed.edits[-1].step
        wish = "; ".join(edit.describe() for edit in found.posed.edits if edit.step == step)
        lost = self.solution_.objective - found.solution.objective
        size = abs(self.solution_.objective)
        before = training_score(posed, self.solution_, self.rule_list_)
        after = training_score(found.posed, found.solution, found.rule_list)
        return Price(
            wish=wish,
            objective=lost,
            share=lost / size if size else None,
            score=after - before,
            test_score=None if X_test is None else new.score(X_test, y_test) - self.score(X_test, y_test),
            n_rules=len(found.rule_list),
            proven=self.solution_.optimal and found.solution.optimal,
            estimator=new,
        )

    def prices(
        self, wishes: Iterable[Any], X_test: Any = None, y_test: Any = None, *, time_limit: float | None = None
    ) -> list[Price]:
        """Return the price of each wish by itself.

        Parameters
        ----------
        wishes : iterable of constraints, lists of them, or dictionaries of arguments for :meth:`resolve`
            Those of one list or dictionary are priced together.
        X_test, y_test : optional
            As for :meth:`price`.
        time_limit : float or None
            Seconds for all of them together.
        """
        check_time_limit(time_limit)
        ends, found = None if time_limit is None else time.monotonic() + time_limit, []
        for wish in wishes:
            others = dict(wish) if isinstance(wish, dict) else {"constraints": wish}
            constraint = others.pop("constraints", None)
            left = None if ends is None else ends - time.monotonic()
            if left is not None and left <= 0:
                named = Wishes(constraints=() if constraint is None else constraint, **others)
                found.append(
                    Price(_in_words(named, self.rule_list_), reason="It was not tried: the time was up.", in_time=False)
                )
                continue
            # Half of what is left, so that one wish does not take the time of all others.
            share = None if left is None else left / 2
            found.append(self.price(constraint, X_test, y_test, time_limit=share, **others))
        return found


def _in_words(wishes: Wishes, rule_list: RuleList) -> str:
    """Return what is asked for in words, before it is known whether it makes sense."""
    told = [words_of(one) for one in check_constraints(wishes.constraints)]
    kinds: dict[Kind, Any] = {"pin": wishes.pin, "forbid": wishes.forbid, "add": wishes.add}
    kinds |= {} if wishes.max_rules == SAME else {"max_rules": wishes.max_rules or "any number of"}
    for kind, given in kinds.items():
        for one in given if isinstance(given, (list, tuple)) else [given]:
            if isinstance(one, int) and kind != "max_rules" and -len(rule_list) <= one < len(rule_list):
                one = rule_list[one]
            text = one.describe() if isinstance(one, Rule) else str(getattr(one, "name", one))
            told.append(Edit(1, kind, text, 0.0, 0.0, proven=True).describe())
    return "; ".join(told)
