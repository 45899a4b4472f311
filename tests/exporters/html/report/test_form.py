"""Fields are told apart."""

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.form import make_form
from hedgerow.features import Category, Inputs


def test_categories_with_the_names_of_the_other_options_can_be_told_from_them():
    answer = Category(0, "answer", ("(missing)", "a", "(another value)", "((missing))"), other=True)
    inputs = Inputs((answer,), allows_missing=True)
    rules = RuleList((Rule((Condition(answer, categories=frozenset({0})),), 1.0),), Rule((), 0.0), inputs)
    form, _ = make_form(rules)
    assert form.fields[0].options == (*answer.categories, "((another value))", "(((missing)))")
