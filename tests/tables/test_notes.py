"""A note names the parameter that changes what it says."""

from hedgerow.tables.notes import Note


def test_a_note_is_a_sentence_with_the_parameter():
    assert str(Note("nothing to do")) == "nothing to do"
    assert str(Note("read as 1234", "decimal", (",",))) == "read as 1234 (decimal=',' to change it)"
    assert str(Note("left out", "keep", ("a", "b"), "use them")) == "left out (keep=['a', 'b'] to use them)"
    assert str(Note("read as Latin-1", "encoding")) == "read as Latin-1 (encoding to change it)"
