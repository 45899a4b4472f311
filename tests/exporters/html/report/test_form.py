"""Fields are told apart."""

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.form import make_form
from hedgerow.features import Category, Column, Inputs
from hedgerow.features.notation import Notation


def test_categories_with_the_names_of_the_other_options_can_be_told_from_them():
    answer = Category(0, "answer", ("(missing)", "a", "(another value)", "((missing))"), other=True)
    inputs = Inputs((answer,), allows_missing=True)
    rules = RuleList((Rule((Condition(answer, categories=frozenset({0})),), 1.0),), Rule((), 0.0), inputs)
    form, _ = make_form(rules)
    assert form.fields[0].options == (*answer.categories, "((another value))", "(((missing)))")


def test_a_field_of_numbers_knows_how_its_column_is_written():
    amount, size, kind = Column(0, "amount"), Column(1, "size"), Category(2, "kind", ("a", "b"))
    german = Notation("number", ",", ".", ("€",), ("-999", "k.A."))
    inputs = Inputs((amount, size, kind), notations=((0, german), (2, Notation("text"))))
    conditions = (Condition(amount, 5), Condition(size, 5), Condition(kind, categories=frozenset({0})))
    form, _ = make_form(RuleList((Rule(conditions, 1.0),), Rule((), 0.0), inputs))
    known = form.fields[0].notation
    assert (known.decimal, known.thousands, known.affixes, known.missing) == (",", ".", ("€",), (-999.0,))
    assert [field.notation for field in form.fields[1:]] == [None, None]
